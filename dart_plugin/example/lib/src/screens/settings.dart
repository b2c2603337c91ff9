/// Switches and boxes in all their states.
library;

import 'package:flutter/material.dart';

import '../parts.dart';

/// `/settings`
class SettingsScreen extends StatefulWidget {
  /// Creates the screen.
  const SettingsScreen({super.key});

  @override
  State<SettingsScreen> createState() => _SettingsScreenState();
}

class _SettingsScreenState extends State<SettingsScreen> {
  bool _notifies = false;
  bool _isDark = false;
  bool? _everything;

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Settings',
    body: Things(<Widget>[
      // A row that speaks for the switch at its end. Only the switch can be
      // tapped.
      MergeSemantics(
        key: const ValueKey<String>('notifications'),
        child: Row(
          children: <Widget>[
            const Expanded(
              child: ExcludeSemantics(child: Text('Notifications')),
            ),
            Semantics(
              container: true,
              label: 'Notifications',
              child: Switch(
                value: _notifies,
                onChanged: (bool value) => setState(() => _notifies = value),
              ),
            ),
          ],
        ),
      ),
      Text(
        'Notifications: ${_notifies ? 'on' : 'off'}',
        key: const ValueKey<String>('notifications-state'),
      ),
      Tick(
        'Dark mode',
        key: const ValueKey<String>('dark'),
        value: _isDark,
        onChanged: (bool? value) => setState(() => _isDark = value!),
      ),
      const Tick(
        'Managed by your company',
        key: ValueKey<String>('managed'),
        identifier: 'managed-box',
        value: true,
        onChanged: null,
      ),
      Tick(
        'Everything',
        key: const ValueKey<String>('everything'),
        value: _everything,
        isTristate: true,
        onChanged: (bool? value) => setState(() => _everything = value),
      ),
    ]),
  );
}
