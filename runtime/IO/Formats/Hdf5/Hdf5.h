//===- Hdf5.h - HDF5 files --------------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HDF5 writes the structure of our files; the numbers go straight to the place
// in the file that HDF5 has set aside for them. So a full disk is an error code
// and not a broken library state, and several writers need no parallel HDF5.
// The library is not thread-safe: all calls hold one lock.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_HDF5_H
#define PMRT_IO_FORMATS_HDF5_H

#include "runtime/Core/Descriptor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pmrt {

using AttributeValue =
    std::variant<std::string, double, int64_t, uint64_t, bool,
                 std::vector<double>, std::vector<uint64_t>,
                 std::vector<std::string>>;
struct Attribute {
  std::string name;
  AttributeValue value;
};

/// Makes the file `path` (which may exist) with one contiguous dataset and its
/// attributes. Returns the byte offset of the numbers, which are little endian,
/// in C order, and not written yet. Complex numbers and booleans have the types
/// that h5py uses. Throws std::runtime_error.
int64_t makeHdf5(const std::string &path, const std::string &dataset,
                 pmrt_element element, const std::vector<int64_t> &shape,
                 const std::vector<Attribute> &attributes);

/// What to do with a file on which HDF5 crashes (LibraryReading).
inline constexpr const char *damagedHdf5Advice =
    "write it again, or inspect it with h5dump";

/// While it lives, no other thread is in HDF5: for libraries that use it.
class Hdf5Lock {
public:
  Hdf5Lock();
  ~Hdf5Lock();
  Hdf5Lock(const Hdf5Lock &) = delete;
  Hdf5Lock &operator=(const Hdf5Lock &) = delete;
};

/// Whether it is a file that HDF5 can open.
bool isHdf5File(const std::string &path);

/// The group that holds raw data of ISMRMRD: `dataset`, or, if that is empty,
/// "dataset". Empty if there are none, or it is not an HDF5 file.
std::string rawDataGroup(const std::string &path, const std::string &dataset);
/// A dataset to be made: `path` may lead through groups.
struct PlannedDataset {
  std::string path;
  pmrt_element element = PMRT_F64;
  std::vector<int64_t> shape;
  std::vector<Attribute> attributes;
};

/// A group with attributes. Texts have a fixed length.
struct PlannedGroup {
  std::string path;
  std::vector<Attribute> attributes;
};

/// The same with several datasets, and an offset for each.
std::vector<int64_t> makeHdf5(const std::string &path,
                              const std::vector<PlannedDataset> &datasets,
                              const std::vector<PlannedGroup> &groups = {});

/// A dataset opened for reading. Errors are std::runtime_error with a text that
/// goes after the file's name ("has no dataset '/delta'; it has '/density'").
class Hdf5Reader {
public:
  /// An empty `dataset` means the only one in the root group. Refuses
  /// what is in other files: external storage, external links, and virtual
  /// datasets unless all that they are made of is there.
  Hdf5Reader(const std::string &path, const std::string &dataset);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader &) = delete;
  Hdf5Reader &operator=(const Hdf5Reader &) = delete;

  const std::string &dataset() const { return name; }
  const std::vector<int64_t> &shape() const { return extents; }
  /// "float32", "int64", "complex128", ...
  const std::string &type() const { return typeText; }
  bool isReal() const { return real; }
  bool isComplex() const { return complex; }
  bool isInteger() const { return integer; }
  /// Bytes that the library takes to read a part: packed chunks are unpacked as
  /// a whole.
  int64_t workBytes() const { return chunkBytes; }
  /// Of what a program of pmc wrote; "": a pure number.
  const std::optional<std::string> &unit() const { return unitText; }

  /// The text of an attribute of the dataset; "" if it is not a text, nothing
  /// if there is none.
  std::optional<std::string> attribute(const std::string &attribute) const;
  /// All bytes of the dataset, as its elements are in the file, in C order.
  void eachPart(const std::function<void(const void *, size_t)> &visit) const;

  /// The box of `count` cells from `start` on, converted to `element`.
  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) const;

private:
  int64_t file = -1, set = -1; // hid_t
  std::string path, name;
  std::vector<int64_t> extents;
  int64_t chunkBytes = 0;
  std::string typeText;
  std::optional<std::string> unitText;
  bool real = false, complex = false, integer = false;
};

} // namespace pmrt

#endif // PMRT_IO_FORMATS_HDF5_H
