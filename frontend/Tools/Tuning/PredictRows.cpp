//===- PredictRows.cpp - A table of transforms with predictions -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Tools/Tuning/PredictRows.h"

#include "codegen/Machine/ReadFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace pmc;
using namespace pmc::machine;

/// "8x4" -> {8, 4}.
template <size_t count>
static llvm::Error parseExtents(llvm::StringRef text, llvm::StringRef what,
                                std::array<int64_t, count> &to) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  bool good = parts.size() == count;
  for (size_t i = 0; good && i < count; ++i)
    good = !parts[i].getAsInteger(10, to[i]) && to[i] > 0;
  if (good)
    return llvm::Error::success();
  return llvm::createStringError(what + " requires " + llvm::Twine(count) +
                                 " whole numbers above 0 with 'x' between, "
                                 "not '" +
                                 text + "'");
}

/// How tables spell transports: "MPI_P2P (pipelined)".
static std::string parseTransport(llvm::StringRef text, bool &pipelined) {
  pipelined = text.consume_back(" (pipelined)");
  return text.lower();
}

static llvm::Expected<FFTTask> parseTask(const FFTText &text) {
  FFTTask task;
  if (llvm::Error error = parseExtents(text.size, "the transform", task.size))
    return error;
  if (llvm::Error error = parseExtents(text.mesh, "the mesh", task.mesh))
    return error;
  if (text.precision == "f64" || text.precision == "float64")
    task.precision = Precision::F64;
  else if (text.precision != "f32" && text.precision != "float32")
    return llvm::createStringError("the precision is f32 or f64, not '" +
                                   text.precision + "'");
  if (text.type != "c2c" && text.type != "r2c" && text.type != "c2r")
    return llvm::createStringError("the type is c2c, r2c or c2r, not '" +
                                   text.type + "'");
  task.real = text.type != "c2c";
  if (text.direction != "forward" && text.direction != "inverse")
    return llvm::createStringError(
        "the direction is forward or inverse, not '" + text.direction + "'");
  task.inverse = text.type == "c2r" || text.direction == "inverse";
  task.contiguous = text.contiguous;
  task.library = text.library.empty() ? "pmc" : text.library;
  task.transport = parseTransport(text.transport, task.pipelined);
  return task;
}

llvm::Expected<const Machine *> Predictor::load(const std::string &name) {
  auto known = machines.find(name);
  if (known != machines.end())
    return &known->second;
  llvm::Expected<Machine> loaded = Machine::load(name, libraryFolder);
  if (!loaded)
    return loaded.takeError();
  return &machines.emplace(name, std::move(*loaded)).first->second;
}

llvm::Expected<FFTTime> Predictor::predict(const FFTText &text) {
  llvm::Expected<const Machine *> machine = load(text.machine);
  if (!machine)
    return machine.takeError();
  llvm::Expected<FFTTask> task = parseTask(text);
  if (!task)
    return task.takeError();
  return predictFFT(**machine, *task);
}

namespace {
/// What a row has, by column.
class Row {
public:
  Row(const llvm::StringMap<size_t> &columns, llvm::StringRef line)
      : columns(columns) {
    line.split(fields, ',');
  }
  size_t size() const { return fields.size(); }
  llvm::StringRef operator[](llvm::StringRef column) const {
    auto found = columns.find(column);
    return found == columns.end() ? "" : fields[found->second].trim();
  }
  /// Replaces each {COLUMN}.
  std::string fill(llvm::StringRef pattern) const {
    std::string text;
    while (!pattern.empty()) {
      auto [before, rest] = pattern.split('{');
      text += before;
      if (before.size() == pattern.size())
        break;
      auto [column, after] = rest.split('}');
      text += (*this)[column];
      pattern = after;
    }
    return text;
  }

private:
  const llvm::StringMap<size_t> &columns;
  llvm::SmallVector<llvm::StringRef> fields;
};
} // namespace

static FFTText readRow(const Row &row, const FFTText &defaults) {
  auto choose = [](llvm::StringRef said, const std::string &otherwise) {
    return said.empty() ? otherwise : said.str();
  };
  FFTText text = defaults;
  text.machine = choose(row["machine"], row.fill(defaults.machine));
  if (!row["x"].empty())
    text.size = (row["x"] + "x" + row["y"] + "x" + row["z"]).str();
  else if (!row["n"].empty())
    text.size = (row["n"] + "x" + row["n"] + "x" + row["n"]).str();
  if (!row["px"].empty())
    text.mesh = (row["px"] + "x" + row["py"]).str();
  text.precision = choose(row["precision"], defaults.precision);
  text.library = choose(row["library"], defaults.library);
  text.transport = choose(row["backend"], defaults.transport);
  text.type = choose(row["type"], defaults.type);
  if (row["transform"] == "IFFT")
    text.direction = "inverse";
  text.contiguous = row["axis_contiguous"] != "0";
  return text;
}

llvm::Error Predictor::predictRows(const std::string &file,
                                   const FFTText &defaults,
                                   llvm::raw_ostream &os) {
  llvm::Expected<std::string> rows =
      readFile(file == "-" ? "/dev/stdin" : file);
  if (!rows)
    return llvm::createStringError("cannot read '" + file +
                                   "': " + llvm::toString(rows.takeError()));
  const auto buffer = llvm::MemoryBuffer::getMemBuffer(*rows, file);
  llvm::line_iterator line(*buffer);
  if (line.is_at_end())
    return llvm::createStringError("'" + file +
                                   "' has no row with the names "
                                   "of its columns");
  llvm::StringMap<size_t> columns;
  llvm::SmallVector<llvm::StringRef> names;
  const llvm::StringRef header = line->rtrim();
  header.split(names, ',');
  for (auto [index, name] : llvm::enumerate(names))
    columns[name.trim()] = index;
  os << header << ",predicted_ms\n";
  for (++line; !line.is_at_end(); ++line) {
    const llvm::StringRef text = line->rtrim();
    auto place = [&] {
      return file + ":" + std::to_string(line.line_number()) + ": error: ";
    };
    const Row row(columns, text);
    if (row.size() != names.size())
      return llvm::createStringError(place() + std::to_string(names.size()) +
                                     " columns expected, not " +
                                     std::to_string(row.size()));
    llvm::Expected<FFTTime> time = predict(readRow(row, defaults));
    if (!time)
      return llvm::createStringError(place() +
                                     llvm::toString(time.takeError()));
    os << text << "," << llvm::format("%.4f", 1e3 * time->total()) << "\n";
  }
  return llvm::Error::success();
}
