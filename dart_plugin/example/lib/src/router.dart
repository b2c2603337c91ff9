/// Which screen shows: the stack of pages, the guard, and the address that
/// names the top.
library;

import 'package:flutter/foundation.dart';
import 'package:flutter/widgets.dart';

import 'screens.dart';

const String _profile = '/account/profile';
const String _orders = '/account/orders';
const Set<String> _order = <String>{'$_orders/7', '$_orders/8'};

/// A page: its address, and the pages inside it if it is a shell.
final class DemoEntry {
  /// Creates an entry; [number] tells it from others at the same address.
  DemoEntry(this.route, this.number, {List<DemoEntry>? inner})
    : inner = inner ?? <DemoEntry>[];

  /// Its address.
  final String route;

  /// Its number.
  final int number;

  /// What the navigator inside it shows, the lowest first.
  final List<DemoEntry> inner;

  /// The address while it is on top.
  String get location => inner.isEmpty ? route : inner.last.route;

  /// As a navigator takes it.
  Page<void> get page => _DemoPage(this);
}

/// A page that is there at once: nothing slides or fades.
final class _DemoPage extends Page<void> {
  _DemoPage(this.entry) : super(key: ValueKey<int>(entry.number));

  final DemoEntry entry;

  @override
  Route<void> createRoute(BuildContext context) => PageRouteBuilder<void>(
    settings: this,
    transitionDuration: Duration.zero,
    reverseTransitionDuration: Duration.zero,
    pageBuilder: (_, __, ___) => screenFor(entry),
  );
}

/// The addresses as plain text.
final class DemoRouteParser extends RouteInformationParser<String> {
  /// Creates the parser.
  const DemoRouteParser();

  @override
  Future<String> parseRouteInformation(RouteInformation routeInformation) =>
      SynchronousFuture<String>(routeInformation.uri.toString());

  @override
  RouteInformation restoreRouteInformation(String configuration) =>
      RouteInformation(uri: Uri.parse(configuration));
}

/// The demo's router. [go] replaces the whole stack, [push] adds to it.
final class DemoRouter extends RouterDelegate<String>
    with ChangeNotifier, PopNavigatorRouterDelegateMixin<String> {
  final List<DemoEntry> _stack = <DemoEntry>[];
  int _lastNumber = 0;

  /// Who is signed in.
  String? signedIn;

  @override
  final GlobalKey<NavigatorState> navigatorKey = GlobalKey<NavigatorState>();

  @override
  String? get currentConfiguration => _stack.lastOrNull?.location;

  /// The router of the app [context] is in.
  static DemoRouter of(BuildContext context) =>
      Router.of(context).routerDelegate as DemoRouter;

  @override
  Future<void> setNewRoutePath(String configuration) {
    go(configuration);
    return SynchronousFuture<void>(null);
  }

  /// Shows [route] alone and anew. An unknown one changes nothing, a guarded
  /// one may lead elsewhere.
  void go(String route) {
    final DemoEntry? entry = _entryFor(_guarded(route));
    if (entry == null) return;
    _stack
      ..clear()
      ..add(entry);
    _report();
  }

  /// Shows [route] on top of what shows now.
  void push(String route) {
    final String target = _guarded(route);
    if (target != route) return go(target);
    final DemoEntry? entry = _entryFor(route);
    if (entry == null) return;
    _stack.add(entry);
    _report();
  }

  /// Shows [route] alone inside [shell].
  void showInside(DemoEntry shell, String route) {
    shell.inner
      ..clear()
      ..addAll(_innerFor(route));
    _report();
  }

  /// Shows [route] on top inside [shell].
  void pushInside(DemoEntry shell, String route) {
    shell.inner.add(DemoEntry(route, ++_lastNumber));
    _report();
  }

  /// What the system's back button does, from the outermost navigator in.
  void back(BuildContext context) {
    final NavigatorState outer = Navigator.of(context, rootNavigator: true);
    (outer.canPop() ? outer : Navigator.of(context)).pop();
  }

  /// A navigator that shows [entries] has let go of [page].
  void removed(List<DemoEntry> entries, Page<Object?> page) {
    final int before = entries.length;
    entries.removeWhere((DemoEntry e) => ValueKey<int>(e.number) == page.key);
    // It may be the router itself that has taken it out.
    if (entries.length < before) _report();
  }

  void _report() {
    debugPrint('route: $currentConfiguration');
    notifyListeners();
  }

  String _guarded(String route) {
    final String path = Uri.parse(route).path;
    final bool needsSignIn =
        path == '/home' || path == '/account' || path.startsWith('/account/');
    return needsSignIn && signedIn == null ? '/login' : route;
  }

  DemoEntry? _entryFor(String route) {
    final List<DemoEntry> inner = _innerFor(route);
    if (inner.isEmpty && !isScreen(Uri.parse(route).path)) return null;
    return DemoEntry(route, ++_lastNumber, inner: inner);
  }

  List<DemoEntry> _innerFor(String route) {
    final String path = Uri.parse(route).path;
    final List<String> routes = switch (path) {
      '/account' || _profile => const <String>[_profile],
      _orders => const <String>[_orders],
      _ when _order.contains(path) => <String>[_orders, path],
      _ => const <String>[],
    };
    return <DemoEntry>[
      for (final String each in routes) DemoEntry(each, ++_lastNumber),
    ];
  }

  @override
  Widget build(BuildContext context) => Navigator(
    key: navigatorKey,
    pages: <Page<void>>[for (final DemoEntry each in _stack) each.page],
    onDidRemovePage: (Page<Object?> page) => removed(_stack, page),
  );
}
