/// Telling of one action after the other.
library;

import 'dart:convert';

import '../described.dart';
import '../screen.dart';
import '../session.dart';
import '../ui.dart';
import 'sight.dart';
import 'told.dart';

/// Tells actions in their order, and of each what came of it before the next.
final class Teller {
  /// Creates a teller of one recording of [session].
  Teller(this.session, this.run, this._emit);

  /// What is told of.
  final Session session;

  /// The name of the recording.
  final String run;

  final void Function(Map<String, Object?> event) _emit;

  /// The number of what was told last.
  int get seq => _seq;
  int _seq = 0;

  /// The action told last, as long as something may still come of it.
  ToldAction? last;

  /// What came of [last] before what is happening now.
  Outcome? _held;
  bool _isHeld = false;

  Sight? _sight;

  /// What a person sees now.
  Sight look() {
    final UiRoutes routes = session.ui.routes;
    final String route = routes.uri ?? routes.location;
    final ScreenIndex screen = session.screen;
    final Sight? known = _sight;
    if (known != null &&
        identical(known.screen, screen) &&
        known.route == route) {
      return known;
    }
    return _sight = Sight(screen, route);
  }

  /// What a person saw at the last [look]; now if there was none.
  Sight get lastSight => _sight ?? look();

  /// What a widget is like now; null for none.
  Described? describe(UiElement? element) =>
      element == null ? null : describeElement(session.screen, element);

  /// Tells of an action. What has come of the one before it is told first.
  ToldAction tell(
    String action, {
    required Sight before,
    String by = 'person',
    Described? target,
    List<int> replaces = const <int>[],
    Map<String, Object?> more = const <String, Object?>{},
  }) {
    if (last case final ToldAction last when !replaces.contains(last.seq)) {
      if (!_isHeld) _held = outcomeOf(last);
      _tellOutcome(last, _held);
    }
    unhold();
    _send(<String, Object?>{
      'kind': 'action',
      'by': by,
      'action': action,
      'target': target?.fields,
      ...more,
      if (replaces.isNotEmpty) 'replaces': replaces,
    });
    return last = ToldAction(_seq, action, target, before);
  }

  /// What has come of [action]; null when that was told.
  Outcome? outcomeOf(ToldAction action) {
    final Sight now = look();
    if (identical(action.seen, now)) return null;
    final Sight before = action.before;
    final ScreenIndex screen = session.screen;
    return Outcome(now, <String, Object?>{
      if (now.route != before.route)
        'route': <String, Object?>{'from': before.route, 'to': now.route},
      'appeared': now.since(before),
      'gone': now.gone(before),
      'target': action.target?.state,
    });
  }

  /// Tells what has come of the last action.
  void tellOutcome() {
    if (last case final ToldAction last) _tellOutcome(last, outcomeOf(last));
  }

  /// Something happens: what has come of the last action until now is its
  /// outcome, unless what happens stands for it.
  void hold() {
    if (_isHeld) return;
    final ToldAction? last = this.last;
    _held = last == null ? null : outcomeOf(last);
    _isHeld = true;
  }

  /// Something has happened, and [outcome] is what had come of the last
  /// action before.
  void holdThat(Outcome? outcome) {
    _held = outcome;
    _isHeld = true;
  }

  /// It was nothing.
  void unhold() {
    _held = null;
    _isHeld = false;
  }

  /// Tells what is held, and that nothing more comes of it.
  void close() {
    hold();
    if (last case final ToldAction last) _tellOutcome(last, _held);
    unhold();
    last = null;
  }

  void _tellOutcome(ToldAction action, Outcome? outcome) {
    if (outcome == null) return;
    action.seen = outcome.sight;
    final String encoded = jsonEncode(outcome.fields);
    if (encoded == action.outcome) return;
    action.outcome = encoded;
    _send(<String, Object?>{
      'kind': 'after',
      'of': action.seq,
      ...outcome.fields,
    });
  }

  void _send(Map<String, Object?> event) =>
      _emit(<String, Object?>{'run': run, 'seq': ++_seq, ...event});
}
