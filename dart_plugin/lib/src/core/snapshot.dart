/// The screen as text, and what changed in it.
library;

import 'refs.dart';
import 'roles.dart';
import 'screen.dart';
import 'tap_owner.dart';
import 'ui.dart';

/// What a snapshot shows.
final class SnapshotOptions {
  /// Creates options; without any, the whole screen is shown.
  const SnapshotOptions({
    this.depth,
    this.within,
    this.interactiveOnly = false,
    this.matches,
    this.enrich,
  });

  /// The deepest level of indentation that is still shown.
  final int? depth;

  /// Only what is at or below this element.
  final UiElement? within;

  /// Leaves out the plain text lines.
  final bool interactiveOnly;

  /// Only nodes whose label or value it holds for, and those above them.
  final bool Function(String text)? matches;

  /// Further lines for an element.
  final List<String> Function(UiElement element)? enrich;

  /// Whether anything is left out.
  bool get isFiltered =>
      depth != null || within != null || interactiveOnly || matches != null;
}

/// Writes [screen] as lines of text, each with its line break.
String writeSnapshot(
  ScreenIndex screen,
  Refs refs, [
  SnapshotOptions options = const SnapshotOptions(),
]) => _Writer(screen, refs, options).write();

final class _Line {
  _Line(this.node, this.text, this.below);

  final UiSemantics node;
  final String text;
  final List<String> below;
  final List<_Line> children = <_Line>[];
  bool isKept = true;
}

final class _Writer {
  _Writer(this.screen, this.refs, this.options);

  final ScreenIndex screen;
  final Refs refs;
  final SnapshotOptions options;
  final StringBuffer out = StringBuffer();

  String write() {
    final UiSemantics? root = screen.tree.semanticsRoot;
    if (root == null) return '';
    final List<_Line> lines = <_Line>[];
    _collect(root, lines, null);
    if (options.matches != null) lines.forEach(_mark);
    for (final _Line line in lines) {
      _print(line, 0);
    }
    return out.toString();
  }

  void _collect(UiSemantics node, List<_Line> into, UiSemantics? field) {
    final _Line? line =
        node.isMergedIntoParent || !_isInScope(node) || _isInside(node, field)
            ? null
            : _lineOf(node);
    if (line != null) into.add(line);
    final List<_Line> target = line?.children ?? into;
    final UiSemantics? outer = node.isTextField ? field ?? node : field;
    for (final UiSemantics child in node.children) {
      _collect(child, target, outer);
    }
  }

  /// Whether [node] is the second of the two nodes of one text field.
  bool _isInside(UiSemantics node, UiSemantics? field) {
    if (field == null || !node.isTextField) return false;
    final UiElement? inner = node.element;
    final UiElement? outer = field.element;
    return inner != null && outer != null && isAtOrBelow(inner, outer);
  }

  bool _isInScope(UiSemantics node) {
    final UiElement? within = options.within;
    if (within == null) return true;
    final UiElement? element = node.element;
    return element != null && isAtOrBelow(element, within);
  }

  _Line? _lineOf(UiSemantics node) {
    final String? role = roleOf(node);
    if (role == null) return _textLineOf(node);
    final UiElement? element = node.element;
    if (element == null) return null;
    final String token = refs.ofNode(screen, node).token;
    final StringBuffer text = StringBuffer()
      ..write('- ')
      ..write(role)
      ..write(' "')
      ..write(_escape(node.label))
      ..write('"');
    if (node.value.isNotEmpty) text.write(': "${_escape(node.value)}"');
    text.write(' [ref=$token]');
    if (!node.rect.isEmpty) {
      if (!isInViewport(node.rect, screen.viewport)) {
        text.write(' [offscreen]');
      } else if (isOccluded(screen, node)) {
        text.write(' [occluded]');
      }
    }
    return _Line(node, text.toString(), _below(node, element, role));
  }

  List<String> _below(UiSemantics node, UiElement element, String role) {
    final List<String> below = <String>[];
    if (role == Role.textbox) below.add('typeable: true');
    if (element.overflows) below.add('overflow: true');
    if (node.mergesDescendants) {
      final TapOwner? owner = tapOwnerOf(screen, node);
      if (owner != null) {
        final List<String> fields = <String>[
          for (final MapEntry<String, Object?> each
              in owner.rect.toJson().entries)
            '"${each.key}":${each.value}',
        ];
        below.add('tapOwner: {${fields.join(',')}}');
        if (owner.isCentreHandled) below.add('centreHandled: true');
        if (!owner.canRetarget) below.add('retargets: false');
      }
    }
    final List<String> Function(UiElement)? enrich = options.enrich;
    if (enrich != null) below.addAll(enrich(element));
    return below;
  }

  _Line? _textLineOf(UiSemantics node) {
    if (options.interactiveOnly) return null;
    final String text = node.value.isNotEmpty ? node.value : node.label;
    if (text.isEmpty) return null;
    return _Line(node, '- text "${_escape(text)}"', const <String>[]);
  }

  bool _mark(_Line line) {
    final bool Function(String) matches = options.matches!;
    bool kept = matches(line.node.label) || matches(line.node.value);
    for (final _Line child in line.children) {
      if (_mark(child)) kept = true;
    }
    return line.isKept = kept;
  }

  void _print(_Line line, int depth) {
    final int? most = options.depth;
    if (!line.isKept || (most != null && depth > most)) return;
    final String indent = '  ' * depth;
    out
      ..write(indent)
      ..writeln(line.text);
    for (final String each in line.below) {
      out
        ..write(indent)
        ..write('  ')
        ..writeln(each);
    }
    for (final _Line child in line.children) {
      _print(child, depth + 1);
    }
  }

  static String _escape(String text) {
    if (!text.contains('"') && !text.contains(r'\')) return text;
    return text.replaceAll(r'\', r'\\').replaceAll('"', r'\"');
  }
}
