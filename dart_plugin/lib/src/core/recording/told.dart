/// Actions that were told, and what came of them.
library;

import '../described.dart';
import '../ui.dart';
import 'gestures.dart';
import 'sight.dart';

/// An action that was told.
final class ToldAction {
  /// Creates an action.
  ToldAction(this.seq, this.action, this.target, this.before);

  /// Its number.
  final int seq;

  /// What it is called.
  final String action;

  /// What it was done to, as that was.
  final Described? target;

  /// What a person saw before it.
  final Sight before;

  /// What a person saw when its outcome was worked out last.
  Sight? seen;

  /// The outcome as it was told.
  String? outcome;

  /// The press, of a tap or the last of a double click.
  Press? tap;

  /// The field, of an edit.
  UiElement? field;

  /// When it was told, of a key that may edit.
  Duration toldAt = Duration.zero;

  /// What was scrolled.
  ScrollMark? scrolled;

  /// What was scrolled, for as long as it may not have come to rest.
  ScrollMark? scroll;

  /// Where that stood when it was told.
  double offset = 0;
}

/// What came of an action.
final class Outcome {
  /// Creates an outcome.
  const Outcome(this.sight, this.fields);

  /// What a person saw.
  final Sight sight;

  /// As events carry it.
  final Map<String, Object?> fields;
}
