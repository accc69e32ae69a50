//===- Hash.h - Whether two contents are the same ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_TEXT_HASH_H
#define PMRT_BASE_TEXT_HASH_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pmrt {

/// 128 bits that tell contents apart: whatever differs in a bit, whichever it
/// is, has another. It finds mistakes and damage; it is no proof against
/// somebody who looks for two contents of the same hash.
struct Digest {
  std::array<uint64_t, 2> words = {};

  bool operator==(const Digest &) const = default;
  /// 32 hex digits.
  std::string text() const;
};

/// XXH3_128bits of what is added, in pieces of any size.
class Hash {
public:
  Hash();
  ~Hash();
  Hash(const Hash &) = delete;
  Hash &operator=(const Hash &) = delete;

  void add(const void *data, int64_t bytes);
  void add(std::string_view text) { add(text.data(), int64_t(text.size())); }
  Digest value() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

Digest hashOf(std::string_view text);

/// A hash of elements and their places, whatever the order in which they are
/// added: sums of several are those of all their elements.
class ElementHash {
public:
  /// `size` bytes each; the first one has this place, others those after it.
  void add(const char *elements, int64_t count, int64_t size, int64_t place);
  void add(const Digest &sum);
  const Digest &value() const { return sum; }

private:
  Digest sum;
};

} // namespace pmrt

#endif // PMRT_BASE_TEXT_HASH_H
