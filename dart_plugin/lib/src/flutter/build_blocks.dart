/// What was built in a frame, by widget.
library;

import 'package:flutter/foundation.dart';

import '../core/ui.dart';

/// The framework's own phases: `BUILD`, `LAYOUT (root)` and the like.
final RegExp _phase = RegExp(r'^[A-Z ]+( \(.*\))?$');

/// The blocks of [timed] by name, with the time each took by itself: without
/// what was built inside it.
Map<String, UiBlock> blocksOf(List<TimedBlock> timed) {
  final List<TimedBlock> sorted = <TimedBlock>[...timed]
    ..sort((TimedBlock a, TimedBlock b) {
      final int byStart = a.start.compareTo(b.start);
      return byStart != 0 ? byStart : b.end.compareTo(a.end);
    });
  final Map<String, UiBlock> found = <String, UiBlock>{};
  final List<(TimedBlock, double)> open = <(TimedBlock, double)>[];
  void close() {
    final (TimedBlock block, double inner) = open.removeLast();
    if (_phase.hasMatch(block.name)) return;
    final UiBlock? sum = found[block.name];
    // In microseconds, like everything the timeline measures.
    final int self = (block.duration - inner).round();
    found[block.name] = UiBlock(
      selfUs: (sum?.selfUs ?? 0) + (self < 0 ? 0 : self),
      count: (sum?.count ?? 0) + 1,
    );
  }

  for (final TimedBlock each in sorted) {
    while (open.isNotEmpty && open.last.$1.end <= each.start) {
      close();
    }
    if (open.isNotEmpty) {
      final (TimedBlock outer, double inner) = open.removeLast();
      open.add((outer, inner + each.duration));
    }
    open.add((each, 0));
  }
  while (open.isNotEmpty) {
    close();
  }
  return found;
}
