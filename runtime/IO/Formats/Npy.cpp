//===- Npy.cpp - NumPy's file format --------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Npy.h"

#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Files/RawArray.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
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
    refuseReducedPrecision(element);
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

namespace {

/// "<f4" and the like; kind 0 for what we do not know.
RawElement decode(const std::string &d) {
  if (d.size() < 3 || !std::strchr("<>|=", d[0]) || !std::strchr("fciub", d[1]))
    return {};
  const std::string digits = d.substr(2);
  static constexpr std::pair<char, const char *> known[] = {
      {'f', "2"}, {'f', "4"}, {'f', "8"}, {'c', "8"}, {'c', "16"},
      {'b', "1"}, {'i', "1"}, {'i', "2"}, {'i', "4"}, {'i', "8"},
      {'u', "1"}, {'u', "2"}, {'u', "4"}, {'u', "8"}};
  for (auto [kind, size] : known)
    if (d[1] == kind && digits == size)
      return {kind, std::stoi(digits), d[0] == '>'};
  return {};
}

class NpySource : public Source {
public:
  explicit NpySource(const std::string &path)
      : path(path), header(headerOf(path)),
        numbers(std::make_unique<InputFile>(path), header.dataOffset,
                decode(header.descr), storedShape(header)) {}

  std::string name() const override { return path; }
  std::vector<int64_t> shape() const override { return numbers.shape(); }
  /// In Fortran order, the first axis is the fastest.
  std::vector<size_t> axes() const override {
    std::vector<size_t> all = Source::axes();
    if (header.fortran)
      std::reverse(all.begin(), all.end());
    return all;
  }
  Kind kind() const override {
    switch (numbers.element().kind) {
    case 'f':
      return Kind::Real;
    case 'c':
      return Kind::Complex;
    case 'i':
    case 'u':
    case 'b':
      return Kind::Integer;
    default:
      return Kind::Other;
    }
  }
  std::string type() const override {
    return numbers.element().kind ? numbers.element().text()
                                  : fmt::format("'{}'", header.descr);
  }
  void read(pmrt_element to, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    numbers.read(to, start, count, out);
  }

private:
  static NpyHeader headerOf(const std::string &path) {
    NpyHeader header;
    try {
      header = parseNpyHeader(InputFile(path).start(1 << 16));
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", path, e.what()));
    }
    return header;
  }
  static std::vector<int64_t> storedShape(const NpyHeader &header) {
    std::vector<int64_t> shape = header.shape;
    if (header.fortran)
      std::reverse(shape.begin(), shape.end());
    return shape;
  }

  std::string path;
  NpyHeader header;
  RawArray numbers;
};

class NpyFormat : public Format {
public:
  std::string_view name() const override { return "npy"; }
  std::string_view summary() const override { return "NumPy"; }

  bool isRead() const override { return true; }
  bool probe(const FileStart &file) const override {
    return file.bytes.starts_with(magic);
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &) const override {
    return std::make_unique<NpySource>(path);
  }

  std::vector<int64_t>
  make(Context &, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override {
    const Stream &stream = arrays.front().stream;
    const std::string header = npyHeader(stream.element, stream.shape);
    file.write(header.data(), header.size(), 0);
    return {int64_t(header.size())};
  }
};

} // namespace

PMRT_FORMATS(Npy, NpyFormat);
