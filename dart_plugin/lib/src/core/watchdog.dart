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

  final List<_Watched> _all = <_Watched>[];
  Timer? _timer;
  int _looks = 0;

  /// Completes as [work] does, or with what [onTimeout] throws or returns
  /// when [work] has not ended after [limit], give or take an [interval].
  Future<T> watch<T>(
    Future<T> work,
    Duration limit, {
    required FutureOr<T> Function() onTimeout,
  }) {
    // What waits for it is asynchronous itself.
    final Completer<T> done = Completer<T>.sync();
    final int looks = (limit.inMicroseconds / interval.inMicroseconds).ceil();
    final _Watched watched = _Watched(
      _looks + looks,
      () => done.complete(Future<T>.sync(onTimeout)),
    );
    _all.add(watched);
    _timer ??= Timer.periodic(interval, (_) => _look());
    work.then<void>(
      (T value) {
        if (_all.remove(watched)) done.complete(value);
      },
      onError: (Object error, StackTrace stack) {
        if (_all.remove(watched)) done.completeError(error, stack);
      },
    );
    return done.future;
  }

  void _look() {
    _looks++;
    final List<_Watched> overdue = <_Watched>[
      for (final _Watched each in _all)
        if (each.lastLook < _looks) each,
    ];
    for (final _Watched each in overdue) {
      _all.remove(each);
      each.giveUp();
    }
    if (_all.isEmpty) {
      _timer?.cancel();
      _timer = null;
    }
  }
}

final class _Watched {
  _Watched(this.lastLook, this.giveUp);

  final int lastLook;
  final void Function() giveUp;
}
