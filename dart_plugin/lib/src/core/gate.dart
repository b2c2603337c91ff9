/// The checks a target has to pass before a pointer or a text goes to it.
library;

import 'errors.dart';
import 'geometry.dart';
import 'refs.dart';
import 'roles.dart';
import 'screen.dart';
import 'session.dart';
import 'ui.dart';

/// How far an edge may move between two looks at a target that stands still.
const double stableTolerance = 0.5;

/// The most overlapping widgets a report names.
const int _maxCandidates = 5;

/// What the gate could not establish; [report] is null when it could all.
final class GateResult {
  /// Creates a result.
  const GateResult(this.point, [this.report]);

  /// The middle of the target once it has passed; null without a view.
  final UiPoint? point;

  /// As the reply's `checks`.
  final Map<String, Object?>? report;
}

/// Runs the checks in their order; the first that fails throws.
Future<GateResult> passGate(
  Ui ui,
  Target target, {
  required bool checkStable,
  required bool checkReceivesEvents,
}) async {
  Never fail(String reason) =>
      throw TapirError.notActionable(target.ref, reason);

  final UiElement element = target.element;
  // It may also leave while a frame is waited for.
  void mustBeMounted() {
    if (!element.isMounted) fail('defunct (element no longer mounted)');
  }

  mustBeMounted();
  if (!element.isLaidOut) {
    fail('defunct (element no longer attached to a render object)');
  }
  if (target.node?.isEnabled == false) fail('not enabled');

  UiRect rect = target.rect ?? UiRect.zero;
  if (rect.isEmpty) fail('zero rect');

  final UiRect? viewport = ui.tree.viewport;
  if (viewport == null) return GateResult(rect.center);

  if (_isOutOfSight(element, rect, viewport)) {
    if (_scrollableAround(element) != null) {
      await ui.tree.showOnScreen(element);
      await nextFrame(ui.frames);
      mustBeMounted();
      rect = target.rect ?? UiRect.zero;
    }
    if (!rect.overlaps(viewport)) {
      fail('off-viewport (rect=$rect, viewport=$viewport)');
    }
  }

  // Nothing moves without a frame: when none is due, one look is enough.
  if (checkStable && ui.frames.isScheduled) {
    final UiRect before = target.rect ?? rect;
    await nextFrame(ui.frames);
    mustBeMounted();
    rect = target.rect ?? UiRect.zero;
    final double moved = rect.distanceTo(before);
    if (moved > stableTolerance) {
      fail('not stable (rect changed by ${moved.toStringAsFixed(1)}px)');
    }
  }

  final UiPoint point = rect.center;
  if (!checkReceivesEvents) {
    return GateResult(point, <String, Object?>{
      'gate': 'skipped',
      'why': 'checkReceivesEvents is false',
    });
  }
  final List<UiElement> path = ui.tree.hitTest(point);
  if (path.isEmpty) {
    return GateResult(point, <String, Object?>{
      'gate': 'indeterminate',
      'why': 'a hit test at the centre reached nothing but the root',
      if (_overlapping(ui, target, point) case final List<String> names
          when names.isNotEmpty)
        'overlapCandidates': names,
    });
  }
  final UiElement? cover = coverOf(element, path);
  if (cover != null) {
    fail('obscured by other widget (top=${cover.typeName})');
  }
  return GateResult(point);
}

/// Whether the middle of [rect] cannot be seen: it is not on the screen, or
/// the scroll view it is in does not show it now.
bool _isOutOfSight(UiElement element, UiRect rect, UiRect viewport) {
  if (!viewport.contains(rect.center)) return true;
  UiElement? each = element.parent;
  while (each != null) {
    final UiScrollable? scrollable = each.scrollable;
    if (scrollable != null && !scrollable.viewport.contains(rect.center)) {
      return true;
    }
    each = each.parent;
  }
  return false;
}

UiScrollable? _scrollableAround(UiElement element) =>
    firstAtOrAbove(
      element,
      (UiElement each) => each.scrollable != null,
    )?.scrollable;

List<String> _overlapping(Ui ui, Target target, UiPoint point) {
  final List<String> names = <String>[];
  for (final UiSemantics node in ScreenIndex(ui.tree).nodes) {
    if (names.length == _maxCandidates) break;
    if (roleOf(node) == null || node.id == target.node?.id) continue;
    if (node.rect.contains(point)) names.add(node.label);
  }
  return names;
}
