/// A hand on an app under test: it calls verbs as a client would.
library;

import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:tapir_replay/core.dart';
import 'package:tapir_replay/tapir_replay.dart';

const Duration _frame = Duration(milliseconds: 16);
const int _patience = 1000;

/// Calls the verbs of the app that [tester] shows.
final class Hand {
  /// Creates a hand.
  Hand(this.tester) : _server = VerbServer(TapirReplayPlugin.session!);

  /// What draws the frames.
  final WidgetTester tester;

  final VerbServer _server;

  /// The session behind the verbs.
  Session get session => _server.session;

  /// Shows [body] in a Material app.
  Future<void> show(Widget body) =>
      tester.pumpWidget(MaterialApp(home: Scaffold(body: body)));

  /// Calls [verb] and draws frames until it has answered.
  Future<Reply> call(
    String verb, [
    Map<String, String> params = const <String, String>{},
  ]) => wait(
    _server.call(
      'ext.tapir.$verb',
      tapirVerbs[verb] ?? replayVerbs[verb]!,
      <String, String>{'includeSnapshot': 'false', ...params},
    ),
  );

  /// Draws frames until [work] is done.
  Future<T> wait<T>(Future<T> work) async {
    T? result;
    Object? error;
    bool isDone = false;
    work.then<void>(
      (T value) {
        result = value;
        isDone = true;
      },
      onError: (Object thrown) {
        error = thrown;
        isDone = true;
      },
    );
    for (int turn = 0; !isDone && turn < _patience; turn++) {
      await tester.pump(_frame);
    }
    if (!isDone) fail('no answer');
    if (error case final Object thrown) throw thrown;
    return result as T;
  }

  /// The error of a call that must not succeed.
  Future<E> refuses<E extends Object>(
    String verb,
    Map<String, String> params,
  ) async {
    try {
      await call(verb, params);
    } on E catch (error) {
      return error;
    }
    fail('$verb succeeded');
  }

  /// A handle of the widget that [text] names.
  Future<String> find(String text) => _found(<String, String>{'text': text});

  /// A handle of the widget with this [key].
  Future<String> byKey(String key) => _found(<String, String>{'key': key});

  Future<String> _found(Map<String, String> predicates) async {
    final Reply reply = await call('find', predicates);
    expect(reply['matched'], isTrue, reason: '$predicates');
    return reply['ref']! as String;
  }

  /// The one node that [predicates] describe.
  Future<Map<String, Object?>> node(Map<String, String> predicates) async {
    final Reply reply = await call('query', predicates);
    expect(reply['count'], 1, reason: '$predicates: ${reply['nodes']}');
    return (reply['nodes']! as List<Object?>).single! as Map<String, Object?>;
  }

  /// The screen, line by line, without the handles.
  Future<List<String>> lines() async {
    final String text = (await call('snap'))['snapshot']! as String;
    return <String>[
      for (final String line in text.trimRight().split('\n'))
        line.replaceAll(RegExp(r' \[ref=e\d+\]'), ''),
    ];
  }

  /// The effect of an action.
  static Map<String, Object?> effectOf(Reply reply) =>
      reply['effect']! as Map<String, Object?>;
}

/// A widget test with the plugin installed.
void verbTest(String name, Future<void> Function(Hand hand) body) {
  testWidgets(name, (WidgetTester tester) async {
    TapirReplayPlugin.install();
    try {
      await body(Hand(tester));
    } finally {
      TapirReplayPlugin.uninstall();
      await tester.pumpWidget(const SizedBox());
      // The last timers of the verbs.
      await tester.pump(const Duration(seconds: 2));
    }
  });
}
