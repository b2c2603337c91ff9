/// Errors, log lines and odd texts.
library;

import 'package:flutter/material.dart';

import '../parts.dart';

final String _oddText = <String>[
  'Odd: \u{1f469}\u200d\u{1f4bb}\u{1f389} \u65e5\u672c\u8a9e',
  '\u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u05e2\u05d1\u05e8\u05d9',
  'e\u0301a\u0308 <b>&"quotes"</b>',
  'nul:\u0000 esc:\u001b end:\uffff half:',
].join(' ');

/// Half of a character: it can be said, and not be drawn.
final String _half = String.fromCharCode(0xd83d);

/// `/errors`
class ErrorsScreen extends StatefulWidget {
  /// Creates the screen.
  const ErrorsScreen({super.key});

  @override
  State<ErrorsScreen> createState() => _ErrorsScreenState();
}

class _ErrorsScreenState extends State<ErrorsScreen> {
  bool _isOdd = false;
  bool _isOverflowing = false;

  void _raise() {
    try {
      throw StateError('Something broke on purpose');
    } on StateError catch (error, stack) {
      FlutterError.reportError(
        FlutterErrorDetails(
          exception: error,
          stack: stack,
          library: 'tapir demo',
        ),
      );
    }
  }

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Errors',
    body: Things(<Widget>[
      FilledButton(onPressed: _raise, child: const Text('Raise an error')),
      FilledButton.tonal(
        onPressed: () => setState(() => _isOverflowing = true),
        child: const Text('Overflow'),
      ),
      FilledButton(
        onPressed: () => debugPrint('a line from the app'),
        child: const Text('Log a line'),
      ),
      OutlinedButton(
        onPressed: () => setState(() => _isOdd = true),
        child: const Text('Odd text'),
      ),
      if (_isOverflowing)
        LayoutBuilder(
          builder:
              (BuildContext context, BoxConstraints room) => Row(
                children: <Widget>[
                  SizedBox(
                    width: room.maxWidth + 42,
                    child: const FilledButton(
                      onPressed: null,
                      child: Text('Wide row'),
                    ),
                  ),
                ],
              ),
        ),
      if (_isOdd)
        Text(
          '$_oddText\ufffd',
          key: const ValueKey<String>('odd'),
          semanticsLabel: '$_oddText$_half',
        ),
    ]),
  );
}
