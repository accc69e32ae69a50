//===- Format.cpp - The list of file formats ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/Format.h"

#include "runtime/IO/Files/InputFile.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <stdexcept>

using namespace pmrt;

std::unique_ptr<Source> Format::open(const std::string &path,
                                     const std::string &) const {
  throw std::runtime_error(fmt::format(
      "{} is a .{} file, which cannot be an input", path, suffix()));
}

int64_t Format::bytesOf(pmrt_element element) const {
  return elementSize(element);
}

std::vector<int64_t> Format::make(Context &, OutputFile &,
                                  const std::vector<NamedArray> &) const {
  throw std::runtime_error(
      fmt::format("internal error: .{} files are not written", suffix()));
}

void Format::finish(Context &, OutputFile &file, const NamedArray &) const {
  file.publish();
}

std::runtime_error pmrt::cannotWrite(const OutputFile &file,
                                     std::string_view why) {
  return std::runtime_error(
      fmt::format("cannot write {}: {}", file.path(), why));
}

std::string pmrt::problemOfRank(size_t rank, size_t most) {
  if (rank <= most)
    return "";
  return fmt::format("it has {} dims, and this format {}", rank,
                     most == 1 ? "stores only columns over one dim"
                               : fmt::format("supports at most {}", most));
}

size_t pmrt::rankOfTable(const Stream &stream) {
  const size_t components = stream.columns > 1 ? 1 : 0;
  return stream.shape.size() - std::min(components, stream.shape.size());
}

std::vector<std::string> pmrt::componentNames(const NamedArray &array) {
  const Stream &stream = array.stream;
  if (!stream.columnNames.empty() || stream.columns == 1)
    return stream.columnNames.empty() ? std::vector{array.name}
                                      : stream.columnNames;
  std::vector<std::string> names;
  for (int64_t i = 1; i <= stream.columns; ++i)
    names.push_back(fmt::format("{}_{}", array.name, i));
  return names;
}

std::vector<std::string> pmrt::componentUnits(const NamedArray &array) {
  return splitUnits(array.stream.unit, componentNames(array).size());
}

std::vector<std::string> pmrt::splitUnits(const std::string &units,
                                          size_t count) {
  std::vector<std::string> all;
  std::istringstream text(units);
  for (std::string one; std::getline(text >> std::ws, one, ',');)
    all.push_back(one == "1" ? "" : one);
  all.resize(count, all.size() == 1 ? all[0] : "");
  return all;
}

#define PMRT_ADD(FILE) std::vector<const Format *> pmrt_formats_##FILE();
#include "FormatList.def"
#undef PMRT_ADD

const std::vector<const Format *> &pmrt::allFormats() {
  static const std::vector<const Format *> all = [] {
    std::vector<const Format *> list;
#define PMRT_ADD(FILE)                                                         \
  for (const Format *format : pmrt_formats_##FILE())                           \
    list.push_back(format);
#include "FormatList.def"
#undef PMRT_ADD
    return list;
  }();
  return all;
}

const Format *pmrt::findFormat(std::string_view name) {
  for (const Format *format : allFormats())
    if (format->isWritten() && format->name() == name)
      return format;
  return nullptr;
}

/// Those of outputs, the default first.
static std::vector<const Format *> writtenFormats() {
  std::vector<const Format *> all = {findFormat(Settings().format)};
  for (const Format *format : allFormats())
    if (format->isWritten() && format != all.front())
      all.push_back(format);
  return all;
}

std::string pmrt::formatNames(std::string_view between) {
  std::vector<std::string_view> names;
  for (const Format *format : writtenFormats())
    names.push_back(format->name());
  return fmt::format("{}", fmt::join(names, between));
}

std::string pmrt::formatSummaries() {
  std::vector<std::string> texts;
  for (const Format *format : writtenFormats())
    texts.push_back(fmt::format("{} is {}", format->name(), format->summary()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string pmrt::readableFormats() {
  std::vector<std::string_view> texts;
  for (const Format *format : allFormats())
    if (format->isRead())
      texts.push_back(format->summary());
  const std::string_view last = texts.back();
  texts.pop_back();
  return fmt::format("{} or {}", fmt::join(texts, ", "), last);
}

const Format &pmrt::formatOf(const Settings &settings,
                             const std::string &output) {
  const auto own = settings.formats.find(output);
  const std::string &name =
      own == settings.formats.end() ? settings.format : own->second;
  if (const Format *format = findFormat(name))
    return *format;
  throw std::logic_error(
      fmt::format("internal error: no file format '{}'", name));
}

const Format *pmrt::formatOfFile(const SourceName &name) {
  const FileStart start = {
      name.path, InputFile(name.path).start(FileStart::most), name.dataset};
  for (const Format *format : allFormats())
    if (format->probe(start))
      return format;
  return nullptr;
}
