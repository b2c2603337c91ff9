import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

void main() {
  late FakeUi ui;
  late Session session;

  setUp(() {
    FakeNode row(int number, String name) => FakeNode(
      key: 'row-$number',
      hasSemantics: false,
      typeName: 'Card',
      rect: UiRect.fromLTWH(0, number * 50.0, 400, 50),
      children: <FakeNode>[
        FakeNode.text(name)
          ..rect = UiRect.fromLTWH(0, number * 50.0, 100, 20),
        FakeNode.button(
          'Delete',
          key: 'delete-$number',
          rect: UiRect.fromLTWH(300, number * 50.0, 80, 40),
        ),
      ],
    );
    ui = FakeUi(<FakeNode>[
      row(0, 'Milk'),
      row(1, 'Bread'),
      FakeNode(
        label: 'Fast',
        toggled: true,
        canTap: true,
        rect: const UiRect.fromLTWH(0, 200, 100, 40),
      ),
      FakeNode(
        label: 'All',
        checked: UiCheck.mixed,
        isEnabled: false,
        rect: const UiRect.fromLTWH(0, 300, 100, 40),
      ),
      FakeNode(
        canTap: true,
        rect: const UiRect.fromLTWH(0, 400, 100, 40),
        children: <FakeNode>[
          FakeNode(
            text: 'inside',
            hasSemantics: false,
            rect: const UiRect.fromLTWH(0, 400, 100, 40),
          ),
        ],
      ),
    ]);
    session = Session(ui);
  });

  Map<String, Object?> ask(Map<String, String> values) => queryScreen(
    session.screen,
    session.refs,
    Params('ext.tapir_replay.query', values),
  );
  List<Map<String, Object?>> nodes(Map<String, String> values) =>
      (ask(values)['nodes']! as List<Object?>).cast<Map<String, Object?>>();

  test('lists everything that says something when nothing is asked', () {
    expect(
      nodes({}).map((each) => each['label']),
      <String>['Milk', 'Delete', 'Bread', 'Delete', 'Fast', 'All', ''],
    );
  });

  test('describes a node', () {
    expect(nodes({'key': 'delete-1'}), <Object?>[
      <String, Object?>{
        'ref': 'e1',
        'role': 'button',
        'label': 'Delete',
        'value': null,
        'bounds': <String, Object?>{
          'x': 300.0,
          'y': 50.0,
          'w': 80.0,
          'h': 40.0,
        },
        'isEnabled': true,
        'isVisible': true,
        'inViewport': true,
        'occluded': false,
        'text': null,
        'key': 'delete-1',
        'path': '/ Widget',
      },
    ]);
  });

  test('describes a keyed container', () {
    final Map<String, Object?> row = nodes({'key': 'row-1'}).single;
    expect(row['role'], '');
    expect(row['label'], '');
    expect(row['text'], 'Bread');
    expect(row['path'], '/ Card');
  });

  test('the ref stays with the node when rows come and go', () {
    final Object? before = nodes({'key': 'delete-1'}).single['ref'];
    ui.top.remove(ui.top.nodes.first);
    ui.change();
    expect(nodes({'label': 'Delete'}).single['ref'], before);
  });

  test('asks for all of its predicates', () {
    expect(ask({'label': 'Delete'})['count'], 2);
    expect(ask({'label': 'Delete', 'role': 'link'})['count'], 0);
    expect(ask({'role': 'button', 'key': 'delete-0'})['count'], 1);
    expect(ask({'key': 'row-0', 'text': 'Milk'})['count'], 1);
    expect(ask({'key': 'row-0', 'text': 'Bread'})['count'], 0);
    expect(ask({'value': 'x'})['count'], 0);
  });

  test('takes words from a label before those of a text inside', () {
    expect(nodes({'text': 'Milk'}).single['role'], '');
    final Map<String, Object?> unnamed = nodes({'text': 'inside'}).single;
    expect(unnamed['role'], 'button');
    expect(unnamed['text'], 'inside');
    expect(ask({'contains': 'elet'})['count'], 2);
    expect(ask({'matches': '^(Milk|Bread)\$'})['count'], 2);
  });

  test('an empty label is a predicate', () {
    expect(nodes({'label': '', 'role': 'button'}), hasLength(1));
  });

  group('names beside the label', () {
    setUp(() {
      ui.top
        ..add(
          FakeNode(
            isButton: true,
            canTap: true,
            tooltip: 'Clear',
            identifier: 'clear-it',
          ),
        )
        ..add(FakeNode(label: 'Town', isTextField: true, hint: 'Where'));
      ui.change();
    });

    test('are found by, and told where there are any', () {
      final Map<String, Object?> clear = nodes({'tooltip': 'Clear'}).single;
      expect(clear['role'], 'button');
      expect(clear['identifier'], 'clear-it');
      expect(clear.keys, isNot(contains('hint')));
      expect(nodes({'identifier': 'clear-it'}).single['tooltip'], 'Clear');
      expect(nodes({'hint': 'Where'}).single['label'], 'Town');
      expect(ask({'tooltip': 'Clear', 'role': 'textbox'})['count'], 0);
    });

    test('are missing where they are empty', () {
      for (final String name in <String>['identifier', 'tooltip', 'hint']) {
        expect(ask({name: ''})['count'], 0);
        expect(ask({name: 'else'})['count'], 0);
      }
    });

    test('are ways to find it again', () {
      final FakeNode star = FakeNode(
        isButton: true,
        canTap: true,
        tooltip: 'Star',
        hint: 'Twice',
        identifier: 'star-it',
      );
      ui.top.nodes.first.add(star);
      ui.change();
      final List<Object?> ways =
          describeElement(session.screen, star).fields['candidates']!
              as List<Object?>;
      Object? by(Object? way) => (way! as Map<String, Object?>)['by'];
      final Map<String, Object?> hinted = <String, Object?>{
        'role': 'button',
        'hint': 'Twice',
      };
      final Map<String, Object?> tipped = <String, Object?>{
        'role': 'button',
        'tooltip': 'Star',
      };
      final Map<String, Object?> role = <String, Object?>{'role': 'button'};
      expect(ways.map(by), <Object?>[
        <String, Object?>{'identifier': 'star-it'},
        hinted,
        tipped,
        role,
        // In the row.
        hinted,
        tipped,
        role,
      ]);
      expect(ways.last, containsPair('within', {'key': 'row-0'}));
    });

    test('are enough to be listed', () {
      ui.top.add(FakeNode(tooltip: 'Told'));
      ui.change();
      expect(nodes({}).last['tooltip'], 'Told');
    });
  });

  test('tells a state, and mixed as null', () {
    expect(nodes({'label': 'Fast'}).single['checked'], isTrue);
    final Map<String, Object?> all = nodes({'label': 'All'}).single;
    expect(all, contains('checked'));
    expect(all['checked'], isNull);
    expect(all['isEnabled'], isFalse);
    expect(
      nodes({'key': 'delete-0'}).single.keys,
      isNot(contains('checked')),
    );
  });

  test('stays inside, without what it is inside of', () {
    final Object? row = nodes({'key': 'row-1'}).single['ref'];
    expect(
      nodes({'within': '$row'}).map((each) => each['label']),
      <String>['Bread', 'Delete'],
    );
    expect(
      () => ask({'within': 'e99'}),
      throwsA(isA<TapirError>().having((e) => e.type, 'type', 'not_found')),
    );
  });

  test('counts beyond its limit', () {
    final Map<String, Object?> reply = ask({'limit': '2'});
    expect(reply['count'], 7);
    expect(reply['nodes'], hasLength(2));
  });

  test('names an expression that is not valid', () {
    expect(
      () => ask({'matches': '('}),
      throwsA(
        isA<TapirError>()
            .having((e) => e.type, 'type', 'missing_param')
            .having((e) => e.message, 'message', contains('"matches"')),
      ),
    );
  });

  test('leaves out what cannot be reached', () {
    void cover(FakeNode node) {
      node.isReachable = false;
      node.nodes.forEach(cover);
    }

    cover(ui.top.nodes.first);
    ui.change();
    expect(ask({'label': 'Delete'})['count'], 1);
    expect(ask({'key': 'row-0'})['count'], 0);
  });

  group('what the app adds', () {
    setUp(() {
      session.enrichers
        ..add(
          (UiElement each) =>
              each.key == 'delete-0' ? 'magicRoute: /x' : null,
        )
        ..add(
          (UiElement each) =>
              each.key == 'delete-0'
                  ? 'wind:\n  breakpoint: md\n  states: [hover, focus]\n  z: 1'
                  : null,
        )
        ..add((UiElement each) => 'role: not this one');
    });

    Map<String, Object?> candidate({required bool full}) => observeScreen(
      session.screen,
      session.refs,
      limit: 1,
      enrich: (UiElement e) => enricherFields(session, e, full: full),
    ).single;

    test('is a field of a candidate, and never takes the place of one', () {
      final Map<String, Object?> some = candidate(full: false);
      expect(some['role'], 'button');
      expect(some['magicRoute'], '/x');
      expect(some['wind'], <String, String>{
        'breakpoint': 'md',
        'states': 'hover, focus',
      });
      expect(candidate(full: true)['wind'], contains('z'));
    });

    test('is a line of a snapshot', () {
      expect(
        enricherLines(session, ui.top.nodes.first.nodes[1]).take(3),
        <String>['magicRoute: /x', 'wind:', '  breakpoint: md'],
      );
    });
  });
}
