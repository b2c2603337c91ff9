/// Pictures of the screen, or of a part of it.
library;

import 'dart:convert';
import 'dart:typed_data';

import '../errors.dart';
import '../geometry.dart';
import '../jpeg.dart';
import '../params.dart';
import '../png.dart';
import '../refs.dart';
import '../session.dart';
import '../ui.dart';
import 'targets.dart';

const int _defaultQuality = 70;

/// `ext.tapir.screenshot`
Future<Reply> screenshot(Session session, Params params) async {
  final Target? target =
      params.text('ref') == null ? null : targetOf(session, params);
  final String? part = params.text('rect');
  if (part != null && target == null) {
    throw TapirError.missingParam(
      '${params.verb}: "rect" needs "ref": it is relative to that widget',
    );
  }
  UiRect? region = target?.rect;
  if (region != null && part != null) {
    region = _partOf(region, part, params);
  }
  final UiTree tree = session.ui.tree;
  if (params.raw('geometry') == 'true') {
    final UiRect rect = region ?? tree.viewport ?? UiRect.zero;
    return <String, Object?>{
      'rect': <String, Object?>{
        'x': rect.left,
        'y': rect.top,
        'width': rect.width,
        'height': rect.height,
      },
      'devicePixelRatio': tree.devicePixelRatio,
    };
  }
  final bool isPng = params.text('format') == 'png';
  final int quality = params.integer('quality', orElse: _defaultQuality);
  // A PNG has no quality, so none that could be wrong.
  if (!isPng && (quality < 0 || quality > 100)) {
    throw TapirError(
      '${params.verb}: quality must be between 0 and 100, not $quality',
      type: ErrorType.missingParam,
    );
  }
  if (region != null && region.isEmpty) {
    throw TapirError.notActionable(target!.ref, 'zero rect');
  }
  await nextFrame(session.ui.frames);
  final UiPicture picture = await session.ui.raster.capture(
    region,
    target?.element,
  );
  final Uint8List bytes =
      isPng
          ? encodePng(picture, deflate: session.ui.raster.deflate)
          : encodeJpeg(picture, quality: quality);
  return <String, Object?>{
    'format': isPng ? 'png' : 'jpeg',
    'base64': base64Encode(bytes),
    'width': picture.width,
    'height': picture.height,
    if (target != null) ...traceOf(<Target>[target]),
  };
}

UiRect _partOf(UiRect whole, String text, Params params) {
  final List<double?> numbers = <double?>[
    for (final String each in text.split(',')) double.tryParse(each.trim()),
  ];
  if (numbers case [
    final double x,
    final double y,
    final double width,
    final double height,
  ] when x >= 0 && y >= 0 && width > 0 && height > 0) {
    // Clipped to the widget: what lies beside it was not asked for.
    return UiRect.fromLTWH(
      whole.left + x,
      whole.top + y,
      width,
      height,
    ).intersect(whole);
  }
  throw TapirError.missingParam(
    '${params.verb}: "rect" must be "x,y,w,h" with x and y not negative and '
    'w and h positive, not "$text"',
  );
}
