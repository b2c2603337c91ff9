/// The errors of a verb, and the text they have on the wire.
library;

import 'json.dart';

/// The kinds of errors a client can tell apart.
abstract final class ErrorType {
  /// A wait ran out of time.
  static const String timeout = 'timeout';

  /// The ref, or what it needs, does not exist.
  static const String notFound = 'not_found';

  /// Something lies above the target.
  static const String obscured = 'obscured';

  /// The target is not enabled.
  static const String disabled = 'disabled';

  /// The target has left the tree.
  static const String stale = 'stale';

  /// The target has no area.
  static const String zeroRect = 'zero_rect';

  /// The target is not on the screen.
  static const String offViewport = 'off_viewport';

  /// The target moves.
  static const String notStable = 'not_stable';

  /// A parameter is absent or cannot be read.
  static const String missingParam = 'missing_param';

  /// Everything else.
  static const String unexpected = 'unexpected';
}

/// The code of every error but those of [invalidParams].
const int extensionError = -32000;

/// The code of the perf verbs for arguments they refuse.
const int invalidParams = -32602;

/// A verb could not do what was asked.
final class TapirError implements Exception {
  /// Creates an error.
  const TapirError(
    this.message, {
    this.type = ErrorType.unexpected,
    this.ref,
    this.suggestions = const <String>[],
    this.code = extensionError,
  });

  /// A parameter is absent or cannot be read.
  const TapirError.missingParam(this.message)
    : type = ErrorType.missingParam,
      ref = null,
      suggestions = const <String>[],
      code = extensionError;

  /// The target [ref] failed a check of the gate.
  factory TapirError.notActionable(String ref, String reason) => TapirError(
    'Widget ref=$ref is not actionable: $reason',
    type: typeOfReason(reason),
    ref: ref,
  );

  /// What went wrong, for people.
  final String message;

  /// What went wrong, for programs: one of [ErrorType].
  final String type;

  /// The ref it is about.
  final String? ref;

  /// What may have been meant instead.
  final List<String> suggestions;

  /// The code on the wire.
  final int code;

  /// The detail text of the answer: JSON in a string.
  String encode() => encodeJson(<String, Object?>{
    'message': capMessage(message),
    'envelope': <String, Object?>{
      'type': type,
      'suggestions': suggestions,
      if (ref != null) 'widget_path': ref,
    },
  });

  @override
  String toString() => message;
}

/// The error type a gate's [reason] stands for.
String typeOfReason(String reason) {
  for (final (String part, String type) in _reasons) {
    if (reason.contains(part)) return type;
  }
  return ErrorType.unexpected;
}

const List<(String, String)> _reasons = <(String, String)>[
  ('not enabled', ErrorType.disabled),
  ('zero rect', ErrorType.zeroRect),
  ('off-viewport', ErrorType.offViewport),
  ('not stable', ErrorType.notStable),
  ('obscured by', ErrorType.obscured),
  ('defunct', ErrorType.stale),
  ('not mounted', ErrorType.stale),
];

const int _maxLines = 10;
const int _maxCharacters = 2048;

/// [message] cut to what a reader can take in, with a note of the cut.
String capMessage(String message) {
  final List<String> lines = message.split('\n');
  String capped = message;
  if (lines.length > _maxLines) {
    final int more = lines.length - _maxLines;
    capped = '${lines.take(_maxLines).join('\n')}\n... ($more more lines)';
  }
  if (capped.length > _maxCharacters) {
    final int more = capped.length - _maxCharacters;
    capped =
        '${capped.substring(0, _maxCharacters)}\n... ($more more characters)';
  }
  return capped;
}

const int _poolSize = 50;
const int _maxSuggestions = 3;
const int _maxDistance = 3;

/// The names of [pool] that [query] may have meant, best first.
List<String> suggestionsFor(String query, Iterable<String> pool) {
  final Set<String> seen = <String>{};
  final List<(int, String)> near = <(int, String)>[];
  for (final String candidate in pool.take(_poolSize)) {
    if (candidate.isEmpty || !seen.add(candidate)) continue;
    int distance = editDistance(query, candidate);
    if (distance > 1 && query.isNotEmpty && candidate.startsWith(query)) {
      distance = 1;
    }
    if (distance <= _maxDistance) near.add((distance, candidate));
  }
  // List.sort is not stable; the index keeps equals in their order.
  final List<int> order = List<int>.generate(near.length, (int i) => i)
    ..sort((int a, int b) {
      final int byDistance = near[a].$1.compareTo(near[b].$1);
      return byDistance != 0 ? byDistance : a.compareTo(b);
    });
  return <String>[for (final int i in order.take(_maxSuggestions)) near[i].$2];
}

/// The Levenshtein distance of [a] and [b].
int editDistance(String a, String b) {
  List<int> previous = List<int>.generate(b.length + 1, (int i) => i);
  for (int i = 0; i < a.length; i++) {
    final List<int> current = <int>[i + 1];
    for (int j = 0; j < b.length; j++) {
      final int replace =
          previous[j] + (a.codeUnitAt(i) == b.codeUnitAt(j) ? 0 : 1);
      int least = previous[j + 1] + 1;
      if (current[j] + 1 < least) least = current[j] + 1;
      if (replace < least) least = replace;
      current.add(least);
    }
    previous = current;
  }
  return previous.last;
}
