import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';

import 'hand.dart';

void main() {
  Widget list({
    Axis axis = Axis.vertical,
    bool isReversed = false,
    Key? key,
  }) => ListView.builder(
    key: key,
    scrollDirection: axis,
    reverse: isReversed,
    itemExtent: 100,
    itemCount: 50,
    itemBuilder:
        (_, int index) => TextButton(
          onPressed: () {},
          child: Text('Row $index'),
        ),
  );

  verbTest('a list scrolls within its extents', (Hand hand) async {
    await hand.show(list());
    Future<Object?> scroll(String pixels) async =>
        (await hand.call('scroll', <String, String>{
          'pixels': pixels,
        }))['finalOffset'];
    expect(await scroll('250'), 250.0);
    expect(await scroll('100000'), 50 * 100 - 600.0);
    expect(await scroll('-100000'), 0.0);
  });

  verbTest('a list that lies on its side goes by dx', (Hand hand) async {
    await hand.show(list(axis: Axis.horizontal));
    expect(
      (await hand.call('scroll', <String, String>{
        'dx': '70',
        'dy': '30',
      }))['finalOffset'],
      70.0,
    );
  });

  verbTest('down is down in a list that begins at the bottom', (
    Hand hand,
  ) async {
    await hand.show(list(isReversed: true));
    Future<Object?> scroll(Map<String, String> how) async =>
        (await hand.call('scroll', how))['finalOffset'];
    expect(await scroll(<String, String>{'direction': 'down'}), 0.0);
    expect(await scroll(<String, String>{'direction': 'up'}), 300.0);
    expect(find.text('Row 0'), findsNothing);
    expect(await scroll(<String, String>{'dy': '-50'}), 350.0);
    expect(
      await scroll(<String, String>{'direction': 'down', 'pixels': '250'}),
      100.0,
    );
  });

  verbTest('right is right where reading goes to the left', (Hand hand) async {
    await hand.show(
      Directionality(
        textDirection: TextDirection.rtl,
        child: list(axis: Axis.horizontal),
      ),
    );
    Future<Object?> scroll(String direction) async =>
        (await hand.call('scroll', <String, String>{
          'direction': direction,
        }))['finalOffset'];
    expect(await scroll('right'), 0.0);
    expect(await scroll('left'), 300.0);
    expect(await scroll('right'), 0.0);
  });

  verbTest('the text of a field is not the list', (Hand hand) async {
    await hand.show(
      Column(
        children: <Widget>[
          const TextField(decoration: InputDecoration(labelText: 'Search')),
          Expanded(child: list()),
        ],
      ),
    );
    expect((await hand.call('scroll'))['finalOffset'], 300.0);
  });

  verbTest('a row is brought into view, through every list around it', (
    Hand hand,
  ) async {
    await hand.show(
      SingleChildScrollView(
        key: const ValueKey<String>('outer'),
        child: Column(
          children: <Widget>[
            const SizedBox(height: 900),
            SizedBox(height: 300, child: list()),
          ],
        ),
      ),
    );
    final String ref = await hand.find('Row 4');
    await hand.call('scroll', <String, String>{'ref': ref, 'intoView': 'true'});
    final Map<String, Object?> row = await hand.node(const <String, String>{
      'text': 'Row 4',
      'role': 'button',
    });
    expect(row['isVisible'], isTrue);
    expect(row['occluded'], isFalse);
  });

  verbTest('a tap scrolls its target in first', (Hand hand) async {
    bool isTapped = false;
    await hand.show(
      SingleChildScrollView(
        child: Column(
          children: <Widget>[
            const SizedBox(height: 2000),
            TextButton(
              onPressed: () => isTapped = true,
              child: const Text('Far down'),
            ),
          ],
        ),
      ),
    );
    expect(await hand.lines(), <String>['- button "Far down" [offscreen]']);
    await hand.call('tap', <String, String>{
      'ref': await hand.find('Far down'),
    });
    expect(isTapped, isTrue);
  });
}
