/// The verbs that look and do not touch.
library;

import '../enrich.dart';
import '../errors.dart';
import '../find.dart';
import '../observe.dart';
import '../params.dart';
import '../query.dart';
import '../refs.dart';
import '../roles.dart';
import '../screen.dart';
import '../session.dart';
import '../snapshot.dart';
import '../ui.dart';
import '../waiting.dart';
import 'targets.dart';

/// `ext.tapir.boot_id`
Reply bootId(Session session, Params params) => <String, Object?>{
  'bootId': session.bootId,
};

/// `ext.tapir.snap`
Reply snap(Session session, Params params) {
  UiElement? within;
  final String? scope = params.text('within');
  if (scope != null) {
    if (scope.startsWith('q')) {
      throw TapirError(
        '${params.verb}: within "$scope" must be an e<N> ref, '
        'q<N> is not taken',
        type: ErrorType.notFound,
        ref: scope,
      );
    }
    within = targetOf(session, params, 'within').element;
  }
  final String? pattern = params.text('grep');
  bool isLiteral = false;
  bool Function(String)? matches;
  if (pattern != null) {
    try {
      matches = RegExp(pattern).hasMatch;
    } on FormatException {
      isLiteral = true;
      matches = (String text) => text.contains(pattern);
    }
  }
  final int depth = params.integer('depth', orElse: -1);
  final SnapshotOptions options = SnapshotOptions(
    depth: depth >= 0 ? depth : null,
    within: within,
    interactiveOnly: params.flag('interactiveOnly', orElse: false),
    matches: matches,
    enrich:
        params.raw('includeEnrichers') == 'true'
            ? (UiElement element) => enricherLines(session, element)
            : null,
  );
  final Map<String, Object?>? errors = session.exceptions.summary();
  return <String, Object?>{
    'snapshot':
        options.isFiltered || options.enrich != null
            ? writeSnapshot(session.screen, session.refs, options)
            : session.snapshot(),
    'groupId': 'snapshot-${DateTime.now().microsecondsSinceEpoch}',
    if (errors != null) 'renderErrors': errors,
    if (isLiteral) 'grepLiteral': true,
  };
}

/// `ext.tapir.find`
Reply find(Session session, Params params) {
  final Predicate predicate = Predicate(
    key: params.text('key'),
    semanticsLabel: params.text('semanticsLabel'),
    text: params.text('text'),
    contains: params.text('contains'),
  );
  if (predicate.isEmpty) {
    throw TapirError.missingParam(
      '${params.verb}: at least one of "text", "contains", '
      '"semanticsLabel", or "key" is required',
    );
  }
  final String? within = params.text('within');
  final UiElement? scope = scopeOf(session, within);
  if (within != null && scope == null) {
    final bool takesQueries = session.capabilities.contains(
      Capability.findWithin,
    );
    return <String, Object?>{
      'ref': null,
      'matched': false,
      'diagnostic':
          'within "$within" does not lead to a live element; it takes '
          '${takesQueries ? 'any ref' : 'the e<N> ref of a snapshot'}',
    };
  }
  final ScreenIndex screen = session.screen;
  if (findFirst(screen, predicate, scope: scope) == null) {
    return <String, Object?>{'ref': null, 'matched': false};
  }
  final int count = countMatches(screen, predicate, scope: scope);
  return <String, Object?>{
    'ref': session.refs.query(predicate, scope: within).token,
    'matched': true,
    'matchCount': count,
    if (count > 1)
      'diagnostic':
          '$count nodes have the label '
          '"${predicate.semanticsLabel ?? predicate.text}"; the ref leads to '
          'the first that can be used. Narrow it with "within" or use "key".',
  };
}

/// `ext.tapir.find_by_text`
Reply findByText(Session session, Params params) {
  final String text = params.required('text');
  return <String, Object?>{
    'refs': <String>[
      for (final UiElement each in textElements(
        session.screen,
        text,
        exact: params.raw('exact') != 'false',
      ))
        session.refs.freshOfElement(each).token,
    ],
  };
}

/// `ext.tapir.find_by_label`
Reply findByLabel(Session session, Params params) {
  final String label = params.required('label');
  final String? role = switch (params.text('role')) {
    'textField' => Role.textbox,
    final String? other => other,
  };
  final ScreenIndex screen = session.screen;
  return <String, Object?>{
    'refs': <String>[
      for (final UiSemantics node in screen.labelled(label))
        if (role == null || roleOf(node) == role)
          session.refs.ofNode(screen, node).token,
    ],
  };
}

/// `ext.tapir.observe`
Reply observe(Session session, Params params) {
  final String enrichers = params.text('includeEnrichers') ?? 'true';
  final List<Map<String, Object?>> candidates = observeScreen(
    session.screen,
    session.refs,
    limit: params.integer('limit', orElse: 50),
    roles: params.list('roles').toSet(),
    enrich:
        enrichers == 'false' || enrichers == '0' || session.enrichers.isEmpty
            ? null
            : (UiElement element) =>
                enricherFields(session, element, full: enrichers == 'full'),
  );
  return <String, Object?>{
    'candidates': candidates,
    'count': candidates.length,
  };
}

/// `ext.tapir.console`
Reply console(Session session, Params params) {
  final List<Map<String, Object?>> logs = session.console.read(
    limit: params.integer('limit', orElse: 50),
    minLevel: params.text('minLevel'),
  );
  return <String, Object?>{'logs': logs, 'count': logs.length};
}

/// `ext.tapir.exceptions`
Reply exceptions(Session session, Params params) {
  final List<Map<String, Object?>> found = session.exceptions.read(
    limit: params.integer('limit', orElse: 20),
    since: DateTime.tryParse(params.raw('since') ?? ''),
  );
  if (params.flag('clear', orElse: false)) session.exceptions.clear();
  return <String, Object?>{'exceptions': found, 'count': found.length};
}

/// `ext.tapir.wait_for`
Future<Reply> waitFor(Session session, Params params) async {
  final String? shown = params.raw('text');
  final String? gone = params.raw('textGone');
  final String? expression = params.raw('expression');
  if (shown == null && gone == null && expression == null) {
    throw TapirError.missingParam(
      '${params.verb}: at least one of text, textGone, or expression '
      'is required',
    );
  }
  final String wanted = shown ?? gone ?? expression!;
  final bool isShown = shown != null || gone == null;
  final Stopwatch watch = Stopwatch()..start();
  final bool matched = await waitUntil(
    session.ui.tree,
    () => hasText(session, wanted) == isShown,
    Duration(milliseconds: params.integer('timeoutMs', orElse: 5000)),
  );
  return matched
      ? <String, Object?>{
        'matched': true,
        'elapsedMs': watch.elapsedMilliseconds,
      }
      : <String, Object?>{'matched': false, 'reason': 'timeout'};
}

/// `ext.tapir.wait_for_network_idle`
Future<Reply> waitForNetworkIdle(Session session, Params params) async {
  final int interval = params.integer('pollIntervalMs', orElse: 200);
  if (interval < 100) {
    throw TapirError(
      '${params.verb}: pollIntervalMs must be at least 100, not $interval',
    );
  }
  final int timeoutMs = params.integer('timeoutMs', orElse: 5000);
  final IdleResult result = await waitForIdle(
    session.ui,
    idleMs: params.integer('idleMs', orElse: 500),
    intervalMs: interval,
    timeoutMs: timeoutMs,
  );
  if (result.isIdle) {
    return <String, Object?>{
      'matched': true,
      'idleAchievedMs': result.idleMs,
    };
  }
  throw TapirError(
    '${params.verb}: timeout after ${timeoutMs}ms, '
    'max in-flight count observed: ${result.maxPending}',
    type: ErrorType.timeout,
  );
}

/// `ext.tapir.evaluate`
///
/// Evaluating needs the VM Service's own `evaluate`; this only says so.
Reply evaluate(Session session, Params params) {
  final String? expression = params.text('expression');
  if (expression == null) {
    throw const TapirError.missingParam('expression param is required');
  }
  return <String, Object?>{
    'expression': expression,
    'result': '<eval-via-vm-service: $expression>',
  };
}

/// `ext.tapir.get_routes`
Reply getRoutes(Session session, Params params) {
  final UiRoutes routes = session.ui.routes;
  return <String, Object?>{
    'location': routes.location,
    'title': routes.title == '/' ? '' : routes.title,
    'uri': routes.uri,
  };
}

/// `ext.tapir_replay.info`
Reply info(Session session, Params params) => <String, Object?>{
  'protocol': 1,
  'server': session.server,
  'capabilities': session.capabilities.toList(),
};

/// `ext.tapir_replay.query`
Reply query(Session session, Params params) =>
    queryScreen(session.screen, session.refs, params);
