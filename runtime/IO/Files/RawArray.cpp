//===- RawArray.cpp - Numbers in the byte order of a file -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/RawArray.h"

#include "runtime/Base/ReducedPrecision.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Descriptor.h"
#include "runtime/IO/Files/Exact.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

using namespace pmrt;

/// Runs of a box that are not further apart are read together.
static constexpr int64_t nearBytes = int64_t(64) << 10;
static constexpr int64_t aheadBytes = int64_t(256) << 10;

std::string RawElement::text() const {
  static constexpr std::pair<char, const char *> names[] = {
      {'f', "float"}, {'c', "complex"}, {'i', "int"}, {'u', "uint"}};
  for (auto [letter, word] : names)
    if (letter == kind)
      return fmt::format("{}{}", word, 8 * size);
  return kind == 'b' ? "bool" : "unknown type";
}

RawArray::RawArray(std::unique_ptr<InputFile> from, int64_t offset,
                   RawElement element, std::vector<int64_t> shape)
    : file(std::move(from)), offset(offset), type(element),
      extents(std::move(shape)) {
  __int128 want = type.size;
  for (int64_t extent : extents)
    want = std::min<__int128>(want * extent, int64_t(1) << 60);
  if (type.kind && file->size() - offset < int64_t(want))
    throw std::runtime_error(fmt::format(
        "{} is truncated: it has {} bytes of data, but its {} elements need {}",
        file->path(), std::max<int64_t>(0, file->size() - offset),
        int64_t(want) / type.size, int64_t(want)));
}

void RawArray::read(pmrt_element to, const std::vector<int64_t> &start,
                    const std::vector<int64_t> &count, void *out) {
  // Runs that are contiguous in the file: the trailing dims that are read
  // whole, and a part of the one before.
  int64_t run = 1, all = 1, pitch = 1;
  bool whole = true;
  for (size_t d = count.size(); d-- > 0;) {
    all *= count[d];
    if (whole) {
      run *= count[d];
      pitch *= extents[d];
    }
    whole = whole && count[d] == extents[d];
  }
  const bool near = pitch * type.size <= nearBytes;
  for (int64_t at = 0; at < all; at += run) {
    int64_t rest = at, index = 0, stride = 1;
    for (size_t d = count.size(); d-- > 0;) {
      index += (rest % count[d] + start[d]) * stride;
      rest /= count[d];
      stride *= extents[d];
    }
    // The buffer holds what is read next, too.
    if (index < held || index + run > held + holds) {
      held = index;
      holds = run;
      if (near)
        holds = std::max(
            run, std::min(stride - index, aheadBytes / int64_t(type.size)));
      buffer.resize(size_t(holds * type.size));
      const int64_t got = file->read(buffer.data(), holds * type.size,
                                     offset + index * type.size);
      if (got != holds * type.size) {
        held = -1;
        holds = 0;
        throw std::runtime_error(fmt::format("{} is truncated", file->path()));
      }
    }
    try {
      readRun(to, index - held, run,
              static_cast<char *>(out) + at * elementSize(to));
    } catch (const std::runtime_error &e) {
      throw std::runtime_error(fmt::format("{} {}", file->path(), e.what()));
    }
  }
  // Another box begins elsewhere, and the file may have changed by then.
  held = -1;
  holds = 0;
}

namespace {

template <typename T> T swapped(T value) {
  auto *bytes = reinterpret_cast<unsigned char *>(&value);
  std::reverse(bytes, bytes + sizeof value);
  return value;
}

/// Converts `count` numbers of a file, `step` apart.
template <typename From, typename To>
void convert(const char *raw, int64_t count, int64_t step, bool swap, To *out) {
  for (int64_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, raw + i * step, sizeof value);
    out[i] = exactly<To>(swap ? swapped(value) : value);
  }
}

} // namespace

/// Of a number whose parts have `each` bytes, from `raw` on, `step` apart.
template <typename To>
static void convertReals(const RawElement &type, const char *raw, int64_t count,
                         int64_t each, int64_t step, To *out) {
  const bool isSigned = type.kind == 'i';
  const bool isFloat = type.kind == 'f' || type.kind == 'c';
  switch (each) {
  case 1:
    return isSigned ? convert<int8_t>(raw, count, step, false, out)
                    : convert<uint8_t>(raw, count, step, false, out);
  case 2:
    return isFloat    ? convert<Half>(raw, count, step, type.swap, out)
           : isSigned ? convert<int16_t>(raw, count, step, type.swap, out)
                      : convert<uint16_t>(raw, count, step, type.swap, out);
  case 4:
    return isFloat    ? convert<float>(raw, count, step, type.swap, out)
           : isSigned ? convert<int32_t>(raw, count, step, type.swap, out)
                      : convert<uint32_t>(raw, count, step, type.swap, out);
  default:
    return isFloat    ? convert<double>(raw, count, step, type.swap, out)
           : isSigned ? convert<int64_t>(raw, count, step, type.swap, out)
                      : convert<uint64_t>(raw, count, step, type.swap, out);
  }
}

void RawArray::readRun(pmrt_element to, int64_t first, int64_t count,
                       void *out) const {
  const char *raw = buffer.data() + first * type.size;
  const int64_t parts = type.kind == 'c' ? 2 : 1;
  const int64_t each = type.size / parts;
  // Both parts of complex numbers, or the real ones.
  const int64_t numbers = isComplex(to) ? count * parts : count;
  const int64_t step = isComplex(to) ? each : type.size;
  switch (to) {
  case PMRT_F32:
  case PMRT_C64:
    return convertReals(type, raw, numbers, each, step,
                        static_cast<float *>(out));
  case PMRT_F64:
  case PMRT_C128:
    return convertReals(type, raw, numbers, each, step,
                        static_cast<double *>(out));
  case PMRT_I8:
    return convertReals(type, raw, numbers, each, step,
                        static_cast<int8_t *>(out));
  case PMRT_I64:
  case PMRT_U64:
    return convertReals(type, raw, numbers, each, step,
                        static_cast<int64_t *>(out));
  case PMRT_BF16:
  case PMRT_F16:
    refuseReducedPrecision(to);
  }
}
