import 'dart:convert';
import 'dart:developer' show ServiceExtensionResponse;

import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

const UiPoint _go = UiPoint(60, 30);
const UiPoint _box = UiPoint(60, 130);
const UiPoint _nothing = UiPoint(390, 790);

void main() {
  late FakeUi ui;
  late Session session;
  late Recorder recorder;
  late List<Map<String, Object?>> events;
  late Duration now;
  late FakeNode go;
  late FakeNode box;
  late FakeNode name;
  late FakeField field;
  late FakeNode list;
  late FakeScrollable scrollable;

  UiRect at(double top, [double height = 40]) =>
      UiRect.fromLTWH(10, top, 100, height);

  setUp(() {
    field = FakeField();
    scrollable = FakeScrollable();
    go = FakeNode.button('Go', key: 'go', rect: at(10));
    box = FakeNode(label: 'Box', checked: UiCheck.off, canTap: true)
      ..rect = at(110);
    name = FakeNode(label: 'Name', isTextField: true, textField: field)
      ..rect = at(210);
    list = FakeNode(
      key: 'list',
      hasSemantics: false,
      scrollable: scrollable,
      rect: at(310, 200),
      children: <FakeNode>[
        FakeNode.text('Row 1')..rect = at(310),
        FakeNode.text('Row 2')..rect = at(360),
      ],
    );
    ui = FakeUi(<FakeNode>[go, box, name, list]);
    session = Session(ui);
    now = Duration.zero;
    events = <Map<String, Object?>>[];
    // Through JSON, as they travel.
    recorder =
        Recorder(session, clock: () => now)
          ..emit = (Map<String, Object?> event) {
            events.add(jsonDecode(jsonEncode(event)) as Map<String, Object?>);
          }
          ..onFailure = Error.throwWithStackTrace;
    recorder.start(hearsTools: false);
  });

  tearDown(() => recorder.stop());

  void pass(int milliseconds) => now += Duration(milliseconds: milliseconds);

  Future<void> soon() => Future<void>.delayed(Duration.zero);

  Future<void> quiet() =>
      Future<void>.delayed(const Duration(milliseconds: 150));

  bool send(
    UiPointerPhase phase,
    UiPoint point, {
    int pointer = 1,
    bool secondary = false,
  }) => recorder.pointer(
    UiPointerEvent(phase, point, pointer: pointer, secondary: secondary),
  );

  /// Presses, lets [then] be what the app makes of it, and lets go.
  Future<void> press(
    UiPoint point, {
    int held = 10,
    UiPoint? end,
    bool secondary = false,
    void Function()? then,
  }) async {
    send(UiPointerPhase.down, point, secondary: secondary);
    pass(held);
    if (end != null) send(UiPointerPhase.move, end, secondary: secondary);
    send(UiPointerPhase.up, end ?? point, secondary: secondary);
    if (then != null) {
      then();
      ui.change();
    }
    await soon();
  }

  void write(String text) {
    field.value = text;
    name.value = text;
    ui.change();
    recorder.edited(name);
  }

  List<Map<String, Object?>> all(String kind) => <Map<String, Object?>>[
    for (final Map<String, Object?> each in events)
      if (each['kind'] == kind) each,
  ];
  List<Object?> actions() => <Object?>[
    for (final Map<String, Object?> each in all('action')) each['action'],
  ];
  Map<String, Object?> last() => all('action').last;
  Map<String, Object?>? target([Map<String, Object?>? event]) =>
      (event ?? last())['target'] as Map<String, Object?>?;
  List<Object?> texts(Map<String, Object?> after, String which) => <Object?>[
    for (final Object? each in after[which]! as List<Object?>)
      (each! as Map<String, Object?>)['text'],
  ];

  group('a recording', () {
    test('hears of the person while it is on, and only then', () {
      expect(ui.witness, same(recorder));
      expect(ui.listeners, hasLength(1));
      recorder.stop();
      expect(ui.witness, isNull);
      expect(ui.listeners, isEmpty);
      expect(recorder.isOn, isFalse);
    });

    test('says where it ended', () async {
      await press(_go);
      final Map<String, Object?> reply = recorder.stop();
      expect(reply['run'], events.first['run']);
      expect(reply['seq'], 2);
      expect(
        events.map((Map<String, Object?> each) => each['seq']),
        <int>[1, 2],
      );
      expect(recorder.stop(), <String, Object?>{'run': null, 'seq': 0});
    });

    test('ends when the next begins', () async {
      await press(_go);
      final Object? run = events.first['run'];
      final Map<String, Object?> reply = recorder.start(hearsTools: false);
      expect(reply['seq'], 0);
      expect(reply['run'], isNot(run));
      expect(events, hasLength(2));
      await press(_go);
      expect(events.last['run'], reply['run']);
      expect(events.last['seq'], 1);
    });
  });

  group('a press', () {
    test('is a tap, told before its outcome', () async {
      await press(_go);
      expect(last()['action'], 'tap');
      expect(last()['by'], 'person');
      expect(last()['point'], <String, Object?>{'x': 60, 'y': 30});
      expect(target()!['label'], 'Go');
    });

    test('that slips a little is one, and the target is as it was', () async {
      await press(
        _go,
        end: _go.translate(10, 14),
        then: () => go.label = 'Gone',
      );
      expect(last()['action'], 'tap');
      expect(target()!['label'], 'Go');
    });

    test('of half a second is a long one', () async {
      await press(_go, held: 500);
      expect(last()['action'], 'long_press');
    });

    test('again soon makes a double click of both', () async {
      await press(_go);
      pass(290);
      await press(_go, then: () => go.label = 'Went');
      expect(actions(), <String>['tap', 'dblclick']);
      expect(last()['replaces'], <int>[1]);
      await press(_go);
      expect(last()['action'], 'tap');
      expect(last()['replaces'], isNull);
    });

    test('again is two taps when it is late, or elsewhere', () async {
      await press(_go);
      pass(310);
      await press(_go);
      await press(_box);
      expect(actions(), <String>['tap', 'tap', 'tap']);
    });

    test('of the secondary button is a right click', () async {
      await press(_go, held: 900, secondary: true);
      expect(last()['action'], 'right_click');
      await press(_go, secondary: true, end: _box);
      expect(actions(), <String>['right_click']);
    });

    test('on nothing has no target', () async {
      await press(_nothing);
      expect(last()['action'], 'tap');
      expect(target(), isNull);
    });

    test('that moves is a drag to what is there', () async {
      await press(_go, end: _box);
      expect(last()['action'], 'drag');
      expect(last()['dx'], 0);
      expect(last()['dy'], 100);
      expect(target(), containsPair('label', 'Go'));
      expect(last()['to'], containsPair('label', 'Box'));
      await press(_go, end: _nothing);
      expect(last(), containsPair('to', null));
    });

    test('out and back is one, too', () async {
      send(UiPointerPhase.down, _go);
      send(UiPointerPhase.move, _box);
      send(UiPointerPhase.up, _go);
      await soon();
      expect(last()['action'], 'drag');
    });

    test('with two fingers is nothing', () async {
      send(UiPointerPhase.down, _go);
      send(UiPointerPhase.down, _box, pointer: 2);
      send(UiPointerPhase.up, _go);
      send(UiPointerPhase.up, _box, pointer: 2);
      await quiet();
      expect(events, isEmpty);
      await press(_go);
      expect(actions(), <String>['tap']);
    });

    test('that is taken away is nothing', () async {
      send(UiPointerPhase.down, _go);
      recorder.cancel(1);
      send(UiPointerPhase.up, _go);
      await press(_go);
      expect(actions(), <String>['tap']);
    });

    test('whose end was never heard of spoils no other for long', () async {
      send(UiPointerPhase.down, _go, pointer: 7);
      pass(6000);
      await press(_go);
      expect(actions(), <String>['tap']);
    });
  });

  test('the next touch is picked, and kept from the app', () async {
    recorder.pick('v');
    expect(send(UiPointerPhase.down, _box), isTrue);
    expect(last()['action'], 'pick');
    expect(target()!['label'], 'Box');
    expect(send(UiPointerPhase.move, _go), isTrue);
    expect(send(UiPointerPhase.up, _go), isTrue);
    expect(send(UiPointerPhase.down, _box), isFalse);
    expect(send(UiPointerPhase.up, _box), isFalse);
    await quiet();
    expect(actions(), <String>['pick', 'tap']);
    recorder.stop();
    expect(all('after').map((each) => each['of']), <int>[2]);
    expect(() => recorder.pick('v'), throwsA(isA<TapirError>()));
  });

  group('scrolling', () {
    const UiPoint row = UiPoint(60, 320);

    test('by a finger or a wheel is one thing', () async {
      await press(
        const UiPoint(60, 400),
        end: row,
        then: () => scrollable.offset = 80,
      );
      expect(last()['action'], 'scroll');
      expect(last()['dy'], 80);
      expect(last()['dx'], 0);
      expect(target()!['key'], 'list');
      recorder.wheel(row);
      scrollable.offset = 130;
      ui.change();
      await soon();
      expect(last()['dy'], 130);
      expect(last()['replaces'], <int>[1]);
    });

    test('goes on after the finger has left', () async {
      await press(
        const UiPoint(60, 400),
        end: row,
        then: () => scrollable.offset = 80,
      );
      scrollable.offset = 300;
      ui.change();
      await quiet();
      expect(last()['dy'], 300);
      expect(last()['replaces'], <int>[1]);
      // Whatever moves it now is not the person.
      scrollable.offset = 0;
      ui.change();
      await quiet();
      expect(actions(), <String>['scroll', 'scroll']);
    });

    test('towards the top is negative, reversed it is not', () async {
      scrollable
        ..offset = 100
        ..isReversed = true;
      recorder.wheel(row);
      scrollable.offset = 40;
      await soon();
      expect(last()['dy'], 60);
    });

    test('beyond an end is a drag', () async {
      await press(
        row,
        end: const UiPoint(60, 400),
        then: () => scrollable.offset = -80,
      );
      expect(last()['action'], 'drag');
      expect(target()!['label'], 'Row 1');
    });

    test('by a wheel that moves nothing is nothing', () async {
      recorder
        ..wheel(row)
        ..wheel(_go);
      await quiet();
      expect(events, isEmpty);
    });
  });

  group('a text', () {
    setUp(() => ui.focused = name);

    test('is told as it grows, from where it began', () async {
      await quiet();
      write('a');
      write('ab');
      expect(last()['action'], 'fill');
      expect(last()['text'], 'ab');
      expect(last()['replaces'], <int>[1]);
      expect(target()!['value'], isNull);
      expect(last(), isNot(contains('obscured')));
      await press(_go);
      write('abc');
      expect(last()['replaces'], isNull);
      expect(target()!['value'], 'ab');
    });

    test('says when a person cannot see it', () async {
      name.isObscured = true;
      ui.change();
      write('secret');
      expect(last()['text'], 'secret');
      expect(last()['obscured'], isTrue);
      expect(target()!['obscured'], isTrue);
    });

    test('comes after what the tap before it did', () async {
      await press(const UiPoint(60, 230));
      write('a');
      final Map<String, Object?> after = all('after').single;
      expect(after['of'], 1);
      expect(after['target'], containsPair('value', null));
    });

    test('is not told key by key', () async {
      recorder
        ..key(const UiKeyPress('A'))
        ..key(const UiKeyPress('Backspace'));
      await quiet();
      expect(events, isEmpty);
    });

    test('takes the key that edits it', () async {
      recorder.key(
        const UiKeyPress('Backspace', <UiModifier>[UiModifier.control]),
      );
      write('');
      await soon();
      expect(actions(), <String>['fill']);
    });

    test('takes the key of a paste that comes late', () async {
      recorder.key(const UiKeyPress('V', <UiModifier>[UiModifier.meta]));
      await soon();
      expect(last()['modifiers'], <String>['meta']);
      pass(100);
      write('pasted');
      expect(last()['replaces'], <int>[1]);
    });

    test('leaves the other keys', () async {
      recorder.key(const UiKeyPress('Enter'));
      await soon();
      expect(last()['key'], 'Enter');
      expect(last()['modifiers'], isEmpty);
      expect(target()!['label'], 'Name');
      field.isMultiline = true;
      recorder.key(const UiKeyPress('Enter'));
      await soon();
      expect(actions(), <String>['key']);
    });
  });

  test('keys go to what has the focus, or to nobody', () async {
    recorder.key(
      const UiKeyPress('S', <UiModifier>[
        UiModifier.shift,
        UiModifier.control,
      ]),
    );
    await soon();
    expect(target(), isNull);
    expect(last()['modifiers'], <String>['control', 'shift']);
    ui.focused = box;
    recorder.key(const UiKeyPress('Space'));
    await soon();
    expect(target()!['label'], 'Box');
    recorder.key(const UiKeyPress('Shift'));
    await soon();
    expect(actions(), <String>['key', 'key']);
  });

  test('the platform sends back and elsewhere', () {
    recorder
      ..back()
      ..route('/home');
    expect(actions(), <String>['back', 'route']);
    expect(last()['route'], '/home');
    expect(last(), containsPair('target', null));
  });

  group('a dropdown', () {
    late FakeNode size;
    late FakeDropdown dropdown;
    late FakeNode menu;
    const UiPoint onSize = UiPoint(60, 610);

    setUp(() {
      dropdown = FakeDropdown(<String>['S', 'L'], 'S');
      size = FakeNode.button('Size', key: 'size', rect: at(600))
        ..value = 'S'
        ..dropdown = dropdown;
      menu = FakeNode(
        hasSemantics: false,
        rect: at(700, 80),
        children: <FakeNode>[
          FakeNode.button('S', rect: at(700)),
          FakeNode.button('L', rect: at(740)),
        ],
      );
      ui.top.add(size);
      ui.change();
    });

    void open() {
      ui.top.add(menu);
      size.isReachable = false;
    }

    void close() {
      ui.top.remove(menu);
      size.isReachable = true;
    }

    test('is told by the option', () async {
      await press(onSize, then: open);
      expect(target()!['dropdown'], isTrue);
      await quiet();
      pass(400);
      await press(const UiPoint(60, 750), then: () {
        close();
        dropdown.value = size.value = 'L';
      });
      expect(last()['action'], 'select');
      expect(last()['value'], 'L');
      expect(last()['replaces'], <int>[1]);
      expect(target()!['label'], 'Size');
      expect(target()!['value'], 'S');
      await quiet();
      expect(
        all('after').last['target'],
        containsPair('value', 'L'),
      );
    });

    test('is told when the option has another name', () async {
      menu.nodes.last.label = 'Large';
      await press(onSize, then: open);
      pass(400);
      await press(const UiPoint(60, 750), then: close);
      expect(actions(), <String>['tap', 'tap']);
      dropdown.value = 'L';
      ui.change();
      await quiet();
      expect(last()['value'], 'L');
      expect(last()['replaces'], <int>[1, 3]);
    });

    test('is not told when nothing was chosen', () async {
      await press(onSize, then: open);
      pass(400);
      await press(_nothing, then: close);
      await quiet();
      await press(_go, then: () => dropdown.value = 'L');
      await quiet();
      expect(actions(), <String>['tap', 'tap', 'tap']);
    });

    test('is left alone when its options are no texts', () async {
      dropdown = FakeDropdown(<Object>[1, 2], 1);
      size.dropdown = dropdown;
      menu.nodes.last.label = '2';
      await press(onSize, then: open);
      pass(400);
      await press(const UiPoint(60, 750), then: () {
        close();
        dropdown.value = 2;
      });
      await quiet();
      expect(actions(), <String>['tap', 'tap']);
    });
  });

  group('what came of it', () {
    test('is told when the app is quiet, and again', () async {
      await press(_go, then: () {
        ui.uri = '/next';
        ui.top.add(FakeNode.text('Hello')..rect = at(500));
        box.label = 'Bin';
      });
      expect(all('after'), isEmpty);
      await quiet();
      final Map<String, Object?> after = all('after').single;
      expect(after['of'], 1);
      expect(after['route'], <String, Object?>{'from': '/', 'to': '/next'});
      expect(texts(after, 'appeared'), <String>['Bin', 'Hello']);
      expect(texts(after, 'gone'), <String>['Box']);
      expect(
        (after['appeared']! as List<Object?>).last,
        <String, Object?>{'text': 'Hello', 'role': '', 'count': 1},
      );
      expect(after['target'], <String, Object?>{
        'value': null,
        'isEnabled': true,
      });
      ui.change();
      await quiet();
      expect(all('after'), hasLength(1));
      ui.top.remove(go);
      ui.change();
      await quiet();
      expect(all('after'), hasLength(2));
      expect(all('after').last, containsPair('target', null));
    });

    test('waits for the frames that are due', () async {
      ui.isScheduled = true;
      await press(_go);
      await quiet();
      expect(all('after'), isEmpty);
      ui.isScheduled = false;
      await quiet();
      expect(all('after'), hasLength(1));
    });

    test('ends where the next action begins', () async {
      await press(_box, then: () => box.checked = UiCheck.on);
      pass(400);
      send(UiPointerPhase.down, _box);
      box.checked = UiCheck.off;
      ui.change();
      send(UiPointerPhase.up, _box);
      await soon();
      expect(all('after').single['of'], 1);
      expect(all('after').single['target'], containsPair('checked', true));
      recorder.stop();
      expect(all('after').last['target'], containsPair('checked', false));
    });

    test('leaves out what is long, hidden, covered or too much', () async {
      UiRect line(int i) => UiRect.fromLTWH(10, 500 + 5.0 * i, 100, 4);
      await press(_go, then: () {
        ui.top
          ..add(FakeNode.text('x' * 201)..rect = line(0))
          ..add(FakeNode.text('below')..rect = at(900))
          ..add(FakeNode.text('covered')..rect = line(2))
          ..add(FakeNode(value: '7 %')..rect = line(2));
        for (int i = 3; i < 33; i++) {
          ui.top.add(FakeNode.text('more $i')..rect = line(i));
        }
      });
      recorder.stop();
      final List<Object?> seen = texts(all('after').single, 'appeared');
      expect(seen, hasLength(20));
      expect(seen.first, '7 %');
    });
  });

  group('a target', () {
    test('is the innermost thing that can be used', () async {
      list.nodes.first.add(
        FakeNode(typeName: 'Icon', hasSemantics: false, rect: at(310)),
      );
      ui.change();
      await press(const UiPoint(60, 320));
      expect(target()!['label'], 'Row 1');
      list
        ..hasSemantics = true
        ..canTap = true;
      ui.change();
      await press(const UiPoint(60, 320));
      expect(target()!['key'], 'list');
      expect(target()!['role'], 'button');
    });

    test('is what has a key when nothing says anything', () async {
      await press(const UiPoint(60, 450));
      expect(target()!['key'], 'list');
      expect(target()!['text'], 'Row 1\nRow 2');
      list.key = '[GlobalKey#1a2b3]';
      ui.change();
      await press(const UiPoint(60, 450));
      expect(target(), isNull);
    });

    test('is described with the ways to find it', () async {
      FakeNode row(String key, double top) => FakeNode(
        key: key,
        hasSemantics: false,
        rect: at(top),
        children: <FakeNode>[FakeNode.button('Del', rect: at(top))],
      );
      ui.top
        ..add(row('a', 600))
        ..add(row('b', 700));
      ui.change();
      await press(const UiPoint(60, 710));
      expect(target(), <String, Object?>{
        'role': 'button',
        'label': 'Del',
        'value': null,
        'text': null,
        'key': null,
        'type': 'Widget',
        'bounds': <String, Object?>{'x': 10, 'y': 700, 'w': 100, 'h': 40},
        'isEnabled': true,
        'candidates': <Object?>[
          for (final (Map<String, String> by, int count, int index, bool inB)
              in <(Map<String, String>, int, int, bool)>[
                ({'role': 'button', 'label': 'Del'}, 2, 1, false),
                ({'label': 'Del'}, 2, 1, false),
                ({'role': 'button'}, 3, 2, false),
                ({'role': 'button', 'label': 'Del'}, 1, 0, true),
                ({'role': 'button'}, 1, 0, true),
              ])
            <String, Object?>{
              'by': by,
              if (inB) 'within': <String, String>{'key': 'b'},
              'count': count,
              'index': index,
            },
        ],
      });
    });

    test('tells what it is beside its role', () async {
      box.isExclusive = true;
      ui.change();
      await press(_box);
      expect(target()!['radio'], isTrue);
      expect(target()!['checked'], isFalse);
      field.isMultiline = true;
      await press(const UiPoint(60, 230));
      expect(target()!['multiline'], isTrue);
      expect(target()!['role'], 'textbox');
    });
  });

  group('a verb', () {
    late VerbServer server;
    late String ref;

    setUp(() {
      server = VerbServer(session);
      recorder.stop();
      recorder = session.recorder;
      recorder.emit = (Map<String, Object?> event) {
        events.add(jsonDecode(jsonEncode(event)) as Map<String, Object?>);
      };
      ref = session.refs.query(const Predicate(key: 'go')).token;
      ui.onPointer = (UiPointerEvent event) {
        if (event.phase != UiPointerPhase.up) return;
        go.label = 'Gone';
        ui.change();
      };
    });

    Future<ServiceExtensionResponse> ask(
      String verb,
      Map<String, String> values,
    ) => server.answer('ext.tapir.$verb', tapirVerbs[verb]!, values);

    test('is told when that was asked for', () async {
      recorder.start(hearsTools: true);
      await ask('tap', <String, String>{
        'ref': ref,
        'requestId': '1',
        'snapshot': 'none',
      });
      expect(last()['by'], 'tool');
      expect(last()['action'], 'tap');
      expect(last()['params'], <String, Object?>{'snapshot': 'none'});
      expect(target()!['label'], 'Go');
      recorder.stop();
      expect(texts(all('after').single, 'appeared'), <String>['Gone']);
    });

    test('is not told when it looks or fails', () async {
      recorder.start(hearsTools: true);
      await ask('snap', <String, String>{});
      await ask('tap', <String, String>{'ref': 'e99'});
      expect(events, isEmpty);
    });

    test('is not told otherwise, and takes nothing for its own', () async {
      recorder.start(hearsTools: false);
      await press(_box);
      await ask('tap', <String, String>{'ref': ref});
      recorder.stop();
      expect(actions(), <String>['tap']);
      expect(texts(all('after').single, 'appeared'), isEmpty);
    });
  });

  test('an app does not fail because somebody looks on', () {
    recorder.onFailure = null;
    ui.onHitTest = (UiPoint _) => throw StateError('broken');
    expect(send(UiPointerPhase.down, _go), isFalse);
    expect(send(UiPointerPhase.up, _go), isFalse);
    expect(events, isEmpty);
  });
}
