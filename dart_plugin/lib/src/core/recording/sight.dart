/// What a person sees of the app, and what is different a while later.
library;

import '../described.dart';
import '../geometry.dart';
import '../query.dart';
import '../roles.dart';
import '../screen.dart';
import '../ui.dart';

/// The most texts told as come or gone.
const int _maxTexts = 20;

/// The most characters of a text that is told as come or gone.
const int _maxCharacters = 200;

/// What a person sees at one moment.
final class Sight {
  /// Reads [screen], which is at [route].
  Sight(this.screen, this.route) {
    for (final UiSemantics node in screen.nodes) {
      if (node.isSpokenOnly) continue;
      final String text =
          node.label.isEmpty && !node.isTextField ? node.value : node.label;
      if (text.isEmpty || texts.containsKey(text)) continue;
      if (text.length > _maxCharacters &&
          text.runes.length > _maxCharacters) {
        continue;
      }
      final UiRect rect = node.rect;
      if (rect.isEmpty || !isInViewport(rect, screen.viewport)) continue;
      final UiElement? element = node.element;
      _nodes[text] = node;
      texts[text] = <String, Object?>{
        'text': text,
        'role': roleOf(node) ?? '',
        if (element != null)
          if (lastingKeyOf(element) case final String key) 'key': key,
      };
    }
  }

  /// The screen it is of.
  final ScreenIndex screen;

  /// Where the app is.
  final String route;

  /// The texts that can be seen, in tree order.
  final Map<String, Map<String, Object?>> texts =
      <String, Map<String, Object?>>{};

  final Map<String, UiSemantics> _nodes = <String, UiSemantics>{};

  /// The texts that came since [before]: nothing covers them.
  List<Object?> since(Sight before) => _told(
    _without(before).where(
      (String each) => !isOccluded(screen, _nodes[each]!),
    ),
    screen,
  );

  /// The texts that are gone since [before].
  List<Object?> gone(Sight before) =>
      before._told(before._without(this), screen);

  Iterable<String> _without(Sight other) =>
      texts.keys.where((String each) => !other.texts.containsKey(each));

  /// What is told of [some] of the texts, with how many [now] has of each.
  List<Object?> _told(Iterable<String> some, ScreenIndex now) => <Object?>[
    for (final Map<String, Object?> each in some
        .take(_maxTexts)
        .map((String each) => texts[each]!))
      <String, Object?>{
        ...each,
        'count': Query(text: each['text']! as String).run(now).length,
        if (_alike(each['text']! as String) case final int alike)
          'alike': alike,
      },
  ];

  /// How many texts are [text] but for the numbers in it; null without any.
  int? _alike(String text) {
    final String shape = _shapeOf(text);
    if (shape == text) return null;
    return texts.keys.where((String each) => _shapeOf(each) == shape).length;
  }

  static final RegExp _numbers = RegExp('[0-9]+');

  static String _shapeOf(String text) => text.replaceAll(_numbers, '\u0000');
}
