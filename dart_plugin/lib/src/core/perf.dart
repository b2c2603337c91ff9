/// Perf sessions: what is measured, the arithmetic, and what is worth saying.
library;

import 'dart:math' as math;

import 'errors.dart';
import 'perf_insights.dart';
import 'ui.dart';

/// What a frame may take at 60 Hz, in milliseconds.
const double budgetMs = 16.7;

const int _topBlocks = 10;
const int _topInsights = 6;
const int _topRouteChanges = 10;

/// The kinds of sessions.
enum PerfMode {
  /// Which widgets cost how much.
  attribution,

  /// Nothing but frame times.
  timing,
}

/// One thing a report points at.
final class Insight {
  /// Creates an insight.
  const Insight({
    required this.rule,
    required this.isError,
    required this.title,
    required this.summary,
    required this.evidence,
    required this.nextStep,
    required this.detail,
    this.savingsMs,
  });

  /// The rule that found it.
  final String rule;

  /// Whether it is worse than a warning.
  final bool isError;

  /// It in a few words.
  final String title;

  /// It in a sentence.
  final String summary;

  /// What was measured against what.
  final Map<String, Object?> evidence;

  /// What to do about it.
  final String nextStep;

  /// The rows behind it.
  final Object? detail;

  /// What a frame could be shorter by.
  final double? savingsMs;

  /// `error` or `warn`.
  String get severity => isError ? 'error' : 'warn';
}

/// The frames of one closed session, added up.
final class PerfData {
  /// Adds up [records].
  PerfData(this.records, {required this.startUs, required this.endUs});

  /// The frames inside the session, in order.
  final List<UiFrameRecord> records;

  /// When the session began, on the profiler's clock.
  final int startUs;

  /// When it ended.
  final int endUs;

  /// How long it took.
  double get durationMs => (endUs - startUs) / 1000;

  /// How many frames were drawn.
  int get painted => records.length;

  /// Each gap: after which frame, before which, and how many are missing.
  late final List<({int after, int next, int missing})> gaps =
      <({int after, int next, int missing})>[
        for (int i = 1; i < records.length; i++)
          if (records[i].number - records[i - 1].number >= 2)
            (
              after: records[i - 1].number,
              next: records[i].number,
              missing: records[i].number - records[i - 1].number - 1,
            ),
      ];

  /// How many frames were not drawn in time.
  late final int dropped = gaps.fold(0, (int sum, gap) => sum + gap.missing);

  /// The frames one of whose threads took longer than the budget.
  late final List<UiFrameRecord> overBudget = <UiFrameRecord>[
    for (final UiFrameRecord each in records)
      if (slowerMs(each) > budgetMs) each,
  ];

  /// The time of the slower thread of [record].
  static double slowerMs(UiFrameRecord record) =>
      math.max(record.buildUs, record.rasterUs) / 1000;

  /// The blocks of all frames: their own time, how often, in how many frames.
  late final Map<String, ({int selfUs, int count, int frames})> blocks =
      _addUpBlocks();

  Map<String, ({int selfUs, int count, int frames})> _addUpBlocks() {
    final Map<String, ({int selfUs, int count, int frames})> sums =
        <String, ({int selfUs, int count, int frames})>{};
    for (final UiFrameRecord record in records) {
      record.blocks.forEach((String name, UiBlock block) {
        final ({int selfUs, int count, int frames})? sum = sums[name];
        sums[name] = (
          selfUs: (sum?.selfUs ?? 0) + block.selfUs,
          count: (sum?.count ?? 0) + block.count,
          frames: (sum?.frames ?? 0) + 1,
        );
      });
    }
    return sums;
  }

  /// [count] for each frame that was drawn.
  double perFrame(num count) => painted == 0 ? 0 : rounded(count / painted);
}

/// The percentiles of [values], as reports carry them.
Map<String, Object?> percentiles(List<double> values) {
  final List<double> sorted = <double>[...values]..sort();
  double at(double share) {
    if (sorted.isEmpty) return 0;
    final int rank = (share * sorted.length).ceil();
    return sorted[math.min(math.max(rank, 1), sorted.length) - 1];
  }

  return <String, Object?>{
    'p50': rounded(at(0.5)),
    'p90': rounded(at(0.9)),
    'p99': rounded(at(0.99)),
    'worst': sorted.isEmpty ? 0.0 : rounded(sorted.last),
  };
}

/// [value] to three places.
double rounded(double value) => (value * 1000).round() / 1000;

final class _OpenSession {
  _OpenSession({
    required this.token,
    required this.mode,
    required this.phases,
    required this.baseline,
    required this.startUs,
    required this.hadBuilds,
    required this.hadPhases,
  });

  final String token;
  final PerfMode mode;
  final bool phases;
  final int baseline;
  final int startUs;
  final bool hadBuilds;
  final bool hadPhases;
  bool hasReleasedSemantics = false;
}

final class _ClosedSession {
  _ClosedSession(this.token, {this.data, this.insights, this.routeChanges});

  final String token;
  final PerfData? data;
  final List<(String, Insight)>? insights;
  final List<UiRouteChange>? routeChanges;

  bool get isRefused => data == null;
}

/// The perf sessions of an app: at most one open, and the last one closed.
final class PerfSessions {
  /// Creates sessions that read [profiler].
  PerfSessions(this.profiler, this.frames);

  /// Where the numbers come from.
  final UiProfiler profiler;

  /// Where the platform's name comes from.
  final UiFrames frames;

  /// Further rules of the app's own.
  final List<List<Insight> Function(PerfData data)> contributors =
      <List<Insight> Function(PerfData data)>[];

  int _count = 0;
  _OpenSession? _open;
  _ClosedSession? _closed;

  /// Whether a session is open.
  bool get isOpen => _open != null;

  /// Opens a session; one that is open already starts anew.
  Map<String, Object?> begin(PerfMode mode, {required bool phases}) {
    final bool restarted = _open != null;
    _restore();
    final _OpenSession session = _OpenSession(
      token: 'perf-${++_count}',
      mode: mode,
      phases: phases,
      baseline: profiler.liveness,
      startUs: profiler.nowUs,
      hadBuilds: profiler.profilesBuilds,
      hadPhases: profiler.profilesPhases,
    );
    if (mode == PerfMode.attribution) {
      profiler.profilesBuilds = true;
      if (phases) profiler.profilesPhases = true;
    }
    profiler.reset();
    _open = session;
    return <String, Object?>{
      'sessionToken': session.token,
      'mode': mode.name,
      'phases': phases,
      'livenessBaseline': session.baseline,
      'restartedPreviousSession': restarted,
    };
  }

  /// Closes the session and reports; [full] leaves no list cut.
  Map<String, Object?> end({required bool full}) {
    final _OpenSession? session = _open;
    if (session == null) {
      throw const TapirError(
        'ext.tapir.perf_end: no perf session is open; '
        'call ext.tapir.perf_begin first',
      );
    }
    final int liveness = profiler.liveness;
    final int endUs = profiler.nowUs;
    final List<UiFrameRecord> delivered = profiler.frameRecords.toList();
    final List<UiRouteChange> routeChanges = profiler.routeChanges.toList();
    final bool semanticsEnabled = profiler.semanticsEnabled;
    _restore();
    final int drawn = liveness - session.baseline;
    if (drawn <= 1) {
      _closed = _ClosedSession(session.token);
      return <String, Object?>{
        'sessionToken': session.token,
        'refused': true,
        'mode': session.mode.name,
        'coverage': <String, Object?>{
          'framesDrawn': drawn,
          'livenessBaseline': session.baseline,
          'livenessFinal': liveness,
          'complete': false,
        },
        'reason':
            'the app drew $drawn frame${drawn == 1 ? '' : 's'} in this '
            'session: there is nothing to measure. Bring it to the front and '
            'drive an interaction between perf_begin and perf_end.',
      };
    }
    final List<UiFrameRecord> records = <UiFrameRecord>[
      for (final UiFrameRecord each in delivered)
        if (each.startUs >= session.startUs && each.startUs <= endUs) each,
    ];
    final PerfData data = PerfData(
      records,
      startUs: session.startUs,
      endUs: endUs,
    );
    final bool attributes = session.mode == PerfMode.attribution;
    final List<String> missing = <String>[
      if (attributes) 'wind',
      if (attributes && data.blocks.isEmpty) 'blocks',
    ];
    final int unreported = math.max(0, drawn - records.length);
    final Map<String, Object?> coverage = <String, Object?>{
      'framesDrawn': drawn,
      'framesSummarized': records.length,
      'framesOutsideSession': delivered.length - records.length,
      'complete': unreported == 0 && missing.isEmpty,
      'missing': missing,
    };
    final List<(String, Insight)> all = _number(
      data,
      coverage,
      attributes: attributes,
      unreported: unreported,
    );
    final List<(String, Insight)> ranked = rankInsights(all);
    _closed = _ClosedSession(
      session.token,
      data: data,
      insights: all,
      routeChanges: routeChanges,
    );
    final _Cutter cutter = _Cutter(full: full);
    return <String, Object?>{
      'sessionToken': session.token,
      'refused': false,
      'mode': session.mode.name,
      'env': <String, Object?>{
        'platform': frames.platform,
        'isWeb': frames.platform == 'web',
        'buildMode': profiler.buildMode,
        'renderer': profiler.renderer,
        'semanticsEnabled': semanticsEnabled,
        'phases': session.phases,
      },
      'coverage': coverage,
      'summary': <String, Object?>{
        'durationMs': rounded(data.durationMs),
        'budgetMs': budgetMs,
        'frames': _frames(data),
        if (attributes) ..._attribution(data, routeChanges, cutter),
      },
      'counters':
          attributes
              ? const <String, Object?>{
                'columns': <String>['name', 'count', 'perFrame'],
                'wind': null,
                'magic': null,
              }
              : null,
      'insights': <Object?>[
        for (final (String id, Insight each) in cutter.cut(
          'insights',
          ranked,
          _topInsights,
        ))
          <String, Object?>{
            'id': id,
            'severity': each.severity,
            'title': each.title,
            'evidence': each.evidence,
            if (each.savingsMs != null)
              'estimatedSavingsMs': rounded(each.savingsMs!),
            'nextStep': each.nextStep,
          },
      ],
      'omitted': cutter.omitted,
    };
  }

  /// Everything about one insight of the last report.
  Map<String, Object?> insight(String id, {String? token}) {
    final _ClosedSession session = _last('perf_insight', token);
    if (session.isRefused) {
      throw TapirError(
        'ext.tapir.perf_insight: session ${session.token} was refused and '
        'has no insights',
      );
    }
    for (final (String name, Insight each) in session.insights!) {
      if (name != id) continue;
      return <String, Object?>{
        'sessionToken': session.token,
        'id': id,
        'severity': each.severity,
        'title': each.title,
        'summary': each.summary,
        'detail': each.detail,
        'estimatedSavingsMs':
            each.savingsMs == null ? null : rounded(each.savingsMs!),
        'nextStep': each.nextStep,
      };
    }
    throw TapirError(
      'ext.tapir.perf_insight: session ${session.token} has no insight '
      '"$id"; read insights[] of perf_end',
      type: ErrorType.notFound,
    );
  }

  /// The last session as Chrome's trace viewer reads it.
  Map<String, Object?> trace({String? token}) {
    if (_open != null) {
      throw const TapirError(
        'ext.tapir.perf_trace: a perf session is open; '
        'call ext.tapir.perf_end first',
      );
    }
    final _ClosedSession session = _last('perf_trace', token);
    final PerfData? data = session.data;
    final List<Map<String, Object?>> events = <Map<String, Object?>>[
      for (final (int thread, String name) in <(int, String)>[
        (1, 'UI'),
        (2, 'Raster'),
        (3, 'Routes'),
      ])
        <String, Object?>{
          'name': 'thread_name',
          'ph': 'M',
          'pid': 1,
          'tid': thread,
          'args': <String, Object?>{'name': name},
        },
      if (data != null) ...frameEvents(data),
      for (final UiRouteChange change
          in session.routeChanges ?? const <UiRouteChange>[])
        <String, Object?>{
          'name': 'route: ${change.to ?? ''}',
          'cat': 'route',
          'ph': 'i',
          's': 't',
          'ts': change.atUs,
          'pid': 1,
          'tid': 3,
          'args': <String, Object?>{'from': change.from, 'to': change.to},
        },
    ];
    return <String, Object?>{
      'sessionToken': session.token,
      'traceEvents': events,
      'displayTimeUnit': 'ms',
      'otherData': <String, Object?>{
        'sessionToken': session.token,
        'startUs': data?.startUs,
        'endUs': data?.endUs,
        'interactions': 0,
        'frames': data?.painted ?? 0,
        'framesOutsideWindow': 0,
        'rows': events.length,
        'skippedRows': 0,
      },
    };
  }

  /// Gives up the hold on the semantics tree until the session ends.
  Map<String, Object?> releaseSemantics() {
    final _OpenSession? session = _open;
    if (session == null) {
      throw const TapirError(
        'ext.tapir.semantics_hold: release needs an open perf session',
      );
    }
    final bool wasHeld = !session.hasReleasedSemantics;
    session.hasReleasedSemantics = true;
    profiler.releaseSemantics();
    return <String, Object?>{
      'action': 'release',
      'released': wasHeld,
      'semanticsEnabled': profiler.semanticsEnabled,
      'heldByPlatform': profiler.semanticsHeldByPlatform,
    };
  }

  /// Takes the hold on the semantics tree back.
  Map<String, Object?> acquireSemantics({required bool Function() treeReady}) {
    final bool acquired = profiler.acquireSemantics();
    _open?.hasReleasedSemantics = false;
    return <String, Object?>{
      'action': 'acquire',
      'acquired': acquired,
      'semanticsEnabled': profiler.semanticsEnabled,
      'treeReady': treeReady(),
    };
  }

  /// Puts every flag back to what it was before the open session.
  void _restore() {
    final _OpenSession? session = _open;
    _open = null;
    if (session == null) return;
    profiler
      ..profilesBuilds = session.hadBuilds
      ..profilesPhases = session.hadPhases;
    if (session.hasReleasedSemantics) profiler.acquireSemantics();
  }

  _ClosedSession _last(String verb, String? token) {
    final _ClosedSession? session = _closed;
    if (session == null) {
      throw TapirError(
        'ext.tapir.$verb: no perf session was closed yet; '
        'call ext.tapir.perf_begin and ext.tapir.perf_end',
      );
    }
    if (token != null && token != session.token) {
      throw TapirError(
        'ext.tapir.$verb: token "$token" is stale; '
        'the last closed session is ${session.token}',
        type: ErrorType.stale,
      );
    }
    return session;
  }

  List<(String, Insight)> _number(
    PerfData data,
    Map<String, Object?> coverage, {
    required bool attributes,
    required int unreported,
  }) {
    final List<Insight> found = builtInInsights(
      data,
      coverage: coverage,
      attributes: attributes,
      unreported: unreported,
    );
    for (final List<Insight> Function(PerfData) contribute in contributors) {
      try {
        found.addAll(contribute(data));
      } on Object catch (error) {
        found.add(contributorError(error));
      }
    }
    return <(String, Insight)>[
      for (int i = 0; i < found.length; i++) ('I${i + 1}', found[i]),
    ];
  }

  static Map<String, Object?> _frames(PerfData data) => <String, Object?>{
    'count': data.painted + data.dropped,
    'painted': data.painted,
    'dropped': data.dropped,
    'overBudget': data.overBudget.length,
    'overBudgetBuild':
        data.records.where((each) => each.buildUs / 1000 > budgetMs).length,
    'overBudgetRaster':
        data.records.where((each) => each.rasterUs / 1000 > budgetMs).length,
    'buildMs': percentiles(<double>[
      for (final UiFrameRecord each in data.records) each.buildUs / 1000,
    ]),
    'rasterMs': percentiles(<double>[
      for (final UiFrameRecord each in data.records) each.rasterUs / 1000,
    ]),
  };

  static Map<String, Object?> _attribution(
    PerfData data,
    List<UiRouteChange> routeChanges,
    _Cutter cutter,
  ) {
    final List<MapEntry<String, ({int selfUs, int count, int frames})>>
    bySelf = data.blocks.entries.toList()
      ..sort((a, b) => b.value.selfUs.compareTo(a.value.selfUs));
    final List<MapEntry<String, ({int selfUs, int count, int frames})>>
    byCount = data.blocks.entries.toList()
      ..sort((a, b) => b.value.count.compareTo(a.value.count));
    return <String, Object?>{
      'blocksBySelf': <Object?>[
        for (final each in cutter.cut('blocksBySelf', bySelf, _topBlocks))
          <String, Object?>{
            'name': each.key,
            'selfMs': rounded(each.value.selfUs / 1000),
            'frames': each.value.frames,
          },
      ],
      'blocksByCount': <Object?>[
        for (final each in cutter.cut('blocksByCount', byCount, _topBlocks))
          <String, Object?>{
            'name': each.key,
            'count': each.value.count,
            'perFrame': data.perFrame(each.value.count),
          },
      ],
      'routeTransitions': <Object?>[
        for (final UiRouteChange each in cutter.cut(
          'routeTransitions',
          routeChanges,
          _topRouteChanges,
        ))
          <String, Object?>{
            'atMs': rounded((each.atUs - data.startUs) / 1000),
            'from': each.from,
            'to': each.to,
          },
      ],
    };
  }
}

final class _Cutter {
  _Cutter({required this.full});

  final bool full;
  final Map<String, Object?> omitted = <String, Object?>{};

  Iterable<T> cut<T>(String name, List<T> list, int most) {
    if (full || list.length <= most) return list;
    omitted[name] = list.length - most;
    return list.take(most);
  }
}
