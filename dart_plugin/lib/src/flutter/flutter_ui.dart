/// The running Flutter app as the verbs see it.
library;

import '../core/session.dart' show nextFrame;
import '../core/ui.dart';
import 'frame_watch.dart';
import 'frames.dart';
import 'input.dart';
import 'live_tree.dart';
import 'person.dart';
import 'profiler.dart';
import 'raster.dart';
import 'routes.dart';

/// Everything at once.
final class FlutterUi implements Ui {
  /// Creates the interface of the one app of this isolate.
  FlutterUi();

  /// What hears of every frame.
  final FrameWatch watch = FrameWatch.instance;

  @override
  late final LiveTree tree = LiveTree(watch);

  @override
  late final FlutterInput input = FlutterInput(tree);

  @override
  late final FlutterRoutes routes = FlutterRoutes(tree);

  @override
  late final FlutterFrames frames = FlutterFrames(watch);

  @override
  final FlutterRaster raster = const FlutterRaster();

  @override
  late final FlutterProfiler profiler = FlutterProfiler(
    watch,
    location: () => routes.uri ?? routes.location,
  );

  @override
  late final FlutterPerson person = FlutterPerson(tree);

  @override
  int get pendingRequests => _pendingRequests;
  int _pendingRequests = 0;

  /// Counts [request] as pending until it has ended and what that set off has
  /// been drawn.
  Future<void> track(Future<Object?> request) async {
    _count(1);
    try {
      await request;
    } on Object {
      // Whoever made the request hears of it.
    }
    await Future<void>.delayed(Duration.zero);
    await nextFrame(frames);
    _count(-1);
  }

  void _count(int step) {
    _pendingRequests += step;
    watch.notify();
  }
}
