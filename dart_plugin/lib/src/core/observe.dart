/// The list of what can be acted on.
library;

import 'find.dart';
import 'refs.dart';
import 'roles.dart';
import 'screen.dart';
import 'tap_owner.dart';
import 'ui.dart';

/// The candidates of [screen] in tree order, at most [limit].
List<Map<String, Object?>> observeScreen(
  ScreenIndex screen,
  Refs refs, {
  required int limit,
  Set<String> roles = const <String>{},
  Map<String, Object?> Function(UiElement element)? enrich,
}) {
  final List<Map<String, Object?>> found = <Map<String, Object?>>[];
  UiSemantics? field;
  for (final UiSemantics node in screen.nodes) {
    if (found.length >= limit) break;
    final String? role = roleOf(node);
    if (role == null) continue;
    if (role == Role.textbox) {
      if (_isInside(node, field)) continue;
      field = node;
    }
    if (roles.isNotEmpty && !roles.contains(role)) continue;
    found.add(_candidate(screen, refs, node, role, enrich));
  }
  return found;
}

bool _isInside(UiSemantics node, UiSemantics? field) {
  final UiElement? inner = node.element;
  final UiElement? outer = field?.element;
  return inner != null && outer != null && isAtOrBelow(inner, outer);
}

Map<String, Object?> _candidate(
  ScreenIndex screen,
  Refs refs,
  UiSemantics node,
  String role,
  Map<String, Object?> Function(UiElement element)? enrich,
) {
  final TapOwner? owner = tapOwnerOf(screen, node);
  final UiElement? element = node.element;
  final Map<String, Object?> candidate = <String, Object?>{
    'ref': _handle(screen, refs, node).token,
    'role': role,
    'label': node.label,
    ...describe(screen, node),
    if (owner != null) ...<String, Object?>{
      'tapOwner': owner.rect.toJson(),
      if (owner.isCentreHandled) 'centreHandled': true,
      if (!owner.canRetarget) 'retargets': false,
    },
  };
  if (enrich != null && element != null) {
    enrich(element).forEach((String name, Object? value) {
      candidate.putIfAbsent(name, () => value);
    });
  }
  return candidate;
}

QueryRef _handle(ScreenIndex screen, Refs refs, UiSemantics node) {
  final String label = node.label;
  if (label.isNotEmpty) {
    return refs.query(
      Predicate(semanticsLabel: label),
      position: screen.labelled(label).indexOf(node),
    );
  }
  final String value = node.value;
  return refs.query(Predicate(value: value.isEmpty ? null : value));
}

/// What replies tell of a node beside its ref, role and label.
Map<String, Object?> describe(ScreenIndex screen, UiSemantics node) {
  final bool inViewport = isInViewport(node.rect, screen.viewport);
  return <String, Object?>{
    'value': node.value.isEmpty ? null : node.value,
    'bounds': node.rect.toJson(),
    'isEnabled': node.isEnabled ?? true,
    'isVisible': !node.rect.isEmpty && inViewport,
    'inViewport': inViewport,
    'occluded': isOccluded(screen, node),
  };
}
