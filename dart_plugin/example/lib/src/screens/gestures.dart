/// More than taps.
library;

import 'package:flutter/gestures.dart';
import 'package:flutter/material.dart';
import 'package:flutter/services.dart';

import '../parts.dart';

/// `/gestures`
class GesturesScreen extends StatefulWidget {
  /// Creates the screen.
  const GesturesScreen({super.key});

  @override
  State<GesturesScreen> createState() => _GesturesScreenState();
}

class _GesturesScreenState extends State<GesturesScreen> {
  final FocusNode _note = FocusNode();
  String _gesture = 'none';
  String _lastKey = 'none';
  int _drops = 0;

  @override
  void initState() {
    super.initState();
    _note.addListener(() => setState(() {}));
  }

  @override
  void dispose() {
    _note.dispose();
    super.dispose();
  }

  void _saw(String gesture) => setState(() => _gesture = gesture);

  KeyEventResult _heard(FocusNode _, KeyEvent event) {
    final LogicalKeyboardKey key = event.logicalKey;
    if (event is! KeyDownEvent || _modifiers.contains(key)) {
      return KeyEventResult.ignored;
    }
    final HardwareKeyboard keyboard = HardwareKeyboard.instance;
    final String name = <String>[
      if (keyboard.isControlPressed) 'Control',
      if (keyboard.isShiftPressed) 'Shift',
      if (keyboard.isAltPressed) 'Alt',
      if (keyboard.isMetaPressed) 'Meta',
      key.keyLabel.replaceAll(' ', ''),
    ].join('+');
    setState(() => _lastKey = name);
    return KeyEventResult.ignored;
  }

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Gestures',
    makesRoom: false,
    body: Things(<Widget>[
      Text('Last gesture: $_gesture', key: const ValueKey<String>('gesture')),
      _Pad(_saw),
      Focus(
        canRequestFocus: false,
        skipTraversal: true,
        onKeyEvent: _heard,
        child: Field(
          'Note',
          key: const ValueKey<String>('note'),
          focusNode: _note,
        ),
      ),
      Text(
        'Note: ${_note.hasFocus ? 'focused' : 'not focused'}',
        key: const ValueKey<String>('note-focus'),
      ),
      Text('Last key: $_lastKey', key: const ValueKey<String>('last-key')),
      Draggable<String>(
        data: 'card',
        feedback: const Material(child: Text('A card')),
        child: FilledButton.tonal(onPressed: () {}, child: const Text('Card')),
      ),
      DragTarget<String>(
        onAcceptWithDetails: (_) => setState(() => _drops++),
        builder:
            (BuildContext context, _, __) => Semantics(
              image: true,
              label: 'Basket',
              child: Container(
                height: 110,
                decoration: BoxDecoration(border: Border.all()),
              ),
            ),
      ),
      Text('Basket: $_drops', key: const ValueKey<String>('basket')),
    ]),
  );
}

final Set<LogicalKeyboardKey> _modifiers = <LogicalKeyboardKey>{
  LogicalKeyboardKey.controlLeft,
  LogicalKeyboardKey.shiftLeft,
  LogicalKeyboardKey.altLeft,
  LogicalKeyboardKey.metaLeft,
};

/// What hears every gesture.
class _Pad extends StatelessWidget {
  const _Pad(this.onGesture);

  final ValueChanged<String> onGesture;

  void _tapped(SerialTapUpDetails details) => onGesture(switch (details.count) {
    1 => 'tap',
    2 => 'double tap',
    _ => 'triple tap',
  });

  @override
  Widget build(BuildContext context) => Semantics(
    key: const ValueKey<String>('pad'),
    button: true,
    label: 'Pad',
    onTap: () => onGesture('tap'),
    child: MouseRegion(
      onHover: (_) => onGesture('hover'),
      child: RawGestureDetector(
        excludeFromSemantics: true,
        gestures: <Type, GestureRecognizerFactory>{
          SerialTapGestureRecognizer:
              GestureRecognizerFactoryWithHandlers<SerialTapGestureRecognizer>(
                () => SerialTapGestureRecognizer(
                  allowedButtonsFilter:
                      (int buttons) => buttons == kPrimaryButton,
                ),
                (SerialTapGestureRecognizer taps) {
                  taps.onSerialTapUp = _tapped;
                },
              ),
        },
        child: GestureDetector(
          excludeFromSemantics: true,
          onLongPress: () => onGesture('long press'),
          onSecondaryTap: () => onGesture('secondary tap'),
          child: Container(
            height: 110,
            alignment: Alignment.center,
            color: Theme.of(context).colorScheme.secondaryContainer,
            child: const ExcludeSemantics(child: Text('Pad')),
          ),
        ),
      ),
    ),
  );
}
