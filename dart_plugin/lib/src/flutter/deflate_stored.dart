/// A zlib stream without compression, for browsers.
library;

import 'dart:math' as math;
import 'dart:typed_data';

const int _blockSize = 0xffff;
const int _adlerBase = 65521;

/// [data] as a zlib stream.
List<int> deflateBytes(List<int> data) {
  final BytesBuilder out = BytesBuilder()..add(const <int>[0x78, 0x01]);
  int start = 0;
  do {
    final int end = math.min(start + _blockSize, data.length);
    final int size = end - start;
    out
      ..addByte(end == data.length ? 1 : 0)
      ..add(<int>[size & 0xff, size >> 8, ~size & 0xff, (~size >> 8) & 0xff])
      ..add(data.sublist(start, end));
    start = end;
  } while (start < data.length);
  int a = 1;
  int b = 0;
  for (final int byte in data) {
    a = (a + byte) % _adlerBase;
    b = (b + a) % _adlerBase;
  }
  out.add(<int>[b >> 8, b & 0xff, a >> 8, a & 0xff]);
  return out.takeBytes();
}
