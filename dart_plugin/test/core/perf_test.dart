import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

void main() {
  late FakeUi ui;
  late PerfSessions perf;

  setUp(() {
    ui = FakeUi(<FakeNode>[]);
    perf = PerfSessions(ui, ui);
  });

  void draw(int number, {int buildUs = 4000, Map<String, UiBlock>? blocks}) {
    ui
      ..liveness += 1
      ..nowUs += 16000
      ..frameRecords.add(
        UiFrameRecord(
          number: number,
          startUs: ui.nowUs,
          buildUs: buildUs,
          rasterUs: 1000,
          blocks: blocks ?? const <String, UiBlock>{},
        ),
      );
  }

  Map<String, Object?> map(Object? value) => value! as Map<String, Object?>;
  List<Object?> list(Object? value) => value! as List<Object?>;

  test('percentiles are measured values', () {
    expect(
      percentiles(<double>[
        for (int i = 1; i <= 100; i++) i.toDouble(),
      ]),
      <String, Object?>{'p50': 50.0, 'p90': 90.0, 'p99': 99.0, 'worst': 100.0},
    );
    expect(percentiles(<double>[7]), <String, Object?>{
      'p50': 7.0,
      'p90': 7.0,
      'p99': 7.0,
      'worst': 7.0,
    });
    expect(percentiles(<double>[])['worst'], 0.0);
  });

  test('begin switches profiling on, end puts back what was', () {
    ui.profilesPhases = true;
    expect(perf.begin(PerfMode.attribution, phases: false), <String, Object?>{
      'sessionToken': 'perf-1',
      'mode': 'attribution',
      'phases': false,
      'livenessBaseline': 0,
      'restartedPreviousSession': false,
    });
    expect(ui.profilesBuilds, isTrue);
    perf.end(full: false);
    expect(ui.profilesBuilds, isFalse);
    expect(ui.profilesPhases, isTrue);
  });

  test('timing switches nothing', () {
    perf.begin(PerfMode.timing, phases: false);
    expect(ui.profilesBuilds, isFalse);
  });

  test('a second begin restarts, and restores in between', () {
    perf.begin(PerfMode.attribution, phases: true);
    final Map<String, Object?> again = perf.begin(
      PerfMode.timing,
      phases: false,
    );
    expect(again['restartedPreviousSession'], isTrue);
    expect(again['sessionToken'], 'perf-2');
    expect(ui.profilesBuilds, isFalse);
    expect(ui.profilesPhases, isFalse);
  });

  test('end without begin is refused', () {
    expect(() => perf.end(full: false), throwsA(isA<TapirError>()));
  });

  test('a session that drew nothing has no numbers', () {
    ui.liveness = 5;
    perf.begin(PerfMode.attribution, phases: false);
    draw(1);
    final Map<String, Object?> report = perf.end(full: false);
    expect(report['refused'], isTrue);
    expect(report['coverage'], <String, Object?>{
      'framesDrawn': 1,
      'livenessBaseline': 5,
      'livenessFinal': 6,
      'complete': false,
    });
    expect(report.keys, isNot(contains('summary')));
    expect(() => perf.insight('I1'), throwsA(isA<TapirError>()));
  });

  test('frames are counted, and gaps in their numbers', () {
    perf.begin(PerfMode.timing, phases: false);
    draw(1);
    draw(2, buildUs: 20000);
    draw(5);
    final Map<String, Object?> report = perf.end(full: false);
    final Map<String, Object?> summary = map(report['summary']);
    final Map<String, Object?> frames = map(summary['frames']);
    expect(frames['count'], 5);
    expect(frames['painted'], 3);
    expect(frames['dropped'], 2);
    expect(frames['overBudget'], 1);
    expect(frames['overBudgetBuild'], 1);
    expect(frames['overBudgetRaster'], 0);
    expect(map(frames['buildMs'])['worst'], 20.0);
    expect(summary['durationMs'], 48.0);
    expect(summary.keys, isNot(contains('blocksBySelf')));
    expect(report['counters'], isNull);
    final List<Object?> insights = list(report['insights']);
    expect(insights.map((each) => map(each)['id']), <String>['I1', 'I2']);
    expect(insights.map((each) => map(each)['severity']), <String>[
      'error',
      'error',
    ]);
    final Map<String, Object?> gaps = perf.insight('I2', token: 'perf-1');
    expect(gaps['detail'], <String, Object?>{
      'gaps': <Object?>[
        <String, Object?>{'after': 2, 'next': 5, 'missing': 2},
      ],
    });
    expect(() => perf.insight('I9'), throwsA(isA<TapirError>()));
    expect(
      () => perf.insight('I1', token: 'perf-7'),
      throwsA(isA<TapirError>()),
    );
  });

  test('blocks are ranked by their own time and by count, ten at most', () {
    perf.begin(PerfMode.attribution, phases: false);
    for (int i = 1; i <= 2; i++) {
      draw(
        i,
        blocks: <String, UiBlock>{
          'Slow': const UiBlock(selfUs: 9000, count: 1),
          'Many': const UiBlock(selfUs: 100, count: 50),
          for (int k = 0; k < 10; k++)
            'Small$k': const UiBlock(selfUs: 10, count: 2),
        },
      );
    }
    final Map<String, Object?> report = perf.end(full: false);
    final Map<String, Object?> summary = map(report['summary']);
    expect(list(summary['blocksBySelf']), hasLength(10));
    expect(list(summary['blocksBySelf']).first, <String, Object?>{
      'name': 'Slow',
      'selfMs': 18.0,
      'frames': 2,
    });
    expect(list(summary['blocksByCount']).first, <String, Object?>{
      'name': 'Many',
      'count': 100,
      'perFrame': 50.0,
    });
    expect(map(report['omitted'])['blocksBySelf'], 2);
    final List<String> titles = <String>[
      for (final Object? each in list(report['insights']))
        map(map(each)['evidence'])['metric']! as String,
    ];
    expect(titles, contains('blocks.Slow.selfMs'));
    expect(titles, contains('blocks.Many.count'));
  });

  test('full cuts nothing', () {
    perf.begin(PerfMode.attribution, phases: false);
    for (int i = 1; i <= 2; i++) {
      draw(
        i,
        blocks: <String, UiBlock>{
          for (int k = 0; k < 30; k++)
            'B$k': const UiBlock(selfUs: 10, count: 2),
        },
      );
    }
    final Map<String, Object?> report = perf.end(full: true);
    expect(list(map(report['summary'])['blocksBySelf']), hasLength(30));
    expect(report['omitted'], isEmpty);
  });

  test('a rule of the app that throws becomes an insight', () {
    perf.contributors.add((_) => throw StateError('broken rule'));
    perf.begin(PerfMode.timing, phases: false);
    draw(1);
    draw(2);
    final Map<String, Object?> report = perf.end(full: false);
    final Map<String, Object?> only = map(list(report['insights']).single);
    expect(only['title'], 'contributorErrors');
    expect(only['severity'], 'warn');
  });

  test('a trace has the frames of the last closed session', () {
    expect(() => perf.trace(), throwsA(isA<TapirError>()));
    perf.begin(PerfMode.timing, phases: false);
    expect(() => perf.trace(), throwsA(isA<TapirError>()));
    draw(1);
    draw(2);
    perf.end(full: false);
    final Map<String, Object?> trace = perf.trace();
    expect(trace['displayTimeUnit'], 'ms');
    expect(
      list(trace['traceEvents']).where((e) => map(e)['name'] == 'Build'),
      hasLength(2),
    );
    expect(map(trace['otherData'])['frames'], 2);
  });

  test('a released semantics tree is taken back at the end', () {
    expect(() => perf.releaseSemantics(), throwsA(isA<TapirError>()));
    perf.begin(PerfMode.timing, phases: false);
    expect(perf.releaseSemantics()['semanticsEnabled'], isFalse);
    perf.end(full: false);
    expect(ui.semanticsEnabled, isTrue);
  });
}
