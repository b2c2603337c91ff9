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
