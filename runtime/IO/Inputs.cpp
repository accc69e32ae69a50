//===- Inputs.cpp - Fields and tables that the user gives -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs.h"

#include "runtime/Base/Format.h"
#include "runtime/Base/Hash.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"
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
      source->read(PMRT_F64, {0, 0}, shape, rows.data());
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

/// How the program cuts an input that it reads into `dims`.
static Layout layoutOver(const Context &context,
                         const std::vector<int32_t> &dims) {
  Layout layout;
  for (int32_t dim : dims)
    layout.dims.push_back(
        splitOf(context.mesh, context.program.dims[size_t(dim)]));
  return layout;
}

static std::unique_ptr<Source>
openField(const Context &context, const Input &input, const std::string &spec) {
  auto source = openSource(spec);
  const std::vector<int64_t> want = layoutOver(context, input.dims).cells();
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
  // What is too large for an int would become another one.
  if (fits && input.element == PMRT_I64 && source->type() == "uint64")
    throw std::runtime_error(
        fmt::format("{} holds uint64, expected integers that all fit int64",
                    source->name()));
  if (!fits)
    throw std::runtime_error(
        fmt::format("{} holds {}, expected {}", source->name(), source->type(),
                    isComplex(input.element)   ? "complex64 or complex128"
                    : isFloat(input.element)   ? "float32 or float64"
                    : input.element == PMRT_I8 ? "bool"
                                               : "integers"));
  std::optional<std::string> unit = source->unit();
  if (unit == "1") // as other programs say it
    unit = "";
  auto describe = [](const std::string &text) {
    return text.empty() ? "a pure number" : "in " + text;
  };
  if (unit && *unit != (input.unit == "1" ? "" : input.unit))
    throw std::runtime_error(fmt::format("{} is {}, expected {}",
                                         source->name(), describe(*unit),
                                         describe(input.unit)));
  return source;
}

/// Reads what this rank owns into `out`, memory of the context's fields, a
/// chunk at a time; `out` null: only to look at the values.
static void readField(Context &context, Source &source, pmrt_element element,
                      const Box &box, char *out, Hash *hash = nullptr) {
  std::vector<int64_t> start, count = box.shape();
  for (const Shard &side : box.sides)
    start.push_back(side.offset);
  const int64_t rows = count.empty() ? 1 : count[0];
  const int64_t row = rows ? box.cells() / rows : 0;
  const int64_t size = elementSize(element);
  const int64_t step =
      std::max<int64_t>(1, chunkBytes / std::max<int64_t>(1, row * size));
  std::vector<char> buffer(out ? 0 : size_t(std::min(step, rows) * row * size));
  // The index in the file of a cell of a chunk.
  auto place = [&](int64_t cell) {
    std::vector<int64_t> at(start);
    for (size_t d = at.size(); d-- > 0;) {
      at[d] += cell % count[d];
      cell /= count[d];
    }
    return fmt::format("[{}]", fmt::join(at, ", "));
  };
  const auto checkChunk = [&](const char *chunk, int64_t cells) {
    const int64_t bad = firstNonFinite(context.threads, element, chunk, cells);
    if (bad >= 0)
      throw std::runtime_error(fmt::format("{} is not finite: element {} is {}",
                                           source.name(), place(bad),
                                           elementText(element, chunk, bad)));
    if (element != PMRT_I8)
      return;
    for (int64_t i = 0; i < cells; ++i)
      if (chunk[i] != 0 && chunk[i] != 1)
        throw std::runtime_error(
            fmt::format("{} is not a mask: element {} is {}, expected 0 or 1",
                        source.name(), place(i), int(chunk[i])));
  };
  for (int64_t begin = 0; begin < rows; begin += step) {
    checkInterrupt();
    context.transport->poll();
    const int64_t end = std::min(rows, begin + step);
    if (!count.empty()) {
      start[0] = box.sides[0].offset + begin;
      count[0] = end - begin;
    }
    const int64_t cells = (end - begin) * row;
    const auto read = [&](char *chunk) {
      source.read(element, start, count, chunk);
      checkChunk(chunk, cells);
      if (hash)
        hash->add(chunk, cells * size);
    };
    if (out)
      context.device->fill(out + begin * row * size, cells * size, read);
    else
      read(buffer.data());
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
        readField(context, *source, input.element,
                  layoutOver(context, input.dims).box(context.mesh), nullptr);
      lines.push_back(fmt::format("--{}: {}, {} {}", input.name, source->name(),
                                  shapeText(source->shape()), source->type()));
    } catch (const std::runtime_error &e) {
      throw usageError("--{}: {}", input.name, e.what());
    }
  }
  return lines;
}

/// Of this rank's part of a field, of the whole of a table.
static Digest contentsOf(Context &context, size_t index) {
  const Input &input = context.program.inputs[index];
  const std::string &spec = context.inputFiles[index];
  Hash hash;
  if (input.kind == InputKind::Table) {
    auto table = readTable(spec);
    for (const double *column : {table->x, table->y})
      hash.add(column, table->size * int64_t(sizeof(double)));
    return hash.value();
  }
  const Box box = layoutOver(context, input.dims).box(context.mesh);
  auto source = openField(context, input, spec);
  readField(context, *source, input.element, box, nullptr, &hash);
  return hash.value();
}

/// Of what all ranks have, in their order.
static Digest hashOfAll(Context &context, const Digest &mine) {
  Hash all;
  for (const uint64_t word : mine.words)
    for (const int64_t theirs : context.world.gather(int64_t(word)))
      all.add(&theirs, sizeof theirs);
  return all.value();
}

std::string pmrt::describeContents(Context &context, pmrt_loc loc) {
  std::vector<Digest> mine;
  std::string problem;
  for (size_t i = 0; i < context.program.inputs.size(); ++i) {
    if (context.inputFiles[i].empty())
      continue;
    try {
      mine.push_back(contentsOf(context, i));
    } catch (const Error &) {
      throw;
    } catch (const std::runtime_error &e) {
      problem =
          fmt::format("--{}: {}", context.program.inputs[i].name, e.what());
      break;
    }
  }
  context.agree(loc, problem, Exit::Usage);
  std::vector<std::string> words;
  size_t next = 0;
  for (size_t i = 0; i < context.program.inputs.size(); ++i)
    if (!context.inputFiles[i].empty())
      words.push_back(fmt::format("{}={}", context.program.inputs[i].name,
                                  hashOfAll(context, mine[next++]).text()));
  return fmt::format("{}", fmt::join(words, " "));
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
  const Layout layout = layoutOf(*ctx, *out);
  if (layout.cells() != layoutOver(*ctx, what.dims).cells())
    throw ctx->failure(
        loc, fmt::format("internal error: array of input '{}'", what.name));
  std::string problem;
  try {
    auto source = openField(*ctx, what, ctx->inputFiles[size_t(input)]);
    readField(*ctx, *source, element, layout.box(ctx->mesh),
              static_cast<char *>(out->data));
  } catch (const Error &) {
    throw;
  } catch (const std::runtime_error &e) {
    problem = fmt::format("--{}: {}", what.name, e.what());
  }
  ctx->agree(loc, problem, Exit::Usage);
}

pmrt_table *pmrt_input_table(pmrt_context *ctx, pmrt_loc loc, int32_t input) {
  const Input &what = inputAt(*ctx, loc, input, InputKind::Table);
  Op op(*ctx, loc, "input");
  std::string problem;
  try {
    ctx->tables.push_back(readTable(ctx->inputFiles[size_t(input)]));
  } catch (const std::runtime_error &e) {
    problem = fmt::format("--{}: {}", what.name, e.what());
  }
  ctx->agree(loc, problem, Exit::Usage);
  return ctx->tables.back().get();
}
