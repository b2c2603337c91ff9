import 'package:tapir_replay/core.dart';
import 'package:test/test.dart';

import 'fake_ui.dart';

void main() {
  late FakeUi ui;
  late VerbServer server;

  setUp(() {
    ui = FakeUi(<FakeNode>[
      FakeNode(
        textField: FakeField(),
        children: <FakeNode>[FakeNode(scrollable: FakeScrollable())],
      ),
      FakeNode(scrollable: FakeScrollable(maxOffset: 500)),
    ]);
    server = VerbServer(Session(ui));
  });

  Future<Reply> call(String verb, [Map<String, String>? params]) => server.call(
    'ext.tapir.$verb',
    tapirVerbs[verb]!,
    <String, String>{'includeSnapshot': 'false', ...?params},
  );

  group('without a router', () {
    setUp(() => ui.uri = null);

    test('the name of the top page tells where one is', () async {
      final Reply reply = await call('navigate', <String, String>{
        'route': '/second',
      });
      expect(reply['navigated'], isTrue);
      expect(reply['exactPath'], isTrue);
    });

    test('pages without names tell nothing', () async {
      ui.navigates = false;
      final Reply reply = await call('navigate', <String, String>{
        'route': '/second',
      });
      expect(reply['navigated'], isFalse);
      expect(reply['reason'], contains('the top page has no name'));
    });
  });

  test('a scroll goes down as a person sees it', () async {
    final FakeScrollable list = FakeScrollable(isReversed: true)..offset = 500;
    ui.top.nodes.last.scrollable = list;
    await call('scroll');
    expect(list.offset, 200.0);
    await call('scroll', <String, String>{'dy': '-50'});
    expect(list.offset, 250.0);
    await call('scroll', <String, String>{'direction': 'up', 'pixels': '9000'});
    expect(list.offset, 1000.0);
  });

  test('a scroll without a ref leaves the text of a field alone', () async {
    expect((await call('scroll'))['finalOffset'], 300.0);
    expect(ui.top.nodes.last.scrollable!.offset, 300.0);
    expect(ui.top.nodes.first.nodes.single.scrollable!.offset, 0.0);
  });
}
