/// What a person does to the app.
library;

import '../core/ui.dart';
import 'ear.dart';
import 'live_tree.dart';
import 'person_keys.dart';
import 'person_platform.dart';
import 'person_pointers.dart';
import 'person_text.dart';

/// The person in front of the app, heard only while somebody wants to know.
final class FlutterPerson implements UiPerson {
  /// Hears what is done to the app of [tree].
  FlutterPerson(this.tree);

  /// The app's tree.
  final LiveTree tree;

  late final KeyEar _keys = KeyEar();
  late final List<Ear> _ears = <Ear>[
    PointerEar(tree),
    _keys,
    TextEar(tree),
    PlatformEar(tree, onSubmit: _keys.submitted),
  ];

  @override
  UiWitness? get witness => _witness;
  UiWitness? _witness;

  @override
  set witness(UiWitness? value) {
    if (_witness == null && value == null) return;
    _witness = value;
    for (final Ear each in _ears) {
      value == null ? each.stop() : each.listen(value);
    }
  }
}
