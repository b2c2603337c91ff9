/// The refs a client holds: `e<N>`, bound to a node, and `q<N>`, bound to a
/// description.
library;

import 'errors.dart';
import 'find.dart';
import 'geometry.dart';
import 'screen.dart';
import 'ui.dart';

/// What an `e<N>` remembers.
final class ElementRef {
  ElementRef._(this.token);

  /// The ref's name.
  final String token;

  // A ref lives as long as the app; what it is bound to must not.
  WeakReference<UiSemantics>? _node;
  WeakReference<UiElement>? _element;

  /// The semantics node it is bound to; null when it has only an element.
  UiSemantics? get node => _node?.target;
  set node(UiSemantics? value) {
    if (identical(_node?.target, value)) return;
    _node = value == null ? null : WeakReference<UiSemantics>(value);
  }

  /// The element it is bound to; null once it is gone for good.
  UiElement? get element => _element?.target;
  set element(UiElement? value) {
    if (identical(_element?.target, value)) return;
    _element = value == null ? null : WeakReference<UiElement>(value);
  }

  /// Where it was last seen.
  UiRect? rect;

  /// The label it had; `''` without one.
  String label = '';

  /// Its place among the nodes of that label.
  int index = 0;

  /// How many nodes had that label.
  int count = 0;

  /// The route it was on.
  String? route;

  /// Whether what it is bound to is still there.
  bool get isAlive {
    final UiElement? bound = element;
    if (bound == null || !bound.isMounted) return false;
    final UiSemantics? own = node;
    // A node that is out of the tree for a while, under a dialog for
    // instance, comes back; only one whose element is gone is lost.
    return own == null || own.isAttached || identical(own.element, bound);
  }
}

/// What a `q<N>` remembers.
final class QueryRef {
  QueryRef._(this.token, this.predicate, this.position, this.scope);

  /// The ref's name.
  final String token;

  /// What it describes.
  final Predicate predicate;

  /// Its place among the nodes of one label; null means the preferred one.
  final int? position;

  /// The ref it searches in; null for the whole screen.
  final String? scope;
}

/// What a ref leads to now.
final class Target {
  /// Creates a target.
  Target({
    required this.ref,
    required this.element,
    required this.node,
    this.cachedRect,
    this.reresolved = false,
  });

  /// The ref it was reached by.
  final String ref;

  /// The element to act on.
  final UiElement element;

  /// Its semantics node; null when it has none.
  final UiSemantics? node;

  /// Where it was last seen.
  final UiRect? cachedRect;

  /// Whether it replaced an element that has left the tree.
  final bool reresolved;

  /// Where it is now.
  UiRect? get rect {
    final UiSemantics? own = node;
    if (own != null && own.isAttached) return own.rect;
    return element.rect ?? cachedRect;
  }
}

/// Both registries.
final class Refs {
  /// Creates empty registries over [screens].
  Refs(this.screens);

  /// The screens the refs lead to.
  final ScreenCache screens;

  final Map<String, ElementRef> _elements = <String, ElementRef>{};
  final Map<int, ElementRef> _byNode = <int, ElementRef>{};
  final Expando<ElementRef> _byElement = Expando<ElementRef>();
  final Map<String, QueryRef> _queries = <String, QueryRef>{};
  int _lastElement = 0;
  int _lastQuery = 0;

  /// The `e<N>` of [node]: the same for as long as the node lives.
  ElementRef ofNode(ScreenIndex screen, UiSemantics node) {
    final ElementRef ref = _byNode[node.id] ??= _mint();
    ref
      ..node = node
      ..element = node.element
      ..rect = node.rect
      ..route = node.element?.routeName
      ..label = node.label;
    final List<UiSemantics> same = screen.labelled(node.label);
    ref
      ..count = same.length
      ..index = same.length == 1 ? 0 : same.indexOf(node);
    return ref;
  }

  /// The `e<N>` of [element], which owns no semantics node.
  ElementRef ofElement(UiElement element) {
    final ElementRef ref = _byElement[element] ??= _mint();
    return ref
      ..element = element
      ..rect = element.rect
      ..route = element.routeName;
  }

  /// A new `e<N>` for [element] on every call.
  ElementRef freshOfElement(UiElement element) =>
      _mint()
        ..element = element
        ..rect = element.rect
        ..route = element.routeName;

  /// A new `q<N>`.
  QueryRef query(Predicate predicate, {int? position, String? scope}) {
    final String token = 'q${++_lastQuery}';
    return _queries[token] = QueryRef._(token, predicate, position, scope);
  }

  ElementRef _mint() {
    final String token = 'e${++_lastElement}';
    return _elements[token] = ElementRef._(token);
  }

  /// The element inside which `within` asks to search; null when the ref is
  /// unknown, has gone stale or is a `q<N>` without [takesQueries].
  UiElement? scopeOf(String token, {bool takesQueries = true}) {
    final QueryRef? query = _queries[token];
    if (query != null) return takesQueries ? findQuery(query)?.element : null;
    final ElementRef? ref = _elements[token];
    return ref != null && ref.isAlive ? ref.element : null;
  }

  /// What [token] leads to now.
  ///
  /// Throws a [TapirError]: not found for a ref that was never given out,
  /// stale for one that leads nowhere any more. [notFound] is the message for
  /// the former.
  Target resolve(String token, {required String notFound}) {
    final QueryRef? query = _queries[token];
    if (query != null) return _resolveQuery(query);
    final ElementRef? ref = _elements[token];
    if (ref == null) {
      throw TapirError(
        notFound,
        type: ErrorType.notFound,
        ref: token,
        suggestions: suggestionsFor(token, _pool()),
      );
    }
    final UiElement? element = ref.element;
    if (element != null && ref.isAlive) {
      return Target(
        ref: token,
        element: element,
        node: ref.node ?? element.semantics,
        cachedRect: ref.rect,
      );
    }
    final Found? moved = _relocate(ref);
    final UiElement? found = moved?.element;
    if (found == null) {
      throw TapirError.notActionable(
        token,
        'defunct (element no longer mounted)',
      );
    }
    return Target(
      ref: token,
      element: found,
      node: moved!.node,
      cachedRect: ref.rect,
      reresolved: true,
    );
  }

  Target _resolveQuery(QueryRef query) {
    final Found? found = findQuery(query);
    final UiElement? element = found?.element;
    if (element == null) {
      throw TapirError(
        'Query handle ref=${query.token} is stale: '
        'no live match for stored predicates',
        type: ErrorType.stale,
        ref: query.token,
      );
    }
    return Target(
      ref: query.token,
      element: element,
      node: found!.node ?? element.semantics,
    );
  }

  /// What [query] leads to now; null when nothing fits.
  Found? findQuery(QueryRef query) {
    final ScreenIndex screen = screens.current;
    final int? position = query.position;
    if (position != null) {
      return findPosition(screen, query.predicate.semanticsLabel!, position);
    }
    final String? scope = query.scope;
    if (scope == null) return findFirst(screen, query.predicate);
    final UiElement? inside = scopeOf(scope);
    if (inside == null) return null;
    return findFirst(screen, query.predicate, scope: inside);
  }

  /// The node that took the place of a ref's own: it has the same label at
  /// the same place among as many, on the same route.
  Found? _relocate(ElementRef ref) {
    if (ref.label.isEmpty) return null;
    final List<UiSemantics> same = screens.current.labelled(ref.label);
    if (same.length != ref.count) return null;
    if (ref.index < 0 || ref.index >= same.length) return null;
    final UiSemantics hit = same[ref.index];
    if (hit.element?.routeName != ref.route) return null;
    return Found.node(hit);
  }

  Iterable<String> _pool() sync* {
    for (final ElementRef ref in _elements.values) {
      if (ref.isAlive) yield ref.token;
    }
    for (final QueryRef query in _queries.values) {
      yield query.token;
    }
    for (final UiSemantics node in screens.current.nodes) {
      yield node.label;
    }
  }
}
