// Flags are read one by one: newer versions have a collection of them that
// Flutter 3.29 does not know.
// ignore_for_file: deprecated_member_use

/// The element tree walked once: which element is what.
library;

import 'package:flutter/semantics.dart';
import 'package:flutter/widgets.dart';

import 'places.dart';
import 'widget_keys.dart';

/// Lists and maps over the element tree as it is now.
final class TreeIndex {
  /// Walks the tree below [root].
  TreeIndex(Element root) {
    _visit(root, const Place());
    _assignNodes();
  }

  final Map<RenderObject, Element> _byRenderObject =
      Map<RenderObject, Element>.identity();
  final Map<Element, Place> _places = Map<Element, Place>.identity();
  final Map<SemanticsNode, RenderObject> _makers =
      Map<SemanticsNode, RenderObject>.identity();
  final Map<SemanticsNode, Element> _owners =
      Map<SemanticsNode, Element>.identity();
  final Map<Element, SemanticsNode> _nodes =
      Map<Element, SemanticsNode>.identity();
  final List<Element> _keyed = <Element>[];

  /// Every navigator, outermost first, with the place it is at.
  final List<(NavigatorState, Place)> navigators = <(NavigatorState, Place)>[];

  /// The routes that show something, in the order they lie upon each other.
  final Set<ModalRoute<Object?>> routes = Set<ModalRoute<Object?>>.identity();

  /// The first router.
  Router<Object?>? router;

  /// The element that made [object]; null when none did.
  Element? makerOf(RenderObject object) => _byRenderObject[object];

  /// The render object that made [node]; null for a part of one.
  RenderObject? makerOfNode(SemanticsNode node) => _makers[node];

  /// Where [element] is; null when it is not in the tree.
  Place? placeOf(Element element) => _places[element];

  /// The node that [element] owns; null when it owns none.
  SemanticsNode? nodeOf(Element element) => _nodes[element];

  /// The element that owns [node]; null when none does.
  Element? ownerOf(SemanticsNode node) => _owners[node];

  void _visit(Element element, Place place) {
    _places[element] = place;
    final Widget widget = element.widget;
    if (element is RenderObjectElement) {
      final RenderObject object = element.renderObject;
      _byRenderObject[object] = element;
      final SemanticsNode? node = object.debugSemantics;
      if (node != null) _makers[node] = object;
    } else if (element is StatefulElement) {
      final State<StatefulWidget> state = element.state;
      if (state is NavigatorState) navigators.add((state, place));
      if (widget is Router<Object?>) router ??= widget;
    }
    if (nameOf(widget.key) != null) _keyed.add(element);
    final Place below = place.below(element);
    if (!identical(below, place)) {
      if (below.route case final ModalRoute<Object?> route) routes.add(route);
    }
    final bool hidesOthers = showsFirstAlone(widget);
    bool isFirst = true;
    element.visitChildren((Element child) {
      _visit(child, hidesOthers && !isFirst ? below.hidden : below);
      isFirst = false;
    });
  }

  /// Gives each node to one element: to the innermost keyed widget that it
  /// stands for, or to the element of its render object.
  ///
  /// A key is how the app's author names a widget, and most widgets hold their
  /// semantics some levels below; the row of a list, some levels above. Keys
  /// with a value come first: the others are often the framework's own.
  void _assignNodes() {
    final List<Element> innermostFirst = _keyed.reversed.toList();
    bool isNamed(Element each) => each.widget.key is ValueKey<Object?>;
    final List<Element> silent = <Element>[];
    for (final Element element in innermostFirst.where(isNamed)) {
      final _OnlyNode search = _OnlyNode();
      _assign(search.below(element), element);
      if (search.isSilent) silent.add(element);
    }
    for (final Element element in silent) {
      _assign(_nodeAround(element), element);
    }
    for (final Element element in innermostFirst) {
      if (!isNamed(element)) _assign(_OnlyNode().below(element), element);
    }
    _makers.forEach((SemanticsNode node, RenderObject object) {
      _assign(node, _byRenderObject[object]!);
    });
  }

  void _assign(SemanticsNode? node, Element element) {
    if (node == null || _owners.containsKey(node)) return;
    _owners[node] = element;
    _nodes[element] = node;
  }
}

/// The node above [element] of something that consists of it alone.
SemanticsNode? _nodeAround(Element element) {
  SemanticsNode? found;
  element.visitAncestorElements((Element each) {
    if (each is! RenderObjectElement) return true;
    found = each.renderObject.debugSemantics;
    return found == null && each is SingleChildRenderObjectElement;
  });
  return found;
}

/// Looks for the one topmost node of a widget.
final class _OnlyNode {
  SemanticsNode? _found;
  bool _isOne = true;
  bool _hasSiblings = false;

  /// Whether nothing was found that has a node.
  bool get isSilent => _found == null;

  /// The node at or below [element] that speaks for all of it; null when
  /// there is none, or when there are several.
  SemanticsNode? below(Element element) {
    _look(element);
    final SemanticsNode? found = _found;
    if (!_isOne || found == null) return null;
    // Beside the text of a field is its decoration; beside any other node may
    // be something that has no words and can be touched.
    if (!_hasSiblings) return found;
    return found.getSemanticsData().hasFlag(SemanticsFlag.isTextField)
        ? found
        : null;
  }

  void _look(Element element) {
    if (!_isOne) return;
    if (element is RenderObjectElement) {
      final SemanticsNode? node = element.renderObject.debugSemantics;
      if (node != null) {
        if (_found != null) _isOne = false;
        _found = node;
        return;
      }
      if (element is! SingleChildRenderObjectElement &&
          element is! LeafRenderObjectElement) {
        _hasSiblings = true;
      }
    }
    element.visitChildren(_look);
  }
}
