//===- Printable.cpp - Texts that cannot command a terminal ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Printable.h"

#include <algorithm>
#include <cstdint>

/// Returns the number of bytes of the UTF-8 character at `at`, or 0 if the
/// bytes there are not valid UTF-8.
static size_t lengthOfCharacter(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? uint8_t(text[at + i]) : uint8_t(0);
  };
  const size_t length = byte(0) < 0x80             ? 1
                        : (byte(0) & 0xE0) == 0xC0 ? 2
                        : (byte(0) & 0xF0) == 0xE0 ? 3
                        : (byte(0) & 0xF8) == 0xF0 ? 4
                                                   : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
  return length;
}

static void appendEscaped(std::string &out, uint8_t byte) {
  static constexpr char digits[] = "0123456789abcdef";
  out += "\\x";
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

std::string pmrt::printable(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = lengthOfCharacter(text, at);
    const auto first = uint8_t(text[at]);
    const bool isControl =
        length == 1
            ? (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F
            : first == 0xC2 && length == 2 && uint8_t(text[at + 1]) < 0xA0;
    const size_t step = std::max<size_t>(length, 1);
    if (length > 0 && !isControl)
      out += text.substr(at, step);
    else
      for (size_t i = 0; i < step; ++i)
        appendEscaped(out, uint8_t(text[at + i]));
    at += step;
  }
  return out;
}
