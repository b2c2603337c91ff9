import 'package:flutter/gestures.dart';
import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:tapir_replay/core.dart';

import 'hand.dart';

void main() {
  verbTest('every kind of control has its line', (Hand hand) async {
    await hand.show(
      Column(
        children: <Widget>[
          Semantics(header: true, child: const Text('Top')),
          const TextField(decoration: InputDecoration(labelText: 'Name')),
          CheckboxListTile(
            title: const Text('Box'),
            value: true,
            onChanged: (_) {},
          ),
          SwitchListTile(
            title: const Text('Switch'),
            value: false,
            onChanged: (_) {},
          ),
          ElevatedButton(onPressed: () {}, child: const Text('Button')),
          Semantics(link: true, child: const Text('Link')),
          const Icon(Icons.add, semanticLabel: 'Icon'),
          const Text('Plain'),
        ],
      ),
    );
    expect(await hand.lines(), <String>[
      '- heading "Top"',
      '- textbox "Name"',
      '  typeable: true',
      '- checkbox "Box"',
      '- button "Switch"',
      '- button "Button"',
      '- link "Link"',
      '- text "Icon"',
      '- text "Plain"',
    ]);
  });

  verbTest('states come from the flags', (Hand hand) async {
    await hand.show(
      Column(
        children: <Widget>[
          Checkbox(
            key: const ValueKey<String>('on'),
            value: true,
            onChanged: (_) {},
          ),
          Checkbox(
            key: const ValueKey<String>('mixed'),
            value: null,
            tristate: true,
            onChanged: (_) {},
          ),
          const Switch(
            key: ValueKey<String>('off'),
            value: false,
            onChanged: null,
          ),
          const Radio<int>(
            key: ValueKey<String>('radio'),
            value: 1,
            // ignore: deprecated_member_use
            groupValue: 1,
            // ignore: deprecated_member_use
            onChanged: null,
          ),
        ],
      ),
    );
    Future<Map<String, Object?>> state(String key) =>
        hand.node(<String, String>{'key': key});
    expect((await state('on'))['checked'], isTrue);
    expect(await state('mixed'), containsPair('checked', null));
    expect((await state('off'))['checked'], isFalse);
    expect((await state('off'))['isEnabled'], isFalse);
    expect((await state('radio'))['checked'], isTrue);
    expect((await state('radio'))['role'], 'checkbox');
  });

  verbTest('names beside the label', (Hand hand) async {
    await hand.show(
      Column(
        children: <Widget>[
          IconButton(
            tooltip: 'Clear',
            onPressed: () {},
            icon: const Icon(Icons.clear),
          ),
          Semantics(
            hint: 'Where you live',
            child: const TextField(
              decoration: InputDecoration(labelText: 'Town'),
            ),
          ),
          CheckboxListTile(
            title: Semantics(
              identifier: 'box-it',
              child: const Text('Box'),
            ),
            value: true,
            onChanged: (_) {},
          ),
        ],
      ),
    );
    final Map<String, Object?> clear = await hand.node(<String, String>{
      'tooltip': 'Clear',
    });
    expect(clear['role'], 'button');
    expect(clear['label'], '');
    final Map<String, Object?> town = await hand.node(<String, String>{
      'hint': 'Where you live',
    });
    expect(town['role'], 'textbox');
    expect(town['label'], 'Town');
    final Map<String, Object?> box = await hand.node(<String, String>{
      'identifier': 'box-it',
    });
    expect(box['role'], 'checkbox');
    expect(box['label'], 'Box');
  });

  verbTest('a switch, a box and a radio are set by a tap', (Hand hand) async {
    bool box = false;
    bool isOn = false;
    await hand.show(
      StatefulBuilder(
        builder:
            (_, StateSetter setState) => Column(
              children: <Widget>[
                CheckboxListTile(
                  title: const Text('Box'),
                  value: box,
                  onChanged: (bool? value) => setState(() => box = value!),
                ),
                Switch(
                  key: const ValueKey<String>('switch'),
                  value: isOn,
                  onChanged: (bool value) => setState(() => isOn = value),
                ),
              ],
            ),
      ),
    );
    for (final String ref in <String>[
      await hand.find('Box'),
      await hand.byKey('switch'),
    ]) {
      final Map<String, Object?> effect = Hand.effectOf(
        await hand.call('set_checkbox', <String, String>{
          'ref': ref,
          'value': 'true',
        }),
      );
      expect(effect['before'], isFalse);
      expect(effect['after'], isTrue);
    }
    expect(box && isOn, isTrue);
  });

  verbTest('a merged row is one line, and tapped at its control', (
    Hand hand,
  ) async {
    bool isOn = false;
    await hand.show(
      StatefulBuilder(
        builder:
            (_, StateSetter setState) => MergeSemantics(
              child: Row(
                children: <Widget>[
                  const Expanded(child: ExcludeSemantics(child: Text('Wifi'))),
                  Semantics(
                    container: true,
                    label: 'Wifi',
                    child: Switch(
                      value: isOn,
                      onChanged: (bool value) => setState(() => isOn = value),
                    ),
                  ),
                ],
              ),
            ),
      ),
    );
    final List<String> lines = await hand.lines();
    expect(lines.first, '- button "Wifi"');
    expect(lines[1], startsWith('  tapOwner: '));
    final Map<String, Object?> reply = await hand.call('tap', <String, String>{
      'ref': await hand.find('Wifi'),
    });
    expect(reply, contains('retargeted'));
    expect(isOn, isTrue);
  });

  verbTest('a key leads to the node of its widget', (Hand hand) async {
    await hand.show(
      ListView(
        children: <Widget>[
          const TextField(
            key: ValueKey<String>('field'),
            decoration: InputDecoration(labelText: 'Field'),
          ),
          ListTile(
            key: const ValueKey<String>('row'),
            title: const Text('Row'),
            onTap: () {},
          ),
          Row(
            key: const ValueKey<String>('several'),
            children: <Widget>[
              const Text('One'),
              TextButton(onPressed: () {}, child: const Text('Two')),
            ],
          ),
        ],
      ),
    );
    Future<Map<String, Object?>> keyed(String key) =>
        hand.node(<String, String>{'key': key});
    expect((await keyed('field'))['role'], 'textbox');
    expect((await keyed('field'))['label'], 'Field');
    expect((await keyed('row'))['label'], 'Row');
    expect((await keyed('several'))['text'], 'One\nTwo');
    expect(
      (await hand.node(const <String, String>{'label': 'Field'}))['key'],
      'field',
    );
  });

  verbTest('a link inside a paragraph has a place of its own', (
    Hand hand,
  ) async {
    bool isTapped = false;
    final TapGestureRecognizer recognizer = TapGestureRecognizer()
      ..onTap = () => isTapped = true;
    addTearDown(recognizer.dispose);
    await hand.show(
      Center(
        child: Text.rich(
          TextSpan(
            text: 'Read ',
            children: <InlineSpan>[
              TextSpan(text: 'the terms', recognizer: recognizer),
            ],
          ),
        ),
      ),
    );
    await hand.call('tap', <String, String>{
      'ref': await hand.find('the terms'),
    });
    expect(isTapped, isTrue);
  });

  verbTest('rects are where things are drawn', (Hand hand) async {
    await hand.show(
      Transform.translate(
        offset: const Offset(30, 40),
        child: Transform.scale(
          scale: 2,
          alignment: Alignment.topLeft,
          child: const Align(
            alignment: Alignment.topLeft,
            child: SizedBox(width: 50, height: 20, child: Text('Here')),
          ),
        ),
      ),
    );
    expect(
      (await hand.node(const <String, String>{'label': 'Here'}))['bounds'],
      <String, Object?>{'x': 30.0, 'y': 40.0, 'w': 100.0, 'h': 40.0},
    );
  });

  verbTest('what lies above is named', (Hand hand) async {
    await hand.show(
      Stack(
        children: <Widget>[
          ElevatedButton(onPressed: () {}, child: const Text('Below')),
          const _Cover(),
        ],
      ),
    );
    expect((await hand.lines()).first, '- button "Below" [occluded]');
    final String ref = await hand.find('Below');
    expect(
      (await hand.refuses<TapirError>('tap', <String, String>{
        'ref': ref,
      })).message,
      endsWith('obscured by other widget (top=_Cover)'),
    );
  });

  verbTest('an overflowing row says so', (Hand hand) async {
    await hand.show(
      Row(
        children: <Widget>[
          SizedBox(
            width: 900,
            child: TextButton(onPressed: () {}, child: const Text('Wide')),
          ),
        ],
      ),
    );
    hand.tester.takeException();
    expect(await hand.lines(), <String>['- button "Wide"', '  overflow: true']);
    final List<Object?> found =
        (await hand.call('exceptions'))['exceptions']! as List<Object?>;
    expect((found.single! as Map<String, Object?>)['type'], 'overflow');
  });
}

class _Cover extends StatelessWidget {
  const _Cover();

  @override
  Widget build(BuildContext context) => const Positioned.fill(
    child: ColoredBox(color: Colors.white),
  );
}
