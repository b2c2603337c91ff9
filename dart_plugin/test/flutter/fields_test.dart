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

  verbTest('a dropdown of numbers is refused in words', (Hand hand) async {
    await hand.show(
      DropdownButton<int>(
        key: const ValueKey<String>('count'),
        value: 1,
        onChanged: (_) {},
        items: const <DropdownMenuItem<int>>[
          DropdownMenuItem<int>(value: 1, child: Text('1')),
        ],
      ),
    );
    final String ref = await hand.byKey('count');
    final StateError error = await hand.refuses<StateError>(
      'select_option',
      <String, String>{'ref': ref, 'value': '1'},
    );
    expect(error.message, contains('are no texts'));
  });
}
