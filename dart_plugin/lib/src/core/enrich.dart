/// What the app itself adds to snapshots and candidates.
library;

import 'session.dart';
import 'ui.dart';

const Set<String> _defaultFields = <String>{
  'magicFormField',
  'magicRoute',
  'magicGateResult',
};

const Set<String> _defaultWindFields = <String>{'breakpoint', 'states'};

/// The fragments about [element], as lines of a snapshot.
List<String> enricherLines(Session session, UiElement element) => <String>[
  for (final Enricher enricher in session.enrichers)
    for (final String line in _fragment(enricher, element).split('\n'))
      if (line.trim().isNotEmpty) line.trimRight(),
];

/// The fragments about [element], as fields of a candidate: the usual ones,
/// or all of them when [full]. Of two with one name the first one counts.
Map<String, Object?> enricherFields(
  Session session,
  UiElement element, {
  required bool full,
}) {
  final Map<String, Object?> fields = <String, Object?>{};
  for (final Enricher enricher in session.enrichers) {
    final List<String> lines = <String>[
      for (final String line in _fragment(enricher, element).split('\n'))
        if (line.trim().isNotEmpty) line,
    ];
    if (lines.isEmpty) continue;
    final (String, String)? head = _pair(lines.first);
    if (head == null) continue;
    final String name = head.$1;
    final bool isWind = name == 'wind';
    if (!full && !isWind && !_defaultFields.contains(name)) continue;
    if (lines.length == 1) {
      fields.putIfAbsent(name, () => head.$2);
      continue;
    }
    fields.putIfAbsent(
      name,
      () => <String, String>{
        for (final String line in lines.skip(1))
          if (_pair(line) case (final String key, final String value)
              when full || !isWind || _defaultWindFields.contains(key))
            key: isWind ? _withoutBrackets(value) : value,
      },
    );
  }
  return fields;
}

String _fragment(Enricher enricher, UiElement element) =>
    enricher(element) ?? '';

(String, String)? _pair(String line) {
  final int colon = line.indexOf(':');
  if (colon < 0) return null;
  return (line.substring(0, colon).trim(), line.substring(colon + 1).trim());
}

String _withoutBrackets(String value) =>
    value.startsWith('[') && value.endsWith(']')
        ? value.substring(1, value.length - 1)
        : value;
