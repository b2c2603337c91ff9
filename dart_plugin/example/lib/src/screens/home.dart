/// Where one lands after signing in, and the menu to everything else.
library;

import 'package:flutter/material.dart';

import '../parts.dart';
import '../router.dart';

const List<String> _taskNames = <String>[
  'Buy milk',
  'Call the bank',
  'Water the plants',
];

const List<String> _menu = <String>[
  'Form',
  'List',
  'Overlays',
  'Loading',
  'Motion',
  'Covered',
  'Settings',
  'Account',
  'Errors',
  'Search',
  'Inbox',
  'Gestures',
];

/// `/home`
class HomeScreen extends StatefulWidget {
  /// Creates the screen.
  const HomeScreen({super.key});

  @override
  State<HomeScreen> createState() => _HomeScreenState();
}

class _HomeScreenState extends State<HomeScreen> {
  final List<int> _tasks = <int>[
    for (int number = 1; number <= _taskNames.length; number++) number,
  ];

  String get _count => switch (_tasks.length) {
    0 => 'No tasks',
    1 => '1 task',
    final int many => '$many tasks',
  };

  @override
  Widget build(BuildContext context) {
    final DemoRouter router = DemoRouter.of(context);
    return DemoScreen(
      title: 'Welcome back',
      body: Things(<Widget>[
        Text(
          'Signed in as ${router.signedIn}',
          key: const ValueKey<String>('user'),
        ),
        Text(_count, key: const ValueKey<String>('task-count')),
        for (final int number in _tasks)
          ActionRow(
            key: ValueKey<String>('task-$number'),
            text: _taskNames[number - 1],
            action: TextButton(
              key: ValueKey<String>('delete-$number'),
              onPressed: () => setState(() => _tasks.remove(number)),
              child: const Text('Delete'),
            ),
          ),
        Row(
          spacing: gap,
          children: <Widget>[
            OutlinedButton(
              key: const ValueKey<String>('log-out'),
              onPressed: () => router.go('/login'),
              child: const Text('Log out'),
            ),
            FilledButton(
              key: const ValueKey<String>('menu'),
              onPressed: () => router.push('/menu'),
              child: const Text('Menu'),
            ),
          ],
        ),
      ]),
    );
  }
}

/// `/menu`
class MenuScreen extends StatelessWidget {
  /// Creates the screen.
  const MenuScreen({super.key});

  @override
  Widget build(BuildContext context) {
    final DemoRouter router = DemoRouter.of(context);
    return DemoScreen(
      title: 'Menu',
      body: SingleChildScrollView(
        child: Column(
          children: <Widget>[
            for (final String name in _menu)
              LinkText(
                name,
                () => router.push('/${name.toLowerCase()}'),
                height: 52,
              ),
          ],
        ),
      ),
    );
  }
}
