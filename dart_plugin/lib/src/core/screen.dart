/// What is on the screen, walked once and kept until it changes.
library;

import 'geometry.dart';
import 'ui.dart';

/// Both trees as lists and maps.
///
/// Everything is made on first use: a tap on a known node pays for nothing it
/// does not need.
final class ScreenIndex {
  /// Reads [tree] as it is now.
  ScreenIndex(this.tree) : revision = tree.revision;

  /// Where it comes from.
  final UiTree tree;

  /// The state of [tree] it shows.
  final int revision;

  /// Every semantics node that speaks for itself, in tree order.
  late final List<UiSemantics> nodes = _collectNodes();

  /// The nodes of [nodes] by label, each list in tree order.
  late final Map<String, List<UiSemantics>> _byLabel = _groupByLabel();

  /// The first label that was asked for, and its nodes.
  (String, List<UiSemantics>)? _firstAsked;

  /// Every element, in tree order.
  late final List<UiElement> elements = _collectElements();

  /// The elements that show a text, in tree order.
  late final List<UiElement> texts = <UiElement>[
    for (final UiElement element in elements)
      if (element.text != null) element,
  ];

  /// The elements that have a key, in tree order.
  late final List<UiElement> keyed = <UiElement>[
    for (final UiElement element in elements)
      if (element.key != null) element,
  ];

  /// The elements of [keyed] by their key, each list in tree order.
  late final Map<String, List<UiElement>> _byKey = _groupByKey();

  /// The elements that [text] names, in either spelling of a key.
  Iterable<UiElement> named(String text) =>
      _byKey[text] ?? keyed.where((UiElement each) => each.hasKey(text));

  /// What all the texts are.
  late final Set<String> textData = <String>{
    for (final UiElement element in texts) element.text!,
  };

  /// The nodes with exactly this [label], which is not empty, in tree order.
  List<UiSemantics> labelled(String label) {
    final (String, List<UiSemantics>)? first = _firstAsked;
    if (first == null) {
      // Most screens change before a second label is asked for: one look is
      // cheaper than the map.
      final List<UiSemantics> found = <UiSemantics>[
        if (label.isNotEmpty)
          for (final UiSemantics node in nodes)
            if (node.label == label) node,
      ];
      _firstAsked = (label, found);
      return found;
    }
    if (first.$1 == label) return first.$2;
    return _byLabel[label] ?? const <UiSemantics>[];
  }

  /// The part of the screen that can be seen.
  late final UiRect? viewport = tree.viewport;

  List<UiSemantics> _collectNodes() {
    final List<UiSemantics> found = <UiSemantics>[];
    void visit(UiSemantics node) {
      if (!node.isMergedIntoParent) found.add(node);
      node.children.forEach(visit);
    }

    final UiSemantics? top = tree.semanticsRoot;
    if (top != null) visit(top);
    return found;
  }

  Map<String, List<UiSemantics>> _groupByLabel() {
    final Map<String, List<UiSemantics>> groups =
        <String, List<UiSemantics>>{};
    for (final UiSemantics node in nodes) {
      final String label = node.label;
      if (label.isEmpty) continue;
      (groups[label] ??= <UiSemantics>[]).add(node);
    }
    return groups;
  }

  Map<String, List<UiElement>> _groupByKey() {
    final Map<String, List<UiElement>> groups = <String, List<UiElement>>{};
    for (final UiElement element in keyed) {
      (groups[element.key!] ??= <UiElement>[]).add(element);
    }
    return groups;
  }

  List<UiElement> _collectElements() {
    final List<UiElement> found = <UiElement>[];
    void visit(UiElement element) {
      found.add(element);
      element.visitChildren(visit);
    }

    final UiElement? top = tree.root;
    if (top != null) visit(top);
    return found;
  }
}

/// Keeps the [ScreenIndex] of a tree for as long as it is true.
final class ScreenCache {
  /// Creates a cache for [tree].
  ScreenCache(this.tree);

  /// The tree it reads.
  final UiTree tree;

  ScreenIndex? _screen;

  /// The screen as it is now.
  ScreenIndex get current {
    final ScreenIndex? known = _screen;
    if (known != null && known.revision == tree.revision) return known;
    return _screen = ScreenIndex(tree);
  }
}

/// Whether [element] is [ancestor] or below it.
bool isAtOrBelow(UiElement element, UiElement ancestor) {
  UiElement? each = element;
  while (each != null) {
    if (identical(each, ancestor)) return true;
    each = each.parent;
  }
  return false;
}

/// The first of [start] and the elements below it that [test] holds for.
UiElement? firstAtOrBelow(UiElement start, bool Function(UiElement) test) {
  if (test(start)) return start;
  UiElement? found;
  start.visitChildren((UiElement child) {
    found ??= firstAtOrBelow(child, test);
  });
  return found;
}

/// The first of [start] and the elements above it that [test] holds for.
UiElement? firstAtOrAbove(UiElement start, bool Function(UiElement) test) {
  UiElement? each = start;
  while (each != null && !test(each)) {
    each = each.parent;
  }
  return each;
}

/// The texts at or below [start], in tree order.
List<String> textsAtOrBelow(UiElement start) {
  final List<String> found = <String>[];
  void visit(UiElement element) {
    final String? text = element.text;
    if (text != null) found.add(text);
    element.visitChildren(visit);
  }

  visit(start);
  return found;
}

/// Whether a part of [rect] can be seen in [viewport].
bool isInViewport(UiRect rect, UiRect? viewport) =>
    viewport == null || rect.overlaps(viewport);

/// What a pointer reaches instead of [element]: the whole of what is painted
/// above it, not the word on it. Null when it does reach [element], or nothing
/// at all.
///
/// [path] is what a hit test gave.
UiElement? coverOf(UiElement element, List<UiElement> path) {
  if (path.isEmpty || path.any((UiElement hit) => identical(hit, element))) {
    return null;
  }
  final Set<UiElement> around = Set<UiElement>.identity();
  UiElement? each = element;
  while (each != null) {
    around.add(each);
    each = each.parent;
  }
  // From what was hit up to where the two branches part.
  UiElement cover = path.first;
  UiElement below = cover;
  UiElement? above = cover;
  while (above != null && !around.contains(above)) {
    below = cover;
    cover = above;
    above = above.parent;
  }
  final bool isRoute = cover.routeName != cover.parent?.routeName;
  return isRoute ? below : cover;
}

/// Whether something is painted above the centre of a visible [node].
bool isOccluded(ScreenIndex screen, UiSemantics node) {
  final UiElement? element = node.element;
  final UiRect rect = node.rect;
  if (element == null || rect.isEmpty) return false;
  final UiRect? viewport = screen.viewport;
  if (viewport == null || !viewport.contains(rect.center)) return false;
  return coverOf(element, screen.tree.hitTest(rect.center)) != null;
}

