import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

String _snap(List<FakeNode> nodes, [SnapshotOptions? options]) {
  final FakeUi ui = FakeUi(nodes);
  final Session session = Session(ui);
  return writeSnapshot(
    session.screen,
    session.refs,
    options ?? const SnapshotOptions(),
  );
}

UiRect _at(double y) => UiRect.fromLTWH(0, y, 100, 40);

void main() {
  group('a line', () {
    test('tells role, label, value, ref and marks', () {
      expect(
        _snap(<FakeNode>[
          FakeNode(label: 'Sign in', isHeader: true, rect: _at(0)),
          FakeNode(
            label: 'Email',
            value: 'a@b.c',
            isTextField: true,
            rect: _at(50),
          ),
          FakeNode(label: 'Remember', checked: UiCheck.off, rect: _at(100)),
          FakeNode(label: 'Fast', toggled: true, canTap: true, rect: _at(150)),
          FakeNode(label: 'Help', isLink: true, canTap: true, rect: _at(200)),
          FakeNode(label: 'Logo', isImage: true, rect: _at(250)),
          FakeNode.button('Below', rect: _at(900)),
          FakeNode.button('Flat', rect: UiRect.zero),
        ]),
        '- heading "Sign in" [ref=e1]\n'
        '- textbox "Email": "a@b.c" [ref=e2]\n'
        '  typeable: true\n'
        '- checkbox "Remember" [ref=e3]\n'
        '- button "Fast" [ref=e4]\n'
        '- link "Help" [ref=e5]\n'
        '- image "Logo" [ref=e6]\n'
        '- button "Below" [ref=e7] [offscreen]\n'
        '- button "Flat" [ref=e8]\n',
      );
    });

    test('escapes backslash and quote, nothing else', () {
      expect(
        _snap(<FakeNode>[FakeNode.text('a "b" \\ c\nd')]),
        '- text "a \\"b\\" \\\\ c\nd"\n',
      );
    });

    test('of a plain text prefers the value', () {
      expect(
        _snap(<FakeNode>[FakeNode(label: 'l', value: 'v')]),
        '- text "v"\n',
      );
    });

    test('says what is painted above it', () {
      expect(
        _snap(<FakeNode>[
          FakeNode.button('Buy', rect: _at(0)),
          FakeNode(typeName: 'Banner', hasSemantics: false, rect: _at(0)),
        ]),
        '- button "Buy" [ref=e1] [occluded]\n',
      );
    });
  });

  test('the role of a node that is several things', () {
    expect(
      _snap(<FakeNode>[
        FakeNode(
          label: 'a',
          isTextField: true,
          checked: UiCheck.on,
          canTap: true,
          rect: _at(0),
        ),
        FakeNode(
          label: 'b',
          checked: UiCheck.mixed,
          isLink: true,
          rect: _at(50),
        ),
        FakeNode(label: 'c', isLink: true, isHeader: true, rect: _at(100)),
        FakeNode(label: 'd', isHeader: true, isImage: true, rect: _at(150)),
        FakeNode(label: 'e', isImage: true, isButton: true, rect: _at(200)),
        FakeNode(label: 'f', canTap: true, rect: _at(250)),
        FakeNode(label: 'g', toggled: true, rect: _at(300)),
        FakeNode(canTap: true, rect: _at(350)),
      ]),
      '- textbox "a" [ref=e1]\n'
      '  typeable: true\n'
      '- checkbox "b" [ref=e2]\n'
      '- link "c" [ref=e3]\n'
      '- heading "d" [ref=e4]\n'
      '- image "e" [ref=e5]\n'
      '- button "f" [ref=e6]\n'
      '- text "g"\n'
      '- button "" [ref=e7]\n',
    );
  });

  test('a control whose element is gone has no line, what is in it has', () {
    expect(
      _snap(<FakeNode>[
        FakeNode(
          label: 'gone',
          canTap: true,
          children: <FakeNode>[FakeNode.text('still here')],
        )..hasElement = false,
        FakeNode(
          label: 'merged',
          canTap: true,
          isMergedIntoParent: true,
          rect: _at(100),
          children: <FakeNode>[FakeNode.button('inside', rect: _at(100))],
        ),
      ]),
      '- text "still here"\n- button "inside" [ref=e1]\n',
    );
  });

  test('what is off the screen is not asked what covers it', () {
    expect(
      _snap(<FakeNode>[
        FakeNode.button('Buy', rect: _at(900)),
        FakeNode(typeName: 'Banner', hasSemantics: false, rect: _at(900)),
      ]),
      '- button "Buy" [ref=e1] [offscreen]\n',
    );
  });

  test('what a line says below it has an order', () {
    expect(
      _snap(<FakeNode>[
        FakeNode(label: 'a', isTextField: true)..overflows = true,
      ], SnapshotOptions(enrich: (_) => <String>['more: x'])),
      '- textbox "a" [ref=e1]\n'
      '  typeable: true\n'
      '  overflow: true\n'
      '  more: x\n',
    );
  });

  test('children of a line are indented, those of nothing are not', () {
    expect(
      _snap(<FakeNode>[
        FakeNode(
          children: <FakeNode>[
            FakeNode(
              label: 'Card',
              canTap: true,
              rect: const UiRect.fromLTWH(0, 0, 400, 200),
              children: <FakeNode>[
                FakeNode.text('inside')..rect = _at(10),
              ],
            ),
          ],
        ),
      ]),
      '- button "Card" [ref=e1]\n  - text "inside"\n',
    );
  });

  test('the two nodes of one text field are one line', () {
    expect(
      _snap(<FakeNode>[
        FakeNode(
          label: 'Email',
          isTextField: true,
          children: <FakeNode>[FakeNode(label: 'Email', isTextField: true)],
        ),
        FakeNode(label: 'Email', isTextField: true, rect: _at(60)),
      ]),
      '- textbox "Email" [ref=e1]\n'
      '  typeable: true\n'
      '- textbox "Email" [ref=e2]\n'
      '  typeable: true\n',
    );
  });

  test('what a row speaks for has no line of its own', () {
    expect(
      _snap(<FakeNode>[
        FakeNode(
          label: 'Mail',
          toggled: false,
          canTap: true,
          mergesDescendants: true,
          rect: const UiRect.fromLTWH(0, 0, 400, 40),
          children: <FakeNode>[
            FakeNode(
              label: 'Mail',
              toggled: false,
              canTap: true,
              isMergedIntoParent: true,
              rect: const UiRect.fromLTWH(340, 0, 60, 40),
            ),
          ],
        ),
      ]),
      '- button "Mail" [ref=e1]\n'
      '  tapOwner: {"x":340.0,"y":0.0,"w":60.0,"h":40.0}\n',
    );
  });

  group('less of it', () {
    final List<FakeNode> nodes = <FakeNode>[
      FakeNode.text('Total')..rect = _at(400),
      FakeNode(
        label: 'Card',
        canTap: true,
        rect: const UiRect.fromLTWH(0, 0, 400, 200),
        children: <FakeNode>[
          FakeNode.button('Delete', rect: _at(10)),
          FakeNode.text('Milk')..rect = _at(60),
        ],
      ),
    ];

    test('interactive only', () {
      expect(
        _snap(nodes, const SnapshotOptions(interactiveOnly: true)),
        '- button "Card" [ref=e1]\n  - button "Delete" [ref=e2]\n',
      );
    });

    test('to a depth', () {
      expect(
        _snap(nodes, const SnapshotOptions(depth: 0)),
        '- text "Total"\n- button "Card" [ref=e1]\n',
      );
    });

    test('what matches, and what is above it', () {
      expect(
        _snap(nodes, SnapshotOptions(matches: RegExp('^Mil').hasMatch)),
        '- button "Card" [ref=e1]\n  - text "Milk"\n',
      );
    });

    test('within an element', () {
      expect(
        _snap(nodes, SnapshotOptions(within: nodes[1].nodes[0])),
        '- button "Delete" [ref=e1]\n',
      );
    });
  });

  test('of nothing is empty', () {
    expect(_snap(<FakeNode>[]), '');
  });

  group('diff', () {
    test('of nothing changed', () {
      expect(diffSnapshots('- a\n', '- a\n'), '(0 of 1 lines changed)\n');
    });

    test('pairs what was changed', () {
      expect(
        diffSnapshots('- a\n- b\n- c\n', '- a\n- B\n- c\n'),
        '- - b\n+ - B\n(1 of 3 lines changed)\n',
      );
    });

    test('of added and removed lines', () {
      expect(
        diffSnapshots('- a\n- c\n', '- a\n- b\n- c\n'),
        '+ - b\n(1 of 3 lines changed)\n',
      );
      expect(
        diffSnapshots('- a\n- b\n- c\n', '- a\n- c\n'),
        '- - b\n(1 of 2 lines changed)\n',
      );
      expect(diffSnapshots('', '- a\n'), '+ - a\n(1 of 1 lines changed)\n');
      expect(diffSnapshots('- a\n', ''), '- - a\n(1 of 0 lines changed)\n');
    });
  });

  group('after an action', () {
    test('the first diff is a whole snapshot, the next is not', () {
      final FakeUi ui = FakeUi(<FakeNode>[FakeNode.text('a')]);
      final Session session = Session(ui);
      const Params params = Params('v', <String, String>{'snapshot': 'diff'});
      expect(session.withSnapshot(<String, Object?>{}, params), {
        'snapshot': '- text "a"\n',
      });
      ui.top.nodes.single.label = 'b';
      ui.change();
      expect(session.withSnapshot(<String, Object?>{}, params), {
        'snapshot':
            '- - text "a"\n+ - text "b"\n(1 of 1 lines changed)\n',
        'snapshotMode': 'diff',
      });
    });

    test('snapshot wins over includeSnapshot', () {
      final Session session = Session(FakeUi(<FakeNode>[]));
      Reply ask(Map<String, String> values) =>
          session.withSnapshot(<String, Object?>{}, Params('v', values));
      expect(ask({'snapshot': 'none'}), isEmpty);
      expect(
        ask({'snapshot': 'full', 'includeSnapshot': 'false'}),
        contains('snapshot'),
      );
      expect(ask({'includeSnapshot': 'false'}), isEmpty);
      expect(ask({}), contains('snapshot'));
    });
  });
}
