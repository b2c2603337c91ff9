/// What a person asks the platform for: the way back, another place, and what
/// a keyboard on the screen has a button for.
library;

import 'dart:typed_data';
import 'dart:ui'
    show PlatformDispatcher, PlatformMessageResponseCallback, channelBuffers;

import 'package:flutter/services.dart';
import 'package:flutter/widgets.dart';

import '../core/ui.dart';
import 'ear.dart';
import 'live_tree.dart';
import 'text_field.dart';

/// Takes a message of the platform's.
typedef MessageHandler =
    void Function(
      String channel,
      ByteData? data,
      PlatformMessageResponseCallback? reply,
    );

/// Hears the platform's messages before anything in the app does.
///
/// An observer of the binding would come after those of the app, which end the
/// matter; and nothing observes the keyboard's button.
final class PlatformEar implements Ear {
  /// Tells of the app of [tree]; [onSubmit] of the keyboard's button.
  PlatformEar(this.tree, {required this.onSubmit});

  /// Where the router is.
  final LiveTree tree;

  /// Called when the keyboard asks the field to do what Enter does.
  final void Function() onSubmit;

  UiWitness? _witness;

  // The framework itself makes no use of this handler, and may lose it one
  // day: without it these things are not told.
  final dynamic _dispatcher = PlatformDispatcher.instance;

  late final Front<MessageHandler> _messages = Front<MessageHandler>(
    // ignore: avoid_dynamic_calls
    () => _dispatcher.onPlatformMessage as MessageHandler?,
    (MessageHandler? own) {
      // ignore: avoid_dynamic_calls
      _dispatcher.onPlatformMessage = own;
    },
    (MessageHandler? host) =>
        (
          String channel,
          ByteData? data,
          PlatformMessageResponseCallback? reply,
        ) {
          void pass() =>
              host == null
                  ? channelBuffers.push(channel, data, reply ?? (_) {})
                  : host(channel, data, reply);
          _messages.outermost(() {
            tell(() => _hear(channel, data));
            pass();
          }, orElse: pass);
        },
  );

  @override
  void listen(UiWitness witness) {
    _witness = witness;
    try {
      _messages.attach();
    } on NoSuchMethodError {
      return;
    }
  }

  @override
  void stop() {
    _witness = null;
    try {
      _messages.detach();
    } on NoSuchMethodError {
      return;
    }
  }

  void _hear(String channel, ByteData? data) {
    if (data == null) return;
    for (final MethodChannel each in <MethodChannel>[
      SystemChannels.navigation,
      SystemChannels.backGesture,
      SystemChannels.textInput,
    ]) {
      if (each.name != channel) continue;
      final MethodCall call = each.codec.decodeMethodCall(data);
      return _called(call.method, call.arguments);
    }
  }

  void _called(String method, Object? arguments) {
    switch ((method, arguments)) {
      case ('popRoute' || 'commitBackGesture', _):
        _witness?.back();
      case ('pushRoute', final String location):
        _witness?.route(_routeOf(location));
      case ('pushRouteInformation', {'location': final String location}):
        _witness?.route(_routeOf(location));
      case ('TextInputClient.performAction', [_, final String action]):
        final bool beginsLine =
            action == '${TextInputAction.newline}' &&
            focusedField?.widget.maxLines != 1;
        if (!beginsLine) onSubmit();
    }
  }

  /// What the app is asked for, as the verb that goes there takes it: a
  /// navigator without a router is given no more than the path.
  String _routeOf(String location) {
    if (tree.index?.router != null) return location;
    final Uri uri = Uri.parse(location);
    final Uri path = Uri(
      path: uri.path.isEmpty ? '/' : uri.path,
      query: uri.hasQuery ? uri.query : null,
      fragment: uri.hasFragment ? uri.fragment : null,
    );
    return Uri.decodeComponent('$path');
  }
}
