//===- Bigfile.cpp - Blocks of bigfile, the format of FastPM --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is a folder that contains a text file `header` and files of raw rows.
// The names of these files are hexadecimal numbers: `000000`, `000001` and so
// on. The header contains the type of the numbers, the number of columns, the
// number of files, and the number of rows and a checksum of each file. A text
// file `attr-v2` contains attributes. An input names the folder, the header or
// the first file.
// An output is a block with one file, in which each rank writes its rows. The
// members of a record become several blocks (BigfileRecord.h).
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Format.h"
#include "runtime/IO/Files/RawArray.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Formats/Records/BigfileRecord.h"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <variant>

using namespace pmrt;

static constexpr std::string_view headerName = "/header",
                                  headerStart = "DTYPE:",
                                  attributesName = "/attr-v2",
                                  firstFile = "/000000";

namespace {

/// A file of rows.
struct BlockFile {
  std::string name;
  int64_t rows = 0;
  std::optional<uint32_t> checksum; ///< the sum of its bytes, modulo 2^32
};

/// The contents of a header.
struct BlockHeader {
  RawElement element;
  int64_t columns = 1;
  std::vector<BlockFile> files;
};

} // namespace

static std::runtime_error damaged(const std::string &path,
                                  const std::string &why) {
  return std::runtime_error(
      fmt::format("{} is not the header of a bigfile block: {}", path, why));
}

/// Parses the type of the numbers, for example "<f8", "=i4" or "u8".
static RawElement elementOf(const std::string &path, const std::string &text) {
  constexpr std::string_view orders = "<>=|";
  constexpr std::array<std::string_view, 13> known = {
      "f2", "f4", "f8", "c8", "c16", "i1", "i2",
      "i4", "i8", "u1", "u2", "u4",  "u8"};
  const bool hasOrder =
      !text.empty() && orders.find(text[0]) != std::string_view::npos;
  const std::string type = text.substr(hasOrder ? 1 : 0);
  if (std::find(known.begin(), known.end(), type) == known.end())
    throw damaged(path, fmt::format("the type '{}' is unknown", text));
  constexpr bool isLittle = std::endian::native == std::endian::little;
  return {type[0], std::stoi(type.substr(1)),
          hasOrder && text[0] == (isLittle ? '>' : '<')};
}

static int64_t countIn(const std::string &path, const std::string &text) {
  const bool isNumber = !text.empty() && text.size() < 18 &&
                        std::all_of(
                            text.begin(), text.end(),
                            [](char c) { return c >= '0' && c <= '9'; });
  if (!isNumber)
    throw damaged(path, fmt::format("'{}' is not a number", text));
  return std::stoll(text);
}

static BlockHeader readHeader(const std::string &path) {
  constexpr int64_t mostBytes = 1 << 22;
  std::istringstream lines(InputFile(path).start(mostBytes));
  BlockHeader header;
  int64_t files = -1;
  bool hasType = false, hasColumns = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key, value;
    if (!(words >> key >> value))
      continue;
    if (key == "DTYPE:") {
      header.element = elementOf(path, value);
      hasType = true;
    } else if (key == "NMEMB:") {
      header.columns = countIn(path, value);
      hasColumns = true;
    } else if (key == "NFILE:") {
      files = countIn(path, value);
    } else if (key.size() == 7 && key.back() == ':') {
      BlockFile file = {key.substr(0, 6), countIn(path, value), std::nullopt};
      std::string colon, checksum;
      if (words >> colon >> checksum)
        file.checksum = uint32_t(countIn(path, checksum));
      header.files.push_back(file);
    }
  }
  if (!hasType || !hasColumns || files < 0)
    throw damaged(path, "it has no DTYPE, NMEMB or NFILE");
  if (header.columns < 1)
    throw damaged(path, "it has rows without numbers");
  if (int64_t(header.files.size()) != files)
    throw damaged(path, fmt::format("it lists {} files, expected {}",
                                    header.files.size(), files));
  return header;
}

/// Returns the folder of a block. `path` is the header or another file of it.
static std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/'));
}

static std::string headerOf(const std::string &path) {
  return folderOf(path) + std::string(headerName);
}

/// Returns the name that a header has for the type of the numbers.
static std::string_view typeOf(pmrt_element element) {
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
    return "<i1";
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

/// Returns the line of an attribute. It contains the name, the type, the number
/// of elements, their bytes as hexadecimal numbers, and the elements as text.
static std::string lineOf(const Attribute &attribute) {
  std::string bytes;
  const auto line = [&](std::string_view type, size_t count,
                        const std::string &text) {
    std::string hex;
    for (const char byte : bytes)
      hex += fmt::format("{:02X}", static_cast<unsigned char>(byte));
    return fmt::format("{} {} {} {} #HUMANE [ {} ]\n", attribute.name, type,
                       count, hex, text);
  };
  const auto numbers = [&](std::string_view type, const auto &values) {
    for (const auto &value : values)
      bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return line(type, values.size(), fmt::format("{}", fmt::join(values, " ")));
  };
  const auto text = [&](const std::string &words) {
    bytes = words;
    return line("<a1", words.size(), words);
  };
  return std::visit(
      [&](const auto &value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::string>)
          return text(value);
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return text(fmt::format("{}", fmt::join(value, ",")));
        else if constexpr (std::is_same_v<T, std::vector<double>>)
          return numbers("<f8", value);
        else if constexpr (std::is_same_v<T, std::vector<uint64_t>>)
          return numbers("<u8", value);
        else if constexpr (std::is_same_v<T, double>)
          return numbers("<f8", std::array{value});
        else if constexpr (std::is_same_v<T, uint64_t>)
          return numbers("<u8", std::array{value});
        else
          return numbers("<i8", std::array{int64_t(value)});
      },
      attribute.value);
}

/// Returns the sum of the bytes of a file, modulo 2^32.
static uint32_t sumOfBytes(const std::string &path) {
  constexpr int64_t block = int64_t(1) << 22;
  const InputFile file(path);
  std::vector<unsigned char> bytes(static_cast<size_t>(block));
  uint32_t sum = 0;
  for (int64_t at = 0; at < file.size(); at += block) {
    const int64_t count = file.read(bytes.data(), block, at);
    sum = std::accumulate(bytes.begin(), bytes.begin() + count, sum);
  }
  return sum;
}

namespace {

class BigfileSource : public Source {
public:
  explicit BigfileSource(const std::string &path)
      : path(folderOf(path)), header(readHeader(path)) {
    for (const BlockFile &file : header.files) {
      if (file.rows > 0)
        pieces.push_back(
            {rows, file.rows,
             RawArray(std::make_unique<InputFile>(this->path + "/" + file.name),
                      0, header.element, {file.rows, header.columns})});
      rows += file.rows;
    }
  }

  std::string name() const override { return path; }
  std::vector<int64_t> shape() const override {
    if (header.columns == 1)
      return {rows};
    return {rows, header.columns};
  }
  Kind kind() const override {
    return header.element.kind == 'f'   ? Kind::Real
           : header.element.kind == 'c' ? Kind::Complex
                                        : Kind::Integer;
  }
  std::string type() const override { return header.element.text(); }

  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    const int64_t column = start.size() > 1 ? start[1] : 0;
    const int64_t columns = count.size() > 1 ? count[1] : 1;
    auto *to = static_cast<char *>(out);
    for (Piece &piece : pieces) {
      const int64_t from = std::max(start[0], piece.first);
      const int64_t end =
          std::min(start[0] + count[0], piece.first + piece.count);
      if (from >= end)
        continue;
      piece.numbers.read(element, {from - piece.first, column},
                         {end - from, columns}, to);
      to += (end - from) * columns * elementSize(element);
    }
  }

private:
  struct Piece {
    int64_t first, count; ///< the first row, and the number of rows
    RawArray numbers;
  };
  std::string path;
  BlockHeader header;
  std::vector<Piece> pieces;
  int64_t rows = 0;
};

class BigfileFormat : public Format {
public:
  std::string_view name() const override { return "bigfile"; }
  std::string_view summary() const override { return "bigfile"; }

  std::string fileOf(const std::string &stem, bool) const override {
    return stem + std::string(firstFile);
  }
  std::vector<std::string> outputFiles(const Descriptor &program,
                                       const Output &output,
                                       const std::string &stem) const override {
    if (!output.isRecord())
      return {fileOf(stem, false)};
    std::vector<std::string> files;
    for (const std::string &block : blocksOfRecord(program, output))
      files.push_back(fileOf(stem + "/" + block, false));
    return files;
  }
  bool isRead() const override { return true; }
  bool probe(const FileStart &file) const override {
    // The first file is what run.json names as the file of an output.
    if (file.path.ends_with(firstFile))
      return std::filesystem::exists(headerOf(file.path));
    return file.path.ends_with(headerName) &&
           file.bytes.starts_with(headerStart);
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &) const override {
    return std::make_unique<BigfileSource>(headerOf(path));
  }
  /// Returns the header of a folder, because inputs usually name the folder.
  std::string complete(const std::string &path) const override {
    return path + std::string(headerName);
  }
  std::vector<std::string> besides(const std::string &path) const override {
    const std::string folder = folderOf(path);
    if (path.ends_with(firstFile)) // the file of an output
      return {folder + std::string(headerName),
              folder + std::string(attributesName)};
    std::vector<std::string> files;
    for (const BlockFile &file : readHeader(path).files)
      files.push_back(folder + "/" + file.name);
    return files;
  }
  /// The header is one of the files of each input. Its files are verified one
  /// by one, so that the ranks share them.
  std::vector<std::string>
  checkedFiles(const std::string &path) const override {
    std::vector<std::string> files;
    if (path.ends_with(headerName))
      for (const BlockFile &file : readHeader(path).files)
        if (file.checksum && file.rows > 0)
          files.push_back(folderOf(path) + "/" + file.name);
    return files;
  }
  void verify(const std::string &path, const std::string &) const override {
    const std::string name = path.substr(path.rfind('/') + 1);
    const std::vector<BlockFile> files = readHeader(headerOf(path)).files;
    const auto file = std::ranges::find(files, name, &BlockFile::name);
    if (file == files.end() || !file->checksum)
      return;
    if (const uint32_t sum = sumOfBytes(path); sum != *file->checksum)
      throw std::runtime_error(fmt::format(
          "{} is damaged or was changed: the sum of its bytes modulo 2^32 is "
          "{}, but {} says {}; get a new copy of the block, or correct the "
          "header if the change is intended",
          path, sum, headerOf(path), *file->checksum));
  }

  bool holdsRecords() const override { return true; }
  bool splitsRecords() const override { return true; }
  bool joinsComponents() const override { return true; }
  std::string problem(const Descriptor &program,
                      const Output &output) const override {
    return output.isRecord() ? problemOfBlocks(program, output) : "";
  }
  void addArrays(std::vector<NamedArray> &members) const override {
    makeBlocks(members);
  }

  std::vector<int64_t>
  make(Context &, OutputFile &,
       const std::vector<NamedArray> &arrays) const override {
    typeOf(arrays.front().stream.element); // throws if bigfile has no such type
    return {0};
  }
  void finish(Context &context, OutputFile &file,
              const NamedArray &array) const override {
    file.publish();
    const std::string folder = folderOf(file.path());
    std::string attributes;
    for (const Attribute &attribute : array.attributes)
      if (const auto *text = std::get_if<std::string>(&attribute.value);
          !text || !text->empty()) // other programs require elements
        attributes += lineOf(attribute);
    writeWholeFile(folder + std::string(attributesName), attributes,
                   context.token);
    int64_t rows = 1;
    for (const int64_t extent : array.stream.shape)
      rows *= extent;
    rows /= std::max<int64_t>(1, array.stream.columns);
    const uint32_t sum = sumOfBytes(file.path());
    constexpr uint32_t half = 0xFFFF;
    const uint32_t folded = (sum & half) + (sum >> 16);
    // The header is written last, because a block with a header is complete.
    writeWholeFile(
        folder + std::string(headerName),
        fmt::format("DTYPE: {}\nNMEMB: {}\nNFILE: 1\n{}: {} : {} : {}\n",
                    typeOf(array.stream.element), array.stream.columns,
                    firstFile.substr(1), rows, sum,
                    (folded & half) + (folded >> 16)),
        context.token);
  }
};

} // namespace

PMRT_FORMATS(Bigfile, BigfileFormat);
