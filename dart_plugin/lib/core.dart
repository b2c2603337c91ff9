/// The Tapir verbs over any user interface, in pure Dart.
///
/// A layer over a framework implements [Ui] and what it is made of, and hands
/// it to a [Session], which [serve] puts on the VM Service.
library;

export 'src/core/buffers.dart';
export 'src/core/described.dart';
export 'src/core/diff.dart';
export 'src/core/effects.dart';
export 'src/core/enrich.dart';
export 'src/core/errors.dart';
export 'src/core/find.dart';
export 'src/core/gate.dart';
export 'src/core/geometry.dart';
export 'src/core/jpeg.dart';
export 'src/core/json.dart';
export 'src/core/keys.dart';
export 'src/core/observe.dart';
export 'src/core/params.dart';
export 'src/core/perf.dart';
export 'src/core/perf_insights.dart';
export 'src/core/png.dart';
export 'src/core/query.dart';
export 'src/core/recorder.dart';
export 'src/core/refs.dart';
export 'src/core/roles.dart';
export 'src/core/screen.dart';
export 'src/core/serve.dart';
export 'src/core/session.dart';
export 'src/core/snapshot.dart';
export 'src/core/tap_owner.dart';
export 'src/core/turns.dart';
export 'src/core/ui.dart';
export 'src/core/verbs.dart';
export 'src/core/waiting.dart';
export 'src/core/watchdog.dart';
