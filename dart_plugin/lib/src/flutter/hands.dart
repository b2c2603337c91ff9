/// What the verbs do themselves, so that nobody takes it for a person's.
library;

/// The hands of the verbs.
abstract final class Hands {
  static int _depth = 0;

  /// Whether what happens now is the doing of a verb.
  static bool get areAtWork => _depth > 0;

  /// Does [work], all of which is the doing of a verb.
  static T at<T>(T Function() work) {
    _depth++;
    try {
      return work();
    } finally {
      _depth--;
    }
  }
}
