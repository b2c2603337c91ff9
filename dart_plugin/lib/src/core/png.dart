/// Pictures as PNG.
library;

import 'dart:typed_data';

import 'ui.dart';

const List<int> _signature = <int>[137, 80, 78, 71, 13, 10, 26, 10];

/// [picture] as a PNG file without transparency.
Uint8List encodePng(
  UiPicture picture, {
  required List<int> Function(List<int> data) deflate,
}) {
  final int width = picture.width;
  final int height = picture.height;
  final Uint8List rgba = picture.rgba;
  final Uint8List rows = Uint8List((width * 3 + 1) * height);
  int from = 0;
  int to = 0;
  for (int y = 0; y < height; y++) {
    rows[to++] = 0;
    for (int x = 0; x < width; x++) {
      rows[to++] = rgba[from];
      rows[to++] = rgba[from + 1];
      rows[to++] = rgba[from + 2];
      from += 4;
    }
  }
  final ByteData header =
      ByteData(13)
        ..setUint32(0, width)
        ..setUint32(4, height)
        ..setUint8(8, 8)
        ..setUint8(9, 2);
  final BytesBuilder out = BytesBuilder()..add(_signature);
  _chunk(out, 'IHDR', header.buffer.asUint8List());
  _chunk(out, 'IDAT', deflate(rows));
  _chunk(out, 'IEND', const <int>[]);
  return out.takeBytes();
}

void _chunk(BytesBuilder out, String name, List<int> data) {
  final Uint8List body = Uint8List(4 + data.length);
  body.setAll(0, name.codeUnits);
  body.setAll(4, data);
  out
    ..add(_bigEndian(data.length))
    ..add(body)
    ..add(_bigEndian(_crc(body)));
}

Uint8List _bigEndian(int value) =>
    (ByteData(4)..setUint32(0, value)).buffer.asUint8List();

final List<int> _crcTable = List<int>.generate(256, (int n) {
  int c = n;
  for (int k = 0; k < 8; k++) {
    c = c.isOdd ? 0xedb88320 ^ (c >> 1) : c >> 1;
  }
  return c;
});

int _crc(Uint8List bytes) {
  int c = 0xffffffff;
  for (final int byte in bytes) {
    c = _crcTable[(c ^ byte) & 0xff] ^ (c >> 8);
  }
  return c ^ 0xffffffff;
}

/// [data] as a zlib stream that is not packed at all, for places without a
/// compressor.
Uint8List storeZlib(List<int> data) {
  const int most = 0xffff;
  final BytesBuilder out = BytesBuilder()..add(const <int>[0x78, 0x01]);
  int at = 0;
  do {
    final int end = at + most < data.length ? at + most : data.length;
    final int length = end - at;
    out
      ..addByte(end == data.length ? 1 : 0)
      ..add(<int>[length & 0xff, length >> 8])
      ..add(<int>[~length & 0xff, (~length >> 8) & 0xff])
      ..add(data.sublist(at, end));
    at = end;
  } while (at < data.length);
  int a = 1;
  int b = 0;
  for (final int byte in data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  out.add(_bigEndian((b << 16) | a));
  return out.takeBytes();
}
