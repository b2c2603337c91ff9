import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

Matcher _error(String type, Object? message) => throwsA(
  isA<TapirError>()
      .having((e) => e.type, 'type', type)
      .having((e) => e.message, 'message', message),
);

void main() {
  late FakeUi ui;
  late Session session;

  Target resolve(String ref) =>
      session.refs.resolve(ref, notFound: 'not found: $ref');

  String refOf(FakeNode node) =>
      session.refs.ofNode(session.screen, node).token;

  void start(List<FakeNode> nodes) {
    ui = FakeUi(nodes);
    session = Session(ui);
  }

  group('an e ref', () {
    test('stays with its node', () {
      final FakeNode node = FakeNode.button('A');
      start(<FakeNode>[node]);
      expect(refOf(node), 'e1');
      ui.change();
      expect(refOf(node), 'e1');
      expect(resolve('e1').element, same(node));
      expect(resolve('e1').reresolved, isFalse);
    });

    test('of another node is another', () {
      start(<FakeNode>[FakeNode.button('A'), FakeNode.button('A')]);
      expect(ui.top.nodes.map(refOf), <String>['e1', 'e2']);
    });

    test('of an element stays with it, of a search is new', () {
      final FakeNode node = FakeNode(hasSemantics: false, key: 'k');
      start(<FakeNode>[node]);
      expect(session.refs.ofElement(node).token, 'e1');
      expect(session.refs.ofElement(node).token, 'e1');
      expect(session.refs.freshOfElement(node).token, 'e2');
      expect(session.refs.freshOfElement(node).token, 'e3');
    });

    test('that was never given out is not found, with suggestions', () {
      start(<FakeNode>[FakeNode.button('A')]);
      refOf(ui.top.nodes.single);
      expect(
        () => resolve('e11'),
        throwsA(
          isA<TapirError>()
              .having((e) => e.type, 'type', 'not_found')
              .having((e) => e.message, 'message', 'not found: e11')
              .having((e) => e.suggestions, 'suggestions', contains('e1')),
        ),
      );
    });

    test('that is gone is suggested to nobody', () {
      start(<FakeNode>[FakeNode.button(''), FakeNode.button('')]);
      ui.top.nodes.forEach(refOf);
      ui.top.remove(ui.top.nodes[0]);
      ui.change();
      expect(
        () => resolve('e9'),
        throwsA(
          isA<TapirError>().having((e) => e.suggestions, 'suggestions', ['e2']),
        ),
      );
    });

    test('finds the node that took the place of its own', () {
      start(<FakeNode>[FakeNode.button('A'), FakeNode.button('A')]);
      final String ref = refOf(ui.top.nodes[1]);
      ui.top.remove(ui.top.nodes[1]);
      final FakeNode fresh = FakeNode.button('A');
      ui.top.add(fresh);
      ui.change();
      expect(resolve(ref).element, same(fresh));
      expect(resolve(ref).reresolved, isTrue);
    });

    test('is stale when the number of its label differs', () {
      start(<FakeNode>[FakeNode.button('A'), FakeNode.button('A')]);
      final String ref = refOf(ui.top.nodes[0]);
      ui.top.remove(ui.top.nodes[0]);
      ui.change();
      expect(
        () => resolve(ref),
        _error(
          'stale',
          'Widget ref=$ref is not actionable: '
              'defunct (element no longer mounted)',
        ),
      );
    });

    test('is stale on another route', () {
      start(<FakeNode>[FakeNode.button('A')]);
      final String ref = refOf(ui.top.nodes[0]);
      ui.top.remove(ui.top.nodes[0]);
      ui.top.add(FakeNode.button('A')..routeName = '/other');
      ui.change();
      expect(() => resolve(ref), _error('stale', contains('defunct')));
    });

    test('without a label is stale once its element is gone', () {
      start(<FakeNode>[FakeNode.button('')]);
      final String ref = refOf(ui.top.nodes[0]);
      ui.top.remove(ui.top.nodes[0]);
      ui.top.add(FakeNode.button(''));
      ui.change();
      expect(() => resolve(ref), _error('stale', contains('defunct')));
    });

    test('survives a while under a dialog', () {
      start(<FakeNode>[FakeNode.button('A')]);
      final String ref = refOf(ui.top.nodes[0]);
      ui.top.nodes[0].isReachable = false;
      ui.change();
      expect(resolve(ref).element, same(ui.top.nodes[0]));
    });
  });

  group('a q ref', () {
    test('is new on every call', () {
      start(<FakeNode>[FakeNode.button('A')]);
      const Predicate predicate = Predicate(text: 'A');
      expect(session.refs.query(predicate).token, 'q1');
      expect(session.refs.query(predicate).token, 'q2');
    });

    test('is looked up anew on every use', () {
      start(<FakeNode>[FakeNode.button('A')]);
      final String ref = session.refs.query(const Predicate(text: 'A')).token;
      ui.top.remove(ui.top.nodes[0]);
      ui.change();
      expect(
        () => resolve(ref),
        _error(
          'stale',
          'Query handle ref=$ref is stale: '
              'no live match for stored predicates',
        ),
      );
      ui.top.add(FakeNode.button('A'));
      ui.change();
      expect(resolve(ref).element, same(ui.top.nodes[0]));
    });

    test('of an observation is a position', () {
      start(<FakeNode>[FakeNode.button('A'), FakeNode.button('A')]);
      final List<Map<String, Object?>> found = observeScreen(
        session.screen,
        session.refs,
        limit: 50,
      );
      expect(found.map((each) => each['ref']), <String>['q1', 'q2']);
      expect(resolve('q2').element, same(ui.top.nodes[1]));
      ui.top.remove(ui.top.nodes[0]);
      ui.change();
      expect(resolve('q1').element, same(ui.top.nodes[0]));
      expect(() => resolve('q2'), _error('stale', contains('q2')));
    });

    test('of an observation without a label goes by the value', () {
      start(<FakeNode>[
        FakeNode(isTextField: true, value: 'v'),
        FakeNode(isTextField: true),
      ]);
      observeScreen(session.screen, session.refs, limit: 50);
      expect(resolve('q1').element, same(ui.top.nodes[0]));
      expect(() => resolve('q2'), _error('stale', contains('q2')));
    });
  });

  group('find', () {
    Found? find(Predicate predicate, {UiElement? scope}) =>
        findFirst(session.screen, predicate, scope: scope);

    test('prefers what can be used', () {
      start(<FakeNode>[
        FakeNode(label: 'Save', isHeader: true),
        FakeNode.button('Save'),
      ]);
      expect(
        find(const Predicate(text: 'Save'))?.element,
        same(ui.top.nodes[1]),
      );
    });

    test('takes a label before a text', () {
      start(<FakeNode>[
        FakeNode(text: 'Save', hasSemantics: false),
        FakeNode.text('Save'),
      ]);
      expect(
        find(const Predicate(text: 'Save'))?.element,
        same(ui.top.nodes[1]),
      );
      expect(find(const Predicate(semanticsLabel: 'Sav')), isNull);
      expect(
        find(const Predicate(contains: 'av'))?.element,
        same(ui.top.nodes[1]),
      );
      ui.top.nodes[1].label = 'Send';
      ui.change();
      expect(
        find(const Predicate(contains: 'av'))?.element,
        same(ui.top.nodes[0]),
      );
      expect(find(const Predicate(semanticsLabel: 'Save')), isNull);
    });

    test('knows a key in two spellings, and a text inside it', () {
      start(<FakeNode>[
        FakeNode(
          key: 'row',
          hasSemantics: false,
          children: <FakeNode>[FakeNode.text('one')],
        ),
        FakeNode(
          key: 'row',
          hasSemantics: false,
          children: <FakeNode>[FakeNode.text('two')],
        ),
      ]);
      expect(
        find(const Predicate(key: 'row'))?.element,
        same(ui.top.nodes[0]),
      );
      expect(
        find(const Predicate(key: "[<'row'>]", text: 'two'))?.element,
        same(ui.top.nodes[1]),
      );
      expect(find(const Predicate(key: 'row', text: 'three')), isNull);
    });

    test('stays inside its scope', () {
      start(<FakeNode>[
        FakeNode(children: <FakeNode>[FakeNode.button('A')]),
        FakeNode(children: <FakeNode>[FakeNode.button('A')]),
      ]);
      final FakeNode second = ui.top.nodes[1];
      expect(
        find(const Predicate(text: 'A'), scope: second)?.element,
        same(second.nodes.single),
      );
    });
  });
}
