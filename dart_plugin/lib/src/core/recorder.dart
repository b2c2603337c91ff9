/// Tells what a person does to the app, and what comes of it.
library;

import 'dart:async';
import 'dart:convert';
import 'dart:math';

import 'described.dart';
import 'errors.dart';
import 'geometry.dart';
import 'keys.dart';
import 'params.dart';
import 'query.dart';
import 'refs.dart';
import 'roles.dart';
import 'screen.dart';
import 'session.dart';
import 'ui.dart';

/// How far a pointer may slip and still tap.
const double _slop = 18;

/// How far from the first tap of a double click the second may be.
const double _clickSlop = 100;

/// How long after the first tap of a double click the second may come.
const Duration _clickTime = Duration(milliseconds: 300);

/// After this many taps another one begins a new series.
const int _mostClicks = 3;

/// How long a press is held that is no tap.
const Duration _holdTime = Duration(milliseconds: 500);

/// How long nothing happens in an app that is quiet.
const Duration _quietTime = Duration(milliseconds: 100);

/// How soon after its keys the clipboard is in the field.
const Duration _pasteTime = Duration(milliseconds: 300);

/// After this long without a word a pointer is gone, and nobody said so.
const Duration _lostTime = Duration(seconds: 5);

/// The most texts told as come or gone.
const int _maxTexts = 20;

/// The most characters of a text that is told as come or gone.
const int _maxCharacters = 200;

/// The actions that do not lead to the choice of an option.
const Set<String> _apart = <String>{'select', 'pick'};

/// The keys beside letters and digits that write or delete in a text field.
const Set<String> _writingKeys = <String>{'Backspace', 'Delete', 'Space'};

const Set<String> _editKeys = <String>{
  'V',
  'X',
  'Y',
  'Z',
  'Backspace',
  'Delete',
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

  String? _run;
  int _seq = 0;
  bool _tools = false;
  bool _picks = false;

  /// The pointers that are down.
  final Map<int, _Press> _presses = <int, _Press>{};

  /// The pointers that the app does not get.
  final Set<int> _kept = <int>{};

  /// Says what a person did once the app has had it.
  void Function()? _undecided;
  bool _isKeyUndecided = false;

  /// The action told last, as long as something may still come of it.
  _Told? _last;

  /// What came of [_last] before what is happening now.
  _Outcome? _held;
  bool _isHeld = false;

  _Menu? _menu;
  _FieldBefore? _field;
  _View? _view;
  Timer? _timer;
  Duration _changed = Duration.zero;

  /// Whether a recording is on.
  bool get isOn => _run != null;

  UiTree get _tree => session.ui.tree;

  /// Starts a recording, also of what verbs do when it [hearsTools]; one that
  /// was on ends.
  Map<String, Object?> start({required bool hearsTools}) {
    if (isOn) stop();
    _run =
        '${DateTime.now().microsecondsSinceEpoch.toRadixString(36)}-'
        '${_random.nextInt(1 << 30).toRadixString(36)}';
    _seq = 0;
    _tools = hearsTools;
    session.ui.person.witness = this;
    _tree.addListener(_awaitQuiet);
    _guard(() {
      _look();
      _prepare();
    });
    _awaitQuiet();
    return <String, Object?>{'run': _run, 'seq': 0};
  }

  /// Ends the recording after everything has been told.
  Map<String, Object?> stop() {
    final String? run = _run;
    if (run == null) return <String, Object?>{'run': null, 'seq': 0};
    _guard(() {
      _decide();
      _hold();
      _release();
    });
    final int seq = _seq;
    _run = null;
    _tree.removeListener(_awaitQuiet);
    if (identical(session.ui.person.witness, this)) {
      session.ui.person.witness = null;
    }
    _timer?.cancel();
    _timer = null;
    _presses.clear();
    _kept.clear();
    _picks = _tools = false;
    _undecided = null;
    _isKeyUndecided = false;
    _last = null;
    _menu = null;
    _field = null;
    _view = null;
    return <String, Object?>{'run': run, 'seq': seq};
  }

  /// Keeps the next touch from the app, and tells what it touched.
  Map<String, Object?> pick(String verb) {
    if (!isOn) throw TapirError('$verb: no recording is on');
    _picks = true;
    return <String, Object?>{};
  }

  // What a person does.

  @override
  bool pointer(UiPointerEvent event) =>
      _guard(
        () => switch (event.phase) {
          UiPointerPhase.down => _down(event),
          UiPointerPhase.move => _move(event),
          UiPointerPhase.up => _up(event),
          UiPointerPhase.hover => false,
        },
      ) ??
      false;

  bool _down(UiPointerEvent event) {
    _decide();
    final Duration now = _clock();
    _kept.remove(event.pointer);
    _presses
      ..remove(event.pointer)
      ..removeWhere((_, _Press each) => now - each.heard > _lostTime);
    final List<UiElement> path = _tree.hitTest(event.position);
    final Described? target = _describe(touchedOf(path));
    if (_picks) {
      _picks = false;
      _kept.add(event.pointer);
      _hold();
      _tell(
        'pick',
        target: target,
        before: _look(),
        more: <String, Object?>{'point': event.position.toJson()},
      );
      // Nothing comes of it.
      _last = null;
      return true;
    }
    final _Press press = _Press(event, now, target, _scrolls(path));
    if (_presses.isNotEmpty) {
      // Several fingers are none of the gestures that are told.
      press.isSpoiled = true;
      for (final _Press each in _presses.values) {
        each.isSpoiled = true;
      }
    }
    _presses[event.pointer] = press;
    _hold();
    press
      ..before = _look()
      ..isInMenu = _menu != null;
    return false;
  }

  bool _move(UiPointerEvent event) {
    if (_kept.contains(event.pointer)) return true;
    _presses[event.pointer]?.heardOf(event, _clock());
    return false;
  }

  bool _up(UiPointerEvent event) {
    if (_kept.remove(event.pointer)) return true;
    final _Press? press = _presses.remove(event.pointer);
    if (press == null) return false;
    _decide();
    press.heardOf(event, _clock());
    if (press.isSpoiled) {
      _undecide(_unhold);
      return false;
    }
    // What is below the end has to be known before the app moves it.
    final Described? end =
        press.isTap
            ? null
            : _describe(touchedOf(_tree.hitTest(event.position)));
    _undecide(() => _finish(press, event.position, end));
    return false;
  }

  @override
  void cancel(int pointer) => _guard(() {
    _kept.remove(pointer);
    if (_presses.remove(pointer) != null && _presses.isEmpty) _unhold();
  });

  void _finish(_Press press, UiPoint end, Described? endTarget) {
    final UiPoint start = press.event.position;
    final Map<String, Object?> point = <String, Object?>{
      'point': start.toJson(),
    };
    final _Scroll? moved =
        press.event.secondary ? null : _moved(press.scrolls);
    if (!press.isTap) {
      if (moved != null) {
        _tellScroll(moved, press.before);
      } else if (press.event.secondary) {
        _unhold();
      } else {
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
    } else if (press.event.secondary) {
      _tell(
        'right_click',
        target: press.target,
        before: press.before,
        more: point,
      );
    } else if (press.heard - press.start >= _holdTime) {
      _tell(
        'long_press',
        target: press.target,
        before: press.before,
        more: point,
      );
    } else {
      _finishTap(press, point);
    }
  }

  void _finishTap(_Press press, Map<String, Object?> point) {
    final _Menu? menu = press.isInMenu ? _menu : null;
    if (menu != null) {
      final String? option = menu.optionOf(press.target);
      if (option != null) return _tellChoice(menu, option, press.before);
    }
    final _Told? last = _last;
    if (last?.tap case final _Press before when before.isFollowedBy(press)) {
      press.click = before.click % _mostClicks + 1;
    }
    if (last != null && press.click == 2) {
      _menu = null;
      _tell(
        'dblclick',
        target: last.target,
        before: last.before,
        replaces: <int>[last.seq],
        more: point,
      );
      _last?.tap = press;
      return;
    }
    _tell('tap', target: press.target, before: press.before, more: point);
    _last?.tap = press;
    final Described? target = press.target;
    if (menu != null || target == null || !target.isDropdown) return;
    final UiElement? element = dropdownOf(target.element);
    if (element == null) return;
    _menu = _Menu(element, target, press.before, press.optionBefore)
      ..seqs.add(_seq);
  }

  void _tellChoice(_Menu menu, String option, _View before) {
    _tell(
      'select',
      target: menu.target,
      before: menu.before,
      moment: before,
      replaces: <int>[...menu.seqs],
      more: <String, Object?>{'value': option},
    );
    menu
      ..told = option
      ..seqs.clear()
      ..seqs.add(_seq);
  }

  @override
  void wheel(UiPoint position) => _guard(() {
    _decide();
    final List<_Scroll> scrolls = _scrolls(_tree.hitTest(position));
    if (scrolls.isEmpty) return;
    _hold();
    final _View before = _look();
    _undecide(() {
      final _Scroll? moved = _moved(scrolls);
      if (moved == null) return _unhold();
      _tellScroll(moved, before);
    });
  });

  @override
  void key(UiKeyPress press) => _guard(() {
    _decide();
    if (keyNamed(press.key) == null) return;
    final UiElement? focused = session.ui.input.focused;
    final UiElement? field = focused == null ? null : _fieldAround(focused);
    if (field != null && _writes(press, field.textField!)) return;
    final Described? target =
        focused == null ? null : _describe(touchedOf(outwardsFrom(focused)));
    _hold();
    final _View before = _look();
    _undecide(() {
      _tell(
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
      final bool mayEdit =
          field != null &&
          _editKeys.contains(press.key) &&
          press.modifiers.any((UiModifier each) => each != UiModifier.shift);
      if (mayEdit) {
        _last
          ?..field = field
          ..toldAt = _clock();
      }
    });
    _isKeyUndecided = true;
  });

  /// Whether [press] writes or deletes in [field], maybe later: the letter
  /// may have to come from the platform first.
  static bool _writes(UiKeyPress press, UiTextField field) {
    for (final UiModifier each in press.modifiers) {
      if (each != UiModifier.shift) return false;
    }
    return press.key.length == 1 ||
        _writingKeys.contains(press.key) ||
        (field.isMultiline && press.key == 'Enter');
  }

  @override
  void edited(UiElement field) => _guard(() {
    if (_isKeyUndecided) {
      // It was this that the key was for.
      _undecided = null;
      _isKeyUndecided = false;
      _unhold();
    }
    _decide();
    final UiTextField? edit = field.textField;
    if (edit == null) return;
    final _Told? last = _last;
    final bool isSame = last != null && identical(last.field, field);
    if (isSame && last.action == 'fill') {
      return _tellFill(field, edit, last.target, last.before, last.seq);
    }
    final _FieldBefore? known =
        identical(_field?.element, field) && identical(_field?.last, last)
            ? _field
            : null;
    if (known != null) {
      _held = known.outcome;
      _isHeld = true;
    }
    final Described? target =
        known?.target ?? _describe(fieldElementOf(field));
    final _View before = known?.before ?? _view ?? _look();
    final bool isPaste =
        isSame && last.action == 'key' && _clock() - last.toldAt < _pasteTime;
    _tellFill(field, edit, target, before, isPaste ? last.seq : null);
  });

  void _tellFill(
    UiElement field,
    UiTextField edit,
    Described? target,
    _View before,
    int? replaced,
  ) {
    _tell(
      'fill',
      target: target,
      before: before,
      replaces: <int>[if (replaced != null) replaced],
      more: <String, Object?>{
        'text': edit.value,
        if (target?.node?.isObscured ?? false) 'obscured': true,
      },
    );
    _last?.field = field;
  }

  @override
  void back() => _guard(() => _tellAtOnce('back', <String, Object?>{}));

  @override
  void route(String route) => _guard(
    () => _tellAtOnce('route', <String, Object?>{'route': route}),
  );

  void _tellAtOnce(String action, Map<String, Object?> more) {
    _decide();
    _hold();
    _tell(action, before: _look(), more: more);
  }

  // What verbs do.

  /// Hears that a verb is about to act as [params] say; the answer is for
  /// [toolActed], and null when that is not to be told.
  ToolCall? toolActs(Params params) => _guard<ToolCall?>(() {
    _decide();
    _hold();
    _release();
    // What the verb does to the app does not come of what was before.
    _last = null;
    _menu = null;
    _field = null;
    if (!_tools) return null;
    final bool isDrag = params.has('startRef') || params.has('endRef');
    return ToolCall._(
      _run!,
      params.verb.substring(params.verb.lastIndexOf('.') + 1),
      <String, String>{
        for (final MapEntry<String, String> each in params.values.entries)
          if (!_privateParams.contains(each.key)) each.key: each.value,
      },
      _describeRef(params.text(isDrag ? 'startRef' : 'ref')),
      _describeRef(params.text('endRef')),
      _look(),
    );
  });

  static const Set<String> _privateParams = <String>{
    'ref',
    'startRef',
    'endRef',
    'requestId',
    'isolateId',
  };

  /// Tells of [call], which has been answered without an error.
  void toolActed(ToolCall call) => _guard(() {
    if (call._run != _run) return;
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
  });

  Described? _describeRef(String? ref) {
    if (ref == null) return null;
    final Target target;
    try {
      target = session.refs.resolve(ref, notFound: '');
    } on TapirError {
      return null;
    }
    final UiElement element = target.element;
    return _describe(
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
    scheduleMicrotask(() => _guard(_decide));
  }

  void _decide() {
    final void Function()? decision = _undecided;
    _undecided = null;
    _isKeyUndecided = false;
    if (decision == null || !isOn) return;
    decision();
    _prepare();
  }

  /// Tells of an action. What came of the one before it is told first, as it
  /// was at [moment], which is [before] unless this one began earlier.
  void _tell(
    String action, {
    required _View before,
    String by = 'person',
    Described? target,
    List<int> replaces = const <int>[],
    Map<String, Object?> more = const <String, Object?>{},
    _View? moment,
  }) {
    final _Told? last = _last;
    if (last != null && !replaces.contains(last.seq)) {
      if (!_isHeld) _held = _outcomeOf(last, moment ?? _look());
      _tellOutcome(last, _held);
    }
    _unhold();
    final int seq = _send(<String, Object?>{
      'kind': 'action',
      'by': by,
      'action': action,
      'target': target?.fields,
      ...more,
      if (replaces.isNotEmpty) 'replaces': replaces,
    });
    _last = _Told(seq, action, target, before);
    if (_menu case final _Menu menu when !_apart.contains(action)) {
      menu.seqs
        ..removeWhere(replaces.contains)
        ..add(seq);
    }
  }

  int _send(Map<String, Object?> event) {
    final int seq = ++_seq;
    emit?.call(<String, Object?>{'run': _run, 'seq': seq, ...event});
    return seq;
  }

  void _tellOutcome(_Told action, _Outcome? outcome) {
    if (outcome == null) return;
    action.seen = outcome.view;
    final String encoded = jsonEncode(outcome.fields);
    if (encoded == action.outcome) return;
    action.outcome = encoded;
    _send(<String, Object?>{
      'kind': 'after',
      'of': action.seq,
      ...outcome.fields,
    });
  }

  /// What came of [action], as [now] shows it; null when that was told.
  _Outcome? _outcomeOf(_Told action, _View now) {
    if (identical(action.seen, now)) return null;
    final _View before = action.before;
    final ScreenIndex screen = session.screen;
    return _Outcome(now, <String, Object?>{
      if (now.route != before.route)
        'route': <String, Object?>{'from': before.route, 'to': now.route},
      'appeared': now.without(before, screen),
      'gone': before.without(now, screen),
      'target': action.target?.state,
    });
  }

  /// Something happens: what has come of the last action until now is its
  /// outcome, unless this stands for it.
  void _hold() {
    if (_isHeld) return;
    _settle();
    final _Told? last = _last;
    _held = last == null ? null : _outcomeOf(last, _look());
    _isHeld = true;
  }

  /// It was nothing.
  void _unhold() {
    _held = null;
    _isHeld = false;
    _awaitQuiet();
  }

  /// Tells what is held.
  void _release() {
    final _Told? last = _last;
    if (last != null) _tellOutcome(last, _held);
    _held = null;
    _isHeld = false;
  }

  /// Tells what the last action has become by now.
  void _settle() {
    final _Told? last = _last;
    if (last?.scroll case final _Scroll scroll) {
      if (scroll.now != last!.offset) _tellScroll(scroll, last.before);
    }
    final _Menu? menu = _menu;
    if (menu == null) return;
    if (menu.chosen case final String option
        when menu.seqs.lastOrNull == _last?.seq) {
      _tellChoice(menu, option, _look());
    }
    if (menu.isClosed) _menu = null;
  }

  // What the app does.

  void _awaitQuiet() {
    _changed = _time();
    _timer ??= Timer(_quietTime, _wake);
  }

  void _wake() => _guard(() {
    _timer = null;
    if (!isOn) return;
    final Duration idle = _time() - _changed;
    if (idle < _quietTime) {
      _timer = Timer(_quietTime - idle, _wake);
    } else if (session.ui.frames.isScheduled) {
      _timer = Timer(_quietTime, _wake);
    } else if (_presses.isEmpty && _undecided == null) {
      _rest();
      return;
    }
    if (_presses.isEmpty && _undecided == null) _prepare();
  });

  /// The app is quiet.
  void _rest() {
    _settle();
    final _View now = _look();
    final _Told? last = _last;
    if (last != null) {
      last.scroll = null;
      _tellOutcome(last, _outcomeOf(last, now));
    }
    _prepare();
  }

  /// Looks at the field that has the focus, before a person writes into it.
  void _prepare() {
    final UiElement? focused = session.ui.input.focused;
    final UiElement? field = focused == null ? null : _fieldAround(focused);
    if (field == null) {
      _field = null;
      return;
    }
    final _Told? last = _last;
    if (last?.action == 'fill' && identical(last?.field, field)) return;
    final _View now = _look();
    final _FieldBefore? known = _field;
    if (known != null &&
        identical(known.element, field) &&
        identical(known.before, now) &&
        identical(known.last, last)) {
      return;
    }
    _field = _FieldBefore(
      field,
      _describe(fieldElementOf(field)),
      now,
      last,
      last == null ? null : _outcomeOf(last, now),
    );
  }

  static UiElement? _fieldAround(UiElement focused) =>
      firstAtOrAbove(focused, (UiElement each) => each.textField != null);

  // What is there.

  Described? _describe(UiElement? element) =>
      element == null ? null : describeElement(session.screen, element);

  /// What a person sees now.
  _View _look() {
    final UiRoutes routes = session.ui.routes;
    final String route = routes.uri ?? routes.location;
    final ScreenIndex screen = session.screen;
    final _View? known = _view;
    if (known != null &&
        identical(known.screen, screen) &&
        known.route == route) {
      return known;
    }
    return _view = _View(screen, route);
  }

  /// The scroll views on [path], those of the text in a field aside.
  List<_Scroll> _scrolls(List<UiElement> path) => <_Scroll>[
    for (final UiElement each in path)
      if (each.scrollable case final UiScrollable scrollable)
        if (firstAtOrAbove(each, (UiElement e) => e.textField != null) == null)
          _Scroll(each, scrollable),
  ];

  static _Scroll? _moved(List<_Scroll> scrolls) {
    for (final _Scroll each in scrolls) {
      if (each.now != each.start) return each;
    }
    return null;
  }

  void _tellScroll(_Scroll moved, _View before) {
    final _Told? last = _last;
    final _Scroll? known = last?.action == 'scroll' ? last!.scrolled : null;
    final bool isSame = identical(known?.element, moved.element);
    final _Scroll scroll = isSame ? known! : moved;
    final double offset = scroll.now;
    final double distance =
        scroll.scrollable.isReversed
            ? scroll.start - offset
            : offset - scroll.start;
    final bool isVertical = scroll.scrollable.isVertical;
    _tell(
      'scroll',
      target:
          isSame ? last!.target : _describe(scrollElementOf(scroll.element)),
      before: isSame ? last!.before : before,
      replaces: <int>[if (isSame) last!.seq],
      more: <String, Object?>{
        'dx': isVertical ? 0.0 : jsonNumber(distance),
        'dy': isVertical ? jsonNumber(distance) : 0.0,
      },
    );
    _last
      ?..scrolled = scroll
      ..scroll = scroll
      ..offset = offset;
  }

  T? _guard<T>(T Function() work) {
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

  final String _run;
  final String _name;
  final Map<String, String> _params;
  final Described? _target;
  final Described? _end;
  final _View _before;
}

/// An action that was told.
final class _Told {
  _Told(this.seq, this.action, this.target, this.before);

  final int seq;
  final String action;
  final Described? target;

  /// What a person saw before it.
  final _View before;

  /// What a person saw when its outcome was worked out last.
  _View? seen;

  /// The outcome as it was told.
  String? outcome;

  /// The press, of a tap or the last of a double click.
  _Press? tap;

  /// The field, of an edit.
  UiElement? field;

  /// When it was told, of a key that may edit.
  Duration toldAt = Duration.zero;

  /// What was scrolled.
  _Scroll? scrolled;

  /// What was scrolled, for as long as it may not have come to rest.
  _Scroll? scroll;

  /// Where that stood when it was told.
  double offset = 0;
}

/// A pointer that is down.
final class _Press {
  _Press(this.event, this.start, this.target, this.scrolls)
    : heard = start,
      optionBefore = _optionOf(target);

  final UiPointerEvent event;
  final Duration start;
  final Described? target;
  final List<_Scroll> scrolls;

  /// What the dropdown under it holds.
  final Object? optionBefore;

  /// What a person saw before.
  late _View before;

  /// When it was last heard of.
  Duration heard;

  /// Its place in a series of taps.
  int click = 1;

  /// Whether it has not left its place.
  bool isTap = true;

  /// Whether it is a part of something with several pointers.
  bool isSpoiled = false;

  /// Whether the menu of a dropdown was open.
  bool isInMenu = false;

  static Object? _optionOf(Described? target) =>
      target != null && target.isDropdown
          ? dropdownOf(target.element)?.dropdown?.value
          : null;

  void heardOf(UiPointerEvent now, Duration time) {
    heard = time;
    if (_distance(now.position) >= _slop) isTap = false;
  }

  bool isFollowedBy(_Press next) =>
      next.start - heard <= _clickTime &&
      _distance(next.event.position) <= _clickSlop &&
      identical(next.target?.element, target?.element);

  double _distance(UiPoint to) {
    final double dx = to.x - event.position.x;
    final double dy = to.y - event.position.y;
    return sqrt(dx * dx + dy * dy);
  }
}

/// A scroll view, and where it stood.
final class _Scroll {
  _Scroll(this.element, this.scrollable) : start = _offsetOf(scrollable);

  final UiElement element;
  final UiScrollable scrollable;
  final double start;

  double get now => _offsetOf(scrollable);

  // What is pulled beyond an end goes back by itself.
  static double _offsetOf(UiScrollable scrollable) =>
      min(max(scrollable.offset, scrollable.minOffset), scrollable.maxOffset);
}

/// The menu of a dropdown.
final class _Menu {
  _Menu(this.element, this.target, this.before, this._value);

  /// The dropdown.
  final UiElement element;

  /// The same, as it was.
  final Described target;

  /// What a person saw before it was opened.
  final _View before;

  final Object? _value;

  /// What was told since it was opened.
  final List<int> seqs = <int>[];

  /// The option that was told.
  String? told;

  /// Whether the dropdown can be reached again.
  bool get isClosed => !element.isMounted || element.isReachable;

  /// The option that [touched] stands for; null when it is none.
  String? optionOf(Described? touched) {
    if (touched == null) return null;
    final Object? label = touched.fields['label'];
    final Object? text = touched.fields['text'];
    for (final Object? each
        in element.dropdown?.options ?? const <Object?>[]) {
      if (each is String && (each == label || each == text)) return each;
    }
    return null;
  }

  /// The option that the dropdown has been given and that was not told.
  String? get chosen {
    final Object? now = element.dropdown?.value;
    return now is String && now != _value && now != told ? now : null;
  }
}

/// A field before an edit.
final class _FieldBefore {
  const _FieldBefore(
    this.element,
    this.target,
    this.before,
    this.last,
    this.outcome,
  );

  final UiElement element;

  /// The same, as it was.
  final Described? target;

  /// What a person saw.
  final _View before;

  /// The action told last.
  final _Told? last;

  /// What came of that.
  final _Outcome? outcome;
}

/// What came of an action.
final class _Outcome {
  const _Outcome(this.view, this.fields);

  /// What a person saw.
  final _View view;

  /// As events carry it.
  final Map<String, Object?> fields;
}

/// What a person sees at one moment.
final class _View {
  _View(this.screen, this.route) {
    for (final UiSemantics node in screen.nodes) {
      final String text =
          node.label.isEmpty && !node.isTextField ? node.value : node.label;
      if (text.isEmpty || texts.containsKey(text)) continue;
      if (text.length > _maxCharacters &&
          text.runes.length > _maxCharacters) {
        continue;
      }
      final UiRect rect = node.rect;
      if (rect.isEmpty || !isInViewport(rect, screen.viewport)) continue;
      final UiElement? element = node.element;
      texts[text] = <String, Object?>{
        'text': text,
        'role': roleOf(node) ?? '',
        if (element != null)
          if (lastingKeyOf(element) case final String key) 'key': key,
      };
    }
  }

  /// The screen it is of.
  final ScreenIndex screen;

  /// Where the app is.
  final String route;

  /// The texts that can be seen, in tree order.
  final Map<String, Map<String, Object?>> texts =
      <String, Map<String, Object?>>{};

  /// The texts that [other] does not have, with how many [now] has of each.
  List<Object?> without(_View other, ScreenIndex now) => <Object?>[
    for (final Map<String, Object?> each in texts.entries
        .where((each) => !other.texts.containsKey(each.key))
        .map((each) => each.value)
        .take(_maxTexts))
      <String, Object?>{
        ...each,
        'count': Query(text: each['text']! as String).run(now).length,
        if (_alike(each['text']! as String) case final int alike)
          'alike': alike,
      },
  ];

  /// How many texts are [text] but for the numbers in it; null without any.
  int? _alike(String text) {
    final String shape = _shapeOf(text);
    if (shape == text) return null;
    return texts.keys.where((String each) => _shapeOf(each) == shape).length;
  }

  static final RegExp _numbers = RegExp('[0-9]+');

  static String _shapeOf(String text) => text.replaceAll(_numbers, '\u0000');
}
