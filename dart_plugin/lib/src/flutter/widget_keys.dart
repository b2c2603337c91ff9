/// The names that keys give to widgets.
library;

import 'package:flutter/foundation.dart';

/// What [key] is called: the value of a [ValueKey], or the key itself; null
/// for no key, and for one that only wraps another.
String? nameOf(Key? key) {
  if (key == null) return null;
  if (key is! ValueKey<Object?>) return key.toString();
  final Object? value = key.value;
  return value is Key ? null : value.toString();
}

/// Whether [text] names [key], in either spelling.
bool isNamed(Key? key, String text) {
  final String? name = nameOf(key);
  return name != null && (name == text || key.toString() == text);
}
