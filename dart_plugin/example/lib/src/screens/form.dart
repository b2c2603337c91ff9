/// An order form with one of every control, longer than the screen.
library;

import 'dart:async';

import 'package:flutter/material.dart';
import 'package:flutter/services.dart';

import '../parts.dart';

const double _price = 7.5;
const double _expressPrice = 5;
const Duration _terms = Duration(milliseconds: 700);
const List<String> _sizes = <String>['S', 'M', 'L', 'XL'];
const List<String> _payments = <String>['Card', 'Cash', 'Invoice'];

/// `/form`
class FormScreen extends StatefulWidget {
  /// Creates the screen.
  const FormScreen({super.key});

  @override
  State<FormScreen> createState() => _FormScreenState();
}

class _FormScreenState extends State<FormScreen> {
  int _count = 0;
  String _size = 'M';
  bool _isGift = false;
  bool _isExpress = false;
  String _payment = _payments.first;
  bool _hasAccepted = false;
  bool _canOrder = false;
  bool _hasOrdered = false;
  Timer? _enabling;

  @override
  void dispose() {
    _enabling?.cancel();
    super.dispose();
  }

  double get _total =>
      _count > 0 ? _count * _price + (_isExpress ? _expressPrice : 0) : 0;

  void _accept(bool? value) {
    _enabling?.cancel();
    setState(() {
      _hasAccepted = value!;
      _canOrder = false;
    });
    if (!_hasAccepted) return;
    _enabling = Timer(_terms, () => setState(() => _canOrder = true));
  }

  // There is no XL: the size stays what it was.
  void _choose(String? size) {
    if (size != 'XL') setState(() => _size = size!);
  }

  void _order() {
    debugPrint('order saved');
    setState(() => _hasOrdered = true);
  }

  @override
  Widget build(BuildContext context) => DemoScreen(
    title: 'Order form',
    body: SingleChildScrollView(
      key: const ValueKey<String>('form-scroll'),
      child: Things(<Widget>[
        Field(
          'Quantity',
          key: const ValueKey<String>('quantity'),
          builder:
              (InputDecoration decoration) => TextField(
                decoration: decoration,
                inputFormatters: <TextInputFormatter>[
                  FilteringTextInputFormatter.digitsOnly,
                ],
                onChanged:
                    (String text) =>
                        setState(() => _count = int.tryParse(text) ?? 0),
              ),
        ),
        Field(
          'Code',
          key: const ValueKey<String>('code'),
          builder:
              (InputDecoration decoration) => TextField(
                decoration: decoration,
                inputFormatters: <TextInputFormatter>[
                  LengthLimitingTextInputFormatter(6),
                ],
              ),
        ),
        Field(
          'Country',
          key: const ValueKey<String>('country'),
          builder:
              (InputDecoration decoration) => TextField(
                decoration: decoration,
                inputFormatters: <TextInputFormatter>[_UpperCase()],
              ),
        ),
        const Field('Notes', key: ValueKey<String>('notes'), maxLines: 3),
        Semantics(
          key: const ValueKey<String>('size'),
          label: 'Size',
          value: _size,
          child: DropdownButton<String>(
            value: _size,
            isExpanded: true,
            onChanged: _choose,
            items: <DropdownMenuItem<String>>[
              for (final String size in _sizes)
                DropdownMenuItem<String>(value: size, child: Text(size)),
            ],
            selectedItemBuilder:
                (BuildContext context) => <Widget>[
                  for (final String size in _sizes)
                    ExcludeSemantics(child: Text(size)),
                ],
          ),
        ),
        Tick(
          'Gift wrap',
          key: const ValueKey<String>('gift'),
          value: _isGift,
          onChanged: (bool? value) => setState(() => _isGift = value!),
        ),
        SwitchListTile(
          key: const ValueKey<String>('express'),
          title: const Text('Express delivery'),
          value: _isExpress,
          onChanged: (bool value) => setState(() => _isExpress = value),
          dense: true,
          contentPadding: EdgeInsets.zero,
        ),
        for (final String name in _payments)
          _Choice(
            name,
            key: ValueKey<String>('pay-${name.toLowerCase()}'),
            isOn: name == _payment,
            onChosen: () => setState(() => _payment = name),
          ),
        Text(
          '\$${_total.toStringAsFixed(2)}',
          key: const ValueKey<String>('total'),
        ),
        Tick(
          'I accept the terms',
          key: const ValueKey<String>('terms'),
          value: _hasAccepted,
          onChanged: _accept,
        ),
        WideButton(
          'Place order',
          _canOrder ? _order : null,
          key: const ValueKey<String>('place-order'),
        ),
        if (_hasOrdered)
          const Text('Order placed', key: ValueKey<String>('confirmation')),
      ]),
    ),
  );
}

/// One of several that exclude each other.
class _Choice extends StatelessWidget {
  const _Choice(
    this.label, {
    required this.isOn,
    required this.onChosen,
    super.key,
  });

  final String label;
  final bool isOn;
  final VoidCallback onChosen;

  @override
  Widget build(BuildContext context) => Semantics(
    container: true,
    checked: isOn,
    inMutuallyExclusiveGroup: true,
    enabled: true,
    child: InkWell(
      onTap: onChosen,
      child: SizedBox(
        height: 40,
        child: Row(
          spacing: gap,
          children: <Widget>[
            Icon(
              isOn ? Icons.radio_button_checked : Icons.radio_button_unchecked,
            ),
            Text(label),
          ],
        ),
      ),
    ),
  );
}

final class _UpperCase extends TextInputFormatter {
  @override
  TextEditingValue formatEditUpdate(
    TextEditingValue oldValue,
    TextEditingValue newValue,
  ) => newValue.copyWith(text: newValue.text.toUpperCase());
}
