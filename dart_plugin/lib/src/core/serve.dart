/// The verbs as service extensions of the Dart VM.
library;

import 'dart:async';
import 'dart:developer';

import 'errors.dart';
import 'json.dart';
import 'params.dart';
import 'recorder.dart';
import 'session.dart';
import 'turns.dart';
import 'ui.dart';
import 'verbs.dart';
import 'watchdog.dart';

/// How many answers are kept for requests that come again.
const int _keptAnswers = 100;

/// The kind of the events of a recording.
const String _recordEvent = 'tapir_replay.record';

/// Which server answers each extension this library has registered.
///
/// A name can be registered once only, for as long as the isolate lives.
final Map<String, VerbServer> _servers = <String, VerbServer>{};

/// Registers every verb of [session], except those [without] names.
///
/// Without [replay] the app is one with the Tapir verbs alone, and nothing
/// beyond them is offered. [whenIdle] is that of the server.
///
/// A name that somebody else has registered stays theirs. Refs of theirs mean
/// nothing here and the other way round, and their actions know no request id,
/// so the session then offers nothing beyond the verbs either.
void serve(
  Session session, {
  bool replay = true,
  Set<String> without = const <String>{},
  Future<void>? Function()? whenIdle,
}) {
  final VerbServer server = VerbServer(session)..whenIdle = whenIdle;
  if (replay) {
    replayVerbs.forEach((String name, Verb verb) {
      server._register('ext.tapir_replay.$name', verb);
    });
  }
  bool isShared = false;
  tapirVerbs.forEach((String name, Verb verb) {
    if (without.contains(name)) return;
    if (!server._register('ext.tapir.$name', verb)) isShared = true;
  });
  if (isShared || !replay) session.capabilities.removeAll(Capability.all);
  session.recorder.emit =
      (Map<String, Object?> event) => postEvent(_recordEvent, event);
}

/// Answers calls: one action at a time, and every call with something.
final class VerbServer {
  /// Creates a server of [session].
  VerbServer(this.session);

  /// What the verbs work on.
  final Session session;

  /// What a handler may take beyond the time a call gives it.
  Duration handlerLimit = const Duration(seconds: 30);

  /// What a call has to wait for before it may look at the app; null when it
  /// may at once.
  Future<void>? Function()? whenIdle;

  final Map<(String, String), Future<ServiceExtensionResponse>> _answers =
      <(String, String), Future<ServiceExtensionResponse>>{};
  final Watchdog _watchdog = Watchdog();
  final Turns _turns = Turns();

  /// False when the name is somebody else's.
  bool _register(String name, Verb verb) {
    // The static type matters: with another one the VM may drop an error and
    // leave the call open.
    Future<ServiceExtensionResponse> handle(
      String _,
      Map<String, String> values,
    ) => _servers[name]!.answer(name, verb, values);

    if (!_servers.containsKey(name)) {
      try {
        registerExtension(name, handle);
      } on ArgumentError {
        return false;
      }
    }
    _servers[name] = this;
    return true;
  }

  /// Runs [verb] and answers with its reply, or with whatever went wrong.
  ///
  /// An action that comes again with the same `requestId` is not done again:
  /// the answer is that of the first time. That holds where it is offered.
  Future<ServiceExtensionResponse> answer(
    String name,
    Verb verb,
    Map<String, String> values,
  ) {
    final String id =
        session.capabilities.contains(Capability.requestId)
            ? values['requestId'] ?? ''
            : '';
    if (!verb.isAction || id.isEmpty) return _answer(name, verb, values);
    final (String, String) request = (name, id);
    final Future<ServiceExtensionResponse>? known = _answers[request];
    if (known != null) return known;
    if (_answers.length >= _keptAnswers) _answers.remove(_answers.keys.first);
    return _answers[request] = _answer(name, verb, values);
  }

  Future<ServiceExtensionResponse> _answer(
    String name,
    Verb verb,
    Map<String, String> values,
  ) async {
    try {
      return ServiceExtensionResponse.result(
        encodeJson(await call(name, verb, values)),
      );
    } on TapirError catch (error) {
      return ServiceExtensionResponse.error(error.code, error.encode());
    } on Object catch (error) {
      return ServiceExtensionResponse.error(
        extensionError,
        TapirError('$name: ${_textOf(error)}').encode(),
      );
    }
  }

  /// Runs [verb], after the action before it if it is one itself.
  Future<Reply> call(
    String name,
    Verb verb,
    Map<String, String> values,
  ) async {
    final Params params = Params(name, values);
    if (!verb.isAction) return _run(verb, params);
    if (_turns.take() case final Future<void> before) await before;
    final Reply reply;
    try {
      reply =
          session.recorder.isOn
              ? await _runHeard(verb, params)
              : await _run(verb, params);
    } finally {
      _turns.pass();
    }
    final VerbFollowUp? afterwards = verb.afterwards;
    return afterwards == null
        ? reply
        : await afterwards(session, params, reply);
  }

  /// Runs [verb] while a recording is on.
  Future<Reply> _runHeard(Verb verb, Params params) async {
    if (whenIdle?.call() case final Future<void> idle) await idle;
    final Recorder recorder = session.recorder;
    final ToolCall? call = recorder.toolActs(params);
    final Reply reply = await _run(verb, params);
    if (call != null) recorder.toolActed(call);
    return reply;
  }

  Future<Reply> _run(Verb verb, Params params) async {
    if (whenIdle?.call() case final Future<void> idle) await idle;
    final UiFrames frames = session.ui.frames;
    if (!verb.wakes || frames.isEnabled) return _handle(verb, params);
    final bool forced = await _force(frames);
    final Reply reply = await _handle(verb, params);
    if (forced) {
      reply['framesForced'] = true;
    } else {
      reply['warnings'] = <String, Object?>{
        'framesEnabled': false,
        'lifecycleState': frames.lifecycleState,
        'platform': frames.platform,
        'hint':
            frames.platform == 'web'
                ? 'The page draws no frames: its tab is in the background. '
                    'Bring it to the front (CDP Page.bringToFront) and retry.'
                : 'The app draws no frames: its window is hidden, minimised '
                    'or covered, or the display sleeps. Show it and retry.',
      };
    }
    return reply;
  }

  /// Runs the handler, and gives it up when it takes far longer than it was
  /// asked to: an answer is better than none, and the next action has to run.
  Future<Reply> _handle(Verb verb, Params params) async {
    final FutureOr<Reply> result = verb.handler(session, params);
    if (result is Reply) return result;
    final int asked = params.integer('timeoutMs', orElse: 5000);
    final Duration limit = handlerLimit + Duration(milliseconds: asked);
    return _watchdog.watch(
      result,
      limit,
      onTimeout:
          () =>
              throw TapirError(
                '${params.verb}: no end after ${limit.inMilliseconds}ms',
                type: ErrorType.timeout,
              ),
    );
  }

  static Future<bool> _force(UiFrames frames) async {
    try {
      return await frames.force();
    } on Object {
      return false;
    }
  }

  /// What [error] says; an error may fail even at that.
  static String _textOf(Object error) {
    try {
      return error.toString();
    } on Object {
      return 'an error of type ${error.runtimeType}';
    }
  }
}
