/// Giving up on work that does not end.
library;

import 'dart:async';

/// Watches over many pieces of work with one timer.
///
/// A timer for each would cost more than most of the work itself: starting
/// one wakes another thread of the VM.
final class Watchdog {
  /// How often it looks.
  static const Duration interval = Duration(seconds: 1);

  final Stopwatch _clock = Stopwatch()..start();
  final Map<Object, (Duration, void Function())> _watched =
      <Object, (Duration, void Function())>{};
  Timer? _timer;

  /// Completes as [work] does, or with what [onTimeout] throws or returns
  /// when [work] has not ended after [limit], give or take an [interval].
  Future<T> watch<T>(
    Future<T> work,
    Duration limit, {
    required FutureOr<T> Function() onTimeout,
  }) {
    final Completer<T> done = Completer<T>();
    _watched[done] = (
      _clock.elapsed + limit,
      () => done.complete(Future<T>.sync(onTimeout)),
    );
    _timer ??= Timer.periodic(interval, (_) => _look());
    work.then<void>(
      (T value) {
        if (_watched.remove(done) != null) done.complete(value);
      },
      onError: (Object error, StackTrace stack) {
        if (_watched.remove(done) != null) done.completeError(error, stack);
      },
    );
    return done.future;
  }

  void _look() {
    final Duration now = _clock.elapsed;
    final List<void Function()> overdue = <void Function()>[];
    _watched.removeWhere((_, (Duration, void Function()) each) {
      if (each.$1 > now) return false;
      overdue.add(each.$2);
      return true;
    });
    for (final void Function() giveUp in overdue) {
      giveUp();
    }
    if (_watched.isEmpty) {
      _timer?.cancel();
      _timer = null;
    }
  }
}
