// Flags are read one by one: newer versions have a collection of them that
// Flutter 3.29 does not know.
// ignore_for_file: deprecated_member_use

/// Semantics nodes as the verbs see them.
library;

import 'package:flutter/semantics.dart';
import 'package:flutter/widgets.dart';

import '../core/geometry.dart';
import '../core/ui.dart';
import 'live_tree.dart';
import 'views.dart';

/// One node of the semantics tree.
final class FlutterSemantics implements UiSemantics {
  /// Wraps [node] of [tree].
  FlutterSemantics(this.tree, this.node) : id = ++_lastId;

  // The framework's own numbers start anew in each view and after 65535.
  static int _lastId = 0;

  /// The tree it is part of.
  final LiveTree tree;

  /// The framework's own.
  final SemanticsNode node;

  @override
  final int id;

  Element? _lastOwner;
  int _revision = -1;
  late SemanticsData _data;
  late UiRect _rect;
  late List<UiSemantics> _children;

  /// Reads the node once after each frame.
  void _refresh() {
    if (_revision == tree.revision) return;
    _revision = tree.revision;
    _data = node.getSemanticsData();
    _rect = _measure();
    _children = <UiSemantics>[
      for (final SemanticsNode child in node.debugListChildrenInOrder(
        DebugSemanticsDumpOrder.traversalOrder,
      ))
        tree.semanticsOf(child),
    ];
  }

  SemanticsData get _now {
    _refresh();
    return _data;
  }

  bool _has(SemanticsFlag flag) => _now.hasFlag(flag);

  @override
  String get label => _now.label;

  @override
  String get value => _now.value;

  @override
  String get identifier => _now.identifier;

  @override
  String get tooltip => _now.tooltip;

  @override
  String get hint => _now.hint;

  @override
  bool get isButton => _has(SemanticsFlag.isButton);

  @override
  bool get isTextField => _has(SemanticsFlag.isTextField);

  @override
  bool get isLink => _has(SemanticsFlag.isLink);

  @override
  bool get isHeader => _has(SemanticsFlag.isHeader);

  @override
  bool get isImage => _has(SemanticsFlag.isImage);

  @override
  bool get isExclusive => _has(SemanticsFlag.isInMutuallyExclusiveGroup);

  @override
  bool get isSlider => _has(SemanticsFlag.isSlider);

  @override
  bool get isSpokenOnly =>
      // A title that can be read names a route as well, and is none.
      (_has(SemanticsFlag.namesRoute) && _has(SemanticsFlag.scopesRoute)) ||
      _isBarrier;

  /// Whether it is what lies between a route and those below.
  bool get _isBarrier {
    if (!_now.hasAction(SemanticsAction.dismiss)) return false;
    final RenderObject? object = tree.renderObjectOf(node);
    final Element? maker = object == null ? null : tree.index?.makerOf(object);
    bool isBarrier = false;
    // A route may put it into something that gives it a place among the rest.
    bool goesOn(Element each) {
      isBarrier = each.widget is ModalBarrier;
      final SemanticsNode? there = each.renderObject?.debugSemantics;
      return !isBarrier && (there == null || identical(there, node));
    }

    void look(Element each) {
      if (!isBarrier && goesOn(each)) each.visitChildren(look);
    }

    maker?.visitAncestorElements(goesOn);
    if (!isBarrier) maker?.visitChildren(look);
    return isBarrier;
  }

  @override
  bool get isObscured => _has(SemanticsFlag.isObscured);

  @override
  bool get isFocused => _has(SemanticsFlag.isFocused);

  @override
  bool? get isEnabled =>
      _has(SemanticsFlag.hasEnabledState)
          ? _has(SemanticsFlag.isEnabled)
          : null;

  @override
  UiCheck? get checked {
    if (!_has(SemanticsFlag.hasCheckedState)) return null;
    if (_has(SemanticsFlag.isCheckStateMixed)) return UiCheck.mixed;
    return _has(SemanticsFlag.isChecked) ? UiCheck.on : UiCheck.off;
  }

  @override
  bool? get toggled =>
      _has(SemanticsFlag.hasToggledState)
          ? _has(SemanticsFlag.isToggled)
          : null;

  @override
  bool get canTap => _now.hasAction(SemanticsAction.tap);

  @override
  bool get isMergedIntoParent => node.isMergedIntoParent;

  @override
  bool get mergesDescendants => node.mergeAllDescendantsIntoThisNode;

  @override
  bool get isAttached => node.attached;

  @override
  UiRect get rect {
    _refresh();
    return _rect;
  }

  /// Where its render object is now: the node's own rectangle is cut to what
  /// could be seen, and lags behind what only moves when painted.
  UiRect _measure() {
    final RenderObject? object = tree.renderObjectOf(node);
    if (object != null) {
      return placeOf(object, object.semanticBounds) ?? UiRect.zero;
    }
    // A part of something larger, a link in a paragraph for instance.
    Rect rect = node.rect;
    SemanticsNode each = node;
    while (true) {
      final Matrix4? transform = each.transform;
      if (transform != null) rect = MatrixUtils.transformRect(transform, rect);
      final SemanticsNode? above = each.parent;
      if (above == null) return UiRect.zero;
      final RenderObject? object = tree.renderObjectOf(above);
      if (object != null) return placeOf(object, rect) ?? UiRect.zero;
      each = above;
    }
  }

  @override
  UiElement? get element {
    final Element? owner = tree.ownerOf(node) ?? _lastOwner;
    _lastOwner = owner;
    return owner != null && owner.mounted ? tree.elementOf(owner) : null;
  }

  @override
  UiSemantics? get parent {
    final SemanticsNode? above = node.parent;
    return above == null ? null : tree.semanticsOf(above);
  }

  @override
  List<UiSemantics> get children {
    _refresh();
    return _children;
  }
}

/// What holds the trees of all views together, and says nothing itself.
final class SemanticsOfViews implements UiSemantics {
  /// Creates the top above the roots of [tree].
  const SemanticsOfViews(this.tree);

  /// The tree it is the top of.
  final LiveTree tree;

  @override
  List<UiSemantics> get children => <UiSemantics>[
    for (final SemanticsNode root in tree.semanticsRoots)
      tree.semanticsOf(root),
  ];

  @override
  int get id => 0;

  @override
  String get label => '';

  @override
  String get value => '';

  @override
  String get identifier => '';

  @override
  String get tooltip => '';

  @override
  String get hint => '';

  @override
  bool get isButton => false;

  @override
  bool get isTextField => false;

  @override
  bool get isLink => false;

  @override
  bool get isHeader => false;

  @override
  bool get isImage => false;

  @override
  bool get isExclusive => false;

  @override
  bool get isSlider => false;

  @override
  bool get isSpokenOnly => false;

  @override
  bool get isObscured => false;

  @override
  bool get isFocused => false;

  @override
  bool? get isEnabled => null;

  @override
  UiCheck? get checked => null;

  @override
  bool? get toggled => null;

  @override
  bool get canTap => false;

  @override
  bool get isMergedIntoParent => false;

  @override
  bool get mergesDescendants => false;

  @override
  bool get isAttached => true;

  @override
  UiRect get rect => UiRect.zero;

  @override
  UiElement? get element => tree.root;

  @override
  UiSemantics? get parent => null;
}
