//===- Inputs.cpp - Fields and tables that the user gives -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/Inputs.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Hash.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"
#include "runtime/IO/Files/Finite.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Inputs/FieldFile.h"
#include "runtime/IO/Inputs/Samples.h"
#include "runtime/IO/Inputs/TableFile.h"

#include <cstring>

using namespace pmrt;

/// Bytes of an input that are read and converted at a time.
static constexpr int64_t readAtOnce = int64_t(4) << 20;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// Throws if a value of an input cannot be. `place` says which element it is.
static void checkValues(Context &context, const Source &source,
                        pmrt_element element, const char *chunk, int64_t cells,
                        const std::function<std::string(int64_t cell)> &place) {
  const int64_t bad = firstNonFinite(context.threads, element, chunk, cells);
  if (bad >= 0) {
    const std::string value = elementText(element, chunk, bad);
    const bool isNaN = value.find("nan") != std::string::npos;
    const bool isNarrowed =
        ((element == PMRT_F32 && source.type() == "float64") ||
         (element == PMRT_C64 && source.type() == "complex128")) &&
        !isNaN;
    throw std::runtime_error(fmt::format(
        "{} is not finite{}: element {} is {}{}", source.name(),
        isNarrowed ? " in f32 (it has f64: --precision=f64 keeps that)" : "",
        place(bad), value, isNaN ? source.missing() : ""));
  }
  if (element != PMRT_I8)
    return;
  for (int64_t i = 0; i < cells; ++i)
    if (chunk[i] != 0 && chunk[i] != 1)
      throw std::runtime_error(
          fmt::format("{} is not a mask: element {} is {}, expected 0 or 1",
                      source.name(), place(i), int(chunk[i])));
}

/// "[3, 4, 5]": cell `cell` of a box.
static std::string placeIn(std::vector<int64_t> start,
                           const std::vector<int64_t> &count, int64_t cell) {
  for (size_t d = start.size(); d-- > 0;) {
    start[d] += cell % count[d];
    cell /= count[d];
  }
  return fmt::format("[{}]", fmt::join(start, ", "));
}

/// Where cell `cell` of a box is in the whole array.
static int64_t placeInWhole(const std::vector<int64_t> &start,
                            const std::vector<int64_t> &count,
                            const std::vector<int64_t> &whole, int64_t cell) {
  int64_t place = 0, step = 1;
  for (size_t d = count.size(); d-- > 0;) {
    place += (start[d] + cell % count[d]) * step;
    cell /= count[d];
    step *= whole[d];
  }
  return place;
}

/// Adds a box of cells at their places in the whole array, row by row.
static void addRows(ElementHash &hash, const char *cells, int64_t size,
                    const std::vector<int64_t> &start,
                    const std::vector<int64_t> &count,
                    const std::vector<int64_t> &whole) {
  int64_t all = 1;
  for (const int64_t extent : count)
    all *= extent;
  const int64_t row = count.empty() ? 1 : count.back();
  for (int64_t cell = 0; cell < all; cell += row)
    hash.add(cells + cell * size, row, size,
             placeInWhole(start, count, whole, cell));
}

static std::string readingText(const FieldFile &field) {
  return "reading " + field.source().name();
}

/// Reads a file whose cells lie otherwise than in memory: in its own order, so
/// that it is read once.
static void readPieces(Context &context, const FieldFile &field,
                       pmrt_element element, const Box &box, char *out,
                       ElementHash *hash) {
  const int64_t size = elementSize(element), bytes = box.cells() * size;
  std::vector<int64_t> start, count = box.shape();
  for (const Shard &side : box.sides)
    start.push_back(side.offset);
  // A GPU's memory is filled when all is there.
  std::vector<char> whole(out && context.gpu() ? size_t(bytes) : 0);
  char *memory = out && context.gpu() ? whole.data() : out;
  std::vector<char> buffer;
  const std::string what = readingText(field);
  int64_t done = 0;
  for (const FilePiece &piece : field.order().pieces(box))
    piece.forParts(readAtOnce / size, [&](const FilePiece &part) {
      checkInterrupt();
      context.transport->poll();
      const int64_t cells = part.cells();
      context.progress.phase(what, double(done) / double(box.cells()));
      done += cells;
      buffer.resize(size_t(cells * size));
      field.source().load(element, part.start(), part.count(), buffer.data());
      checkValues(
          context, field.source(), element, buffer.data(), cells,
          [&](int64_t cell) { return placeIn(start, count, part.cell(cell)); });
      if (hash)
        for (int64_t i = 0; i < cells; ++i)
          hash->add(buffer.data() + i * size, 1, size,
                    placeInWhole(start, count, field.shape(), part.cell(i)));
      if (memory)
        context.threads.forRange(cells, [&](int64_t begin, int64_t end) {
          part.scatter(begin, end, size, buffer.data() + begin * size, memory);
        });
    });
  if (!whole.empty())
    context.device->fill(out, bytes, [&](char *to) {
      std::memcpy(to, whole.data(), size_t(bytes));
    });
}

/// Reads what this rank owns into `out`, memory of the context's fields, a
/// chunk at a time; `out` null: only to look at the values.
static void readField(Context &context, const FieldFile &field,
                      pmrt_element element, const Box &box, char *out,
                      ElementHash *hash = nullptr) {
  if (!field.order().isStraight(box.sides.size()))
    return readPieces(context, field, element, box, out, hash);
  Source &source = field.source();
  std::vector<int64_t> start, count = box.shape();
  for (const Shard &side : box.sides)
    start.push_back(side.offset);
  const int64_t rows = count.empty() ? 1 : count[0];
  const int64_t row = rows ? box.cells() / rows : 0;
  const int64_t size = elementSize(element);
  const int64_t step =
      std::max<int64_t>(1, readAtOnce / std::max<int64_t>(1, row * size));
  std::vector<char> buffer(out ? 0 : size_t(std::min(step, rows) * row * size));
  const std::string what = readingText(field);
  for (int64_t begin = 0; begin < rows; begin += step) {
    checkInterrupt();
    context.transport->poll();
    context.progress.phase(what, double(begin) / double(rows));
    const int64_t end = std::min(rows, begin + step);
    if (!count.empty()) {
      start[0] = box.sides[0].offset + begin;
      count[0] = end - begin;
    }
    const int64_t cells = (end - begin) * row;
    const auto read = [&](char *chunk) {
      source.load(element, start, count, chunk);
      checkValues(context, source, element, chunk, cells,
                  [&](int64_t cell) { return placeIn(start, count, cell); });
      if (hash)
        addRows(*hash, chunk, size, start, count, source.shape());
    };
    if (out)
      context.device->fill(out + begin * row * size, cells * size, read);
    else
      read(buffer.data());
  }
}

/// Takes note of what reading a file takes. Throws if that alone exceeds the
/// memory limit.
static void admit(Context &context, int64_t workBytes,
                  const std::string &name) {
  context.readingBytes = std::max(context.readingBytes, workBytes);
  if (!context.gpu() && workBytes > context.memoryLimit())
    throw std::runtime_error(fmt::format(
        "{} has compressed chunks that need {} to be read, more than {}; write "
        "it with smaller chunks (h5repack -l CHUNK=...), or raise "
        "--memory-limit",
        name, bytesText(double(workBytes)), context.memoryLimitText()));
}

/// Keeps the conversion of an input for the record of the run, and reports it.
static void noteConversion(Context &context, const Input &input,
                           const std::string &note) {
  if (note.empty())
    return;
  context.conversions[input.name] = note;
  if (context.transport->rank() == 0)
    context.progress.announce(
        fmt::format("--{}: converted {}", input.name, note));
}

/// What a stream has; with `values`, after a look at each sample.
static std::string checkStream(Context &context, const Input &input,
                               const std::string &spec, bool values) {
  SampleStream stream(context, input, spec);
  noteConversion(context, input, stream.set().conversion());
  admit(context, stream.set().workBytes(), spec);
  std::vector<char> sample(size_t(values ? stream.bytes({0}) : 0));
  for (int64_t i = 0; values && i < stream.set().count(); ++i)
    stream.look(i, sample.data());
  return stream.set().text();
}

std::vector<std::string> pmrt::checkInputs(Context &context, bool values) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < context.program.inputs.size(); ++i) {
    const Input &input = context.program.inputs[i];
    const std::string &spec = context.inputFiles[i];
    if (spec.empty())
      continue;
    const std::string flag = input.flag();
    try {
      if (input.kind == InputKind::Table) {
        const TableFile file(context.program, i, spec);
        admit(context, file.workBytes(), spec);
        std::string note;
        if (const std::string line = file.describe(&note); !line.empty())
          lines.push_back(fmt::format("--{}: {}, {}", flag, spec, line));
        noteConversion(context, input, note);
        continue;
      }
      if (input.streamed) {
        lines.push_back(fmt::format("--{}: {}", input.name,
                                    checkStream(context, input, spec, values)));
        continue;
      }
      const FieldFile field(context, input, spec);
      noteConversion(context, input, field.conversion());
      admit(context, field.source().workBytes(), field.source().name());
      if (const auto geometry = field.geometry())
        context.inputGeometries.push_back(*geometry);
      if (values)
        readField(context, field, input.element,
                  layoutOver(context, input.dims).box(context.mesh), nullptr);
      lines.push_back(
          fmt::format("--{}: {}, {} {}", input.name, field.source().name(),
                      shapeText(field.shape()), field.source().type()));
    } catch (const std::runtime_error &e) {
      throw usageError("[PM9006] --{}: {}",
                       input.kind == InputKind::Table ? flag : input.name,
                       e.what());
    }
  }
  return lines;
}

void pmrt::checkReading(Context &context) {
  const int64_t fields = context.placement().total,
                reading = context.readingBytes;
  if (reading > 0 && !context.gpu() && fields + reading > context.memoryLimit())
    throw usageError(
        "[PM9009] the fields take {}, and reading compressed chunks of the "
        "inputs {}, "
        "together more than {}; write the inputs with smaller chunks (h5repack "
        "-l CHUNK=...), or raise --memory-limit",
        bytesText(double(fields)), bytesText(double(reading)),
        context.memoryLimitText());
}

/// Of this rank's part of a field, of the whole of a table; nothing if a rank
/// before has the same.
static Digest contentsOf(Context &context, size_t index) {
  const Input &input = context.program.inputs[index];
  const std::string &spec = context.inputFiles[index];
  ElementHash hash;
  if (input.kind == InputKind::Table) {
    auto table = TableFile(context.program, index, spec).read();
    if (context.transport->rank() == 0)
      for (int64_t column : {0, 1})
        hash.add(reinterpret_cast<const char *>(column ? table->y : table->x),
                 table->size, sizeof(double), column * table->size);
    return hash.value();
  }
  // The samples are not read, but looked at from outside.
  if (input.streamed)
    return context.transport->rank() == 0
               ? hashOf(SampleFiles(context, input, spec).fingerprint())
               : Digest();
  const Layout layout = layoutOver(context, input.dims);
  const FieldFile field(context, input, spec);
  readField(context, field, input.element, layout.box(context.mesh), nullptr,
            &hash);
  return isFirstCopy(context.mesh, layout.axes()) ? hash.value() : Digest();
}

/// Of what all ranks have, whichever has which part.
static Digest hashOfAll(Context &context, const Digest &mine) {
  std::vector<Digest> all(size_t(context.transport->size()));
  for (size_t word = 0; word < mine.words.size(); ++word) {
    const auto theirs = context.world.gather(int64_t(mine.words[word]));
    for (size_t rank = 0; rank < all.size(); ++rank)
      all[rank].words[word] = uint64_t(theirs[rank]);
  }
  ElementHash sum;
  for (const Digest &one : all)
    sum.add(one);
  return sum.value();
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
      problem = fmt::format("[PM9006] --{}: {}", context.program.inputs[i].name,
                            e.what());
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

const Input &pmrt::inputAt(Context &ctx, pmrt_loc loc, int32_t index,
                           InputKind kind) {
  if (index < 0 || size_t(index) >= ctx.program.inputs.size() ||
      ctx.program.inputs[size_t(index)].kind != kind)
    throw ctx.failure(loc, fmt::format("internal error: input {}", index));
  const Input &input = ctx.program.inputs[size_t(index)];
  if (ctx.port ? !ctx.port->isGiven(size_t(index))
               : ctx.inputFiles[size_t(index)].empty())
    throw ctx.failure(
        loc, fmt::format("[PM9006] input '{}' is needed here, but --{} "
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
    if (ctx->port) {
      ctx->port->readField(*ctx, size_t(input), *out);
    } else {
      const FieldFile field(*ctx, what, ctx->inputFiles[size_t(input)]);
      field.checkLengths(*ctx);
      readField(*ctx, field, element, layout.box(ctx->mesh),
                static_cast<char *>(out->data));
    }
  } catch (const Error &) {
    throw;
  } catch (const std::runtime_error &e) {
    problem = ctx->port ? std::string("[PM9108] ") + e.what()
                        : fmt::format("[PM9006] --{}: {}", what.name, e.what());
  }
  ctx->agree(loc, problem, Exit::Usage);
}

pmrt_table *pmrt_input_table(pmrt_context *ctx, pmrt_loc loc, int32_t input) {
  const Input &what = inputAt(*ctx, loc, input, InputKind::Table);
  Op op(*ctx, loc, "input");
  std::string problem;
  try {
    ctx->tables.push_back(ctx->port ? ctx->port->readTable(size_t(input))
                                    : TableFile(ctx->program, size_t(input),
                                                ctx->inputFiles[size_t(input)])
                                          .read());
  } catch (const std::runtime_error &e) {
    problem = ctx->port
                  ? std::string("[PM9108] ") + e.what()
                  : fmt::format("[PM9006] --{}: {}", what.flag(), e.what());
  }
  ctx->agree(loc, problem, Exit::Usage);
  return ctx->tables.back().get();
}
