/// Hearing what the app writes and what goes wrong in it.
///
/// Each capture stands in front of the host's own handler and calls it. A
/// handler that the host sets later replaces the capture; it is then put in
/// front again. Host and capture may so end up in a chain in which one line
/// comes by twice: only the outermost counts.
library;

import 'dart:ui' show ErrorCallback, PlatformDispatcher;

import 'package:flutter/foundation.dart';

import '../core/buffers.dart';

/// Keeps the lines of [debugPrint].
final class ConsoleCapture {
  /// Writes to [buffer].
  ConsoleCapture(this.buffer);

  /// Where the lines go.
  final ConsoleBuffer buffer;

  DebugPrintCallback? _host;
  DebugPrintCallback? _own;
  bool _isInside = false;

  /// Puts the capture in front, unless it is.
  void attach() {
    if (_own != null && identical(debugPrint, _own)) return;
    final DebugPrintCallback host = debugPrint;
    void print(String? message, {int? wrapWidth}) {
      final bool isOutermost = !_isInside;
      _isInside = true;
      try {
        if (isOutermost && message != null) buffer.add(message);
        host(message, wrapWidth: wrapWidth);
      } finally {
        if (isOutermost) _isInside = false;
      }
    }

    _host = host;
    debugPrint = _own = print;
  }

  /// Takes the capture away, if nobody stands in front of it.
  void detach() {
    final DebugPrintCallback? host = _host;
    if (host != null && identical(debugPrint, _own)) debugPrint = host;
    _host = _own = null;
  }
}

/// Keeps the errors the framework reports, and those nobody caught.
final class ErrorCapture {
  /// Writes to [buffer].
  ErrorCapture(this.buffer);

  /// Where the errors go.
  final ExceptionBuffer buffer;

  FlutterExceptionHandler? _host;
  FlutterExceptionHandler? _own;
  ErrorCallback? _hostUncaught;
  ErrorCallback? _ownUncaught;

  /// Puts the capture in front, unless it is.
  void attach() {
    if (_own == null || !identical(FlutterError.onError, _own)) {
      final FlutterExceptionHandler? host = FlutterError.onError;
      _host = host;
      FlutterError.onError = _own = (FlutterErrorDetails details) {
        _add(details.exception, details.stack, details.library);
        host?.call(details);
      };
    }
    final PlatformDispatcher dispatcher = PlatformDispatcher.instance;
    if (_ownUncaught == null || dispatcher.onError != _ownUncaught) {
      final ErrorCallback? host = dispatcher.onError;
      _hostUncaught = host;
      dispatcher.onError = _ownUncaught = (Object error, StackTrace stack) {
        _add(error, stack, null);
        return host?.call(error, stack) ?? false;
      };
    }
  }

  /// An error that cannot even say what it is must not hide behind another.
  void _add(Object error, StackTrace? stack, String? library) {
    try {
      buffer.add(error, stack: stack, library: library);
    } on Object {
      return;
    }
  }

  /// Takes the capture away, where nobody stands in front of it.
  void detach() {
    if (_own != null && identical(FlutterError.onError, _own)) {
      FlutterError.onError = _host;
    }
    final PlatformDispatcher dispatcher = PlatformDispatcher.instance;
    if (_ownUncaught != null && dispatcher.onError == _ownUncaught) {
      dispatcher.onError = _hostUncaught;
    }
    _host = _own = null;
    _hostUncaught = _ownUncaught = null;
  }
}
