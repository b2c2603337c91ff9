/// The demo's screens as a Flutter app.
library;

import 'package:flutter/foundation.dart';
import 'package:flutter/widgets.dart';
import 'package:tapir_replay/tapir_replay.dart';

import 'src/app.dart';

void main() {
  if (!kReleaseMode) TapirReplayPlugin.install();
  runApp(const DemoApp());
}
