/// The keys that can be pressed, by name.
library;

import 'ui.dart';

/// The names of the keys that are neither a letter nor a digit.
const List<String> supportedKeys = <String>[
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'Space',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'F1',
  'F2',
  'F3',
  'F4',
  'F5',
  'F6',
  'F7',
  'F8',
  'F9',
  'F10',
  'F11',
  'F12',
];

final Map<String, String> _byLowerCase = <String, String>{
  for (final String name in supportedKeys) name.toLowerCase(): name,
};

final RegExp _letterOrDigit = RegExp(r'^[A-Za-z0-9]$');

/// The key [text] names in any case; null when there is none.
String? keyNamed(String text) {
  if (_letterOrDigit.hasMatch(text)) return text.toUpperCase();
  return _byLowerCase[text.toLowerCase()];
}

/// The modifier [text] names in any case; null when there is none.
UiModifier? modifierNamed(String text) => switch (text.toLowerCase()) {
  'control' || 'ctrl' => UiModifier.control,
  'shift' => UiModifier.shift,
  'alt' => UiModifier.alt,
  'meta' => UiModifier.meta,
  _ => null,
};
