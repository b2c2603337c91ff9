import 'dart:async';
import 'dart:convert';
import 'dart:developer';
import 'dart:io';
import 'dart:typed_data';

import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

final class _Mute implements Exception {
  @override
  String toString() => throw StateError('even this fails');
}

void main() {
  late FakeUi ui;
  late VerbServer server;

  setUp(() {
    ui = FakeUi(<FakeNode>[FakeNode.button('Go')]);
    server = VerbServer(Session(ui, bootId: 'b1'));
  });

  Future<Map<String, Object?>> details(Verb verb) async {
    final ServiceExtensionResponse answer = await server.answer(
      'ext.tapir.try',
      verb,
      <String, String>{},
    );
    expect(answer.result, isNull);
    expect(answer.errorCode, -32000);
    return jsonDecode(answer.errorDetail!) as Map<String, Object?>;
  }

  group('a call is always answered', () {
    test('when the handler throws at once', () async {
      final Map<String, Object?> said = await details(
        Verb.read((_, __) => throw StateError('oops')),
      );
      expect(said['message'], 'ext.tapir.try: Bad state: oops');
      expect(
        (said['envelope']! as Map<String, Object?>)['type'],
        'unexpected',
      );
    });

    test('when it throws later', () async {
      final Map<String, Object?> said = await details(
        Verb.action((_, __) async {
          await null;
          throw const TapirError('late', type: ErrorType.timeout);
        }),
      );
      expect(said['message'], 'late');
      expect((said['envelope']! as Map<String, Object?>)['type'], 'timeout');
    });

    test('when the error has no words', () async {
      final Map<String, Object?> said = await details(
        Verb.read((_, __) => throw _Mute()),
      );
      expect(said['message'], contains('_Mute'));
    });

    test('when the handler never ends, and the next one runs', () async {
      server.handlerLimit = const Duration(milliseconds: -4980);
      final Verb never = Verb.action((_, __) => Completer<Reply>().future);
      final Future<Map<String, Object?>> first = details(never);
      final Future<Object?> next = server.call('b', tapirVerbs['blur']!, {});
      final Map<String, Object?> said = await first;
      expect((said['envelope']! as Map<String, Object?>)['type'], 'timeout');
      expect(await next, isNotNull);
    });

    test('when the reply is not JSON', () async {
      final Map<String, Object?> said = await details(
        Verb.read((_, __) => <String, Object?>{'a': Object()}),
      );
      expect(said['message'], startsWith('ext.tapir.try: '));
    });
  });

  test('actions wait for each other, looks do not', () async {
    final List<String> log = <String>[];
    final Completer<void> gate = Completer<void>();
    Verb action(String name, [Future<void>? until]) =>
        Verb.action((_, __) async {
          log.add('$name begins');
          await until;
          log.add('$name ends');
          return <String, Object?>{};
        });
    final Future<Object?> first = server.call(
      'a',
      action('a', gate.future),
      {},
    );
    final Future<Object?> second = server.call('b', action('b'), {});
    await server.call(
      'look',
      Verb.read((_, __) {
        log.add('look');
        return <String, Object?>{};
      }),
      {},
    );
    gate.complete();
    await first;
    await second;
    expect(log, <String>['a begins', 'look', 'a ends', 'b begins', 'b ends']);
  });

  test('an action that fails lets the next one through', () async {
    await expectLater(
      () => server.call('a', Verb.action((_, __) => throw StateError('')), {}),
      throwsA(isA<StateError>()),
    );
    expect(
      await server.call('b', tapirVerbs['blur']!, {}),
      <String, Object?>{'blurred': true, 'hadFocus': false},
    );
  });

  test('a tap that waits does not hold up the next action', () async {
    final List<String> log = <String>[];
    final Future<void> tap = server
        .call('tap', tapirVerbs['tap']!, {
          'ref': server.session.refs.query(const Predicate(text: 'Go')).token,
          'until': 'Done',
        })
        .then((Reply reply) {
          expect(reply['untilMatched'], isTrue);
          log.add('tap');
        });
    await server.call('blur', tapirVerbs['blur']!, {});
    log.add('blur');
    ui.top.add(FakeNode.text('Done'));
    ui.change();
    await tap;
    expect(log, <String>['blur', 'tap']);
  });

  group('a hidden app', () {
    test('is woken, and says so', () async {
      ui.isEnabled = false;
      final Reply reply = await server.call('v', tapirVerbs['snap']!, {});
      expect(reply['framesForced'], isTrue);
    });

    test('that cannot be woken has a warning', () async {
      ui
        ..isEnabled = false
        ..canForce = false
        ..lifecycleState = 'detached';
      final Reply reply = await server.call('v', tapirVerbs['find']!, {
        'text': 'Go',
      });
      expect(reply['matched'], isTrue);
      final Map<String, Object?> warnings =
          reply['warnings']! as Map<String, Object?>;
      expect(warnings['framesEnabled'], isFalse);
      expect(warnings['lifecycleState'], 'detached');
      expect(warnings['platform'], 'linux');
    });

    test('is left alone by what needs no frames', () async {
      ui
        ..isEnabled = false
        ..canForce = false;
      expect(
        await server.call('v', tapirVerbs['boot_id']!, {}),
        <String, Object?>{'bootId': 'b1'},
      );
    });
  });

  test('every verb of the protocol is there, boot_id the last', () {
    expect(tapirVerbs.keys.last, 'boot_id');
    expect(tapirVerbs, hasLength(38));
    expect(replayVerbs.keys, <String>[
      'info',
      'long_press',
      'press_back',
      'query',
      'record_pick',
      'record_start',
      'record_stop',
    ]);
  });

  group('waiting', () {
    test('ends with the change, not with a poll', () async {
      final Stopwatch watch = Stopwatch()..start();
      Timer(const Duration(milliseconds: 30), () {
        ui.top.add(FakeNode.text('Done'));
        ui.change();
      });
      final Reply reply = await server.call('v', tapirVerbs['wait_for']!, {
        'text': 'Done',
      });
      expect(reply['matched'], isTrue);
      expect(watch.elapsedMilliseconds, lessThan(1000));
      expect(ui.listeners, isEmpty);
    });

    test('runs out of time', () async {
      expect(
        await server.call('v', tapirVerbs['wait_for']!, {
          'text': 'never',
          'timeoutMs': '20',
        }),
        <String, Object?>{'matched': false, 'reason': 'timeout'},
      );
    });

    test('for idle requests counts in whole intervals', () async {
      expect(
        await server.call('v', tapirVerbs['wait_for_network_idle']!, {
          'idleMs': '150',
          'pollIntervalMs': '100',
        }),
        <String, Object?>{'matched': true, 'idleAchievedMs': 200},
      );
    });

    test('for idle requests tells the most it saw', () async {
      ui.pendingRequests = 3;
      await expectLater(
        () => server.call('v', tapirVerbs['wait_for_network_idle']!, {
          'timeoutMs': '20',
        }),
        throwsA(
          isA<TapirError>()
              .having((e) => e.type, 'type', 'timeout')
              .having(
                (e) => e.message,
                'message',
                contains('max in-flight count observed: 3'),
              ),
        ),
      );
    });
  });

  group('pictures', () {
    final UiPicture picture = UiPicture(
      3,
      2,
      Uint8List.fromList(List<int>.generate(24, (int i) => i * 10)),
    );

    test('as PNG', () {
      for (final List<int> Function(List<int>) deflate
          in <List<int> Function(List<int>)>[ZLibCodec().encode, storeZlib]) {
        final Uint8List bytes = encodePng(picture, deflate: deflate);
        expect(bytes.sublist(1, 4), 'PNG'.codeUnits);
        expect(ByteData.sublistView(bytes).getUint32(16), 3);
        final int length = ByteData.sublistView(bytes).getUint32(33);
        expect(
          ZLibCodec().decode(bytes.sublist(41, 41 + length)),
          <int>[
            ...<int>[0, 0, 10, 20, 40, 50, 60, 80, 90, 100],
            ...<int>[0, 120, 130, 140, 160, 170, 180, 200, 210, 220],
          ],
        );
      }
    });

    test('as JPEG', () {
      final Uint8List bytes = encodeJpeg(picture, quality: 0);
      expect(bytes.sublist(0, 2), <int>[0xff, 0xd8]);
      expect(bytes.sublist(bytes.length - 2), <int>[0xff, 0xd9]);
    });
  });

  group('a request that comes again', () {
    Future<String?> send(Verb verb, String id) async =>
        (await server.answer('ext.tapir.try', verb, <String, String>{
          'requestId': id,
        })).result;

    test('is answered, and an action is not done again', () async {
      int count = 0;
      final Verb verb = Verb.action(
        (_, __) async => <String, Object?>{'count': ++count},
      );
      expect(
        await Future.wait(<Future<String?>>[
          send(verb, 'a'),
          send(verb, 'a'),
          send(verb, 'b'),
        ]),
        <String>['{"count":1}', '{"count":1}', '{"count":2}'],
      );
      expect(await send(verb, 'a'), '{"count":1}');
      expect(await send(verb, ''), '{"count":3}');
    });

    test('is done again where that is not offered', () async {
      server.session.capabilities.remove(Capability.requestId);
      int count = 0;
      final Verb verb = Verb.action(
        (_, __) => <String, Object?>{'count': ++count},
      );
      await send(verb, 'a');
      expect(await send(verb, 'a'), '{"count":2}');
    });

    test('is forgotten after a hundred others', () async {
      int count = 0;
      final Verb verb = Verb.action(
        (_, __) => <String, Object?>{'count': ++count},
      );
      for (int i = 0; i <= 100; i++) {
        await send(verb, '$i');
      }
      expect(await send(verb, '1'), '{"count":2}');
      expect(await send(verb, '0'), '{"count":102}');
    });

    test('looks again when it only looks', () async {
      int count = 0;
      final Verb verb = Verb.read(
        (_, __) => <String, Object?>{'count': ++count},
      );
      await send(verb, 'a');
      expect(await send(verb, 'a'), '{"count":2}');
    });
  });

  test('a call waits for the frame that is being drawn', () async {
    final Completer<void> drawn = Completer<void>();
    server.whenIdle = () => drawn.isCompleted ? null : drawn.future;
    bool hasRun = false;
    final Future<Reply> call = server.call(
      'ext.tapir.try',
      Verb.read((_, __) {
        hasRun = true;
        return <String, Object?>{};
      }),
      <String, String>{},
    );
    await null;
    expect(hasRun, isFalse);
    drawn.complete();
    await call;
    expect(hasRun, isTrue);
  });

  test('names that somebody else has registered stay theirs', () {
    Future<ServiceExtensionResponse> theirs(
      String _,
      Map<String, String> values,
    ) async => ServiceExtensionResponse.result('{}');
    registerExtension('ext.tapir.tap', theirs);

    final Session first = Session(ui);
    serve(first, without: <String>{'evaluate'});
    expect(first.capabilities, isEmpty);
    // A second session takes over what the first one has registered.
    final Session second = Session(ui);
    serve(second);
    expect(second.capabilities, isEmpty);
  });
}
