/// Finding a widget the way `find` describes one.
library;

import 'roles.dart';
import 'screen.dart';
import 'ui.dart';

/// A semantics node or an element: whatever a description leads to.
final class Found {
  /// A semantics node.
  Found.node(UiSemantics this.node) : element = node.element;

  /// An element without looking at semantics.
  Found.element(UiElement this.element) : node = null;

  /// The semantics node; null when only an element was found.
  final UiSemantics? node;

  /// The element; null for a node whose element is gone.
  final UiElement? element;
}

/// The predicates of a `find`; the first that is set is the one that counts.
final class Predicate {
  /// Creates a predicate.
  const Predicate({
    this.key,
    this.semanticsLabel,
    this.text,
    this.contains,
    this.value,
  });

  /// A widget's key.
  final String? key;

  /// A label, exactly.
  final String? semanticsLabel;

  /// A label or else a `Text`, exactly.
  final String? text;

  /// A part of a label or else of a `Text`.
  final String? contains;

  /// A semantics value: how `observe` remembers a control without a label.
  final String? value;

  /// Whether nothing is set.
  bool get isEmpty =>
      key == null &&
      semanticsLabel == null &&
      text == null &&
      contains == null &&
      value == null;
}

/// What [predicate] leads to on [screen], inside [scope] when there is one.
Found? findFirst(ScreenIndex screen, Predicate predicate, {UiElement? scope}) {
  final String? key = predicate.key;
  if (key != null) return _byKey(screen, key, predicate.text, scope);
  final String? label = predicate.semanticsLabel;
  if (label != null) return _preferred(_labelled(screen, label, scope));
  final String? text = predicate.text;
  if (text != null) {
    return _preferred(_labelled(screen, text, scope)) ??
        _text(screen, scope, (String data) => data == text);
  }
  final String? part = predicate.contains;
  if (part != null) {
    for (final UiSemantics node in screen.nodes) {
      if (node.label.contains(part) && _isIn(node, scope)) {
        return Found.node(node);
      }
    }
    return _text(screen, scope, (String data) => data.contains(part));
  }
  final String? value = predicate.value;
  if (value != null) {
    for (final UiSemantics node in screen.nodes) {
      if (node.value == value && _isIn(node, scope)) return Found.node(node);
    }
  }
  return null;
}

/// How many nodes share the label [predicate] led to; 1 for other matches.
int countMatches(ScreenIndex screen, Predicate predicate, {UiElement? scope}) {
  if (predicate.key != null) return 1;
  final String? label = predicate.semanticsLabel ?? predicate.text;
  if (label == null) return 1;
  final int count = _labelled(screen, label, scope).length;
  return count == 0 ? 1 : count;
}

/// The node at [position] among those labelled [label]; null when there are
/// not that many.
Found? findPosition(ScreenIndex screen, String label, int position) {
  final List<UiSemantics> nodes = screen.labelled(label);
  return position < nodes.length ? Found.node(nodes[position]) : null;
}

/// The elements of `find_by_text`, in tree order.
List<UiElement> textElements(
  ScreenIndex screen,
  String text, {
  required bool exact,
}) => <UiElement>[
  for (final UiElement element in screen.texts)
    if (exact ? element.text == text : element.text!.contains(text))
      if (element.isLaidOut && element.rect != null) element,
];

Found? _byKey(ScreenIndex screen, String key, String? text, UiElement? scope) {
  for (final UiElement element in screen.named(key)) {
    if (scope != null && !isAtOrBelow(element, scope)) continue;
    if (text != null && !textsAtOrBelow(element).contains(text)) continue;
    return Found.element(element);
  }
  return null;
}

List<UiSemantics> _labelled(
  ScreenIndex screen,
  String label,
  UiElement? scope,
) {
  final List<UiSemantics> all = screen.labelled(label);
  if (scope == null) return all;
  return <UiSemantics>[
    for (final UiSemantics node in all)
      if (_isIn(node, scope)) node,
  ];
}

Found? _preferred(List<UiSemantics> nodes) {
  if (nodes.isEmpty) return null;
  for (final UiSemantics node in nodes) {
    if (isInteractive(node)) return Found.node(node);
  }
  return Found.node(nodes.first);
}

Found? _text(
  ScreenIndex screen,
  UiElement? scope,
  bool Function(String data) matches,
) {
  for (final UiElement element in screen.texts) {
    if (!matches(element.text!)) continue;
    if (scope == null || isAtOrBelow(element, scope)) {
      return Found.element(element);
    }
  }
  return null;
}

bool _isIn(UiSemantics node, UiElement? scope) {
  if (scope == null) return true;
  final UiElement? element = node.element;
  return element != null && isAtOrBelow(element, scope);
}
