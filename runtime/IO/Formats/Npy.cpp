//===- Npy.cpp - NumPy's file format --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Npy.h"

#include "runtime/Core/Descriptor.h"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

using namespace pmrt;

static constexpr char magic[] = "\x93NUMPY";

namespace {

/// Reads the Python literal of the header: a dict of a string, a bool, a tuple.
class HeaderParser {
public:
  explicit HeaderParser(const std::string &text) : text(text) {}

  void parse(NpyHeader &header) {
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = quoted();
        descr = true;
      } else if (key == "fortran_order") {
        header.fortran = boolean();
        order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        shape = true;
      } else {
        bad();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!descr || !order || !shape)
      bad();
  }

private:
  [[noreturn]] static void bad() {
    throw std::runtime_error("has a damaged .npy header");
  }
  void skip() {
    while (at < text.size() && std::strchr(" \t\r\n", text[at]))
      ++at;
  }
  bool accept(char c) {
    skip();
    if (at < text.size() && text[at] == c) {
      ++at;
      return true;
    }
    return false;
  }
  void expect(char c) {
    if (!accept(c))
      bad();
  }
  std::string quoted() {
    skip();
    const char quote = at < text.size() ? text[at] : 0;
    if (quote == '[') // a structured type; its text is for the message only
      throw std::runtime_error(
          "has a structured element type, expected plain numbers");
    if (quote != '\'' && quote != '"')
      bad();
    const size_t end = text.find(quote, at + 1);
    if (end == std::string::npos)
      bad();
    std::string inside = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return inside;
  }
  bool boolean() {
    skip();
    if (text.compare(at, 4, "True") == 0) {
      at += 4;
      return true;
    }
    if (text.compare(at, 5, "False") == 0) {
      at += 5;
      return false;
    }
    bad();
  }
  std::vector<int64_t> tuple() {
    std::vector<int64_t> values;
    expect('(');
    while (!accept(')')) {
      skip();
      int64_t value = 0;
      const size_t begin = at;
      while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
        if (value > (int64_t(1) << 56))
          bad();
        value = value * 10 + (text[at++] - '0');
      }
      if (at == begin)
        bad();
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  const std::string &text;
  size_t at = 0;
};

} // namespace

NpyHeader pmrt::parseNpyHeader(const std::string &bytes) {
  if (bytes.size() < 10 || std::memcmp(bytes.data(), magic, 6) != 0)
    throw std::runtime_error("is not a .npy file");
  auto byte = [&](size_t i) { return size_t(uint8_t(bytes[i])); };
  const size_t version = byte(6);
  if (version < 1 || version > 3)
    throw std::runtime_error(
        fmt::format("has .npy version {}, expected 1 to 3", version));
  size_t length = byte(8) | byte(9) << 8, begin = 10;
  if (version > 1) {
    if (bytes.size() < 12)
      throw std::runtime_error("has a damaged .npy header");
    length |= byte(10) << 16 | byte(11) << 24;
    begin = 12;
  }
  if (bytes.size() < begin + length)
    throw std::runtime_error("has a damaged .npy header");
  NpyHeader header;
  header.dataOffset = int64_t(begin + length);
  const std::string text = bytes.substr(begin, length);
  HeaderParser(text).parse(header);
  return header;
}

static const char *npyType(pmrt_element element) {
  switch (element) {
  case PMRT_F32:
    return "<f4";
  case PMRT_F64:
    return "<f8";
  case PMRT_C64:
    return "<c8";
  case PMRT_C128:
    return "<c16";
  case PMRT_I8:
    return "|b1";
  case PMRT_I64:
    return "<i8";
  case PMRT_U64:
    return "<u8";
  case PMRT_BF16:
  case PMRT_F16:
    refuseShort(element);
  }
  return "";
}

std::string pmrt::npyHeader(pmrt_element element,
                            const std::vector<int64_t> &shape) {
  std::string dict = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
      npyType(element), fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const size_t total = (10 + dict.size() + 1 + 63) / 64 * 64;
  dict.append(total - 10 - dict.size() - 1, ' ');
  dict += '\n';
  std::string header(magic, 6);
  header += '\1';
  header += '\0';
  header += char(dict.size() & 255);
  header += char(dict.size() >> 8);
  return header + dict;
}
