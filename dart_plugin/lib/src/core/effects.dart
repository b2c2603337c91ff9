/// What an action left behind, read back from the live tree.
library;

import 'errors.dart';
import 'geometry.dart';
import 'refs.dart';
import 'roles.dart';
import 'screen.dart';
import 'ui.dart';

/// Everything about [target] a tap could change, as one text.
///
/// The route it is on, and what its node and those below say. It is empty
/// once the target is out of the semantics tree or of the widget tree.
String digestOf(Target target) {
  final UiElement element = target.element;
  if (!element.isMounted || !element.isReachable) return '';
  final StringBuffer out = StringBuffer()..write(element.routeName);
  final UiSemantics? node = target.node;
  if (node == null) {
    out
      ..write('\u0000')
      ..writeAll(textsAtOrBelow(element), '\u0000');
    element.visitChildren((UiElement child) => _digestElement(child, out));
  } else if (node.isAttached) {
    _digestNode(node, out);
  }
  return out.toString();
}

/// Everything the whole screen says, as one text.
String digestOfScreen(ScreenIndex screen) {
  final StringBuffer out = StringBuffer();
  final UiSemantics? root = screen.tree.semanticsRoot;
  if (root != null) _digestNode(root, out);
  return out.toString();
}

void _digestElement(UiElement element, StringBuffer out) {
  final UiSemantics? node = element.semantics;
  if (node != null && node.isAttached) {
    _digestNode(node, out);
  } else {
    element.visitChildren((UiElement child) => _digestElement(child, out));
  }
}

void _digestNode(UiSemantics node, StringBuffer out) {
  out
    ..write('\u0000(')
    ..write(node.label)
    ..write('\u0000')
    ..write(node.value)
    ..write('\u0000')
    ..write(node.isEnabled)
    ..write(checkOf(node)?.name);
  for (final UiSemantics child in node.children) {
    _digestNode(child, out);
  }
  out.write(')');
}

/// A text field, and how it was reached.
final class FieldMatch {
  /// Creates a match.
  const FieldMatch(this.element, this.field, this.kind);

  /// The element that owns the field.
  final UiElement element;

  /// The field.
  final UiTextField field;

  /// `element` at or below the ref, `overlap` where it is drawn, `nearest` to
  /// it.
  final String kind;

  /// As the effect's `target`.
  Map<String, Object?> toJson() {
    final UiElement? owner = firstAtOrAbove(
      element,
      (UiElement each) => each.semantics?.isTextField ?? false,
    );
    return <String, Object?>{
      'matchKind': kind,
      'label': (owner ?? element).semantics?.label ?? '',
      'rect': (element.rect ?? UiRect.zero).toJson(),
    };
  }
}

/// The text field [target] means.
///
/// With [orNearest] a label or a text beside a field leads to the nearest one
/// on its route. A control that is no text field is refused: its nearest
/// field is somebody else's.
FieldMatch fieldOf(
  ScreenIndex screen,
  Target target,
  String verb, {
  bool orNearest = false,
}) {
  final UiElement? own = firstAtOrBelow(
    target.element,
    (UiElement each) => each.textField != null,
  );
  if (own != null) return FieldMatch(own, own.textField!, 'element');
  final UiSemantics? node = target.node;
  if (node != null && isInteractive(node) && !node.isTextField) {
    throw TapirError(
      '$verb: ref ${target.ref} is a ${controlName(node)}, not a text field',
      ref: target.ref,
    );
  }
  final FieldMatch? near = orNearest ? _nearestField(screen, target) : null;
  if (near != null) return near;
  throw TapirError(
    '$verb: no EditableText under ref "${target.ref}"',
    ref: target.ref,
  );
}

FieldMatch? _nearestField(ScreenIndex screen, Target target) {
  final UiRect? rect = target.rect;
  FieldMatch? nearest;
  double least = double.infinity;
  for (final UiElement element in screen.elements) {
    final UiTextField? field = element.textField;
    final UiRect? area = element.rect;
    if (field == null || area == null || rect == null) continue;
    if (!element.isReachable) continue;
    if (element.routeName != target.element.routeName) continue;
    if (area.overlaps(rect)) return FieldMatch(element, field, 'overlap');
    final double dx = area.center.x - rect.center.x;
    final double dy = area.center.y - rect.center.y;
    final double distance = dx * dx + dy * dy;
    if (distance < least) {
      least = distance;
      nearest = FieldMatch(element, field, 'nearest');
    }
  }
  return nearest;
}

/// The effect of writing [wanted] into [match].
Map<String, Object?> textEffect(FieldMatch match, String wanted) {
  final String value = match.field.value;
  return <String, Object?>{
    'kind': 'text',
    'verified': value == wanted,
    'value': value,
    'target': match.toJson(),
  };
}
