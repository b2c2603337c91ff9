/// The verbs about controls that hold a state: boxes, dropdowns, scrollables.
library;

import '../errors.dart';
import '../params.dart';
import '../refs.dart';
import '../roles.dart';
import '../screen.dart';
import '../session.dart';
import '../ui.dart';
import 'targets.dart';

/// `ext.tapir.set_checkbox`
Future<Reply> setCheckbox(Session session, Params params) async {
  final Target target = targetOf(session, params);
  final String? text = params.text('value');
  if (text == null) throw params.missing('value');
  final bool wanted = params.flag('value', orElse: false);
  final UiSemantics? control = _controlOf(params, target);
  if (control == null) {
    throw TapirError(
      '${params.verb}: no checked or toggled state found at or below '
      'ref "${target.ref}"',
      ref: target.ref,
    );
  }
  final bool? before = checkOf(control)?.value;
  final bool taps = before != wanted;
  if (taps) {
    // No gate, and no other place than its own centre: what is covered or off
    // the screen is missed, and the effect says so.
    await press(session, control.rect.center);
    await session.settle();
  }
  final bool? after = _stateOf(control, before);
  return session.withSnapshot(
    <String, Object?>{
      'ref': target.ref,
      'previousValue': before,
      'value': wanted,
      'toggled': taps,
      'effect': <String, Object?>{
        'kind': 'checked',
        'verified': after == wanted,
        'before': before,
        'after': after,
      },
      ...traceOf(<Target>[target]),
    },
    params,
    orElse: false,
  );
}

/// The node whose state is meant: the ref's own, or the only one below it.
UiSemantics? _controlOf(Params params, Target target) {
  UiSemantics? own = target.node ?? target.element.semantics;
  if (own == null) {
    final List<UiSemantics> inside = _statesInside(target.element);
    if (inside.length == 1) return inside.single;
    if (inside.length > 1) throw _ambiguous(params, target, inside.length);
    own =
        firstAtOrAbove(
          target.element,
          (UiElement each) => each.semantics != null,
        )?.semantics;
    return own != null && checkOf(own) != null ? own : null;
  }
  if (checkOf(own) != null) return own;
  final List<UiSemantics> below = <UiSemantics>[];
  void visit(UiSemantics node) {
    for (final UiSemantics child in node.children) {
      if (!child.isMergedIntoParent && checkOf(child) != null) {
        below.add(child);
      }
      visit(child);
    }
  }

  visit(own);
  if (below.length > 1) throw _ambiguous(params, target, below.length);
  return below.firstOrNull;
}

List<UiSemantics> _statesInside(UiElement element) {
  final List<UiSemantics> found = <UiSemantics>[];
  void visit(UiElement each) {
    final UiSemantics? node = each.semantics;
    if (node != null &&
        node.isAttached &&
        !node.isMergedIntoParent &&
        checkOf(node) != null) {
      found.add(node);
    }
    each.visitChildren(visit);
  }

  visit(element);
  return found;
}

TapirError _ambiguous(Params params, Target target, int count) => TapirError(
  '${params.verb}: ref "${target.ref}" has $count controls with a state '
  'inside; pass the ref of one of them',
  ref: target.ref,
);

bool? _stateOf(UiSemantics control, bool? before) =>
    control.isAttached ? checkOf(control)?.value : before;

/// `ext.tapir.select_option`
Future<Reply> selectOption(Session session, Params params) async {
  final Target target = targetOf(session, params);
  final String? value = params.raw('value');
  if (value == null) {
    throw const TapirError.missingParam('Missing required parameter: value.');
  }
  final UiDropdown? dropdown =
      firstAtOrBelow(
        target.element,
        (UiElement each) => each.dropdown != null,
      )?.dropdown;
  if (dropdown == null) {
    throw TapirError(
      'No selectable widget found for ref=${target.ref} value=$value.',
      type: ErrorType.notFound,
      ref: target.ref,
      suggestions: <String>[
        for (final UiElement each in session.screen.elements)
          if (each.dropdown != null && each.isReachable)
            if (each.semantics case final UiSemantics node)
              session.refs.ofNode(session.screen, node).token,
      ].take(3).toList(),
    );
  }
  dropdown.choose(value);
  await session.settle();
  return session.withSnapshot(
    <String, Object?>{
      'selected': true,
      'value': value,
      'effect': <String, Object?>{
        'kind': 'selected',
        'verified': dropdown.value == value,
        'value': dropdown.value,
      },
      ...traceOf(<Target>[target]),
    },
    params,
    orElse: false,
  );
}

/// `ext.tapir.scroll`
Future<Reply> scroll(Session session, Params params) async {
  final Target? target =
      params.text('ref') == null ? null : targetOf(session, params);
  if (params.strictFlag('intoView')) {
    return _scrollIntoView(session, params, target);
  }
  final UiScrollable? scrollable = _scrollableOf(session, target)?.scrollable;
  if (scrollable == null) {
    throw TapirError(
      'No scrollable found in the widget tree.',
      type: ErrorType.notFound,
      ref: target?.ref,
    );
  }
  final double before = scrollable.offset;
  final double delta = _delta(params, scrollable);
  final double wanted = scrollable.isReversed ? before - delta : before + delta;
  final double clamped = wanted.clamp(
    scrollable.minOffset,
    scrollable.maxOffset,
  );
  if (clamped != before) {
    scrollable.jumpTo(clamped);
    await session.settle();
  }
  return session.withSnapshot(
    _scrolled(before, scrollable.offset, target),
    params,
  );
}

Future<Reply> _scrollIntoView(
  Session session,
  Params params,
  Target? target,
) async {
  if (target == null) throw params.missing('ref');
  final UiScrollable? scrollable =
      firstAtOrAbove(
        target.element,
        (UiElement each) => each.scrollable != null,
      )?.scrollable;
  final double before = scrollable?.offset ?? 0;
  if (scrollable != null) {
    await session.ui.tree.showOnScreen(target.element, alignment: 0.5);
    await session.settle();
  }
  return session.withSnapshot(
    _scrolled(before, scrollable?.offset ?? 0, target),
    params,
  );
}

/// The scrollable meant: the ref's own, or the first that a person could
/// scroll. That of the text in a field is not meant without a ref.
UiElement? _scrollableOf(Session session, Target? target) {
  if (target != null) {
    final UiElement? own = scrollableOf(target.element);
    if (own != null) return own;
  }
  UiElement? first;
  for (final UiElement each in session.screen.elements) {
    if (each.scrollable == null || !each.isLaidOut) continue;
    if (firstAtOrAbove(each, (UiElement above) => above.textField != null) !=
        null) {
      continue;
    }
    first ??= each;
    if (each.isReachable) return each;
  }
  return first;
}

/// How far to go down, or to the right, as a person sees it.
double _delta(Params params, UiScrollable scrollable) {
  final double? dx = params.number('dx');
  final double? dy = params.number('dy');
  if (dx != null || dy != null) {
    return scrollable.isVertical ? dy ?? 0 : dx ?? 0;
  }
  final double pixels = params.number('pixels') ?? 300;
  return switch (params.text('direction')) {
    'up' => scrollable.isVertical ? -pixels : 0,
    'left' => scrollable.isVertical ? 0 : -pixels,
    'right' => scrollable.isVertical ? 0 : pixels,
    _ => scrollable.isVertical ? pixels : 0,
  };
}

Reply _scrolled(double before, double after, Target? target) =>
    <String, Object?>{
      'scrolled': after != before,
      'finalOffset': after,
      'effect': <String, Object?>{
        'kind': 'scrollOffset',
        'changed': after != before,
        'before': before,
        'after': after,
      },
      if (target != null) ...traceOf(<Target>[target]),
    };
