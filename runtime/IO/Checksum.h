//===- Checksum.h - Whether two arrays hold the same ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_CHECKSUM_H
#define PMRT_IO_CHECKSUM_H

#include <cstdint>
#include <cstring>

namespace pmrt {

/// FNV-1a over 8-byte words.
class Checksum {
public:
  void add(const void *data, int64_t bytes) {
    const auto *next = static_cast<const char *>(data);
    for (; bytes >= 8; bytes -= 8, next += 8) {
      uint64_t word;
      std::memcpy(&word, next, 8);
      mix(word);
    }
    uint64_t rest = 0;
    std::memcpy(&rest, next, size_t(bytes));
    mix(rest);
  }
  uint64_t value() const { return hash; }

private:
  void mix(uint64_t word) { hash = (hash ^ word) * 0x100000001b3; }
  uint64_t hash = 0xcbf29ce484222325;
};

} // namespace pmrt

#endif // PMRT_IO_CHECKSUM_H
