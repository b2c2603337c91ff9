/// Dropdowns.
library;

import 'package:flutter/material.dart';

import '../core/ui.dart';

/// A [DropdownButton], alone or inside a form field.
final class FlutterDropdown implements UiDropdown {
  /// Wraps the [element] of the dropdown.
  const FlutterDropdown(this.element);

  /// Where it is; its widget is a new one after each build.
  final Element element;

  @override
  Object? get value {
    final Widget? widget = element.mounted ? element.widget : null;
    return widget is DropdownButton<Object?> ? widget.value : null;
  }

  @override
  List<Object?> get options {
    final Widget? widget = element.mounted ? element.widget : null;
    return widget is DropdownButton<Object?>
        ? <Object?>[
          for (final DropdownMenuItem<Object?> each
              in widget.items ?? const <DropdownMenuItem<Object?>>[])
            each.value,
        ]
        : const <Object?>[];
  }

  @override
  void choose(String value) {
    final Widget widget = element.widget;
    if (widget is! DropdownButton<String?>) {
      throw StateError(
        'the options of ${widget.runtimeType} are no texts, '
        'so "$value" cannot be chosen',
      );
    }
    widget.onChanged?.call(value);
  }
}
