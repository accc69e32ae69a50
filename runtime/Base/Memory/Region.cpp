//===- Region.cpp - A box of memory ---------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Memory/Region.h"

#include "runtime/Base/Threads.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <type_traits>

using namespace pmrt;

Region Region::flat(const void *data, int64_t bytes) {
  // Only receivers write through it.
  return {const_cast<char *>(static_cast<const char *>(data)), 1, {bytes}, {1}};
}

int64_t Region::elements() const {
  int64_t product = 1;
  for (int64_t count : counts)
    product *= count;
  return product;
}

Region Region::denseAt(char *place) const {
  Region dense = *this;
  dense.base = place;
  int64_t stride = size;
  for (size_t d = counts.size(); d-- > 0;) {
    dense.strides[d] = stride;
    stride *= counts[d];
  }
  return dense;
}

/// Joins neighboring dims of both boxes where both are dense. `runs`: also
/// makes the last dim, if dense, the element.
static void mergeBoth(Region &a, Region &b, bool runs) {
  Region x{a.base, a.size, {}, {}}, y{b.base, b.size, {}, {}};
  for (size_t d = 0; d < a.counts.size(); ++d) {
    if (a.counts[d] == 1)
      continue;
    const int64_t n = a.counts[d];
    if (!x.counts.empty() && x.strides.back() == n * a.strides[d] &&
        y.strides.back() == n * b.strides[d]) {
      x.counts.back() *= n;
      y.counts.back() *= n;
      x.strides.back() = a.strides[d];
      y.strides.back() = b.strides[d];
      continue;
    }
    x.counts.push_back(n);
    y.counts.push_back(n);
    x.strides.push_back(a.strides[d]);
    y.strides.push_back(b.strides[d]);
  }
  if (runs && !x.counts.empty() && x.strides.back() == x.size &&
      y.strides.back() == y.size) {
    x.size *= x.counts.back();
    y.size *= y.counts.back();
    for (Region *region : {&x, &y}) {
      region->counts.pop_back();
      region->strides.pop_back();
    }
  }
  a = std::move(x);
  b = std::move(y);
}

Region Region::merged(bool runs) const {
  Region one = *this, other = *this;
  mergeBoth(one, other, runs);
  return one;
}

namespace {

/// Address of element `index` of a region, in order.
char *addressOf(const Region &region, int64_t index) {
  char *at = region.base;
  for (size_t d = region.counts.size(); d-- > 0;) {
    at += index % region.counts[d] * region.strides[d];
    index /= region.counts[d];
  }
  return at;
}

/// body(a, b, count) for rows along the last dim of elements [begin, end): the
/// addresses of a row's first elements in both boxes, and how many follow.
template <typename Body>
void forRows(const Region &a, const Region &b, int64_t begin, int64_t end,
             const Body &body) {
  const size_t rank = a.counts.size();
  const int64_t last = rank ? a.counts[rank - 1] : 1;
  std::vector<int64_t> index(rank, 0);
  int64_t rest = begin;
  char *x = a.base, *y = b.base;
  for (size_t d = rank; d-- > 0;) {
    index[d] = rest % a.counts[d];
    rest /= a.counts[d];
    x += index[d] * a.strides[d];
    y += index[d] * b.strides[d];
  }
  for (int64_t at = begin; at < end;) {
    const int64_t count =
        std::min(last - (rank ? index[rank - 1] : 0), end - at);
    body(x, y, count);
    at += count;
    if (at >= end)
      return;
    // The next row: an odometer over the other dims.
    x -= index[rank - 1] * a.strides[rank - 1];
    y -= index[rank - 1] * b.strides[rank - 1];
    index[rank - 1] = 0;
    for (size_t d = rank - 1; d-- > 0;) {
      x += a.strides[d];
      y += b.strides[d];
      if (++index[d] < a.counts[d])
        break;
      x -= index[d] * a.strides[d];
      y -= index[d] * b.strides[d];
      index[d] = 0;
    }
  }
}

template <typename T>
void copyRow(const char *from, int64_t fromStride, char *to, int64_t toStride,
             int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * fromStride, sizeof value);
    std::memcpy(to + i * toStride, &value, sizeof value);
  }
}

struct Wide {
  double a, b;
};

void copyRow(const char *from, int64_t fromStride, char *to, int64_t toStride,
             int64_t size, int64_t count) {
  if (fromStride == size && toStride == size) {
    std::memcpy(to, from, size_t(size * count));
    return;
  }
  switch (size) {
  case 4:
    return copyRow<float>(from, fromStride, to, toStride, count);
  case 8:
    return copyRow<double>(from, fromStride, to, toStride, count);
  case 16:
    return copyRow<Wide>(from, fromStride, to, toStride, count);
  default:
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(to + i * toStride, from + i * fromStride, size_t(size));
  }
}

template <typename T> T combined(Combine how, T old, T now) {
  if (how == Combine::Add)
    return T(old + now);
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(old) || std::isnan(now))
      return std::numeric_limits<T>::quiet_NaN();
  return how == Combine::Min ? std::min(old, now) : std::max(old, now);
}

template <Combine how, typename T>
void combineRow(const char *from, int64_t fromStride, char *to,
                int64_t toStride, int64_t parts, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    for (int64_t part = 0; part < parts; ++part) {
      T value, old;
      char *place = to + i * toStride + part * int64_t(sizeof(T));
      std::memcpy(&value, from + i * fromStride + part * int64_t(sizeof(T)),
                  sizeof(T));
      std::memcpy(&old, place, sizeof(T));
      old = combined(how, old, value);
      std::memcpy(place, &old, sizeof(T));
    }
}

template <Combine how>
void combineRow(pmrt_element element, const char *from, int64_t fromStride,
                char *to, int64_t toStride, int64_t count) {
  switch (element) {
  case PMRT_F32:
    return combineRow<how, float>(from, fromStride, to, toStride, 1, count);
  case PMRT_F64:
    return combineRow<how, double>(from, fromStride, to, toStride, 1, count);
  case PMRT_C64:
    return combineRow<how, float>(from, fromStride, to, toStride, 2, count);
  case PMRT_C128:
    return combineRow<how, double>(from, fromStride, to, toStride, 2, count);
  case PMRT_I8:
    return combineRow<how, int8_t>(from, fromStride, to, toStride, 1, count);
  case PMRT_I64:
  case PMRT_U64:
    return combineRow<how, int64_t>(from, fromStride, to, toStride, 1, count);
  case PMRT_BF16:
  case PMRT_F16:
    break;
  }
  throw std::runtime_error("internal error: numbers of reduced precision are "
                           "copied, not combined");
}

/// A row of `element`s of `size` bytes.
void takeRow(Combine how, pmrt_element element, int64_t size, const char *from,
             int64_t fromStride, char *to, int64_t toStride, int64_t count) {
  switch (how) {
  case Combine::Replace:
    return copyRow(from, fromStride, to, toStride, size, count);
  case Combine::Add:
    return combineRow<Combine::Add>(element, from, fromStride, to, toStride,
                                    count);
  case Combine::Min:
    return combineRow<Combine::Min>(element, from, fromStride, to, toStride,
                                    count);
  case Combine::Max:
    return combineRow<Combine::Max>(element, from, fromStride, to, toStride,
                                    count);
  }
}

int64_t lastStride(const Region &region) {
  return region.counts.empty() ? region.size : region.strides.back();
}

} // namespace

RegionPair pmrt::mergedPair(const Region &from, const Region &to, bool runs) {
  if (from.counts != to.counts || from.size != to.size)
    throw std::runtime_error(
        fmt::format("internal error: a message of {} elements of {} bytes ({}) "
                    "does not match a receiver of {} elements of {} bytes ({})",
                    from.elements(), from.size, fmt::join(from.counts, "x"),
                    to.elements(), to.size, fmt::join(to.counts, "x")));
  RegionPair pair{from, to};
  mergeBoth(pair.from, pair.to, runs);
  return pair;
}

void pmrt::transfer(Threads &threads, const Region &from, const Region &to,
                    Combine combine, pmrt_element element) {
  const auto [a, b] = mergedPair(from, to, combine == Combine::Replace);
  const int64_t count = a.elements();
  if (count * a.size == 0) // no elements may be merged into one of no bytes
    return;
  auto part = [&](int64_t begin, int64_t end) {
    forRows(a, b, begin, end, [&](char *x, char *y, int64_t length) {
      takeRow(combine, element, a.size, x, lastStride(a), y, lastStride(b),
              length);
    });
  };
  // One run: cut it, or one thread would do it all.
  constexpr int64_t small = int64_t(1) << 16;
  if (count == 1 && a.size >= 2 * small) {
    threads.forRange(a.size / small, [&](int64_t begin, int64_t end) {
      const int64_t stop = end == a.size / small ? a.size : end * small;
      std::memcpy(b.base + begin * small, a.base + begin * small,
                  size_t(stop - begin * small));
    });
    return;
  }
  if (count * a.size < 2 * small)
    part(0, count);
  else
    threads.forRange(count, part);
}

/// body(address, bytes, place): the pieces of bytes [begin, end) of a region,
/// a part of an element or a row of whole ones.
template <typename Whole, typename Part>
static void forBytes(const Region &region, int64_t begin, int64_t end,
                     const Whole &whole, const Part &part) {
  const int64_t size = region.size;
  int64_t at = begin;
  if (at % size) { // the rest of an element that an earlier piece began
    const int64_t stop = std::min(end, (at / size + 1) * size);
    part(addressOf(region, at / size) + at % size, stop - at, int64_t(0));
    at = stop;
  }
  const int64_t lastWhole = end / size;
  if (at < end && at / size < lastWhole) {
    int64_t place = at - begin;
    forRows(region, region, at / size, lastWhole,
            [&](char *x, char *, int64_t count) {
              whole(x, count, place);
              place += count * size;
            });
    at = lastWhole * size;
  }
  if (at < end)
    part(addressOf(region, at / size), end - at, at - begin);
}

void pmrt::pack(const Region &region, int64_t begin, int64_t end,
                char *buffer) {
  forBytes(
      region, begin, end,
      [&](char *from, int64_t count, int64_t place) {
        copyRow(from, lastStride(region), buffer + place, region.size,
                region.size, count);
      },
      [&](const char *from, int64_t bytes, int64_t place) {
        std::memcpy(buffer + place, from, size_t(bytes));
      });
}

void pmrt::unpack(const Region &region, int64_t begin, int64_t end,
                  const char *buffer, Combine combine, pmrt_element element) {
  forBytes(
      region, begin, end,
      [&](char *to, int64_t count, int64_t place) {
        takeRow(combine, element, region.size, buffer + place, region.size, to,
                lastStride(region), count);
      },
      [&](char *to, int64_t bytes, int64_t place) {
        std::memcpy(to, buffer + place, size_t(bytes));
      });
}
