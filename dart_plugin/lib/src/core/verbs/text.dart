/// The verbs about text fields, the focus and keys.
library;

import '../effects.dart';
import '../errors.dart';
import '../gate.dart';
import '../keys.dart';
import '../params.dart';
import '../refs.dart';
import '../screen.dart';
import '../session.dart';
import '../ui.dart';
import 'targets.dart';

/// `ext.tapir.type`
Future<Reply> type(Session session, Params params) async {
  final String text = params.raw('text') ?? '';
  final Target target = targetOf(session, params);
  final FieldMatch match = fieldOf(session.screen, target, params.verb);
  final GateResult passed = await gate(session, target, params);
  match.element.requestFocus();
  match.field.enter(text);
  await session.settle();
  return session.withSnapshot(<String, Object?>{
    'text': text,
    'effect': textEffect(match, text),
    ...traceOf(<Target>[target], <GateResult>[passed]),
  }, params);
}

/// `ext.tapir.clear`
Future<Reply> clear(Session session, Params params) async {
  final Target target = targetOf(session, params);
  final FieldMatch match = fieldOf(session.screen, target, params.verb);
  final GateResult passed = await passGate(
    session.ui,
    target,
    checkStable: true,
    checkReceivesEvents: true,
  );
  match.field.clear();
  await session.settle();
  return session.withSnapshot(
    <String, Object?>{
      'ref': target.ref,
      'text': '',
      'effect': textEffect(match, ''),
      ...traceOf(<Target>[target], <GateResult>[passed]),
    },
    params,
    orElse: false,
  );
}

/// `ext.tapir.fill`
///
/// Focus, clear and type in one. When the ref goes stale on the way, all of it
/// is done once more.
Future<Reply> fill(Session session, Params params) async {
  final String ref = params.required('ref');
  final String? text = params.raw('text');
  if (text == null) throw params.missing('text');
  // An `e<N>` that is gone by now is gone; a description may fit again.
  if (!ref.startsWith('q')) targetOf(session, params);
  Reply? reply;
  try {
    reply = await _fillOnce(session, params, text);
  } on TapirError catch (error) {
    if (error.type != ErrorType.stale) rethrow;
    await session.settle();
    try {
      reply = await _fillOnce(session, params, text);
    } on TapirError catch (again) {
      if (again.type != ErrorType.stale) rethrow;
      throw TapirError(
        '${params.verb}: ref "$ref" went stale during fill (retried once)',
        type: ErrorType.stale,
        ref: ref,
      );
    }
  }
  return session.withSnapshot(reply, params);
}

Future<Reply> _fillOnce(Session session, Params params, String text) async {
  final Target target = targetOf(session, params);
  final FieldMatch match = fieldOf(
    session.screen,
    target,
    params.verb,
    orNearest: true,
  );
  final GateResult passed = await gate(session, target, params);
  match.element.requestFocus();
  match.field.enter(text);
  await session.settle();
  return <String, Object?>{
    'ref': target.ref,
    'text': text,
    'filled': true,
    'effect': textEffect(match, text),
    ...traceOf(<Target>[target], <GateResult>[passed]),
  };
}

/// `ext.tapir.focus`
Future<Reply> focus(Session session, Params params) async {
  final Target target = targetOf(session, params);
  bool takesFocus(UiElement each) => each.canFocus;
  final UiElement? element =
      firstAtOrAbove(target.element, takesFocus) ??
      firstAtOrBelow(target.element, takesFocus);
  if (element == null) {
    throw TapirError(
      '${params.verb}: no Focus ancestor or descendant for '
      'ref "${target.ref}"',
      ref: target.ref,
    );
  }
  element.requestFocus();
  await session.settle();
  return session.withSnapshot(
    <String, Object?>{
      'ref': target.ref,
      'focused': true,
      ...traceOf(<Target>[target]),
    },
    params,
    orElse: false,
  );
}

/// `ext.tapir.blur`
Future<Reply> blur(Session session, Params params) async {
  final UiInput input = session.ui.input;
  final bool hadFocus = input.focused != null;
  if (hadFocus) {
    input.unfocus();
    await session.settle();
  }
  return session.withSnapshot(
    <String, Object?>{'blurred': true, 'hadFocus': hadFocus},
    params,
    orElse: false,
  );
}

/// `ext.tapir.press_key`
Future<Reply> pressKey(Session session, Params params) async {
  final String name = params.required('key');
  final String? key = keyNamed(name);
  if (key == null) {
    throw TapirError(
      '${params.verb}: unknown key "$name"; supported are '
      '${supportedKeys.join(', ')}, and single letters and digits',
    );
  }
  final List<UiModifier> modifiers = <UiModifier>[];
  for (final String each in params.list('modifiers')) {
    final UiModifier? modifier = modifierNamed(each);
    if (modifier == null) {
      throw TapirError(
        '${params.verb}: unknown modifier "$each"; supported are '
        'control (or ctrl), shift, alt, meta',
      );
    }
    if (!modifiers.contains(modifier)) modifiers.add(modifier);
  }
  session.ui.input.press(UiKeyPress(key, modifiers));
  await session.settle();
  return session.withSnapshot(<String, Object?>{
    'ok': true,
    'key': name,
  }, params);
}
