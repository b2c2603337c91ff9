import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

Params _params(Map<String, String> values) => Params('ext.tapir.try', values);

void main() {
  group('flag', () {
    test('is the default when absent or empty', () {
      for (final bool orElse in <bool>[true, false]) {
        expect(_params({}).flag('a', orElse: orElse), orElse);
        expect(_params({'a': ''}).flag('a', orElse: orElse), orElse);
      }
    });

    test('is false for "false" and "0" and true for anything else', () {
      for (final String text in <String>['false', '0']) {
        expect(_params({'a': text}).flag('a', orElse: true), isFalse);
      }
      for (final String text in <String>['true', '1', 'no', 'False', ' ']) {
        expect(_params({'a': text}).flag('a', orElse: false), isTrue);
      }
    });

    test('of the strict kind is true for two spellings', () {
      expect(_params({'a': 'true'}).strictFlag('a'), isTrue);
      expect(_params({'a': '1'}).strictFlag('a'), isTrue);
      for (final String text in <String>['', 'yes', 'TRUE', 'false']) {
        expect(_params({'a': text}).strictFlag('a'), isFalse);
      }
      expect(_params({}).strictFlag('a'), isFalse);
    });
  });

  group('numbers', () {
    test('that cannot be read are the default', () {
      expect(_params({'a': '7'}).integer('a', orElse: 1), 7);
      for (final String text in <String>['', 'x', '1.5', '1e3']) {
        expect(_params({'a': text}).integer('a', orElse: 1), 1);
      }
      expect(_params({'a': '-2.5'}).number('a'), -2.5);
      for (final String text in <String>['', 'x', 'NaN', 'Infinity']) {
        expect(_params({'a': text}).number('a'), isNull);
      }
    });
  });

  group('text', () {
    test('that is empty counts as absent, but was sent', () {
      final Params params = _params({'a': ''});
      expect(params.text('a'), isNull);
      expect(params.raw('a'), '');
      expect(params.has('a'), isTrue);
      expect(params.has('b'), isFalse);
    });

    test('that is required names what is missing', () {
      expect(
        () => _params({'a': ''}).required('a'),
        throwsA(
          isA<TapirError>()
              .having((e) => e.type, 'type', ErrorType.missingParam)
              .having(
                (e) => e.message,
                'message',
                'ext.tapir.try: missing required param "a"',
              ),
        ),
      );
    });

    test('lists drop blanks', () {
      expect(_params({'a': ' b, c ,,d'}).list('a'), <String>['b', 'c', 'd']);
      expect(_params({}).list('a'), isEmpty);
    });
  });

  group('keys', () {
    test('go by their name in any case', () {
      expect(keyNamed('enter'), 'Enter');
      expect(keyNamed('ARROWDOWN'), 'ArrowDown');
      expect(keyNamed('s'), 'S');
      expect(keyNamed('7'), '7');
      expect(keyNamed('F13'), isNull);
      expect(keyNamed('\u00e9'), isNull);
      expect(keyNamed(''), isNull);
    });

    test('modifiers too', () {
      expect(modifierNamed('CTRL'), UiModifier.control);
      expect(modifierNamed('Shift'), UiModifier.shift);
      expect(modifierNamed('hyper'), isNull);
    });
  });
}
