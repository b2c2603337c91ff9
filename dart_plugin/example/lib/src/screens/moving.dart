/// Screens about time: something that loads, something that never stands
/// still.
library;

import 'dart:async';
import 'dart:math' as math;

import 'package:flutter/material.dart';
import 'package:tapir_replay/tapir_replay.dart';

import '../parts.dart';

const Duration _load = Duration(milliseconds: 900);
const Duration _slide = Duration(milliseconds: 500);
const double _slideDistance = 180;

/// `/loading`
class LoadingScreen extends StatefulWidget {
  /// Creates the screen.
  const LoadingScreen({super.key});

  @override
  State<LoadingScreen> createState() => _LoadingScreenState();
}

class _LoadingScreenState extends State<LoadingScreen> {
  bool _isLoading = false;
  int _orders = 0;

  Future<void> _start() async {
    if (_isLoading) return;
    setState(() => _isLoading = true);
    await TapirReplayPlugin.trackRequest(Future<void>.delayed(_load));
    if (!mounted) return;
    setState(() {
      _isLoading = false;
      _orders = 3;
    });
  }

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Orders',
    body: Things(<Widget>[
      FilledButton(
        key: const ValueKey<String>('load'),
        onPressed: () => unawaited(_start()),
        child: const Text('Load orders'),
      ),
      if (_isLoading)
        Semantics(
          key: const ValueKey<String>('spinner'),
          image: true,
          label: 'Loading',
          child: const CircularProgressIndicator(),
        )
      else if (_orders > 0) ...<Widget>[
        for (int number = 1; number <= _orders; number++)
          Text('Order $number'),
        Text('$_orders orders', key: const ValueKey<String>('order-count')),
      ],
    ]),
  );
}

/// `/motion`
class MotionScreen extends StatefulWidget {
  /// Creates the screen.
  const MotionScreen({super.key});

  @override
  State<MotionScreen> createState() => _MotionScreenState();
}

class _MotionScreenState extends State<MotionScreen>
    with TickerProviderStateMixin {
  late final AnimationController _circle = AnimationController(
    vsync: this,
    duration: const Duration(seconds: 2),
  );
  late final AnimationController _arrival = AnimationController(
    vsync: this,
    duration: _slide,
  );
  int _catches = 0;
  bool _hasSlid = false;

  @override
  void initState() {
    super.initState();
    unawaited(_circle.repeat());
    unawaited(_arrival.forward());
  }

  @override
  void dispose() {
    _circle.dispose();
    _arrival.dispose();
    super.dispose();
  }

  // Round and round: unlike a swing, it has no moment of rest.
  Offset get _orbit => Offset.fromDirection(_circle.value * 2 * math.pi, 60);

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Motion',
    body: Things(<Widget>[
      Text('Caught: $_catches', key: const ValueKey<String>('caught')),
      SizedBox(
        height: 240,
        child: Center(
          child: AnimatedBuilder(
            animation: _circle,
            builder:
                (BuildContext context, Widget? child) =>
                    Transform.translate(offset: _orbit, child: child),
            child: FilledButton(
              onPressed: () => setState(() => _catches++),
              child: const Text('Catch me'),
            ),
          ),
        ),
      ),
      OutlinedButton(
        onPressed: () => _circle.stop(),
        child: const Text('Stop'),
      ),
      AnimatedBuilder(
        animation: _arrival,
        builder:
            (BuildContext context, Widget? child) => Transform.translate(
              offset: Offset((1 - _arrival.value) * _slideDistance, 0),
              child: child,
            ),
        child: FilledButton.tonal(
          onPressed: () => setState(() => _hasSlid = true),
          child: const Text('Slide in'),
        ),
      ),
      Text(
        'Slid: ${_hasSlid ? 'yes' : 'no'}',
        key: const ValueKey<String>('slid'),
      ),
    ]),
  );
}
