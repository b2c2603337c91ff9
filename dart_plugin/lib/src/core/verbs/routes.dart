/// The verbs about routes and what lies above them.
library;

import 'dart:async';

import '../params.dart';
import '../session.dart';
import '../ui.dart';
import 'targets.dart';

const Set<String> _dismissLabels = <String>{
  'cancel',
  'dismiss',
  'close',
  'ok',
  'done',
};

/// How long the answer of `close_app` has to get away.
const Duration _closeDelay = Duration(milliseconds: 50);

/// `ext.tapir.navigate`
Future<Reply> navigate(Session session, Params params) async {
  final String route = params.required('route');
  final UiRoutes routes = session.ui.routes;
  popModals(routes);
  await routes.navigate(route);
  await session.settle();
  final String? uri = _whereIs(routes);
  final String wanted = _pathOf(route);
  final String? path = uri == null ? null : _pathOf(uri);
  final bool isExact = path == wanted;
  final bool isUnder =
      path != null && wanted != '/' && path.startsWith('$wanted/');
  final bool navigated = isExact || isUnder;
  return session.withSnapshot(<String, Object?>{
    'navigated': navigated,
    'route': route,
    'exactPath': isExact,
    if (!navigated)
      'reason':
          path == null
              ? 'no Router is mounted and the top page has no name, so where '
                  'the app went cannot be read'
              : 'the app did not honor the route: it shows "$uri"; '
                  '"$route" may be unregistered, or redirected',
  }, params);
}

/// The router's location; without a router, the name of the top page.
String? _whereIs(UiRoutes routes) {
  final String? uri = routes.uri;
  if (uri != null) return uri;
  final String name = routes.location;
  return name.isEmpty ? null : name;
}

String _pathOf(String route) {
  final int query = route.indexOf(RegExp('[?#]'));
  final String path = query < 0 ? route : route.substring(0, query);
  return path.length > 1 && path.endsWith('/')
      ? path.substring(0, path.length - 1)
      : path;
}

/// `ext.tapir_replay.press_back`
Future<Reply> pressBack(Session session, Params params) async {
  final bool handled = await session.ui.input.back();
  await session.settle();
  return session.withSnapshot(<String, Object?>{'handled': handled}, params);
}

/// `ext.tapir.navigate_back`
Future<Reply> navigateBack(Session session, Params params) async {
  bool popped = false;
  for (final UiNavigator each in session.ui.routes.navigators) {
    if (!each.isVisible || !each.canPop) continue;
    popped = each.pop();
    break;
  }
  await session.settle();
  return session.withSnapshot(<String, Object?>{
    'navigatedBack': popped,
    'popped': popped,
  }, params);
}

/// `ext.tapir.dismiss_modals`
Future<Reply> dismissModals(Session session, Params params) async {
  final int popped = popModals(session.ui.routes);
  await session.settle();
  return <String, Object?>{'popped': popped};
}

/// Pops every popup, the innermost navigator's first; tells how many.
///
/// One at a time: a route that refuses to go ends it for its navigator.
int popModals(UiRoutes routes) {
  int popped = 0;
  for (final UiNavigator each in routes.navigators.reversed) {
    while (each.hasPopup && each.pop()) {
      popped++;
    }
  }
  return popped;
}

/// `ext.tapir.reset_overlays`
Future<Reply> resetOverlays(Session session, Params params) async {
  final UiRoutes routes = session.ui.routes;
  bool isBlocked() => routes.navigators.any((each) => each.hasPopup);

  final int popped = popModals(routes);
  await session.settle();
  bool escaped = false;
  bool tapped = false;
  if (isBlocked()) {
    session.ui.input.press(const UiKeyPress('Escape'));
    await session.settle();
    escaped = true;
  }
  if (isBlocked()) {
    for (final UiSemantics node in session.screen.nodes) {
      if (!node.canTap) continue;
      if (!_dismissLabels.contains(node.label.trim().toLowerCase())) continue;
      await press(session, node.rect.center);
      await session.settle();
      tapped = true;
      break;
    }
  }
  return <String, Object?>{
    'popped': popped,
    'escaped': escaped,
    'dismissTapped': tapped,
  };
}

/// `ext.tapir.close_app`
Reply closeApp(Session session, Params params) {
  Timer(_closeDelay, session.ui.routes.close);
  return <String, Object?>{'closed': true};
}
