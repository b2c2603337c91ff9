/// The user interface as the verbs see it.
///
/// The core works on these interfaces alone. A layer over a real framework
/// implements them with semantics nodes, elements, render objects and the
/// bindings; a test implements them with a few objects in memory.
library;

import 'dart:async';
import 'dart:typed_data';

import 'geometry.dart';

/// The state of something that can be checked.
enum UiCheck {
  /// Not checked.
  off(false),

  /// Checked.
  on(true),

  /// Neither: a tri-state box.
  mixed(null);

  const UiCheck(this.value);

  /// As replies carry it; null means mixed.
  final bool? value;
}

/// A node of the semantics tree: what assistive technology is told.
///
/// One object stands for a node for as long as the node lives.
///
/// A node that merges its descendants reports the merged label, flags and
/// actions. The descendants stay in the tree and say so with
/// [isMergedIntoParent].
abstract interface class UiSemantics {
  /// Stays the same for as long as the node lives, and is never reused.
  int get id;

  /// What it is called; `''` without a label.
  String get label;

  /// What it holds; `''` without a value.
  String get value;

  /// What programs call it, and nobody sees; `''` without one.
  String get identifier;

  /// What a pointer that rests on it is told; `''` without one.
  String get tooltip;

  /// What it is for, in more words than its label; `''` without one.
  String get hint;

  /// Whether it has the button flag.
  bool get isButton;

  /// Whether it has the text field flag.
  bool get isTextField;

  /// Whether it has the link flag.
  bool get isLink;

  /// Whether it has the header flag.
  bool get isHeader;

  /// Whether it has the image flag.
  bool get isImage;

  /// Whether it is one of several that exclude each other: a radio.
  bool get isExclusive;

  /// Whether it is a slider.
  bool get isSlider;

  /// Whether its label is said and shown nowhere: that of a route, or of what
  /// lies behind one.
  bool get isSpokenOnly;

  /// Whether it hides its text.
  bool get isObscured;

  /// Whether it has the keyboard focus.
  bool get isFocused;

  /// Null when it says nothing about being enabled.
  bool? get isEnabled;

  /// Null when it has no checked state.
  UiCheck? get checked;

  /// Null when it has no toggled state.
  bool? get toggled;

  /// Whether it has the tap action.
  bool get canTap;

  /// Whether its parent speaks for it.
  bool get isMergedIntoParent;

  /// Whether it speaks for its descendants.
  bool get mergesDescendants;

  /// Whether it is part of the tree now.
  bool get isAttached;

  /// Where it is, in global logical pixels.
  UiRect get rect;

  /// The element it belongs to; null when there is none that lives.
  UiElement? get element;

  /// The node above; null at the root.
  UiSemantics? get parent;

  /// The nodes below, in traversal order.
  List<UiSemantics> get children;
}

/// An element of the widget tree.
///
/// One object stands for an element for as long as the element lives.
abstract interface class UiElement {
  /// Whether it is part of the tree now.
  bool get isMounted;

  /// Whether it is attached to something that was laid out.
  bool get isLaidOut;

  /// The element above; null at the root.
  UiElement? get parent;

  /// The elements below, in tree order.
  void visitChildren(void Function(UiElement child) visit);

  /// The value of a `ValueKey` as text, or `Key.toString()`; null without one.
  String? get key;

  /// Whether [text] names its key, in either spelling.
  bool hasKey(String text);

  /// What a `Text` widget shows; null for every other element.
  String? get text;

  /// The name of its type, as messages give it.
  String get typeName;

  /// Where it is, in global logical pixels; null when it has no box.
  UiRect? get rect;

  /// The semantics node it owns; null when it owns none.
  UiSemantics? get semantics;

  /// What can be typed into; null for every other element.
  UiTextField? get textField;

  /// What can be scrolled; null for every other element.
  UiScrollable? get scrollable;

  /// What offers options; null for every other element.
  UiDropdown? get dropdown;

  /// Whether it can take the keyboard focus itself.
  bool get canFocus;

  /// Takes the keyboard focus.
  void requestFocus();

  /// The name of the route it is on; null outside every route.
  String? get routeName;

  /// Whether a person could reach it now: nothing opaque or modal is above
  /// its route.
  bool get isReachable;

  /// Whether it, or what it is laid out in, overflows now.
  bool get overflows;
}

/// A text field.
abstract interface class UiTextField {
  /// What the controller holds, in clear even when the field is obscured.
  String get value;

  /// Writes [text] as a person's typing would: formatters and listeners run.
  void enter(String text);

  /// Empties the controller.
  void clear();

  /// Brings up the keyboard.
  void requestKeyboard();

  /// Whether Enter begins a new line in it.
  bool get isMultiline;
}

/// Something that scrolls along one axis.
abstract interface class UiScrollable {
  /// Whether it scrolls up and down.
  bool get isVertical;

  /// Whether a greater [offset] shows what is above, or to the left.
  bool get isReversed;

  /// Where it stands.
  double get offset;

  /// The least [offset].
  double get minOffset;

  /// The greatest [offset].
  double get maxOffset;

  /// The part of the screen it shows its content in.
  UiRect get viewport;

  /// Moves to [offset] at once.
  void jumpTo(double offset);
}

/// Something that offers options to choose from.
abstract interface class UiDropdown {
  /// The option chosen now.
  Object? get value;

  /// What can be chosen, in the order of the menu.
  List<Object?> get options;

  /// Whether it shows its options beside itself. One that shows them on a
  /// route of their own cannot be reached meanwhile instead.
  bool get isExpanded;

  /// Hands [value] to whoever listens for a choice.
  void choose(String value);
}

/// The two trees, and what lies where on the screen.
abstract interface class UiTree {
  /// A number that changes whenever one of the trees does, layout included.
  int get revision;

  /// The top of the widget tree; null before the first frame.
  UiElement? get root;

  /// The top of the semantics tree; null before the first frame.
  UiSemantics? get semanticsRoot;

  /// The part of the screen not covered by the keyboard; null without a view.
  UiRect? get viewport;

  /// Physical pixels in a logical one.
  double get devicePixelRatio;

  /// What a pointer at [point] would reach, innermost first. The root of the
  /// tree is not listed.
  List<UiElement> hitTest(UiPoint point);

  /// Scrolls whatever [element] is in so that it comes into view: no further
  /// than needed, or so that it is at [alignment] of the viewport, where 0 is
  /// its top and 1 its bottom.
  Future<void> showOnScreen(UiElement element, {double? alignment});

  /// Calls [listener] after each change, until [removeListener].
  void addListener(void Function() listener);

  /// Undoes [addListener].
  void removeListener(void Function() listener);
}

/// What a pointer event does.
enum UiPointerPhase {
  /// The pointer touches.
  down,

  /// It moves while down.
  move,

  /// It lets go.
  up,

  /// It moves while up.
  hover,
}

/// What makes the pointer events.
enum UiPointerKind {
  /// A finger.
  touch,

  /// A mouse.
  mouse,
}

/// One pointer event.
final class UiPointerEvent {
  /// Creates a pointer event.
  const UiPointerEvent(
    this.phase,
    this.position, {
    this.pointer = 1,
    this.kind = UiPointerKind.touch,
    this.secondary = false,
    this.click = 1,
  });

  /// What it does.
  final UiPointerPhase phase;

  /// Where it is.
  final UiPoint position;

  /// Tells pointers apart.
  final int pointer;

  /// What makes it.
  final UiPointerKind kind;

  /// Whether the secondary mouse button is meant.
  final bool secondary;

  /// The place of the press in a series: 2 for the second of a double click.
  ///
  /// A framework that goes by the time between presses has no use for it.
  final int click;
}

/// A key: its name, and the modifiers held down with it.
final class UiKeyPress {
  /// Creates a key press.
  const UiKeyPress(this.key, [this.modifiers = const <UiModifier>[]]);

  /// A name of `supportedKeys`, a letter or a digit.
  final String key;

  /// In the order they go down.
  final List<UiModifier> modifiers;
}

/// A modifier key.
enum UiModifier {
  /// Control.
  control,

  /// Shift.
  shift,

  /// Alt, or option.
  alt,

  /// Meta: command, or the key with the window.
  meta,
}

/// Pointers, keys and the focus.
abstract interface class UiInput {
  /// How long a press lasts; zero delivers both ends at once.
  Duration get pressDuration;

  /// The time between the presses of a double click.
  Duration get clickInterval;

  /// How long to wait before a press at [point] so that it is not taken for a
  /// part of the click before it.
  Duration restBefore(UiPoint point);

  /// How long a press at [from] is held before it goes to [to]: some things
  /// can be dragged only then.
  Duration holdBefore(UiPoint from, UiPoint to);

  /// The time between the moves of a drag.
  Duration get moveInterval;

  /// Delivers [event].
  void pointer(UiPointerEvent event);

  /// Presses a key: the modifiers go down, the key goes down and up, and the
  /// modifiers go up again even when the key's delivery throws.
  void press(UiKeyPress press);

  /// The element that has the keyboard focus; null when none has.
  UiElement? get focused;

  /// Takes the keyboard focus away from whatever has it.
  void unfocus();

  /// Presses the platform's back button; false when nothing in the app took
  /// it.
  Future<bool> back();
}

/// A stack of routes.
abstract interface class UiNavigator {
  /// Whether a person sees it.
  bool get isVisible;

  /// Whether its top route is a popup: a dialog, a sheet, a menu.
  bool get hasPopup;

  /// Whether it has a page that can be left.
  bool get canPop;

  /// Leaves the top route; false when it refused.
  bool pop();
}

/// Where the app is, and how to go elsewhere.
abstract interface class UiRoutes {
  /// Every navigator, outermost first.
  List<UiNavigator> get navigators;

  /// The first router's location; null while none is mounted.
  String? get uri;

  /// The name of the outermost navigator's top page; `''` without a name.
  String get location;

  /// The platform's default route name; `''` when there is none.
  String get title;

  /// Asks the app to go to [route]; completes once it has been asked, not
  /// when the route is left again.
  Future<void> navigate(String route);

  /// Asks the platform to close the app.
  void close();
}

/// Whether, and when, the app draws.
abstract interface class UiFrames {
  /// Whether a frame is due: nothing moves before the next one otherwise.
  bool get isScheduled;

  /// Completes after the next frame, or at once when none is due.
  Future<void> settle();

  /// Whether the app may draw at all.
  bool get isEnabled;

  /// The lifecycle state's name; null before the first is known.
  String? get lifecycleState;

  /// The platform's name; `web` in a browser.
  String get platform;

  /// Makes a hidden app draw one frame; false when it did not.
  Future<bool> force();
}

/// An image as bytes: red, green, blue, alpha for each pixel, row by row.
final class UiPicture {
  /// Creates a picture.
  const UiPicture(this.width, this.height, this.rgba);

  /// Pixels in a row.
  final int width;

  /// Rows.
  final int height;

  /// The pixels, four bytes each.
  final Uint8List rgba;
}

/// Pictures of the screen.
abstract interface class UiRaster {
  /// Draws [region], given in logical pixels; the whole screen without one.
  ///
  /// A part that cannot be seen now may be drawn from what [of] is part of.
  Future<UiPicture> capture([UiRect? region, UiElement? of]);

  /// Packs [data] as a zlib stream.
  List<int> deflate(List<int> data);
}

/// What one frame took.
final class UiFrameRecord {
  /// Creates a record.
  const UiFrameRecord({
    required this.number,
    required this.startUs,
    required this.buildUs,
    required this.rasterUs,
    this.blocks = const <String, UiBlock>{},
  });

  /// The frame's number; a gap means that frames were dropped.
  final int number;

  /// When it began, in microseconds on the profiler's clock.
  final int startUs;

  /// What the build took, in microseconds.
  final int buildUs;

  /// What the raster took, in microseconds.
  final int rasterUs;

  /// What was built in it, by name; empty unless builds are profiled.
  final Map<String, UiBlock> blocks;
}

/// What one kind of widget cost in one frame.
final class UiBlock {
  /// Creates a block.
  const UiBlock({required this.selfUs, required this.count});

  /// The time it took itself, in microseconds.
  final int selfUs;

  /// How often it was built.
  final int count;
}

/// A route change, for the report of a perf session.
final class UiRouteChange {
  /// Creates a route change.
  const UiRouteChange({
    required this.atUs,
    required this.from,
    required this.to,
  });

  /// When, in microseconds on the profiler's clock.
  final int atUs;

  /// Where the app was.
  final String? from;

  /// Where it went.
  final String? to;
}

/// What a perf session reads and switches.
abstract interface class UiProfiler {
  /// Grows with every frame that was really drawn.
  int get liveness;

  /// The profiler's clock, in microseconds.
  int get nowUs;

  /// Whether builds are profiled.
  bool get profilesBuilds;
  set profilesBuilds(bool value);

  /// Whether layout and paint are profiled too.
  bool get profilesPhases;
  set profilesPhases(bool value);

  /// Forgets the records kept so far and starts to keep new ones.
  void reset();

  /// The frames delivered since [reset].
  List<UiFrameRecord> get frameRecords;

  /// The route changes since [reset].
  List<UiRouteChange> get routeChanges;

  /// `debug` or `profile`.
  String get buildMode;

  /// `canvaskit`, `skwasm` or `unknown`.
  String get renderer;

  /// Whether a semantics tree is kept.
  bool get semanticsEnabled;

  /// Whether the platform itself asks for a semantics tree.
  bool get semanticsHeldByPlatform;

  /// Gives up the plugin's own hold on the semantics tree.
  void releaseSemantics();

  /// Takes the hold back; true when it was not held.
  bool acquireSemantics();
}

/// Hears of what a person does to the app, in the order it happens.
abstract interface class UiWitness {
  /// A pointer event, before the app gets it where the framework allows; true
  /// when it has to be kept from the app.
  bool pointer(UiPointerEvent event);

  /// [pointer] will not be let go: the platform has taken it from the app.
  void cancel(int pointer);

  /// A mouse wheel or a trackpad at [position], before the app gets it.
  void wheel(UiPoint position);

  /// A key went down, before the app gets it.
  void key(UiKeyPress press);

  /// [field], an element with a text field, holds something else because of
  /// an edit by the person, not by a program.
  void edited(UiElement field);

  /// The platform's back button or gesture, before the app gets it.
  void back();

  /// The platform asks for [route], before the app gets it.
  void route(String route);
}

/// Where a [UiWitness] is told of the person.
///
/// What the verbs themselves do through [UiInput] is not told.
abstract interface class UiPerson {
  /// Who is told; null: nobody.
  UiWitness? get witness;
  set witness(UiWitness? value);
}

/// The app under test.
abstract interface class Ui {
  /// The trees.
  UiTree get tree;

  /// Pointers, keys and the focus.
  UiInput get input;

  /// Routes.
  UiRoutes get routes;

  /// Frames.
  UiFrames get frames;

  /// Pictures.
  UiRaster get raster;

  /// Measurements.
  UiProfiler get profiler;

  /// What a person does.
  UiPerson get person;

  /// How many requests the app waits for now.
  int get pendingRequests;
}
