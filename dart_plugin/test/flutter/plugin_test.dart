import 'dart:async';
import 'dart:developer';
import 'dart:ui' show AppLifecycleState;

import 'package:flutter/foundation.dart';
import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:tapir_replay/core.dart';
import 'package:tapir_replay/tapir_replay.dart';

import 'hand.dart';

void main() {
  test('beside another plugin it adds what is missing, without a throw', () {
    TestWidgetsFlutterBinding.ensureInitialized();
    Future<ServiceExtensionResponse> theirs(
      String _,
      Map<String, String> values,
    ) async => ServiceExtensionResponse.result('{}');
    registerExtension('ext.tapir.tap', theirs);

    TapirReplayPlugin.install();
    final Session session = TapirReplayPlugin.session!;
    expect(session.capabilities, isNot(contains('query')));
    TapirReplayPlugin.install();
    expect(TapirReplayPlugin.session, same(session));
    TapirReplayPlugin.uninstall();
  });

  testWidgets('errors and lines are kept, and the host hears them too', (
    WidgetTester tester,
  ) async {
    final FlutterExceptionHandler? handler = FlutterError.onError;
    final DebugPrintCallback printer = debugPrint;
    TapirReplayPlugin.install();
    final Session session = TapirReplayPlugin.session!;
    final List<String> heard = <String>[];
    // Set after the plugin, and one of them calls on.
    FlutterError.onError = (FlutterErrorDetails details) {
      heard.add('${details.exception}');
    };
    final DebugPrintCallback captured = debugPrint;
    debugPrint = (String? message, {int? wrapWidth}) {
      heard.add(message!);
      captured(message, wrapWidth: wrapWidth);
    };
    await tester.pumpWidget(const SizedBox());
    FlutterError.reportError(
      FlutterErrorDetails(exception: StateError('broken'), library: 'tests'),
    );
    debugPrint('a line');
    TapirReplayPlugin.uninstall();
    FlutterError.onError = handler;
    debugPrint = printer;

    expect(heard, <String>['Bad state: broken', 'a line']);
    expect(
      session.exceptions.read(limit: 9).single,
      containsPair('message', 'Bad state: broken'),
    );
    expect(
      session.console.read(limit: 9).single,
      containsPair('message', 'a line'),
    );
  });

  verbTest('a wait ends with the frame that brings what it waits for', (
    Hand hand,
  ) async {
    String text = 'before';
    late StateSetter change;
    await hand.show(
      StatefulBuilder(
        builder: (_, StateSetter setState) {
          change = setState;
          return Text(text);
        },
      ),
    );
    bool isDone = false;
    unawaited(
      VerbServer(hand.session)
          .call('ext.tapir.wait_for', tapirVerbs['wait_for']!, <String, String>{
            'text': 'after',
          })
          .then((_) => isDone = true),
    );
    await hand.tester.pump();
    change(() => text = 'after');
    expect(isDone, isFalse);
    await hand.tester.pump();
    expect(isDone, isTrue);
  });

  verbTest('a request is pending until its answer is drawn', (
    Hand hand,
  ) async {
    await hand.show(const Text('A'));
    final Completer<int> answer = Completer<int>();
    final Future<int> tracked = TapirReplayPlugin.trackRequest(answer.future);
    expect(hand.session.ui.pendingRequests, 1);
    answer.complete(7);
    expect(await tracked, 7);
    await hand.tester.pump(const Duration(milliseconds: 1));
    expect(hand.session.ui.pendingRequests, 0);
  });

  verbTest('an enricher adds to snapshots', (Hand hand) async {
    TapirReplayPlugin.addEnricher(
      (Element element) => 'widget: ${element.widget.runtimeType}',
    );
    await hand.show(
      ElevatedButton(
        key: const ValueKey<String>('go'),
        onPressed: () {},
        child: const Text('Go'),
      ),
    );
    final Reply reply = await hand.call('snap', <String, String>{
      'includeEnrichers': 'true',
    });
    expect(reply['snapshot'], contains('  widget: ElevatedButton\n'));
  });

  verbTest('an adapter goes before the router', (Hand hand) async {
    final List<String> asked = <String>[];
    TapirReplayPlugin.addRouteAdapter((String route) {
      asked.add(route);
      return true;
    });
    await hand.show(const Text('A'));
    await hand.call('navigate', <String, String>{'route': '/x'});
    expect(asked, <String>['/x']);
  });

  verbTest('a hidden app is woken, and a detached one says so', (
    Hand hand,
  ) async {
    await hand.show(const Text('A'));
    final TestWidgetsFlutterBinding binding = hand.tester.binding;
    binding
      ..handleAppLifecycleStateChanged(AppLifecycleState.inactive)
      ..handleAppLifecycleStateChanged(AppLifecycleState.hidden);
    expect((await hand.call('snap'))['framesForced'], isTrue);
    expect(binding.lifecycleState, AppLifecycleState.resumed);
    expect(await hand.call('snap'), isNot(contains('framesForced')));
    binding
      ..handleAppLifecycleStateChanged(AppLifecycleState.inactive)
      ..handleAppLifecycleStateChanged(AppLifecycleState.hidden)
      ..handleAppLifecycleStateChanged(AppLifecycleState.paused)
      ..handleAppLifecycleStateChanged(AppLifecycleState.detached);
    final Reply reply = await hand.call('snap');
    binding.handleAppLifecycleStateChanged(AppLifecycleState.resumed);
    expect(reply['warnings'], containsPair('lifecycleState', 'detached'));
  });

  verbTest('a perf session counts frames and builds', (Hand hand) async {
    int count = 0;
    late StateSetter change;
    await hand.show(
      StatefulBuilder(
        builder: (_, StateSetter setState) {
          change = setState;
          return Text('$count');
        },
      ),
    );
    await hand.call('perf_begin');
    for (int i = 0; i < 4; i++) {
      change(() => count++);
      await hand.tester.pump();
    }
    final Reply report = await hand.call('perf_end');
    expect(report['refused'], isFalse);
    expect(
      (report['coverage']! as Map<String, Object?>)['framesDrawn'],
      greaterThanOrEqualTo(4),
    );
    expect(debugProfileBuildsEnabled, isFalse);
  });

  verbTest('pictures are of the screen, or of what is below the fold', (
    Hand hand,
  ) async {
    await hand.show(
      SingleChildScrollView(
        child: Column(
          children: <Widget>[
            const SizedBox(height: 2000),
            RepaintBoundary(
              child: Container(
                key: const ValueKey<String>('far'),
                color: const Color(0xff00ff00),
                width: 40,
                height: 30,
              ),
            ),
          ],
        ),
      ),
    );
    final Ui ui = hand.session.ui;
    final double ratio = ui.tree.devicePixelRatio;
    final UiPicture? whole = await hand.tester.runAsync(ui.raster.capture);
    expect(whole!.width, 800 * ratio);
    expect(whole.height, 600 * ratio);
    final UiElement far = hand.session.screen.named('far').first;
    final UiPicture? part = await hand.tester.runAsync(
      () => ui.raster.capture(far.rect, far),
    );
    expect(part!.width, 40 * ratio);
    expect(part.height, 30 * ratio);
    expect(part.rgba.take(4), <int>[0, 255, 0, 255]);
  });
}
