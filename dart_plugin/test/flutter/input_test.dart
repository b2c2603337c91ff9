import 'package:flutter/gestures.dart';
import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:tapir_replay/core.dart';

import 'hand.dart';

void main() {
  late List<String> heard;

  setUp(() => heard = <String>[]);

  Widget pad() => MouseRegion(
    onEnter: (_) => heard.add('enter'),
    child: GestureDetector(
      onTap: () => heard.add('tap'),
      onDoubleTap: () => heard.add('double'),
      onLongPress: () => heard.add('long'),
      onSecondaryTap: () => heard.add('secondary'),
      child: const ColoredBox(color: Colors.blue, child: Text('Pad')),
    ),
  );

  verbTest('each gesture is heard', (Hand hand) async {
    await hand.show(Center(child: pad()));
    final Map<String, String> target = <String, String>{
      'ref': await hand.find('Pad'),
    };
    await hand.call('tap', target);
    await hand.tester.pump(kDoubleTapTimeout);
    expect(heard, <String>['tap']);
    await hand.call('dblclick', target);
    expect(heard, <String>['tap', 'double']);
    await hand.call('right_click', target);
    expect(heard.last, 'secondary');
  });

  verbTest('two taps are no double click', (Hand hand) async {
    await hand.show(Center(child: pad()));
    final Map<String, String> target = <String, String>{
      'ref': await hand.find('Pad'),
    };
    await hand.call('tap', target);
    await hand.call('tap', target);
    await hand.tester.pump(kDoubleTapTimeout);
    expect(heard, <String>['tap', 'tap']);
  });

  verbTest('a mouse comes and hovers', (Hand hand) async {
    await hand.show(Center(child: pad()));
    await hand.call('hover', <String, String>{'ref': await hand.find('Pad')});
    expect(heard, <String>['enter']);
  });

  verbTest('a drag starts a Draggable and drops it', (Hand hand) async {
    await hand.show(
      Column(
        crossAxisAlignment: CrossAxisAlignment.stretch,
        children: <Widget>[
          const Draggable<String>(
            data: 'card',
            feedback: Text('flying'),
            child: Text('Card'),
          ),
          const SizedBox(height: 100),
          DragTarget<String>(
            onAcceptWithDetails:
                (DragTargetDetails<String> details) => heard.add(details.data),
            builder:
                (_, __, ___) => const SizedBox(
                  height: 100,
                  child: Text('Basket'),
                ),
          ),
        ],
      ),
    );
    await hand.call('drag', <String, String>{
      'startRef': await hand.find('Card'),
      'endRef': await hand.find('Basket'),
    });
    expect(heard, <String>['card']);
  });

  verbTest('a drag holds what has to be held, and nothing else', (
    Hand hand,
  ) async {
    await hand.tester.pumpWidget(
      MaterialApp(
        theme: ThemeData(platform: TargetPlatform.android),
        home: Scaffold(
          body: Column(
            children: <Widget>[
              const LongPressDraggable<String>(
                data: 'card',
                feedback: Text('flying'),
                child: Text('Card'),
              ),
              DragTarget<String>(
                onAcceptWithDetails:
                    (DragTargetDetails<String> details) =>
                        heard.add(details.data),
                builder:
                    (_, __, ___) => const SizedBox(
                      height: 100,
                      child: Text('Basket'),
                    ),
              ),
              Expanded(
                child: ReorderableListView(
                  onReorder: (int from, int to) => heard.add('$from to $to'),
                  children: <Widget>[
                    for (final String each in <String>['A', 'B', 'C'])
                      Dismissible(
                        key: ValueKey<String>(each),
                        onDismissed: (_) => heard.add('$each gone'),
                        confirmDismiss: (_) async {
                          heard.add('$each wiped');
                          return false;
                        },
                        child: ListTile(title: Text(each)),
                      ),
                  ],
                ),
              ),
            ],
          ),
        ),
      ),
    );
    await hand.call('drag', <String, String>{
      'startRef': await hand.find('Card'),
      'endRef': await hand.find('Basket'),
    });
    expect(heard, <String>['card']);
    await hand.call('drag', <String, String>{
      'startRef': await hand.find('A'),
      'dx': '-600',
    });
    await hand.tester.pumpAndSettle();
    expect(heard.last, 'A wiped');
    await hand.call('drag', <String, String>{
      'startRef': await hand.find('A'),
      'dy': '130',
    });
    await hand.tester.pumpAndSettle();
    expect(heard.last, '0 to 3');
  });

  verbTest('shortcuts hear keys with their modifiers', (Hand hand) async {
    await hand.show(
      CallbackShortcuts(
        bindings: <ShortcutActivator, VoidCallback>{
          const SingleActivator(LogicalKeyboardKey.keyS, control: true):
              () => heard.add('save'),
          const SingleActivator(LogicalKeyboardKey.f5):
              () => heard.add('reload'),
        },
        child: const TextField(autofocus: true),
      ),
    );
    await hand.tester.pump();
    await hand.call('press_key', <String, String>{
      'key': 's',
      'modifiers': 'ctrl',
    });
    await hand.call('press_key', <String, String>{'key': 'S'});
    await hand.call('press_key', <String, String>{'key': 'f5'});
    expect(heard, <String>['save', 'reload']);
    expect(HardwareKeyboard.instance.logicalKeysPressed, isEmpty);
  });

  verbTest('Enter submits where it begins no line, once', (Hand hand) async {
    await hand.show(
      Column(
        children: <Widget>[
          TextField(
            decoration: const InputDecoration(labelText: 'One'),
            onSubmitted: (String text) => heard.add(text),
          ),
          CallbackShortcuts(
            bindings: <ShortcutActivator, VoidCallback>{
              const SingleActivator(LogicalKeyboardKey.enter):
                  () => heard.add('shortcut'),
            },
            child: TextField(
              decoration: const InputDecoration(labelText: 'Two'),
              onSubmitted: (_) => heard.add('submitted'),
            ),
          ),
          TextField(
            decoration: const InputDecoration(labelText: 'Chat'),
            maxLines: null,
            textInputAction: TextInputAction.send,
            onSubmitted: (String text) => heard.add(text),
          ),
        ],
      ),
    );
    for (final String label in <String>['One', 'Two', 'Chat']) {
      await hand.call('fill', <String, String>{
        'ref': await hand.find(label),
        'text': label,
      });
      await hand.call('press_key', <String, String>{'key': 'Enter'});
    }
    expect(heard, <String>['One', 'shortcut', 'Chat']);
  });

  verbTest('the focus comes and goes', (Hand hand) async {
    await hand.show(
      Column(
        children: <Widget>[
          const TextField(decoration: InputDecoration(labelText: 'Name')),
          ElevatedButton(onPressed: () {}, child: const Text('Go')),
        ],
      ),
    );
    expect((await hand.call('blur'))['hadFocus'], isFalse);
    await hand.call('focus', <String, String>{'ref': await hand.find('Name')});
    expect(
      (await hand.node(const <String, String>{'label': 'Name'}))['focused'],
      isTrue,
    );
    await hand.call('press_key', <String, String>{'key': 'Tab'});
    expect(
      (await hand.node(const <String, String>{'label': 'Go'}))['focused'],
      isTrue,
    );
    expect((await hand.call('blur'))['hadFocus'], isTrue);
    expect((await hand.call('blur'))['hadFocus'], isFalse);
  });

  verbTest('only what can take the focus gets it', (Hand hand) async {
    await hand.show(
      const Column(
        children: <Widget>[
          ElevatedButton(onPressed: null, child: Text('Off')),
          Text('Plain'),
        ],
      ),
    );
    final String off = await hand.find('Off');
    expect(
      (await hand.call('focus', <String, String>{'ref': off}))['focused'],
      isTrue,
    );
    final String plain = await hand.find('Plain');
    expect(
      (await hand.refuses<TapirError>('focus', <String, String>{
        'ref': plain,
      })).message,
      contains('no Focus ancestor or descendant'),
    );
  });
}
