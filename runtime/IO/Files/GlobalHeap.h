//===- GlobalHeap.h - Where HDF5 keeps lists of any length ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element of variable length, or a text, is a length and a reference to an
// object of a global heap. HDF5 copies the object into memory for the length,
// whatever the object's own size is, so that a damaged file overwrites memory.
// Here the references are checked before HDF5 follows them. It does not check
// what HDF5 checks itself.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_GLOBALHEAP_H
#define PMRT_IO_FILES_GLOBALHEAP_H

#include <cstdint>
#include <hdf5.h>
#include <string>
#include <vector>

namespace pmrt {

/// Of one file, which is read beside HDF5.
class GlobalHeap {
public:
  GlobalHeap(const std::string &path, hid_t file);
  ~GlobalHeap();
  GlobalHeap(const GlobalHeap &) = delete;
  GlobalHeap &operator=(const GlobalHeap &) = delete;

  /// Whether it is the type of texts of any length, of characters of one byte.
  /// A damaged file may say that they have more.
  static bool isTextType(hid_t type);
  /// Whether element `index` of a dataset refers to objects of the lengths that
  /// it says. `members`: offsets of its lists of numbers of `size` bytes, or 0
  /// of a text. True where elements are packed, and cannot be looked at.
  bool isWhole(hid_t dataset, uint64_t index,
               const std::vector<size_t> &members, uint64_t size) const;

  /// Whether the text of an attribute is an object of the length that the
  /// attribute says. True where the attribute is not in the object's header,
  /// and cannot be looked at.
  bool hasText(hid_t object, const std::string &attribute) const;

private:
  /// Bytes [begin, end) of the file that hold messages of an object's header.
  struct Block {
    uint64_t begin, end;
  };
  struct Header {
    std::vector<Block> blocks;
    bool isOld;    ///< of the first version
    bool hasOrder; ///< messages of the second version have a number
  };
  bool readHeader(uint64_t address, Header &header) const;
  /// The messages of a block, to `visit(type, message)` until it returns true.
  template <typename Visit>
  bool eachMessage(const Header &header, const Block &block,
                   const Visit &visit) const;
  uint64_t fileBytes() const;
  bool read(void *to, size_t bytes, uint64_t address) const;
  enum class Element {
    Read,
    Missing, ///< beyond the end of the file
    Unknown  ///< packed, or in a place that HDF5 does not tell
  };
  /// The bytes of an element as they are in the file.
  Element readElement(hid_t dataset, uint64_t index, size_t bytes,
                      char *to) const;
  /// Of a reference to so many elements of `size` bytes.
  bool isWhole(const char *reference, uint64_t size) const;
  bool hasObject(uint64_t collection, uint32_t number, uint64_t bytes) const;

  int descriptor;
  uint64_t base = 0; ///< of addresses
  bool isUsual;      ///< addresses and sizes have 8 bytes
};

} // namespace pmrt

#endif // PMRT_IO_FILES_GLOBALHEAP_H
