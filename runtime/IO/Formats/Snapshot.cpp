//===- Snapshot.cpp - Snapshots of Gadget in several files ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gadget writes a large snapshot as NAME.0.hdf5, NAME.1.hdf5 and so on. The
// attribute NumFilesPerSnapshot of the group Header is the number of files. If
// an input names a dataset of NAME.0.hdf5, this format reads the rows of that
// dataset in all files, in the order of the files. A file that has no particles
// of a type has no dataset for that type. A snapshot in a single file is read
// like any other HDF5 file (Hdf5Format.cpp).
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/InputFile.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Formats/Hdf5/Hdf5Handles.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

using namespace pmrt;
using namespace pmrt::hdf5;

static constexpr std::array<std::string_view, 2> firstEndings = {".0.hdf5",
                                                                 ".0.h5"};

/// Returns the name of file `number` of the snapshot whose first file is
/// `path`, or "" if `path` is not the name of a first file.
static std::string numberedFile(const std::string &path, int64_t number) {
  for (const std::string_view ending : firstEndings)
    if (path.ends_with(ending))
      return fmt::format("{}.{}{}", path.substr(0, path.size() - ending.size()),
                         number, ending.substr(2));
  return "";
}

/// Returns the attribute NumFilesPerSnapshot of the group Header, or 0 if the
/// file does not have it.
static int64_t filesOf(const std::string &path) {
  const ReadSession session(path);
  int64_t files = 0;
  const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Id header(file.good() ? H5Gopen2(file, "Header", H5P_DEFAULT) : -1,
                  H5Gclose);
  if (header.good() && H5Aexists(header, "NumFilesPerSnapshot") > 0) {
    const Id attribute(H5Aopen(header, "NumFilesPerSnapshot", H5P_DEFAULT),
                       H5Aclose);
    const Id type(H5Aget_type(attribute), H5Tclose);
    const Id space(H5Aget_space(attribute), H5Sclose);
    if (H5Tget_class(type) == H5T_INTEGER &&
        H5Sget_simple_extent_npoints(space) == 1)
      H5Aread(attribute, H5T_NATIVE_INT64, &files);
  }
  H5Eclear2(H5E_DEFAULT);
  return files;
}

/// Whether the file has a link with this name, and one for each group of its
/// path. Hdf5Reader refuses links to other files.
static bool hasObject(const std::string &path, const std::string &name) {
  const ReadSession session(path);
  const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  bool has = file.good();
  for (size_t end = name.find('/', 1); has; end = name.find('/', end + 1)) {
    has = H5Lexists(file, name.substr(0, end).c_str(), H5P_DEFAULT) > 0;
    if (end == std::string::npos)
      break;
  }
  H5Eclear2(H5E_DEFAULT);
  return has;
}

namespace {

class SnapshotSource : public Source {
public:
  SnapshotSource(const std::string &path, const std::string &part)
      : path(path), dataset(part) {
    const int64_t files = filesOf(path);
    for (int64_t i = 0; i < files; ++i) {
      const std::string file = numberedFile(path, i);
      const InputFile exists(file); // reports a missing file before HDF5 does
      if (!dataset.empty() && hasObject(file, dataset))
        add(file);
    }
    if (pieces.empty())
      throw std::runtime_error(fmt::format(
          "{}: none of the {} files of the snapshot has a dataset '{}'; name "
          "one as FILE:/PartType1/Coordinates",
          path, files, dataset));
  }

  std::string name() const override { return path + ":" + dataset; }
  std::vector<int64_t> shape() const override {
    std::vector<int64_t> all = first().shape();
    all[0] = rows;
    return all;
  }
  Kind kind() const override {
    return first().isReal()      ? Kind::Real
           : first().isInteger() ? Kind::Integer
                                 : Kind::Other;
  }
  std::string type() const override { return first().type(); }
  int64_t workBytes() const override {
    int64_t most = 0;
    for (const Piece &piece : pieces)
      most = std::max(most, piece.reader->workBytes());
    return most;
  }

  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    auto *to = static_cast<char *>(out);
    int64_t bytes = elementSize(element);
    for (size_t axis = 1; axis < count.size(); ++axis)
      bytes *= count[axis];
    for (const Piece &piece : pieces) {
      const int64_t from = std::max(start[0], piece.first);
      const int64_t end =
          std::min(start[0] + count[0], piece.first + piece.count);
      if (from >= end)
        continue;
      std::vector<int64_t> at = start, size = count;
      at[0] = from - piece.first;
      size[0] = end - from;
      try {
        piece.reader->read(element, at, size, to);
      } catch (const std::runtime_error &e) {
        throw std::runtime_error(
            fmt::format("{}:{} {}", piece.file, dataset, e.what()));
      }
      to += size[0] * bytes;
    }
  }

private:
  struct Piece {
    std::string file;
    int64_t first, count; ///< the first row, and the number of rows
    std::unique_ptr<Hdf5Reader> reader;
  };

  const Hdf5Reader &first() const { return *pieces.front().reader; }

  void add(const std::string &file) {
    std::unique_ptr<Hdf5Reader> reader;
    try {
      reader = std::make_unique<Hdf5Reader>(file, dataset);
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", file, e.what()));
    }
    const std::vector<int64_t> &shape = reader->shape();
    if (shape.empty())
      throw std::runtime_error(fmt::format(
          "{}:{} is a single number, expected rows", file, dataset));
    if (!pieces.empty() &&
        (reader->type() != first().type() ||
         !std::equal(shape.begin() + 1, shape.end(),
                     first().shape().begin() + 1, first().shape().end())))
      throw std::runtime_error(fmt::format("{}:{} has other rows than {}", file,
                                           dataset, pieces.front().file));
    const int64_t count = shape[0];
    pieces.push_back({file, rows, count, std::move(reader)});
    rows += count;
  }

  std::string path, dataset;
  std::vector<Piece> pieces;
  int64_t rows = 0;
};

class SnapshotFormat : public Format {
public:
  std::string_view name() const override { return "snapshot"; }
  std::string_view summary() const override { return "snapshot of Gadget"; }

  bool isWritten() const override { return false; }
  bool isRead() const override { return true; }
  bool probe(const FileStart &file) const override {
    return file.bytes.starts_with("\x89HDF\r\n\x1a\n") &&
           !numberedFile(file.path, 0).empty() && filesOf(file.path) > 1;
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &part) const override {
    return std::make_unique<SnapshotSource>(path, part);
  }
  bool hasParts() const override { return true; }
  std::vector<std::string> besides(const std::string &path) const override {
    std::vector<std::string> files;
    for (int64_t i = 1; i < filesOf(path); ++i)
      files.push_back(numberedFile(path, i));
    return files;
  }
};

} // namespace

PMRT_FORMATS(Snapshot, SnapshotFormat);
