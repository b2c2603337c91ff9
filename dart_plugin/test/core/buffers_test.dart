import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

void main() {
  group('the console', () {
    test('has the newest line first, and fifty at most', () {
      final ConsoleBuffer console = ConsoleBuffer();
      for (int i = 0; i < 60; i++) {
        console.add('line $i');
      }
      final List<Map<String, Object?>> logs = console.read(limit: 100);
      expect(logs, hasLength(50));
      expect(logs.first['message'], 'line 59');
      expect(logs.first['level'], 'INFO');
      expect(logs.first['logger'], 'debugPrint');
      expect(console.read(limit: 2), hasLength(2));
    });

    test('shows a repeated line once, where its newest copy is', () {
      final ConsoleBuffer console =
          ConsoleBuffer()
            ..add('a')
            ..add('b')
            ..add('a');
      expect(
        console.read(limit: 50).map((each) => each['message']),
        <String>['a', 'b'],
      );
    });

    test('leaves out lower levels', () {
      final ConsoleBuffer console = ConsoleBuffer()..add('a');
      expect(console.read(limit: 50, minLevel: 'INFO'), hasLength(1));
      expect(console.read(limit: 50, minLevel: 'warning'), isEmpty);
      expect(console.read(limit: 50, minLevel: 'ERROR'), isEmpty);
      expect(console.read(limit: 50, minLevel: 'whatever'), hasLength(1));
    });

    test('adds lines from elsewhere after its own', () {
      final ConsoleBuffer console = ConsoleBuffer()..add('own');
      console.moreEntries =
          () => <ConsoleEntry>[
            ConsoleEntry(
              message: 'other',
              time: DateTime.now(),
              level: 'SEVERE',
              logger: 'net',
            ),
          ];
      expect(
        console.read(limit: 50).map((each) => each['message']),
        <String>['own', 'other'],
      );
      expect(console.read(limit: 50, minLevel: 'ERROR'), hasLength(1));
      expect(console.read(limit: 1).single['message'], 'own');
    });

    test('drops from elsewhere what it has itself, not what differs', () {
      final DateTime noon = DateTime.utc(2024, 1, 1, 12);
      final ConsoleBuffer console = ConsoleBuffer()..add('a', time: noon);
      ConsoleEntry other({String level = 'INFO', String by = 'debugPrint'}) =>
          ConsoleEntry(
            message: 'a',
            time: noon.add(const Duration(hours: 1)),
            level: level,
            logger: by,
          );
      console.moreEntries =
          () => <ConsoleEntry>[other(), other(level: 'FINE'), other(by: 'x')];
      final List<Map<String, Object?>> logs = console.read(limit: 50);
      expect(logs.first['time'], '2024-01-01T12:00:00.000Z');
      expect(logs.map((each) => each['level']), <String>[
        'INFO',
        'FINE',
        'INFO',
      ]);
    });

    test('knows the levels by their numbers, in any case', () {
      final ConsoleBuffer console = ConsoleBuffer();
      final List<String> names = <String>[
        'ALL', 'finest', 'Finer', 'FINE', 'config', 'INFO', 'warning',
        'severe', 'SHOUT', 'off', 'made up',
      ];
      console.moreEntries =
          () => <ConsoleEntry>[
            for (final String name in names)
              ConsoleEntry(message: name, time: DateTime.now(), level: name),
          ];
      expect(
        console.read(limit: 50).map((each) => each['levelValue']),
        <int>[0, 300, 400, 500, 700, 800, 900, 1000, 1200, 2000, 800],
      );
      expect(console.read(limit: 50, minLevel: 'Warning'), hasLength(4));
      expect(console.read(limit: 50, minLevel: 'all'), hasLength(11));
    });
  });

  group('exceptions', () {
    test('keep a repeat once, until cleared', () {
      final ExceptionBuffer buffer = ExceptionBuffer();
      expect(buffer.add(StateError('a')), isTrue);
      expect(buffer.add(StateError('a')), isFalse);
      expect(buffer.length, 1);
      buffer.clear();
      expect(buffer.add(StateError('a')), isTrue);
    });

    test('know an overflow', () {
      final ExceptionBuffer buffer =
          ExceptionBuffer()
            ..add(
              'A RenderFlex overflowed by 42 pixels.',
              library: 'rendering library',
            )
            ..add(StateError('a'), library: 'widgets library');
      expect(
        buffer.read(limit: 20).map((each) => each['type']),
        <String>['StateError', 'overflow'],
      );
    });

    test('go by time, strictly after', () {
      final ExceptionBuffer buffer = ExceptionBuffer();
      final DateTime noon = DateTime.utc(2024, 1, 1, 12);
      buffer
        ..add('old', time: noon)
        ..add('new', time: noon.add(const Duration(seconds: 1)));
      expect(buffer.read(limit: 20, since: noon), hasLength(1));
      expect(buffer.read(limit: 1), hasLength(1));
    });

    test('are fifty at most, and one that was dropped may come again', () {
      final ExceptionBuffer buffer = ExceptionBuffer();
      for (int i = 0; i < 60; i++) {
        buffer.add('error $i');
      }
      expect(buffer.length, 50);
      expect(buffer.read(limit: 100).first['message'], 'error 59');
      expect(buffer.add('error 0'), isTrue);
      expect(buffer.add('error 59'), isFalse);
    });

    test('are one list with those from elsewhere, the newest first', () {
      final DateTime noon = DateTime.utc(2024, 1, 1, 12);
      ExceptionEntry other(String message, int minute) => ExceptionEntry(
        type: 'String',
        message: message,
        stackHead: '',
        library: null,
        time: noon.add(Duration(minutes: minute)),
        fatal: true,
      );
      final ExceptionBuffer buffer =
          ExceptionBuffer()
            ..add('a', time: noon)
            ..add('c', time: noon.add(const Duration(minutes: 2)))
            ..moreEntries =
                () => <ExceptionEntry>[
                  other('b', 1),
                  other('d', 3),
                  other('a', 9),
                ];
      List<Object?> messages({int limit = 20, DateTime? since}) => <Object?>[
        for (final Map<String, Object?> each in buffer.read(
          limit: limit,
          since: since,
        ))
          each['message'],
      ];
      expect(messages(), <String>['d', 'c', 'b', 'a']);
      expect(messages(limit: 2), <String>['d', 'c']);
      expect(messages(limit: -1), isEmpty);
      expect(buffer.read(limit: 20).map((each) => each['fatal']), <bool>[
        true,
        false,
        true,
        false,
      ]);
      // What is kept elsewhere is not ours to clear.
      buffer.clear();
      expect(messages(), <String>['a', 'd', 'b']);
    });

    test('tell an overflow by who reported it', () {
      final ExceptionBuffer buffer =
          ExceptionBuffer()
            ..add('it overflowed by 1 pixel', library: 'widgets library')
            ..add('something else', library: 'rendering library');
      expect(
        buffer.read(limit: 20).map((each) => each['type']),
        <String>['String', 'String'],
      );
    });

    test('have the head of a stack', () {
      final StackTrace stack = StackTrace.fromString('#0 a\n\n#1 b\n#2 c\n#3');
      expect(headOfStack(stack), '#0 a\n#1 b\n#2 c');
      expect(headOfStack(null), '');
    });

    test('are summed up for a snapshot', () {
      final ExceptionBuffer buffer = ExceptionBuffer();
      expect(buffer.summary(), isNull);
      for (int i = 0; i < 5; i++) {
        buffer.add('error $i\nmore');
      }
      final Map<String, Object?> summary = buffer.summary()!;
      expect(summary['count'], 5);
      final List<Object?> recent = summary['recent']! as List<Object?>;
      expect(recent, hasLength(3));
      expect(recent.first, <String, Object?>{
        'type': 'String',
        'message': 'error 4',
      });
    });
  });
}
