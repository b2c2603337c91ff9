/// Hearing what the platform tells the app, before the app does.
library;

import 'package:flutter/foundation.dart';

import '../core/ui.dart';

/// Hears one kind of thing that a person does.
abstract interface class Ear {
  /// Tells [witness] of everything from now on.
  void listen(UiWitness witness);

  /// Tells nobody any more.
  void stop();
}

/// Tells what [telling] gives; null when nothing could be told.
///
/// An app must not fail because somebody looks on.
T? tell<T>(T Function() telling) {
  try {
    return telling();
  } on Object catch (error, stack) {
    debugPrint('tapir_replay: could not be recorded: $error\n$stack');
    return null;
  }
}

/// Something that stands in front of a handler of the host's.
///
/// Whoever came after it stays in front, and keeps calling it when it is
/// taken away: it then only passes on. Put in front again it may so be called
/// twice for one thing: only the outermost counts.
///
/// A handler runs in the zone in which it was set. The service extensions run
/// in that in which the plugin was installed, which is the binding's.
final class Front<H extends Function> {
  /// Creates something in front of what [_get] gives, not yet there.
  Front(this._get, this._set, this._make);

  final H? Function() _get;
  final void Function(H? handler) _set;

  /// Makes the handler that is put in front of the host's.
  final H Function(H? host) _make;

  H? _host;
  H? _own;
  bool _isInside = false;

  /// Whether it is to hear anything.
  bool get isOn => _isOn;
  bool _isOn = false;

  /// Puts it in front.
  void attach() {
    if (_isOn) return;
    _isOn = true;
    _host = _get();
    _set(_own = _make(_host));
  }

  /// Takes it away, if nobody stands in front of it.
  void detach() {
    if (!_isOn) return;
    _isOn = false;
    if (identical(_get(), _own)) _set(_host);
    _host = _own = null;
  }

  /// Does [hear] when it is to hear this, else [pass].
  void outermost(void Function() hear, {required void Function() orElse}) {
    if (!_isOn || _isInside) return orElse();
    _isInside = true;
    try {
      hear();
    } finally {
      _isInside = false;
    }
  }
}
