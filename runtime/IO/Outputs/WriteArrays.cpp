//===- WriteArrays.cpp - Arrays of all ranks in one file ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Outputs/WriteArrays.h"

#include "runtime/Base/Interrupts.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/IO/Files/Elements.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
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
    return "[PM9009] out of memory";
  } catch (const std::runtime_error &e) {
    return std::string("[PM9007] ") + e.what();
  }
}

/// Throws if the disk has less space than a file takes. HDF5 does not recover
/// from a full disk, so the space is compared before anything is written.
static void checkSpace(const Context &context, const Format &format,
                       const std::string &path,
                       const std::vector<NamedArray> &arrays) {
  int64_t bytes = 0;
  for (const NamedArray &array : arrays) {
    int64_t size = format.bytesOf(array.stream.element);
    for (int64_t extent : array.stream.shape)
      size *= extent;
    bytes += size;
  }
  const int64_t free = freeSpace(context.settings.out);
  const auto padding = int64_t(arrays.size()) << 16; // for the file's structure
  if (free >= 0 && free < bytes + padding)
    throw std::runtime_error(fmt::format(
        "cannot write {}: it needs {}, the disk has {} left", path,
        bytesText(double(bytes + padding)), bytesText(double(free))));
}

/// Makes the file and its structure, and its folder if the format requires one.
/// Returns the offset of the numbers of each array.
static std::vector<int64_t> makeFile(Context &context, const Format &format,
                                     const std::string &path,
                                     const std::vector<NamedArray> &arrays,
                                     std::unique_ptr<OutputFile> &file) {
  checkSpace(context, format, path, arrays);
  const std::filesystem::path folder =
      std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty())
    std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error(fmt::format("cannot make the folder {}: {}",
                                         folder.string(), error.message()));
  file = std::make_unique<OutputFile>(path, context.token);
  return format.make(context, *file, arrays);
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

/// Writes this rank's runs.
static void writeRuns(Context &context, const Format &format,
                      const Stream &stream, const StreamPart &part,
                      int64_t offset, OutputFile &file,
                      std::vector<ValueRange> &ranges) {
  const std::string what =
      "writing " + std::filesystem::path(file.path()).filename().string();
  const int64_t size = elementSize(stream.element);
  const int64_t stored = format.bytesOf(stream.element);
  const int64_t step = std::max<int64_t>(1, writtenAtOnce / stored);
  const int64_t most = std::min(step, part.length);
  std::vector<char> buffer(part.data ? 0 : size_t(most * size));
  std::vector<char> encoded(format.encodes() ? size_t(most * stored) : 0);
  offset += std::max<int64_t>(0, part.column) * format.componentGap();
  for (int64_t run = 0; run < part.runs; ++run) {
    const int64_t here = run * part.length;
    for (int64_t begin = 0; begin < part.length; begin += step) {
      checkInterrupt();
      context.transport->poll();
      const int64_t end = std::min(part.length, begin + step);
      const int64_t first = part.start(run) + begin;
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
      if (format.encodes())
        context.threads.forRange(end - begin, [&](int64_t b, int64_t e) {
          format.encode(stream, first + b, e - b, from + b * size,
                        encoded.data() + b * stored);
        });
      file.write(format.encodes() ? encoded.data() : from,
                 size_t((end - begin) * stored), offset + first * stored);
      if (part.column < 0)
        addToRanges(context, stream.element, from, first, end - begin, ranges);
      else
        addToRanges(context, stream.element, from, 0, end - begin,
                    std::span(ranges).subspan(size_t(part.column), 1));
      context.progress.phase(what, double(here + end) /
                                       double(part.runs * part.length));
    }
  }
}

/// Writes this rank's runs of all arrays that have numbers in the file.
static void writeAll(Context &context, const Format &format,
                     const std::vector<NamedArray> &arrays,
                     const std::vector<int64_t> &offsets, OutputFile &file,
                     std::vector<std::vector<ValueRange>> &ranges) {
  for (size_t i = 0; i < arrays.size(); ++i)
    if (offsets[i] >= 0)
      for (const StreamPart &part : arrays[i].stream.parts)
        writeRuns(context, format, arrays[i].stream, part, offsets[i], file,
                  ranges[i]);
}

void pmrt::refuseTwice(const Context &context, pmrt_loc loc,
                       const std::string &path) {
  if (context.written.contains(path))
    throw context
        .failure(
            loc,
            fmt::format(
                "[PM9007] {} would be written twice: by iterations of the same "
                "number, or by two outputs with the same file name",
                path))
        .everywhere();
}

/// Notes an array that is in a file, for the report of the run.
static void addToReport(Context &context, const std::string &name,
                        const std::string &file, const Stream &stream,
                        std::vector<ValueRange> ranges) {
  for (ValueRange &range : ranges) {
    context.world.reduce(PMRT_MIN, 1, &range.least);
    context.world.reduce(PMRT_MAX, 1, &range.most);
    context.world.reduce(PMRT_SUM, 2, &range.sum);
  }
  context.outputs.push_back({name, file, elementName(stream.element),
                             stream.unit, stream.shape, stream.columnNames,
                             std::move(ranges)});
}

/// Writes arrays to the file of an output, or of a member of a record.
/// `names`: the names of the arrays for the report of the run.
static void writeFile(Context &context, pmrt_loc loc, const Format &format,
                      const std::string &stem,
                      const std::vector<NamedArray> &arrays,
                      const std::vector<std::string> &names) {
  const std::filesystem::path folder(context.settings.out);
  const std::string path = (folder / format.fileOf(stem, false)).string();
  refuseTwice(context, loc, path);
  const bool first = context.transport->rank() == 0;
  std::unique_ptr<OutputFile> file;
  std::vector<int64_t> offsets(arrays.size(), 0);
  context.agree(loc, problemOf([&] {
                  if (first)
                    offsets = makeFile(context, format, path, arrays, file);
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
                  writeAll(context, format, arrays, offsets, *file, ranges);
                  file->sync();
                }));
  context.agree(loc, problemOf([&] {
                  if (first)
                    format.finish(context, *file, arrays.front());
                }));
  if (!first)
    file->release();
  context.written.add(path);
  for (const std::string &other : format.besides(path))
    context.written.add(other);
  for (size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i].stream.columns > 0)
      addToReport(context, names[i],
                  std::filesystem::path(path).lexically_relative(folder),
                  arrays[i].stream, ranges[i]);
}

void pmrt::writeArrays(Context &context, pmrt_loc loc, const std::string &name,
                       const std::vector<NamedArray> &arrays) {
  if (context.port)
    return context.port->write(context, loc, name,
                               std::exchange(context.iterations, ""), arrays);
  const std::string own = name + std::exchange(context.iterations, "");
  std::vector<std::string> names;
  for (const NamedArray &array : arrays)
    names.push_back(own + array.name.substr(name.size()));
  writeFile(context, loc, formatOf(context.settings, name), own, arrays, names);
}

void pmrt::writeRecordFiles(Context &context, pmrt_loc loc,
                            const std::string &name,
                            const std::vector<NamedArray> &members) {
  const Format &format = formatOf(context.settings, name);
  const std::string own = name + std::exchange(context.iterations, "");
  for (const NamedArray &member : members) {
    const std::string stem = own + "/" + member.name;
    writeFile(context, loc, format, stem, {member}, {stem});
  }
}

/// What all ranks write, in their order; those that own no cells are left out.
static std::vector<RankFile> gatherPieces(Context &context,
                                          const Format &format,
                                          const std::string &stem,
                                          const Stream &mine) {
  std::vector<std::vector<int64_t>> numbers;
  numbers.push_back(context.world.gather(int64_t(!mine.parts.empty())));
  for (const Shard &side : mine.sides) {
    numbers.push_back(context.world.gather(side.offset));
    numbers.push_back(context.world.gather(side.extent));
  }
  std::vector<RankFile> all;
  for (size_t rank = 0; rank < numbers[0].size(); ++rank) {
    if (numbers[0][rank] == 0)
      continue;
    RankFile &one = all.emplace_back();
    one.path = (std::filesystem::path(context.settings.out) /
                format.pieceOf(stem, fmt::format("{}", rank)))
                   .string();
    for (size_t side = 0; side < mine.sides.size(); ++side)
      one.sides.push_back(
          {numbers[1 + 2 * side][rank], numbers[2 + 2 * side][rank]});
  }
  return all;
}

void pmrt::writePieces(Context &context, pmrt_loc loc, const NamedArray &whole,
                       const Stream &mine) {
  const Format &format = formatOf(context.settings, whole.name);
  const std::filesystem::path folder(context.settings.out);
  const std::string stem = whole.name + std::exchange(context.iterations, "");
  const std::string index = (folder / format.fileOf(stem, true)).string();
  refuseTwice(context, loc, index);
  const std::vector<RankFile> pieces =
      gatherPieces(context, format, stem, mine);
  std::unique_ptr<OutputFile> file;
  std::vector<ValueRange> ranges(size_t(whole.stream.columns));
  const NamedArray own = {whole.name, mine, whole.attributes};
  context.agree(
      loc, problemOf([&] {
        if (mine.parts.empty())
          return;
        const std::string name =
            format.pieceOf(stem, fmt::format("{}", context.transport->rank()));
        const std::vector<int64_t> offsets =
            makeFile(context, format, (folder / name).string(), {own}, file);
        for (const StreamPart &part : mine.parts)
          writeRuns(context, format, mine, part, offsets[0], *file, ranges);
        file->sync();
      }));
  context.agree(loc, problemOf([&] {
                  if (file)
                    format.finish(context, *file, own);
                }));
  // The file that names the others comes last, when these are there.
  context.agree(loc, problemOf([&] {
                  if (context.transport->rank() == 0)
                    format.writeIndex(context, index, whole, pieces);
                }));
  context.written.add(index);
  for (const RankFile &piece : pieces)
    context.written.add(piece.path);
  addToReport(context, stem, std::filesystem::path(index).filename(),
              whole.stream, std::move(ranges));
}

/// The part of a member of a record that this rank writes. Every file has the
/// members that are numbers.
static NamedArray pieceOf(const NamedArray &whole) {
  NamedArray own = whole;
  Stream &stream = own.stream;
  int64_t elements = 1;
  for (const int64_t extent : stream.shape)
    elements *= extent;
  if (elements == stream.columns)
    return own;
  StreamPart &part = stream.parts.front();
  stream.whole = std::exchange(stream.shape, {});
  stream.shape = {part.runs * part.length / stream.columns};
  if (stream.columns > 1)
    stream.shape.push_back(stream.columns);
  part.start = [length = part.length](int64_t run) { return run * length; };
  return own;
}

void pmrt::writeRecordPieces(Context &context, pmrt_loc loc,
                             const std::string &name,
                             const std::vector<NamedArray> &whole) {
  const Format &format = formatOf(context.settings, name);
  const std::filesystem::path folder(context.settings.out);
  const std::string stem = name + std::exchange(context.iterations, "");
  const auto pathOf = [&](int rank) {
    return (folder / format.pieceOf(stem, fmt::format("{}", rank))).string();
  };
  const int ranks = context.transport->size();
  for (int rank = 0; rank < ranks; ++rank)
    refuseTwice(context, loc, pathOf(rank));
  std::vector<NamedArray> mine;
  std::vector<std::vector<ValueRange>> ranges;
  for (const NamedArray &array : whole) {
    mine.push_back(pieceOf(array));
    ranges.emplace_back(size_t(array.stream.columns));
  }
  std::unique_ptr<OutputFile> file;
  context.agree(loc, problemOf([&] {
                  const std::vector<int64_t> offsets =
                      makeFile(context, format,
                               pathOf(context.transport->rank()), mine, file);
                  writeAll(context, format, mine, offsets, *file, ranges);
                  file->sync();
                }));
  context.agree(
      loc, problemOf([&] { format.finish(context, *file, mine.front()); }));
  for (int rank = 0; rank < ranks; ++rank)
    context.written.add(pathOf(rank));
  for (size_t i = 0; i < whole.size(); ++i)
    addToReport(context, stem + whole[i].name.substr(name.size()),
                std::filesystem::path(pathOf(0)).filename(), whole[i].stream,
                ranges[i]);
}
