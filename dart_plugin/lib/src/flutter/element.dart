/// Elements as the verbs see them.
library;

import 'package:flutter/material.dart';
import 'package:flutter/rendering.dart';

import '../core/geometry.dart';
import '../core/ui.dart';
import 'dropdown.dart';
import 'live_tree.dart';
import 'scrollable.dart';
import 'text_field.dart';
import 'views.dart';
import 'widget_keys.dart';

/// One element of the widget tree.
final class FlutterElement implements UiElement {
  /// Wraps [element] of [tree].
  FlutterElement(this.tree, this.element);

  /// The tree it is part of.
  final LiveTree tree;

  /// The framework's own.
  final Element element;

  @override
  bool get isMounted => element.mounted;

  @override
  bool get isLaidOut {
    final RenderObject? object = _renderObject;
    if (object == null || !object.attached) return false;
    return object is! RenderBox || object.hasSize;
  }

  RenderObject? get _renderObject => isMounted ? element.renderObject : null;

  @override
  UiElement? get parent {
    if (!isMounted) return null;
    Element? above;
    element.visitAncestorElements((Element each) {
      above = each;
      return false;
    });
    return above == null ? null : tree.elementOf(above!);
  }

  @override
  void visitChildren(void Function(UiElement child) visit) {
    if (!isMounted) return;
    element.visitChildren((Element child) => visit(tree.elementOf(child)));
  }

  @override
  String? get key => isMounted ? nameOf(element.widget.key) : null;

  @override
  bool hasKey(String text) => isMounted && isNamed(element.widget.key, text);

  @override
  String? get text {
    if (!isMounted) return null;
    final Widget widget = element.widget;
    return widget is Text ? widget.data : null;
  }

  @override
  String get typeName => isMounted ? '${element.widget.runtimeType}' : '';

  @override
  UiRect? get rect {
    final RenderObject? object = _renderObject;
    if (object == null || !isLaidOut) return null;
    if (object is RenderBox) return placeOf(object, Offset.zero & object.size);
    if (object is RenderSliver && object.geometry != null) {
      return placeOf(object, object.paintBounds);
    }
    return null;
  }

  @override
  UiSemantics? get semantics {
    if (!isMounted) return null;
    final SemanticsNode? node = tree.index?.nodeOf(element);
    return node == null ? null : tree.semanticsOf(node);
  }

  /// The field that can be typed into here.
  EditableTextState? get _editable => _stateOf<EditableTextState>();

  T? _stateOf<T>() {
    final Element own = element;
    if (own is! StatefulElement || !isMounted) return null;
    final State<StatefulWidget> state = own.state;
    return state is T ? state as T : null;
  }

  @override
  UiTextField? get textField => switch (_editable) {
    final EditableTextState state => FlutterTextField(state),
    null => null,
  };

  @override
  UiScrollable? get scrollable => switch (_stateOf<ScrollableState>()) {
    final ScrollableState state when FlutterScrollable.isReady(state) =>
      FlutterScrollable(this, state),
    _ => null,
  };

  @override
  UiDropdown? get dropdown =>
      isMounted && FlutterDropdown.offers(element.widget)
          ? FlutterDropdown(element)
          : null;

  @override
  bool get canFocus => _focusNode != null;

  FocusNode? get _focusNode {
    if (_editable case final EditableTextState state) {
      return state.widget.focusNode;
    }
    final FocusNode? node = isMounted ? tree.focusNodeOf(element) : null;
    // Something that is disabled may be asked for the focus all the same. What
    // merely listens to keys, shortcuts for instance, may not.
    return node != null && (node.canRequestFocus || _isDisabled) ? node : null;
  }

  bool get _isDisabled {
    UiElement? each = this;
    while (each != null) {
      final UiSemantics? node = each.semantics;
      if (node != null) return node.isEnabled == false;
      each = each.parent;
    }
    return false;
  }

  @override
  void requestFocus() => _focusNode?.requestFocus();

  @override
  String? get routeName => tree.routeNameOf(element);

  @override
  bool get isReachable =>
      isMounted && (tree.index?.placeOf(element)?.isReachable ?? false);

  @override
  bool get overflows {
    RenderObject? object = _renderObject;
    while (object != null) {
      if (object is RenderFlex || object is RenderConstraintsTransformBox) {
        if (object.toStringShort().endsWith(' OVERFLOWING')) return true;
      }
      object = object.parent;
    }
    return false;
  }
}
