/// Things that scroll.
library;

import 'package:flutter/widgets.dart';

import '../core/geometry.dart';
import '../core/ui.dart';

/// A [Scrollable] with its position.
final class FlutterScrollable implements UiScrollable {
  /// Wraps the [state] that [owner] holds.
  const FlutterScrollable(this.owner, this.state);

  /// The element of the scrollable.
  final UiElement owner;

  /// Where the position is.
  final ScrollableState state;

  /// Whether [state] knows its extents yet.
  static bool isReady(ScrollableState state) {
    final ScrollPosition position = state.position;
    return position.hasPixels && position.hasContentDimensions;
  }

  @override
  bool get isVertical =>
      axisDirectionToAxis(state.axisDirection) == Axis.vertical;

  @override
  bool get isReversed => axisDirectionIsReversed(state.axisDirection);

  @override
  double get offset => state.position.pixels;

  @override
  double get minOffset => state.position.minScrollExtent;

  @override
  double get maxOffset => state.position.maxScrollExtent;

  @override
  UiRect get viewport => owner.rect ?? UiRect.zero;

  @override
  void jumpTo(double offset) =>
      state.position.jumpTo(offset.clamp(minOffset, maxOffset));
}
