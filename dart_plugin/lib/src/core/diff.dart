/// What changed between two snapshots.
library;

/// The lines of [after] that differ from [before], with a footer.
///
/// A removed line starts with `- `, an added one with `+ `; a changed line is
/// one of each. The footer tells how many lines changed of how many there are.
String diffSnapshots(String before, String after) {
  final List<String> old = _lines(before);
  final List<String> fresh = _lines(after);
  int top = 0;
  while (top < old.length && top < fresh.length && old[top] == fresh[top]) {
    top++;
  }
  int oldEnd = old.length;
  int freshEnd = fresh.length;
  while (oldEnd > top &&
      freshEnd > top &&
      old[oldEnd - 1] == fresh[freshEnd - 1]) {
    oldEnd--;
    freshEnd--;
  }
  final StringBuffer out = StringBuffer();
  final int changed = _writeChanges(
    out,
    old.sublist(top, oldEnd),
    fresh.sublist(top, freshEnd),
  );
  out.writeln('($changed of ${fresh.length} lines changed)');
  return out.toString();
}

List<String> _lines(String text) {
  if (text.isEmpty) return const <String>[];
  final List<String> lines = text.split('\n');
  if (lines.last.isEmpty) lines.removeLast();
  return lines;
}

int _writeChanges(StringBuffer out, List<String> old, List<String> fresh) {
  final List<List<int>> common = _commonLengths(old, fresh);
  int changed = 0;
  int i = 0;
  int j = 0;
  final List<String> removed = <String>[];
  final List<String> added = <String>[];
  void flush() {
    final int pairs =
        removed.length > added.length ? removed.length : added.length;
    for (int k = 0; k < pairs; k++) {
      if (k < removed.length) out.writeln('- ${removed[k]}');
      if (k < added.length) out.writeln('+ ${added[k]}');
    }
    changed += pairs;
    removed.clear();
    added.clear();
  }

  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] == fresh[j]) {
      flush();
      i++;
      j++;
    } else if (j >= fresh.length ||
        (i < old.length && common[i + 1][j] >= common[i][j + 1])) {
      removed.add(old[i++]);
    } else {
      added.add(fresh[j++]);
    }
  }
  flush();
  return changed;
}

/// The length of the longest common subsequence from each pair of positions.
List<List<int>> _commonLengths(List<String> a, List<String> b) {
  final List<List<int>> table = List<List<int>>.generate(
    a.length + 1,
    (_) => List<int>.filled(b.length + 1, 0),
  );
  for (int i = a.length - 1; i >= 0; i--) {
    for (int j = b.length - 1; j >= 0; j--) {
      if (a[i] == b[j]) {
        table[i][j] = table[i + 1][j + 1] + 1;
      } else {
        final int down = table[i + 1][j];
        final int right = table[i][j + 1];
        table[i][j] = down > right ? down : right;
      }
    }
  }
  return table;
}
