//===- Outputs.cpp - What a program writes --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Outputs/ArrangedField.h"
#include "runtime/IO/Outputs/Attributes.h"
#include "runtime/IO/Outputs/CheckFinite.h"
#include "runtime/IO/Outputs/WriteArrays.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <sstream>
#include <stdexcept>
#include <utility>

using namespace pmrt;

static const Output &outputAt(Context &ctx, pmrt_loc loc, int32_t index) {
  if (index < 0 || size_t(index) >= ctx.program.outputs.size())
    throw ctx.failure(loc, fmt::format("internal error: output {}", index));
  return ctx.program.outputs[size_t(index)];
}

/// Numbers [begin, end) of the interleaved parts.
static void interleave(const std::vector<const char *> &parts, int64_t size,
                       int64_t begin, int64_t end, char *out) {
  const auto copyAs = [&](auto zero) {
    using T = decltype(zero);
    auto *to = reinterpret_cast<T *>(out);
    const auto count = int64_t(parts.size());
    int64_t i = begin / count, part = begin % count;
    for (int64_t k = begin; k < end; ++k) {
      *to++ = reinterpret_cast<const T *>(parts[size_t(part)])[i];
      if (++part == count) {
        part = 0;
        ++i;
      }
    }
  };
  struct Wide {
    double a, b;
  };
  switch (size) {
  case 1:
    return copyAs(int8_t());
  case 4:
    return copyAs(float());
  case 8:
    return copyAs(double());
  default:
    return copyAs(Wide());
  }
}

/// The same of parts in device memory.
static void fetch(Context &ctx, const std::vector<const char *> &parts,
                  int64_t size, int64_t begin, int64_t end, char *out) {
  const auto count = int64_t(parts.size());
  const int64_t from = begin / count, to = (end + count - 1) / count;
  if (count == 1)
    return ctx.device->download(out, parts[0] + from * size,
                                (end - begin) * size);
  std::vector<std::vector<char>> copies;
  std::vector<const char *> data;
  for (const char *part : parts) {
    auto &copy = copies.emplace_back(size_t((to - from) * size));
    ctx.device->download(copy.data(), part + from * size, (to - from) * size);
    data.push_back(copy.data());
  }
  const int64_t shift = from * count; // of the numbers that were skipped
  ctx.threads.forRange(end - begin, [&](int64_t b, int64_t e) {
    interleave(data, size, begin - shift + b, begin - shift + e,
               out + b * size);
  });
}

//===----------------------------------------------------------------------===//
// ABI
//===----------------------------------------------------------------------===//

/// Of arrays in memory, an embedded session makes them when they are asked for.
static std::vector<Attribute>
fileAttributes(const Context &ctx, const Output &output, const DimNames &dims) {
  return ctx.port ? std::vector<Attribute>()
                  : outputAttributes(ctx, output, dims);
}

static DimNames fileDims(const Context &ctx, const pmrt_array &array) {
  if (ctx.port)
    return {};
  return dimNamesOf(ctx, {array.dims, size_t(array.rank)});
}

/// Of several copies of a part, the first is written.
static bool isWritten(const Context &ctx, const Layout &layout) {
  return (ctx.port && ctx.port->wantsParts()) ||
         isFirstCopy(ctx.mesh, layout.axes());
}

static void writeArray(Context &ctx, pmrt_loc loc, const Output &what,
                       Stream stream, const DimNames &dims) {
  std::vector<NamedArray> arrays;
  arrays.push_back(
      {what.name, std::move(stream), fileAttributes(ctx, what, dims)});
  writeArrays(ctx, loc, what.name, arrays);
}

/// The numbers that this rank writes of fields over the same dims. Each field
/// is a column.
static Stream streamOf(Context &ctx, const Layout &layout,
                       std::span<const pmrt_array *const> fields) {
  const Runs runs(layout, ctx.mesh);
  const auto columns = int64_t(fields.size());
  Stream stream;
  stream.element = pmrt_element(fields[0]->element);
  stream.shape = layout.cells();
  stream.columns = columns;
  if (columns > 1)
    stream.shape.push_back(columns);
  StreamPart &all = stream.parts.emplace_back();
  all.runs = isWritten(ctx, layout) ? runs.count() : 0;
  all.length = runs.length() * columns;
  all.start = [runs, columns](int64_t run) {
    return runs.start(run) * columns;
  };
  std::vector<const char *> data;
  for (const pmrt_array *field : fields)
    data.push_back(static_cast<const char *>(field->data));
  const int64_t size = elementSize(stream.element);
  if (ctx.gpu()) {
    all.fetch = [&ctx, data, size](int64_t begin, int64_t end, char *out) {
      fetch(ctx, data, size, begin, end, out);
    };
    all.onDevice = data;
  } else if (columns == 1) {
    all.data = data[0];
  } else {
    all.copy = [data, size](int64_t begin, int64_t end, char *out) {
      interleave(data, size, begin, end, out);
    };
  }
  return stream;
}

/// The number of members from `first` on that are the components of one vector:
/// fields over the same dims, in the same unit, with the paths P/0, P/1 and so
/// on.
static size_t componentsFrom(Context &ctx, const Output &what,
                             const std::vector<std::string> &units,
                             const pmrt_array *const *arrays, size_t first) {
  const std::string &path = what.columns[first];
  if (!path.ends_with("/0"))
    return 1;
  const std::string stem = path.substr(0, path.size() - 1);
  const Layout layout = layoutOf(ctx, *arrays[first]);
  size_t count = 1;
  while (first + count < what.columns.size() &&
         what.columns[first + count] == fmt::format("{}{}", stem, count) &&
         units[first + count] == units[first] &&
         arrays[first + count]->element == arrays[first]->element &&
         layoutOf(ctx, *arrays[first + count]) == layout)
    ++count;
  return count;
}

/// Fields that are the members of a record, each with its path as its column.
static void writeRecord(Context &ctx, pmrt_loc loc, const Output &what,
                        const pmrt_array *const *arrays) {
  const Format &format = formatOf(ctx.settings, what.name);
  const bool joins = !ctx.port && format.joinsComponents();
  const std::vector<std::string> units =
      splitUnits(what.unit, what.columns.size());
  std::vector<NamedArray> members;
  for (size_t i = 0; i < what.columns.size();) {
    const size_t count =
        joins ? componentsFrom(ctx, what, units, arrays, i) : 1;
    std::string name = what.name + what.columns[i];
    if (count > 1)
      name.resize(name.rfind('/'));
    for (size_t k = i; k < i + count; ++k)
      checkFinite(ctx, loc, *arrays[k], [&] {
        return fmt::format("output '{}{}'", what.name, what.columns[k]);
      });
    Stream stream =
        streamOf(ctx, layoutOf(ctx, *arrays[i]), {arrays + i, count});
    stream.unit = units[i];
    Output one = what;
    one.columns.clear();
    one.unit = units[i];
    members.push_back({name, std::move(stream),
                       fileAttributes(ctx, one, fileDims(ctx, *arrays[i]))});
    i += count;
  }
  if (!ctx.port) {
    try {
      format.addArrays(members);
    } catch (const Error &) {
      throw;
    } catch (const std::runtime_error &e) { // all ranks have the same numbers
      throw ctx
          .failure(loc, fmt::format("[PM9005] cannot write output '{}': {}",
                                    what.name, e.what()))
          .everywhere();
    }
    if (format.inPieces(ctx))
      return writeRecordPieces(ctx, loc, what.name, members);
    if (format.splitsRecords())
      return writeRecordFiles(ctx, loc, what.name, members);
  }
  writeArrays(ctx, loc, what.name, members);
}

void pmrt_iterations(pmrt_context *ctx, int32_t count, const int64_t *at) {
  ctx->iterations.clear();
  for (int32_t i = 0; i < count; ++i)
    ctx->iterations += fmt::format("_{:03}", at[i]);
}

void pmrt_output_field(pmrt_context *ctx, pmrt_loc loc, int32_t output,
                       int32_t parts, const pmrt_array *const *arrays) {
  const Output &what = outputAt(*ctx, loc, output);
  if (parts < 1)
    throw ctx->failure(loc, "internal error: output of no arrays");
  if (what.isRecord()) {
    int64_t bytes = 0;
    for (int32_t part = 0; part < parts; ++part)
      bytes += ctx->elements(loc, *arrays[part]) *
               elementSize(pmrt_element(arrays[part]->element));
    Op op(*ctx, loc, "output", bytes);
    return writeRecord(*ctx, loc, what, arrays);
  }
  const auto element = pmrt_element(arrays[0]->element);
  const int64_t count = ctx->elements(loc, *arrays[0]);
  const Layout layout = layoutOf(*ctx, *arrays[0]);
  const int64_t size = elementSize(element);
  Op op(*ctx, loc, "output", count * size * parts);

  DimNames dims = fileDims(*ctx, *arrays[0]);
  auto partName = [&](int32_t part) {
    if (parts == 1)
      return fmt::format("output '{}'", what.name);
    return size_t(parts) == what.columns.size()
               ? fmt::format("'{}' of output '{}'", what.columns[size_t(part)],
                             what.name)
               : fmt::format("part {} of output '{}'", part, what.name);
  };
  for (int32_t part = 0; part < parts; ++part) {
    if (arrays[part]->element != element ||
        layoutOf(*ctx, *arrays[part]) != layout)
      throw ctx->failure(loc, fmt::format("internal error: the parts of output "
                                          "'{}' differ",
                                          what.name));
    checkFinite(*ctx, loc, *arrays[part], [&] { return partName(part); });
  }

  const std::span<const int32_t> over(arrays[0]->dims, size_t(arrays[0]->rank));
  if (const auto axes =
          formatOf(ctx->settings, what.name).axes(*ctx, over, parts))
    return writeArranged(*ctx, loc, what, layout, *axes,
                         {arrays, arrays + parts});

  Stream stream = streamOf(*ctx, layout, {arrays, size_t(parts)});
  if (what.flatten && arrays[0]->rank > 1) {
    int64_t cells = 1;
    for (const int64_t extent : layout.cells())
      cells *= extent;
    stream.shape = {cells};
    if (parts > 1)
      stream.shape.push_back(parts);
    dims.names = {fmt::format("{}", fmt::join(dims.names, "*"))};
  }
  if (parts > 1)
    dims.names.push_back(what.columns.empty() ? "component" : "column");
  stream.unit = what.unit;
  stream.columnNames = what.columns;
  writeArray(*ctx, loc, what, std::move(stream), dims);
}

void pmrt_output_scalars(pmrt_context *ctx, pmrt_loc loc, int32_t output,
                         int32_t count, const double *values) {
  const Output &what = outputAt(*ctx, loc, output);
  Op op(*ctx, loc, "output", count * int64_t(sizeof(double)));
  const auto columns = int64_t(what.columns.size());
  for (int32_t i = 0; what.element == PMRT_F64 && i < count; ++i)
    if (!std::isfinite(values[i]))
      throw ctx
          ->failure(loc, "[PM9103] " +
                             (count == 1 ? fmt::format("output '{}' is {}",
                                                       what.name, values[i])
                              : columns == count
                                  ? fmt::format("'{}' of output '{}' is {}",
                                                what.columns[size_t(i)],
                                                what.name, values[i])
                                  : fmt::format("value {} of output '{}' is {}",
                                                i, what.name, values[i])))
          .everywhere();
  Stream stream;
  stream.element = what.element;
  if (columns > 1 && count > columns && count % columns == 0)
    stream.shape = {count / columns, columns};
  else if (count != 1)
    stream.shape = {count};
  if (columns > 1 && count % columns == 0)
    stream.columns = columns;
  stream.unit = what.unit;
  stream.columnNames = what.columns;
  StreamPart &all = stream.parts.emplace_back();
  all.data = reinterpret_cast<const char *>(values);
  // All ranks have the numbers.
  all.runs =
      ctx->transport->rank() == 0 || (ctx->port && ctx->port->wantsParts());
  all.length = count;
  all.start = [](int64_t) { return int64_t(0); };
  writeArray(*ctx, loc, what, std::move(stream), {});
}
