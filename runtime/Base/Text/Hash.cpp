//===- Hash.cpp - Whether two contents are the same -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Hash.h"

#include <fmt/format.h>
// Its code comes into this file, so that programs need no further library.
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace pmrt;

struct Hash::State {
  XXH3_state_t xxh;
};

static Digest digestOf(const XXH128_hash_t &hash) {
  return {{hash.high64, hash.low64}};
}

std::string Digest::text() const {
  return fmt::format("{:016x}{:016x}", words[0], words[1]);
}

Hash::Hash() : state(std::make_unique<State>()) {
  XXH3_128bits_reset(&state->xxh);
}

Hash::~Hash() = default;

void Hash::add(const void *data, int64_t bytes) {
  XXH3_128bits_update(&state->xxh, data, size_t(bytes));
}

Digest Hash::value() const {
  return digestOf(XXH3_128bits_digest(&state->xxh));
}

Digest pmrt::hashOf(std::string_view text) {
  return digestOf(XXH3_128bits(text.data(), text.size()));
}

void ElementHash::add(const char *elements, int64_t count, int64_t size,
                      int64_t place) {
  for (int64_t i = 0; i < count; ++i)
    add(digestOf(XXH3_128bits_withSeed(elements + i * size, size_t(size),
                                       uint64_t(place + i))));
}

void ElementHash::add(const Digest &other) {
  for (size_t i = 0; i < sum.words.size(); ++i)
    sum.words[i] += other.words[i];
}
