/// What the app wrote and what went wrong in it.
library;

/// The level of each name, as the `logging` package numbers them.
const Map<String, int> levels = <String, int>{
  'all': 0,
  'finest': 300,
  'finer': 400,
  'fine': 500,
  'config': 700,
  'info': 800,
  'warning': 900,
  'severe': 1000,
  'error': 1000,
  'shout': 1200,
  'off': 2000,
};

const int _capacity = 50;

/// One line of the console.
final class ConsoleEntry {
  /// Creates an entry.
  const ConsoleEntry({
    required this.message,
    required this.time,
    this.level = 'INFO',
    this.logger = 'debugPrint',
  });

  /// The text.
  final String message;

  /// When it was written.
  final DateTime time;

  /// The level's name.
  final String level;

  /// Who wrote it.
  final String logger;

  /// The level's number.
  int get levelValue => levels[level.toLowerCase()] ?? 800;

  /// As replies carry it.
  Map<String, Object?> toJson() => <String, Object?>{
    'level': level,
    'message': message,
    'time': time.toUtc().toIso8601String(),
    'logger': logger,
    'levelValue': levelValue,
  };
}

/// The lines written with `debugPrint`, the newest first.
final class ConsoleBuffer {
  final List<ConsoleEntry> _entries = <ConsoleEntry>[];

  /// Lines from elsewhere, in their own order, read at each call.
  List<ConsoleEntry> Function()? moreEntries;

  /// Keeps [message]; the oldest line gives way when there are too many.
  void add(String message, {DateTime? time}) {
    _entries.insert(
      0,
      ConsoleEntry(message: message, time: time ?? DateTime.now()),
    );
    if (_entries.length > _capacity) _entries.removeLast();
  }

  /// The lines of at least [minLevel], at most [limit].
  List<Map<String, Object?>> read({required int limit, String? minLevel}) {
    final int least =
        minLevel == null ? 0 : levels[minLevel.toLowerCase()] ?? 800;
    final Set<(String, String, String)> seen = <(String, String, String)>{};
    final List<Map<String, Object?>> found = <Map<String, Object?>>[];
    for (final ConsoleEntry entry in <ConsoleEntry>[
      ..._entries,
      ...?moreEntries?.call(),
    ]) {
      if (found.length >= limit) break;
      if (entry.levelValue < least) continue;
      if (seen.add((entry.level, entry.message, entry.logger))) {
        found.add(entry.toJson());
      }
    }
    return found;
  }
}

/// One thing that went wrong.
final class ExceptionEntry {
  /// Creates an entry.
  const ExceptionEntry({
    required this.type,
    required this.message,
    required this.stackHead,
    required this.library,
    required this.time,
    this.fatal = false,
  });

  /// `overflow`, or the exception's type.
  final String type;

  /// Its text.
  final String message;

  /// The first lines of its stack.
  final String stackHead;

  /// The library that reported it.
  final String? library;

  /// When it was first seen.
  final DateTime time;

  /// Whether it ended the app.
  final bool fatal;

  /// As replies carry it.
  Map<String, Object?> toJson() => <String, Object?>{
    'type': type,
    'message': message,
    'stackHead': stackHead,
    'library': library,
    'fatal': fatal,
    'time': time.toUtc().toIso8601String(),
  };
}

/// What went wrong, the newest first; a repeat is kept once.
final class ExceptionBuffer {
  final List<ExceptionEntry> _entries = <ExceptionEntry>[];
  final Set<(String, String)> _seen = <(String, String)>{};

  /// Entries from elsewhere, read at each call.
  List<ExceptionEntry> Function()? moreEntries;

  /// Keeps [error] with its [stack]; false when it was there already.
  bool add(
    Object error, {
    StackTrace? stack,
    String? library,
    String? type,
    DateTime? time,
  }) {
    final String message = error.toString();
    final String stackHead = headOfStack(stack);
    if (!_seen.add((message, stackHead))) return false;
    _entries.insert(
      0,
      ExceptionEntry(
        type: type ?? typeOfError(error, library),
        message: message,
        stackHead: stackHead,
        library: library,
        time: time ?? DateTime.now(),
      ),
    );
    if (_entries.length > _capacity) {
      final ExceptionEntry oldest = _entries.removeLast();
      _seen.remove((oldest.message, oldest.stackHead));
    }
    return true;
  }

  /// How many are kept.
  int get length => _entries.length;

  /// The entries after [since], at most [limit], the newest first wherever
  /// they are from; of a repeat the own one counts.
  List<Map<String, Object?>> read({required int limit, DateTime? since}) {
    final Set<(String, String, String)> seen = <(String, String, String)>{};
    final List<ExceptionEntry> found = <ExceptionEntry>[
      for (final ExceptionEntry entry in <ExceptionEntry>[
        ..._entries,
        ...?moreEntries?.call(),
      ])
        if (since == null || entry.time.isAfter(since))
          if (seen.add((entry.type, entry.message, entry.stackHead))) entry,
    ];
    return <Map<String, Object?>>[
      for (final ExceptionEntry entry in _newestFirst(found).take(
        limit < 0 ? 0 : limit,
      ))
        entry.toJson(),
    ];
  }

  /// Forgets what was captured here.
  void clear() {
    _entries.clear();
    _seen.clear();
  }

  /// The `renderErrors` of a snapshot; null when there is nothing to tell.
  Map<String, Object?>? summary() {
    if (_entries.isEmpty) return null;
    return <String, Object?>{
      'count': _entries.length,
      'recent': <Object?>[
        for (final ExceptionEntry entry in _entries.take(3))
          <String, Object?>{
            'type': entry.type,
            'message': entry.message.split('\n').first,
          },
      ],
      'hint': 'Call exceptions for whole messages and stack traces.',
    };
  }
}

/// [entries] by time; those of one moment keep their order.
List<ExceptionEntry> _newestFirst(List<ExceptionEntry> entries) {
  final List<int> order = List<int>.generate(entries.length, (int i) => i)
    ..sort((int a, int b) {
      final int byTime = entries[b].time.compareTo(entries[a].time);
      return byTime != 0 ? byTime : a.compareTo(b);
    });
  return <ExceptionEntry>[for (final int i in order) entries[i]];
}

/// The first three lines of [stack] that are not empty.
String headOfStack(StackTrace? stack) => stack
    .toString()
    .split('\n')
    .where((String line) => stack != null && line.trim().isNotEmpty)
    .take(3)
    .join('\n');

/// The word for [error] on the wire.
String typeOfError(Object error, String? library) {
  final String text = error.toString();
  if (library == 'rendering library' && text.contains('overflowed by')) {
    return 'overflow';
  }
  return error.runtimeType.toString();
}
