/// Pictures of what is drawn.
library;

import 'dart:typed_data';
import 'dart:ui' as ui;

import 'package:flutter/rendering.dart';

import '../core/geometry.dart';
import '../core/ui.dart';
import 'deflate_stored.dart' if (dart.library.io) 'deflate_zlib.dart';
import 'element.dart';
import 'views.dart';

/// Pictures of the layers.
final class FlutterRaster implements UiRaster {
  /// Creates it.
  const FlutterRaster();

  @override
  Future<UiPicture> capture([UiRect? region, UiElement? of]) async {
    final List<PlacedView> views = placedViews();
    if (views.isEmpty) throw StateError('the app has no view');
    final PlacedView place = _placeOf(region, views);
    final double ratio = place.view.flutterView.devicePixelRatio;
    final Rect area =
        region == null
            ? Offset.zero & place.size
            : Rect.fromLTRB(
              region.left - place.left,
              region.top,
              region.right - place.left,
              region.bottom,
            );
    final RenderObject? boundary =
        (Offset.zero & place.size).contains(area.topLeft) &&
                area.right <= place.size.width &&
                area.bottom <= place.size.height
            ? null
            : _boundaryOf(of);
    if (boundary == null) {
      // The view's own layer is the one that scales to physical pixels.
      final Rect physical = Rect.fromLTRB(
        area.left * ratio,
        area.top * ratio,
        area.right * ratio,
        area.bottom * ratio,
      );
      return _draw(place.view, physical, 1);
    }
    final Rect inside = MatrixUtils.inverseTransformRect(
      boundary.getTransformTo(null),
      area,
    );
    return _draw(boundary, inside, ratio);
  }

  static PlacedView _placeOf(UiRect? region, List<PlacedView> views) =>
      region == null ? views.first : viewAt(region.center) ?? views.first;

  /// What [element] is painted into, unless that is the view itself.
  static RenderObject? _boundaryOf(UiElement? element) {
    if (element is! FlutterElement || !element.isLaidOut) return null;
    RenderObject? each = element.element.renderObject;
    while (each != null && !each.isRepaintBoundary) {
      each = each.parent;
    }
    return each is RenderView ? null : each;
  }

  static Future<UiPicture> _draw(
    RenderObject boundary,
    Rect bounds,
    double ratio,
  ) async {
    // The debug getter is empty in profile builds.
    // ignore: invalid_use_of_protected_member
    final ContainerLayer? layer = boundary.layer;
    if (layer is! OffsetLayer) {
      throw StateError('the app has not drawn a frame yet');
    }
    final ui.Image image = await layer.toImage(bounds, pixelRatio: ratio);
    try {
      final ByteData? bytes = await image.toByteData(
        format: ui.ImageByteFormat.rawStraightRgba,
      );
      if (bytes == null) throw StateError('the picture could not be read');
      return UiPicture(
        image.width,
        image.height,
        bytes.buffer.asUint8List(bytes.offsetInBytes, bytes.lengthInBytes),
      );
    } finally {
      image.dispose();
    }
  }

  @override
  List<int> deflate(List<int> data) => deflateBytes(data);
}
