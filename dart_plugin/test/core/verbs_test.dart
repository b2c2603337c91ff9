import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

UiRect _at(double y) => UiRect.fromLTWH(0, y, 100, 40);

void main() {
  late FakeUi ui;
  late Session session;
  late VerbServer server;

  void start(List<FakeNode> nodes) {
    ui = FakeUi(nodes);
    session = Session(ui);
    server = VerbServer(session);
  }

  Future<Reply> call(String verb, [Map<String, String>? params]) => server.call(
    'ext.tapir.$verb',
    tapirVerbs[verb]!,
    <String, String>{'includeSnapshot': 'false', ...?params},
  );

  Future<TapirError> refuses(
    String verb, [
    Map<String, String>? params,
  ]) async {
    try {
      await call(verb, params);
    } on TapirError catch (error) {
      return error;
    }
    throw StateError('$verb succeeded');
  }

  String refOf(FakeNode node) =>
      session.refs.ofNode(session.screen, node).token;

  /// What the pointers did, a line each.
  List<String> told() => <String>[
    for (final UiPointerEvent each in ui.events)
      <Object>[
        each.phase.name,
        each.kind.name,
        each.pointer,
        '${each.position.x},${each.position.y}',
        if (each.secondary) 'secondary',
      ].join(' '),
  ];

  group('pointers', () {
    late FakeNode node;
    late String ref;

    setUp(() {
      node = FakeNode.button('Go', rect: _at(0));
      start(<FakeNode>[node]);
      ref = refOf(node);
    });

    test('a tap is a finger down and up, where its target is by now', () async {
      node.rect = _at(100);
      await call('tap', {'ref': ref});
      expect(told(), <String>[
        'down touch 1 50.0,120.0',
        'up touch 1 50.0,120.0',
      ]);
    });

    test('a double click passes the gate once, and goes to where '
        'the target is each time', () async {
      ui.onPointer = (UiPointerEvent event) {
        if (event.phase != UiPointerPhase.up) return;
        node
          ..rect = _at(200)
          ..isEnabled = false;
      };
      await call('dblclick', {'ref': ref});
      expect(told(), <String>[
        'down touch 1 50.0,20.0',
        'up touch 1 50.0,20.0',
        'down touch 1 50.0,220.0',
        'up touch 1 50.0,220.0',
      ]);
    });

    test('a triple click is three of them', () async {
      await call('triple_click', {'ref': ref});
      expect(told(), hasLength(6));
    });

    test('a right click is the secondary button of a mouse', () async {
      await call('right_click', {'ref': ref});
      expect(told(), <String>[
        'down mouse 1 50.0,20.0 secondary',
        'up mouse 1 50.0,20.0 secondary',
      ]);
    });

    test('hover is one move of a mouse', () async {
      await call('hover', {'ref': ref});
      expect(told(), <String>['hover mouse 1 50.0,20.0']);
    });

    test('a drag is another finger that moves five times', () async {
      final Reply reply = await call('drag', {
        'startRef': ref,
        'dx': '50',
        'dy': '100',
      });
      expect(told(), <String>[
        'down touch 2 50.0,20.0',
        'move touch 2 60.0,40.0',
        'move touch 2 70.0,60.0',
        'move touch 2 80.0,80.0',
        'move touch 2 90.0,100.0',
        'move touch 2 100.0,120.0',
        'up touch 2 100.0,120.0',
      ]);
      expect(reply, {'startRef': ref});
    });
  });

  group('a tap on a row that speaks for its controls', () {
    FakeNode control(double x, {String label = 'Mail', double y = 0}) =>
        FakeNode(
          label: label,
          toggled: false,
          canTap: true,
          isMergedIntoParent: true,
          rect: UiRect.fromLTWH(x, y, 60, 40),
        );

    FakeNode row(List<FakeNode> controls) => FakeNode(
      label: 'Mail',
      toggled: false,
      canTap: true,
      mergesDescendants: true,
      rect: const UiRect.fromLTWH(0, 0, 400, 40),
      children: controls,
    );

    Future<Reply> tapOn(List<FakeNode> controls) {
      final FakeNode node = row(controls);
      start(<FakeNode>[node]);
      return call('tap', {'ref': refOf(node)});
    }

    test('goes to the one that has its label', () async {
      final Reply reply = await tapOn(<FakeNode>[control(340)]);
      expect(reply['retargeted'], {
        'from': {'x': 200.0, 'y': 20.0},
        'to': {'x': 370.0, 'y': 20.0},
        'ownerRect': {
          'left': 340.0,
          'top': 0.0,
          'width': 60.0,
          'height': 40.0,
        },
      });
      expect(told().first, 'down touch 1 370.0,20.0');
    });

    test('stays at the middle where that is the control', () async {
      final Reply reply = await tapOn(<FakeNode>[control(150)]);
      expect(reply.keys, <String>['ref', 'effect']);
      expect((await call('snap'))['snapshot'], '- button "Mail" [ref=e1]\n');
    });

    test('stays at the middle when there are several', () async {
      final Reply reply = await tapOn(<FakeNode>[control(340), control(0)]);
      expect(reply.keys, isNot(contains('retargeted')));
      expect(reply['tapPointOutsideOwner'], {
        'ownerRect': {
          'left': 340.0,
          'top': 0.0,
          'width': 60.0,
          'height': 40.0,
        },
        'point': {'x': 200.0, 'y': 20.0},
      });
      expect(told().first, 'down touch 1 200.0,20.0');
    });

    test('stays at the middle when it is off the screen', () async {
      final Reply reply = await tapOn(<FakeNode>[control(340, y: 900)]);
      expect(reply, containsPair('tapPointOutsideOwner', isNotNull));
    });

    test('stays at the middle when it is covered', () async {
      final FakeNode node = row(<FakeNode>[control(340)]);
      start(<FakeNode>[
        node,
        FakeNode(
          typeName: 'Banner',
          rect: const UiRect.fromLTWH(340, 0, 60, 40),
        ),
      ]);
      expect(
        await call('tap', {'ref': refOf(node)}),
        containsPair('tapPointOutsideOwner', isNotNull),
      );
      expect(
        (await call('snap'))['snapshot'],
        contains('tapOwner: {"x":340.0,"y":0.0,"w":60.0,"h":40.0}\n'
            '  retargets: false\n'),
      );
      expect(
        ((await call('observe'))['candidates']! as List<Object?>).first,
        containsPair('retargets', false),
      );
    });

    test('says when the middle has a handler of its own', () async {
      final FakeNode stage = FakeNode(
        canTap: true,
        isMergedIntoParent: true,
        rect: const UiRect.fromLTWH(100, 0, 200, 40),
      );
      final Reply reply = await tapOn(<FakeNode>[stage, control(340)]);
      expect(reply['retargeted'], containsPair('centreHandled', true));
    });
  });

  test('a tap changes its target, or nothing that counts', () async {
    final FakeNode go = FakeNode.button('Go', rect: _at(0));
    final FakeNode other = FakeNode.text('one')..rect = _at(100);
    start(<FakeNode>[go, other]);
    ui.onPointer = (_) {
      other.label = '${other.label}.';
      ui.change();
    };
    final Map<String, String> params = {'ref': refOf(go)};
    expect((await call('tap', params))['effect'], {
      'kind': 'treeChanged',
      'changed': false,
    });
    ui.onPointer = (_) {
      go.isEnabled = true;
      ui.change();
    };
    expect((await call('tap', params))['effect'], {
      'kind': 'treeChanged',
      'changed': true,
    });
  });

  test('a tap that brings its target to another route changed it', () async {
    final FakeNode go = FakeNode.button('Go');
    start(<FakeNode>[go]);
    ui.onPointer = (_) {
      go.routeName = '/next';
      ui.change();
    };
    expect((await call('tap', {'ref': refOf(go)}))['effect'], {
      'kind': 'treeChanged',
      'changed': true,
    });
  });

  test('a tap on a text field asks for the keyboard', () async {
    final FakeField field = FakeField();
    final FakeNode inner = FakeNode(hasSemantics: false, textField: field);
    final FakeNode box = FakeNode(
      label: 'Name',
      isTextField: true,
      children: <FakeNode>[inner],
    );
    final FakeNode card = FakeNode.button('Card', rect: _at(100))
      ..add(FakeNode(isTextField: true, textField: field, rect: _at(100)));
    start(<FakeNode>[box, card]);
    await call('tap', {'ref': refOf(box)});
    expect(field.keyboards, 1);
    await call('tap', {'ref': refOf(card)});
    await call('hover', {'ref': refOf(box)});
    expect(field.keyboards, 1);
  });

  test('the focus goes to what is around, else to what is inside', () async {
    final FakeNode inner = FakeNode.button('In')..canFocus = true;
    final FakeNode card = FakeNode(label: 'Card', children: <FakeNode>[inner]);
    final FakeNode scope = FakeNode(children: <FakeNode>[card]);
    start(<FakeNode>[scope]);
    final Map<String, String> params = {'ref': refOf(card)};
    expect(await call('focus', params), {...params, 'focused': true});
    expect(inner.isFocused, isTrue);
    scope.canFocus = true;
    await call('focus', params);
    expect(scope.isFocused, isTrue);
    inner.canFocus = false;
    scope.canFocus = false;
    final TapirError error = await refuses('focus', params);
    expect(error.type, 'unexpected');
    expect(
      error.message,
      'ext.tapir.focus: no Focus ancestor or descendant for '
      'ref "${params['ref']}"',
    );
  });

  test('a candidate tells whether it can be seen', () async {
    start(<FakeNode>[
      FakeNode.button('none', rect: const UiRect.fromLTWH(10, 10, 0, 0)),
      FakeNode.button('below', rect: _at(900)),
      FakeNode.button('edge', rect: _at(790)),
      FakeNode.button('under', rect: _at(100)),
      FakeNode(
        typeName: 'Banner',
        hasSemantics: false,
        rect: const UiRect.fromLTWH(0, 0, 400, 1000),
      ),
    ]);
    expect(
      <Object?>[
        for (final Object? each
            in (await call('observe'))['candidates']! as List<Object?>)
          if (each case final Map<String, Object?> map)
            '${map['label']} ${map['isVisible']} ${map['inViewport']} '
                '${map['occluded']}',
      ],
      <String>[
        'none false true false',
        'below false false false',
        'edge true true false',
        'under true true true',
      ],
    );
  });

  test('a search by label goes by the role as well', () async {
    start(<FakeNode>[
      FakeNode(label: 'Name', isHeader: true),
      FakeNode(label: 'Name', isTextField: true),
      FakeNode.button('Name'),
    ]);
    Future<Object?> refs([String? role]) async =>
        (await call('find_by_label', {
          'label': 'Name',
          if (role != null) 'role': role,
        }))['refs'];
    expect(await refs(), <String>['e1', 'e2', 'e3']);
    expect(await refs('textField'), <String>['e2']);
    expect(await refs('button'), <String>['e3']);
    expect(await refs('link'), isEmpty);
  });

  test('a snapshot that cannot be made is left out', () async {
    start(<FakeNode>[]);
    ui.brokenTree = StateError('no tree');
    expect(await call('press_key', {'key': 'F5', 'includeSnapshot': 'true'}), {
      'ok': true,
      'key': 'F5',
    });
  });

  test('an action is followed by two frames', () async {
    start(<FakeNode>[]);
    await call('press_key', {'key': 'F5'});
    expect(ui.settled, 2);
  });

  test('a frame that does not come holds nothing up for long', () async {
    final FakeNode go = FakeNode.button('Go');
    start(<FakeNode>[go]);
    ui
      ..isScheduled = true
      ..isStuck = true;
    final Stopwatch watch = Stopwatch()..start();
    expect((await call('tap', {'ref': refOf(go)}))['ref'], 'e1');
    expect(watch.elapsedMilliseconds, greaterThan(500));
    expect(watch.elapsedMilliseconds, lessThan(2000));
  });

  group('a fill', () {
    test('gives what it is to fill a moment to come', () async {
      start(<FakeNode>[]);
      final String ref =
          session.refs.query(const Predicate(text: 'Name')).token;
      ui.onSettle = () {
        ui.onSettle = null;
        ui.top.add(
          FakeNode(label: 'Name', isTextField: true, textField: FakeField()),
        );
        ui.change();
      };
      final Reply reply = await call('fill', {'ref': ref, 'text': 'Ada'});
      expect(reply['filled'], isTrue);
    });

    test('is done once more when its ref leads nowhere for a while', () async {
      final FakeNode field = FakeNode(
        label: 'Name',
        isTextField: true,
        textField: FakeField(),
      );
      start(<FakeNode>[field]);
      for (final String ref in <String>[
        session.refs.query(const Predicate(text: 'Name')).token,
        refOf(field),
      ]) {
        // While the gate waits for a frame, another one takes its place.
        final FakeNode fresh = FakeNode(
          label: 'Name',
          isTextField: true,
          textField: FakeField(),
        );
        ui
          ..isScheduled = true
          ..onSettle = () {
            ui
              ..onSettle = null
              ..isScheduled = false;
            ui.top
              ..remove(ui.top.nodes.single)
              ..add(fresh);
            ui.change();
          };
        final Reply reply = await call('fill', {'ref': ref, 'text': 'Ada'});
        expect(reply['filled'], isTrue);
        expect(reply['effect'], containsPair('verified', true));
        expect(fresh.textField!.value, 'Ada');
      }
    });

    test('that goes stale twice says so', () async {
      start(<FakeNode>[]);
      final String ref =
          session.refs.query(const Predicate(text: 'Name')).token;
      final TapirError error = await refuses('fill', {'ref': ref, 'text': ''});
      expect(error.type, 'stale');
      expect(
        error.message,
        'ext.tapir.fill: ref "$ref" went stale during fill (retried once)',
      );
    });

    test('of a label never goes to a field that is covered', () async {
      final FakeNode label = FakeNode.text('Name')..rect = _at(0);
      final FakeNode covered = FakeNode(
        isTextField: true,
        textField: FakeField(),
        rect: _at(50),
      )..isReachable = false;
      final FakeNode elsewhere = FakeNode(
        isTextField: true,
        textField: FakeField(),
        routeName: '/other',
        rect: _at(60),
      );
      start(<FakeNode>[label, covered, elsewhere]);
      final Map<String, String> params = {'ref': refOf(label), 'text': 'Ada'};
      expect(
        (await refuses('fill', params)).message,
        'ext.tapir.fill: no EditableText under ref "${params['ref']}"',
      );
      ui.top.add(
        FakeNode(isTextField: true, textField: FakeField(), rect: _at(700)),
      );
      ui.change();
      expect((await call('fill', params))['filled'], isTrue);
      expect(ui.top.nodes.last.textField!.value, 'Ada');
      expect(covered.textField!.value, isEmpty);
      expect(elsewhere.textField!.value, isEmpty);
    });

    test('takes a slider for what it is', () async {
      final FakeNode slider = FakeNode.button('Volume')..isSlider = true;
      start(<FakeNode>[slider]);
      final String ref = refOf(slider);
      expect(
        (await refuses('fill', {'ref': ref, 'text': '5'})).message,
        'ext.tapir.fill: ref $ref is a slider, not a text field',
      );
    });

    test('of a label goes to the field drawn over it', () async {
      final FakeNode label = FakeNode.text('Name')..rect = _at(0);
      start(<FakeNode>[
        label,
        FakeNode(isTextField: true, textField: FakeField(), rect: _at(200)),
        FakeNode(isTextField: true, textField: FakeField(), rect: _at(20)),
      ]);
      ui.onHitTest = (_) => <UiElement>[label];
      final Reply reply = await call('fill', {
        'ref': refOf(label),
        'text': 'Ada',
      });
      final Map<String, Object?> effect =
          reply['effect']! as Map<String, Object?>;
      expect(effect['target'], containsPair('matchKind', 'overlap'));
      expect(ui.top.nodes.last.textField!.value, 'Ada');
    });
  });

  group('the state of a box', () {
    FakeNode box(String label, double y, {UiCheck state = UiCheck.off}) =>
        FakeNode(label: label, checked: state, canTap: true, rect: _at(y));

    void toggleWhatIsHit() {
      ui.onPointer = (UiPointerEvent event) {
        if (event.phase != UiPointerPhase.up) return;
        for (final UiElement each in ui.hitTest(event.position)) {
          if (each is! FakeNode || each.checked == null) continue;
          each.checked =
              each.checked == UiCheck.on ? UiCheck.off : UiCheck.on;
          ui.change();
          return;
        }
      };
    }

    test('is that of the only one inside, which is what is touched', () async {
      final FakeNode inner = box('', 300);
      final FakeNode card = FakeNode(
        label: 'Card',
        rect: const UiRect.fromLTWH(0, 0, 400, 400),
        children: <FakeNode>[inner],
      );
      start(<FakeNode>[card]);
      toggleWhatIsHit();
      final Reply reply = await call('set_checkbox', {
        'ref': refOf(card),
        'value': 'true',
      });
      expect(reply['effect'], {
        'kind': 'checked',
        'verified': true,
        'before': false,
        'after': true,
      });
      expect(told().first, 'down touch 1 50.0,320.0');
    });

    test('is not guessed among several, but its own comes first', () async {
      final FakeNode card = FakeNode(
        label: 'Card',
        rect: const UiRect.fromLTWH(0, 0, 400, 400),
        children: <FakeNode>[box('a', 100), box('b', 200)],
      );
      start(<FakeNode>[card]);
      final Map<String, String> params = {'ref': refOf(card), 'value': 'true'};
      expect(
        (await refuses('set_checkbox', params)).message,
        contains('has 2 controls with a state inside'),
      );
      expect(told(), isEmpty);
      card.checked = UiCheck.on;
      ui.change();
      expect((await call('set_checkbox', params))['toggled'], isFalse);
    });

    test('of a text is that of the nearest node above, and of no sibling '
        'of it', () async {
      final FakeNode text = FakeNode(text: 'Wrap', hasSemantics: false);
      final FakeNode around = box('Wrap', 0)..add(text);
      start(<FakeNode>[around]);
      final String ref = session.refs.freshOfElement(text).token;
      final Map<String, String> params = {'ref': ref, 'value': 'false'};
      expect((await call('set_checkbox', params))['previousValue'], isFalse);
      around
        ..checked = null
        ..add(box('other', 100));
      ui.change();
      expect(
        (await refuses('set_checkbox', params)).message,
        contains('no checked or toggled state found'),
      );
    });

    test('is read without a look at what lies above it', () async {
      final FakeNode node = box('Wrap', 900)..isEnabled = false;
      start(<FakeNode>[node]);
      toggleWhatIsHit();
      ui.onHitTest = (_) => const <UiElement>[];
      final Reply reply = await call('set_checkbox', {
        'ref': refOf(node),
        'value': 'true',
      });
      expect(reply['toggled'], isTrue);
      expect(reply['effect'], containsPair('verified', false));
    });
  });

  group('scrolling', () {
    test('goes sideways in what scrolls sideways', () async {
      final FakeScrollable list = FakeScrollable(isVertical: false);
      start(<FakeNode>[FakeNode(scrollable: list)]);
      expect((await call('scroll', {'direction': 'right'}))['scrolled'], true);
      expect(list.offset, 300.0);
      await call('scroll', {'direction': 'left', 'pixels': '100'});
      expect(list.offset, 200.0);
      await call('scroll', {'dx': '50', 'direction': 'left'});
      expect(list.offset, 250.0);
      expect((await call('scroll'))['scrolled'], isFalse);
    });

    test('takes the nearest around the ref, else the first inside', () async {
      final FakeNode row = FakeNode.button('Row');
      final FakeNode inner = FakeNode(
        scrollable: FakeScrollable(),
        children: <FakeNode>[row],
      );
      final FakeNode outer = FakeNode(
        scrollable: FakeScrollable(),
        children: <FakeNode>[inner],
      );
      final FakeNode page = FakeNode(children: <FakeNode>[outer]);
      start(<FakeNode>[page]);
      await call('scroll', {'ref': refOf(row)});
      expect(inner.scrollable!.offset, 300.0);
      await call('scroll', {'ref': refOf(page)});
      expect(outer.scrollable!.offset, 300.0);
      expect(inner.scrollable!.offset, 300.0);
    });

    test('into view goes by the ref, with nothing around it to nowhere',
        () async {
      final FakeNode row = FakeNode.button('Row');
      start(<FakeNode>[row]);
      expect(await call('scroll', {'ref': refOf(row), 'intoView': '1'}), {
        'scrolled': false,
        'finalOffset': 0.0,
        'effect': {
          'kind': 'scrollOffset',
          'changed': false,
          'before': 0.0,
          'after': 0.0,
        },
      });
      expect((await refuses('scroll', {'intoView': 'true'})).type,
          'missing_param');
    });
  });

  group('routes', () {
    setUp(() => start(<FakeNode>[]));

    test('a page below the route counts, one that begins alike does not',
        () async {
      ui.redirect = '/monitors/7?tab=2';
      Reply reply = await call('navigate', {'route': '/monitors?page=2'});
      expect(reply['navigated'], isTrue);
      expect(reply['exactPath'], isFalse);
      ui.redirect = '/monitors7';
      reply = await call('navigate', {'route': '/monitors'});
      expect(reply['navigated'], isFalse);
      expect(reply['exactPath'], isFalse);
      ui.redirect = '/monitors?page=1';
      reply = await call('navigate', {'route': '/monitors'});
      expect(reply['exactPath'], isTrue);
    });

    test('where the app is, without a router', () async {
      ui
        ..uri = null
        ..location = 'home';
      expect(await call('get_routes'), {
        'location': 'home',
        'title': '',
        'uri': null,
      });
      ui.title = '/start';
      expect((await call('get_routes'))['title'], '/start');
    });

    test('back leaves the outermost that a person sees', () async {
      final List<String> log = <String>[];
      ui.navigators = <UiNavigator>[
        FakeNavigator(name: 'root', log: log),
        FakeNavigator(name: 'hidden', log: log, pages: 2)..isVisible = false,
        FakeNavigator(name: 'shell', log: log, pages: 2),
        FakeNavigator(name: 'inner', log: log, pages: 2),
      ];
      expect(await call('navigate_back'), {
        'navigatedBack': true,
        'popped': true,
      });
      expect(log, <String>['shell']);
      await call('navigate_back');
      expect(log, <String>['shell', 'inner']);
      expect(await call('navigate_back'), {
        'navigatedBack': false,
        'popped': false,
      });
    });

    test('popups go one at a time, the innermost first, and no page', () async {
      final List<String> log = <String>[];
      ui.navigators = <UiNavigator>[
        FakeNavigator(name: 'root', log: log, popups: 2, pages: 3),
        FakeNavigator(name: 'shell', log: log, popups: 1, pages: 2),
      ];
      expect(await call('dismiss_modals'), {'popped': 3});
      expect(log, <String>['shell', 'root', 'root']);
      expect(await call('dismiss_modals'), {'popped': 0});
    });

    test('popups go before the route does', () async {
      final FakeNavigator root = FakeNavigator(popups: 1, pages: 2);
      ui.navigators = <UiNavigator>[root];
      await call('navigate', {'route': '/next'});
      expect(root.popups, 0);
      expect(root.pages, 2);
    });

    test('one that refuses to go does not hold up the answer', () async {
      ui.navigators = <UiNavigator>[
        FakeNavigator(popups: 1)..refuses = true,
      ];
      expect(await call('dismiss_modals'), {'popped': 0});
      expect(
        (await call('navigate', {'route': '/next'}))['navigated'],
        isTrue,
      );
    });
  });

  group('resetting', () {
    late FakeNavigator root;

    setUp(() {
      start(<FakeNode>[
        FakeNode.button('Delete', rect: _at(0)),
        FakeNode.text('OK')..rect = _at(100),
        FakeNode.button(' CANCEL ', rect: _at(200)),
        FakeNode.button('Close', rect: _at(300)),
      ]);
      root = FakeNavigator(popups: 1)..refuses = true;
      ui.navigators = <UiNavigator>[root];
    });

    test('presses Escape where a popup does not go', () async {
      final List<String> keys = <String>[];
      ui.onPress = (UiKeyPress press) {
        keys.add(press.key);
        root.popups = 0;
      };
      expect(await call('reset_overlays'), {
        'popped': 0,
        'escaped': true,
        'dismissTapped': false,
      });
      expect(keys, <String>['Escape']);
      expect(told(), isEmpty);
    });

    test('taps what says that it dismisses, where Escape does not help',
        () async {
      expect(await call('reset_overlays'), {
        'popped': 0,
        'escaped': true,
        'dismissTapped': true,
      });
      expect(told(), <String>[
        'down touch 1 50.0,220.0',
        'up touch 1 50.0,220.0',
      ]);
    });

    test('does nothing where nothing is open', () async {
      root.popups = 0;
      ui.onPress = (_) => throw StateError('pressed');
      expect(await call('reset_overlays'), {
        'popped': 0,
        'escaped': false,
        'dismissTapped': false,
      });
    });
  });

  group('what is not asked for has a default', () {
    test('of fifty candidates, in tree order', () async {
      start(<FakeNode>[
        for (int i = 0; i < 60; i++) FakeNode.button('B$i'),
      ]);
      Reply reply = await call('observe');
      expect(reply['count'], 50);
      expect(
        (reply['candidates']! as List<Object?>).last,
        containsPair('label', 'B49'),
      );
      reply = await call('observe', {'limit': 'many', 'roles': 'link'});
      expect(reply, {'candidates': <Object?>[], 'count': 0});
    });

    test('of twenty errors', () async {
      start(<FakeNode>[]);
      for (int i = 0; i < 25; i++) {
        session.exceptions.add('error $i');
      }
      expect((await call('exceptions'))['count'], 20);
      expect((await call('exceptions', {'limit': 'x'}))['count'], 20);
      expect((await call('exceptions', {'limit': '30'}))['count'], 25);
    });
  });

  group('what the app adds', () {
    setUp(() {
      start(<FakeNode>[FakeNode.button('Go')]);
      session.enrichers
        ..add((_) => 'magicRoute: /x')
        ..add((_) => 'other: y')
        ..add((_) => 'no colon here')
        ..add((_) => 'magicRoute: /second')
        ..add((_) => null)
        ..add((_) => 'deep: dropped\n  one: 1  \n\n    two: 2');
    });

    Future<Map<String, Object?>> candidate([String? mode]) async {
      final Reply reply = await call('observe', {
        if (mode != null) 'includeEnrichers': mode,
      });
      return (reply['candidates']! as List<Object?>).single!
          as Map<String, Object?>;
    }

    test('is the usual part of a candidate, all of it, or nothing', () async {
      for (final String? mode in <String?>[null, '', 'true', 'yes']) {
        expect(await candidate(mode), containsPair('magicRoute', '/x'));
        expect((await candidate(mode)).keys, isNot(contains('other')));
      }
      expect(await candidate('full'), containsPair('other', 'y'));
      expect(
        await candidate('full'),
        containsPair('deep', {'one': '1', 'two': '2'}),
      );
      expect(
        (await candidate('full')).keys,
        isNot(contains('no colon here')),
      );
      for (final String mode in <String>['false', '0']) {
        expect((await candidate(mode)).keys, isNot(contains('magicRoute')));
      }
    });

    test('is in a snapshot for one spelling only', () async {
      expect(
        (await call('snap', {'includeEnrichers': 'true'}))['snapshot'],
        '- button "Go" [ref=e1]\n'
        '  magicRoute: /x\n'
        '  other: y\n'
        '  no colon here\n'
        '  magicRoute: /second\n'
        '  deep: dropped\n'
        '    one: 1\n'
        '      two: 2\n',
      );
      for (final String mode in <String>['1', 'full', 'yes', '']) {
        expect(
          (await call('snap', {'includeEnrichers': mode}))['snapshot'],
          '- button "Go" [ref=e1]\n',
        );
      }
    });
  });

  test('a search by text leaves out what is not laid out', () async {
    final FakeNode other = FakeNode.text('a')..isLaidOut = false;
    start(<FakeNode>[FakeNode.text('a'), other]);
    expect((await call('find_by_text', {'text': 'a'}))['refs'], ['e1']);
  });

  test('what needs no frames wakes nobody', () {
    expect(
      <String>[
        for (final MapEntry<String, Verb> each in tapirVerbs.entries)
          if (!each.value.wakes) each.key,
      ],
      <String>[
        'close_app',
        'console',
        'evaluate',
        'exceptions',
        'perf_begin',
        'perf_end',
        'perf_insight',
        'perf_trace',
        'semantics_hold',
        'boot_id',
      ],
    );
  });

  test('what only looks waits for nobody', () {
    expect(
      <String>[
        for (final MapEntry<String, Verb> each in tapirVerbs.entries)
          if (!each.value.isAction) each.key,
      ],
      <String>[
        'console',
        'evaluate',
        'exceptions',
        'find',
        'find_by_label',
        'find_by_text',
        'get_routes',
        'observe',
        'perf_insight',
        'perf_trace',
        'screenshot',
        'snap',
        'wait_for',
        'wait_for_network_idle',
        'boot_id',
      ],
    );
  });

  test('an app that was not yet told of its state has none', () async {
    start(<FakeNode>[]);
    ui
      ..isEnabled = false
      ..canForce = false
      ..lifecycleState = null
      ..platform = 'web';
    final Map<String, Object?> warnings =
        (await call('snap'))['warnings']! as Map<String, Object?>;
    expect(warnings.keys, <String>[
      'framesEnabled',
      'lifecycleState',
      'platform',
      'hint',
    ]);
    expect(warnings['lifecycleState'], isNull);
    expect(warnings['hint'], contains('Page.bringToFront'));
  });
}
