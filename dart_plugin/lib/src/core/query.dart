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

const Set<String> _predicates = <String>{
  'key',
  'label',
  'text',
  'contains',
  'matches',
  'role',
  'value',
  'within',
};

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
  final List<_Candidate> found = _Query(
    screen: screen,
    scope: scope,
    params: params,
    expression: expression,
  ).run();
  final int limit = params.integer('limit', orElse: defaultQueryLimit);
  return <String, Object?>{
    'count': found.length,
    'nodes': <Object?>[
      for (final _Candidate each in found.take(limit < 0 ? 0 : limit))
        each.toJson(screen, refs),
    ],
  };
}

/// A thing that can be listed: a semantics node, or an element with a key.
final class _Candidate {
  _Candidate(this.element, this.node);

  final UiElement element;
  final UiSemantics? node;

  Map<String, Object?> toJson(ScreenIndex screen, Refs refs) {
    final UiSemantics? own = node;
    final UiCheck? check = own == null ? null : checkOf(own);
    final List<String> texts = textsAtOrBelow(element);
    final String? key = element.key;
    return <String, Object?>{
      'ref':
          own == null
              ? refs.ofElement(element).token
              : refs.ofNode(screen, own).token,
      'role': own == null ? '' : roleOf(own) ?? '',
      'label': own?.label ?? '',
      if (own != null)
        ...describe(screen, own)
      else
        ..._describeElement(screen),
      'text': texts.isEmpty ? null : texts.join('\n'),
      'key': key,
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

final class _Query {
  _Query({
    required this.screen,
    required this.scope,
    required this.params,
    required this.expression,
  });

  final ScreenIndex screen;
  final UiElement? scope;
  final Params params;
  final RegExp? expression;

  /// Whether nothing is asked for: then everything that says something is.
  late final bool _isOpen = _predicates.every(
    (String each) => !params.has(each),
  );

  List<_Candidate> run() {
    List<_Candidate> found = <_Candidate>[
      for (final UiElement element in _elements())
        if (_candidateOf(element) case final _Candidate each
            when _satisfiesPlain(each))
          each,
    ];
    final String? text = params.raw('text');
    if (text != null) found = _byWords(found, (String each) => each == text);
    final String? part = params.raw('contains');
    if (part != null) {
      found = _byWords(found, (String each) => each.contains(part));
    }
    final RegExp? pattern = expression;
    if (pattern != null) found = _byWords(found, pattern.hasMatch);
    return found;
  }

  /// The elements that may be meant, in tree order: as few as can be told
  /// from a list that is there anyway.
  Iterable<UiElement> _elements() {
    if (params.raw('key') case final String key) {
      return screen.named(key);
    }
    final String? label = params.raw('label');
    if (label != null && label.isNotEmpty) {
      return <UiElement>[
        for (final UiSemantics node in screen.labelled(label))
          if (node.element case final UiElement element) element,
      ];
    }
    return screen.elements;
  }

  /// What [element] can be listed as: its own node, or a keyed element
  /// without one. Null for everything else.
  _Candidate? _candidateOf(UiElement element) {
    final UiSemantics? node = element.semantics;
    if (node != null && !node.isMergedIntoParent) {
      if (!node.isAttached) return null;
      if (_isOpen && roleOf(node) == null && _isSilent(node)) return null;
      return _Candidate(element, node);
    }
    if (_isOpen || element.key == null) return null;
    if (!element.isMounted || !element.isReachable) return null;
    return _Candidate(element, null);
  }

  static bool _isSilent(UiSemantics node) =>
      node.label.isEmpty && node.value.isEmpty;

  bool _satisfiesPlain(_Candidate each) {
    final UiSemantics? node = each.node;
    final String? label = params.raw('label');
    if (label != null && (node == null || node.label != label)) return false;
    final String? role = params.raw('role');
    if (role != null && (node == null || roleOf(node) != role)) return false;
    final String? value = params.raw('value');
    if (value != null && (node == null || node.value != value)) return false;
    final UiElement? inside = scope;
    return inside == null ||
        (!identical(each.element, inside) &&
            isAtOrBelow(each.element, inside));
  }

  /// Those of [pool] whose label fits; if none does, the innermost of those
  /// with a fitting text at or inside them.
  List<_Candidate> _byWords(
    List<_Candidate> pool,
    bool Function(String words) fits,
  ) {
    final List<_Candidate> labelled = <_Candidate>[
      for (final _Candidate each in pool)
        if (each.node case final UiSemantics node when fits(node.label)) each,
    ];
    if (labelled.isNotEmpty) return labelled;
    final Set<UiElement> around = Set<UiElement>.identity();
    final List<_Candidate> holding = <_Candidate>[
      for (final _Candidate each in pool)
        if (_holds(each.element, fits)) each,
    ];
    for (final _Candidate each in holding) {
      UiElement? above = each.element.parent;
      while (above != null && around.add(above)) {
        above = above.parent;
      }
    }
    return <_Candidate>[
      for (final _Candidate each in holding)
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
