//===- Inputs.cpp - Fields and tables that the user gives -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs.h"

#include "runtime/Core/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/IO/Finite.h"
#include "runtime/IO/Source.h"

#include <charconv>
#include <fstream>
#include <sstream>

using namespace pmrt;

/// Bytes of an input that are read and converted at a time.
static constexpr int64_t chunkBytes = int64_t(4) << 20;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static std::unique_ptr<Table> tableOf(const std::vector<double> &rows) {
  auto table = std::make_unique<Table>(int64_t(rows.size() / 2));
  for (size_t i = 0; i < rows.size() / 2; ++i) {
    table->x[i] = rows[2 * i];
    table->y[i] = rows[2 * i + 1];
  }
  return table;
}

static std::unique_ptr<Table> readTextTable(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error(fmt::format("cannot open {}", path));
  std::vector<double> rows;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    if (size_t comment = line.find('#'); comment != std::string::npos)
      line.resize(comment);
    std::replace_if(
        line.begin(), line.end(),
        [](char c) { return c == ',' || c == '\t' || c == '\r'; }, ' ');
    std::istringstream words(line);
    std::string word;
    int columns = 0;
    while (words >> word) {
      double value = 0;
      const char *begin = word.c_str() + (word[0] == '+');
      const char *end = word.c_str() + word.size();
      auto [stop, error] = std::from_chars(begin, end, value);
      if (error != std::errc() || stop != end)
        throw std::runtime_error(fmt::format("{}:{}: '{}' is not a number",
                                             path, number, word.substr(0, 40)));
      rows.push_back(value);
      ++columns;
    }
    if (columns != 0 && columns != 2)
      throw std::runtime_error(fmt::format("{}:{}: {} column{}, expected 2",
                                           path, number, columns,
                                           columns == 1 ? "" : "s"));
  }
  return tableOf(rows);
}

std::unique_ptr<Table> pmrt::readTable(const std::string &spec) {
  std::unique_ptr<Table> table;
  if (isArrayFile(spec)) {
    auto source = openSource(spec);
    const std::vector<int64_t> shape = source->shape();
    if (shape.size() != 2 || shape[1] != 2)
      throw std::runtime_error(
          fmt::format("{} has shape {}, expected two columns: (n, 2)",
                      source->name(), shapeText(shape)));
    if (source->kind() != Source::Kind::Real)
      throw std::runtime_error(
          fmt::format("{} holds {}, expected float32 or float64",
                      source->name(), source->type()));
    std::vector<double> rows(size_t(2 * shape[0]));
    if (!rows.empty())
      source->read(PMRT_F64, 0, shape[0], rows.data());
    table = tableOf(rows);
  } else {
    table = readTextTable(spec);
  }
  if (std::string problem = table->problem(); !problem.empty())
    throw std::runtime_error(fmt::format("{}: {}", spec, problem));
  return table;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static std::vector<int64_t> inputShape(const Context &context,
                                       const Input &input) {
  std::vector<int64_t> shape;
  for (int32_t dim : input.dims)
    shape.push_back(context.shards[size_t(dim)].extent);
  return shape;
}

static std::unique_ptr<Source>
openField(const Context &context, const Input &input, const std::string &spec) {
  auto source = openSource(spec);
  const std::vector<int64_t> want = inputShape(context, input);
  if (source->shape() != want) {
    std::vector<std::string> names;
    for (int32_t dim : input.dims)
      names.push_back(context.program.dims[size_t(dim)].name);
    throw std::runtime_error(fmt::format(
        "{} has shape {}, expected {} (dims {})", source->name(),
        shapeText(source->shape()), shapeText(want), fmt::join(names, ", ")));
  }
  using Kind = Source::Kind;
  const Kind kind = source->kind();
  const bool fits = isComplex(input.element) ? kind == Kind::Complex
                    : isFloat(input.element) ? kind == Kind::Real
                                             : kind == Kind::Integer;
  if (!fits)
    throw std::runtime_error(
        fmt::format("{} holds {}, expected {}", source->name(), source->type(),
                    isComplex(input.element)   ? "complex64 or complex128"
                    : isFloat(input.element)   ? "float32 or float64"
                    : input.element == PMRT_I8 ? "bool"
                                               : "integers"));
  return source;
}

/// Reads rows into `out`, a chunk at a time; `out` null: into a buffer, only to
/// look at the values.
static void readField(Context &context, Source &source, pmrt_element element,
                      char *out) {
  const std::vector<int64_t> shape = source.shape();
  int64_t row = 1;
  for (size_t d = 1; d < shape.size(); ++d)
    row *= shape[d];
  const int64_t rows = shape.empty() ? 1 : shape[0];
  const int64_t size = elementSize(element);
  const int64_t step =
      std::max<int64_t>(1, chunkBytes / std::max<int64_t>(1, row * size));
  std::vector<char> buffer(out ? 0 : size_t(std::min(step, rows) * row * size));
  for (int64_t begin = 0; begin < rows; begin += step) {
    checkInterrupt();
    const int64_t end = std::min(rows, begin + step);
    char *place = out ? out + begin * row * size : buffer.data();
    source.read(element, begin, end, place);
    const int64_t bad =
        firstNonFinite(context.threads, element, place, (end - begin) * row);
    if (bad >= 0)
      throw std::runtime_error(fmt::format("{} is not finite: element {} is {}",
                                           source.name(),
                                           indexText(shape, begin * row + bad),
                                           elementText(element, place, bad)));
    if (element == PMRT_I8)
      for (int64_t i = 0; i < (end - begin) * row; ++i)
        if (place[i] != 0 && place[i] != 1)
          throw std::runtime_error(fmt::format(
              "{} is not a mask: element {} is {}, expected 0 or 1",
              source.name(), indexText(shape, begin * row + i), int(place[i])));
  }
}

std::vector<std::string> pmrt::checkInputs(Context &context, bool values) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < context.program.inputs.size(); ++i) {
    const Input &input = context.program.inputs[i];
    const std::string &spec = context.inputFiles[i];
    if (spec.empty())
      continue;
    try {
      if (input.kind == InputKind::Table) {
        auto table = readTable(spec);
        lines.push_back(
            fmt::format("--{}: {}, {} rows", input.name, spec, table->size));
        continue;
      }
      auto source = openField(context, input, spec);
      if (values)
        readField(context, *source, input.element, nullptr);
      lines.push_back(fmt::format("--{}: {}, {} {}", input.name, source->name(),
                                  shapeText(source->shape()), source->type()));
    } catch (const std::runtime_error &e) {
      throw usageError("--{}: {}", input.name, e.what());
    }
  }
  return lines;
}

//===----------------------------------------------------------------------===//
// ABI
//===----------------------------------------------------------------------===//

static const Input &inputAt(Context &ctx, pmrt_loc loc, int32_t index,
                            InputKind kind) {
  if (index < 0 || size_t(index) >= ctx.program.inputs.size() ||
      ctx.program.inputs[size_t(index)].kind != kind)
    throw ctx.failure(loc, fmt::format("internal error: input {}", index));
  const Input &input = ctx.program.inputs[size_t(index)];
  if (ctx.inputFiles[size_t(index)].empty())
    throw ctx.failure(loc, fmt::format("input '{}' is needed here, but --{} "
                                       "was not given",
                                       input.name, input.name));
  return input;
}

void pmrt_input_field(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                      const pmrt_array *out) {
  const Input &what = inputAt(*ctx, loc, input, InputKind::Field);
  const auto element = pmrt_element(out->element);
  const int64_t bytes = ctx->elements(loc, *out) * elementSize(element);
  Op op(*ctx, loc, "input", bytes);
  if (ctx->shape(loc, *out) != inputShape(*ctx, what))
    throw ctx->failure(
        loc, fmt::format("internal error: array of input '{}'", what.name));
  try {
    auto source = openField(*ctx, what, ctx->inputFiles[size_t(input)]);
    readField(*ctx, *source, element, static_cast<char *>(out->data));
  } catch (const Error &) {
    throw;
  } catch (const std::runtime_error &e) {
    // Found late, but what is wrong is the input.
    throw Error(Exit::Usage, ctx->location(loc),
                fmt::format("--{}: {}", what.name, e.what()));
  }
}

pmrt_table *pmrt_input_table(pmrt_context *ctx, pmrt_loc loc, int32_t input) {
  const Input &what = inputAt(*ctx, loc, input, InputKind::Table);
  Op op(*ctx, loc, "input");
  try {
    return ctx->tables.emplace_back(readTable(ctx->inputFiles[size_t(input)]))
        .get();
  } catch (const std::runtime_error &e) {
    throw Error(Exit::Usage, ctx->location(loc),
                fmt::format("--{}: {}", what.name, e.what()));
  }
}
