/// Doing one thing after the other.
library;

import 'dart:async';
import 'dart:collection';

/// Turns are taken one at a time, in the order in which they are asked for.
final class Turns {
  final Queue<Completer<void>> _waiting = Queue<Completer<void>>();
  bool _isTaken = false;

  /// Takes the turn: null when it could be had at once, else what completes
  /// when it has come.
  Future<void>? take() {
    if (!_isTaken) {
      _isTaken = true;
      return null;
    }
    final Completer<void> turn = Completer<void>();
    _waiting.add(turn);
    return turn.future;
  }

  /// Passes the turn on.
  void pass() {
    if (_waiting.isEmpty) {
      _isTaken = false;
    } else {
      _waiting.removeFirst().complete();
    }
  }
}
