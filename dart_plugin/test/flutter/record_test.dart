import 'package:flutter/gestures.dart';
import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:tapir_replay/core.dart';

import 'hand.dart';
import 'person.dart';

void main() {
  void recordTest(
    String name,
    Widget Function(List<String> heard) body,
    Future<void> Function(_Tape tape) act,
  ) => verbTest(name, (Hand hand) async {
    final List<String> heard = <String>[];
    await hand.show(body(heard));
    await hand.tester.pump();
    final _Tape tape = _Tape(hand, heard);
    try {
      await act(tape);
    } finally {
      tape.stop();
    }
  });

  recordTest(
    'a tap, what it was on and what came of it',
    (_) => const _Counter(),
    (_Tape tape) async {
      await tape.tap('Count');
      final _Entry entry = (await tape.told('tap')).single;
      expect(entry.target, containsPair('role', 'button'));
      expect(entry.target, containsPair('label', 'Count'));
      expect(entry.texts('appeared'), <String>['1']);
      expect(entry.texts('gone'), <String>['0']);
    },
  );

  recordTest(
    'a press that is held',
    (List<String> heard) => Center(
      child: GestureDetector(
        onTap: () => heard.add('tap'),
        onLongPress: () => heard.add('long press'),
        child: const Text('Pad'),
      ),
    ),
    (_Tape tape) async {
      await tape.tap('Pad', hold: const Duration(milliseconds: 600));
      await tape.told('long_press');
      expect(tape.heard, <String>['long press']);
    },
  );

  for (final bool isHeld in <bool>[false, true]) {
    recordTest(
      'a card that is dragged ${isHeld ? 'after a long press' : 'at once'}',
      (List<String> heard) => Column(
        children: <Widget>[
          if (isHeld)
            const LongPressDraggable<String>(
              data: 'card',
              feedback: Text('flying'),
              child: Text('Card'),
            )
          else
            const Draggable<String>(
              data: 'card',
              feedback: Text('flying'),
              child: Text('Card'),
            ),
          const SizedBox(height: 100),
          DragTarget<String>(
            onAcceptWithDetails:
                (DragTargetDetails<String> details) => heard.add(details.data),
            builder: (_, __, ___) => const Text('Basket'),
          ),
        ],
      ),
      (_Tape tape) async {
        await tape.drag(
          'Card',
          tape.place('Basket') - tape.place('Card'),
          hold: isHeld ? const Duration(milliseconds: 600) : Duration.zero,
        );
        final _Entry entry = (await tape.told('drag')).single;
        expect(entry.target, containsPair('label', 'Card'));
        expect(entry.action['to'], containsPair('label', 'Basket'));
        expect(tape.heard, <String>['card']);
      },
    );
  }

  recordTest(
    'a slider and a row that is wiped away are dragged',
    (List<String> heard) => StatefulBuilder(
      builder: (BuildContext context, StateSetter setState) => Column(
        children: <Widget>[
          Semantics(
            container: true,
            label: 'Volume',
            child: Slider(value: 0.5, onChanged: (_) {}),
          ),
          if (heard.isEmpty)
            Dismissible(
              key: const ValueKey<String>('row'),
              onDismissed: (_) => setState(() => heard.add('gone')),
              child: const ListTile(title: Text('Row')),
            ),
        ],
      ),
    ),
    (_Tape tape) async {
      await tape.drag('Row', const Offset(500, 0));
      await tape.settle();
      expect(tape.heard, <String>['gone']);
      await tape.person.drag(
        tape.hand.tester.getCenter(find.byType(Slider)),
        const Offset(100, 0),
      );
      await tape.told('drag drag');
    },
  );

  recordTest(
    'lists and pages scroll, as far as they have moved',
    (_) => Column(
      children: <Widget>[
        SizedBox(
          height: 100,
          child: PageView(
            key: const ValueKey<String>('pages'),
            children: const <Widget>[Text('Page 1'), Text('Page 2')],
          ),
        ),
        Expanded(
          child: ListView.builder(
            key: const ValueKey<String>('items'),
            itemExtent: 50,
            itemBuilder: (_, int index) => Text('Item $index'),
          ),
        ),
      ],
    ),
    (_Tape tape) async {
      await tape.drag('Item 5', const Offset(0, -200));
      await tape.person.wheel(tape.place('Item 5'), 30);
      await tape.person.pan(tape.place('Item 7'), const Offset(0, -20));
      final double offset =
          tape.hand.tester
              .state<ScrollableState>(find.byType(Scrollable).last)
              .position
              .pixels;
      expect(offset, greaterThan(200));
      await tape.drag('Page 1', const Offset(-500, 0));
      final List<_Entry> entries = await tape.told('scroll scroll');
      final _Entry list = entries.first;
      expect(list.target, containsPair('key', 'items'));
      expect(list.action['dy'], offset);
      final _Entry pages = entries.last;
      expect(pages.target, containsPair('key', 'pages'));
      expect(pages.action['dx'], 800);
    },
  );

  recordTest(
    'what is chosen in a dropdown is told instead of the taps',
    (_) => const _Choices(),
    (_Tape tape) async {
      await tape.tap('M');
      await tape.settle();
      await tape.tap('L');
      await tape.settle();
      await tape.tap('One');
      await tape.settle();
      await tape.tap('Two');
      await tape.settle();
      await tape.person.tap(
        tape.hand.tester.getCenter(find.byType(DropdownMenu<String>)),
      );
      await tape.settle();
      await tape.tap('Green');
      await tape.settle();
      final List<_Entry> entries = await tape.told('select select select');
      expect(<Object?>[
        for (final _Entry each in entries) each.action['value'],
      ], <String>['L', 'Two', 'g']);
      for (final _Entry each in entries) {
        expect(each.target, containsPair('dropdown', true));
      }
    },
  );

  recordTest(
    'what is written, through the rules of its field',
    (_) => Column(
      children: <Widget>[
        TextField(
          decoration: const InputDecoration(labelText: 'Code'),
          inputFormatters: <TextInputFormatter>[
            FilteringTextInputFormatter.digitsOnly,
            LengthLimitingTextInputFormatter(3),
          ],
        ),
        const TextField(
          decoration: InputDecoration(labelText: 'Secret'),
          obscureText: true,
        ),
      ],
    ),
    (_Tape tape) async {
      await tape.tap('Code');
      for (final String text in <String>['1', '1a', '12', '123', '1234']) {
        tape.hand.tester.testTextInput.enterText(text);
      }
      await tape.tap('Secret');
      tape.hand.tester.testTextInput.enterText('abc');
      await tape.person.submit();
      final List<_Entry> entries = await tape.told('tap fill tap fill key');
      expect(entries[1].action['text'], '123');
      expect(entries[1].target, containsPair('label', 'Code'));
      expect(entries[3].action, containsPair('obscured', true));
      expect(entries[3].action['text'], 'abc');
      expect(entries[4].action['key'], 'Enter');
    },
  );

  recordTest(
    'of what lies upon a page only what can be read has appeared',
    (_) => Builder(
      builder: (BuildContext context) => Column(
        children: <Widget>[
          TextButton(
            onPressed:
                () => showDialog<void>(
                  context: context,
                  builder: (_) => const AlertDialog(title: Text('Sure?')),
                ),
            child: const Text('Dialog'),
          ),
          TextButton(
            onPressed:
                () => showModalBottomSheet<void>(
                  context: context,
                  builder:
                      (_) => const SizedBox(height: 100, child: Text('More')),
                ),
            child: const Text('Sheet'),
          ),
        ],
      ),
    ),
    (_Tape tape) async {
      await tape.tap('Dialog');
      await tape.settle();
      await tape.person.back();
      await tape.settle();
      await tape.tap('Sheet');
      final List<_Entry> entries = await tape.told('tap back tap');
      expect(entries.first.texts('appeared'), <String>['Sure?']);
      expect(entries[1].texts('gone'), <String>['Sure?']);
      expect(entries.last.texts('appeared'), <String>['More']);
    },
  );

  recordTest(
    'a person and the verbs in turn',
    (_) => const _Counter(),
    (_Tape tape) async {
      await tape.hand.call('tap', <String, String>{
        'ref': await tape.hand.find('Count'),
      });
      await tape.person.tap(
        tape.place('Count'),
        kind: PointerDeviceKind.mouse,
        buttons: kSecondaryButton,
      );
      await tape.tap('Count');
      await tape.told('right_click tap');
      expect(find.text('2'), findsOneWidget);
    },
  );
}

/// A recording of what a person does.
final class _Tape {
  _Tape(this.hand, this.heard) : person = Person(hand.tester) {
    final DateTime begin = hand.tester.binding.clock.now();
    _recorder = Recorder(
      hand.session,
      clock: () => hand.tester.binding.clock.now().difference(begin),
    )..emit = _events.add;
    _recorder.start(hearsTools: false);
  }

  final Hand hand;
  final Person person;

  /// What the app said.
  final List<String> heard;

  late final Recorder _recorder;
  final List<Map<String, Object?>> _events = <Map<String, Object?>>[];

  Offset place(String text) => hand.tester.getCenter(find.text(text).last);

  Future<void> tap(
    String text, {
    Duration hold = const Duration(milliseconds: 50),
  }) async {
    await person.tap(place(text), hold: hold);
    // Not a part of a double click with the next.
    await hand.tester.pump(const Duration(milliseconds: 400));
  }

  Future<void> drag(
    String text,
    Offset way, {
    Duration hold = Duration.zero,
  }) => person.drag(place(text), way, hold: hold);

  Future<void> settle() => hand.tester.pumpAndSettle();

  /// What counts of all that was told, which has to be [actions]; that ends
  /// the recording.
  Future<List<_Entry>> told(String actions) async {
    await settle();
    stop();
    final Map<Object?, _Entry> found = <Object?, _Entry>{};
    for (final Map<String, Object?> each in _events) {
      if (each['kind'] == 'action') {
        final List<Object?> replaced =
            each['replaces'] as List<Object?>? ?? const <Object?>[];
        replaced.forEach(found.remove);
        found[each['seq']] = _Entry(each);
      } else {
        found[each['of']]!.after = each;
      }
    }
    expect(
      found.values.map((_Entry each) => each.action['action']).join(' '),
      actions,
    );
    return found.values.toList();
  }

  void stop() => _recorder.stop();
}

/// An action, and the last that was told of what came of it.
final class _Entry {
  _Entry(this.action);

  final Map<String, Object?> action;
  Map<String, Object?>? after;

  Object? get target => action['target'];

  List<Object?> texts(String which) => <Object?>[
    for (final Object? each in after![which]! as List<Object?>)
      (each! as Map<String, Object?>)['text'],
  ];
}

class _Counter extends StatefulWidget {
  const _Counter();

  @override
  State<_Counter> createState() => _CounterState();
}

class _CounterState extends State<_Counter> {
  int _count = 0;

  @override
  Widget build(BuildContext context) => Column(
    children: <Widget>[
      Text('$_count'),
      TextButton(
        onPressed: () => setState(() => _count++),
        child: const Text('Count'),
      ),
    ],
  );
}

class _Choices extends StatefulWidget {
  const _Choices();

  @override
  State<_Choices> createState() => _ChoicesState();
}

class _ChoicesState extends State<_Choices> {
  String _size = 'M';
  int _count = 1;

  @override
  Widget build(BuildContext context) => Column(
    children: <Widget>[
      DropdownButton<String>(
        value: _size,
        onChanged: (String? value) => setState(() => _size = value!),
        items: <DropdownMenuItem<String>>[
          for (final String each in <String>['M', 'L'])
            DropdownMenuItem<String>(value: each, child: Text(each)),
        ],
      ),
      DropdownButtonFormField<int>(
        value: _count,
        onChanged: (int? value) => setState(() => _count = value!),
        items: const <DropdownMenuItem<int>>[
          DropdownMenuItem<int>(value: 1, child: Text('One')),
          DropdownMenuItem<int>(value: 2, child: Text('Two')),
        ],
      ),
      const DropdownMenu<String>(
        label: Text('Color'),
        dropdownMenuEntries: <DropdownMenuEntry<String>>[
          DropdownMenuEntry<String>(value: 'r', label: 'Red'),
          DropdownMenuEntry<String>(value: 'g', label: 'Green'),
        ],
      ),
    ],
  );
}
