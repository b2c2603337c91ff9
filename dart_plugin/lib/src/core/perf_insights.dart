/// The rules that turn measurements into advice, and the trace's rows.
library;

import 'dart:math' as math;

import 'perf.dart';
import 'ui.dart';

const double _errorShare = 0.1;
const double _selfShare = 0.3;
const double _selfMsPerFrame = 1;
const double _selfMsError = budgetMs / 2;
const double _countPerFrame = 20;
const double _countOverMedian = 10;
const int _detailRows = 5;

/// What the built-in rules find in [data].
List<Insight> builtInInsights(
  PerfData data, {
  required Map<String, Object?> coverage,
  required bool attributes,
  required int unreported,
}) => <Insight>[
  ...?_optional(_framesOverBudget(data)),
  ...?_optional(_framesDropped(data)),
  if (attributes) ..._blockSelfMs(data),
  if (attributes) ..._blockCountPerFrame(data),
  ...?_optional(_framesUnreported(unreported, coverage)),
  ...?_optional(_sourcesMissing(coverage)),
];

/// [insights] with the most severe and the most rewarding first.
List<(String, Insight)> rankInsights(List<(String, Insight)> insights) {
  final List<int> order = List<int>.generate(insights.length, (int i) => i);
  order.sort((int a, int b) {
    final Insight first = insights[a].$2;
    final Insight second = insights[b].$2;
    if (first.isError != second.isError) return first.isError ? -1 : 1;
    final int bySavings = (second.savingsMs ?? 0).compareTo(
      first.savingsMs ?? 0,
    );
    return bySavings != 0 ? bySavings : a.compareTo(b);
  });
  return <(String, Insight)>[for (final int i in order) insights[i]];
}

/// A rule of the app's own failed with [error].
Insight contributorError(Object error) => Insight(
  rule: 'contributorErrors',
  isError: false,
  title: 'contributorErrors',
  summary: 'A rule of the app threw and found nothing.',
  evidence: const <String, Object?>{
    'metric': 'contributorErrors',
    'value': 1,
    'perFrame': null,
    'threshold': 0,
  },
  nextStep: 'Repair the rule.',
  detail: error.toString(),
);

List<Insight>? _optional(Insight? insight) =>
    insight == null ? null : <Insight>[insight];

Insight? _framesOverBudget(PerfData data) {
  final List<UiFrameRecord> slow = data.overBudget;
  if (slow.isEmpty) return null;
  final List<UiFrameRecord> worst = <UiFrameRecord>[...slow]..sort(
    (a, b) => PerfData.slowerMs(b).compareTo(PerfData.slowerMs(a)),
  );
  final double share = slow.length / data.painted;
  return Insight(
    rule: 'framesOverBudget',
    isError: share > _errorShare,
    title: '${slow.length} of ${data.painted} frames took too long',
    summary:
        '${slow.length} of ${data.painted} frames took more than '
        '$budgetMs ms on the slower of their two threads.',
    evidence: <String, Object?>{
      'metric': 'framesOverBudget',
      'value': slow.length,
      'perFrame': rounded(share),
      'threshold': budgetMs,
    },
    savingsMs:
        slow.fold<double>(
          0,
          (double sum, UiFrameRecord each) =>
              sum + PerfData.slowerMs(each) - budgetMs,
        ) /
        slow.length,
    nextStep: 'Look at the widgets of the worst frames.',
    detail: <String, Object?>{
      'worstFrames': <Object?>[
        for (final UiFrameRecord each in worst.take(_detailRows))
          _frameRow(each),
      ],
    },
  );
}

Insight? _framesDropped(PerfData data) {
  if (data.dropped == 0) return null;
  final double share = data.dropped / (data.painted + data.dropped);
  return Insight(
    rule: 'framesDropped',
    isError: share > _errorShare,
    title: '${data.dropped} frames were dropped',
    summary:
        'The frame numbers have ${data.gaps.length} gaps, '
        '${data.dropped} frames in all.',
    evidence: <String, Object?>{
      'metric': 'framesDropped',
      'value': data.dropped,
      'perFrame': data.perFrame(data.dropped),
      'threshold': 2,
    },
    nextStep: 'Look at what ran before each gap.',
    detail: <String, Object?>{
      'gaps': <Object?>[
        for (final ({int after, int next, int missing}) gap in data.gaps)
          <String, Object?>{
            'after': gap.after,
            'next': gap.next,
            'missing': gap.missing,
          },
      ],
    },
  );
}

Iterable<Insight> _blockSelfMs(PerfData data) sync* {
  final int totalUs = data.blocks.values.fold(
    0,
    (int sum, each) => sum + each.selfUs,
  );
  if (totalUs == 0) return;
  for (final MapEntry<String, ({int selfUs, int count, int frames})> each
      in data.blocks.entries) {
    final double share = each.value.selfUs / totalUs;
    final double perFrame = each.value.selfUs / 1000 / data.painted;
    if (share < _selfShare || perFrame < _selfMsPerFrame) continue;
    yield Insight(
      rule: 'blockSelfMs',
      isError: perFrame > _selfMsError,
      title: '${each.key} owns ${(share * 100).round()} % of the build time',
      summary:
          '${each.key} itself, without its children, took '
          '${perFrame.toStringAsFixed(2)} ms of each frame.',
      evidence: <String, Object?>{
        'metric': 'blocks.${each.key}.selfMs',
        'value': rounded(each.value.selfUs / 1000),
        'perFrame': rounded(perFrame),
        'threshold': _selfMsPerFrame,
      },
      savingsMs: perFrame,
      nextStep: 'See whether ${each.key} has to be built that often.',
      detail: _blockDetail(data, each.key, (UiBlock block) => block.selfUs),
    );
  }
}

Iterable<Insight> _blockCountPerFrame(PerfData data) sync* {
  if (data.painted == 0 || data.blocks.isEmpty) return;
  final List<int> counts = <int>[
    for (final ({int selfUs, int count, int frames}) each
        in data.blocks.values)
      each.count,
  ]..sort();
  final double median = counts[counts.length ~/ 2] / data.painted;
  for (final MapEntry<String, ({int selfUs, int count, int frames})> each
      in data.blocks.entries) {
    final double perFrame = each.value.count / data.painted;
    if (perFrame < _countPerFrame) continue;
    if (perFrame < _countOverMedian * median) continue;
    yield Insight(
      rule: 'blockCountPerFrame',
      isError: false,
      title: '${each.key} is built ${perFrame.round()} times a frame',
      summary:
          '${each.key} was built ${each.value.count} times in '
          '${data.painted} frames; the median widget '
          '${rounded(median)} times a frame.',
      evidence: <String, Object?>{
        'metric': 'blocks.${each.key}.count',
        'value': each.value.count,
        'perFrame': rounded(perFrame),
        'threshold': _countPerFrame,
      },
      nextStep: 'See what makes ${each.key} build so often.',
      detail: _blockDetail(data, each.key, (UiBlock block) => block.count),
    );
  }
}

Insight? _framesUnreported(int unreported, Map<String, Object?> coverage) {
  if (unreported == 0) return null;
  return Insight(
    rule: 'framesUnreported',
    isError: false,
    title: '$unreported frames have no record',
    summary:
        '$unreported frames were drawn whose records had not come when the '
        'session closed.',
    evidence: <String, Object?>{
      'metric': 'framesUnreported',
      'value': unreported,
      'perFrame': null,
      'threshold': 0,
    },
    nextStep: 'Wait a moment before perf_end.',
    detail: coverage,
  );
}

Insight? _sourcesMissing(Map<String, Object?> coverage) {
  final List<Object?> missing = coverage['missing']! as List<Object?>;
  if (missing.isEmpty) return null;
  return Insight(
    rule: 'sourcesMissing',
    isError: false,
    title: 'Not measured: ${missing.join(', ')}',
    summary: 'These sources gave nothing: ${missing.join(', ')}.',
    evidence: <String, Object?>{
      'metric': 'sourcesMissing',
      'value': missing.length,
      'perFrame': null,
      'threshold': 0,
    },
    nextStep: 'Do not read an absent number as zero.',
    detail: coverage,
  );
}

Map<String, Object?> _frameRow(UiFrameRecord record) => <String, Object?>{
  'frameNumber': record.number,
  'buildMs': rounded(record.buildUs / 1000),
  'rasterMs': rounded(record.rasterUs / 1000),
  'blocks': <Object?>[
    for (final MapEntry<String, UiBlock> each in record.blocks.entries)
      <String, Object?>{
        'name': each.key,
        'selfMs': rounded(each.value.selfUs / 1000),
        'count': each.value.count,
      },
  ],
};

Map<String, Object?> _blockDetail(
  PerfData data,
  String name,
  int Function(UiBlock block) weight,
) {
  final List<UiFrameRecord> heavy = <UiFrameRecord>[
    for (final UiFrameRecord each in data.records)
      if (each.blocks.containsKey(name)) each,
  ]..sort(
    (a, b) => weight(b.blocks[name]!).compareTo(weight(a.blocks[name]!)),
  );
  final ({int selfUs, int count, int frames}) sum = data.blocks[name]!;
  return <String, Object?>{
    'block': <String, Object?>{
      'name': name,
      'selfMs': rounded(sum.selfUs / 1000),
      'count': sum.count,
      'frames': sum.frames,
    },
    'worstFrames': <Object?>[
      for (final UiFrameRecord each in heavy.take(_detailRows))
        <String, Object?>{
          'frameNumber': each.number,
          'selfMs': rounded(each.blocks[name]!.selfUs / 1000),
          'count': each.blocks[name]!.count,
        },
    ],
  };
}

/// The frames of [data] as trace events.
Iterable<Map<String, Object?>> frameEvents(PerfData data) sync* {
  for (final UiFrameRecord each in data.records) {
    final Map<String, Object?> arguments = <String, Object?>{
      'frameNumber': each.number,
    };
    yield <String, Object?>{
      'name': 'Build',
      'cat': 'frame',
      'ph': 'X',
      'ts': each.startUs,
      'dur': math.max(1, each.buildUs),
      'pid': 1,
      'tid': 1,
      'args': arguments,
    };
    yield <String, Object?>{
      'name': 'Raster',
      'cat': 'frame',
      'ph': 'X',
      'ts': each.startUs + each.buildUs,
      'dur': math.max(1, each.rasterUs),
      'pid': 1,
      'tid': 2,
      'args': arguments,
    };
  }
}
