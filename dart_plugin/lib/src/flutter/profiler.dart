/// Frame times, builds, route changes, and the hold on semantics.
library;

import 'dart:ui' show FramePhase;

import 'package:flutter/foundation.dart';
import 'package:flutter/rendering.dart';
import 'package:flutter/scheduler.dart';
import 'package:flutter/semantics.dart';
import 'package:flutter/widgets.dart';

import '../core/ui.dart';
import 'build_blocks.dart';
import 'frame_watch.dart';

/// How many frames and route changes are kept at most.
const int _kept = 2000;

/// The measurements of the framework.
final class FlutterProfiler implements UiProfiler {
  /// Measures the frames of [watch]; [location] tells where the app is.
  FlutterProfiler(this.watch, {required this.location}) {
    watch.addListener(_drawn);
    SchedulerBinding.instance.addTimingsCallback(_report);
    acquireSemantics();
  }

  /// What hears of every frame.
  final FrameWatch watch;

  /// Tells where the app is.
  final String? Function() location;

  final Map<int, UiFrameRecord> _records = <int, UiFrameRecord>{};
  final List<UiRouteChange> _changes = <UiRouteChange>[];
  bool _isRecording = false;
  String? _lastLocation;
  SemanticsHandle? _semantics;

  @override
  int get liveness => watch.frames;

  @override
  int get nowUs => FlutterTimeline.now;

  @override
  bool get profilesBuilds => debugProfileBuildsEnabled;

  @override
  set profilesBuilds(bool value) {
    debugProfileBuildsEnabled = value;
    FlutterTimeline.debugCollectionEnabled = value;
  }

  @override
  bool get profilesPhases => debugProfileLayoutsEnabled;

  @override
  set profilesPhases(bool value) {
    debugProfileLayoutsEnabled = value;
    debugProfilePaintsEnabled = value;
  }

  @override
  void reset() {
    _records.clear();
    _changes.clear();
    _isRecording = true;
    _lastLocation = location();
    if (FlutterTimeline.debugCollectionEnabled) FlutterTimeline.debugReset();
  }

  @override
  List<UiFrameRecord> get frameRecords => _records.values.toList();

  @override
  List<UiRouteChange> get routeChanges => _changes;

  /// Keeps what can be told of a frame before the engine reports on it, which
  /// it does for many frames at once and some time later.
  void _drawn() {
    if (!_isRecording) return;
    final int end = nowUs;
    final int known =
        SchedulerBinding.instance.currentSystemFrameTimeStamp.inMicroseconds;
    // A clock that is not the engine's tells nothing.
    final int start = known <= end && end - known < 1000000 ? known : end;
    final int number =
        SchedulerBinding.instance.platformDispatcher.frameData.frameNumber;
    _keep(
      UiFrameRecord(
        number: number < 0 ? watch.frames : number,
        startUs: start,
        buildUs: end - start,
        rasterUs: 0,
        blocks:
            FlutterTimeline.debugCollectionEnabled
                ? blocksOf(FlutterTimeline.debugCollect().timedBlocks)
                : const <String, UiBlock>{},
      ),
    );
    final String? here = location();
    if (here == _lastLocation) return;
    _changes.add(UiRouteChange(atUs: end, from: _lastLocation, to: here));
    if (_changes.length > _kept) _changes.removeAt(0);
    _lastLocation = here;
  }

  void _report(List<FrameTiming> timings) {
    if (!_isRecording) return;
    for (final FrameTiming each in timings) {
      final UiFrameRecord? drawn = _records[each.frameNumber];
      _keep(
        UiFrameRecord(
          number: each.frameNumber,
          startUs: each.timestampInMicroseconds(FramePhase.buildStart),
          buildUs: each.buildDuration.inMicroseconds,
          rasterUs: each.rasterDuration.inMicroseconds,
          blocks: drawn?.blocks ?? const <String, UiBlock>{},
        ),
      );
    }
  }

  void _keep(UiFrameRecord record) {
    _records[record.number] = record;
    if (_records.length > _kept) _records.remove(_records.keys.first);
  }

  @override
  String get buildMode => kProfileMode ? 'profile' : 'debug';

  @override
  String get renderer => switch (kIsWeb) {
    true when const bool.fromEnvironment('dart.tool.dart2wasm') => 'skwasm',
    true => 'canvaskit',
    false => 'unknown',
  };

  @override
  bool get semanticsEnabled => SemanticsBinding.instance.semanticsEnabled;

  @override
  bool get semanticsHeldByPlatform =>
      SemanticsBinding.instance.platformDispatcher.semanticsEnabled;

  @override
  void releaseSemantics() {
    _semantics?.dispose();
    _semantics = null;
  }

  @override
  bool acquireSemantics() {
    if (_semantics != null) return false;
    _semantics = SemanticsBinding.instance.ensureSemantics();
    return true;
  }

  /// Stops measuring.
  void dispose() {
    watch.removeListener(_drawn);
    SchedulerBinding.instance.removeTimingsCallback(_report);
    releaseSemantics();
  }
}
