/// Where a router is.
library;

import 'package:flutter/widgets.dart';

/// The location [router] shows: what its delegate says, written the way its
/// parser does; else the last one the platform was told. Null without either.
String? locationOf(Router<Object?>? router) {
  if (router == null) return null;
  final Object? configuration = router.routerDelegate.currentConfiguration;
  final RouteInformation? shown =
      configuration == null
          ? null
          : router.routeInformationParser?.restoreRouteInformation(
            configuration,
          );
  final RouteInformation? known =
      shown ?? router.routeInformationProvider?.value;
  return known?.uri.toString();
}
