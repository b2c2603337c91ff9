/// The verbs that point: tap, the clicks, hover, drag.
library;

import '../effects.dart';
import '../gate.dart';
import '../geometry.dart';
import '../params.dart';
import '../refs.dart';
import '../screen.dart';
import '../session.dart';
import '../tap_owner.dart';
import '../ui.dart';
import '../waiting.dart';
import 'targets.dart';

const int _dragMoves = 5;

/// How long a long press is held.
const Duration _longPress = Duration(milliseconds: 600);

/// `ext.tapir.tap`
Future<Reply> tap(Session session, Params params) async {
  final UiPoint? given = pointOf(params, 'x', 'y');
  if (given != null && !params.has('ref')) {
    return _tapAt(session, params, given);
  }
  final Target target = targetOf(session, params);
  final GateResult passed = await gate(session, target, params);
  final UiTree tree = session.ui.tree;
  final String before = digestOf(target);
  final int revision = tree.revision;
  final UiPoint centre = passed.point ?? centreOf(target);
  final Reply reply = <String, Object?>{'ref': target.ref};
  final UiPoint point = _aim(session, params, target, centre, reply);
  await press(session, point);
  _requestKeyboard(target);
  await session.settle();
  reply['effect'] = <String, Object?>{
    'kind': 'treeChanged',
    'changed': tree.revision != revision && digestOf(target) != before,
  };
  reply.addAll(traceOf(<Target>[target], <GateResult>[passed]));
  if (params.flag('reportPoint', orElse: false)) {
    reply['point'] = point.toJson();
  }
  return reply;
}

Future<Reply> _tapAt(Session session, Params params, UiPoint point) async {
  final String before = digestOfScreen(session.screen);
  await press(session, point);
  await session.settle();
  return <String, Object?>{
    'effect': <String, Object?>{
      'kind': 'treeChanged',
      'changed': digestOfScreen(session.screen) != before,
    },
    'checks': coordinateChecks(session),
    if (params.flag('reportPoint', orElse: false)) 'point': point.toJson(),
  };
}

/// Where a tap on [target] goes; what is said about it is added to [reply].
UiPoint _aim(
  Session session,
  Params params,
  Target target,
  UiPoint centre,
  Reply reply,
) {
  final UiSemantics? node = target.node;
  if (node == null || !params.flag('retarget', orElse: true)) return centre;
  if (!node.mergesDescendants) return centre;
  final TapOwner? owner = tapOwnerOf(session.screen, node);
  if (owner == null) return centre;
  if (!owner.canRetarget) {
    reply['tapPointOutsideOwner'] = <String, Object?>{
      'ownerRect': owner.rect.toEdgeJson(),
      'point': centre.toJson(),
    };
    return centre;
  }
  final UiPoint point = owner.rect.center;
  reply['retargeted'] = <String, Object?>{
    'from': centre.toJson(),
    'to': point.toJson(),
    'ownerRect': owner.rect.toEdgeJson(),
    if (owner.isCentreHandled) 'centreHandled': true,
  };
  return point;
}

/// A tap on a text field also brings up the keyboard. One on something that
/// merely holds a field does not.
void _requestKeyboard(Target target) {
  final UiElement element = target.element;
  final bool isField = target.node?.isTextField ?? element.textField != null;
  if (!isField || !element.isMounted) return;
  firstAtOrBelow(
    element,
    (UiElement each) => each.textField != null,
  )?.textField?.requestKeyboard();
}

/// What follows a tap: the wait for `until`, and the snapshot.
///
/// The next action does not wait for it: what is waited for may be its doing.
Future<Reply> afterTap(Session session, Params params, Reply reply) async {
  final String? until = params.text('until');
  if (until != null) {
    reply['untilMatched'] = await waitUntil(
      session.ui.tree,
      () => hasText(session, until),
      Duration(milliseconds: params.integer('untilTimeoutMs', orElse: 3000)),
    );
  }
  return session.withSnapshot(reply, params);
}

/// `ext.tapir.dblclick`
Future<Reply> doubleClick(Session session, Params params) =>
    _clicks(session, params, 2);

/// `ext.tapir.triple_click`
Future<Reply> tripleClick(Session session, Params params) =>
    _clicks(session, params, 3);

Future<Reply> _clicks(Session session, Params params, int count) async {
  final Target target = targetOf(session, params);
  final GateResult passed = await gate(session, target, params);
  for (int click = 1; click <= count; click++) {
    if (click > 1) await pause(session.ui.input.clickInterval);
    await press(session, centreOf(target), click: click);
  }
  await session.settle();
  return session.withSnapshot(<String, Object?>{
    'ref': target.ref,
    ...traceOf(<Target>[target], <GateResult>[passed]),
  }, params);
}

/// `ext.tapir.right_click`
Future<Reply> rightClick(Session session, Params params) async {
  final Target target = targetOf(session, params);
  final GateResult passed = await gate(session, target, params);
  await press(
    session,
    passed.point ?? centreOf(target),
    kind: UiPointerKind.mouse,
    secondary: true,
  );
  await session.settle();
  return session.withSnapshot(<String, Object?>{
    'ref': target.ref,
    ...traceOf(<Target>[target], <GateResult>[passed]),
  }, params);
}

/// `ext.tapir_replay.long_press`
Future<Reply> longPress(Session session, Params params) async {
  final Target target = targetOf(session, params);
  final GateResult passed = await gate(session, target, params);
  await press(session, passed.point ?? centreOf(target), hold: _longPress);
  await session.settle();
  return session.withSnapshot(<String, Object?>{
    'ref': target.ref,
    ...traceOf(<Target>[target], <GateResult>[passed]),
  }, params);
}

/// `ext.tapir.hover`
Future<Reply> hover(Session session, Params params) async {
  final Target target = targetOf(session, params);
  final GateResult passed = await gate(session, target, params);
  final UiPoint point = passed.point ?? centreOf(target);
  session.ui.input.pointer(
    UiPointerEvent(
      UiPointerPhase.hover,
      point,
      kind: UiPointerKind.mouse,
    ),
  );
  await session.settle();
  return session.withSnapshot(<String, Object?>{
    'ref': target.ref,
    ...traceOf(<Target>[target], <GateResult>[passed]),
    if (params.flag('reportPoint', orElse: false)) 'point': point.toJson(),
  }, params);
}

/// `ext.tapir.drag`
///
/// From ref to ref, from a ref by an offset, or from point to point.
Future<Reply> drag(Session session, Params params) async {
  final bool reports = params.flag('reportPoint', orElse: false);
  final bool hasRefs = params.has('startRef') || params.has('endRef');
  final UiPoint? from = pointOf(params, 'x', 'y');
  final UiPoint? to = pointOf(params, 'toX', 'toY');
  if (!hasRefs && from != null && to != null) {
    await _drag(session, from, to);
    return session.withSnapshot(<String, Object?>{
      'checks': coordinateChecks(session),
      if (reports) ...<String, Object?>{
        'from': from.toJson(),
        'to': to.toJson(),
      },
    }, params);
  }

  final Target start = targetOf(session, params, 'startRef');
  final double? dx = params.number('dx');
  final double? dy = params.number('dy');
  final bool isOffset =
      params.text('endRef') == null && (dx != null || dy != null);
  final Target? end = isOffset ? null : targetOf(session, params, 'endRef');
  final List<Target> targets = <Target>[start, if (end != null) end];
  final List<GateResult> passed = <GateResult>[
    for (final Target each in targets) await gate(session, each, params),
  ];
  // The second gate may have scrolled the first target along.
  final UiPoint origin = centreOf(start);
  final UiPoint goal =
      end == null ? origin.translate(dx ?? 0, dy ?? 0) : centreOf(end);
  await _drag(session, origin, goal);
  return session.withSnapshot(<String, Object?>{
    'startRef': start.ref,
    if (end != null) 'endRef': end.ref,
    ...traceOf(targets, passed),
    if (reports) ...<String, Object?>{
      'from': origin.toJson(),
      'to': goal.toJson(),
    },
  }, params);
}

Future<void> _drag(Session session, UiPoint from, UiPoint to) async {
  final UiInput input = session.ui.input;
  void send(UiPointerPhase phase, UiPoint point) =>
      input.pointer(UiPointerEvent(phase, point, pointer: 2));

  final Duration hold = input.holdBefore(from, to);
  send(UiPointerPhase.down, from);
  await pause(hold);
  for (int i = 1; i <= _dragMoves; i++) {
    await pause(input.moveInterval);
    final double share = i / _dragMoves;
    send(
      UiPointerPhase.move,
      from.translate((to.x - from.x) * share, (to.y - from.y) * share),
    );
  }
  send(UiPointerPhase.up, to);
  await session.settle();
}
