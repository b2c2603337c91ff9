import 'dart:ui' show FlutterView, Scene, SemanticsUpdate, Size;

import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';

import 'hand.dart';

void main() {
  verbTest('every view is seen, beside the one before it', (Hand hand) async {
    final List<String> tapped = <String>[];
    Widget app(String name) => MaterialApp(
      home: Scaffold(
        body: ElevatedButton(
          onPressed: () => tapped.add(name),
          child: Text(name),
        ),
      ),
    );
    final WidgetTester tester = hand.tester;
    await tester.pumpWidget(
      wrapWithView: false,
      ViewCollection(
        views: <Widget>[
          View(view: tester.view, child: app('First')),
          View(view: _OtherView(tester.view), child: app('Second')),
        ],
      ),
    );
    expect(await hand.lines(), <String>[
      '- button "First"',
      '- button "Second"',
    ]);
    final Map<String, Object?> second = await hand.node(
      const <String, String>{'label': 'Second'},
    );
    expect((second['bounds']! as Map<String, Object?>)['x'], 800.0);
    expect(second['isVisible'], isTrue);
    for (final String name in <String>['Second', 'First']) {
      await hand.call('tap', <String, String>{'ref': await hand.find(name)});
    }
    expect(tapped, <String>['Second', 'First']);
  });
}

/// A further view of the size of the first.
class _OtherView extends TestFlutterView {
  _OtherView(FlutterView view)
    : super(
        view: view,
        platformDispatcher: view.platformDispatcher as TestPlatformDispatcher,
        display: view.display as TestDisplay,
      );

  @override
  int get viewId => 100;

  @override
  void render(Scene scene, {Size? size}) {}

  @override
  void updateSemantics(SemanticsUpdate update) {}
}
