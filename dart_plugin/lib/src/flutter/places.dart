/// Where in the stack of routes an element is.
library;

import 'package:flutter/widgets.dart';

/// The route an element is on, and whether it is hidden.
final class Place {
  /// Creates a place inside [outer].
  const Place({this.route, this.isHidden = false, this.outer});

  /// The innermost route around it; null outside every route.
  final ModalRoute<Object?>? route;

  /// Whether something around it keeps it out of sight.
  final bool isHidden;

  /// The place around that of the route.
  final Place? outer;

  /// Whether nothing opaque or modal is above it.
  bool get isReachable =>
      !isHidden &&
      (route?.isCurrent ?? true) &&
      (outer?.isReachable ?? true);

  /// The same place out of sight.
  Place get hidden =>
      isHidden ? this : Place(route: route, isHidden: true, outer: outer);

  /// The place of what is below [element], which is at this place itself.
  Place below(Element element) {
    final Widget widget = element.widget;
    if (_hides(widget)) return hidden;
    final ModalRoute<Object?>? own = _routeOf(widget);
    return own == null
        ? this
        : Place(route: own, isHidden: isHidden, outer: this);
  }
}

final Map<Type, bool> _bodies = <Type, bool>{};

/// Whether [widget] shows the first of its children alone: a dropdown menu
/// lays out a copy of each of its items to know how wide they are.
bool showsFirstAlone(Widget widget) =>
    widget is MultiChildRenderObjectWidget &&
    (_bodies[widget.runtimeType] ??=
        widget.runtimeType.toString() == '_DropdownMenuBody');

bool _hides(Widget widget) => switch (widget) {
  Offstage(:final bool offstage) => offstage,
  TickerMode(:final bool enabled) => !enabled,
  Visibility(:final bool visible) => !visible,
  _ => false,
};

final Map<Type, bool> _scopes = <Type, bool>{};

/// The route whose content begins at [widget].
///
/// `ModalRoute.of` would tell as well, and make the asking element depend on
/// the route: looking must not rebuild anything.
ModalRoute<Object?>? _routeOf(Widget widget) {
  if (widget is! InheritedModel) return null;
  final bool isScope =
      _scopes[widget.runtimeType] ??=
          widget.runtimeType.toString() == '_ModalScopeStatus';
  if (!isScope) return null;
  // The class is private, the route it carries is not.
  // ignore: avoid_dynamic_calls
  final Object? route = (widget as dynamic).route;
  return route is ModalRoute<Object?> ? route : null;
}
