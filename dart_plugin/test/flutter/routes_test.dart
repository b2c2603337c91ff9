import 'package:flutter/foundation.dart';
import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';
import 'package:tapir_replay/core.dart';

import 'hand.dart';

Widget _page(String text) => Scaffold(body: Text(text));

void main() {
  Future<void> navigatorApp(Hand hand) => hand.tester.pumpWidget(
    MaterialApp(
      routes: <String, WidgetBuilder>{
        '/': (_) => _page('Start'),
        '/second': (_) => _page('Second'),
      },
    ),
  );

  verbTest('an app without a router is read by its page names', (
    Hand hand,
  ) async {
    await navigatorApp(hand);
    final Map<String, Object?> reply = await hand.call(
      'navigate',
      const <String, String>{'route': '/second'},
    );
    expect(reply['navigated'], isTrue);
    expect(reply['exactPath'], isTrue);
    expect(find.text('Second'), findsOneWidget);
    expect(
      await hand.call('get_routes'),
      <String, Object?>{'location': '/second', 'title': '', 'uri': null},
    );
    expect((await hand.call('navigate_back'))['popped'], isTrue);
    expect((await hand.call('navigate_back'))['popped'], isFalse);
  });

  verbTest('a route nobody knows is an answer', (Hand hand) async {
    await navigatorApp(hand);
    final Map<String, Object?> reply = await hand.call(
      'navigate',
      const <String, String>{'route': '/nowhere'},
    );
    expect(reply['navigated'], isFalse);
    expect(reply['reason'], contains('"/"'));
  });

  verbTest('a router is sent where a link would lead', (Hand hand) async {
    final _Router router = _Router();
    final PlatformRouteInformationProvider provider =
        PlatformRouteInformationProvider(
          initialRouteInformation: RouteInformation(uri: Uri(path: '/')),
        );
    addTearDown(router.dispose);
    addTearDown(provider.dispose);
    await hand.tester.pumpWidget(
      MaterialApp.router(
        routerDelegate: router,
        routeInformationProvider: provider,
        routeInformationParser: _Parser(),
      ),
    );
    final Map<String, Object?> reply = await hand.call(
      'navigate',
      const <String, String>{'route': '/a/b?c=d'},
    );
    expect(reply['navigated'], isTrue);
    expect(find.text('At /a/b?c=d'), findsOneWidget);
    expect((await hand.call('get_routes'))['uri'], '/a/b?c=d');
  });

  verbTest('dialogs are popped one at a time', (Hand hand) async {
    await navigatorApp(hand);
    final BuildContext context = hand.tester.element(find.text('Start'));
    for (int i = 0; i < 3; i++) {
      showDialog<void>(
        context: context,
        builder: (_) => AlertDialog(title: Text('Question $i')),
      );
    }
    await hand.tester.pumpAndSettle();
    expect(await hand.call('dismiss_modals'), <String, Object?>{'popped': 3});
    await hand.tester.pumpAndSettle();
    expect(find.text('Start'), findsOneWidget);
    expect(await hand.call('dismiss_modals'), <String, Object?>{'popped': 0});
  });

  verbTest('a dialog that may not be left stays until it is answered', (
    Hand hand,
  ) async {
    await navigatorApp(hand);
    final BuildContext context = hand.tester.element(find.text('Start'));
    showDialog<void>(
      context: context,
      barrierDismissible: false,
      builder:
          (BuildContext context) => PopScope<void>(
            canPop: false,
            child: AlertDialog(
              title: const Text('Stay'),
              actions: <Widget>[
                TextButton(
                  onPressed: () => Navigator.pop(context),
                  child: const Text('OK'),
                ),
              ],
            ),
          ),
    );
    await hand.tester.pumpAndSettle();
    expect(await hand.call('dismiss_modals'), <String, Object?>{'popped': 0});
    expect(await hand.call('reset_overlays'), <String, Object?>{
      'popped': 0,
      'escaped': true,
      'dismissTapped': true,
    });
    await hand.tester.pumpAndSettle();
    expect(find.text('Stay'), findsNothing);
  });

  verbTest('only a navigator in sight is left', (Hand hand) async {
    final List<GlobalKey<NavigatorState>> tabs = <GlobalKey<NavigatorState>>[
      GlobalKey<NavigatorState>(),
      GlobalKey<NavigatorState>(),
    ];
    Widget tab(int index) => Navigator(
      key: tabs[index],
      onGenerateRoute:
          (RouteSettings settings) => MaterialPageRoute<void>(
            settings: settings,
            builder: (_) => _page('Tab $index ${settings.name}'),
          ),
    );
    await hand.tester.pumpWidget(
      MaterialApp(
        home: Stack(
          children: <Widget>[
            Offstage(child: TickerMode(enabled: false, child: tab(0))),
            tab(1),
          ],
        ),
      ),
    );
    for (final GlobalKey<NavigatorState> each in tabs) {
      each.currentState!.pushNamed('/deep');
    }
    await hand.tester.pumpAndSettle();
    expect((await hand.call('navigate_back'))['popped'], isTrue);
    expect((await hand.call('navigate_back'))['popped'], isFalse);
    expect(tabs.first.currentState!.canPop(), isTrue);
  });

  verbTest('what is below a dialog cannot be reached', (Hand hand) async {
    await hand.show(TextButton(onPressed: () {}, child: const Text('Below')));
    final String ref =
        (await hand.node(const <String, String>{'label': 'Below'}))['ref']!
            as String;
    showDialog<void>(
      context: hand.tester.element(find.text('Below')),
      builder: (_) => const AlertDialog(title: Text('Above')),
    );
    await hand.tester.pumpAndSettle();
    expect(
      (await hand.call('query', const <String, String>{
        'text': 'Below',
      }))['count'],
      0,
    );
    expect(
      (await hand.refuses<TapirError>('tap', <String, String>{
        'ref': ref,
      })).type,
      'obscured',
    );
  });
}

final class _Parser extends RouteInformationParser<Uri> {
  @override
  Future<Uri> parseRouteInformation(RouteInformation routeInformation) =>
      SynchronousFuture<Uri>(routeInformation.uri);

  @override
  RouteInformation restoreRouteInformation(Uri configuration) =>
      RouteInformation(uri: configuration);
}

final class _Router extends RouterDelegate<Uri>
    with ChangeNotifier, PopNavigatorRouterDelegateMixin<Uri> {
  @override
  final GlobalKey<NavigatorState> navigatorKey = GlobalKey<NavigatorState>();

  @override
  Uri currentConfiguration = Uri(path: '/');

  @override
  Future<void> setNewRoutePath(Uri configuration) {
    currentConfiguration = configuration;
    notifyListeners();
    return SynchronousFuture<void>(null);
  }

  @override
  Widget build(BuildContext context) => Navigator(
    key: navigatorKey,
    onDidRemovePage: (_) {},
    pages: <Page<void>>[
      MaterialPage<void>(
        key: ValueKey<Uri>(currentConfiguration),
        child: _page('At $currentConfiguration'),
      ),
    ],
  );
}
