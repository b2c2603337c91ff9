/// What the screens are made of.
library;

import 'package:flutter/material.dart';

import 'router.dart';

/// The space around and between things.
const double gap = 12;

/// A screen: an app bar with a heading, and what is below it.
class DemoScreen extends StatelessWidget {
  /// Creates a screen.
  const DemoScreen({
    required this.title,
    required this.body,
    super.key,
    this.makesRoom = true,
  });

  /// What the heading says.
  final String title;

  /// What is below the app bar.
  final Widget body;

  /// Whether it grows smaller when a keyboard comes up.
  final bool makesRoom;

  @override
  Widget build(BuildContext context) {
    final NavigatorState root = Navigator.of(context, rootNavigator: true);
    final bool canPop = root.canPop() || Navigator.of(context).canPop();
    return Scaffold(
      resizeToAvoidBottomInset: makesRoom,
      body: Column(
        crossAxisAlignment: CrossAxisAlignment.stretch,
        children: <Widget>[
          Container(
            height: 88,
            padding: EdgeInsets.fromLTRB(canPop ? 4 : 16, 28, 16, 0),
            child: Row(
              children: <Widget>[
                if (canPop)
                  IconButton(
                    key: const ValueKey<String>('back'),
                    onPressed: () => DemoRouter.of(context).back(context),
                    icon: const Icon(Icons.arrow_back, semanticLabel: 'Back'),
                  ),
                Heading(title),
              ],
            ),
          ),
          Expanded(child: body),
        ],
      ),
    );
  }
}

/// The usual body: one thing below the other.
class Things extends StatelessWidget {
  /// Creates a column of [children].
  const Things(this.children, {super.key});

  /// What is in it.
  final List<Widget> children;

  @override
  Widget build(BuildContext context) => Padding(
    padding: const EdgeInsets.all(16),
    child: Column(
      crossAxisAlignment: CrossAxisAlignment.start,
      spacing: gap,
      children: children,
    ),
  );
}

/// A text that is a heading.
class Heading extends StatelessWidget {
  /// Creates a heading.
  const Heading(this.text, {super.key});

  /// What it says.
  final String text;

  @override
  Widget build(BuildContext context) => Semantics(
    header: true,
    child: Text(text, style: Theme.of(context).textTheme.titleLarge),
  );
}

/// A button as wide as its room.
class WideButton extends StatelessWidget {
  /// Creates a button.
  const WideButton(this.label, this.onPressed, {super.key});

  /// What it says.
  final String label;

  /// What it does; null disables it.
  final VoidCallback? onPressed;

  @override
  Widget build(BuildContext context) => SizedBox(
    width: double.infinity,
    height: 48,
    child: FilledButton(onPressed: onPressed, child: Text(label)),
  );
}

/// A link, alone or as the row of a list.
class LinkText extends StatelessWidget {
  /// Creates a link.
  const LinkText(this.label, this.onTap, {super.key, this.height = 40});

  /// What it says.
  final String label;

  /// Where it leads.
  final VoidCallback onTap;

  /// How high it is.
  final double height;

  @override
  Widget build(BuildContext context) => Semantics(
    link: true,
    child: InkWell(
      onTap: onTap,
      child: Container(
        height: height,
        alignment: Alignment.centerLeft,
        padding: const EdgeInsets.symmetric(horizontal: 8),
        child: Text(
          label,
          style: TextStyle(color: Theme.of(context).colorScheme.primary),
        ),
      ),
    ),
  );
}

/// A text field with its label.
class Field extends StatelessWidget {
  /// Creates a field.
  const Field(
    this.label, {
    super.key,
    this.hint,
    this.controller,
    this.focusNode,
    this.maxLines = 1,
    this.isObscured = false,
    this.onChanged,
    this.onSubmitted,
    this.builder,
  });

  /// What it is for.
  final String label;

  /// What it is for, in more words, for assistive technology.
  final String? hint;

  /// What it holds.
  final TextEditingController? controller;

  /// Its focus.
  final FocusNode? focusNode;

  /// How many lines it shows.
  final int maxLines;

  /// Whether it hides its text.
  final bool isObscured;

  /// Hears of every change.
  final ValueChanged<String>? onChanged;

  /// Hears of Enter.
  final VoidCallback? onSubmitted;

  /// Makes the field itself, where the usual one will not do.
  final Widget Function(InputDecoration decoration)? builder;

  @override
  Widget build(BuildContext context) {
    final InputDecoration look = InputDecoration(
      labelText: label,
      border: const OutlineInputBorder(),
    );
    if (builder?.call(look) case final Widget made) return made;
    final Widget field = TextField(
      controller: controller,
      focusNode: focusNode,
      decoration: look,
      maxLines: maxLines,
      obscureText: isObscured,
      onChanged: onChanged,
      onSubmitted: (_) => onSubmitted?.call(),
    );
    // The `hintText` of a decoration is a part of the label instead.
    return hint == null ? field : Semantics(hint: hint, child: field);
  }
}

/// A box with its label, in one node.
class Tick extends StatelessWidget {
  /// Creates a box.
  const Tick(
    this.label, {
    required this.value,
    required this.onChanged,
    super.key,
    this.identifier,
    this.isTristate = false,
  });

  /// What it is for.
  final String label;

  /// What programs call it.
  final String? identifier;

  /// Whether it is ticked; null means mixed.
  final bool? value;

  /// Hears of a change; null disables it.
  final ValueChanged<bool?>? onChanged;

  /// Whether it has three states.
  final bool isTristate;

  @override
  Widget build(BuildContext context) => CheckboxListTile(
    // Merged with the rest of the tile; around it, it would be its own node.
    title: Semantics(identifier: identifier, child: Text(label)),
    value: value,
    tristate: isTristate,
    onChanged: onChanged,
    dense: true,
    contentPadding: EdgeInsets.zero,
  );
}

/// A row with a surface of its own: a text and a button.
class ActionRow extends StatelessWidget {
  /// Creates a row.
  const ActionRow({
    required this.text,
    required this.action,
    required super.key,
    this.height = 60,
  });

  /// What it says.
  final String text;

  /// The button at its end.
  final Widget action;

  /// How high it is.
  final double height;

  @override
  Widget build(BuildContext context) => Material(
    color: Theme.of(context).colorScheme.surfaceContainerLow,
    child: Container(
      height: height,
      padding: const EdgeInsets.only(left: 16, right: 12),
      child: Row(children: <Widget>[Expanded(child: Text(text)), action]),
    ),
  );
}
