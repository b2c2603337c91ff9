/// Hearing of every frame.
library;

import 'package:flutter/scheduler.dart';
import 'package:flutter/widgets.dart';

/// Counts the frames, and tells whoever waits for the next change.
///
/// The trees change in frames alone: what a `setState` asks for, a new
/// layout and new semantics all come with the next one.
final class FrameWatch {
  FrameWatch._() {
    WidgetsBinding.instance.addPersistentFrameCallback(_drawn);
  }

  /// The watch over the one binding, which never lets a callback go.
  static final FrameWatch instance = FrameWatch._();

  final List<VoidCallback> _listeners = <VoidCallback>[];

  /// How many frames were drawn.
  int get frames => _frames;
  int _frames = 0;

  /// Calls [listener] after each frame.
  void addListener(VoidCallback listener) => _listeners.add(listener);

  /// Undoes [addListener].
  void removeListener(VoidCallback listener) => _listeners.remove(listener);

  /// Something changed without a frame, the number of requests for instance.
  void notify() {
    for (final VoidCallback listener in _listeners.toList()) {
      listener();
    }
  }

  // Registered after the binding's own callback, so this comes after build,
  // layout and semantics.
  void _drawn(Duration _) {
    _frames++;
    notify();
  }

  /// Completes when no frame is being drawn; null when none is.
  static Future<void>? get betweenFrames =>
      SchedulerBinding.instance.schedulerPhase == SchedulerPhase.idle
          ? null
          : SchedulerBinding.instance.endOfFrame;
}
