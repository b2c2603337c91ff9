/// A shell: two tabs below a navigator of its own.
library;

import 'package:flutter/material.dart';

import '../parts.dart';
import '../router.dart';

/// `/account`: the frame. Its address is that of the page inside it.
class AccountShell extends StatefulWidget {
  /// Creates the shell of [entry].
  const AccountShell(this.entry, {super.key});

  /// What it shows.
  final DemoEntry entry;

  @override
  State<AccountShell> createState() => _AccountShellState();
}

class _AccountShellState extends State<AccountShell> {
  final GlobalKey<NavigatorState> _pages = GlobalKey<NavigatorState>();

  @override
  Widget build(BuildContext context) {
    final DemoRouter router = DemoRouter.of(context);
    final DemoEntry entry = widget.entry;
    return _Shell(
      entry,
      child: Scaffold(
        body: Column(
          children: <Widget>[
            Expanded(
              child: ListenableBuilder(
                listenable: router,
                builder:
                    (BuildContext context, _) => NavigatorPopHandler<void>(
                      enabled: entry.inner.length > 1,
                      // The system's back button leaves these pages first.
                      onPopWithResult: (_) => _pages.currentState?.maybePop(),
                      child: Navigator(
                        key: _pages,
                        pages: <Page<void>>[
                          for (final DemoEntry each in entry.inner) each.page,
                        ],
                        onDidRemovePage:
                            (Page<Object?> page) =>
                                router.removed(entry.inner, page),
                      ),
                    ),
              ),
            ),
            Row(
              children: <Widget>[
                _Tab('Profile', () {
                  router.showInside(entry, '/account/profile');
                }),
                _Tab('Orders', () {
                  router.showInside(entry, '/account/orders');
                }),
              ],
            ),
          ],
        ),
      ),
    );
  }
}

/// Tells the pages inside which shell they are in.
class _Shell extends InheritedWidget {
  const _Shell(this.entry, {required super.child});

  final DemoEntry entry;

  static DemoEntry of(BuildContext context) =>
      context.dependOnInheritedWidgetOfExactType<_Shell>()!.entry;

  @override
  bool updateShouldNotify(_Shell old) => old.entry != entry;
}

class _Tab extends StatelessWidget {
  const _Tab(this.label, this.onPressed);

  final String label;
  final VoidCallback onPressed;

  @override
  Widget build(BuildContext context) => Expanded(
    child: SizedBox(
      height: 64,
      child: TextButton(onPressed: onPressed, child: Text(label)),
    ),
  );
}

/// A page inside the shell.
class AccountPage extends StatelessWidget {
  /// Creates the page at [route].
  const AccountPage(this.route, {super.key});

  /// Its address.
  final String route;

  @override
  Widget build(BuildContext context) => switch (route) {
    '/account/profile' => const DemoScreen(
      title: 'Profile',
      body: Things(<Widget>[Text('Ada Lovelace')]),
    ),
    '/account/orders' => DemoScreen(
      title: 'Your orders',
      body: Things(<Widget>[
        for (final String number in const <String>['7', '8'])
          OutlinedButton(
            onPressed:
                () => DemoRouter.of(
                  context,
                ).pushInside(_Shell.of(context), '$route/$number'),
            child: Text('Order $number'),
          ),
      ]),
    ),
    _ => DemoScreen(
      title: 'Order ${route.split('/').last}',
      body: const Things(<Widget>[Text('Shipped')]),
    ),
  };
}
