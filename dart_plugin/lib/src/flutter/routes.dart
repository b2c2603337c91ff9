/// Where the app is, and how it goes elsewhere.
library;

import 'dart:async';

import 'package:flutter/services.dart';
import 'package:flutter/widgets.dart';

import '../core/ui.dart';
import 'live_tree.dart';
import 'locations.dart';
import 'places.dart';
import 'tree_index.dart';

/// Takes the app to a route in its own way; false when it did not.
typedef RouteAdapter = FutureOr<bool> Function(String route);

/// How long a router may take to parse a route and to redirect it.
const Duration _patience = Duration(milliseconds: 300);

/// A [NavigatorState] at its place.
final class FlutterNavigator implements UiNavigator {
  /// Wraps [state].
  FlutterNavigator(this.state, this.place);

  /// The framework's own.
  final NavigatorState state;

  /// Where it is.
  final Place place;

  /// Its top route; null without any.
  Route<Object?>? get top {
    Route<Object?>? found;
    // True at once: nothing is popped.
    state.popUntil((Route<Object?> route) {
      found = route;
      return true;
    });
    return found;
  }

  @override
  bool get isVisible => !place.isHidden;

  @override
  bool get hasPopup => top is PopupRoute<Object?>;

  @override
  bool get canPop => state.canPop();

  @override
  bool pop() {
    final Route<Object?>? route = top;
    if (route == null) return false;
    switch (route.popDisposition) {
      case RoutePopDisposition.doNotPop:
        route.onPopInvokedWithResult(false, null);
      case RoutePopDisposition.bubble:
        return false;
      case RoutePopDisposition.pop:
        final bool isInside = route.willHandlePopInternally;
        try {
          state.pop();
        } on AssertionError {
          // A page that a router keeps while it is still coming in.
          return false;
        }
        if (isInside) return true;
    }
    // Whoever listens may have kept it.
    return !state.mounted || !identical(top, route);
  }
}

/// The routes of the running app.
final class FlutterRoutes implements UiRoutes {
  /// Reads them from [tree].
  FlutterRoutes(this.tree);

  /// Where the navigators are.
  final LiveTree tree;

  /// The app's own ways to a route, asked first.
  final List<RouteAdapter> adapters = <RouteAdapter>[];

  @override
  List<UiNavigator> get navigators => <UiNavigator>[
    if (tree.index case final TreeIndex index)
      for (final (NavigatorState state, Place place) in index.navigators)
        if (state.mounted) FlutterNavigator(state, place),
  ];

  @override
  String? get uri => locationOf(tree.index?.router);

  @override
  String get location {
    final TreeIndex? index = tree.index;
    if (index == null || index.navigators.isEmpty) return '';
    final NavigatorState outermost = index.navigators.first.$1;
    String name = '';
    for (final ModalRoute<Object?> route in index.routes) {
      if (!identical(route.navigator, outermost)) continue;
      if (route is PageRoute<Object?> && route.isActive) {
        name = route.settings.name ?? '';
      }
    }
    return name;
  }

  @override
  String get title =>
      WidgetsBinding.instance.platformDispatcher.defaultRouteName;

  @override
  Future<void> navigate(String route) async {
    final Listenable? router = tree.index?.router?.routerDelegate;
    final Completer<void> arrived = Completer<void>();
    void listen() {
      if (!arrived.isCompleted) arrived.complete();
    }

    router?.addListener(listen);
    try {
      if (!await _dispatch(route)) return;
      if (router == null || arrived.isCompleted) return;
      // A router may parse and redirect in its own time. One that drops the
      // route never says so.
      final Timer deadline = Timer(_patience, listen);
      await arrived.future;
      deadline.cancel();
    } on Object {
      // An unknown route for instance; the answer tells where the app is.
      return;
    } finally {
      router?.removeListener(listen);
    }
  }

  /// Whether anybody was asked to go to [route].
  Future<bool> _dispatch(String route) async {
    for (final RouteAdapter adapter in adapters) {
      try {
        if (await adapter(route)) return true;
      } on Object {
        continue;
      }
    }
    final TreeIndex? index = tree.index;
    if (index?.router case final Router<Object?> router) {
      if (_goThrough(router, route)) return true;
    }
    final NavigatorState? navigator = index?.navigators.firstOrNull?.$1;
    if (navigator == null || !navigator.mounted) return false;
    // Completes when the route is left again.
    unawaited(navigator.pushNamed(route));
    return true;
  }

  /// Hands [route] to the router as the platform hands it a link.
  bool _goThrough(Router<Object?> router, String route) {
    final RouteInformation information = RouteInformation(
      uri: Uri.parse(route),
    );
    final Object? provider = router.routeInformationProvider;
    if (provider is WidgetsBindingObserver) {
      unawaited(provider.didPushRouteInformation(information));
      return true;
    }
    final RouteInformationParser<Object?>? parser =
        router.routeInformationParser;
    if (parser == null) return false;
    unawaited(
      parser
          .parseRouteInformation(information)
          .then(router.routerDelegate.setNewRoutePath),
    );
    return true;
  }

  @override
  void close() => unawaited(SystemNavigator.pop());
}
