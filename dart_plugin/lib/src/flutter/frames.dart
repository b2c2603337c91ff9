/// Whether, and when, the app draws.
library;

import 'dart:async';

import 'package:flutter/foundation.dart';
import 'package:flutter/scheduler.dart';
import 'package:flutter/services.dart';
import 'package:flutter/widgets.dart';

import '../core/ui.dart';
import 'frame_watch.dart';

const bool _mayForce = bool.fromEnvironment(
  'TAPIR_FORCE_FRAMES',
  defaultValue: true,
);

/// How long a frame that was forced may take to come.
const Duration _forceLimit = Duration(milliseconds: 200);

/// The frames of the one scheduler.
final class FlutterFrames implements UiFrames {
  /// Counts frames with [watch].
  FlutterFrames(this.watch);

  /// What hears of every frame.
  final FrameWatch watch;

  SchedulerBinding get _scheduler => SchedulerBinding.instance;

  @override
  bool get isScheduled =>
      _scheduler.framesEnabled && _scheduler.hasScheduledFrame;

  @override
  Future<void> settle() =>
      isScheduled || FrameWatch.betweenFrames != null
          ? _scheduler.endOfFrame
          : Future<void>.value();

  @override
  bool get isEnabled => _scheduler.framesEnabled;

  @override
  String? get lifecycleState => _scheduler.lifecycleState?.name;

  @override
  String get platform => kIsWeb ? 'web' : defaultTargetPlatform.name;

  @override
  Future<bool> force() async {
    final AppLifecycleState? before = _scheduler.lifecycleState;
    // A browser withholds the frames of a hidden tab whatever it is told, and
    // a detached app has no view to draw in.
    if (kIsWeb || !_mayForce || before == AppLifecycleState.detached) {
      return false;
    }
    final int drawn = watch.frames;
    await _tell(AppLifecycleState.resumed);
    _scheduler.scheduleForcedFrame();
    await _scheduler.endOfFrame.timeout(_forceLimit, onTimeout: () {});
    if (watch.frames > drawn) return true;
    if (before != null) await _tell(before);
    return false;
  }

  /// Tells the app what the platform tells it when its window comes and goes.
  static Future<void> _tell(AppLifecycleState state) {
    final Completer<void> heard = Completer<void>();
    ServicesBinding.instance.channelBuffers.push(
      SystemChannels.lifecycle.name,
      SystemChannels.lifecycle.codec.encodeMessage('$state'),
      (_) => heard.complete(),
    );
    return heard.future.timeout(_forceLimit, onTimeout: () {});
  }
}
