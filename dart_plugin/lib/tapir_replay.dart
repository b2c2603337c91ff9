/// Serves the Tapir verbs (`ext.tapir.*`) of a Flutter app over the Dart VM
/// Service, for end-to-end tests that are recorded and replayed.
///
/// ```dart
/// import 'package:flutter/foundation.dart';
/// import 'package:flutter/widgets.dart';
/// import 'package:tapir_replay/tapir_replay.dart';
///
/// void main() {
///   if (!kReleaseMode) TapirReplayPlugin.install();
///   runApp(const MyApp());
/// }
/// ```
library;

export 'src/flutter/plugin.dart' show ElementEnricher, TapirReplayPlugin;
export 'src/flutter/routes.dart' show RouteAdapter;
