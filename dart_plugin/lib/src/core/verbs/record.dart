/// The verbs about recording.
library;

import '../params.dart';
import '../session.dart';

/// `ext.tapir_replay.record_start`
Reply recordStart(Session session, Params params) =>
    session.recorder.start(hearsTools: params.strictFlag('tools'));

/// `ext.tapir_replay.record_stop`
Reply recordStop(Session session, Params params) =>
    session.recorder.stop(params.text('run'));

/// `ext.tapir_replay.record_pick`
Reply recordPick(Session session, Params params) =>
    session.recorder.pick(params.verb);
