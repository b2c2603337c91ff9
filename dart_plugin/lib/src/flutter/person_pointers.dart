/// The pointers of a person.
library;

import 'dart:ui'
    show
        PlatformDispatcher,
        PointerData,
        PointerDataPacket,
        PointerDataPacketCallback,
        SemanticsAction,
        SemanticsActionEvent,
        SemanticsActionEventCallback;

import 'package:flutter/gestures.dart';
import 'package:flutter/rendering.dart';

import '../core/geometry.dart';
import '../core/ui.dart';
import 'ear.dart';
import 'live_tree.dart';
import 'views.dart';

/// Hears fingers, mice and trackpads where the platform hands them over.
///
/// That is before any widget gets them; what the verbs do does not come this
/// way. One thing after the other is told and passed on, whatever came in one
/// packet.
final class PointerEar implements Ear {
  /// Tells of what is in [tree].
  PointerEar(this.tree);

  /// Where the pointers are.
  final LiveTree tree;

  UiWitness? _witness;

  /// The pointers that are down, with whether it is by the secondary button.
  final Map<int, bool> _down = <int, bool>{};

  /// Those among them that the app is not to get.
  final Set<int> _kept = <int>{};

  PlatformDispatcher get _dispatcher =>
      GestureBinding.instance.platformDispatcher;

  late final Front<PointerDataPacketCallback> _packets =
      Front<PointerDataPacketCallback>(
        () => _dispatcher.onPointerDataPacket,
        (PointerDataPacketCallback? own) =>
            _dispatcher.onPointerDataPacket = own,
        (PointerDataPacketCallback? host) =>
            (PointerDataPacket packet) => _packets.outermost(
              () => _hear(packet, host),
              orElse: () => host?.call(packet),
            ),
      );

  // What assistive technology does; a browser makes it of most clicks.
  late final Front<SemanticsActionEventCallback> _actions =
      Front<SemanticsActionEventCallback>(
        () => _dispatcher.onSemanticsActionEvent,
        (SemanticsActionEventCallback? own) =>
            _dispatcher.onSemanticsActionEvent = own,
        (SemanticsActionEventCallback? host) =>
            (SemanticsActionEvent action) => _actions.outermost(
              () {
                if (!_keepsAction(action)) host?.call(action);
              },
              orElse: () => host?.call(action),
            ),
      );

  @override
  void listen(UiWitness witness) {
    _witness = witness;
    _packets.attach();
    _actions.attach();
  }

  @override
  void stop() {
    _packets.detach();
    _actions.detach();
    _witness = null;
    _down.clear();
    _kept.clear();
  }

  void _hear(PointerDataPacket packet, PointerDataPacketCallback? host) {
    for (final PointerData each in packet.data) {
      if (tell(() => _keeps(each)) ?? false) continue;
      host?.call(PointerDataPacket(data: <PointerData>[each]));
    }
  }

  /// Tells of [data]; true when the app is not to get it.
  bool _keeps(PointerData data) {
    final PointerEvent? event =
        PointerEventConverter.expand(
          <PointerData>[data],
          (int view) => _dispatcher.view(id: view)?.devicePixelRatio,
        ).firstOrNull;
    switch (event) {
      case PointerDownEvent(:final int buttons, :final int pointer):
        if (buttons != kPrimaryButton && buttons != kSecondaryButton) break;
        _down[pointer] = buttons == kSecondaryButton;
        final bool keeps = _tell(event, UiPointerPhase.down);
        if (keeps) _kept.add(pointer);
        return keeps;
      case PointerMoveEvent(:final int pointer):
        if (_down.containsKey(pointer)) _tell(event, UiPointerPhase.move);
        return _kept.contains(pointer);
      case PointerUpEvent(:final int pointer):
        if (_down.containsKey(pointer)) _tell(event, UiPointerPhase.up);
        _down.remove(pointer);
        return _kept.remove(pointer);
      case PointerCancelEvent(:final int pointer):
        if (_down.remove(pointer) != null) _witness?.cancel(pointer);
        return _kept.remove(pointer);
      case PointerScrollEvent():
      case PointerPanZoomUpdateEvent(:final Offset panDelta)
          when panDelta != Offset.zero:
        _witness?.wheel(_pointOf(event!));
    }
    return false;
  }

  static UiPoint _pointOf(PointerEvent event) => UiPoint(
    event.position.dx + leftOfView(event.viewId),
    event.position.dy,
  );

  bool _tell(PointerEvent event, UiPointerPhase phase) =>
      _witness?.pointer(
        UiPointerEvent(
          phase,
          _pointOf(event),
          pointer: event.pointer,
          kind:
              event.kind == PointerDeviceKind.mouse
                  ? UiPointerKind.mouse
                  : UiPointerKind.touch,
          secondary: _down[event.pointer] ?? false,
        ),
      ) ??
      false;

  bool _keepsAction(SemanticsActionEvent action) =>
      action.type == SemanticsAction.tap &&
      (tell(() => _keepsTap(action.viewId, action.nodeId)) ?? false);

  /// Tells of a tap on a node as of one with a finger.
  bool _keepsTap(int view, int id) {
    final SemanticsNode? node = _nodeOf(view, id);
    if (node == null) return false;
    final UiPoint point = tree.semanticsOf(node).rect.center;
    bool tap(UiPointerPhase phase) =>
        // No finger of a framework has such a number.
        _witness?.pointer(UiPointerEvent(phase, point, pointer: -1)) ?? false;
    final bool keeps = tap(UiPointerPhase.down);
    tap(UiPointerPhase.up);
    return keeps;
  }

  static SemanticsNode? _nodeOf(int viewId, int id) {
    SemanticsNode? found;
    bool look(SemanticsNode node) {
      if (node.id == id) found = node;
      if (found == null) node.visitChildren(look);
      return found == null;
    }

    for (final RenderView view in RendererBinding.instance.renderViews) {
      if (view.flutterView.viewId != viewId) continue;
      final SemanticsNode? root = view.owner?.semanticsOwner?.rootSemanticsNode;
      if (root != null) look(root);
    }
    return found;
  }
}
