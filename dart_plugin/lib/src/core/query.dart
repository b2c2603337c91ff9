/// `ext.tapir_replay.query`: every node that satisfies all of the predicates.
library;

import 'errors.dart';
import 'geometry.dart';
import 'observe.dart';
import 'params.dart';
import 'refs.dart';
import 'roles.dart';
import 'screen.dart';
import 'ui.dart';

/// The most nodes listed unless a call says otherwise.
const int defaultQueryLimit = 20;

/// The nodes of [screen] that [params] describe, with their number.
Map<String, Object?> queryScreen(ScreenIndex screen, Refs refs, Params params) {
  final String? pattern = params.raw('matches');
  RegExp? expression;
  if (pattern != null) {
    try {
      expression = RegExp(pattern, unicode: true);
    } on FormatException catch (error) {
      throw TapirError.missingParam(
        '${params.verb}: "matches" is not a valid expression: $pattern '
        '(${error.message})',
      );
    }
  }
  UiElement? scope;
  final String? within = params.raw('within');
  if (within != null) {
    scope =
        refs
            .resolve(
              within,
              notFound: '${params.verb}: ref "$within" not found in registry',
            )
            .element;
  }
  final List<QueryNode> found =
      Query(
        key: params.raw('key'),
        label: params.raw('label'),
        text: params.raw('text'),
        contains: params.raw('contains'),
        matches: expression,
        role: params.raw('role'),
        value: params.raw('value'),
        identifier: params.raw('identifier'),
        tooltip: params.raw('tooltip'),
        hint: params.raw('hint'),
        scope: scope,
      ).run(screen);
  final int limit = params.integer('limit', orElse: defaultQueryLimit);
  return <String, Object?>{
    'count': found.length,
    'nodes': <Object?>[
      for (final QueryNode each in found.take(limit < 0 ? 0 : limit))
        each.toJson(screen, refs),
    ],
  };
}

/// A thing that can be listed: a semantics node, or an element with a key.
final class QueryNode {
  const QueryNode._(this.element, this.node);

  /// What [element] can be listed as: its own node, or a keyed element
  /// without one. Null for everything else.
  static QueryNode? of(UiElement element) {
    final UiSemantics? node = element.semantics;
    if (node != null && !node.isMergedIntoParent) {
      return node.isAttached ? QueryNode._(element, node) : null;
    }
    if (element.key == null) return null;
    if (!element.isMounted || !element.isReachable) return null;
    return QueryNode._(element, null);
  }

  /// The element.
  final UiElement element;

  /// Its semantics node; null when it has none of its own.
  final UiSemantics? node;

  /// Its role; `''` for a plain text or a keyed container.
  String get role => node == null ? '' : roleOf(node!) ?? '';

  /// Its label; `''` without one.
  String get label => node?.label ?? '';

  /// As replies carry it.
  Map<String, Object?> toJson(ScreenIndex screen, Refs refs) {
    final UiSemantics? own = node;
    final UiCheck? check = own == null ? null : checkOf(own);
    return <String, Object?>{
      'ref':
          own == null
              ? refs.ofElement(element).token
              : refs.ofNode(screen, own).token,
      'role': role,
      'label': label,
      if (own != null)
        ...describe(screen, own)
      else
        ..._describeElement(screen),
      'text': textOf(element),
      'key': element.key,
      if (own != null) ...namesBesideLabel(own),
      if (check != null) 'checked': check.value,
      if (own != null && own.isFocused) 'focused': true,
      if (own != null && own.isObscured) 'obscured': true,
      'path': '${element.routeName ?? ''} ${element.typeName}'.trim(),
    };
  }

  Map<String, Object?> _describeElement(ScreenIndex screen) {
    final UiRect rect = element.rect ?? UiRect.zero;
    final bool inViewport = isInViewport(rect, screen.viewport);
    final bool isVisible = !rect.isEmpty && inViewport;
    return <String, Object?>{
      'value': null,
      'bounds': rect.toJson(),
      'isEnabled': true,
      'isVisible': isVisible,
      'inViewport': inViewport,
      'occluded':
          isVisible &&
              coverOf(element, screen.tree.hitTest(rect.center)) != null,
    };
  }
}

/// What [node] is called beside its label, as replies carry it.
Map<String, Object?> namesBesideLabel(UiSemantics node) => <String, Object?>{
  if (node.identifier.isNotEmpty) 'identifier': node.identifier,
  if (node.tooltip.isNotEmpty) 'tooltip': node.tooltip,
  if (node.hint.isNotEmpty) 'hint': node.hint,
};

/// What is asked for; all that is not null has to hold.
final class Query {
  /// Creates a query.
  const Query({
    this.key,
    this.label,
    this.text,
    this.contains,
    this.matches,
    this.role,
    this.value,
    this.identifier,
    this.tooltip,
    this.hint,
    this.scope,
  });

  /// A widget's key.
  final String? key;

  /// A label, exactly.
  final String? label;

  /// A label or else a `Text`, exactly.
  final String? text;

  /// A part of a label or else of a `Text`.
  final String? contains;

  /// What finds something in a label or else in a `Text`.
  final RegExp? matches;

  /// A role.
  final String? role;

  /// A semantics value, exactly.
  final String? value;

  /// A semantics identifier, exactly; an empty one fits nothing.
  final String? identifier;

  /// A tooltip, exactly; an empty one fits nothing.
  final String? tooltip;

  /// A hint, exactly; an empty one fits nothing.
  final String? hint;

  /// What it has to be inside of.
  final UiElement? scope;

  /// Whether nothing is asked for: then everything that says something is.
  bool get _isOpen =>
      key == null &&
      label == null &&
      text == null &&
      contains == null &&
      matches == null &&
      role == null &&
      value == null &&
      identifier == null &&
      tooltip == null &&
      hint == null &&
      scope == null;

  /// What satisfies it on [screen], in tree order.
  List<QueryNode> run(ScreenIndex screen) {
    if (_isNowhere(screen)) return <QueryNode>[];
    final bool isOpen = _isOpen;
    List<QueryNode> found = <QueryNode>[
      for (final UiElement element in _elements(screen))
        if (QueryNode.of(element) case final QueryNode each
            when isOpen ? _says(each) : _satisfiesPlain(each))
          each,
    ];
    if (text case final String text) {
      found = _byWords(found, (String each) => each == text);
    }
    if (contains case final String part) {
      found = _byWords(found, (String each) => each.contains(part));
    }
    if (matches case final RegExp pattern) {
      found = _byWords(found, pattern.hasMatch);
    }
    return found;
  }

  /// Whether a look at the lists that are there anyway tells that nothing has
  /// the [text].
  bool _isNowhere(ScreenIndex screen) {
    final String? words = text;
    return words != null &&
        words.isNotEmpty &&
        !screen.textData.contains(words) &&
        screen.labelled(words).isEmpty;
  }

  /// The elements that may be meant, in tree order: as few as can be told
  /// from a list that is there anyway.
  Iterable<UiElement> _elements(ScreenIndex screen) {
    if (key case final String key) return screen.named(key);
    if (label case final String label when label.isNotEmpty) {
      return <UiElement>[
        for (final UiSemantics node in screen.labelled(label))
          if (node.element case final UiElement element) element,
      ];
    }
    return screen.elements;
  }

  static bool _says(QueryNode each) {
    final UiSemantics? node = each.node;
    return node != null &&
        (roleOf(node) != null ||
            node.label.isNotEmpty ||
            node.value.isNotEmpty ||
            namesBesideLabel(node).isNotEmpty);
  }

  bool _satisfiesPlain(QueryNode each) {
    final UiSemantics? node = each.node;
    if (label != null && node?.label != label) return false;
    if (role != null && (node == null || roleOf(node) != role)) return false;
    if (value != null && node?.value != value) return false;
    if (!_isNamed(node?.identifier, identifier)) return false;
    if (!_isNamed(node?.tooltip, tooltip)) return false;
    if (!_isNamed(node?.hint, hint)) return false;
    final UiElement? inside = scope;
    return inside == null ||
        (!identical(each.element, inside) &&
            isAtOrBelow(each.element, inside));
  }

  /// Whether a name that is [wanted], if any, is there.
  static bool _isNamed(String? name, String? wanted) =>
      wanted == null || (wanted.isNotEmpty && name == wanted);

  /// Those of [pool] whose label fits; if none does, the innermost of those
  /// with a fitting text at or inside them.
  static List<QueryNode> _byWords(
    List<QueryNode> pool,
    bool Function(String words) fits,
  ) {
    final List<QueryNode> labelled = <QueryNode>[
      for (final QueryNode each in pool)
        if (each.node case final UiSemantics node when fits(node.label)) each,
    ];
    if (labelled.isNotEmpty) return labelled;
    final Set<UiElement> around = Set<UiElement>.identity();
    final List<QueryNode> holding = <QueryNode>[
      for (final QueryNode each in pool)
        if (_holds(each.element, fits)) each,
    ];
    for (final QueryNode each in holding) {
      UiElement? above = each.element.parent;
      while (above != null && around.add(above)) {
        above = above.parent;
      }
    }
    return <QueryNode>[
      for (final QueryNode each in holding)
        if (!around.contains(each.element)) each,
    ];
  }

  /// Whether a fitting text at or inside [element] can be reached: a keyed
  /// navigator holds those of covered pages as well.
  static bool _holds(UiElement element, bool Function(String words) fits) =>
      firstAtOrBelow(element, (UiElement each) {
        final String? text = each.text;
        return text != null && fits(text) && each.isReachable;
      }) !=
      null;
}

/// What the texts at or inside [element] show, in lines; null when there are
/// none.
String? textOf(UiElement element) {
  final List<String> texts = textsAtOrBelow(element);
  return texts.isEmpty ? null : texts.join('\n');
}
