//===- Outputs.cpp - What a program writes --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Outputs/Outputs.h"

#include "runtime/Base/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"
#include "runtime/IO/Files/Elements.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Cfl.h"
#include "runtime/IO/Formats/Fits.h"
#include "runtime/IO/Formats/Nifti.h"
#include "runtime/IO/Formats/Npy.h"
#include "runtime/IO/Outputs/Attributes.h"
#include "runtime/IO/Outputs/CheckFinite.h"
#include "runtime/IO/Outputs/ForeignOutput.h"

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
#include <utility>

using namespace pmrt;

/// Bytes of an output that are gathered and written at a time.
static constexpr int64_t writtenAtOnce = int64_t(8) << 20;

/// What `work` throws, as a text; "" if nothing.
template <typename Work> static std::string problemOf(const Work &work) {
  try {
    work();
    return "";
  } catch (const Error &) {
    throw;
  } catch (const std::bad_alloc &) {
    return "out of memory";
  } catch (const std::runtime_error &e) {
    return e.what();
  }
}

/// Makes the file and its structure. Returns where the numbers of each array
/// begin.
static std::vector<int64_t> makeFile(Context &context, FileFormat format,
                                     const std::string &name,
                                     const std::string &path,
                                     const std::vector<NamedArray> &arrays,
                                     std::unique_ptr<OutputFile> &file) {
  int64_t bytes = 0;
  for (const NamedArray &array : arrays) {
    int64_t size = elementSize(array.stream.element);
    for (int64_t extent : array.stream.shape)
      size *= extent;
    bytes += size;
  }
  // HDF5 does not recover from a full disk; ask first. Leave room for the
  // structure of the file.
  const int64_t free = freeSpace(context.settings.out);
  const auto room = int64_t(arrays.size()) << 16;
  if (free >= 0 && free < bytes + room)
    throw std::runtime_error(
        fmt::format("cannot write {}: it needs {}, the disk has {} left", path,
                    bytesText(double(bytes + room)), bytesText(double(free))));
  if (format != FileFormat::Hdf5 &&
      (arrays.size() > 1 || arrays.front().name != name))
    throw std::runtime_error(fmt::format(
        "cannot write {0}: a .{1} file holds one array, and this is a record "
        "of {2}; leave --format={1} out, or write the members one by one",
        path, suffixOf(format), arrays.size()));
  file = std::make_unique<OutputFile>(path, context.token);
  if (format != FileFormat::Hdf5) {
    const Stream &stream = arrays.front().stream;
    const std::string header = format == FileFormat::Npy
                                   ? npyHeader(stream.element, stream.shape)
                                   : stream.header;
    file->write(header.data(), header.size(), 0);
    if (stream.isFits && bytes % fitsBlock != 0) {
      const std::string rest(size_t(fitsBlock - bytes % fitsBlock), '\0');
      file->write(rest.data(), rest.size(), int64_t(header.size()) + bytes);
    }
    return {int64_t(header.size())};
  }
  std::vector<PlannedDataset> datasets;
  for (const NamedArray &array : arrays)
    datasets.push_back({array.name, array.stream.element, array.stream.shape,
                        array.attributes});
  try {
    return makeHdf5(file->openPath(), datasets);
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", path, e.what()));
  }
}

/// Adds elements, the first of which is of that column.
static void addToRanges(Context &context, pmrt_element element,
                        const void *data, int64_t first, int64_t count,
                        std::span<ValueRange> ranges) {
  const auto columns = int64_t(ranges.size());
  std::mutex lock;
  visitAs(element, data, [&](auto value) {
    context.threads.forRange(count, [&](int64_t begin, int64_t end) {
      std::vector<ValueRange> mine(ranges.size());
      for (int64_t column = 0; column < columns; ++column) {
        ValueRange &range = mine[size_t(column)];
        const int64_t skip =
            (column + columns - (first + begin) % columns) % columns;
        for (int64_t i = begin + skip; i < end; i += columns) {
          const double one = value(i);
          range.least = std::min(range.least, one);
          range.most = std::max(range.most, one);
          range.sum += one;
          ++range.count;
        }
      }
      std::lock_guard guard(lock);
      for (size_t column = 0; column < ranges.size(); ++column) {
        ValueRange &range = ranges[column];
        range.least = std::min(range.least, mine[column].least);
        range.most = std::max(range.most, mine[column].most);
        range.sum += mine[column].sum;
        range.count += mine[column].count;
      }
    });
  });
}

/// Elements with their bytes the other way around.
static void reverseBytes(const char *from, int64_t count, int64_t size,
                         char *to) {
  for (int64_t i = 0; i < count; ++i)
    std::reverse_copy(from + i * size, from + (i + 1) * size, to + i * size);
}

/// Writes this rank's runs.
static void writeRuns(Context &context, const Stream &stream,
                      const StreamPart &part, int64_t offset, OutputFile &file,
                      std::vector<ValueRange> &ranges) {
  const std::string what =
      "writing " + std::filesystem::path(file.path()).filename().string();
  const int64_t size = elementSize(stream.element);
  const int64_t step = std::max<int64_t>(1, writtenAtOnce / size);
  const auto room = size_t(std::min(step, part.length) * size);
  std::vector<char> buffer(part.data ? 0 : room);
  static_assert(std::endian::native == std::endian::little);
  std::vector<char> reversed(stream.isFits ? room : 0);
  for (int64_t run = 0; run < part.runs; ++run) {
    const int64_t here = run * part.length;
    const int64_t there = offset + part.start(run) * size;
    for (int64_t begin = 0; begin < part.length; begin += step) {
      checkInterrupt();
      context.transport->poll();
      const int64_t end = std::min(part.length, begin + step);
      const char *from = buffer.data();
      if (part.data) {
        from = part.data + (here + begin) * size;
      } else if (part.fetch) {
        part.fetch(here + begin, here + end, buffer.data());
      } else {
        context.threads.forRange(end - begin, [&](int64_t b, int64_t e) {
          part.copy(here + begin + b, here + begin + e,
                    buffer.data() + b * size);
        });
      }
      if (stream.isFits)
        context.threads.forRange(end - begin, [&](int64_t b, int64_t e) {
          reverseBytes(from + b * size, e - b, size,
                       reversed.data() + b * size);
        });
      file.write(stream.isFits ? reversed.data() : from,
                 size_t((end - begin) * size), there + begin * size);
      if (part.column < 0)
        addToRanges(context, stream.element, from, part.start(run) + begin,
                    end - begin, ranges);
      else
        addToRanges(context, stream.element, from, 0, end - begin,
                    std::span(ranges).subspan(size_t(part.column), 1));
      context.progress.phase(what, double(here + end) /
                                       double(part.runs * part.length));
    }
  }
}

/// A compressed copy of the file under the file's name.
static void publishPacked(Context &context, const OutputFile &whole) {
  OutputFile packed(whole.path(), context.token);
  const Waiting waiting(context.progress, "packing " + whole.path());
  try {
    packNifti(whole.openPath(), packed.openPath(), [&] {
      checkInterrupt();
      context.transport->poll();
    });
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", whole.path(), e.what()));
  }
  packed.commit();
}

/// The checksums of a FITS file, into its headers.
static void addSums(OutputFile &file) {
  try {
    sumFits(file.openPath());
  } catch (const std::runtime_error &e) {
    throw std::runtime_error(
        fmt::format("cannot write {}: it {}", file.path(), e.what()));
  }
  file.sync();
}

void pmrt::refuseTwice(const Context &context, pmrt_loc loc,
                       const std::string &path) {
  if (context.written.contains(path))
    throw context
        .failure(loc, fmt::format("{} would be written twice: by iterations of "
                                  "the same number, or by two of like names",
                                  path))
        .everywhere();
}

void pmrt::writeArrays(Context &context, pmrt_loc loc, const std::string &name,
                       const std::vector<NamedArray> &arrays) {
  const FileFormat format = context.settings.formatOf(name);
  const std::filesystem::path folder(context.settings.out);
  const std::string own = name + std::exchange(context.iterations, "");
  const std::string path = (folder / (own + "." + suffixOf(format))).string();
  refuseTwice(context, loc, path);
  const bool first = context.transport->rank() == 0;
  std::unique_ptr<OutputFile> file;
  std::vector<int64_t> offsets(arrays.size(), 0);
  context.agree(loc, problemOf([&] {
                  if (first)
                    offsets =
                        makeFile(context, format, name, path, arrays, file);
                }));
  if (!context.alone()) {
    context.world.broadcast(offsets.data(),
                            offsets.size() * sizeof offsets.front());
    const std::string temporary =
        context.world.broadcast(first ? file->temporary() : "");
    context.agree(loc, problemOf([&] {
                    if (!first)
                      file = std::make_unique<OutputFile>(
                          path, OutputFile::Made{temporary});
                  }));
  }
  std::vector<std::vector<ValueRange>> ranges;
  for (const NamedArray &array : arrays)
    ranges.emplace_back(size_t(array.stream.columns));
  context.agree(loc, problemOf([&] {
                  for (size_t i = 0; i < arrays.size(); ++i)
                    for (const StreamPart &part : arrays[i].stream.parts)
                      writeRuns(context, arrays[i].stream, part, offsets[i],
                                *file, ranges[i]);
                  file->sync();
                }));
  context.agree(loc, problemOf([&] {
                  if (!first)
                    return;
                  if (arrays.front().stream.isFits)
                    addSums(*file);
                  const std::string &beside = arrays.front().stream.beside;
                  if (!beside.empty())
                    writeWholeFile(cflHeaderPath(path), beside, context.token);
                  if (format == FileFormat::NiftiPacked)
                    return publishPacked(context, *file);
                  file->publish();
                }));
  // One that was packed goes.
  if (!first || format != FileFormat::NiftiPacked)
    file->release();
  context.written.add(path);
  for (size_t i = 0; i < arrays.size(); ++i) {
    for (ValueRange &range : ranges[i]) {
      context.world.reduce(PMRT_MIN, 1, &range.least);
      context.world.reduce(PMRT_MAX, 1, &range.most);
      context.world.reduce(PMRT_SUM, 2, &range.sum);
    }
    const Stream &stream = arrays[i].stream;
    context.outputs.push_back({own + arrays[i].name.substr(name.size()),
                               std::filesystem::path(path).filename(),
                               elementName(stream.element), stream.unit,
                               stream.shape, stream.columnNames, ranges[i]});
  }
}

void pmrt::writeArray(Context &context, pmrt_loc loc, const std::string &name,
                      const Stream &stream,
                      const std::vector<Attribute> &attributes) {
  writeArrays(context, loc, name, {{name, stream, attributes}});
}

static const Output &outputAt(Context &ctx, pmrt_loc loc, int32_t index) {
  if (index < 0 || size_t(index) >= ctx.program.outputs.size())
    throw ctx.failure(loc, fmt::format("internal error: output {}", index));
  return ctx.program.outputs[size_t(index)];
}

/// Whether columns are paths of datasets: those of the members of a record.
static bool isRecord(const Output &output) {
  return !output.columns.empty() && output.columns.front().starts_with('/');
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

/// Fields that are the members of a record, each with its path as its column.
static void writeRecord(Context &ctx, pmrt_loc loc, const Output &what,
                        const pmrt_array *const *arrays) {
  // One for all, or one each.
  std::vector<std::string> units;
  std::istringstream text(what.unit);
  for (std::string one; std::getline(text >> std::ws, one, ',');)
    units.push_back(one == "1" ? "" : one);
  units.resize(what.columns.size(), units.size() == 1 ? units[0] : "");
  std::vector<NamedArray> members;
  for (size_t i = 0; i < what.columns.size(); ++i) {
    const pmrt_array &array = *arrays[i];
    const std::string name = what.name + what.columns[i];
    checkFinite(ctx, loc, array, fmt::format("output '{}'", name));
    const Layout layout = layoutOf(ctx, array);
    const Runs runs(layout, ctx.mesh);
    Stream stream;
    stream.element = pmrt_element(array.element);
    stream.shape = layout.cells();
    stream.unit = units[i];
    StreamPart &part = stream.parts.emplace_back();
    part.runs = isFirstCopy(ctx.mesh, layout.axes()) ? runs.count() : 0;
    part.length = runs.length();
    part.start = [runs](int64_t run) { return runs.start(run); };
    const auto *data = static_cast<const char *>(array.data);
    if (ctx.gpu())
      part.fetch = [&ctx, data, size = elementSize(stream.element)](
                       int64_t begin, int64_t end, char *out) {
        fetch(ctx, {data}, size, begin, end, out);
      };
    else
      part.data = data;
    Output one = what;
    one.columns.clear();
    one.unit = units[i];
    members.push_back(
        {name, stream, outputAttributes(ctx, one, dimNamesOf(ctx, array))});
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
  if (isRecord(what)) {
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

  DimNames dims = dimNamesOf(*ctx, *arrays[0]);
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
    checkFinite(*ctx, loc, *arrays[part], partName(part));
  }

  if (isForeign(ctx->settings.formatOf(what.name)))
    return writeForeign(*ctx, loc, what, layout, {arrays, arrays + parts});

  const Runs runs(layout, ctx->mesh);
  Stream stream;
  StreamPart &all = stream.parts.emplace_back();
  stream.element = element;
  stream.shape = layout.cells();
  // Of several copies, the first is written.
  all.runs = isFirstCopy(ctx->mesh, layout.axes()) ? runs.count() : 0;
  all.length = runs.length() * parts;
  all.start = [&](int64_t run) { return runs.start(run) * parts; };
  if (what.flatten && dims.names.size() > 1) {
    int64_t cells = 1;
    for (int64_t extent : stream.shape)
      cells *= extent;
    stream.shape = {cells};
    dims.names = {fmt::format("{}", fmt::join(dims.names, "*"))};
  }
  if (parts > 1) {
    stream.shape.push_back(parts);
    stream.columns = parts;
    dims.names.push_back(what.columns.empty() ? "component" : "column");
  }
  std::vector<const char *> data;
  for (int32_t part = 0; part < parts; ++part)
    data.push_back(static_cast<const char *>(arrays[part]->data));
  if (ctx->gpu())
    all.fetch = [&](int64_t begin, int64_t end, char *out) {
      fetch(*ctx, data, size, begin, end, out);
    };
  else if (parts == 1)
    all.data = data[0];
  else
    all.copy = [&](int64_t begin, int64_t end, char *out) {
      interleave(data, size, begin, end, out);
    };
  stream.unit = what.unit;
  stream.columnNames = what.columns;
  writeArray(*ctx, loc, what.name, stream, outputAttributes(*ctx, what, dims));
}

void pmrt_output_scalars(pmrt_context *ctx, pmrt_loc loc, int32_t output,
                         int32_t count, const double *values) {
  const Output &what = outputAt(*ctx, loc, output);
  Op op(*ctx, loc, "output", count * int64_t(sizeof(double)));
  const auto columns = int64_t(what.columns.size());
  for (int32_t i = 0; what.element == PMRT_F64 && i < count; ++i)
    if (!std::isfinite(values[i]))
      throw ctx
          ->failure(loc, count == 1 ? fmt::format("output '{}' is {}",
                                                  what.name, values[i])
                         : columns == count
                             ? fmt::format("'{}' of output '{}' is {}",
                                           what.columns[size_t(i)], what.name,
                                           values[i])
                             : fmt::format("value {} of output '{}' is {}", i,
                                           what.name, values[i]))
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
  // All ranks have the numbers; the first one writes.
  all.runs = ctx->transport->rank() == 0;
  all.length = count;
  all.start = [](int64_t) { return int64_t(0); };
  writeArray(*ctx, loc, what.name, stream, outputAttributes(*ctx, what, {}));
}
