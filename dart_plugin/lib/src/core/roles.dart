/// What a semantics node is, in the words of the wire.
library;

import 'ui.dart';

/// The roles a node can have.
abstract final class Role {
  /// Something to type into.
  static const String textbox = 'textbox';

  /// Something with a checked state; radios are among them.
  static const String checkbox = 'checkbox';

  /// A link.
  static const String link = 'link';

  /// A heading.
  static const String heading = 'heading';

  /// A picture.
  static const String image = 'image';

  /// Whatever else can be tapped; switches are among them.
  static const String button = 'button';
}

/// The role of [node]; null for plain text and for containers.
String? roleOf(UiSemantics node) {
  if (node.isTextField) return Role.textbox;
  if (node.checked != null) return Role.checkbox;
  if (node.isLink) return Role.link;
  if (node.isHeader) return Role.heading;
  if (node.isImage) return Role.image;
  if (node.isButton || node.canTap) return Role.button;
  return null;
}

/// Whether a person can do something with [node].
bool isInteractive(UiSemantics node) =>
    node.canTap ||
    node.isTextField ||
    node.checked != null ||
    node.toggled != null ||
    node.isLink ||
    node.isButton;

/// The word for a control that is not a text field, in messages.
String controlName(UiSemantics node) {
  if (node.toggled != null) return 'switch';
  if (node.isSlider) return 'slider';
  if (node.checked != null && node.isExclusive) return 'radio';
  return roleOf(node) ?? 'widget';
}

/// The checked or toggled state of [node]; null when it has neither.
UiCheck? checkOf(UiSemantics node) {
  final UiCheck? checked = node.checked;
  if (checked != null) return checked;
  return switch (node.toggled) {
    null => null,
    true => UiCheck.on,
    false => UiCheck.off,
  };
}
