/// What the keys are called in hardware and in meaning.
library;

import 'package:flutter/services.dart';

import '../core/ui.dart';

/// A key as the framework knows it.
final class KeyCode {
  /// Creates a key.
  const KeyCode(this.physical, this.logical, [this.character]);

  /// Where it is on the keyboard.
  final PhysicalKeyboardKey physical;

  /// What it means.
  final LogicalKeyboardKey logical;

  /// What it types, if anything.
  final String? character;
}

/// The key that [name], one of the core's names, stands for.
KeyCode keyCodeOf(String name) => _named[name] ?? _typing(name);

/// What the core calls [key]; null when it has no name for it.
String? keyNameOf(LogicalKeyboardKey key) {
  final String? named = _names[key];
  if (named != null) return named;
  final int code = key.keyId;
  final bool types =
      code >= 0x30 && code <= 0x39 || code >= 0x61 && code <= 0x7a;
  return types ? String.fromCharCode(code).toUpperCase() : null;
}

final Map<LogicalKeyboardKey, String> _names = <LogicalKeyboardKey, String>{
  for (final MapEntry<String, KeyCode> each in _named.entries)
    each.value.logical: each.key,
  LogicalKeyboardKey.numpadEnter: 'Enter',
};

/// A letter or a digit.
KeyCode _typing(String name) {
  final String character = name.toLowerCase();
  final int code = character.codeUnitAt(0);
  final bool isLetter = code >= 0x61;
  final int usage = switch (code) {
    _ when isLetter => PhysicalKeyboardKey.keyA.usbHidUsage + code - 0x61,
    0x30 => PhysicalKeyboardKey.digit0.usbHidUsage,
    _ => PhysicalKeyboardKey.digit1.usbHidUsage + code - 0x31,
  };
  return KeyCode(
    PhysicalKeyboardKey.findKeyByCode(usage) ?? PhysicalKeyboardKey(usage),
    LogicalKeyboardKey.findKeyByKeyId(code) ?? LogicalKeyboardKey(code),
    character,
  );
}

/// The left one of the keys for [modifier].
KeyCode modifierCodeOf(UiModifier modifier) => switch (modifier) {
  UiModifier.control => const KeyCode(
    PhysicalKeyboardKey.controlLeft,
    LogicalKeyboardKey.controlLeft,
  ),
  UiModifier.shift => const KeyCode(
    PhysicalKeyboardKey.shiftLeft,
    LogicalKeyboardKey.shiftLeft,
  ),
  UiModifier.alt => const KeyCode(
    PhysicalKeyboardKey.altLeft,
    LogicalKeyboardKey.altLeft,
  ),
  UiModifier.meta => const KeyCode(
    PhysicalKeyboardKey.metaLeft,
    LogicalKeyboardKey.metaLeft,
  ),
};

const Map<String, KeyCode> _named = <String, KeyCode>{
  'Enter': KeyCode(PhysicalKeyboardKey.enter, LogicalKeyboardKey.enter),
  'Tab': KeyCode(PhysicalKeyboardKey.tab, LogicalKeyboardKey.tab),
  'Escape': KeyCode(PhysicalKeyboardKey.escape, LogicalKeyboardKey.escape),
  'Backspace': KeyCode(
    PhysicalKeyboardKey.backspace,
    LogicalKeyboardKey.backspace,
  ),
  'Delete': KeyCode(PhysicalKeyboardKey.delete, LogicalKeyboardKey.delete),
  'Space': KeyCode(PhysicalKeyboardKey.space, LogicalKeyboardKey.space, ' '),
  'ArrowUp': KeyCode(PhysicalKeyboardKey.arrowUp, LogicalKeyboardKey.arrowUp),
  'ArrowDown': KeyCode(
    PhysicalKeyboardKey.arrowDown,
    LogicalKeyboardKey.arrowDown,
  ),
  'ArrowLeft': KeyCode(
    PhysicalKeyboardKey.arrowLeft,
    LogicalKeyboardKey.arrowLeft,
  ),
  'ArrowRight': KeyCode(
    PhysicalKeyboardKey.arrowRight,
    LogicalKeyboardKey.arrowRight,
  ),
  'Home': KeyCode(PhysicalKeyboardKey.home, LogicalKeyboardKey.home),
  'End': KeyCode(PhysicalKeyboardKey.end, LogicalKeyboardKey.end),
  'PageUp': KeyCode(PhysicalKeyboardKey.pageUp, LogicalKeyboardKey.pageUp),
  'PageDown': KeyCode(
    PhysicalKeyboardKey.pageDown,
    LogicalKeyboardKey.pageDown,
  ),
  'F1': KeyCode(PhysicalKeyboardKey.f1, LogicalKeyboardKey.f1),
  'F2': KeyCode(PhysicalKeyboardKey.f2, LogicalKeyboardKey.f2),
  'F3': KeyCode(PhysicalKeyboardKey.f3, LogicalKeyboardKey.f3),
  'F4': KeyCode(PhysicalKeyboardKey.f4, LogicalKeyboardKey.f4),
  'F5': KeyCode(PhysicalKeyboardKey.f5, LogicalKeyboardKey.f5),
  'F6': KeyCode(PhysicalKeyboardKey.f6, LogicalKeyboardKey.f6),
  'F7': KeyCode(PhysicalKeyboardKey.f7, LogicalKeyboardKey.f7),
  'F8': KeyCode(PhysicalKeyboardKey.f8, LogicalKeyboardKey.f8),
  'F9': KeyCode(PhysicalKeyboardKey.f9, LogicalKeyboardKey.f9),
  'F10': KeyCode(PhysicalKeyboardKey.f10, LogicalKeyboardKey.f10),
  'F11': KeyCode(PhysicalKeyboardKey.f11, LogicalKeyboardKey.f11),
  'F12': KeyCode(PhysicalKeyboardKey.f12, LogicalKeyboardKey.f12),
};
