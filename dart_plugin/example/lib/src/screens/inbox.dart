/// Messages that come in above the others.
library;

import 'dart:async';

import 'package:flutter/material.dart';

import '../parts.dart';

const double _pull = 100;
const Duration _fetch = Duration(milliseconds: 300);

/// `/inbox`
class InboxScreen extends StatefulWidget {
  /// Creates the screen.
  const InboxScreen({super.key});

  @override
  State<InboxScreen> createState() => _InboxScreenState();
}

class _InboxScreenState extends State<InboxScreen> {
  final ScrollController _scroll = ScrollController();
  final List<int> _messages = <int>[3, 2, 1];
  int _newest = 3;
  Timer? _fetching;
  double? _pressedAt;

  @override
  void dispose() {
    _fetching?.cancel();
    _scroll.dispose();
    super.dispose();
  }

  void _refresh() {
    if (_fetching != null) return;
    setState(() {
      _fetching = Timer(_fetch, () {
        setState(() {
          _fetching = null;
          _messages.insert(0, ++_newest);
        });
      });
    });
  }

  void _released(double y) {
    final double? start = _pressedAt;
    if (start != null && y - start >= _pull) _refresh();
  }

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Inbox',
    body: Column(
      crossAxisAlignment: CrossAxisAlignment.start,
      children: <Widget>[
        Padding(
          padding: const EdgeInsets.all(gap),
          child: FilledButton.tonal(
            onPressed: _refresh,
            child: const Text('Refresh'),
          ),
        ),
        Expanded(
          child: Listener(
            onPointerDown: (PointerDownEvent event) {
              _pressedAt = _scroll.offset <= 0 ? event.position.dy : null;
            },
            onPointerUp: (PointerUpEvent event) => _released(event.position.dy),
            child: SingleChildScrollView(
              key: const ValueKey<String>('inbox'),
              controller: _scroll,
              physics: const AlwaysScrollableScrollPhysics(),
              child: Column(
                children: <Widget>[
                  if (_fetching != null)
                    Semantics(
                      image: true,
                      label: 'Refreshing',
                      child: const Padding(
                        padding: EdgeInsets.all(gap),
                        child: CircularProgressIndicator(),
                      ),
                    ),
                  for (final int number in _messages) _message(number),
                ],
              ),
            ),
          ),
        ),
      ],
    ),
  );

  Widget _message(int number) => ActionRow(
    key: ValueKey<String>('message-$number'),
    height: 88,
    text: 'Message $number',
    action: TextButton(
      key: ValueKey<String>('archive-$number'),
      onPressed: () => setState(() => _messages.remove(number)),
      child: const Text('Archive'),
    ),
  );
}
