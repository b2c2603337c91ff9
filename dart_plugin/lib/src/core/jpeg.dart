/// Pictures as baseline JPEG, without a library.
library;

import 'dart:math' as math;
import 'dart:typed_data';

import 'ui.dart';

/// [picture] as a JPEG file; [quality] goes from 0 to 100.
Uint8List encodeJpeg(UiPicture picture, {int quality = 70}) =>
    _Encoder(picture, quality).encode();

// The tables that the JPEG standard suggests (ITU-T T.81, annex K).
const List<int> _lumaQuantization = <int>[
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, //
  14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62, //
  18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, //
  49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99, //
];

const List<int> _chromaQuantization = <int>[
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, //
  24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99, //
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, //
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, //
];

const List<int> _zigzag = <int>[
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, //
  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28, //
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, //
  58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63, //
];

const List<int> _dcLumaCounts = <int>[
  0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, //
];
const List<int> _dcChromaCounts = <int>[
  0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, //
];
const List<int> _dcValues = <int>[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

const List<int> _acLumaCounts = <int>[
  0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d, //
];
const List<int> _acChromaCounts = <int>[
  0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77, //
];

const String _acLumaText =
    '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433'
    '627282090a161718191a25262728292a3435363738393a434445464748494a535455'
    '565758595a636465666768696a737475767778797a838485868788898a9293949596'
    '9798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4'
    'd5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa';
const String _acChromaText =
    '0001020311040521310612415107617113223281081442'
    '91a1b1c109233352f0156272d10a162434e125f11718191a262728292a3536373839'
    '3a434445464748494a535455565758595a636465666768696a737475767778797a82'
    '838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9'
    'bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7'
    'f8f9fa';

final List<int> _acLumaValues = _bytesOf(_acLumaText);
final List<int> _acChromaValues = _bytesOf(_acChromaText);

List<int> _bytesOf(String hex) => <int>[
  for (int i = 0; i < hex.length; i += 2)
    int.parse(hex.substring(i, i + 2), radix: 16),
];

/// The cosines of the transform: `_cosines[8 * u + x]`, scaled.
final Float64List _cosines = Float64List.fromList(<double>[
  for (int u = 0; u < 8; u++)
    for (int x = 0; x < 8; x++)
      (u == 0 ? math.sqrt(0.125) : 0.5) *
          math.cos((2 * x + 1) * u * math.pi / 16),
]);

final class _Huffman {
  _Huffman(this.counts, this.values) {
    int code = 0;
    int next = 0;
    for (int length = 1; length <= 16; length++) {
      for (int i = 0; i < counts[length - 1]; i++) {
        codes[values[next]] = code++;
        lengths[values[next++]] = length;
      }
      code <<= 1;
    }
  }

  final List<int> counts;
  final List<int> values;
  final Uint16List codes = Uint16List(256);
  final Uint8List lengths = Uint8List(256);
}

final class _Encoder {
  _Encoder(this.picture, int quality)
    : luma = _scaled(_lumaQuantization, quality),
      chroma = _scaled(_chromaQuantization, quality);

  final UiPicture picture;
  final Uint8List luma;
  final Uint8List chroma;
  final BytesBuilder out = BytesBuilder(copy: false);
  final Float64List block = Float64List(64);
  final Float64List half = Float64List(64);
  final Int32List coefficients = Int32List(64);
  final _Huffman dcLuma = _Huffman(_dcLumaCounts, _dcValues);
  final _Huffman dcChroma = _Huffman(_dcChromaCounts, _dcValues);
  final _Huffman acLuma = _Huffman(_acLumaCounts, _acLumaValues);
  final _Huffman acChroma = _Huffman(_acChromaCounts, _acChromaValues);
  int _bits = 0;
  int _bitCount = 0;

  static Uint8List _scaled(List<int> table, int quality) {
    final int wanted = math.min(math.max(quality, 1), 100);
    final int scale = wanted < 50 ? 5000 ~/ wanted : 200 - 2 * wanted;
    return Uint8List.fromList(<int>[
      for (final int each in table)
        math.min(math.max((each * scale + 50) ~/ 100, 1), 255),
    ]);
  }

  Uint8List encode() {
    _writeHeaders();
    int lastY = 0;
    int lastCb = 0;
    int lastCr = 0;
    for (int y = 0; y < picture.height; y += 8) {
      for (int x = 0; x < picture.width; x += 8) {
        _fill(x, y, 0.299, 0.587, 0.114, -128);
        lastY = _writeBlock(luma, dcLuma, acLuma, lastY);
        _fill(x, y, -0.168736, -0.331264, 0.5, 0);
        lastCb = _writeBlock(chroma, dcChroma, acChroma, lastCb);
        _fill(x, y, 0.5, -0.418688, -0.081312, 0);
        lastCr = _writeBlock(chroma, dcChroma, acChroma, lastCr);
      }
    }
    if (_bitCount > 0) _writeBits(0x7f, 7);
    out.add(const <int>[0xff, 0xd9]);
    return out.takeBytes();
  }

  void _writeHeaders() {
    out.add(const <int>[0xff, 0xd8]);
    _segment(0xe0, <int>[...'JFIF'.codeUnits, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
    _segment(0xdb, <int>[0, for (final int i in _zigzag) luma[i]]);
    _segment(0xdb, <int>[1, for (final int i in _zigzag) chroma[i]]);
    _segment(0xc0, <int>[
      8,
      picture.height >> 8,
      picture.height & 0xff,
      picture.width >> 8,
      picture.width & 0xff,
      3,
      ...<int>[1, 0x11, 0],
      ...<int>[2, 0x11, 1],
      ...<int>[3, 0x11, 1],
    ]);
    for (final (int id, _Huffman table) in <(int, _Huffman)>[
      (0x00, dcLuma),
      (0x10, acLuma),
      (0x01, dcChroma),
      (0x11, acChroma),
    ]) {
      _segment(0xc4, <int>[id, ...table.counts, ...table.values]);
    }
    _segment(0xda, const <int>[3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]);
  }

  void _segment(int marker, List<int> data) {
    final int length = data.length + 2;
    out
      ..add(<int>[0xff, marker, length >> 8, length & 0xff])
      ..add(data);
  }

  /// Puts one colour component of the 8 by 8 pixels at [left], [top] into
  /// [block]. Pixels beyond the edge repeat the edge.
  void _fill(int left, int top, double r, double g, double b, double offset) {
    final Uint8List rgba = picture.rgba;
    for (int dy = 0; dy < 8; dy++) {
      final int y = math.min(top + dy, picture.height - 1);
      for (int dx = 0; dx < 8; dx++) {
        final int x = math.min(left + dx, picture.width - 1);
        final int at = (y * picture.width + x) * 4;
        block[dy * 8 + dx] =
            r * rgba[at] + g * rgba[at + 1] + b * rgba[at + 2] + offset;
      }
    }
  }

  int _writeBlock(Uint8List table, _Huffman dc, _Huffman ac, int lastDc) {
    if (_isFlat()) {
      coefficients.fillRange(0, 64, 0);
      coefficients[0] = (block[0] * 8 / table[0]).round();
    } else {
      _transform(table);
    }
    final int difference = coefficients[0] - lastDc;
    final int size = difference.abs().bitLength;
    _writeBits(dc.codes[size], dc.lengths[size]);
    _writeNumber(difference, size);
    int zeros = 0;
    for (int i = 1; i < 64; i++) {
      final int value = coefficients[_zigzag[i]];
      if (value == 0) {
        zeros++;
        continue;
      }
      while (zeros > 15) {
        _writeBits(ac.codes[0xf0], ac.lengths[0xf0]);
        zeros -= 16;
      }
      final int bits = value.abs().bitLength;
      final int symbol = (zeros << 4) | bits;
      _writeBits(ac.codes[symbol], ac.lengths[symbol]);
      _writeNumber(value, bits);
      zeros = 0;
    }
    if (zeros > 0) _writeBits(ac.codes[0], ac.lengths[0]);
    return coefficients[0];
  }

  /// Whether the whole block has one value, as most of a screen does.
  bool _isFlat() {
    final double first = block[0];
    for (int i = 1; i < 64; i++) {
      if (block[i] != first) return false;
    }
    return true;
  }

  void _transform(Uint8List table) {
    for (int y = 0; y < 8; y++) {
      for (int u = 0; u < 8; u++) {
        double sum = 0;
        for (int x = 0; x < 8; x++) {
          sum += block[y * 8 + x] * _cosines[u * 8 + x];
        }
        half[y * 8 + u] = sum;
      }
    }
    for (int v = 0; v < 8; v++) {
      for (int u = 0; u < 8; u++) {
        double sum = 0;
        for (int y = 0; y < 8; y++) {
          sum += half[y * 8 + u] * _cosines[v * 8 + y];
        }
        coefficients[v * 8 + u] = (sum / table[v * 8 + u]).round();
      }
    }
  }

  void _writeNumber(int value, int size) {
    if (size == 0) return;
    _writeBits(value < 0 ? value + (1 << size) - 1 : value, size);
  }

  void _writeBits(int value, int count) {
    for (int i = count - 1; i >= 0; i--) {
      _bits = (_bits << 1) | ((value >> i) & 1);
      if (++_bitCount < 8) continue;
      out.addByte(_bits);
      if (_bits == 0xff) out.addByte(0);
      _bits = 0;
      _bitCount = 0;
    }
  }
}
