/// A stand-in for `package:test`, for places where it cannot be fetched.
///
/// It has the part of the API that the tests of this package use, runs the
/// tests of one file one after the other, prints a line for each, and ends
/// with a non-zero exit code when one fails.
library;

import 'dart:async';
import 'dart:io';

final class _Case {
  _Case(this.name, this.body, this.setUps, this.tearDowns);

  final String name;
  final FutureOr<void> Function() body;
  final List<FutureOr<void> Function()> setUps;
  final List<FutureOr<void> Function()> tearDowns;
}

final class _Scope {
  _Scope(this.name);

  final String name;
  final List<FutureOr<void> Function()> setUps =
      <FutureOr<void> Function()>[];
  final List<FutureOr<void> Function()> tearDowns =
      <FutureOr<void> Function()>[];
}

final List<_Scope> _scopes = <_Scope>[_Scope('')];
final List<_Case> _cases = <_Case>[];

/// Adds a test.
void test(String description, FutureOr<void> Function() body) {
  if (_cases.isEmpty) Timer.run(() => unawaited(_run()));
  _cases.add(
    _Case(
      <String>[
        for (final _Scope scope in _scopes)
          if (scope.name.isNotEmpty) scope.name,
        description,
      ].join(' '),
      body,
      <FutureOr<void> Function()>[
        for (final _Scope scope in _scopes) ...scope.setUps,
      ],
      <FutureOr<void> Function()>[
        for (final _Scope scope in _scopes.reversed) ...scope.tearDowns,
      ],
    ),
  );
}

/// Adds the tests that [body] declares under a common name.
void group(String description, void Function() body) {
  _scopes.add(_Scope(description));
  try {
    body();
  } finally {
    _scopes.removeLast();
  }
}

/// Runs [body] before each of the tests declared after it in its group.
void setUp(FutureOr<void> Function() body) => _scopes.last.setUps.add(body);

/// Runs [body] after each of the tests declared after it in its group.
void tearDown(FutureOr<void> Function() body) =>
    _scopes.last.tearDowns.add(body);

Future<void> _run() async {
  int failed = 0;
  for (final _Case each in _cases) {
    try {
      for (final FutureOr<void> Function() before in each.setUps) {
        await before();
      }
      try {
        await each.body();
      } finally {
        for (final FutureOr<void> Function() after in each.tearDowns) {
          await after();
        }
      }
      stdout.writeln('ok   ${each.name}');
    } on Object catch (error, stack) {
      failed++;
      stdout.writeln('FAIL ${each.name}\n$error\n$stack');
    }
  }
  stdout.writeln('${_cases.length - failed} passed, $failed failed');
  exitCode = failed == 0 ? 0 : 1;
}

/// Thrown by [expect] and [fail].
final class TestFailure implements Exception {
  /// Creates a failure.
  TestFailure(this.message);

  /// What did not hold.
  final String message;

  @override
  String toString() => message;
}

/// Fails the test.
Never fail(String message) => throw TestFailure(message);

/// Fails the test unless [actual] matches [matcher].
void expect(Object? actual, Object? matcher, {String? reason}) {
  final Matcher wanted = wrapMatcher(matcher);
  if (wanted.matches(actual)) return;
  throw TestFailure(
    <String>[
      'Expected: ${wanted.description}',
      '  Actual: ${_show(actual)}',
      if (reason != null) reason,
    ].join('\n'),
  );
}

/// As [expect], for matchers that wait.
Future<void> expectLater(Object? actual, Object? matcher) async {
  if (matcher is _ThrowsMatcher) {
    expect(await matcher.matchesLater(actual), isTrue, reason: 'must throw');
    return;
  }
  expect(actual is Future<Object?> ? await actual : actual, matcher);
}

String _show(Object? value) => value is String ? '"$value"' : '$value';

/// Something a value can be compared with.
abstract class Matcher {
  /// Creates a matcher.
  const Matcher();

  /// Whether [item] fits.
  bool matches(Object? item);

  /// What would fit.
  String get description;
}

final class _Predicate extends Matcher {
  const _Predicate(this.description, this.test);

  @override
  final String description;

  final bool Function(Object? item) test;

  @override
  bool matches(Object? item) => test(item);
}

/// [value] itself if it is a matcher, else one for being equal to it.
Matcher wrapMatcher(Object? value) => value is Matcher ? value : equals(value);

bool _deepEquals(Object? a, Object? b) {
  if (a is Map && b is Map) {
    return a.length == b.length &&
        a.keys.every(
          (Object? key) => b.containsKey(key) && _deepEquals(a[key], b[key]),
        );
  }
  if (a is Set && b is Set) {
    return a.length == b.length && a.containsAll(b);
  }
  if (a is Iterable && b is Iterable) {
    final List<Object?> first = a.toList();
    final List<Object?> second = b.toList();
    if (first.length != second.length) return false;
    for (int i = 0; i < first.length; i++) {
      if (!_deepEquals(first[i], second[i])) return false;
    }
    return true;
  }
  return a == b;
}

/// Equal, collections by what is in them.
Matcher equals(Object? expected) => _Predicate(
  _show(expected),
  (Object? item) => _deepEquals(item, expected),
);

/// The same object.
Matcher same(Object? expected) => _Predicate(
  'same as $expected',
  (Object? item) => identical(item, expected),
);

/// Fits when [matcher] does not.
Matcher isNot(Object? matcher) {
  final Matcher inner = wrapMatcher(matcher);
  return _Predicate(
    'not ${inner.description}',
    (Object? item) => !inner.matches(item),
  );
}

/// True.
final Matcher isTrue = equals(true);

/// False.
final Matcher isFalse = equals(false);

/// Null.
final Matcher isNull = equals(null);

/// Not null.
final Matcher isNotNull = isNot(isNull);

/// Without anything in it.
final Matcher isEmpty = _Predicate('empty', (Object? item) {
  return switch (item) {
    final String text => text.isEmpty,
    final Iterable<Object?> list => list.isEmpty,
    final Map<Object?, Object?> map => map.isEmpty,
    _ => false,
  };
});

/// With something in it.
final Matcher isNotEmpty = isNot(isEmpty);

/// With [expected] in it: a part, an element or a key.
Matcher contains(Object? expected) => _Predicate(
  'contains ${_show(expected)}',
  (Object? item) => switch (item) {
    final String text => text.contains(expected! as Pattern),
    final Map<Object?, Object?> map => map.containsKey(expected),
    final Iterable<Object?> list =>
      expected is Matcher
          ? list.any(expected.matches)
          : list.any((Object? each) => _deepEquals(each, expected)),
    _ => false,
  },
);

/// With [key] in it, which holds [value].
Matcher containsPair(Object? key, Object? value) {
  final Matcher inner = wrapMatcher(value);
  return _Predicate(
    'contains pair $key => ${inner.description}',
    (Object? item) =>
        item is Map && item.containsKey(key) && inner.matches(item[key]),
  );
}

/// Beginning with [prefix].
Matcher startsWith(String prefix) => _Predicate(
  'starts with ${_show(prefix)}',
  (Object? item) => item is String && item.startsWith(prefix),
);

/// Of the given length.
Matcher hasLength(Object? length) {
  final Matcher inner = wrapMatcher(length);
  return _Predicate(
    'of length ${inner.description}',
    (Object? item) => switch (item) {
      final String text => inner.matches(text.length),
      final Iterable<Object?> list => inner.matches(list.length),
      final Map<Object?, Object?> map => inner.matches(map.length),
      _ => false,
    },
  );
}

/// No further than [delta] from [value].
Matcher closeTo(num value, num delta) => _Predicate(
  'within $delta of $value',
  (Object? item) => item is num && (item - value).abs() <= delta,
);

/// Greater than [value].
Matcher greaterThan(num value) => _Predicate(
  'greater than $value',
  (Object? item) => item is num && item > value,
);

/// Less than [value].
Matcher lessThan(num value) => _Predicate(
  'less than $value',
  (Object? item) => item is num && item < value,
);

/// Fits when all of [matchers] do.
Matcher allOf(List<Object?> matchers) {
  final List<Matcher> all = matchers.map(wrapMatcher).toList();
  return _Predicate(
    all.map((Matcher each) => each.description).join(' and '),
    (Object? item) => all.every((Matcher each) => each.matches(item)),
  );
}

/// Of type [T].
TypeMatcher<T> isA<T>() => TypeMatcher<T>();

/// Fits objects of type [T] with certain features.
final class TypeMatcher<T> extends Matcher {
  /// Creates a matcher without further demands.
  const TypeMatcher() : _features = const <_Feature>[];

  const TypeMatcher._(this._features);

  final List<_Feature> _features;

  /// Also asks that [feature] of the object matches [matcher].
  TypeMatcher<T> having(
    Object? Function(T item) feature,
    String description,
    Object? matcher,
  ) => TypeMatcher<T>._(<_Feature>[
    ..._features,
    _Feature(
      description,
      (Object? item) => feature(item as T),
      wrapMatcher(matcher),
    ),
  ]);

  @override
  bool matches(Object? item) =>
      item is T &&
      _features.every((_Feature each) => each.matcher.matches(each.of(item)));

  @override
  String get description => <String>[
    'a $T',
    for (final _Feature each in _features)
      'with ${each.name} ${each.matcher.description}',
  ].join(' ');
}

final class _Feature {
  const _Feature(this.name, this.of, this.matcher);

  final String name;
  final Object? Function(Object? item) of;
  final Matcher matcher;
}

/// Fits functions and futures that throw something [matcher] fits.
Matcher throwsA(Object? matcher) => _ThrowsMatcher(wrapMatcher(matcher));

final class _ThrowsMatcher extends Matcher {
  const _ThrowsMatcher(this.inner);

  final Matcher inner;

  @override
  String get description => 'throws ${inner.description}';

  @override
  bool matches(Object? item) {
    try {
      (item! as Function)();
    } on Object catch (error) {
      return inner.matches(error);
    }
    return false;
  }

  Future<bool> matchesLater(Object? item) async {
    try {
      final Object? result = item is Function ? item() : item;
      if (result is Future<Object?>) await result;
    } on Object catch (error) {
      return inner.matches(error);
    }
    return false;
  }
}
