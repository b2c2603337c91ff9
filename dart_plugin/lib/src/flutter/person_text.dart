/// What a person writes.
library;

import 'package:flutter/services.dart' show AutofillClient;
import 'package:flutter/widgets.dart';

import '../core/ui.dart';
import 'ear.dart';
import 'hands.dart';
import 'live_tree.dart';
import 'text_field.dart';

/// What a field is asked to do when a person edits it, by whatever way: a
/// keyboard, the clipboard, a suggestion, a key that deletes.
final RegExp _edits = RegExp(
  r'\b(?:updateEditingValue|userUpdateTextEditingValue)\b',
);

/// Hears edits of the field that has the focus, and of those that are filled
/// together with it.
///
/// A controller says that its text has changed, but not by whom: only the
/// calls that led to it do.
final class TextEar implements Ear {
  /// Tells of the fields in [tree].
  TextEar(this.tree);

  /// Where the fields are.
  final LiveTree tree;

  UiWitness? _witness;
  EditableTextState? _focused;
  int _clients = 0;
  final Map<EditableTextState, _Field> _fields =
      Map<EditableTextState, _Field>.identity();

  @override
  void listen(UiWitness witness) {
    if (_witness == null) {
      FocusManager.instance.addListener(_follow);
      tree.addListener(_follow);
    }
    _witness = witness;
    _follow();
  }

  @override
  void stop() {
    if (_witness == null) return;
    FocusManager.instance.removeListener(_follow);
    tree.removeListener(_follow);
    _witness = null;
    _focused = null;
    _clients = 0;
    for (final _Field each in _fields.values) {
      each.leave();
    }
    _fields.clear();
  }

  /// Goes where the focus is. Also after each frame: a field may get another
  /// controller, and a focus another field.
  void _follow() {
    if (_witness == null) return;
    final EditableTextState? field = focusedField;
    final Iterable<AutofillClient> clients =
        field?.currentAutofillScope?.autofillClients ??
        const <AutofillClient>[];
    if (!identical(field, _focused) || clients.length != _clients) {
      _focused = field;
      _clients = clients.length;
      final Set<EditableTextState> wanted =
          Set<EditableTextState>.identity()..addAll(<EditableTextState>[
            if (field != null) field,
            for (final AutofillClient each in clients)
              if (_fieldOf(each) case final EditableTextState other) other,
          ]);
      _fields.removeWhere((EditableTextState state, _Field known) {
        if (wanted.contains(state)) return false;
        known.leave();
        return true;
      });
      for (final EditableTextState each in wanted) {
        _fields[each] ??= _Field(each, _edited);
      }
    }
    for (final _Field each in _fields.values) {
      each.follow();
    }
  }

  /// The field below a client: the client is the state of what the app calls
  /// a text field.
  static EditableTextState? _fieldOf(AutofillClient client) {
    final Object candidate = client;
    if (candidate is! State<StatefulWidget> || !candidate.mounted) return null;
    return editableBelow(candidate.context as Element);
  }

  void _edited(EditableTextState field) {
    if (Hands.areAtWork || !_edits.hasMatch('${StackTrace.current}')) return;
    tell(() => _witness?.edited(tree.elementOf(field.context as Element)));
  }
}

/// A field with the controller it has now.
final class _Field {
  _Field(this.state, this.onEdit);

  final EditableTextState state;
  final void Function(EditableTextState field) onEdit;

  TextEditingController? _controller;
  String _text = '';

  void follow() {
    if (!state.mounted) return leave();
    final TextEditingController now = state.widget.controller;
    if (identical(now, _controller)) return;
    leave();
    _controller = now..addListener(_changed);
    _text = now.text;
  }

  void leave() {
    _controller?.removeListener(_changed);
    _controller = null;
  }

  void _changed() {
    final String text = _controller?.text ?? _text;
    if (text == _text || !state.mounted) return;
    _text = text;
    onEdit(state);
  }
}
