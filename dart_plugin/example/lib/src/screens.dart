/// Which screen is at which address.
library;

import 'package:flutter/widgets.dart';

import 'router.dart';
import 'screens/account.dart';
import 'screens/errors.dart';
import 'screens/form.dart';
import 'screens/gestures.dart';
import 'screens/home.dart';
import 'screens/inbox.dart';
import 'screens/layers.dart';
import 'screens/lists.dart';
import 'screens/moving.dart';
import 'screens/settings.dart';
import 'screens/sign_in.dart';

const Map<String, Widget> _screens = <String, Widget>{
  '/login': LoginScreen(),
  '/forgot': ForgotScreen(),
  '/home': HomeScreen(),
  '/menu': MenuScreen(),
  '/form': FormScreen(),
  '/list': ListScreen(),
  '/overlays': OverlaysScreen(),
  '/loading': LoadingScreen(),
  '/motion': MotionScreen(),
  '/covered': CoveredScreen(),
  '/settings': SettingsScreen(),
  '/errors': ErrorsScreen(),
  '/search': SearchScreen(),
  '/inbox': InboxScreen(),
  '/gestures': GesturesScreen(),
};

/// Whether a screen is at [path].
bool isScreen(String path) => _screens.containsKey(path);

/// The screen of [entry].
Widget screenFor(DemoEntry entry) {
  if (entry.inner.isNotEmpty) return AccountShell(entry);
  return _screens[Uri.parse(entry.route).path] ?? AccountPage(entry.route);
}
