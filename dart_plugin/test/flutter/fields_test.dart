import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';

import 'hand.dart';

void main() {
  verbTest('typing goes through formatters and listeners', (Hand hand) async {
    final List<String> changes = <String>[];
    await hand.show(
      TextField(
        decoration: const InputDecoration(labelText: 'Number'),
        inputFormatters: <TextInputFormatter>[
          FilteringTextInputFormatter.digitsOnly,
        ],
        onChanged: changes.add,
      ),
    );
    final String ref = await hand.find('Number');
    final Map<String, Object?> effect = Hand.effectOf(
      await hand.call('fill', <String, String>{'ref': ref, 'text': '1a2'}),
    );
    expect(effect['verified'], isFalse);
    expect(effect['value'], '12');
    expect((effect['target']! as Map<String, Object?>)['label'], 'Number');
    await hand.call('clear', <String, String>{'ref': ref});
    expect(changes, <String>['12', '']);
  });

  verbTest('a form field validates what was typed', (Hand hand) async {
    await hand.show(
      TextFormField(
        decoration: const InputDecoration(labelText: 'Age'),
        autovalidateMode: AutovalidateMode.onUserInteraction,
        validator: (String? text) => text == '0' ? 'Too young' : null,
      ),
    );
    await hand.call('type', <String, String>{
      'ref': await hand.find('Age'),
      'text': '0',
    });
    expect(find.text('Too young'), findsOneWidget);
  });

  verbTest('what cannot be typed into keeps its text', (Hand hand) async {
    final TextEditingController controller = TextEditingController(text: 'a');
    addTearDown(controller.dispose);
    await hand.show(
      TextField(
        readOnly: true,
        controller: controller,
        decoration: const InputDecoration(labelText: 'Fixed'),
      ),
    );
    final Map<String, Object?> effect = Hand.effectOf(
      await hand.call('fill', <String, String>{
        'ref': await hand.find('Fixed'),
        'text': 'b',
      }),
    );
    expect(effect['verified'], isFalse);
    expect(controller.text, 'a');
  });

  verbTest('a password is clear in the effect alone', (Hand hand) async {
    await hand.show(
      const TextField(
        obscureText: true,
        decoration: InputDecoration(labelText: 'Secret'),
      ),
    );
    final Map<String, Object?> effect = Hand.effectOf(
      await hand.call('fill', <String, String>{
        'ref': await hand.find('Secret'),
        'text': 'abc',
      }),
    );
    expect(effect['value'], 'abc');
    final Map<String, Object?> node = await hand.node(const <String, String>{
      'label': 'Secret',
    });
    expect(node['value'], '\u2022' * 3);
    expect(node['obscured'], isTrue);
  });

  verbTest('a dropdown takes a text and may refuse it', (Hand hand) async {
    String size = 'M';
    await hand.show(
      StatefulBuilder(
        builder:
            (_, StateSetter setState) => DropdownButton<String>(
              key: const ValueKey<String>('size'),
              value: size,
              onChanged: (String? value) {
                if (value != 'XL') setState(() => size = value!);
              },
              items: <DropdownMenuItem<String>>[
                for (final String each in <String>['M', 'L', 'XL'])
                  DropdownMenuItem<String>(value: each, child: Text(each)),
              ],
            ),
      ),
    );
    Future<Map<String, Object?>> choose(String value) async => Hand.effectOf(
      await hand.call('select_option', <String, String>{
        'ref': await hand.byKey('size'),
        'value': value,
      }),
    );
    expect(await choose('L'), containsPair('verified', true));
    expect(await choose('XL'), containsPair('value', 'L'));
  });

  verbTest('an option that is no text goes by what it shows', (
    Hand hand,
  ) async {
    int? count = 1;
    await hand.show(
      StatefulBuilder(
        builder:
            (_, StateSetter setState) => DropdownButton<int>(
              key: const ValueKey<String>('count'),
              value: count,
              onChanged: (int? value) => setState(() => count = value),
              items: const <DropdownMenuItem<int>>[
                DropdownMenuItem<int>(value: 1, child: Text('One')),
                DropdownMenuItem<int>(value: 2, child: Text('Two')),
              ],
            ),
      ),
    );
    final String ref = await hand.byKey('count');
    final Map<String, Object?> effect = Hand.effectOf(
      await hand.call('select_option', <String, String>{
        'ref': ref,
        'value': 'Two',
      }),
    );
    expect(effect, containsPair('verified', true));
    expect(count, 2);
    final StateError error = await hand.refuses<StateError>(
      'select_option',
      <String, String>{'ref': ref, 'value': '2'},
    );
    expect(error.message, contains('no option of DropdownButton<int>'));
    expect(error.message, contains('One, Two'));
  });

  group('a dropdown menu', () {
    late List<_Color?> heard;

    setUp(() => heard = <_Color?>[]);

    Future<void> show(Hand hand, {bool takesFocus = true}) async {
      await hand.show(
        Column(
          children: <Widget>[
            DropdownMenu<_Color>(
              key: const ValueKey<String>('color'),
              label: const Text('Color'),
              initialSelection: _Color.red,
              requestFocusOnTap: takesFocus,
              onSelected: heard.add,
              dropdownMenuEntries: <DropdownMenuEntry<_Color>>[
                for (final _Color each in _Color.values)
                  DropdownMenuEntry<_Color>(
                    value: each,
                    label: each.label,
                    enabled: each != _Color.none,
                  ),
              ],
            ),
            DropdownMenu<String>(
              key: const ValueKey<String>('size'),
              label: const Text('Size'),
              dropdownMenuEntries: const <DropdownMenuEntry<String>>[
                DropdownMenuEntry<String>(value: 'm', label: 'Medium'),
                DropdownMenuEntry<String>(value: 'l', label: 'Large'),
              ],
            ),
          ],
        ),
      );
      // It measures its items.
      await hand.tester.pump();
    }

    for (final bool takesFocus in <bool>[true, false]) {
      final String how = takesFocus ? 'with' : 'without';
      verbTest('opens and is chosen from, $how a search', (Hand hand) async {
        await show(hand, takesFocus: takesFocus);
        // The copies of its items that are only measured are not there.
        expect(
          (await hand.call('query', <String, String>{
            'text': 'Green',
          }))['count'],
          0,
        );
        await hand.call('tap', <String, String>{
          'ref': await hand.find('Color'),
        });
        await hand.tester.pumpAndSettle();
        await hand.call('tap', <String, String>{
          'ref': await hand.find('Green'),
        });
        await hand.tester.pumpAndSettle();
        expect(heard, <_Color>[_Color.green]);
        expect(
          (await hand.node(const <String, String>{'label': 'Color'}))['value'],
          'Green',
        );
      });
    }

    verbTest('is given an option', (Hand hand) async {
      await show(hand);
      Future<Map<String, Object?>> choose(String key, String value) async =>
          Hand.effectOf(
            await hand.call('select_option', <String, String>{
              'ref': await hand.byKey(key),
              'value': value,
            }),
          );
      expect(await choose('color', 'Green'), containsPair('verified', true));
      expect(heard, <_Color>[_Color.green]);
      expect(
        (await hand.node(const <String, String>{'label': 'Color'}))['value'],
        'Green',
      );
      // Not one that nobody could choose.
      expect(await choose('color', 'None'), containsPair('verified', false));
      expect(heard, hasLength(1));
      expect(await choose('size', 'l'), containsPair('value', 'l'));
      expect(
        (await hand.node(const <String, String>{'label': 'Size'}))['value'],
        'Large',
      );
    });
  });
}

enum _Color {
  red('Red'),
  green('Green'),
  none('None');

  const _Color(this.label);

  final String label;
}
