/// The keys of a person.
library;

import 'package:flutter/services.dart';

import '../core/ui.dart';
import 'ear.dart';
import 'hands.dart';
import 'key_codes.dart';

/// How soon after a key a keyboard asks for what the key is for.
const Duration _echo = Duration(milliseconds: 500);

/// Hears keys before the widgets do.
final class KeyEar implements Ear {
  UiWitness? _witness;
  final Stopwatch _sinceEnter = Stopwatch();

  @override
  void listen(UiWitness witness) {
    if (_witness == null) HardwareKeyboard.instance.addHandler(_hear);
    _witness = witness;
  }

  @override
  void stop() {
    if (_witness != null) HardwareKeyboard.instance.removeHandler(_hear);
    _witness = null;
    _sinceEnter.stop();
  }

  /// The keyboard asks the field to do what Enter does. One with keys has
  /// told of it already.
  void submitted() {
    final bool isTold = _sinceEnter.isRunning && _sinceEnter.elapsed < _echo;
    _sinceEnter.stop();
    if (!isTold) _witness?.key(const UiKeyPress('Enter'));
  }

  bool _hear(KeyEvent event) {
    if (event is KeyUpEvent || Hands.areAtWork) return false;
    final String? name = keyNameOf(event.logicalKey);
    if (name == null) return false;
    if (name == 'Enter') {
      _sinceEnter
        ..reset()
        ..start();
    }
    tell(() => _witness?.key(UiKeyPress(name, _held())));
    return false;
  }

  static List<UiModifier> _held() {
    final HardwareKeyboard keyboard = HardwareKeyboard.instance;
    return <UiModifier>[
      if (keyboard.isControlPressed) UiModifier.control,
      if (keyboard.isShiftPressed) UiModifier.shift,
      if (keyboard.isAltPressed) UiModifier.alt,
      if (keyboard.isMetaPressed) UiModifier.meta,
    ];
  }
}
