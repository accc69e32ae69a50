//===- Hdf5Format.cpp - Datasets of HDF5 files ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/InputFile.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"
#include "runtime/IO/Formats/Hdf5/Hdf5Handles.h"

#include <fmt/format.h>
#include <stdexcept>

using namespace pmrt;

namespace {

class Hdf5Source : public Source {
public:
  Hdf5Source(const std::string &path, const std::string &dataset)
      : path(path), reader(openReader(path, dataset)) {}

  std::string name() const override { return path + ":" + reader->dataset(); }
  std::vector<int64_t> shape() const override { return reader->shape(); }
  Kind kind() const override {
    return reader->isReal()      ? Kind::Real
           : reader->isComplex() ? Kind::Complex
           : reader->isInteger() ? Kind::Integer
                                 : Kind::Other;
  }
  std::string type() const override { return reader->type(); }
  std::optional<std::string> unit() const override { return reader->unit(); }
  std::string lengths() const override {
    return reader->unit() ? reader->attribute("lengths").value_or("") : "";
  }
  int64_t workBytes() const override { return reader->workBytes(); }
  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    try {
      reader->read(element, start, count, out);
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", name(), e.what()));
    }
  }

private:
  static std::unique_ptr<Hdf5Reader> openReader(const std::string &path,
                                                const std::string &dataset) {
    const InputFile check(path); // its messages are better than HDF5's
    try {
      return std::make_unique<Hdf5Reader>(path, dataset);
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", path, e.what()));
    }
  }

  std::string path;
  std::unique_ptr<Hdf5Reader> reader;
};

/// Makes a file in memory. An error here happens again when an output is
/// written, and is reported there.
void useHdf5() {
  const Hdf5Lock lock;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, /*backing_store=*/false);
  const hid_t file =
      H5Fcreate("footprint.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hsize_t shape[] = {8, 8};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t set = H5Dcreate2(file, "field", H5T_IEEE_F32LE, space,
                               H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const float numbers[64] = {};
  H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  H5Pclose(access);
}

class Hdf5Format : public Format {
public:
  std::string_view name() const override { return "h5"; }
  std::string_view summary() const override { return "HDF5"; }

  bool isRead() const override { return true; }
  /// A part of a file is a dataset, unless the file is known to be of another
  /// format: the library says what is wrong with it.
  bool probe(const FileStart &file) const override {
    return !file.part.empty() || file.bytes.starts_with("\x89HDF\r\n\x1a\n");
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &part) const override {
    return std::make_unique<Hdf5Source>(path, part);
  }
  bool hasParts() const override { return true; }

  bool holdsRecords() const override { return true; }
  std::vector<int64_t>
  make(Context &, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override {
    std::vector<PlannedDataset> datasets;
    for (const NamedArray &array : arrays)
      datasets.push_back({array.name, array.stream.element, array.stream.shape,
                          array.attributes});
    try {
      return makeHdf5(file.openPath(), datasets);
    } catch (const std::runtime_error &e) {
      throw cannotWrite(file, e.what());
    }
  }
  void warmUp() const override { useHdf5(); }
};

} // namespace

PMRT_FORMATS(Hdf5Format, Hdf5Format);
