/// The app: a theme and a router.
library;

import 'package:flutter/material.dart';

import 'router.dart';

/// The demo.
class DemoApp extends StatefulWidget {
  /// Creates the app.
  const DemoApp({super.key});

  @override
  State<DemoApp> createState() => _DemoAppState();
}

class _DemoAppState extends State<DemoApp> {
  final DemoRouter _router = DemoRouter();
  final PlatformRouteInformationProvider _information =
      PlatformRouteInformationProvider(
        initialRouteInformation: RouteInformation(uri: Uri(path: '/login')),
      );

  @override
  void dispose() {
    _router.dispose();
    _information.dispose();
    super.dispose();
  }

  @override
  Widget build(BuildContext context) => MaterialApp.router(
    title: 'Tapir Demo',
    theme: ThemeData(
      colorSchemeSeed: const Color(0xff3557b7),
      materialTapTargetSize: MaterialTapTargetSize.shrinkWrap,
      splashFactory: NoSplash.splashFactory,
    ),
    routerDelegate: _router,
    routeInformationParser: const DemoRouteParser(),
    routeInformationProvider: _information,
    backButtonDispatcher: RootBackButtonDispatcher(),
  );
}
