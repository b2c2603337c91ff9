/// The verbs of perf sessions.
library;

import '../errors.dart';
import '../params.dart';
import '../perf.dart';
import '../session.dart';

/// `ext.tapir.perf_begin`
Reply perfBegin(Session session, Params params) {
  final String name = params.text('mode') ?? PerfMode.attribution.name;
  final PerfMode? mode = PerfMode.values.asNameMap()[name];
  if (mode == null) {
    throw TapirError(
      '${params.verb}: unknown mode "$name"; use attribution or timing',
      type: ErrorType.missingParam,
      code: invalidParams,
    );
  }
  final bool phases = params.flag('phases', orElse: false);
  if (phases && mode == PerfMode.timing) {
    throw TapirError(
      '${params.verb}: phases need mode attribution; '
      'timing switches no profiling on',
      type: ErrorType.missingParam,
      code: invalidParams,
    );
  }
  return session.perf.begin(mode, phases: phases);
}

/// `ext.tapir.perf_end`
Reply perfEnd(Session session, Params params) =>
    session.perf.end(full: params.flag('full', orElse: false));

/// `ext.tapir.perf_insight`
Reply perfInsight(Session session, Params params) {
  final String? id = params.text('id');
  if (id == null) {
    throw TapirError(
      '${params.verb}: missing required param "id"; '
      'read insights[] of perf_end',
      type: ErrorType.missingParam,
      code: invalidParams,
    );
  }
  return session.perf.insight(id, token: params.text('token'));
}

/// `ext.tapir.perf_trace`
Reply perfTrace(Session session, Params params) =>
    session.perf.trace(token: params.text('token'));

/// `ext.tapir.semantics_hold`
Reply semanticsHold(Session session, Params params) {
  final String action = params.text('action') ?? 'release';
  return switch (action) {
    'release' => session.perf.releaseSemantics(),
    'acquire' => session.perf.acquireSemantics(
      treeReady: () => session.ui.tree.semanticsRoot != null,
    ),
    _ =>
      throw TapirError(
        '${params.verb}: unknown action "$action"; use release or acquire',
        type: ErrorType.missingParam,
      ),
  };
}
