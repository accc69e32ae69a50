//===- PngChunks.h - The parts of a PNG -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the runtime and for the plugin that draws.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_FILES_PNGCHUNKS_H
#define PMRT_BASE_FILES_PNGCHUNKS_H

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace pmrt::png {

inline const std::string signature("\x89PNG\r\n\x1a\n", 8);

/// A plot's values: readers of pictures skip it.
inline constexpr const char *valuesType = "pmFg";

struct Chunk {
  std::string type, data;
};

inline std::string bigEndian(uint32_t value, int bytes = 4) {
  std::string out;
  for (int i = bytes; i-- > 0;)
    out += char(value >> (8 * i) & 0xFF);
  return out;
}

inline uint32_t numberAt(const std::string &text, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value = value << 8 | uint8_t(text.at(at + i));
  return value;
}

/// The checksum of PNG, of type and data.
inline uint32_t checksum(const std::string &bytes) {
  static const auto table = [] {
    std::array<uint32_t, 256> all{};
    for (uint32_t n = 0; n < 256; ++n) {
      uint32_t c = n;
      for (int k = 0; k < 8; ++k)
        c = c & 1 ? 0xEDB88320U ^ c >> 1 : c >> 1;
      all[n] = c;
    }
    return all;
  }();
  uint32_t sum = ~0U;
  for (char byte : bytes)
    sum = table[(sum ^ uint8_t(byte)) & 0xFF] ^ sum >> 8;
  return ~sum;
}

inline std::string chunk(const std::string &type, const std::string &data) {
  return bigEndian(uint32_t(data.size())) + type + data +
         bigEndian(checksum(type + data));
}

/// All of them. Throws std::runtime_error.
inline std::vector<Chunk> chunksOf(const std::string &file) {
  std::vector<Chunk> all;
  if (!file.starts_with(signature))
    throw std::runtime_error("it is not a PNG file");
  for (size_t at = signature.size(); at + 12 <= file.size();) {
    const size_t length = numberAt(file, at);
    if (length > file.size() - at - 12)
      throw std::runtime_error("the PNG file is truncated");
    all.push_back({file.substr(at + 4, 4), file.substr(at + 8, length)});
    at += length + 12;
  }
  if (all.empty() || all.back().type != "IEND")
    throw std::runtime_error("the PNG file is truncated");
  return all;
}

/// With one more chunk of that type before the end, or without any.
inline std::string withChunk(const std::string &file, const std::string &type,
                             const std::string &data) {
  std::string out = signature;
  for (const Chunk &one : chunksOf(file)) {
    if (one.type == "IEND" && !data.empty())
      out += chunk(type, data);
    if (one.type != type)
      out += chunk(one.type, one.data);
  }
  return out;
}

} // namespace pmrt::png

#endif // PMRT_BASE_FILES_PNGCHUNKS_H
