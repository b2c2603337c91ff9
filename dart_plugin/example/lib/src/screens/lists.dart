/// A long lazy list, and a search.
library;

import 'dart:async';

import 'package:flutter/material.dart';

import '../parts.dart';

const int _rows = 200;
const double _rowHeight = 56;
const Duration _pause = Duration(milliseconds: 300);

const List<String> _fruits = <String>[
  'Apple',
  'Apricot',
  'Banana',
  'Cherry',
  'Grape',
  'Grapefruit',
  'Lemon',
  'Orange',
];

/// `/list`
class ListScreen extends StatefulWidget {
  /// Creates the screen.
  const ListScreen({super.key});

  @override
  State<ListScreen> createState() => _ListScreenState();
}

class _ListScreenState extends State<ListScreen> {
  int? _selected;

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Items',
    body: Column(
      crossAxisAlignment: CrossAxisAlignment.stretch,
      children: <Widget>[
        Padding(
          padding: const EdgeInsets.all(16),
          child: Text(
            _selected == null
                ? 'Nothing selected'
                : 'Selected: Item $_selected',
            key: const ValueKey<String>('selected'),
          ),
        ),
        Expanded(
          child: ListView.builder(
            key: const ValueKey<String>('items'),
            padding: EdgeInsets.zero,
            itemExtent: _rowHeight,
            addAutomaticKeepAlives: false,
            itemCount: _rows,
            itemBuilder: (BuildContext context, int index) => _row(index + 1),
          ),
        ),
      ],
    ),
  );

  Widget _row(int number) => Semantics(
    button: true,
    child: InkWell(
      key: ValueKey<String>('item-$number'),
      onTap: () => setState(() => _selected = number),
      child: Padding(
        padding: const EdgeInsets.all(16),
        child: Text('Item $number'),
      ),
    ),
  );
}

/// `/search`
class SearchScreen extends StatefulWidget {
  /// Creates the screen.
  const SearchScreen({super.key});

  @override
  State<SearchScreen> createState() => _SearchScreenState();
}

class _SearchScreenState extends State<SearchScreen> {
  final TextEditingController _text = TextEditingController();
  List<String>? _found;
  Timer? _waiting;

  @override
  void dispose() {
    _waiting?.cancel();
    _text.dispose();
    super.dispose();
  }

  void _typed(String text) {
    final String wanted = text.toLowerCase();
    _waiting?.cancel();
    _waiting = Timer(_pause, () {
      setState(() {
        _found = <String>[
          for (final String fruit in _fruits)
            if (fruit.toLowerCase().contains(wanted)) fruit,
        ];
      });
    });
  }

  void _clear() {
    if (_text.text.isEmpty) return;
    _text.clear();
    _typed('');
  }

  @override
  Widget build(BuildContext context) {
    final List<String>? found = _found;
    return DemoScreen(
      title: 'Search',
      body: Things(<Widget>[
        Row(
          spacing: gap,
          children: <Widget>[
            Expanded(
              child: Field(
                'Search fruit',
                key: const ValueKey<String>('search'),
                hint: 'Type a fruit',
                controller: _text,
                onChanged: _typed,
              ),
            ),
            IconButton(
              tooltip: 'Clear',
              style: IconButton.styleFrom(minimumSize: const Size.square(48)),
              onPressed: _clear,
              icon: const Icon(Icons.clear),
            ),
          ],
        ),
        if (found == null)
          const Text('Type to search')
        else ...<Widget>[
          Text(switch (found.length) {
            0 => 'No results',
            1 => '1 result',
            final int many => '$many results',
          }, key: const ValueKey<String>('result-count')),
          for (final String fruit in found) Text(fruit),
        ],
      ]),
    );
  }
}
