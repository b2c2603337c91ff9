/// Pointer events, as fingers and mice make them.
library;

import 'package:flutter/gestures.dart';

import '../core/geometry.dart';
import '../core/ui.dart';
import 'hands.dart';
import 'views.dart';

/// Devices of our own, so that no real finger is taken for one of these.
const int _touchDevice = 0x7b00;
const int _mouseDevice = 0x7a00;

/// What timers of the same length may be apart.
const Duration _margin = Duration(milliseconds: 10);

/// Turns the core's pointer events into those of the framework.
final class FlutterPointers {
  final Stopwatch _clock = Stopwatch()..start();
  final Map<int, (int, int, Offset)> _down = <int, (int, int, Offset)>{};
  // The framework keeps a pointer's gestures for a while after it is up: each
  // press is another pointer.
  int _lastPointer = 0x7a0000;
  int? _mouseView;
  (Duration, UiPoint)? _lastUp;

  /// How long a click at [point] would still count as a further one of those
  /// before.
  Duration restBefore(UiPoint point) {
    final (Duration, UiPoint)? last = _lastUp;
    if (last == null) return Duration.zero;
    final (Duration time, UiPoint place) = last;
    final Offset way = Offset(point.x - place.x, point.y - place.y);
    if (way.distance > kDoubleTapSlop) return Duration.zero;
    final Duration rest = time + kDoubleTapTimeout + _margin - _clock.elapsed;
    return rest.isNegative ? Duration.zero : rest;
  }

  /// Delivers [event].
  void send(UiPointerEvent event) {
    final PlacedView? place = viewAt(event.position);
    final (int, int, Offset)? pressed = _down[event.pointer];
    final int? view = pressed?.$2 ?? place?.view.flutterView.viewId;
    if (view == null) return;
    final Offset position = Offset(
      event.position.x - leftOfView(view),
      event.position.y,
    );
    final bool isMouse = event.kind == UiPointerKind.mouse;
    if (isMouse) _showMouse(view, position);
    final PointerDeviceKind kind =
        isMouse ? PointerDeviceKind.mouse : PointerDeviceKind.touch;
    final int device = isMouse ? _mouseDevice : _touchDevice + event.pointer;
    final int buttons = event.secondary ? kSecondaryButton : kPrimaryButton;
    switch (event.phase) {
      case UiPointerPhase.hover:
        _dispatch(
          PointerHoverEvent(
            viewId: view,
            timeStamp: _clock.elapsed,
            kind: kind,
            device: device,
            position: position,
          ),
        );
      case UiPointerPhase.down:
        final int pointer = ++_lastPointer;
        _down[event.pointer] = (pointer, view, position);
        _dispatch(
          PointerDownEvent(
            viewId: view,
            timeStamp: _clock.elapsed,
            pointer: pointer,
            kind: kind,
            device: device,
            position: position,
            buttons: buttons,
          ),
        );
      case UiPointerPhase.move when pressed != null:
        _down[event.pointer] = (pressed.$1, view, position);
        _dispatch(
          PointerMoveEvent(
            viewId: view,
            timeStamp: _clock.elapsed,
            pointer: pressed.$1,
            kind: kind,
            device: device,
            position: position,
            delta: position - pressed.$3,
            buttons: buttons,
          ),
        );
      case UiPointerPhase.up when pressed != null:
        _down.remove(event.pointer);
        _dispatch(
          PointerUpEvent(
            viewId: view,
            timeStamp: _clock.elapsed,
            pointer: pressed.$1,
            kind: kind,
            device: device,
            position: position,
          ),
        );
        _lastUp = (_clock.elapsed, event.position);
      case UiPointerPhase.move || UiPointerPhase.up:
        break;
    }
  }

  /// A mouse has to be there before it can move; it stays where it went last.
  void _showMouse(int view, Offset position) {
    if (_mouseView == view) return;
    if (_mouseView case final int before) {
      _dispatch(
        PointerRemovedEvent(
          viewId: before,
          timeStamp: _clock.elapsed,
          kind: PointerDeviceKind.mouse,
          device: _mouseDevice,
        ),
      );
    }
    _mouseView = view;
    _dispatch(
      PointerAddedEvent(
        viewId: view,
        timeStamp: _clock.elapsed,
        kind: PointerDeviceKind.mouse,
        device: _mouseDevice,
        position: position,
      ),
    );
  }

  static void _dispatch(PointerEvent event) =>
      Hands.at(() => GestureBinding.instance.handlePointerEvent(event));
}
