/// JSON that survives every transport.
library;

import 'dart:convert';

/// [value] as JSON in ASCII alone.
///
/// The VM splices an answer into its frame as it is. A lone surrogate would
/// be replaced on the way; escaped, it arrives.
String encodeJson(Object? value) {
  final String text = jsonEncode(value);
  int i = 0;
  final int length = text.length;
  while (i < length && text.codeUnitAt(i) < 0x7f) {
    i++;
  }
  if (i == length) return text;
  final StringBuffer out = StringBuffer()..write(text.substring(0, i));
  int plain = i;
  for (; i < length; i++) {
    final int unit = text.codeUnitAt(i);
    if (unit < 0x7f) continue;
    out
      ..write(text.substring(plain, i))
      ..write(r'\u')
      ..write(unit.toRadixString(16).padLeft(4, '0'));
    plain = i + 1;
  }
  out.write(text.substring(plain));
  return out.toString();
}
