/// Dropdowns.
library;

import 'package:flutter/material.dart';

import '../core/ui.dart';
import 'text_field.dart';

/// A [DropdownButton] or a [DropdownMenu], alone or inside a form field.
///
/// An option goes by its value where that is a text, else by what it shows.
final class FlutterDropdown implements UiDropdown {
  /// Wraps the [element] of the dropdown.
  const FlutterDropdown(this.element);

  /// Where it is; its widget is a new one after each build.
  final Element element;

  /// Whether [widget] is one.
  static bool offers(Widget widget) =>
      widget is DropdownButton<Object?> || widget is DropdownMenu<Object?>;

  Widget? get _widget => element.mounted ? element.widget : null;

  List<_Option> get _options => switch (_widget) {
    final DropdownButton<Object?> button => <_Option>[
      for (final DropdownMenuItem<Object?> each
          in button.items ?? const <DropdownMenuItem<Object?>>[])
        _Option(each.value, _textOf(each.child), isEnabled: each.enabled),
    ],
    final DropdownMenu<Object?> menu => <_Option>[
      for (final DropdownMenuEntry<Object?> each in menu.dropdownMenuEntries)
        _Option(each.value, each.label, isEnabled: each.enabled),
    ],
    _ => const <_Option>[],
  };

  static String? _textOf(Widget child) => child is Text ? child.data : null;

  /// The field that a menu shows its choice in.
  EditableTextState? get _field => editableBelow(element);

  @override
  bool get isExpanded {
    if (_widget is! DropdownMenu<Object?>) return false;
    MenuController? menu;
    void look(Element each) {
      if (menu != null) return;
      final Widget widget = each.widget;
      if (widget is MenuAnchor) {
        menu = widget.controller;
      } else {
        each.visitChildren(look);
      }
    }

    element.visitChildren(look);
    return menu?.isOpen ?? false;
  }

  @override
  Object? get value {
    switch (_widget) {
      case final DropdownButton<Object?> button:
        for (final _Option each in _options) {
          if (each.value == button.value) return each.name;
        }
        return button.value;
      case DropdownMenu<Object?>():
        final String? shown = _field?.widget.controller.text;
        for (final _Option each in _options) {
          if (each.text == shown) return each.name;
        }
    }
    return null;
  }

  @override
  List<Object?> get options => <Object?>[
    for (final _Option each in _options) each.name,
  ];

  @override
  void choose(String value) {
    final Widget? widget = _widget;
    if (widget is DropdownButton<String?>) {
      widget.onChanged?.call(value);
      return;
    }
    final _Option? option =
        _options.where((_Option each) => each.name == value).firstOrNull;
    if (option == null) {
      throw StateError(
        '"$value" is no option of ${widget.runtimeType}: '
        '${options.join(', ')}',
      );
    }
    if (widget is DropdownButton<Object?>) {
      // ignore: avoid_dynamic_calls
      _call((widget as dynamic).onChanged, option.value);
    } else if (widget is DropdownMenu<Object?>) {
      if (!widget.enabled || !option.isEnabled) return;
      final String text = option.text ?? '';
      // What the menu does itself when one of its items is pressed.
      _field?.widget.controller.value = TextEditingValue(
        text: text,
        selection: TextSelection.collapsed(offset: text.length),
      );
      // ignore: avoid_dynamic_calls
      _call((widget as dynamic).onSelected, option.value);
    }
  }

  // A listener takes the options' own type, which is not known here.
  static void _call(Object? listener, Object? value) {
    // ignore: avoid_dynamic_calls
    if (listener is Function) listener(value);
  }
}

final class _Option {
  const _Option(this.value, this.text, {required this.isEnabled});

  final Object? value;
  final String? text;
  final bool isEnabled;

  Object? get name => value is String ? value : text ?? value;
}
