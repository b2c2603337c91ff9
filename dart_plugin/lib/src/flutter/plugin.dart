/// What an app calls.
library;

import 'dart:async';

import 'package:flutter/foundation.dart';
import 'package:flutter/widgets.dart';

import '../core/serve.dart';
import '../core/session.dart';
import '../core/ui.dart';
import 'capture.dart';
import 'element.dart';
import 'flutter_ui.dart';
import 'frame_watch.dart';
import 'routes.dart';

/// Lines about [element] for snapshots: `name: value`, or `name:` and lines of
/// its own; null for nothing.
typedef ElementEnricher = String? Function(Element element);

/// Serves the Tapir verbs of this app over the Dart VM Service.
///
/// ```dart
/// void main() {
///   if (!kReleaseMode) TapirReplayPlugin.install();
///   runApp(const MyApp());
/// }
/// ```
///
/// A release build keeps nothing of it: behind [kReleaseMode] the compiler
/// drops the call, and with it everything that is reached by it alone. A call
/// without that guard does nothing there either.
abstract final class TapirReplayPlugin {
  static _Installed? _installed;

  /// The session behind the verbs; null until [install].
  @visibleForTesting
  static Session? get session => _installed?.session;

  /// Starts to serve. Call it before `runApp`, and after a binding of your
  /// own, if there is one.
  ///
  /// A second call does nothing. Beside a package that has registered the
  /// verbs before, only what is missing is added. Never throws: an app must
  /// not fail because of its tests.
  static void install() {
    if (kReleaseMode || _installed != null) return;
    try {
      WidgetsFlutterBinding.ensureInitialized();
      _installed = _Installed()..start();
    } on Object catch (error) {
      debugPrint('tapir_replay: could not be installed: $error');
    }
  }

  /// Stops to listen, and gives the host's handlers back. The verbs stay
  /// registered: a name cannot be taken back from the VM.
  @visibleForTesting
  static void uninstall() {
    _installed?.stop();
    _installed = null;
  }

  /// Adds to snapshots and candidates what [enricher] says of an element.
  ///
  /// Call it after [install].
  static void addEnricher(ElementEnricher enricher) {
    if (kReleaseMode) return;
    _installed?.session.enrichers.add(
      (UiElement element) =>
          element is FlutterElement && element.isMounted
              ? enricher(element.element)
              : null,
    );
  }

  /// Lets [adapter] take the app to a route before the router is asked.
  ///
  /// Call it after [install].
  static void addRouteAdapter(RouteAdapter adapter) {
    if (kReleaseMode) return;
    _installed?.ui.routes.adapters.add(adapter);
  }

  /// Counts [request] as pending for `wait_for_network_idle`, until it has
  /// ended and what that set off has been drawn; gives it back.
  static Future<T> trackRequest<T>(Future<T> request) {
    if (!kReleaseMode) _installed?.ui.track(request);
    return request;
  }
}

/// Everything one installation consists of.
final class _Installed {
  final FlutterUi ui = FlutterUi();
  late final Session session = Session(ui, server: 'tapir_replay flutter');
  late final ConsoleCapture _console = ConsoleCapture(session.console);
  late final ErrorCapture _errors = ErrorCapture(session.exceptions);

  void start() {
    _attach();
    // Asking for it takes hold of the semantics tree.
    ui.profiler;
    ui.watch.addListener(_attach);
    serve(
      session,
      without: kDebugMode ? const <String>{} : const <String>{'evaluate'},
      whenIdle: () => FrameWatch.betweenFrames,
    );
  }

  void _attach() {
    _console.attach();
    _errors.attach();
  }

  void stop() {
    session.recorder.stop();
    ui.watch.removeListener(_attach);
    ui.profiler.dispose();
    _console.detach();
    _errors.detach();
  }
}
