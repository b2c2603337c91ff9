/// A user interface of a few objects, to try the core on.
library;

import 'dart:async';
import 'dart:io';
import 'dart:typed_data';

import 'package:tapir_replay/core.dart';

/// A node and an element in one, all of it open to change.
final class FakeNode implements UiElement, UiSemantics {
  FakeNode({
    this.label = '',
    this.value = '',
    this.identifier = '',
    this.tooltip = '',
    this.hint = '',
    this.typeName = 'Widget',
    this.key,
    this.text,
    this.isButton = false,
    this.isTextField = false,
    this.isLink = false,
    this.isHeader = false,
    this.isImage = false,
    this.isEnabled,
    this.checked,
    this.toggled,
    this.canTap = false,
    this.isMergedIntoParent = false,
    this.mergesDescendants = false,
    this.hasSemantics = true,
    this.routeName = '/',
    this.textField,
    this.scrollable,
    UiRect? rect,
    List<FakeNode> children = const <FakeNode>[],
  }) : rect = rect ?? const UiRect.fromLTWH(10, 10, 100, 40),
       nodes = <FakeNode>[...children] {
    for (final FakeNode child in nodes) {
      child.above = this;
    }
  }

  FakeNode.text(String data) : this(label: data, text: data);

  FakeNode.button(String label, {String? key, UiRect? rect, bool? isEnabled})
    : this(
        label: label,
        key: key,
        rect: rect,
        isButton: true,
        canTap: true,
        isEnabled: isEnabled,
      );

  static int _lastId = 0;

  @override
  final int id = ++_lastId;
  @override
  String label;
  @override
  String value;
  @override
  String identifier;
  @override
  String tooltip;
  @override
  String hint;
  @override
  String typeName;
  @override
  String? key;
  @override
  String? text;
  @override
  bool isButton;
  @override
  bool isTextField;
  @override
  bool isLink;
  @override
  bool isHeader;
  @override
  bool isImage;
  @override
  bool? isEnabled;
  @override
  UiCheck? checked;
  @override
  bool? toggled;
  @override
  bool canTap;
  @override
  bool isMergedIntoParent;
  @override
  bool mergesDescendants;
  bool hasSemantics;
  bool hasElement = true;
  @override
  String? routeName;
  @override
  UiTextField? textField;
  @override
  UiScrollable? scrollable;
  @override
  UiDropdown? dropdown;
  @override
  UiRect rect;
  @override
  bool isObscured = false;
  @override
  bool isFocused = false;
  @override
  bool isExclusive = false;
  @override
  bool isSlider = false;
  @override
  bool isSpokenOnly = false;
  @override
  bool isMounted = true;
  @override
  bool isLaidOut = true;
  @override
  bool isReachable = true;
  @override
  bool overflows = false;
  @override
  bool canFocus = false;

  FakeNode? above;
  final List<FakeNode> nodes;

  @override
  bool get isAttached => isMounted && isReachable;
  @override
  FakeNode? get element => hasElement ? this : null;
  @override
  FakeNode? get semantics => hasSemantics ? this : null;
  @override
  FakeNode? get parent => above;

  @override
  List<UiSemantics> get children => <UiSemantics>[
    for (final FakeNode child in nodes)
      if (child.hasSemantics) child else ...child.children,
  ];

  @override
  void visitChildren(void Function(UiElement child) visit) =>
      nodes.forEach(visit);

  @override
  bool hasKey(String text) => key == text || "[<'$key'>]" == text;

  @override
  void requestFocus() => isFocused = true;

  void add(FakeNode child) {
    nodes.add(child);
    child.above = this;
  }

  void remove(FakeNode child) {
    nodes.remove(child);
    child
      ..above = null
      ..isMounted = false;
  }
}

final class FakeField implements UiTextField {
  FakeField({this.value = '', this.filter, this.isMultiline = false});

  @override
  String value;
  final String Function(String)? filter;

  @override
  void enter(String text) => value = filter?.call(text) ?? text;

  @override
  void clear() => value = '';

  int keyboards = 0;

  @override
  void requestKeyboard() => keyboards++;

  @override
  bool isMultiline;
}

final class FakeDropdown implements UiDropdown {
  FakeDropdown(this.options, this.value);

  @override
  final List<Object?> options;
  @override
  Object? value;
  @override
  bool get isExpanded => false;

  @override
  void choose(String option) => value = option;
}

final class FakeScrollable implements UiScrollable {
  FakeScrollable({
    this.maxOffset = 1000,
    this.isReversed = false,
    this.isVertical = true,
  });

  @override
  double offset = 0;
  @override
  double maxOffset;
  @override
  double get minOffset => 0;
  @override
  bool isVertical;
  @override
  bool isReversed;
  @override
  UiRect get viewport => const UiRect.fromLTWH(0, 0, 400, 800);
  @override
  void jumpTo(double value) => offset = value;
}

final class FakeNavigator implements UiNavigator {
  FakeNavigator({this.popups = 0, this.pages = 1, this.log, this.name = ''});

  int popups;
  int pages;
  final List<String>? log;
  final String name;
  bool refuses = false;

  @override
  bool isVisible = true;
  @override
  bool get hasPopup => popups > 0;
  @override
  bool get canPop => popups > 0 || pages > 1;

  @override
  bool pop() {
    log?.add(name);
    if (refuses) return false;
    popups > 0 ? popups-- : pages--;
    return true;
  }
}

/// Everything at once: each part of a [Ui] is this one object.
final class FakeUi
    implements
        Ui,
        UiTree,
        UiInput,
        UiRoutes,
        UiFrames,
        UiRaster,
        UiProfiler,
        UiPerson {
  FakeUi(List<FakeNode> children) : top = FakeNode(children: children) {
    top.label = '';
  }

  final FakeNode top;
  final List<UiPointerEvent> events = <UiPointerEvent>[];
  final List<void Function()> listeners = <void Function()>[];
  List<UiElement> Function(UiPoint point)? onHitTest;
  void Function(UiElement element)? onShow;
  void Function()? onSettle;
  void Function(UiPointerEvent event)? onPointer;
  void Function(UiKeyPress press)? onPress;
  bool canForce = true;
  bool navigates = true;
  Object? brokenTree;
  bool isStuck = false;
  int settled = 0;

  void change() {
    revision++;
    for (final void Function() listener in listeners.toList()) {
      listener();
    }
  }

  @override
  UiTree get tree => this;
  @override
  UiInput get input => this;
  @override
  UiRoutes get routes => this;
  @override
  UiFrames get frames => this;
  @override
  UiRaster get raster => this;
  @override
  UiProfiler get profiler => this;
  @override
  UiPerson get person => this;
  @override
  UiWitness? witness;
  @override
  int pendingRequests = 0;

  @override
  int revision = 0;
  @override
  UiElement? get root => top;
  @override
  UiSemantics? get semanticsRoot {
    if (brokenTree case final Object error) throw error;
    return top;
  }

  @override
  UiRect? viewport = const UiRect.fromLTWH(0, 0, 400, 800);
  @override
  double get devicePixelRatio => 2;

  @override
  List<UiElement> hitTest(UiPoint point) {
    if (onHitTest case final hit?) return hit(point);
    UiElement? found;
    void visit(FakeNode node) {
      if (!identical(node, top) && node.rect.contains(point)) found = node;
      node.nodes.forEach(visit);
    }

    visit(top);
    return <UiElement>[
      for (UiElement? each = found; each != null; each = each.parent)
        if (!identical(each, top)) each,
    ];
  }

  @override
  Future<void> showOnScreen(UiElement element, {double? alignment}) async =>
      onShow?.call(element);
  @override
  void addListener(void Function() listener) => listeners.add(listener);
  @override
  void removeListener(void Function() listener) => listeners.remove(listener);

  @override
  Duration get pressDuration => Duration.zero;
  @override
  Duration get clickInterval => Duration.zero;
  @override
  Duration restBefore(UiPoint point) => Duration.zero;
  @override
  Duration holdBefore(UiPoint from, UiPoint to) => Duration.zero;
  @override
  Duration get moveInterval => Duration.zero;
  @override
  void pointer(UiPointerEvent event) {
    events.add(event);
    onPointer?.call(event);
  }

  @override
  void press(UiKeyPress press) => onPress?.call(press);
  @override
  UiElement? focused;
  @override
  void unfocus() {}

  bool takesBack = true;

  @override
  Future<bool> back() async => takesBack;

  @override
  List<UiNavigator> navigators = <UiNavigator>[];
  @override
  String? uri = '/';
  @override
  String location = '';
  @override
  String title = '/';
  String? redirect;
  @override
  Future<void> navigate(String route) async {
    if (!navigates) return;
    if (redirect case final String elsewhere) {
      uri = elsewhere;
      return;
    }
    if (uri == null) {
      location = route;
    } else {
      uri = route;
    }
  }

  @override
  void close() {}

  @override
  bool isScheduled = false;
  @override
  Future<void> settle() {
    settled++;
    onSettle?.call();
    return isStuck ? Completer<void>().future : Future<void>.value();
  }

  @override
  bool isEnabled = true;
  @override
  String? lifecycleState = 'resumed';
  @override
  String platform = 'linux';
  @override
  Future<bool> force() async => canForce;

  @override
  Future<UiPicture> capture([UiRect? region, UiElement? of]) async =>
      UiPicture(2, 2, Uint8List(16));
  @override
  List<int> deflate(List<int> data) => ZLibCodec().encode(data);

  @override
  int liveness = 0;
  @override
  int nowUs = 0;
  @override
  bool profilesBuilds = false;
  @override
  bool profilesPhases = false;
  @override
  void reset() => frameRecords.clear();
  @override
  final List<UiFrameRecord> frameRecords = <UiFrameRecord>[];
  @override
  List<UiRouteChange> routeChanges = <UiRouteChange>[];
  @override
  String get buildMode => 'debug';
  @override
  String get renderer => 'unknown';
  @override
  bool semanticsEnabled = true;
  @override
  bool get semanticsHeldByPlatform => false;
  @override
  void releaseSemantics() => semanticsEnabled = false;
  @override
  bool acquireSemantics() {
    final bool was = semanticsEnabled;
    semanticsEnabled = true;
    return !was;
  }
}
