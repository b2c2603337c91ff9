/// Tells what a person does to the app, and what comes of it.
library;

import 'dart:async';
import 'dart:math';

import 'described.dart';
import 'errors.dart';
import 'geometry.dart';
import 'keys.dart';
import 'params.dart';
import 'query.dart';
import 'recording/gestures.dart';
import 'recording/sight.dart';
import 'recording/teller.dart';
import 'recording/told.dart';
import 'refs.dart';
import 'screen.dart';
import 'session.dart';
import 'ui.dart';

/// How long nothing happens in an app that is quiet.
const Duration _quietTime = Duration(milliseconds: 100);

/// How soon after its keys the clipboard is in the field.
const Duration _pasteTime = Duration(milliseconds: 300);

/// After this long without a word a pointer is gone, and nobody said so.
const Duration _lostTime = Duration(seconds: 5);

/// The keys beside letters and digits that write or delete in a text field.
const Set<String> _writingKeys = <String>{'Backspace', 'Delete', 'Space'};

/// The keys that may change a text together with Control, Alt or Meta.
const Set<String> _editingKeys = <String>{
  'V',
  'X',
  'Y',
  'Z',
  'Backspace',
  'Delete',
};

/// The parameters of verbs that mean something to one client only.
const Set<String> _privateParams = <String>{
  'ref',
  'startRef',
  'endRef',
  'requestId',
  'isolateId',
};

/// Makes one recording after the other.
///
/// While none is on it hears nothing, and costs nothing.
final class Recorder implements UiWitness {
  /// Creates a recorder of [session]; [clock] stands in for the time.
  Recorder(this.session, {Duration Function()? clock})
    : _clock = clock ?? _time;

  /// What it records.
  final Session session;

  /// Who is told.
  void Function(Map<String, Object?> event)? emit;

  /// Hears of what went wrong: an app must not fail because somebody looks on.
  void Function(Object error, StackTrace stack)? onFailure;

  final Duration Function() _clock;

  static final Stopwatch _watch = Stopwatch()..start();
  static Duration _time() => _watch.elapsed;
  static final Random _random = Random();

  _Run? _run;

  /// Whether a recording is on.
  bool get isOn => _run != null;

  /// Starts a recording, also of what verbs do when it [hearsTools]; one that
  /// was on ends.
  Map<String, Object?> start({required bool hearsTools}) {
    if (isOn) stop();
    final String name =
        '${DateTime.now().microsecondsSinceEpoch.toRadixString(36)}-'
        '${_random.nextInt(1 << 30).toRadixString(36)}';
    final Teller teller = Teller(
      session,
      name,
      (Map<String, Object?> event) => emit?.call(event),
    );
    final _Run run =
        _run = _Run(teller, _clock, this, hearsTools: hearsTools);
    session.ui.person.witness = this;
    session.ui.tree.addListener(run.awaitQuiet);
    _guard(() {
      run.teller.look();
      run.prepare();
    });
    run.awaitQuiet();
    return <String, Object?>{'run': name, 'seq': 0};
  }

  /// Ends the recording after everything has been told; only the one called
  /// [name], if that is given.
  Map<String, Object?> stop([String? name]) {
    final _Run? run = _run;
    if (run == null || (name != null && name != run.teller.run)) {
      return <String, Object?>{'run': null, 'seq': 0};
    }
    _guard(run.close);
    _run = null;
    run.end();
    session.ui.tree.removeListener(run.awaitQuiet);
    if (identical(session.ui.person.witness, this)) {
      session.ui.person.witness = null;
    }
    return <String, Object?>{'run': run.teller.run, 'seq': run.teller.seq};
  }

  /// Keeps the next touch from the app, and tells what it touched.
  Map<String, Object?> pick(String verb) {
    final _Run? run = _run;
    if (run == null) throw TapirError('$verb: no recording is on');
    run.picks = true;
    return <String, Object?>{};
  }

  @override
  bool pointer(UiPointerEvent event) =>
      _guard(() => _run?.pointer(event)) ?? false;

  @override
  void cancel(int pointer) => _guard(() => _run?.cancel(pointer));

  @override
  void wheel(UiPoint position) => _guard(() => _run?.wheel(position));

  @override
  void key(UiKeyPress press) => _guard(() => _run?.key(press));

  @override
  void edited(UiElement field) => _guard(() => _run?.edited(field));

  @override
  void back() => _guard(() => _run?.tellAtOnce('back'));

  @override
  void route(String route) => _guard(
    () => _run?.tellAtOnce('route', <String, Object?>{'route': route}),
  );

  /// Hears that a verb is about to act as [params] say; the answer is for
  /// [toolActed], and null when that is not to be told.
  ToolCall? toolActs(Params params) => _guard(() => _run?.toolActs(params));

  /// Tells of [call], which has been answered without an error.
  void toolActed(ToolCall call) => _guard(() => _run?.toolActed(call));

  T? _guard<T>(T? Function() work) {
    try {
      return work();
    } on Object catch (error, stack) {
      onFailure?.call(error, stack);
      return null;
    }
  }
}

/// A verb that was about to act.
final class ToolCall {
  const ToolCall._(
    this._run,
    this._name,
    this._params,
    this._target,
    this._end,
    this._before,
  );

  final _Run _run;
  final String _name;
  final Map<String, String> _params;
  final Described? _target;
  final Described? _end;
  final Sight _before;
}

/// One recording.
final class _Run {
  _Run(this.teller, this.clock, this.recorder, {required this.hearsTools});

  final Teller teller;
  final Duration Function() clock;
  final Recorder recorder;
  final bool hearsTools;

  /// Whether the next touch is only told.
  bool picks = false;

  /// The pointers that are down.
  final Map<int, Press> _presses = <int, Press>{};

  /// The pointers that the app does not get.
  final Set<int> _kept = <int>{};

  /// Says what a person did once the app has had it.
  void Function()? _undecided;
  bool _isKeyUndecided = false;

  OpenMenu? _menu;
  _FieldBefore? _field;

  Timer? _timer;
  Duration _changed = Duration.zero;
  bool _isOver = false;

  Ui get _ui => teller.session.ui;

  /// Tells all that is pending.
  void close() {
    _decide();
    _settle();
    teller.close();
  }

  /// Nothing is told any more.
  void end() {
    _isOver = true;
    _timer?.cancel();
  }

  // Pointers.

  bool pointer(UiPointerEvent event) => switch (event.phase) {
    UiPointerPhase.down => _down(event),
    UiPointerPhase.move => _move(event),
    UiPointerPhase.up => _up(event),
    UiPointerPhase.hover => false,
  };

  bool _down(UiPointerEvent event) {
    _decide();
    final Duration now = clock();
    _kept.remove(event.pointer);
    _presses
      ..remove(event.pointer)
      ..removeWhere((_, Press each) => now - each.heard > _lostTime);
    if (_presses.isEmpty) teller.unhold();
    final List<UiElement> path = _ui.tree.hitTest(event.position);
    final Described? target = teller.describe(touchedOf(path));
    _hold();
    if (picks) {
      picks = false;
      _kept.add(event.pointer);
      teller
        ..tell(
          'pick',
          target: target,
          before: teller.look(),
          more: <String, Object?>{'point': event.position.toJson()},
        )
        // Nothing comes of it.
        ..last = null;
      return true;
    }
    final Press press =
        Press(event, now, target, ScrollMark.on(path))
          ..before = teller.look()
          ..isInMenu = _menu != null;
    if (_presses.isNotEmpty) {
      // Several fingers are none of the gestures that are told.
      press.isSpoiled = true;
      for (final Press each in _presses.values) {
        each.isSpoiled = true;
      }
    }
    _presses[event.pointer] = press;
    return false;
  }

  bool _move(UiPointerEvent event) {
    if (_kept.contains(event.pointer)) return true;
    _presses[event.pointer]?.heardOf(event, clock());
    return false;
  }

  bool _up(UiPointerEvent event) {
    if (_kept.remove(event.pointer)) return true;
    final Press? press = _presses.remove(event.pointer);
    if (press == null) return false;
    _decide();
    press.heardOf(event, clock());
    if (press.isSpoiled) {
      _undecide(_forget);
      return false;
    }
    // What is below the end has to be known before the app moves it.
    final Described? end =
        press.isTap
            ? null
            : teller.describe(touchedOf(_ui.tree.hitTest(event.position)));
    _undecide(() => _finish(press, event.position, end));
    return false;
  }

  /// The platform has taken [pointer] from the app.
  void cancel(int pointer) {
    _kept.remove(pointer);
    if (_presses.remove(pointer) != null && _presses.isEmpty) _forget();
  }

  void _finish(Press press, UiPoint end, Described? endTarget) {
    if (!press.isTap) return _finishMove(press, end, endTarget);
    final bool isSimple = !press.event.secondary && !press.isHeld;
    if (isSimple) return _finishTap(press);
    _tell(
      press.event.secondary ? 'right_click' : 'long_press',
      target: press.target,
      before: press.before,
      more: _pointOf(press),
    );
  }

  void _finishMove(Press press, UiPoint end, Described? endTarget) {
    if (press.event.secondary) return _forget();
    final ScrollMark? moved = ScrollMark.movedOf(press.scrolls);
    if (moved != null) return _tellScroll(moved, press.before);
    final UiPoint start = press.event.position;
    _tell(
      'drag',
      target: press.target,
      before: press.before,
      more: <String, Object?>{
        'to': endTarget?.fields,
        'dx': jsonNumber(end.x - start.x),
        'dy': jsonNumber(end.y - start.y),
      },
    );
  }

  void _finishTap(Press press) {
    final OpenMenu? menu = press.isInMenu ? _menu : null;
    final String? option = menu?.optionOf(press.target);
    if (option != null) return _tellChoice(menu!, option);
    final ToldAction? last = teller.last;
    if (last?.tap case final Press before) press.follow(before);
    if (last != null && press.click == 2) {
      _menu = null;
      _tell(
        'dblclick',
        target: last.target,
        before: last.before,
        replaces: <int>[last.seq],
        more: _pointOf(press),
      ).tap = press;
      return;
    }
    _tell(
      'tap',
      target: press.target,
      before: press.before,
      more: _pointOf(press),
    ).tap = press;
    final Described? target = press.target;
    if (menu != null || target == null || !target.isDropdown) return;
    final UiElement? dropdown = dropdownOf(target.element);
    if (dropdown == null) return;
    _menu = OpenMenu(dropdown, target, press.before, press.optionBefore)
      ..seqs.add(teller.seq);
  }

  static Map<String, Object?> _pointOf(Press press) => <String, Object?>{
    'point': press.event.position.toJson(),
  };

  /// A mouse wheel or a trackpad.
  void wheel(UiPoint position) {
    _decide();
    final List<ScrollMark> marks = ScrollMark.on(_ui.tree.hitTest(position));
    if (marks.isEmpty) return;
    _hold();
    final Sight before = teller.look();
    _undecide(() {
      final ScrollMark? moved = ScrollMark.movedOf(marks);
      if (moved == null) return _forget();
      _tellScroll(moved, before);
    });
  }

  void _tellScroll(ScrollMark moved, Sight before) {
    final ToldAction? last = teller.last;
    final ScrollMark? known = last?.scrolled;
    final bool isSame = identical(known?.element, moved.element);
    final ScrollMark mark = isSame ? known! : moved;
    _tell(
        'scroll',
        target:
            isSame
                ? last!.target
                : teller.describe(scrollElementOf(mark.element)),
        before: isSame ? last!.before : before,
        replaces: <int>[if (isSame) last!.seq],
        more: mark.distance,
      )
      ..scrolled = mark
      ..scroll = mark
      ..offset = mark.now;
  }

  void _tellChoice(OpenMenu menu, String option) {
    _tell(
      'select',
      target: menu.target,
      before: menu.before,
      replaces: <int>[...menu.seqs],
      more: <String, Object?>{'value': option},
    );
    menu
      ..told = option
      ..seqs.clear()
      ..seqs.add(teller.seq);
  }

  // The keyboard.

  void key(UiKeyPress press) {
    _decide();
    if (keyNamed(press.key) == null) return;
    final UiElement? focused = _ui.input.focused;
    final UiElement? field = focused == null ? null : _fieldAround(focused);
    if (field != null && _writes(press, field.textField!)) return;
    final Described? target =
        focused == null
            ? null
            : teller.describe(touchedOf(outwardsFrom(focused)));
    _hold();
    final Sight before = teller.look();
    _undecide(() {
      final ToldAction told = _tell(
        'key',
        target: target,
        before: before,
        more: <String, Object?>{
          'key': press.key,
          'modifiers': <String>[
            for (final UiModifier each in UiModifier.values)
              if (press.modifiers.contains(each)) each.name,
          ],
        },
      );
      if (field != null && _mayEdit(press)) {
        told
          ..field = field
          ..toldAt = clock();
      }
    });
    _isKeyUndecided = true;
  }

  static bool _isShift(UiModifier modifier) => modifier == UiModifier.shift;

  /// Whether [press] writes or deletes in [field], maybe later: the letter
  /// may have to come from the platform first.
  static bool _writes(UiKeyPress press, UiTextField field) {
    if (!press.modifiers.every(_isShift)) return false;
    return press.key.length == 1 ||
        _writingKeys.contains(press.key) ||
        (field.isMultiline && press.key == 'Enter');
  }

  /// Whether [press] changes a text in some apps, maybe later: the clipboard
  /// has to be read first.
  static bool _mayEdit(UiKeyPress press) =>
      _editingKeys.contains(press.key) && !press.modifiers.every(_isShift);

  /// [field] holds something else.
  void edited(UiElement field) {
    if (_isKeyUndecided) {
      // It was this that the key was for.
      _undecided = null;
      _isKeyUndecided = false;
      _forget();
    }
    _decide();
    final UiTextField? edit = field.textField;
    if (edit == null) return;
    final ToldAction? last = teller.last;
    if (last != null && identical(last.field, field)) {
      final bool isLate =
          last.action == 'key' && clock() - last.toldAt >= _pasteTime;
      if (!isLate) {
        return _tellFill(field, edit, last.target, last.before, last.seq);
      }
    }
    final _FieldBefore? known = _field;
    if (known != null &&
        identical(known.element, field) &&
        identical(known.last, last)) {
      teller.holdThat(known.outcome);
      return _tellFill(field, edit, known.target, known.before);
    }
    _tellFill(
      field,
      edit,
      teller.describe(fieldElementOf(field)),
      teller.lastSight,
    );
  }

  void _tellFill(
    UiElement field,
    UiTextField edit,
    Described? target,
    Sight before, [
    int? replaced,
  ]) {
    _tell(
      'fill',
      target: target,
      before: before,
      replaces: <int>[if (replaced != null) replaced],
      more: <String, Object?>{
        'text': edit.value,
        if (target?.node?.isObscured ?? false) 'obscured': true,
      },
    ).field = field;
  }

  /// Looks at the field that has the focus, before a person writes into it.
  void prepare() {
    final UiElement? focused = _ui.input.focused;
    final UiElement? field = focused == null ? null : _fieldAround(focused);
    if (field == null) {
      _field = null;
      return;
    }
    final ToldAction? last = teller.last;
    if (last?.action == 'fill' && identical(last?.field, field)) return;
    final Sight now = teller.look();
    final _FieldBefore? known = _field;
    if (known != null &&
        identical(known.element, field) &&
        identical(known.before, now) &&
        identical(known.last, last)) {
      return;
    }
    _field = _FieldBefore(
      field,
      teller.describe(fieldElementOf(field)),
      now,
      last,
      last == null ? null : teller.outcomeOf(last),
    );
  }

  static UiElement? _fieldAround(UiElement focused) =>
      firstAtOrAbove(focused, (UiElement each) => each.textField != null);

  // The platform.

  void tellAtOnce(
    String action, [
    Map<String, Object?> more = const <String, Object?>{},
  ]) {
    _decide();
    _hold();
    _tell(action, before: teller.look(), more: more);
  }

  // Verbs.

  ToolCall? toolActs(Params params) {
    // What the verb does to the app does not come of what was before.
    close();
    _menu = null;
    _field = null;
    if (!hearsTools) return null;
    final bool isDrag = params.has('startRef') || params.has('endRef');
    return ToolCall._(
      this,
      params.verb.substring(params.verb.lastIndexOf('.') + 1),
      <String, String>{
        for (final MapEntry<String, String> each in params.values.entries)
          if (!_privateParams.contains(each.key)) each.key: each.value,
      },
      _describeRef(params.text(isDrag ? 'startRef' : 'ref')),
      _describeRef(params.text('endRef')),
      teller.look(),
    );
  }

  void toolActed(ToolCall call) {
    if (!identical(call._run, this)) return;
    _decide();
    _tell(
      call._name,
      by: 'tool',
      target: call._target,
      before: call._before,
      more: <String, Object?>{
        'params': call._params,
        if (call._end case final Described end) 'to': end.fields,
      },
    );
  }

  Described? _describeRef(String? ref) {
    if (ref == null) return null;
    final Target target;
    try {
      target = teller.session.refs.resolve(ref, notFound: '');
    } on TapirError {
      return null;
    }
    final UiElement element = target.element;
    return teller.describe(
      QueryNode.of(element) != null
          ? element
          : touchedOf(outwardsFrom(element)),
    );
  }

  // Telling.

  /// Says what a person did, which is known once the app has had it: when
  /// everything it does at once is done, and before anything else happens.
  void _undecide(void Function() decision) {
    _undecided = decision;
    scheduleMicrotask(() => recorder._guard(_decide));
  }

  void _decide() {
    final void Function()? decision = _undecided;
    _undecided = null;
    _isKeyUndecided = false;
    if (decision == null || _isOver) return;
    decision();
    prepare();
  }

  ToldAction _tell(
    String action, {
    required Sight before,
    String by = 'person',
    Described? target,
    List<int> replaces = const <int>[],
    Map<String, Object?> more = const <String, Object?>{},
  }) {
    final ToldAction told = teller.tell(
      action,
      by: by,
      target: target,
      before: before,
      replaces: replaces,
      more: more,
    );
    _menu?.seqs
      ?..removeWhere(replaces.contains)
      ..add(told.seq);
    awaitQuiet();
    return told;
  }

  /// Something happens.
  void _hold() {
    _settle();
    teller.hold();
  }

  /// It was nothing.
  void _forget() {
    teller.unhold();
    awaitQuiet();
  }

  /// Tells what the last action has become by now.
  void _settle() {
    final ToldAction? last = teller.last;
    if (last?.scroll case final ScrollMark mark when mark.now != last!.offset) {
      _tellScroll(mark, last.before);
    }
    final OpenMenu? menu = _menu;
    if (menu == null) return;
    if (menu.chosen case final String option
        when menu.seqs.lastOrNull == teller.last?.seq) {
      _tellChoice(menu, option);
    }
    if (menu.isClosed) _menu = null;
  }

  // Quiet.

  /// Something has changed.
  void awaitQuiet() {
    if (_isOver) return;
    _changed = Recorder._time();
    _timer ??= Timer(_quietTime, _wake);
  }

  void _wake() => recorder._guard(() {
    _timer = null;
    if (_isOver) return;
    final bool isBusy = _presses.isNotEmpty || _undecided != null;
    final Duration idle = Recorder._time() - _changed;
    if (idle < _quietTime) {
      _timer = Timer(_quietTime - idle, _wake);
    } else if (_ui.frames.isScheduled) {
      _timer = Timer(_quietTime, _wake);
    } else if (!isBusy) {
      _settle();
      teller.last?.scroll = null;
      teller.tellOutcome();
    }
    if (!isBusy) prepare();
  });
}

/// A field before an edit.
final class _FieldBefore {
  /// Creates a memory of a field.
  const _FieldBefore(
    this.element,
    this.target,
    this.before,
    this.last,
    this.outcome,
  );

  /// The field.
  final UiElement element;

  /// The same, as it was.
  final Described? target;

  /// What a person saw.
  final Sight before;

  /// The action told last.
  final ToldAction? last;

  /// What came of that.
  final Outcome? outcome;
}
