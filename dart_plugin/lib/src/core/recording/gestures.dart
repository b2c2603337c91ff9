/// What is known of gestures that are not over yet.
library;

import 'dart:math';

import '../described.dart';
import '../geometry.dart';
import '../screen.dart';
import '../ui.dart';
import 'sight.dart';

/// How far a pointer may slip and still tap.
const double _slop = 18;

/// How far from the first tap of a double click the second may be.
const double _clickSlop = 100;

/// How long after the first tap of a double click the second may come.
const Duration _clickTime = Duration(milliseconds: 300);

/// After this many taps another one begins a new series.
const int _mostClicks = 3;

/// How long a press is held that is no tap.
const Duration _holdTime = Duration(milliseconds: 500);

/// A pointer that is down.
final class Press {
  /// Creates a press.
  Press(this.event, this.start, this.target, this.scrolls)
    : heard = start,
      optionBefore = _optionOf(target);

  /// How it began.
  final UiPointerEvent event;

  /// When.
  final Duration start;

  /// What it is on.
  final Described? target;

  /// The scroll views it is in, innermost first.
  final List<ScrollMark> scrolls;

  /// What the dropdown under it holds.
  final Object? optionBefore;

  /// What a person saw before.
  late Sight before;

  /// When it was last heard of.
  Duration heard;

  /// Its place in a series of taps.
  int click = 1;

  /// Whether it has not left its place.
  bool isTap = true;

  /// Whether it is a part of something with several pointers.
  bool isSpoiled = false;

  /// Whether the menu of a dropdown was open.
  bool isInMenu = false;

  static Object? _optionOf(Described? target) =>
      target != null && target.isDropdown
          ? dropdownOf(target.element)?.dropdown?.value
          : null;

  /// Whether it lasted too long for a tap.
  bool get isHeld => heard - start >= _holdTime;

  /// It goes on.
  void heardOf(UiPointerEvent now, Duration time) {
    heard = time;
    if (_distance(now.position) >= _slop) isTap = false;
  }

  /// Counts the taps that [before], which is over, and this one make.
  void follow(Press before) {
    final bool isNext =
        start - before.heard <= _clickTime &&
        before._distance(event.position) <= _clickSlop &&
        identical(before.target?.element, target?.element);
    if (isNext) click = before.click % _mostClicks + 1;
  }

  double _distance(UiPoint to) {
    final double dx = to.x - event.position.x;
    final double dy = to.y - event.position.y;
    return sqrt(dx * dx + dy * dy);
  }
}

/// A scroll view, and where it stood.
final class ScrollMark {
  /// Creates a mark.
  ScrollMark(this.element, this.scrollable) : start = _offsetOf(scrollable);

  /// The scroll views on [path], those of the text in a field aside.
  static List<ScrollMark> on(List<UiElement> path) => <ScrollMark>[
    for (final UiElement each in path)
      if (each.scrollable case final UiScrollable scrollable)
        if (firstAtOrAbove(each, _isField) == null)
          ScrollMark(each, scrollable),
  ];

  /// The first of [marks] that has moved; null when none has.
  static ScrollMark? movedOf(List<ScrollMark> marks) {
    for (final ScrollMark each in marks) {
      if (each.now != each.start) return each;
    }
    return null;
  }

  static bool _isField(UiElement element) => element.textField != null;

  /// The scroll view.
  final UiElement element;

  /// The same.
  final UiScrollable scrollable;

  /// Where it stood.
  final double start;

  /// Where it stands.
  double get now => _offsetOf(scrollable);

  /// How far it has moved, as the verb `scroll` takes it.
  Map<String, Object?> get distance {
    final double moved = scrollable.isReversed ? start - now : now - start;
    return <String, Object?>{
      'dx': scrollable.isVertical ? 0.0 : jsonNumber(moved),
      'dy': scrollable.isVertical ? jsonNumber(moved) : 0.0,
    };
  }

  // What is pulled beyond an end goes back by itself.
  static double _offsetOf(UiScrollable scrollable) =>
      min(max(scrollable.offset, scrollable.minOffset), scrollable.maxOffset);
}

/// The menu of a dropdown.
final class OpenMenu {
  /// Creates a menu that was just asked for.
  OpenMenu(this.element, this.target, this.before, this._value);

  /// The dropdown.
  final UiElement element;

  /// The same, as it was.
  final Described target;

  /// What a person saw before it was opened.
  final Sight before;

  final Object? _value;

  /// What was told since it was opened.
  final List<int> seqs = <int>[];

  /// The option that was told.
  String? told;

  /// Whether the dropdown can be reached again, and shows no options.
  bool get isClosed =>
      !element.isMounted ||
      (element.isReachable && !(element.dropdown?.isExpanded ?? false));

  /// The option that [touched] stands for; null when it is none.
  String? optionOf(Described? touched) {
    if (touched == null) return null;
    final Object? label = touched.fields['label'];
    final Object? text = touched.fields['text'];
    for (final Object? each
        in element.dropdown?.options ?? const <Object?>[]) {
      if (each is String && (each == label || each == text)) return each;
    }
    return null;
  }

  /// The option that the dropdown has been given and that was not told.
  String? get chosen {
    final Object? now = element.dropdown?.value;
    return now is String && now != _value && now != told ? now : null;
  }
}
