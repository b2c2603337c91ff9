/// Reading the parameters of a call. Every one of them arrives as a string.
library;

import 'errors.dart';

/// The parameters of one call to one verb.
final class Params {
  /// Wraps the [values] that came for [verb].
  const Params(this.verb, this.values);

  /// The verb's full name, for messages.
  final String verb;

  /// The values as they came.
  final Map<String, String> values;

  /// Whether [name] was sent, even if empty.
  bool has(String name) => values.containsKey(name);

  /// The text of [name]; null when it was not sent.
  String? raw(String name) => values[name];

  /// The text of [name]; null when it was not sent or is empty.
  String? text(String name) {
    final String? value = values[name];
    return value == null || value.isEmpty ? null : value;
  }

  /// The text of [name], which has to be there and must not be empty.
  String required(String name) => text(name) ?? (throw missing(name));

  /// The error for a [name] that is not there.
  TapirError missing(String name) => TapirError.missingParam(
    '$verb: missing required param "$name"',
  );

  /// Empty or absent: [orElse]. `false` and `0`: false. Any other text: true.
  bool flag(String name, {required bool orElse}) {
    final String? value = text(name);
    return value == null ? orElse : value != 'false' && value != '0';
  }

  /// True for `true` and `1` only.
  bool strictFlag(String name) {
    final String? value = values[name];
    return value == 'true' || value == '1';
  }

  /// The whole number in [name]; [orElse] when there is none to read.
  int integer(String name, {required int orElse}) =>
      int.tryParse(values[name] ?? '') ?? orElse;

  /// The number in [name]; null when there is none to read.
  double? number(String name) {
    final double? value = double.tryParse(values[name] ?? '');
    return value == null || !value.isFinite ? null : value;
  }

  /// The parts of a comma list, trimmed, without empty ones.
  List<String> list(String name) => <String>[
    for (final String part in (values[name] ?? '').split(','))
      if (part.trim().isNotEmpty) part.trim(),
  ];
}
