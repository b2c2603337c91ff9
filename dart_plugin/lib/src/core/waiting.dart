/// Waiting for the user interface, woken by its changes.
library;

import 'dart:async';

import 'ui.dart';

/// Completes with true as soon as [holds], with false after [timeout].
///
/// Looks once before it waits, after each change, and once more at the end.
/// With no time at all it does not look.
Future<bool> waitUntil(
  UiTree tree,
  bool Function() holds,
  Duration timeout,
) async {
  if (timeout <= Duration.zero) return false;
  if (holds()) return true;
  final Completer<bool> done = Completer<bool>();
  void look() {
    if (done.isCompleted) return;
    try {
      if (holds()) done.complete(true);
    } on Object catch (error, stack) {
      done.completeError(error, stack);
    }
  }

  final Timer deadline = Timer(timeout, () {
    look();
    if (!done.isCompleted) done.complete(false);
  });
  tree.addListener(look);
  try {
    return await done.future;
  } finally {
    tree.removeListener(look);
    deadline.cancel();
  }
}

/// How a wait for idle requests ended.
final class IdleResult {
  /// Creates a result.
  const IdleResult({
    required this.isIdle,
    required this.idleMs,
    required this.maxPending,
  });

  /// Whether the app was idle for long enough.
  final bool isIdle;

  /// How long it was idle, in whole intervals; zero when it was not.
  final int idleMs;

  /// The most requests seen at once.
  final int maxPending;
}

/// Waits until no request is pending for [idleMs] without a break.
///
/// Idle time counts in whole intervals, and the interval in which the app
/// became idle counts as one, as if it were looked at on every [intervalMs].
/// It is not: a timer and the app's own changes are enough.
Future<IdleResult> waitForIdle(
  Ui ui, {
  required int idleMs,
  required int intervalMs,
  required int timeoutMs,
}) async {
  final int intervals = idleMs <= intervalMs ? 1 : (idleMs / intervalMs).ceil();
  final Duration quiet = Duration(milliseconds: (intervals - 1) * intervalMs);
  final Completer<bool> done = Completer<bool>();
  int maxPending = 0;
  Timer? settled;
  void look() {
    final int pending = ui.pendingRequests;
    if (pending > maxPending) maxPending = pending;
    if (pending > 0) {
      settled?.cancel();
      settled = null;
    } else {
      settled ??= Timer(quiet, () {
        if (!done.isCompleted) done.complete(true);
      });
    }
  }

  final Timer deadline = Timer(Duration(milliseconds: timeoutMs), () {
    if (!done.isCompleted) done.complete(false);
  });
  ui.tree.addListener(look);
  look();
  try {
    final bool isIdle = await done.future;
    return IdleResult(
      isIdle: isIdle,
      idleMs: isIdle ? intervals * intervalMs : 0,
      maxPending: maxPending,
    );
  } finally {
    ui.tree.removeListener(look);
    deadline.cancel();
    settled?.cancel();
  }
}
