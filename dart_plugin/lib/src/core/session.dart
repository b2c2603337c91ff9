/// Everything the verbs of one app share.
library;

import 'dart:async';
import 'dart:math';

import 'buffers.dart';
import 'diff.dart';
import 'params.dart';
import 'perf.dart';
import 'recorder.dart';
import 'refs.dart';
import 'screen.dart';
import 'snapshot.dart';
import 'ui.dart';

/// What a verb answers with.
typedef Reply = Map<String, Object?>;

/// Answers one call to one verb.
typedef VerbHandler = FutureOr<Reply> Function(Session session, Params params);

/// Completes the [reply] of a verb that has done what it does.
typedef VerbFollowUp =
    FutureOr<Reply> Function(Session session, Params params, Reply reply);

/// Lines about an element for snapshots, or null.
typedef Enricher = String? Function(UiElement element);

/// How long one frame may take to come: an app that draws none must not hold
/// up the answer.
const Duration _frameLimit = Duration(milliseconds: 200);

/// Completes after the next frame of [frames], or when none comes.
Future<void> nextFrame(UiFrames frames) =>
    frames.isScheduled
        ? frames.settle().timeout(_frameLimit, onTimeout: () {})
        : frames.settle();

/// What a server may offer beyond the Tapir verbs.
abstract final class Capability {
  /// The verb `ext.tapir_replay.query`.
  static const String query = 'query';

  /// The query knows identifiers, tooltips and hints as well.
  static const String queryMore = 'query.more';

  /// An action that comes again with the same `requestId` is not done again.
  static const String requestId = 'requestId';

  /// The `within` of `find` takes a `q<N>` as well.
  static const String findWithin = 'find.within';

  /// The verb `ext.tapir_replay.long_press`.
  static const String longPress = 'longPress';

  /// The verb `ext.tapir_replay.press_back`.
  static const String pressBack = 'pressBack';

  /// What a person does is told.
  static const String record = 'record';

  /// All of them.
  static const List<String> all = <String>[
    query,
    queryMore,
    requestId,
    findWithin,
    longPress,
    pressBack,
    record,
  ];
}

/// The state behind the verbs: refs, buffers, the baseline of diffs, perf
/// sessions. One is made on each start of the app.
final class Session {
  /// Creates a session for [ui].
  Session(this.ui, {this.server = 'tapir_replay', String? bootId})
    : bootId = bootId ?? _newBootId() {
    screens = ScreenCache(ui.tree);
    refs = Refs(screens);
    perf = PerfSessions(ui.profiler, ui.frames);
  }

  /// The app under test.
  final Ui ui;

  /// The name `ext.tapir_replay.info` gives.
  final String server;

  /// What `ext.tapir_replay.info` offers.
  final Set<String> capabilities = <String>{...Capability.all};

  /// Differs on every start of the app.
  final String bootId;

  /// What is on the screen.
  late final ScreenCache screens;

  /// The refs given out.
  late final Refs refs;

  /// The perf sessions.
  late final PerfSessions perf;

  /// What tells of a person.
  late final Recorder recorder = Recorder(this);

  /// What the app wrote.
  final ConsoleBuffer console = ConsoleBuffer();

  /// What went wrong in the app.
  final ExceptionBuffer exceptions = ExceptionBuffer();

  /// What adds lines to snapshots and fields to candidates.
  final List<Enricher> enrichers = <Enricher>[];

  String? _baseline;
  (int, String)? _lastSnapshot;

  /// The screen as it is now.
  ScreenIndex get screen => screens.current;

  /// The whole screen as text; it becomes the baseline of the next diff.
  String snapshot() {
    final int revision = ui.tree.revision;
    if (_lastSnapshot case (final int known, final String text)
        when known == revision && !ui.frames.isScheduled) {
      return _baseline = text;
    }
    final String text = writeSnapshot(screen, refs);
    _lastSnapshot = (revision, text);
    return _baseline = text;
  }

  /// Adds to [reply] the snapshot that [params] ask for.
  ///
  /// A snapshot that cannot be made is left out: the action has happened all
  /// the same, and its reply has to say so.
  Reply withSnapshot(Reply reply, Params params, {bool orElse = true}) {
    final String mode = switch (params.text('snapshot')) {
      final String known when _modes.contains(known) => known,
      _ => params.flag('includeSnapshot', orElse: orElse) ? 'full' : 'none',
    };
    if (mode == 'none') return reply;
    try {
      final String? before = _baseline;
      final String after = snapshot();
      if (mode == 'diff' && before != null) {
        reply['snapshot'] = diffSnapshots(before, after);
        reply['snapshotMode'] = 'diff';
      } else {
        reply['snapshot'] = after;
      }
    } on Object {
      return reply;
    }
    return reply;
  }

  /// Waits until what an action set off has been drawn.
  Future<void> settle() async {
    await nextFrame(ui.frames);
    await nextFrame(ui.frames);
  }

  static const Set<String> _modes = <String>{'full', 'diff', 'none'};

  static String _newBootId() {
    final int time = DateTime.now().microsecondsSinceEpoch;
    return '${time.toRadixString(36)}-${Random().nextInt(1 << 30)}';
  }
}
