//===- Tensor.cpp - Strided arrays of a caller ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Embed/Tensor.h"

#include "runtime/Base/Text/Format.h"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace pmrt;

/// Below so many elements, one thread copies a box.
static constexpr int64_t smallBox = 1 << 14;

std::string pmrt::shapeText(const std::vector<int64_t> &shape,
                            const std::vector<std::string> &names) {
  std::string text = shapeText(shape);
  if (!names.empty())
    text += fmt::format(" ({})", fmt::join(names, ", "));
  return text;
}

pmrt_tensor pmrt::denseTensor(void *data, pmrt_element element,
                              const std::vector<int64_t> &shape) {
  pmrt_tensor tensor = {};
  tensor.data = data;
  tensor.element = element;
  tensor.space = PMRT_HOST;
  tensor.rank = int32_t(shape.size());
  int64_t stride = elementSize(element);
  for (size_t d = shape.size(); d-- > 0;) {
    tensor.shape[d] = shape[d];
    tensor.strides[d] = stride;
    stride *= shape[d];
  }
  return tensor;
}

std::vector<int64_t> pmrt::shapeOf(const pmrt_tensor &tensor) {
  return {tensor.shape, tensor.shape + tensor.rank};
}

bool pmrt::isDense(const pmrt_tensor &tensor) {
  int64_t stride = elementSize(pmrt_element(tensor.element));
  for (int32_t d = tensor.rank; d-- > 0;) {
    if (tensor.shape[d] != 1 && tensor.strides[d] != stride)
      return false;
    stride *= tensor.shape[d];
  }
  return true;
}

std::string pmrt::tensorProblem(const pmrt_tensor &tensor) {
  if (tensor.rank < 0 || tensor.rank > PMRT_MAX_RANK + 1)
    return fmt::format("has rank {}, expected 0 to {}", tensor.rank,
                       PMRT_MAX_RANK + 1);
  if (tensor.element < PMRT_F32 || tensor.element > PMRT_U64)
    return fmt::format("has element {}, which is not one of pmrt_element's for "
                       "arrays",
                       tensor.element);
  if (tensor.space != PMRT_HOST && tensor.space != PMRT_DEVICE)
    return fmt::format("has space {}, which is not one of pmrt_space",
                       tensor.space);
  int64_t cells = 1;
  for (const int64_t extent : shapeOf(tensor)) {
    if (extent < 0)
      return "has a negative extent";
    cells *= extent;
  }
  if (!tensor.data && cells > 0)
    return "has no memory: its address is null";
  return "";
}

bool pmrt::converts(pmrt_element from, pmrt_element to) {
  const auto isReal = [](pmrt_element e) {
    return e == PMRT_F32 || e == PMRT_F64;
  };
  return from == to || (isReal(from) && isReal(to)) ||
         (isComplex(from) && isComplex(to));
}

/// Copies `count` numbers at `stride` bytes, `parts` floats each.
template <typename From, typename To>
static void convertRow(const char *from, int64_t stride, int64_t count,
                       int parts, To *to) {
  for (int64_t i = 0; i < count; ++i, from += stride)
    for (int part = 0; part < parts; ++part) {
      From value;
      std::memcpy(&value, from + size_t(part) * sizeof(From), sizeof(From));
      *to++ = To(value);
    }
}

static void copyRow(const char *from, int64_t stride, int64_t count,
                    int64_t size, char *to) {
  if (stride == size)
    std::memcpy(to, from, size_t(count * size));
  else
    for (int64_t i = 0; i < count; ++i, from += stride, to += size)
      std::memcpy(to, from, size_t(size));
}

static void readRow(const char *from, int64_t stride, int64_t count,
                    pmrt_element stored, pmrt_element element, char *to) {
  if (stored == element)
    return copyRow(from, stride, count, elementSize(element), to);
  const int parts = isComplex(element) ? 2 : 1;
  if (element == PMRT_F32 || element == PMRT_C64)
    convertRow<double>(from, stride, count, parts,
                       reinterpret_cast<float *>(to));
  else
    convertRow<float>(from, stride, count, parts,
                      reinterpret_cast<double *>(to));
}

void pmrt::readBox(Threads &threads, const pmrt_tensor &from, const Box &part,
                   pmrt_element element, void *to) {
  const int64_t cells = part.cells();
  if (cells == 0)
    return;
  const auto stored = pmrt_element(from.element);
  const size_t rank = part.sides.size();
  const int64_t row = rank ? part.sides[rank - 1].extent : 1;
  const int64_t rows = cells / row, size = elementSize(element);
  const auto copyRows = [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const char *at = static_cast<const char *>(from.data);
      int64_t rest = r;
      for (size_t d = rank; d-- > 0;) {
        const Shard &side = part.sides[d];
        int64_t index = side.offset;
        if (d + 1 < rank) {
          index += rest % side.extent;
          rest /= side.extent;
        }
        at += index * from.strides[d];
      }
      readRow(at, rank ? from.strides[rank - 1] : size, row, stored, element,
              static_cast<char *>(to) + r * row * size);
    }
  };
  if (cells < smallBox)
    copyRows(0, rows);
  else
    threads.forRange(rows, copyRows);
}

void pmrt::writeElements(const pmrt_tensor &to, int64_t first, int64_t count,
                         const char *from) {
  const int64_t size = elementSize(pmrt_element(to.element));
  char *const data = static_cast<char *>(to.data);
  if (isDense(to)) {
    std::memcpy(data + first * size, from, size_t(count * size));
    return;
  }
  for (int64_t i = first; i < first + count; ++i, from += size) {
    int64_t rest = i, offset = 0;
    for (int32_t d = to.rank; d-- > 0;) {
      offset += rest % to.shape[d] * to.strides[d];
      rest /= to.shape[d];
    }
    std::memcpy(data + offset, from, size_t(size));
  }
}
