/// The views of the app, side by side on one plane.
library;

import 'package:flutter/rendering.dart';
import 'package:flutter/widgets.dart';

import '../core/geometry.dart';

/// A view and its place on the plane.
final class PlacedView {
  /// Places [view] so that its left edge is at [left].
  PlacedView(this.view, this.left);

  /// What is drawn in it.
  final RenderView view;

  /// Where its left edge is; zero for the first view.
  final double left;

  /// How large it is, in logical pixels.
  Size get size => view.size;

  /// The part of it that no keyboard covers.
  UiRect get visibleArea {
    final double ratio = view.flutterView.devicePixelRatio;
    final double covered = view.flutterView.viewInsets.bottom / ratio;
    return UiRect.fromLTRB(
      left,
      0,
      left + size.width,
      size.height > covered ? size.height - covered : size.height,
    );
  }
}

/// Every view that has been laid out, the first at the origin.
List<PlacedView> placedViews() {
  final List<PlacedView> placed = <PlacedView>[];
  double left = 0;
  for (final RenderView view in RendererBinding.instance.renderViews) {
    if (!view.hasConfiguration) continue;
    placed.add(PlacedView(view, left));
    left += view.size.width;
  }
  return placed;
}

/// The view [point] lies in; null when it lies in none.
PlacedView? viewAt(UiPoint point) {
  for (final PlacedView each in placedViews()) {
    final Rect area = Offset(each.left, 0) & each.size;
    if (area.contains(Offset(point.x, point.y))) return each;
  }
  return null;
}

/// Where the view of [object] begins on the plane.
double leftOf(RenderObject object) {
  final RenderObject? root = object.owner?.rootNode;
  for (final PlacedView each in placedViews()) {
    if (identical(each.view, root)) return each.left;
  }
  return 0;
}

/// Where the view with this id begins on the plane.
double leftOfView(int viewId) {
  for (final PlacedView each in placedViews()) {
    if (each.view.flutterView.viewId == viewId) return each.left;
  }
  return 0;
}

/// [bounds] of [object], on the plane; null when it cannot be told.
UiRect? placeOf(RenderObject object, Rect bounds) {
  if (!object.attached || !bounds.isFinite) return null;
  final Rect rect = MatrixUtils.transformRect(
    object.getTransformTo(null),
    bounds,
  );
  if (!rect.isFinite) return null;
  final double left = leftOf(object);
  return UiRect.fromLTRB(
    rect.left + left,
    rect.top,
    rect.right + left,
    rect.bottom,
  );
}
