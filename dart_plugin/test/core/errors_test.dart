import 'dart:convert';

import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

void main() {
  test('a reason of the gate has its type', () {
    for (final (String reason, String type) in <(String, String)>[
      ('not enabled', 'disabled'),
      ('zero rect', 'zero_rect'),
      ('off-viewport (rect=a, viewport=b)', 'off_viewport'),
      ('not stable (rect changed by 2.0px)', 'not_stable'),
      ('obscured by other widget (top=X)', 'obscured'),
      ('defunct (element no longer mounted)', 'stale'),
      ('not mounted', 'stale'),
      ('something else', 'unexpected'),
    ]) {
      expect(typeOfReason(reason), type);
    }
  });

  test('the detail text is JSON with an envelope', () {
    final TapirError error = TapirError.notActionable('e9', 'not enabled');
    expect(jsonDecode(error.encode()), <String, Object?>{
      'message': 'Widget ref=e9 is not actionable: not enabled',
      'envelope': <String, Object?>{
        'type': 'disabled',
        'suggestions': <Object?>[],
        'widget_path': 'e9',
      },
    });
  });

  test('without a ref there is no widget_path', () {
    final Object? details = jsonDecode(
      const TapirError.missingParam('gone').encode(),
    );
    expect((details! as Map<String, Object?>)['envelope'], <String, Object?>{
      'type': 'missing_param',
      'suggestions': <Object?>[],
    });
  });

  group('a long message is cut', () {
    test('after ten lines', () {
      final String text = List<String>.generate(14, (i) => 'line $i').join(
        '\n',
      );
      final List<String> lines = capMessage(text).split('\n');
      expect(lines, hasLength(11));
      expect(lines[9], 'line 9');
      expect(lines[10], contains('4 more lines'));
    });

    test('after 2048 characters', () {
      final String capped = capMessage('x' * 3000);
      expect(capped, startsWith('x' * 2048));
      expect(capped, contains('952 more characters'));
    });

    test('not when it is short', () {
      expect(capMessage('a\nb'), 'a\nb');
    });
  });

  group('suggestions', () {
    test('are near, best first, three at most', () {
      expect(
        suggestionsFor('e12', <String>['e1', 'e2', 'e13', 'Sign in', 'e12x']),
        <String>['e1', 'e2', 'e13'],
      );
    });

    test('take what starts with the query for near', () {
      expect(suggestionsFor('Sig', <String>['Sign in now']), <String>[
        'Sign in now',
      ]);
    });

    test('skip blanks, repeats and what lies beyond fifty', () {
      expect(
        suggestionsFor('ab', <String>[
          '',
          'ab',
          'ab',
          ...List<String>.filled(47, 'zzzzzzzz'),
          'abc',
        ]),
        <String>['ab'],
      );
    });

    test('count edits', () {
      expect(editDistance('', 'abc'), 3);
      expect(editDistance('kitten', 'sitting'), 3);
      expect(editDistance('same', 'same'), 0);
    });
  });

  group('JSON', () {
    test('is ASCII and reads back the same', () {
      final String odd =
          'a\u00e9\u65e5\u{1f389} \u0000\u001b\u007f\uffff"\\'
          '${String.fromCharCode(0xd83d)}';
      final String encoded = encodeJson(<String, Object?>{'odd': odd});
      expect(encoded.codeUnits.every((int unit) => unit < 0x7f), isTrue);
      expect(jsonDecode(encoded), <String, Object?>{'odd': odd});
    });

    test('has no number that JSON lacks', () {
      expect(
        const UiRect.fromLTRB(0, 0, double.nan, double.infinity).toJson(),
        <String, Object?>{'x': 0.0, 'y': 0.0, 'w': 0.0, 'h': 0.0},
      );
    });
  });
}
