/// Every verb, by its name.
library;

import 'session.dart';
import 'verbs/controls.dart';
import 'verbs/perf.dart';
import 'verbs/pointer.dart';
import 'verbs/read.dart';
import 'verbs/record.dart';
import 'verbs/routes.dart';
import 'verbs/screenshot.dart';
import 'verbs/text.dart';

/// How a verb is served.
final class Verb {
  /// A verb that only looks: it may run while another one waits.
  const Verb.read(this.handler, {this.wakes = true})
    : isAction = false,
      afterwards = null;

  /// A verb that changes something: it waits for the one before it.
  const Verb.action(this.handler, {this.wakes = true, this.afterwards})
    : isAction = true;

  /// What answers it.
  final VerbHandler handler;

  /// What completes the reply while the next action may already run.
  final VerbFollowUp? afterwards;

  /// Whether it has to wait for the action before it.
  final bool isAction;

  /// Whether a hidden app is woken for it.
  final bool wakes;
}

/// The Tapir verbs, without their prefix.
const Map<String, Verb> tapirVerbs = <String, Verb>{
  'blur': Verb.action(blur),
  'clear': Verb.action(clear),
  'close_app': Verb.action(closeApp, wakes: false),
  'console': Verb.read(console, wakes: false),
  'dblclick': Verb.action(doubleClick),
  'dismiss_modals': Verb.action(dismissModals),
  'drag': Verb.action(drag),
  'evaluate': Verb.read(evaluate, wakes: false),
  'exceptions': Verb.read(exceptions, wakes: false),
  'fill': Verb.action(fill),
  'find': Verb.read(find),
  'find_by_label': Verb.read(findByLabel),
  'find_by_text': Verb.read(findByText),
  'focus': Verb.action(focus),
  'get_routes': Verb.read(getRoutes),
  'hover': Verb.action(hover),
  'navigate': Verb.action(navigate),
  'navigate_back': Verb.action(navigateBack),
  'observe': Verb.read(observe),
  'perf_begin': Verb.action(perfBegin, wakes: false),
  'perf_end': Verb.action(perfEnd, wakes: false),
  'perf_insight': Verb.read(perfInsight, wakes: false),
  'perf_trace': Verb.read(perfTrace, wakes: false),
  'press_key': Verb.action(pressKey),
  'reset_overlays': Verb.action(resetOverlays),
  'right_click': Verb.action(rightClick),
  'screenshot': Verb.read(screenshot),
  'scroll': Verb.action(scroll),
  'select_option': Verb.action(selectOption),
  'semantics_hold': Verb.action(semanticsHold, wakes: false),
  'set_checkbox': Verb.action(setCheckbox),
  'snap': Verb.read(snap),
  'tap': Verb.action(tap, afterwards: afterTap),
  'triple_click': Verb.action(tripleClick),
  'type': Verb.action(type),
  'wait_for': Verb.read(waitFor),
  'wait_for_network_idle': Verb.read(waitForNetworkIdle),
  // The last one registered: an answer means that all of them are there.
  'boot_id': Verb.read(bootId, wakes: false),
};

/// The verbs of our own, without their prefix.
const Map<String, Verb> replayVerbs = <String, Verb>{
  'info': Verb.read(info, wakes: false),
  'long_press': Verb.action(longPress),
  'press_back': Verb.action(pressBack),
  'query': Verb.read(query),
  'record_pick': Verb.read(recordPick, wakes: false),
  'record_start': Verb.read(recordStart, wakes: false),
  'record_stop': Verb.read(recordStop, wakes: false),
};
