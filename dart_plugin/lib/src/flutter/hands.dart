/// What the verbs do themselves, so that nobody takes it for a person's.
library;

import 'dart:async';

/// The hands of the verbs.
abstract final class Hands {
  static final Object _areAtWork = Object();

  /// Whether what happens now is the doing of a verb.
  static bool get areAtWork => Zone.current[_areAtWork] == true;

  /// Does [work], all of which is the doing of a verb; so is what it sets off
  /// and does not wait for, a look at the clipboard for instance.
  static T at<T>(T Function() work) =>
      runZoned(work, zoneValues: <Object?, Object?>{_areAtWork: true});
}
