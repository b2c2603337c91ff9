/// Text fields.
library;

import 'package:flutter/services.dart';
import 'package:flutter/widgets.dart';

import '../core/ui.dart';
import 'hands.dart';

/// The innermost part of every text field.
final class FlutterTextField implements UiTextField {
  /// Wraps the state of an [EditableText].
  const FlutterTextField(this.state);

  /// Where the text is.
  final EditableTextState state;

  @override
  String get value => state.widget.controller.text;

  @override
  void enter(String text) {
    // What a person could not type into keeps what it has.
    if (!state.mounted || state.widget.readOnly) return;
    Hands.at(
      () => state.userUpdateTextEditingValue(
        TextEditingValue(
          text: text,
          selection: TextSelection.collapsed(offset: text.length),
        ),
        SelectionChangedCause.keyboard,
      ),
    );
  }

  @override
  void clear() => enter('');

  @override
  void requestKeyboard() {
    if (state.mounted) state.requestKeyboard();
  }

  @override
  bool get isMultiline =>
      state.mounted &&
      state.widget.maxLines != 1 &&
      switch (state.widget.textInputAction) {
        null ||
        TextInputAction.none ||
        TextInputAction.unspecified ||
        TextInputAction.newline => true,
        _ => false,
      };

  /// Does what Enter does on a keyboard that nobody else listens to; false
  /// when that is to begin a new line.
  bool submit() {
    if (!state.mounted || isMultiline) return false;
    state.performAction(state.widget.textInputAction ?? TextInputAction.done);
    return true;
  }
}

/// The first field at or below [element]; null when there is none.
EditableTextState? editableBelow(Element element) {
  EditableTextState? found;
  void look(Element each) {
    if (found != null) return;
    if (each is StatefulElement && each.state is EditableTextState) {
      found = each.state as EditableTextState;
    } else {
      each.visitChildren(look);
    }
  }

  if (element.mounted) look(element);
  return found;
}

/// The field that has the focus; null when none has.
EditableTextState? get focusedField => FocusManager
    .instance
    .primaryFocus
    ?.context
    ?.findAncestorStateOfType<EditableTextState>();
