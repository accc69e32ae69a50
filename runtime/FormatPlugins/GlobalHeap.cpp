//===- GlobalHeap.cpp - Where HDF5 keeps lists of any length --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FormatPlugins/GlobalHeap.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pmrt;

/// Numbers of a file are little endian, as this machine's are.
template <typename T> static T numberAt(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

GlobalHeap::GlobalHeap(const std::string &path, hid_t file)
    : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  const hid_t creation = H5Fget_create_plist(file);
  size_t addresses = 0, sizes = 0;
  hsize_t block = 0;
  H5Pget_sizes(creation, &addresses, &sizes);
  H5Pget_userblock(creation, &block);
  H5Pclose(creation);
  isUsual = addresses == 8 && sizes == 8;
  base = block;
}

GlobalHeap::~GlobalHeap() {
  if (descriptor >= 0)
    close(descriptor);
}

bool GlobalHeap::read(void *to, size_t bytes, uint64_t address) const {
  return address < uint64_t(1) << 62 &&
         pread(descriptor, to, bytes, off_t(base + address)) == ssize_t(bytes);
}

/// No size that a damaged file claims may be allocated before it is compared
/// with this.
uint64_t GlobalHeap::fileBytes() const {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 ? uint64_t(status.st_size) : 0;
}

GlobalHeap::Element GlobalHeap::readElement(hid_t dataset, uint64_t index,
                                            size_t bytes, char *to) const {
  const hid_t creation = H5Dget_create_plist(dataset);
  const bool isPacked = H5Pget_nfilters(creation) != 0;
  const H5D_layout_t layout = H5Pget_layout(creation);
  std::array<hsize_t, H5S_MAX_RANK> chunk = {};
  const int rank = layout == H5D_CHUNKED
                       ? H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data())
                       : 0;
  H5Pclose(creation);
  if (isPacked)
    return Element::Unknown;
  if (layout == H5D_CONTIGUOUS) {
    const haddr_t begin = H5Dget_offset(dataset);
    return begin != HADDR_UNDEF && read(to, bytes, begin - base + index * bytes)
               ? Element::Read
               : Element::Unknown;
  }
  hsize_t elements = 1;
  for (int d = 0; d < rank; ++d)
    elements *= std::min<hsize_t>(chunk[size_t(d)], uint64_t(1) << 24);
  hsize_t stored = 0;
  std::array<hsize_t, H5S_MAX_RANK> place = {};
  if (rank == 0 || elements != chunk[0] || chunk[0] == 0)
    return Element::Unknown;
  place[0] = index / chunk[0] * chunk[0];
  if (H5Dget_chunk_storage_size(dataset, place.data(), &stored) < 0 ||
      stored != elements * bytes)
    return Element::Unknown;
  if (stored > fileBytes())
    return Element::Missing;
  std::vector<char> all(stored);
  uint32_t skipped = 0;
  if (H5Dread_chunk(dataset, H5P_DEFAULT, place.data(), &skipped, all.data()) <
      0)
    return Element::Unknown;
  std::memcpy(to, all.data() + index % chunk[0] * bytes, bytes);
  return Element::Read;
}

bool GlobalHeap::hasObject(uint64_t collection, uint32_t number,
                           uint64_t bytes) const {
  // "GCOL", the version, and the bytes of all; then a head for each object:
  // number, references, and bytes, which are padded to 8.
  constexpr size_t headBytes = 16;
  std::array<char, headBytes> head = {};
  if (!read(head.data(), headBytes, collection) ||
      std::memcmp(head.data(), "GCOL\1", 5) != 0)
    return false;
  const uint64_t end = numberAt<uint64_t>(head.data() + 8);
  bool found = false;
  if (end < 4096 || end > uint64_t(1) << 40)
    return false;
  for (uint64_t at = headBytes; at + headBytes <= end;) {
    if (!read(head.data(), headBytes, collection + at))
      return false;
    const uint32_t one = numberAt<uint16_t>(head.data());
    const uint64_t size = numberAt<uint64_t>(head.data() + 8);
    // Number 0 is the free rest, whose bytes count its head, too.
    const uint64_t whole =
        one == 0 ? size : headBytes + (std::min(size, end) + 7) / 8 * 8;
    if (whole < headBytes || whole > end - at)
      return false;
    found |= one == number && size == bytes;
    at += whole;
  }
  return found;
}

bool GlobalHeap::isWhole(hid_t dataset, uint64_t index,
                         const std::vector<size_t> &members,
                         uint64_t size) const {
  if (!isUsual)
    return true;
  const hid_t type = H5Dget_type(dataset);
  const size_t bytes = H5Tget_size(type);
  H5Tclose(type);
  if (bytes > fileBytes())
    return false;
  std::vector<char> element(bytes);
  switch (readElement(dataset, index, element.size(), element.data())) {
  case Element::Unknown:
    return true;
  case Element::Missing:
    return false;
  case Element::Read:
    break;
  }
  for (const size_t member : members) {
    if (member + 16 > element.size())
      return false;
    const char *at = element.data() + member;
    const uint64_t length = numberAt<uint32_t>(at);
    if (length > 0 && !hasObject(numberAt<uint64_t>(at + 4),
                                 numberAt<uint32_t>(at + 12), length * size))
      return false;
  }
  return true;
}
