import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

void main() {
  late FakeUi ui;
  late FakeNode node;

  setUp(() {
    node = FakeNode.button('Buy', rect: const UiRect.fromLTWH(0, 0, 100, 40));
    ui = FakeUi(<FakeNode>[node]);
  });

  Future<GateResult> pass({bool stable = true, bool receives = true}) =>
      passGate(
        ui,
        Target(ref: 'e1', element: node, node: node),
        checkStable: stable,
        checkReceivesEvents: receives,
      );

  Future<void> refuses(
    String type,
    String reason, {
    bool stable = true,
    bool receives = true,
  }) => expectLater(
    () => pass(stable: stable, receives: receives),
    throwsA(
      isA<TapirError>()
          .having((e) => e.type, 'type', type)
          .having((e) => e.ref, 'ref', 'e1')
          .having(
            (e) => e.message,
            'message',
            'Widget ref=e1 is not actionable: $reason',
          ),
    ),
  );

  test('lets a healthy target pass, with nothing to report', () async {
    final GateResult result = await pass();
    expect(result.point, const UiPoint(50, 20));
    expect(result.report, isNull);
  });

  test('refuses what has left the tree', () async {
    node.isMounted = false;
    await refuses('stale', 'defunct (element no longer mounted)');
    node
      ..isMounted = true
      ..isLaidOut = false;
    await refuses(
      'stale',
      'defunct (element no longer attached to a render object)',
    );
  });

  test('refuses what is not enabled, but not what says nothing', () async {
    node.isEnabled = false;
    await refuses('disabled', 'not enabled', stable: false, receives: false);
    node.isEnabled = null;
    await pass();
  });

  test('refuses what has no area', () async {
    node.rect = const UiRect.fromLTWH(10, 10, 0, 40);
    await refuses('zero_rect', 'zero rect');
  });

  test('refuses what is off the screen', () async {
    node.rect = const UiRect.fromLTWH(0, 900, 100, 40);
    await refuses(
      'off_viewport',
      'off-viewport (rect=Rect.fromLTRB(0.0, 900.0, 100.0, 940.0), '
          'viewport=Rect.fromLTRB(0.0, 0.0, 400.0, 800.0))',
    );
  });

  test('scrolls it in when something scrolls around it', () async {
    final FakeNode list = FakeNode(
      scrollable: FakeScrollable(),
      rect: ui.viewport,
    );
    ui.top
      ..nodes.clear()
      ..add(list);
    list.add(node);
    node.rect = const UiRect.fromLTWH(0, 900, 100, 40);
    ui.onShow = (UiElement shown) {
      expect(shown, same(node));
      node.rect = const UiRect.fromLTWH(0, 700, 100, 40);
    };
    expect((await pass()).point, const UiPoint(50, 720));
  });

  test('refuses what moves between two frames', () async {
    ui
      ..isScheduled = true
      ..onSettle = () {
        node.rect = node.rect.translate(0, 12.34);
      };
    await refuses('not_stable', 'not stable (rect changed by 12.3px)');
    await pass(stable: false);
  });

  test('lets half a pixel pass', () async {
    ui
      ..isScheduled = true
      ..onSettle = () {
        node.rect = node.rect.translate(0, 0.5);
      };
    await pass();
  });

  test('refuses what is covered, by the name of the whole cover', () async {
    ui.top.add(
      FakeNode(
        typeName: 'CookieBanner',
        rect: node.rect,
        children: <FakeNode>[FakeNode(typeName: 'Text', rect: node.rect)],
      ),
    );
    await refuses('obscured', 'obscured by other widget (top=CookieBanner)');
    expect((await pass(receives: false)).report, <String, Object?>{
      'gate': 'skipped',
      'why': 'checkReceivesEvents is false',
    });
  });

  test('reaches a target through what is inside it', () async {
    node.add(FakeNode(typeName: 'Text', rect: node.rect));
    expect((await pass()).report, isNull);
  });

  test('cannot tell when nothing is hit', () async {
    ui.onHitTest = (_) => const <UiElement>[];
    expect((await pass()).report!['gate'], 'indeterminate');
  });

  test('names what else is there, five at most, when it cannot tell', () async {
    for (int i = 0; i < 7; i++) {
      ui.top.add(FakeNode.button('Other $i', rect: node.rect));
    }
    ui.onHitTest = (_) => const <UiElement>[];
    expect((await pass()).report!['overlapCandidates'], <String>[
      for (int i = 0; i < 5; i++) 'Other $i',
    ]);
  });

  test('refuses what leaves while a frame is waited for', () async {
    ui
      ..isScheduled = true
      ..onSettle = () {
        node.isMounted = false;
      };
    await refuses('stale', 'defunct (element no longer mounted)');
  });

  test('scrolls in what shows an edge only', () async {
    final FakeNode list = FakeNode(
      scrollable: FakeScrollable(),
      rect: ui.viewport,
    );
    ui.top
      ..nodes.clear()
      ..add(list);
    list.add(node);
    node.rect = const UiRect.fromLTWH(0, 790, 100, 40);
    int shown = 0;
    ui.onShow = (_) => shown++;
    // It overlaps the screen, so it passes even where it cannot be scrolled.
    await pass(receives: false);
    expect(shown, 1);
    node.rect = const UiRect.fromLTWH(0, 770, 100, 40);
    await pass(receives: false);
    expect(shown, 1);
  });

  test('scrolls in what the keyboard is above', () async {
    final FakeNode list = FakeNode(
      scrollable: FakeScrollable(),
      rect: ui.viewport,
    );
    ui.top
      ..nodes.clear()
      ..add(list);
    list.add(node);
    ui
      ..viewport = const UiRect.fromLTWH(0, 0, 400, 500)
      ..onShow = (_) {
        node.rect = const UiRect.fromLTWH(0, 400, 100, 40);
      };
    node.rect = const UiRect.fromLTWH(0, 490, 100, 40);
    expect((await pass()).point, const UiPoint(50, 420));
  });

  test('no switch turns off more than its own check', () async {
    Future<void> still(String type, String reason) =>
        refuses(type, reason, stable: false, receives: false);
    node.rect = UiRect.zero;
    await still('zero_rect', 'zero rect');
    node.rect = const UiRect.fromLTWH(0, 900, 100, 40);
    await still(
      'off_viewport',
      'off-viewport (rect=Rect.fromLTRB(0.0, 900.0, 100.0, 940.0), '
          'viewport=Rect.fromLTRB(0.0, 0.0, 400.0, 800.0))',
    );
    node.isMounted = false;
    await still('stale', 'defunct (element no longer mounted)');
  });

  test('looks where it is, whether it moves, what covers it', () async {
    ui.top.add(FakeNode(typeName: 'Banner', rect: node.rect));
    ui
      ..isScheduled = true
      ..onSettle = () {
        node.rect = node.rect.translate(0, 2);
      };
    await refuses('not_stable', 'not stable (rect changed by 2.0px)');
    node.rect = const UiRect.fromLTWH(500, 0, 100, 40);
    await refuses(
      'off_viewport',
      'off-viewport (rect=Rect.fromLTRB(500.0, 0.0, 600.0, 40.0), '
          'viewport=Rect.fromLTRB(0.0, 0.0, 400.0, 800.0))',
    );
  });

  test('skips what needs a view when there is none', () async {
    ui
      ..viewport = null
      ..isScheduled = true
      ..onHitTest = (_) => const <UiElement>[];
    node.rect = const UiRect.fromLTWH(0, 9000, 100, 40);
    expect((await pass()).report, isNull);
  });

  test('looks in its order: disabled before covered', () async {
    node
      ..isEnabled = false
      ..rect = UiRect.zero;
    await refuses('disabled', 'not enabled');
    node.isEnabled = true;
    await refuses('zero_rect', 'zero rect');
  });
}
