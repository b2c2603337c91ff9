/// Screens about what lies above what: popups, a banner that covers a button.
library;

import 'dart:async';

import 'package:flutter/material.dart';

import '../parts.dart';

const Duration _later = Duration(milliseconds: 400);

/// `/overlays`
class OverlaysScreen extends StatefulWidget {
  /// Creates the screen.
  const OverlaysScreen({super.key});

  @override
  State<OverlaysScreen> createState() => _OverlaysScreenState();
}

class _OverlaysScreenState extends State<OverlaysScreen> {
  String _result = 'none';

  Future<void> _open(Future<String?> popup) async {
    final String? result = await popup;
    if (result != null && mounted) setState(() => _result = result);
  }

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Overlays',
    body: Things(<Widget>[
      Text('Result: $_result', key: const ValueKey<String>('result')),
      FilledButton(
        onPressed: () => unawaited(_open(_openDialog(context))),
        child: const Text('Open dialog'),
      ),
      FilledButton.tonal(
        onPressed: () => unawaited(_open(_openSheet(context))),
        child: const Text('Open sheet'),
      ),
    ]),
  );
}

Future<String?> _openDialog(BuildContext context) => Navigator.of(
  context,
  rootNavigator: true,
).push<String>(_QuestionRoute());

/// A dialog that is there at once, and whose barrier says nothing: it would
/// have the whole dialog inside it.
class _QuestionRoute extends RawDialogRoute<String> {
  _QuestionRoute()
    : super(
        barrierLabel: 'Dismiss',
        transitionDuration: Duration.zero,
        pageBuilder: (_, __, ___) => const _Question(),
      );

  @override
  bool get semanticsDismissible => false;
}

class _Question extends StatelessWidget {
  const _Question();

  @override
  Widget build(BuildContext context) => Dialog(
    child: Semantics(
      container: true,
      explicitChildNodes: true,
      child: Padding(
        padding: const EdgeInsets.all(24),
        child: Column(
          mainAxisSize: MainAxisSize.min,
          crossAxisAlignment: CrossAxisAlignment.start,
          spacing: gap,
          children: <Widget>[
            const Heading('Delete everything?'),
            const Text('This cannot be undone.'),
            OverflowBar(
              children: <Widget>[
                TextButton(
                  onPressed: () => Navigator.pop(context, 'cancelled'),
                  child: const Text('Cancel'),
                ),
                TextButton(
                  onPressed: () => Navigator.pop(context, 'deleted'),
                  child: const Text('Delete all'),
                ),
              ],
            ),
          ],
        ),
      ),
    ),
  );
}

Future<String?> _openSheet(BuildContext context) =>
    showModalBottomSheet<String>(
      context: context,
      useRootNavigator: true,
      sheetAnimationStyle: AnimationStyle.noAnimation,
      builder:
          (BuildContext context) => Column(
            mainAxisSize: MainAxisSize.min,
            crossAxisAlignment: CrossAxisAlignment.stretch,
            children: <Widget>[
              TextButton(
                onPressed: () => Navigator.pop(context, 'shared'),
                child: const Text('Share'),
              ),
              TextButton(
                onPressed: () => Navigator.pop(context, 'copied'),
                child: const Text('Copy link'),
              ),
            ],
          ),
    );

/// `/covered`
class CoveredScreen extends StatefulWidget {
  /// Creates the screen.
  const CoveredScreen({super.key});

  @override
  State<CoveredScreen> createState() => _CoveredScreenState();
}

class _CoveredScreenState extends State<CoveredScreen> {
  bool _hasBought = false;
  bool _isCovered = true;
  Timer? _closing;

  @override
  void dispose() {
    _closing?.cancel();
    super.dispose();
  }

  void _close() => setState(() => _isCovered = false);

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Shop',
    body: Stack(
      fit: StackFit.expand,
      children: <Widget>[
        Things(<Widget>[
          Text(
            _hasBought ? 'Bought' : 'Nothing bought',
            key: const ValueKey<String>('bought'),
          ),
          WideButton('Buy', () => setState(() => _hasBought = true)),
        ]),
        if (_isCovered)
          CookieBanner(
            onAccept: _close,
            onLater: () => _closing ??= Timer(_later, _close),
          ),
      ],
    ),
  );
}

/// What covers the shop.
class CookieBanner extends StatelessWidget {
  /// Creates the banner.
  const CookieBanner({
    required this.onAccept,
    required this.onLater,
    super.key,
  });

  /// Closes it.
  final VoidCallback onAccept;

  /// Closes it after a while.
  final VoidCallback onLater;

  @override
  Widget build(BuildContext context) => Positioned(
    top: 44,
    left: 0,
    right: 0,
    child: Material(
      color: Theme.of(context).colorScheme.secondaryContainer,
      child: Things(<Widget>[
        const Heading('Cookies'),
        Row(
          spacing: gap,
          children: <Widget>[
            FilledButton(
              onPressed: onAccept,
              child: const Text('Accept cookies'),
            ),
            TextButton(onPressed: onLater, child: const Text('Ask me later')),
          ],
        ),
      ]),
    ),
  );
}
