/// A person in front of an app under test: the platform tells of what they do.
library;

import 'dart:ui'
    show
        PlatformDispatcher,
        PointerChange,
        PointerData,
        PointerDataPacket,
        PointerSignalKind,
        SemanticsAction,
        SemanticsActionEvent;

import 'package:flutter/gestures.dart';
import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';

/// Touches, clicks and types as the platform reports it.
final class Person {
  /// Creates a person.
  Person(this.tester);

  /// What draws the frames.
  final WidgetTester tester;

  int _pointer = 100;
  Offset _last = Offset.zero;

  /// Reports [changes] of one pointer in one packet.
  void send(
    List<(PointerChange, Offset)> changes, {
    PointerDeviceKind kind = PointerDeviceKind.touch,
    int buttons = kPrimaryButton,
    PointerSignalKind signal = PointerSignalKind.none,
    Offset scroll = Offset.zero,
    Offset pan = Offset.zero,
  }) {
    final double ratio = tester.view.devicePixelRatio;
    Offset wayTo(Offset place, PointerChange change) {
      final Offset way =
          change == PointerChange.move ? place - _last : Offset.zero;
      _last = place;
      return way * ratio;
    }

    tester.platformDispatcher.onPointerDataPacket!(
      PointerDataPacket(
        data: <PointerData>[
          for (final (Offset way, PointerChange change, Offset place)
              in changes.map(
                ((PointerChange, Offset) each) =>
                    (wayTo(each.$2, each.$1), each.$1, each.$2),
              ))
            PointerData(
              viewId: tester.view.viewId,
              change: change,
              kind: kind,
              signalKind: signal,
              pointerIdentifier: _pointer,
              physicalX: place.dx * ratio,
              physicalY: place.dy * ratio,
              physicalDeltaX: way.dx,
              physicalDeltaY: way.dy,
              buttons: change == PointerChange.up ? 0 : buttons,
              scrollDeltaX: scroll.dx * ratio,
              scrollDeltaY: scroll.dy * ratio,
              panX: pan.dx * ratio,
              panY: pan.dy * ratio,
              panDeltaX: pan.dx * ratio,
              panDeltaY: pan.dy * ratio,
              scale: 1,
            ),
        ],
      ),
    );
  }

  /// Presses and lets go at [place].
  Future<void> tap(
    Offset place, {
    PointerDeviceKind kind = PointerDeviceKind.touch,
    int buttons = kPrimaryButton,
    Duration hold = const Duration(milliseconds: 50),
  }) async {
    _pointer++;
    send(
      <(PointerChange, Offset)>[(PointerChange.down, place)],
      kind: kind,
      buttons: buttons,
    );
    await tester.pump(hold);
    send(
      <(PointerChange, Offset)>[(PointerChange.up, place)],
      kind: kind,
      buttons: buttons,
    );
    await tester.pump();
  }

  /// Moves a finger from [from] by [way], after holding it for a while.
  Future<void> drag(
    Offset from,
    Offset way, {
    int moves = 10,
    Duration hold = Duration.zero,
  }) async {
    const Duration frame = Duration(milliseconds: 16);
    _pointer++;
    send(<(PointerChange, Offset)>[(PointerChange.down, from)]);
    if (hold > Duration.zero) await tester.pump(hold);
    for (int i = 1; i <= moves; i++) {
      await tester.pump(frame);
      send(<(PointerChange, Offset)>[
        (PointerChange.move, from + way * (i / moves)),
      ]);
    }
    // Held still before it is let go: no fling.
    await tester.pump(const Duration(milliseconds: 200));
    send(<(PointerChange, Offset)>[(PointerChange.up, from + way)]);
    await tester.pump();
  }

  /// Turns a wheel at [place].
  Future<void> wheel(Offset place, double dy) async {
    send(
      <(PointerChange, Offset)>[(PointerChange.hover, place)],
      kind: PointerDeviceKind.mouse,
      buttons: 0,
      signal: PointerSignalKind.scroll,
      scroll: Offset(0, dy),
    );
    await tester.pump();
  }

  /// Moves two fingers over a trackpad while the mouse is at [place].
  Future<void> pan(Offset place, Offset way) async {
    _pointer++;
    for (final (PointerChange change, Offset by) in <(PointerChange, Offset)>[
      (PointerChange.panZoomStart, Offset.zero),
      (PointerChange.panZoomUpdate, way),
      (PointerChange.panZoomEnd, Offset.zero),
    ]) {
      send(
        <(PointerChange, Offset)>[(change, place)],
        kind: PointerDeviceKind.trackpad,
        buttons: 0,
        pan: by,
      );
      await tester.pump();
    }
  }

  /// Activates the node [id] as a screen reader does.
  Future<void> activate(int id) async {
    tester.platformDispatcher.onSemanticsActionEvent!(
      SemanticsActionEvent(
        type: SemanticsAction.tap,
        nodeId: id,
        viewId: tester.view.viewId,
      ),
    );
    await tester.pump();
  }

  /// Presses the button of the keyboard on the screen.
  Future<void> submit([String action = 'TextInputAction.done']) => tell(
    SystemChannels.textInput,
    'TextInputClient.performAction',
    <Object?>[-1, action],
  );

  /// Presses the platform's back button.
  Future<void> back() => tell(SystemChannels.navigation, 'popRoute');

  /// Opens a link.
  Future<void> open(String link) => tell(
    SystemChannels.navigation,
    'pushRouteInformation',
    <String, Object?>{'location': link, 'state': null},
  );

  /// Has the platform call [method] of the app.
  Future<void> tell(
    MethodChannel channel,
    String method, [
    Object? arguments,
  ]) async {
    final ByteData data = channel.codec.encodeMethodCall(
      MethodCall(method, arguments),
    );
    // What the test binding stands in front of.
    final dynamic dispatcher = PlatformDispatcher.instance;
    // ignore: avoid_dynamic_calls
    final Function? hears = dispatcher.onPlatformMessage as Function?;
    if (hears == null) {
      tester.binding.channelBuffers.push(channel.name, data, (_) {});
    } else {
      // ignore: avoid_dynamic_calls
      hears(channel.name, data, (_) {});
    }
    // The binding hears it outside the zone of the test.
    await tester.runAsync(() => Future<void>.delayed(Duration.zero));
    await tester.pump();
  }
}
