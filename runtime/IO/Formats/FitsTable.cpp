//===- FitsTable.cpp - Catalogs as binary tables of FITS ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME.fits contains an empty image, because FITS requires one, and a table
// with a column for each column of the output. The rows are stored without gaps
// and in big-endian order. Therefore each rank can write its own rows. The
// library CFITSIO is required to read such tables (Fits.cpp), but not to write
// them.
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <stdexcept>

using namespace pmrt;

namespace {

/// The sizes of a block and of a card. Headers and tables consist of whole
/// blocks, and each line of a header is a card.
constexpr size_t blockBytes = 2880, cardBytes = 80;

/// Builds a header from keywords and their values.
class HeaderCards {
public:
  void add(const std::string &key, int64_t value) {
    append(fmt::format("{:<8}= {:>20}", key, value));
  }
  void add(const std::string &key, bool value) {
    append(fmt::format("{:<8}= {:>20}", key, value ? "T" : "F"));
  }
  /// Adds a text, which is truncated to the length that fits on a card.
  void add(const std::string &key, const std::string &value) {
    constexpr size_t most = cardBytes - 12;
    std::string quoted;
    for (const char c : value) {
      const std::string next = c == '\'' ? "''" : std::string(1, c);
      if (quoted.size() + next.size() > most)
        break;
      quoted += next;
    }
    append(fmt::format("{:<8}= '{:<8}'", key, quoted));
  }
  /// Appends the end card, fills the last block, and returns the header.
  std::string finish() {
    append("END");
    text.resize((text.size() + blockBytes - 1) / blockBytes * blockBytes, ' ');
    return std::move(text);
  }

private:
  void append(const std::string &card) {
    text += fmt::format("{:<{}}", card, cardBytes);
  }
  std::string text;
};

} // namespace

/// Returns the code of an element type in FITS, for example "1D" for f64.
static const char *letterOf(pmrt_element element) {
  switch (element) {
  case PMRT_F32:
    return "1E";
  case PMRT_F64:
    return "1D";
  case PMRT_C64:
    return "1C";
  case PMRT_C128:
    return "1M";
  case PMRT_I8:
    return "1B";
  case PMRT_I64:
    return "1K";
  case PMRT_U64:
    throw std::runtime_error(
        "FITS files cannot store unsigned 64-bit integers");
  case PMRT_BF16:
  case PMRT_F16:
    refuseReducedPrecision(element);
  }
  return "";
}

/// Replaces other characters, because FITS headers may contain ASCII only.
static std::string inAscii(const std::string &text) {
  std::string plain;
  for (const char c : text)
    if (c >= ' ' && c <= '~')
      plain += c;
    else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80)
      plain += '?'; // once for each character in UTF-8
  return plain;
}

static std::string tableHeader(const Context &context, const NamedArray &array,
                               int64_t rows) {
  HeaderCards image;
  image.add("SIMPLE", true);
  image.add("BITPIX", int64_t(8));
  image.add("NAXIS", int64_t(0));
  image.add("EXTEND", true);
  const std::vector<std::string> names = componentNames(array),
                                 units = componentUnits(array);
  const pmrt_element element = array.stream.element;
  constexpr size_t mostColumns = 999;
  if (names.size() > mostColumns)
    throw std::runtime_error(fmt::format("it has {} columns, expected at most "
                                         "{}",
                                         names.size(), mostColumns));
  HeaderCards table;
  table.add("XTENSION", std::string("BINTABLE"));
  table.add("BITPIX", int64_t(8));
  table.add("NAXIS", int64_t(2));
  table.add("NAXIS1", int64_t(names.size()) * elementSize(element));
  table.add("NAXIS2", rows);
  table.add("PCOUNT", int64_t(0));
  table.add("GCOUNT", int64_t(1));
  table.add("TFIELDS", int64_t(names.size()));
  for (size_t i = 0; i < names.size(); ++i) {
    table.add(fmt::format("TTYPE{}", i + 1), inAscii(names[i]));
    table.add(fmt::format("TFORM{}", i + 1), std::string(letterOf(element)));
    if (!units[i].empty())
      table.add(fmt::format("TUNIT{}", i + 1), inAscii(units[i]));
  }
  table.add("EXTNAME", inAscii(array.name));
  table.add("CREATOR", fmt::format("pmc {}", context.program.compilerVersion));
  return image.finish() + table.finish();
}

namespace {

class FitsTableFormat : public Format {
public:
  std::string_view name() const override { return "fits-table"; }
  std::string_view suffix() const override { return "fits"; }
  std::string_view summary() const override { return "FITS table"; }

  std::string problem(const Descriptor &, const Output &output) const override {
    return output.kind == OutputKind::Scalars || output.flatten
               ? ""
               : problemOfRank(output.dims.size(), 1);
  }

  /// Numbers in FITS are big endian.
  bool encodes() const override {
    return std::endian::native == std::endian::little;
  }
  void encode(const Stream &stream, int64_t, int64_t count, const char *from,
              char *to) const override {
    const int64_t parts = isComplex(stream.element) ? 2 : 1;
    const int64_t size = elementSize(stream.element) / parts;
    for (int64_t i = 0; i < count * parts; ++i)
      std::reverse_copy(from + i * size, from + (i + 1) * size, to + i * size);
  }
  std::vector<int64_t>
  make(Context &context, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override {
    const Stream &stream = arrays.front().stream;
    int64_t elements = 1;
    for (const int64_t extent : stream.shape)
      elements *= extent;
    std::string header;
    try {
      if (const std::string why = problemOfRank(rankOfTable(stream), 1);
          !why.empty())
        throw std::runtime_error(why);
      header = tableHeader(context, arrays.front(), elements / stream.columns);
    } catch (const std::runtime_error &e) {
      throw cannotWrite(file, e.what());
    }
    file.write(header.data(), header.size(), 0);
    const int64_t bytes = elements * elementSize(stream.element);
    if (const auto over = size_t(bytes) % blockBytes; over != 0) {
      const std::string rest(blockBytes - over, '\0');
      file.write(rest.data(), rest.size(), int64_t(header.size()) + bytes);
    }
    return {int64_t(header.size())};
  }
};

} // namespace

PMRT_FORMATS(FitsTable, FitsTableFormat);
