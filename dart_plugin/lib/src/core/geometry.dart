/// Points and rectangles in logical pixels, without a dependency on `dart:ui`.
library;

/// A position on the screen.
final class UiPoint {
  /// Creates a point.
  const UiPoint(this.x, this.y);

  /// Distance from the left edge.
  final double x;

  /// Distance from the top edge.
  final double y;

  /// The point moved by [dx] and [dy].
  UiPoint translate(double dx, double dy) => UiPoint(x + dx, y + dy);

  /// As replies carry it.
  Map<String, Object?> toJson() => <String, Object?>{
    'x': jsonNumber(x),
    'y': jsonNumber(y),
  };

  @override
  bool operator ==(Object other) =>
      other is UiPoint && other.x == x && other.y == y;

  @override
  int get hashCode => Object.hash(x, y);

  @override
  String toString() => 'UiPoint($x, $y)';
}

/// An axis-aligned rectangle.
final class UiRect {
  /// Creates a rectangle from its edges.
  const UiRect.fromLTRB(this.left, this.top, this.right, this.bottom);

  /// Creates a rectangle from its top-left corner and its size.
  const UiRect.fromLTWH(this.left, this.top, double width, double height)
    : right = left + width,
      bottom = top + height;

  /// A rectangle without an area, at the origin.
  static const UiRect zero = UiRect.fromLTRB(0, 0, 0, 0);

  /// The left edge.
  final double left;

  /// The top edge.
  final double top;

  /// The right edge.
  final double right;

  /// The bottom edge.
  final double bottom;

  /// How wide it is.
  double get width => right - left;

  /// How high it is.
  double get height => bottom - top;

  /// Whether it has no area.
  bool get isEmpty => left >= right || top >= bottom;

  /// The point in the middle.
  UiPoint get center => UiPoint((left + right) / 2, (top + bottom) / 2);

  /// Whether [point] lies inside; the right and the bottom edge do not count.
  bool contains(UiPoint point) =>
      point.y >= top && point.y < bottom && point.x >= left && point.x < right;

  /// Whether the two share an area.
  bool overlaps(UiRect other) =>
      left < other.right &&
      other.left < right &&
      top < other.bottom &&
      other.top < bottom;

  /// The common part; empty when there is none.
  UiRect intersect(UiRect other) => UiRect.fromLTRB(
    left > other.left ? left : other.left,
    top > other.top ? top : other.top,
    right < other.right ? right : other.right,
    bottom < other.bottom ? bottom : other.bottom,
  );

  /// The rectangle moved by [dx] and [dy].
  UiRect translate(double dx, double dy) =>
      UiRect.fromLTRB(left + dx, top + dy, right + dx, bottom + dy);

  /// By how much the edge that differs most differs.
  double distanceTo(UiRect other) => <double>[
    (left - other.left).abs(),
    (top - other.top).abs(),
    (right - other.right).abs(),
    (bottom - other.bottom).abs(),
  ].reduce((double a, double b) => a > b ? a : b);

  /// As `bounds` and `tapOwner` carry it.
  Map<String, Object?> toJson() => <String, Object?>{
    'x': jsonNumber(left),
    'y': jsonNumber(top),
    'w': jsonNumber(width),
    'h': jsonNumber(height),
  };

  /// As `ownerRect` carries it.
  Map<String, Object?> toEdgeJson() => <String, Object?>{
    'left': jsonNumber(left),
    'top': jsonNumber(top),
    'width': jsonNumber(width),
    'height': jsonNumber(height),
  };

  @override
  bool operator ==(Object other) =>
      other is UiRect &&
      other.left == left &&
      other.top == top &&
      other.right == right &&
      other.bottom == bottom;

  @override
  int get hashCode => Object.hash(left, top, right, bottom);

  @override
  String toString() =>
      'Rect.fromLTRB(${left.toStringAsFixed(1)}, ${top.toStringAsFixed(1)}, '
      '${right.toStringAsFixed(1)}, ${bottom.toStringAsFixed(1)})';
}

/// [value] as JSON can hold it: no NaN, no infinity.
double jsonNumber(double value) => value.isFinite ? value : 0;
