/// Compression where the Dart VM does it.
library;

import 'dart:io';

/// [data] as a zlib stream.
List<int> deflateBytes(List<int> data) => ZLibCodec(level: 6).encode(data);
