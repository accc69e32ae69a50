//===- GlobalHeap.cpp - Where HDF5 keeps lists of any length --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/GlobalHeap.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <span>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

using namespace pmrt;

/// A length of 4 bytes, the address of the collection of objects, and the
/// number of the object there.
static constexpr size_t referenceBytes = 16;

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

bool GlobalHeap::isTextType(hid_t type) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) <= 0)
    return false;
  const hid_t character = H5Tget_super(type);
  const size_t bytes = character >= 0 ? H5Tget_size(character) : 0;
  if (character >= 0)
    H5Tclose(character);
  return bytes == 1;
}

bool GlobalHeap::isWhole(const char *reference, uint64_t size) const {
  // HDF5 follows every other address, whatever the length.
  const auto address = numberAt<uint64_t>(reference + 4);
  return address == 0 || hasObject(address, numberAt<uint32_t>(reference + 12),
                                   numberAt<uint32_t>(reference) * size);
}

bool GlobalHeap::isWhole(hid_t dataset, uint64_t index,
                         const std::vector<size_t> &members,
                         uint64_t size) const {
  if (!isUsual)
    return true;
  const hid_t type = H5Dget_type(dataset);
  // A text is an address in memory, and a reference in the file.
  const size_t bytes =
      H5Tis_variable_str(type) > 0 ? referenceBytes : H5Tget_size(type);
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
    if (member + referenceBytes > element.size())
      return false;
    if (!isWhole(element.data() + member, size))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Texts of attributes
//===----------------------------------------------------------------------===//

/// Messages of an object's header.
static constexpr unsigned attributeMessage = 0x0c, continuation = 0x10;

/// Where a version of the format pads to 8 bytes.
static uint64_t padded(uint64_t bytes, bool isPadded) {
  return isPadded ? (bytes + 7) / 8 * 8 : bytes;
}

bool GlobalHeap::readHeader(uint64_t address, Header &header) const {
  std::array<char, 48> head = {};
  if (!read(head.data(), head.size(), address))
    return false;
  header.isOld = std::memcmp(head.data(), "OHDR\2", 5) != 0;
  if (header.isOld) {
    header.blocks.push_back(
        {address + 16, address + 16 + numberAt<uint32_t>(head.data() + 8)});
    return head[0] == 1;
  }
  const auto flags = unsigned(uint8_t(head[5]));
  header.hasOrder = (flags & 4) != 0;
  // Times, and numbers of attributes, before the bytes of the messages.
  const uint64_t at = 6 + (flags & 32 ? 16 : 0) + (flags & 16 ? 4 : 0),
                 width = uint64_t(1) << (flags & 3);
  uint64_t size = 0;
  std::memcpy(&size, head.data() + at, width);
  const uint64_t begin = address + at + width;
  header.blocks.push_back({begin, begin + std::min(size, fileBytes())});
  return true;
}

template <typename Visit>
bool GlobalHeap::eachMessage(const Header &header, const Block &block,
                             const Visit &visit) const {
  // A type, the bytes, and flags.
  const uint64_t headBytes = header.isOld ? 8 : header.hasOrder ? 6 : 4;
  if (block.begin > block.end || block.end - block.begin > fileBytes())
    return false;
  std::vector<char> bytes(block.end - block.begin);
  if (!read(bytes.data(), bytes.size(), block.begin))
    return false;
  for (uint64_t at = 0; at + headBytes <= bytes.size();) {
    const char *head = bytes.data() + at;
    const unsigned type =
        header.isOld ? numberAt<uint16_t>(head) : uint8_t(head[0]);
    const uint64_t size = numberAt<uint16_t>(head + (header.isOld ? 2 : 1));
    at += headBytes;
    if (size > bytes.size() - at)
      return false;
    if (visit(type, std::span<const char>(bytes.data() + at, size)))
      return true;
    at += size;
  }
  return false;
}

/// What an attribute's message holds, if it is of that name.
static std::optional<std::span<const char>>
valueOf(std::span<const char> message, const std::string &attribute) {
  if (message.size() < 9)
    return std::nullopt;
  const auto version = uint8_t(message[0]);
  const uint64_t begin = version == 3 ? 9 : 8;
  const bool isPadded = version == 1;
  const uint64_t nameBytes = numberAt<uint16_t>(message.data() + 2);
  const uint64_t value =
      begin + padded(nameBytes, isPadded) +
      padded(numberAt<uint16_t>(message.data() + 4), isPadded) +
      padded(numberAt<uint16_t>(message.data() + 6), isPadded);
  if (nameBytes != attribute.size() + 1 || begin + nameBytes > message.size() ||
      std::string_view(message.data() + begin, nameBytes - 1) != attribute)
    return std::nullopt;
  return message.subspan(std::min<uint64_t>(value, message.size()));
}

bool GlobalHeap::hasText(hid_t object, const std::string &attribute) const {
  H5O_info_t facts;
  Header header = {};
  if (!isUsual || H5Oget_info1(object, &facts) < 0 ||
      !readHeader(facts.addr, header))
    return true;
  bool isRight = true;
  auto visit = [&](unsigned type, std::span<const char> message) {
    if (type == continuation && message.size() >= 16) {
      // Of the second version with a signature, and a checksum at the end.
      const uint64_t around = header.isOld ? 0 : 4;
      const auto begin = numberAt<uint64_t>(message.data()),
                 size = std::min(numberAt<uint64_t>(message.data() + 8),
                                 fileBytes());
      if (size >= 2 * around)
        header.blocks.push_back({begin + around, begin + size - around});
    }
    const auto value =
        type == attributeMessage ? valueOf(message, attribute) : std::nullopt;
    if (!value)
      return false;
    isRight = value->size() >= referenceBytes && isWhole(value->data(), 1);
    return true;
  };
  // Blocks that a damaged file leads to for ever are no more than these.
  constexpr size_t mostBlocks = 256;
  for (size_t i = 0; i < std::min(header.blocks.size(), mostBlocks); ++i) {
    const Block block = header.blocks[i];
    if (eachMessage(header, block, visit))
      break;
  }
  return isRight;
}
