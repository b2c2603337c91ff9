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

  group('insights', () {
    List<Map<String, Object?>> found({
      int frames = 10,
      PerfMode mode = PerfMode.attribution,
      required void Function(int number) frame,
    }) {
      perf.begin(mode, phases: false);
      for (int i = 1; i <= frames; i++) {
        frame(i);
      }
      return <Map<String, Object?>>[
        for (final Object? each in list(perf.end(full: true)['insights']))
          map(each),
      ];
    }

    String metric(Map<String, Object?> each) =>
        map(each['evidence'])['metric']! as String;

    String? severityOf(List<Map<String, Object?>> all, String name) =>
        all.where((each) => metric(each) == name).firstOrNull?['severity']
            as String?;

    test('of slow frames are errors beyond a tenth of them', () {
      for (final (int slow, String severity) in <(int, String)>[
        (1, 'warn'),
        (2, 'error'),
      ]) {
        expect(
          severityOf(
            found(
              mode: PerfMode.timing,
              frame: (int i) => draw(i, buildUs: i <= slow ? 16800 : 16700),
            ),
            'framesOverBudget',
          ),
          severity,
        );
      }
    });

    test('of dropped frames are errors beyond a tenth of all', () {
      for (final (int frames, String severity) in <(int, String)>[
        (9, 'warn'),
        (8, 'error'),
      ]) {
        expect(
          severityOf(
            found(
              mode: PerfMode.timing,
              frames: frames,
              frame: (int i) => draw(i == frames ? i + 1 : i),
            ),
            'framesDropped',
          ),
          severity,
        );
      }
    });

    test('of a block go by its share and its time', () {
      String? severity(int slowUs, int restUs) => severityOf(
        found(
          frame:
              (int i) => draw(
                i,
                blocks: <String, UiBlock>{
                  'Slow': UiBlock(selfUs: slowUs, count: 1),
                  'Rest': UiBlock(selfUs: restUs, count: 1),
                },
              ),
        ),
        'blocks.Slow.selfMs',
      );
      expect(severity(999, 0), isNull);
      expect(severity(1000, 0), 'warn');
      expect(severity(2999, 7001), isNull);
      expect(severity(3000, 7000), 'warn');
      expect(severity(8350, 0), 'warn');
      expect(severity(8360, 0), 'error');
    });

    test('of a count go by the frame and by the median', () {
      String? severity(int many, int usual) => severityOf(
        found(
          frame:
              (int i) => draw(
                i,
                blocks: <String, UiBlock>{
                  'Many': UiBlock(selfUs: 1, count: many),
                  'B': UiBlock(selfUs: 1, count: usual),
                  'C': UiBlock(selfUs: 1, count: usual),
                },
              ),
        ),
        'blocks.Many.count',
      );
      expect(severity(19, 1), isNull);
      expect(severity(20, 1), 'warn');
      expect(severity(29, 3), isNull);
      expect(severity(30, 3), 'warn');
    });

    test('tell what was not measured', () {
      final List<Map<String, Object?>> all = found(
        frame: (int i) {
          draw(i);
          if (i == 1) ui.liveness += 2;
        },
      );
      expect(all.map(metric), <String>['framesUnreported', 'sourcesMissing']);
      final Map<String, Object?> more = perf.insight(all.last['id']! as String);
      expect(map(more['detail'])['missing'], <String>['wind', 'blocks']);
      expect(map(more['detail'])['complete'], isFalse);
    });

    test('are six at most, the worst first; the others can be read', () {
      perf.begin(PerfMode.attribution, phases: false);
      for (int i = 1; i <= 10; i++) {
        draw(
          i == 10 ? 15 : i,
          buildUs: i == 1 ? 17000 : 4000,
          blocks: <String, UiBlock>{
            for (int k = 0; k < 3; k++)
              'Slow$k': UiBlock(selfUs: 3000 + k, count: 1),
            'Many': const UiBlock(selfUs: 1, count: 30),
            'Lots': const UiBlock(selfUs: 1, count: 30),
          },
        );
      }
      final Map<String, Object?> report = perf.end(full: false);
      final List<Object?> shown = list(report['insights']);
      expect(shown, hasLength(6));
      expect(map(shown.first)['id'], 'I2');
      expect(map(shown.first)['severity'], 'error');
      expect(metric(map(shown[1])), 'blocks.Slow2.selfMs');
      expect(map(report['omitted'])['insights'], 2);
      expect(perf.insight('I8')['id'], 'I8');
    });
  });

  test('frames from outside of the session are told and left out', () {
    draw(1);
    perf.begin(PerfMode.timing, phases: false);
    draw(2);
    draw(3);
    ui.frameRecords.insert(
      0,
      const UiFrameRecord(number: 1, startUs: 0, buildUs: 1, rasterUs: 1),
    );
    final Map<String, Object?> report = perf.end(full: false);
    expect(report['coverage'], <String, Object?>{
      'framesDrawn': 2,
      'framesSummarized': 2,
      'framesOutsideSession': 1,
      'complete': true,
      'missing': <String>[],
    });
  });

  test('only the session that was closed last is kept', () {
    for (int i = 0; i < 2; i++) {
      perf.begin(PerfMode.timing, phases: false);
      draw(1, buildUs: 20000);
      draw(2);
      perf.end(full: false);
    }
    expect(perf.insight('I1')['sessionToken'], 'perf-2');
    expect(
      () => perf.insight('I1', token: 'perf-1'),
      throwsA(isA<TapirError>().having((e) => e.type, 'type', 'stale')),
    );
    expect(
      () => perf.trace(token: 'perf-1'),
      throwsA(isA<TapirError>().having((e) => e.type, 'type', 'stale')),
    );
  });

  test('before any session was closed there is nothing to read', () {
    expect(() => perf.insight('I1'), throwsA(isA<TapirError>()));
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
