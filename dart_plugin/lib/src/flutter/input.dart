/// Pointers, keys and the focus.
library;

import 'package:flutter/gestures.dart';
import 'package:flutter/widgets.dart';

import '../core/geometry.dart';
import '../core/ui.dart';
import 'element.dart';
import 'keyboard.dart';
import 'live_tree.dart';
import 'pointers.dart';

/// How much longer than it has to be a press is held.
const Duration _margin = Duration(milliseconds: 50);

/// The hands of the app's user.
final class FlutterInput implements UiInput {
  /// Creates input for [tree].
  FlutterInput(this.tree);

  /// Where the focused element is.
  final LiveTree tree;

  final FlutterPointers _pointers = FlutterPointers();
  final FlutterKeyboard _keyboard = FlutterKeyboard();

  @override
  Duration get pressDuration => const Duration(milliseconds: 50);

  @override
  Duration get clickInterval => const Duration(milliseconds: 100);

  @override
  Duration restBefore(UiPoint point) =>
      _countsClicks(point) ? _pointers.restBefore(point) : Duration.zero;

  /// Whether something at [point] tells a double click from two clicks.
  bool _countsClicks(UiPoint point) => tree.hitTest(point).any((UiElement hit) {
    final Widget? widget =
        hit is FlutterElement && hit.isMounted ? hit.element.widget : null;
    return widget is RawGestureDetector &&
        (widget.gestures.containsKey(DoubleTapGestureRecognizer) ||
            widget.gestures.containsKey(SerialTapGestureRecognizer));
  });

  @override
  Duration holdBefore(UiPoint from, UiPoint to) {
    final bool isLevel = (to.x - from.x).abs() > (to.y - from.y).abs();
    for (final UiElement hit in tree.hitTest(from)) {
      final Widget? widget =
          hit is FlutterElement && hit.isMounted ? hit.element.widget : null;
      switch (widget) {
        // Takes the pointer before it has been held for long.
        case RawGestureDetector(:final Map<Type, Object> gestures)
            when gestures.containsKey(
              isLevel
                  ? HorizontalDragGestureRecognizer
                  : VerticalDragGestureRecognizer,
            ) ||
                gestures.containsKey(PanGestureRecognizer):
          return Duration.zero;
        case LongPressDraggable<Object>(:final Duration delay):
          return delay + _margin;
        case ReorderableDelayedDragStartListener(enabled: true):
          return kLongPressTimeout + _margin;
      }
    }
    return Duration.zero;
  }

  @override
  Duration get moveInterval => const Duration(milliseconds: 16);

  @override
  void pointer(UiPointerEvent event) => _pointers.send(event);

  @override
  void press(UiKeyPress press) => _keyboard.press(press);

  FocusNode? get _focus {
    final FocusNode? node = FocusManager.instance.primaryFocus;
    return node != null && LiveTree.isControlFocus(node) ? node : null;
  }

  @override
  UiElement? get focused {
    final BuildContext? context = _focus?.context;
    return context is Element ? tree.elementOf(context) : null;
  }

  @override
  void unfocus() => _focus?.unfocus();

  // The binding's own way in for the platform: nothing else asks the router
  // and the observers in their order.
  @override
  Future<bool> back() =>
      // ignore: invalid_use_of_protected_member
      WidgetsBinding.instance.handlePopRoute();
}
