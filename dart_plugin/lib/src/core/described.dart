/// A widget in words: what it is, and how it can be found again.
library;

import 'geometry.dart';
import 'query.dart';
import 'roles.dart';
import 'screen.dart';
import 'ui.dart';

/// How many of the keyed ancestors of a widget are searched in.
const int _maxScopes = 2;

/// A widget as it was when somebody looked at it.
final class Described {
  Described._(this.element, this.node, this.fields);

  /// The widget.
  final UiElement element;

  /// Its semantics node; null when it has none.
  final UiSemantics? node;

  /// As events carry it.
  final Map<String, Object?> fields;

  /// Whether it offers options.
  bool get isDropdown => fields['dropdown'] == true;

  /// What it holds now, as events carry it; null when it is gone.
  Map<String, Object?>? get state {
    final UiSemantics? own = node;
    if (!element.isMounted || !element.isReachable) return null;
    if (own == null) {
      return <String, Object?>{'value': null, 'isEnabled': true};
    }
    if (!own.isAttached) return null;
    final UiCheck? check = checkOf(own);
    return <String, Object?>{
      'value': own.value.isEmpty ? null : own.value,
      if (check != null) 'checked': check.value,
      'isEnabled': own.isEnabled ?? true,
    };
  }
}

/// [element] as it is on [screen].
Described describeElement(ScreenIndex screen, UiElement element) {
  final QueryNode? listed = QueryNode.of(element);
  final UiSemantics? node = listed?.node;
  final UiCheck? check = node == null ? null : checkOf(node);
  final String role = listed?.role ?? '';
  final String label = listed?.label ?? '';
  final String value = node?.value ?? '';
  final String? text = textOf(element);
  final UiRect bounds =
      (node != null ? node.rect : element.rect) ?? UiRect.zero;
  return Described._(element, node, <String, Object?>{
    'role': role,
    'label': label,
    'value': value.isEmpty ? null : value,
    'text': text,
    'key': element.key,
    if (node != null) ...namesBesideLabel(node),
    'type': element.typeName,
    'bounds': bounds.toJson(),
    'isEnabled': node?.isEnabled ?? true,
    if (check != null) 'checked': check.value,
    if (node != null && node.isObscured) 'obscured': true,
    if (node != null && node.checked != null && node.isExclusive)
      'radio': true,
    if (dropdownOf(element) != null) 'dropdown': true,
    if (_fieldIn(element)?.isMultiline ?? false) 'multiline': true,
    'candidates':
        listed == null
            ? const <Object?>[]
            : _candidatesFor(screen, listed, value, text),
  });
}

/// The element of the dropdown that [element] is, or is a part of.
UiElement? dropdownOf(UiElement element) {
  bool offers(UiElement each) => each.dropdown != null;
  // What is inside something that only holds it is not meant.
  final UiSemantics? node = element.semantics;
  if (node == null || !isInteractive(node)) {
    return offers(element) ? element : null;
  }
  final UiElement? below = _ownPart(element, offers);
  if (below != null) return below;
  final UiElement? above = firstAtOrAbove(
    element,
    (UiElement each) =>
        offers(each) ||
        (each.semantics != null && !identical(each, element)),
  );
  return above != null && offers(above) ? above : null;
}

/// The first of [element] and what it alone speaks for that [test] holds for.
UiElement? _ownPart(UiElement element, bool Function(UiElement) test) {
  if (test(element)) return element;
  UiElement? found;
  element.visitChildren((UiElement child) {
    if (found != null) return;
    final UiSemantics? node = child.semantics;
    final bool isOwn = node == null || node.isMergedIntoParent;
    if (isOwn || test(child)) found = _ownPart(child, test);
  });
  return found;
}

/// The text field that [element] is.
UiTextField? _fieldIn(UiElement element) {
  if (element.textField case final UiTextField field) return field;
  if (element.semantics?.isTextField != true) return null;
  return firstAtOrBelow(
    element,
    (UiElement each) => each.textField != null,
  )?.textField;
}

/// What a person would name who touched [path], which goes outwards: the
/// first that can be used, else the first that says something, else the first
/// with a key or an identifier.
UiElement? touchedOf(Iterable<UiElement> path) {
  UiElement? saying;
  UiElement? keyed;
  for (final UiElement element in path) {
    if (element.textField != null) return fieldElementOf(element);
    final QueryNode? listed = QueryNode.of(element);
    if (listed == null) continue;
    final UiSemantics? node = listed.node;
    if (node != null) {
      if (isInteractive(node) || node.isSlider) return element;
      if (_says(node)) saying ??= element;
      if (node.identifier.isNotEmpty) keyed ??= element;
    }
    if (lastingKeyOf(element) != null) keyed ??= element;
  }
  return saying ?? keyed;
}

/// Whether a person is told something by [node].
bool _says(UiSemantics node) =>
    node.label.isNotEmpty ||
    node.value.isNotEmpty ||
    node.tooltip.isNotEmpty ||
    node.hint.isNotEmpty;

/// A key that nobody gave a value, which is another one on each start, or a
/// private value of a library's.
final RegExp _passing = RegExp(
  r'#[0-9a-f]{5}(?: [^\]]*)?\]$|^_[A-Z]\w*\.\w+$',
);

/// The key of [element] that will still be its on another start of the app.
String? lastingKeyOf(UiElement element) {
  final String? key = element.key;
  return key == null || _passing.hasMatch(key) ? null : key;
}

/// The element that stands for the text field [field] on the screen: its
/// text may be a part of what is called one.
UiElement fieldElementOf(UiElement field) =>
    firstAtOrAbove(field, (UiElement each) {
      final UiSemantics? node = each.semantics;
      return node != null && node.isTextField && !node.isMergedIntoParent;
    }) ??
    field;

/// The element that stands for what [scrolling] scrolls: the nearest around it
/// that has a key and consists of it alone, else itself.
UiElement scrollElementOf(UiElement scrolling) {
  for (final UiElement each in outwardsFrom(scrolling)) {
    if (lastingKeyOf(each) != null) return each;
    int siblings = 0;
    each.parent?.visitChildren((_) => siblings++);
    if (siblings != 1) break;
  }
  return scrolling;
}

/// [element] and what it is in.
Iterable<UiElement> outwardsFrom(UiElement element) sync* {
  UiElement? each = element;
  while (each != null) {
    yield each;
    each = each.parent;
  }
}

/// The ways to find [target], each tried on [screen].
List<Object?> _candidatesFor(
  ScreenIndex screen,
  QueryNode target,
  String value,
  String? text,
) {
  final String role = target.role;
  final String label = target.label;
  final List<Object?> found = <Object?>[];
  void attempt(
    Map<String, Object?> by,
    Query query, [
    Map<String, Object?>? within,
  ]) {
    final List<QueryNode> nodes = query.run(screen);
    final int index = nodes.indexWhere(
      (QueryNode each) => identical(each.element, target.element),
    );
    if (index < 0) return;
    found.add(<String, Object?>{
      'by': by,
      if (within != null) 'within': within,
      'count': nodes.length,
      'index': index,
    });
  }

  final String line = (text == label ? null : text?.split('\n').first) ?? '';
  final bool hasRole = role.isNotEmpty;
  final bool hasLabel = label.isNotEmpty;
  final bool hasText = line.isNotEmpty && line != label;
  final String identifier = target.node?.identifier ?? '';
  final String tooltip = target.node?.tooltip ?? '';
  final String hint = target.node?.hint ?? '';
  final Map<String, Object?> byRole = <String, Object?>{
    if (hasRole) 'role': role,
  };
  final String? ofRole = hasRole ? role : null;

  void attemptHintAndTooltip([
    UiElement? scope,
    Map<String, Object?>? within,
  ]) {
    if (hint.isNotEmpty) {
      attempt(
        <String, Object?>{...byRole, 'hint': hint},
        Query(role: ofRole, hint: hint, scope: scope),
        within,
      );
    }
    if (tooltip.isNotEmpty) {
      attempt(
        <String, Object?>{...byRole, 'tooltip': tooltip},
        Query(role: ofRole, tooltip: tooltip, scope: scope),
        within,
      );
    }
  }

  if (lastingKeyOf(target.element) case final String key) {
    attempt(<String, Object?>{'key': key}, Query(key: key));
  }
  if (identifier.isNotEmpty) {
    attempt(<String, Object?>{
      'identifier': identifier,
    }, Query(identifier: identifier));
  }
  if (hasRole && hasLabel) {
    attempt(<String, Object?>{
      'role': role,
      'label': label,
    }, Query(role: role, label: label));
  }
  if (hasLabel) {
    attempt(<String, Object?>{'label': label}, Query(label: label));
  }
  attemptHintAndTooltip();
  if (hasText) {
    attempt(<String, Object?>{'text': line}, Query(text: line));
  }
  if (hasRole && value.isNotEmpty && role != Role.textbox) {
    attempt(<String, Object?>{
      'role': role,
      'value': value,
    }, Query(role: role, value: value));
  }
  if (hasRole) attempt(<String, Object?>{'role': role}, Query(role: role));

  for (final (String key, UiElement scope) in _scopesOf(screen, target)) {
    final Map<String, Object?> within = <String, Object?>{'key': key};
    if (hasRole && hasLabel) {
      attempt(
        <String, Object?>{'role': role, 'label': label},
        Query(role: role, label: label, scope: scope),
        within,
      );
    }
    attemptHintAndTooltip(scope, within);
    if (hasText) {
      attempt(
        <String, Object?>{'text': line},
        Query(text: line, scope: scope),
        within,
      );
    }
    if (hasRole) {
      attempt(
        <String, Object?>{'role': role},
        Query(role: role, scope: scope),
        within,
      );
    }
  }
  return found;
}

/// The nearest ancestors of [target] that have a key of their own.
List<(String, UiElement)> _scopesOf(ScreenIndex screen, QueryNode target) {
  final List<(String, UiElement)> scopes = <(String, UiElement)>[];
  UiElement? each = target.element.parent;
  while (each != null && scopes.length < _maxScopes) {
    if (lastingKeyOf(each) case final String key) {
      final List<QueryNode> nodes = Query(key: key).run(screen);
      if (nodes.length == 1 && identical(nodes.single.element, each)) {
        scopes.add((key, each));
      }
    }
    each = each.parent;
  }
  return scopes;
}
