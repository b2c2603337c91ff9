/// Key presses, as a keyboard makes them.
library;

import 'dart:ui' show KeyData, KeyEventType;

import 'package:flutter/services.dart';
import 'package:flutter/widgets.dart';

import '../core/ui.dart';
import 'hands.dart';
import 'key_codes.dart';
import 'text_field.dart';

/// Turns the core's key presses into key data.
final class FlutterKeyboard {
  final Stopwatch _clock = Stopwatch()..start();

  /// Presses and lets go.
  void press(UiKeyPress press) => Hands.at(() => _press(press));

  void _press(UiKeyPress press) {
    final KeyCode key = keyCodeOf(press.key);
    final List<KeyCode> held = <KeyCode>[];
    try {
      for (final UiModifier each in press.modifiers) {
        final KeyCode code = modifierCodeOf(each);
        held.add(code);
        _send(code, KeyEventType.down, null);
      }
      if (press.key == 'Enter' && press.modifiers.isEmpty) {
        _submitUnlessHeard(() => _tap(key, _typed(key, press)));
      } else {
        _tap(key, _typed(key, press));
      }
    } finally {
      for (final KeyCode each in held.reversed) {
        _send(each, KeyEventType.up, null);
      }
    }
  }

  static String? _typed(KeyCode key, UiKeyPress press) {
    final List<UiModifier> held = press.modifiers;
    if (held.isEmpty) return key.character;
    return held.length == 1 && held.single == UiModifier.shift
        ? key.character?.toUpperCase()
        : null;
  }

  void _tap(KeyCode key, String? character) {
    _send(key, KeyEventType.down, character);
    _send(key, KeyEventType.up, null);
  }

  /// A platform that gets Enter back from the app hands it to the text input,
  /// which then submits the field that is being edited.
  void _submitUnlessHeard(void Function() tap) {
    final FocusNode? focus = FocusManager.instance.primaryFocus;
    bool isUnheard = false;
    KeyEventResult listen(KeyEvent event) {
      if (event is KeyDownEvent) isUnheard = true;
      return KeyEventResult.ignored;
    }

    FocusManager.instance.addLateKeyEventHandler(listen);
    try {
      tap();
    } finally {
      FocusManager.instance.removeLateKeyEventHandler(listen);
    }
    if (!isUnheard || focus != FocusManager.instance.primaryFocus) return;
    final EditableTextState? field = focusedField;
    if (field != null) FlutterTextField(field).submit();
  }

  void _send(KeyCode key, KeyEventType type, String? character) {
    ServicesBinding.instance.platformDispatcher.onKeyData?.call(
      KeyData(
        timeStamp: _clock.elapsed,
        type: type,
        physical: key.physical.usbHidUsage,
        logical: key.logical.keyId,
        character: character,
        // Otherwise the framework waits for the message that goes with it.
        synthesized: true,
      ),
    );
  }
}
