/// Signing in, and the way for those who cannot.
library;

import 'dart:async';

import 'package:flutter/material.dart';

import '../parts.dart';
import '../router.dart';

const String _email = 'ada@example.com';
const String _password = 'correct-horse';
const Duration _check = Duration(milliseconds: 300);

/// `/login`
class LoginScreen extends StatefulWidget {
  /// Creates the screen, which signs out.
  const LoginScreen({super.key});

  @override
  State<LoginScreen> createState() => _LoginScreenState();
}

class _LoginScreenState extends State<LoginScreen> {
  final TextEditingController _address = TextEditingController();
  final TextEditingController _secret = TextEditingController();
  late final DemoRouter _router = DemoRouter.of(context)..signedIn = null;
  bool _remembers = false;
  String? _error;
  Timer? _checking;

  @override
  void didChangeDependencies() {
    super.didChangeDependencies();
    _router;
  }

  @override
  void dispose() {
    _checking?.cancel();
    _address.dispose();
    _secret.dispose();
    super.dispose();
  }

  void _submit() {
    if (_checking != null) return;
    setState(() {
      if (_address.text.isEmpty) {
        _error = 'Enter your email';
      } else {
        _checking = Timer(_check, _answer);
      }
    });
  }

  void _answer() {
    final bool isRight = _address.text == _email && _secret.text == _password;
    setState(() {
      _checking = null;
      if (!isRight) _error = 'Wrong email or password';
    });
    if (!isRight) return;
    debugPrint('signed in as $_email');
    _router
      ..signedIn = _email
      ..go('/home');
  }

  @override
  Widget build(BuildContext context) => Scaffold(
    body: SingleChildScrollView(
      padding: const EdgeInsets.fromLTRB(16, 72, 16, 16),
      child: Column(
        crossAxisAlignment: CrossAxisAlignment.start,
        spacing: gap,
        children: <Widget>[
          const FlutterLogo(size: 64),
          const Heading('Tapir Demo'),
          Field(
            'Email',
            key: const ValueKey<String>('email'),
            controller: _address,
            onSubmitted: _submit,
          ),
          Field(
            'Password',
            key: const ValueKey<String>('password'),
            controller: _secret,
            isObscured: true,
            onSubmitted: _submit,
          ),
          if (_error case final String error)
            Text(
              error,
              key: const ValueKey<String>('login-error'),
              style: TextStyle(color: Theme.of(context).colorScheme.error),
            ),
          Tick(
            'Remember me',
            key: const ValueKey<String>('remember'),
            value: _remembers,
            onChanged: (bool? value) => setState(() => _remembers = value!),
          ),
          WideButton(
            'Sign in',
            _checking == null ? _submit : null,
            key: const ValueKey<String>('submit'),
          ),
          LinkText(
            'Forgot password?',
            () => _router.push('/forgot'),
            key: const ValueKey<String>('forgot'),
          ),
        ],
      ),
    ),
  );
}

/// `/forgot`
class ForgotScreen extends StatelessWidget {
  /// Creates the screen.
  const ForgotScreen({super.key});

  @override
  Widget build(BuildContext context) => const DemoScreen(
    title: 'Reset password',
    body: Things(<Widget>[Text('We sent you a link')]),
  );
}
