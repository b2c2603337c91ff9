/// What the verbs that act on a ref have in common.
library;

import '../gate.dart';
import '../geometry.dart';
import '../params.dart';
import '../refs.dart';
import '../screen.dart';
import '../session.dart';
import '../ui.dart';

/// The target of the ref in parameter [name].
Target targetOf(Session session, Params params, [String name = 'ref']) {
  final String ref = params.required(name);
  return session.refs.resolve(
    ref,
    notFound: '${params.verb}: $name "$ref" not found in registry',
  );
}

/// Runs the gate on [target] with the checks that [params] ask for.
Future<GateResult> gate(Session session, Target target, Params params) =>
    passGate(
      session.ui,
      target,
      checkStable: params.flag('checkStable', orElse: true),
      checkReceivesEvents: params.flag('checkReceivesEvents', orElse: true),
    );

/// The fields that tell how [target] was reached.
Reply traceOf(
  List<Target> targets, [
  List<GateResult> gates = const <GateResult>[],
]) {
  Reply? trace;
  for (final GateResult each in gates) {
    if (each.report case final Map<String, Object?> report) {
      trace ??= <String, Object?>{'checks': report};
    }
  }
  for (final Target each in targets) {
    if (!each.reresolved) continue;
    trace ??= <String, Object?>{};
    ((trace['reresolved'] ??= <String>[])! as List<String>).add(each.ref);
  }
  return trace ?? const <String, Object?>{};
}

/// The middle of [target] as it is now.
UiPoint centreOf(Target target) => (target.rect ?? UiRect.zero).center;

/// Presses and lets go at [point], after the time that a press takes
/// or after [hold].
Future<void> press(
  Session session,
  UiPoint point, {
  UiPointerKind kind = UiPointerKind.touch,
  bool secondary = false,
  int click = 1,
  Duration? hold,
}) async {
  final UiInput input = session.ui.input;
  if (click == 1) await pause(input.restBefore(point));
  input.pointer(
    UiPointerEvent(
      UiPointerPhase.down,
      point,
      kind: kind,
      secondary: secondary,
      click: click,
    ),
  );
  final Duration held = hold ?? input.pressDuration;
  if (held > Duration.zero) await pause(held);
  input.pointer(
    UiPointerEvent(
      UiPointerPhase.up,
      point,
      kind: kind,
      secondary: secondary,
      click: click,
    ),
  );
}

/// Waits for [duration]; not at all when it is zero.
Future<void> pause(Duration duration) async {
  if (duration > Duration.zero) await Future<void>.delayed(duration);
}

/// The point in the parameters [x] and [y]; null unless both are numbers.
UiPoint? pointOf(Params params, String x, String y) {
  final double? left = params.number(x);
  final double? top = params.number(y);
  return left == null || top == null ? null : UiPoint(left, top);
}

/// The `checks` of a verb that was given coordinates instead of a ref.
Map<String, Object?> coordinateChecks(Session session) => <String, Object?>{
  'gate': 'skipped',
  'semantics':
      session.ui.profiler.semanticsEnabled ? 'held' : 'released',
  'why': 'dispatched at coordinates, without a ref to check',
};

/// Whether some `Text` shows exactly [text]. Covered routes count as well.
bool hasText(Session session, String text) =>
    session.screen.textData.contains(text);

/// What the `within` of `find` leads to; null when the parameter is not there
/// or leads nowhere.
UiElement? scopeOf(Session session, String? token) =>
    token == null
        ? null
        : session.refs.scopeOf(
          token,
          takesQueries: session.capabilities.contains(Capability.findWithin),
        );

/// The scrollable at, above or below [element]; null when there is none.
UiElement? scrollableOf(UiElement element) {
  bool scrolls(UiElement each) => each.scrollable != null;
  return firstAtOrAbove(element, scrolls) ?? firstAtOrBelow(element, scrolls);
}
