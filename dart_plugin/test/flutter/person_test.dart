import 'dart:ui'
    show
        PlatformDispatcher,
        PointerChange,
        PointerDataPacket,
        PointerDataPacketCallback,
        SemanticsActionEventCallback;

import 'package:flutter/gestures.dart';
import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:tapir_replay/core.dart';

import 'hand.dart';
import 'person.dart';

void main() {
  late _Log log;

  setUp(() => log = _Log());

  void personTest(
    String name,
    Future<void> Function(Hand hand, Person person) body,
  ) => verbTest(name, (Hand hand) async {
    final UiPerson ears = hand.session.ui.person;
    ears.witness = log;
    try {
      await body(hand, Person(hand.tester));
    } finally {
      ears.witness = null;
    }
  });

  Widget pad() => Listener(
    onPointerDown: (_) => log.add('app: down'),
    onPointerMove: (_) => log.add('app: move'),
    onPointerUp: (_) => log.add('app: up'),
    onPointerCancel: (_) => log.add('app: cancel'),
    child: const SizedBox.expand(child: ColoredBox(color: Colors.blue)),
  );

  personTest('a pointer is told before the app gets it, one by one', (
    Hand hand,
    Person person,
  ) async {
    await hand.show(pad());
    person.send(const <(PointerChange, Offset)>[
      (PointerChange.down, Offset(10, 20)),
      (PointerChange.move, Offset(15, 20)),
      (PointerChange.up, Offset(15, 20)),
    ]);
    expect(log.lines, <String>[
      'down 10 20',
      'app: down',
      'move 15 20',
      'app: move',
      'up 15 20',
      'app: up',
    ]);
  });

  personTest('a mouse has two buttons that count, and a wheel', (
    Hand hand,
    Person person,
  ) async {
    const Offset place = Offset(50, 50);
    await hand.show(pad());
    log.lines.clear();
    person.send(
      const <(PointerChange, Offset)>[(PointerChange.hover, place)],
      kind: PointerDeviceKind.mouse,
      buttons: 0,
    );
    expect(log.lines, isEmpty);
    for (final int button in <int>[
      kPrimaryMouseButton,
      kSecondaryMouseButton,
      kMiddleMouseButton,
    ]) {
      await person.tap(place, kind: PointerDeviceKind.mouse, buttons: button);
    }
    expect(log.told, <String>[
      'down 50 50 mouse',
      'up 50 50 mouse',
      'down 50 50 mouse secondary',
      'up 50 50 mouse secondary',
    ]);
    log.lines.clear();
    await person.wheel(place, 40);
    await person.pan(place, const Offset(0, -40));
    expect(log.told, <String>['wheel 50 50', 'wheel 50 50']);
  });

  personTest('the platform may take a touch back', (
    Hand hand,
    Person person,
  ) async {
    await hand.show(pad());
    person.send(const <(PointerChange, Offset)>[
      (PointerChange.down, Offset(5, 5)),
      (PointerChange.cancel, Offset(5, 5)),
    ]);
    expect(log.lines, <String>[
      'down 5 5',
      'app: down',
      'cancel',
      'app: cancel',
    ]);
  });

  personTest('the app gets nothing of a touch that is kept', (
    Hand hand,
    Person person,
  ) async {
    await hand.show(pad());
    log.keeps = true;
    await person.drag(const Offset(10, 10), const Offset(10, 0), moves: 1);
    expect(log.lines, <String>['down 10 10', 'move 20 10', 'up 20 10']);
    log
      ..keeps = false
      ..lines.clear();
    await person.tap(const Offset(10, 10));
    expect(log.lines, <String>[
      'down 10 10',
      'app: down',
      'up 10 10',
      'app: up',
    ]);
  });

  personTest('what a screen reader activates is told as a tap', (
    Hand hand,
    Person person,
  ) async {
    await hand.show(
      Center(
        child: TextButton(
          onPressed: () => log.add('app: pressed'),
          child: const Text('Go'),
        ),
      ),
    );
    final int id = hand.tester.getSemantics(find.text('Go')).id;
    await person.activate(id);
    expect(log.lines, <String>['down 400 300', 'up 400 300', 'app: pressed']);
    log
      ..keeps = true
      ..lines.clear();
    await person.activate(id);
    expect(log.lines, <String>['down 400 300', 'up 400 300']);
  });

  personTest('the verbs are no person', (Hand hand, Person person) async {
    await hand.show(
      Column(
        children: <Widget>[
          const TextField(decoration: InputDecoration(labelText: 'Name')),
          ElevatedButton(onPressed: () {}, child: const Text('Go')),
        ],
      ),
    );
    final String field = await hand.find('Name');
    await hand.call('fill', <String, String>{'ref': field, 'text': 'Ada'});
    await hand.call('press_key', <String, String>{'key': 'Backspace'});
    await hand.call('press_key', <String, String>{
      'key': 's',
      'modifiers': 'ctrl',
    });
    _fillClipboard(hand.tester, 'a');
    await hand.call('press_key', <String, String>{
      'key': 'v',
      'modifiers': 'ctrl',
    });
    await hand.call('press_key', <String, String>{'key': 'Enter'});
    await hand.call('tap', <String, String>{'ref': await hand.find('Go')});
    await hand.call('hover', <String, String>{'ref': await hand.find('Go')});
    expect(find.text('Ada'), findsOneWidget);
    expect(log.lines, isEmpty);
  });

  personTest('keys are told with the modifiers that are held', (
    Hand hand,
    Person person,
  ) async {
    await hand.show(
      Focus(
        autofocus: true,
        onKeyEvent: (_, KeyEvent event) {
          if (event is KeyDownEvent) log.add('app: key');
          return KeyEventResult.ignored;
        },
        child: const Text('A'),
      ),
    );
    await hand.tester.pump();
    final WidgetTester tester = hand.tester;
    await tester.sendKeyDownEvent(LogicalKeyboardKey.controlRight);
    await tester.sendKeyDownEvent(LogicalKeyboardKey.shiftLeft);
    await tester.sendKeyEvent(LogicalKeyboardKey.keyS);
    await tester.sendKeyUpEvent(LogicalKeyboardKey.shiftLeft);
    await tester.sendKeyUpEvent(LogicalKeyboardKey.controlRight);
    await tester.sendKeyDownEvent(LogicalKeyboardKey.arrowDown);
    await tester.sendKeyRepeatEvent(LogicalKeyboardKey.arrowDown);
    await tester.sendKeyUpEvent(LogicalKeyboardKey.arrowDown);
    await tester.sendKeyEvent(LogicalKeyboardKey.digit7);
    await tester.sendKeyEvent(LogicalKeyboardKey.numpadEnter);
    await tester.sendKeyEvent(LogicalKeyboardKey.semicolon);
    expect(log.told, <String>[
      'key S control+shift',
      'key ArrowDown',
      'key ArrowDown',
      'key 7',
      'key Enter',
    ]);
    expect(
      log.lines.indexOf('key ArrowDown'),
      lessThan(log.lines.lastIndexOf('app: key')),
    );
  });

  personTest('edits of the person are told, those of a program are not', (
    Hand hand,
    Person person,
  ) async {
    final TextEditingController text = TextEditingController();
    addTearDown(text.dispose);
    await hand.show(
      Column(
        children: <Widget>[
          TextField(
            controller: text,
            autofocus: true,
            inputFormatters: <TextInputFormatter>[
              FilteringTextInputFormatter.digitsOnly,
            ],
          ),
          TextButton(
            onPressed: () => text.text = '99',
            child: const Text('Set'),
          ),
        ],
      ),
    );
    await hand.tester.pump();
    hand.tester.testTextInput.enterText('12a');
    text.text = '7';
    await person.tap(hand.tester.getCenter(find.text('Set')));
    expect(text.text, '99');
    // The formatter lets none of it through.
    hand.tester.testTextInput.enterText('99b');
    text.clear();
    expect(log.told, <Object>[
      'edited 12',
      startsWith('down'),
      startsWith('up'),
    ]);
  });

  personTest('deleting, pasting and what an input method composes is told', (
    Hand hand,
    Person person,
  ) async {
    _fillClipboard(hand.tester, '-pasted');
    await hand.show(const TextField(autofocus: true, obscureText: true));
    await hand.tester.pump();
    hand.tester.testTextInput.updateEditingValue(
      const TextEditingValue(
        text: 'ka',
        selection: TextSelection.collapsed(offset: 2),
        composing: TextRange(start: 0, end: 2),
      ),
    );
    hand.tester.testTextInput.updateEditingValue(
      const TextEditingValue(
        text: 'か',
        selection: TextSelection.collapsed(offset: 1),
      ),
    );
    await hand.tester.sendKeyEvent(LogicalKeyboardKey.backspace);
    await hand.tester.sendKeyDownEvent(LogicalKeyboardKey.controlLeft);
    await hand.tester.sendKeyEvent(LogicalKeyboardKey.keyV);
    await hand.tester.sendKeyUpEvent(LogicalKeyboardKey.controlLeft);
    await hand.tester.pump();
    expect(log.told, <String>[
      'edited ka',
      'edited か',
      'key Backspace',
      'edited ',
      'key V control',
      'edited -pasted',
    ]);
  });

  personTest('fields that are filled together are all heard', (
    Hand hand,
    Person person,
  ) async {
    await hand.show(
      const AutofillGroup(
        child: Column(
          children: <Widget>[
            TextField(
              autofocus: true,
              autofillHints: <String>[AutofillHints.username],
            ),
            TextField(autofillHints: <String>[AutofillHints.password]),
          ],
        ),
      ),
    );
    await hand.tester.pump();
    final List<EditableTextState> fields =
        hand.tester
            .stateList<EditableTextState>(find.byType(EditableText))
            .toList();
    expect(fields.first.currentAutofillScope!.autofillClients, hasLength(2));
    for (final (int i, AutofillClient client)
        in fields.first.currentAutofillScope!.autofillClients.indexed) {
      client.autofill(TextEditingValue(text: 'filled $i'));
    }
    expect(log.told, <String>['edited filled 0', 'edited filled 1']);
  });

  personTest('a field is heard whatever controller it has', (
    Hand hand,
    Person person,
  ) async {
    final _Counted first = _Counted();
    final _Counted second = _Counted();
    addTearDown(first.dispose);
    addTearDown(second.dispose);
    final int silent = first.listeners;
    await hand.show(TextField(controller: first, autofocus: true));
    await hand.tester.pump();
    hand.tester.testTextInput.enterText('a');
    await hand.show(TextField(controller: second, autofocus: true));
    expect(first.listeners, silent);
    await hand.tester.pump();
    hand.tester.testTextInput.enterText('b');
    final int heard = second.listeners;
    hand.session.ui.person.witness = null;
    expect(second.listeners, heard - 1);
    hand.tester.testTextInput.enterText('c');
    expect(log.told, <String>['edited a', 'edited b']);
  });

  personTest("the keyboard's button is Enter, told once", (
    Hand hand,
    Person person,
  ) async {
    await hand.show(
      Column(
        children: <Widget>[
          TextField(
            autofocus: true,
            onSubmitted: (_) => log.add('app: submitted'),
            onEditingComplete: () {},
          ),
          const TextField(maxLines: 3, key: ValueKey<String>('notes')),
        ],
      ),
    );
    await hand.tester.pump();
    await person.submit();
    expect(log.lines, <String>['key Enter', 'app: submitted']);
    log.lines.clear();
    // A keyboard with keys makes both of it.
    await hand.tester.sendKeyEvent(LogicalKeyboardKey.enter);
    await person.submit();
    expect(log.lines, <String>['key Enter', 'app: submitted']);
    log.lines.clear();
    await hand.tester.showKeyboard(find.byKey(const ValueKey<String>('notes')));
    await hand.tester.pump();
    await person.submit('${TextInputAction.newline}');
    expect(log.lines, isEmpty);
  });

  personTest('back and links are told, and the app gets them', (
    Hand hand,
    Person person,
  ) async {
    await hand.tester.pumpWidget(
      MaterialApp(
        initialRoute: '/',
        onGenerateRoute:
            (RouteSettings settings) => MaterialPageRoute<void>(
              settings: settings,
              builder: (_) => Text('at ${settings.name}'),
            ),
      ),
    );
    await person.open('https://example.com/item/7?from=mail');
    await hand.tester.pumpAndSettle();
    expect(find.text('at /item/7?from=mail'), findsOneWidget);
    await person.back();
    await hand.tester.pumpAndSettle();
    expect(find.text('at /'), findsOneWidget);
    await person.tell(SystemChannels.backGesture, 'commitBackGesture');
    expect(log.lines, <String>['route /item/7?from=mail', 'back', 'back']);
  });

  verbTest('nothing is left when nobody listens any more', (Hand hand) async {
    final PlatformDispatcher dispatcher = hand.tester.platformDispatcher;
    final PointerDataPacketCallback? pointers = dispatcher.onPointerDataPacket;
    final SemanticsActionEventCallback? actions =
        dispatcher.onSemanticsActionEvent;
    final UiPerson ears = hand.session.ui.person..witness = null;
    await hand.show(pad());
    final Person person = Person(hand.tester);
    await person.tap(const Offset(5, 5));
    ears
      ..witness = log
      ..witness = log
      ..witness = null;
    expect(dispatcher.onPointerDataPacket, same(pointers));
    expect(dispatcher.onSemanticsActionEvent, same(actions));
    log.lines.clear();
    await person.tap(const Offset(5, 5));
    await hand.tester.sendKeyEvent(LogicalKeyboardKey.tab);
    await person.back();
    expect(log.lines, <String>['app: down', 'app: up']);
  });

  verbTest('whoever stands in front stays there', (Hand hand) async {
    final PlatformDispatcher dispatcher = hand.tester.platformDispatcher;
    final PointerDataPacketCallback? host = dispatcher.onPointerDataPacket;
    final UiPerson ears = hand.session.ui.person..witness = log;
    await hand.show(pad());
    final PointerDataPacketCallback inner = dispatcher.onPointerDataPacket!;
    void other(PointerDataPacket packet) {
      log.add('other');
      inner(packet);
    }

    dispatcher.onPointerDataPacket = other;
    ears.witness = null;
    expect(dispatcher.onPointerDataPacket, same(other));
    ears.witness = log;
    await Person(hand.tester).tap(const Offset(5, 5));
    expect(log.lines, <String>[
      'down 5 5',
      'other',
      'app: down',
      'up 5 5',
      'other',
      'app: up',
    ]);
    ears.witness = null;
    expect(dispatcher.onPointerDataPacket, same(other));
    dispatcher.onPointerDataPacket = host;
  });

  personTest('a witness that fails is no failure of the app', (
    Hand hand,
    Person person,
  ) async {
    await hand.show(pad());
    log.fails = true;
    await person.tap(const Offset(5, 5));
    expect(log.lines, <String>['app: down', 'app: up']);
    expect(hand.session.exceptions.read(limit: 9), isEmpty);
    expect(hand.session.console.read(limit: 9), isNotEmpty);
  });
}

void _fillClipboard(WidgetTester tester, String text) {
  final TestDefaultBinaryMessenger messenger =
      tester.binding.defaultBinaryMessenger;
  messenger.setMockMethodCallHandler(
    SystemChannels.platform,
    (MethodCall call) async => switch (call.method) {
      'Clipboard.getData' => <String, Object?>{'text': text},
      'Clipboard.hasStrings' => <String, Object?>{'value': true},
      _ => null,
    },
  );
  addTearDown(
    () => messenger.setMockMethodCallHandler(SystemChannels.platform, null),
  );
}

/// Keeps what was told, beside what the app says.
final class _Log implements UiWitness {
  final List<String> lines = <String>[];

  /// Whether a touch is kept from the app.
  bool keeps = false;

  /// Whether everything that is told goes wrong.
  bool fails = false;

  /// What was told, without what the app says.
  Iterable<String> get told =>
      lines.where((String line) => !line.startsWith('app: '));

  void add(String line) => lines.add(line);

  void _hear(String line) {
    if (fails) throw StateError('not now');
    add(line);
  }

  static String _place(UiPoint at) => '${at.x.round()} ${at.y.round()}';

  @override
  bool pointer(UiPointerEvent event) {
    _hear(
      <String>[
        event.phase.name,
        _place(event.position),
        if (event.kind == UiPointerKind.mouse) 'mouse',
        if (event.secondary) 'secondary',
      ].join(' '),
    );
    return keeps && event.phase == UiPointerPhase.down;
  }

  @override
  void cancel(int pointer) => _hear('cancel');

  @override
  void wheel(UiPoint position) => _hear('wheel ${_place(position)}');

  @override
  void key(UiKeyPress press) => _hear(
    <String>[
      'key ${press.key}',
      if (press.modifiers.isNotEmpty)
        press.modifiers.map((UiModifier each) => each.name).join('+'),
    ].join(' '),
  );

  @override
  void edited(UiElement field) => _hear('edited ${field.textField!.value}');

  @override
  void back() => _hear('back');

  @override
  void route(String route) => _hear('route $route');
}

/// Counts who listens.
final class _Counted extends TextEditingController {
  int listeners = 0;

  @override
  void addListener(VoidCallback listener) {
    listeners++;
    super.addListener(listener);
  }

  @override
  void removeListener(VoidCallback listener) {
    listeners--;
    super.removeListener(listener);
  }
}
