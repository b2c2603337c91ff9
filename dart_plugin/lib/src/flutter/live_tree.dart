/// The two trees of the running app.
library;

import 'package:flutter/gestures.dart';
import 'package:flutter/rendering.dart';
import 'package:flutter/widgets.dart';

import '../core/geometry.dart';
import '../core/ui.dart';
import 'element.dart';
import 'frame_watch.dart';
import 'locations.dart';
import 'semantics_node.dart';
import 'tree_index.dart';
import 'views.dart';

/// The widget tree and the semantics tree of every view.
final class LiveTree implements UiTree {
  /// Reads the trees anew after each frame of [watch].
  LiveTree(this.watch);

  /// What tells of changes.
  final FrameWatch watch;

  // One object stands for each element and each node as long as it lives.
  final Expando<FlutterElement> _elements = Expando<FlutterElement>();
  final Expando<FlutterSemantics> _semantics = Expando<FlutterSemantics>();
  late final SemanticsOfViews _top = SemanticsOfViews(this);

  TreeIndex? _index;
  int _indexed = -1;
  Map<Element, FocusNode>? _focusNodes;
  int _focused = -1;

  /// The wrapper of [element].
  FlutterElement elementOf(Element element) =>
      _elements[element] ??= FlutterElement(this, element);

  /// The wrapper of [node].
  FlutterSemantics semanticsOf(SemanticsNode node) =>
      _semantics[node] ??= FlutterSemantics(this, node);

  /// What the tree consists of now; null before the first frame.
  TreeIndex? get index {
    if (_indexed == revision) return _index;
    final Element? root = WidgetsBinding.instance.rootElement;
    _indexed = revision;
    return _index = root == null ? null : TreeIndex(root);
  }

  /// The element [node] belongs to: its own, or that of the node above for
  /// one that has none.
  Element? ownerOf(SemanticsNode node) {
    SemanticsNode? each = node;
    while (each != null) {
      final Element? owner = index?.ownerOf(each);
      if (owner != null) return owner;
      each = each.parent;
    }
    return null;
  }

  /// The render object that made [node]; null for a part of one.
  RenderObject? renderObjectOf(SemanticsNode node) => index?.makerOfNode(node);

  /// The roots of the semantics trees, the first view's first.
  List<SemanticsNode> get semanticsRoots {
    final List<SemanticsNode> roots = <SemanticsNode>[];
    void visit(PipelineOwner owner) {
      final SemanticsNode? root = owner.semanticsOwner?.rootSemanticsNode;
      if (root != null) roots.add(root);
      owner.visitChildren(visit);
    }

    visit(RendererBinding.instance.rootPipelineOwner);
    return roots;
  }

  /// The focus node that [element] is for; null for most elements.
  FocusNode? focusNodeOf(Element element) {
    if (_focused != revision) {
      _focused = revision;
      _focusNodes = null;
    }
    final Map<Element, FocusNode> nodes =
        _focusNodes ??= Map<Element, FocusNode>.identity()..addEntries(
          <MapEntry<Element, FocusNode>>[
            for (final FocusNode node
                in FocusManager.instance.rootScope.descendants)
              if (isControlFocus(node))
                if (node.context case final Element owner)
                  MapEntry<Element, FocusNode>(owner, node),
          ],
        );
    return nodes[element];
  }

  /// Whether [node] is that of a control, and not of a part of the page.
  static bool isControlFocus(FocusNode node) =>
      node is! FocusScopeNode && !node.skipTraversal;

  /// The name of the route [element] is on. A route without a name goes by
  /// the router's location while it is the one that shows.
  String? routeNameOf(Element element) {
    final TreeIndex? now = index;
    final ModalRoute<Object?>? route = now?.placeOf(element)?.route;
    if (now == null || route == null) return null;
    final String? name = route.settings.name;
    if (name != null) return name;
    return now.placeOf(element)!.isReachable ? locationOf(now.router) : null;
  }

  @override
  int get revision => watch.frames;

  @override
  UiElement? get root {
    final Element? element = WidgetsBinding.instance.rootElement;
    return element == null ? null : elementOf(element);
  }

  @override
  UiSemantics? get semanticsRoot => semanticsRoots.isEmpty ? null : _top;

  @override
  UiRect? get viewport {
    UiRect? area;
    for (final PlacedView each in placedViews()) {
      final UiRect own = each.visibleArea;
      area = UiRect.fromLTRB(
        0,
        0,
        own.right,
        area == null || own.bottom > area.bottom ? own.bottom : area.bottom,
      );
    }
    return area;
  }

  @override
  double get devicePixelRatio {
    final List<PlacedView> views = placedViews();
    return views.isEmpty ? 1 : views.first.view.flutterView.devicePixelRatio;
  }

  @override
  List<UiElement> hitTest(UiPoint point) {
    final PlacedView? place = viewAt(point);
    final TreeIndex? now = index;
    if (place == null || now == null) return const <UiElement>[];
    final HitTestResult result = HitTestResult();
    RendererBinding.instance.hitTestInView(
      result,
      Offset(point.x - place.left, point.y),
      place.view.flutterView.viewId,
    );
    final Set<Element> path = Set<Element>.identity();
    final List<Element> hits = <Element>[];
    for (final HitTestEntry<HitTestTarget> entry in result.path) {
      final HitTestTarget target = entry.target;
      if (target is! RenderObject || target is RenderView) continue;
      final Element? maker = now.makerOf(target as RenderObject);
      if (maker == null) continue;
      hits.add(maker);
      path.add(maker);
      // The widgets that are nothing but what was hit.
      maker.visitAncestorElements(
        (Element each) => each is! RenderObjectElement && path.add(each),
      );
    }
    // What passes a touch on to what is in it does not always say so.
    final Set<Element> climbed = Set<Element>.identity();
    for (final Element hit in hits) {
      hit.visitAncestorElements((Element each) {
        if (each is RenderObjectElement && each.renderObject is RenderView) {
          return false;
        }
        path.add(each);
        return climbed.add(each);
      });
    }
    return <UiElement>[for (final Element each in path) elementOf(each)];
  }

  @override
  Future<void> showOnScreen(UiElement element, {double? alignment}) async {
    final Element? live = element is FlutterElement ? element.element : null;
    if (live == null || !live.mounted) return;
    final RenderObject? target = live.renderObject;
    if (target == null || !target.attached) return;
    if (alignment == null) return target.showOnScreen();
    // What has to come into view is the target first, and then each list that
    // shows it, in the one around.
    RenderObject shown = target;
    UiElement? each = element.parent;
    while (each != null) {
      final Element around = (each as FlutterElement).element;
      if (around is StatefulElement && around.state is ScrollableState) {
        final ScrollableState scrollable = around.state as ScrollableState;
        await scrollable.position.ensureVisible(
          shown,
          alignment: alignment,
          targetRenderObject: target,
        );
        shown = around.renderObject ?? shown;
      }
      each = each.parent;
    }
  }

  @override
  void addListener(void Function() listener) => watch.addListener(listener);

  @override
  void removeListener(void Function() listener) =>
      watch.removeListener(listener);
}
