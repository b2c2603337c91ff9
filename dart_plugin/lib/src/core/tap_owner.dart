/// Where a tap on a node that speaks for its descendants has to go.
library;

import 'geometry.dart';
import 'screen.dart';
import 'ui.dart';

/// The control inside a merged node whose centre is somewhere else.
final class TapOwner {
  /// Creates it.
  const TapOwner({
    required this.rect,
    required this.canRetarget,
    required this.isCentreHandled,
  });

  /// Where the control is.
  final UiRect rect;

  /// Whether a tap can safely go there.
  final bool canRetarget;

  /// Whether the node's own centre answers to a tap as well.
  final bool isCentreHandled;
}

/// The control that [node] speaks for, when the node's centre is not on it.
///
/// Null when [node] merges nothing, holds no control, or is covered by its
/// control at the centre.
TapOwner? tapOwnerOf(ScreenIndex screen, UiSemantics node) {
  if (!node.mergesDescendants) return null;
  final List<UiSemantics> controls = <UiSemantics>[];
  void visit(UiSemantics each) {
    for (final UiSemantics child in each.children) {
      if (!child.isMergedIntoParent) continue;
      if (child.canTap && _names(child, node)) controls.add(child);
      visit(child);
    }
  }

  visit(node);
  if (controls.isEmpty) return null;
  final UiPoint centre = node.rect.center;
  if (controls.any((UiSemantics each) => each.rect.contains(centre))) {
    return null;
  }
  final UiSemantics control = controls.first;
  return TapOwner(
    rect: control.rect,
    canRetarget: controls.length == 1 && _isReachable(screen, control),
    isCentreHandled: _hasHandler(screen, centre, node),
  );
}

/// Whether the label that [node] speaks is (also) that of [control].
bool _names(UiSemantics control, UiSemantics node) =>
    control.label.isNotEmpty && node.label.contains(control.label);

bool _isReachable(ScreenIndex screen, UiSemantics control) {
  final UiElement? element = control.element;
  final UiRect rect = control.rect;
  if (element == null || rect.isEmpty) return false;
  final UiRect? viewport = screen.viewport;
  if (viewport != null && !viewport.contains(rect.center)) return false;
  final List<UiElement> path = screen.tree.hitTest(rect.center);
  return path.any((UiElement hit) => isAtOrBelow(hit, element));
}

bool _hasHandler(ScreenIndex screen, UiPoint centre, UiSemantics node) {
  for (final UiElement hit in screen.tree.hitTest(centre)) {
    final UiSemantics? own = hit.semantics;
    if (own == null || own.id == node.id) continue;
    if (own.canTap) return true;
  }
  return false;
}
