//===- FileOrder.cpp - Arrays that lie otherwise in their files -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/FileOrder.h"

#include <algorithm>
#include <cstring>

using namespace pmrt;

int64_t FilePiece::cells() const {
  int64_t product = 1;
  for (const Shard &side : sides)
    product *= side.extent;
  return product;
}

std::vector<int64_t> FilePiece::start() const {
  std::vector<int64_t> all;
  for (const Shard &side : sides)
    all.push_back(side.offset);
  return all;
}

std::vector<int64_t> FilePiece::count() const {
  std::vector<int64_t> all;
  for (const Shard &side : sides)
    all.push_back(side.extent);
  return all;
}

FilePiece FilePiece::part(const std::vector<int64_t> &start,
                          const std::vector<int64_t> &count) const {
  FilePiece inner = *this;
  for (size_t a = 0; a < sides.size(); ++a) {
    inner.first += (start[a] - sides[a].offset) * strides[a];
    inner.sides[a] = {start[a], count[a]};
  }
  return inner;
}

void FilePiece::forParts(
    int64_t most, const std::function<void(const FilePiece &)> &visit) const {
  if (cells() == 0)
    return;
  // What is behind axis `cut` fits as a whole.
  size_t cut = sides.size();
  int64_t behind = 1;
  while (cut > 0 && behind * sides[cut - 1].extent <= most)
    behind *= sides[--cut].extent;
  if (cut == 0)
    return visit(*this);
  --cut;
  std::vector<int64_t> at = start(), size = count();
  const int64_t step = std::max<int64_t>(1, most / behind);
  for (size_t a = 0; a < cut; ++a)
    size[a] = 1;
  for (;;) {
    const Shard &side = sides[cut];
    for (int64_t begin = 0; begin < side.extent; begin += step) {
      at[cut] = side.offset + begin;
      size[cut] = std::min(step, side.extent - begin);
      visit(part(at, size));
    }
    size_t a = cut;
    bool next = false;
    while (!next && a-- > 0) {
      next = ++at[a] < sides[a].offset + sides[a].extent;
      if (!next)
        at[a] = sides[a].offset;
    }
    if (!next)
      return;
  }
}

int64_t FilePiece::cell(int64_t index) const {
  int64_t at = first;
  for (size_t a = sides.size(); a-- > 0;) {
    at += index % sides[a].extent * strides[a];
    index /= sides[a].extent;
  }
  return at;
}

/// Calls `visit(cell in memory, stride, cells)` for runs along the fastest axis
/// that has several.
template <typename Visit>
void FilePiece::forRows(int64_t begin, int64_t end, const Visit &visit) const {
  size_t along = sides.size();
  while (along > 1 && sides[along - 1].extent == 1)
    --along;
  const int64_t row = along ? sides[along - 1].extent : 1;
  const int64_t stride = along ? strides[along - 1] : 1;
  for (int64_t k = begin; k < end;) {
    const int64_t here = std::min(end - k, row - k % row);
    visit(cell(k), stride, here);
    k += here;
  }
}

namespace {

template <int64_t size>
void copyOut(const char *from, int64_t stride, int64_t count, char *to) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * size, from + i * stride * size, size);
}

template <int64_t size>
void copyIn(const char *from, int64_t stride, int64_t count, char *to) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * stride * size, from + i * size, size);
}

} // namespace

void FilePiece::gather(int64_t begin, int64_t end, int64_t size,
                       const char *memory, char *out) const {
  forRows(begin, end, [&](int64_t at, int64_t stride, int64_t count) {
    const char *from = memory + at * size;
    if (stride == 1)
      std::memcpy(out, from, size_t(count * size));
    else if (size == 1)
      copyOut<1>(from, stride, count, out);
    else if (size == 4)
      copyOut<4>(from, stride, count, out);
    else if (size == 8)
      copyOut<8>(from, stride, count, out);
    else
      copyOut<16>(from, stride, count, out);
    out += count * size;
  });
}

void FilePiece::scatter(int64_t begin, int64_t end, int64_t size,
                        const char *from, char *memory) const {
  forRows(begin, end, [&](int64_t at, int64_t stride, int64_t count) {
    char *to = memory + at * size;
    if (stride == 1)
      std::memcpy(to, from, size_t(count * size));
    else if (size == 1)
      copyIn<1>(from, stride, count, to);
    else if (size == 4)
      copyIn<4>(from, stride, count, to);
    else if (size == 8)
      copyIn<8>(from, stride, count, to);
    else
      copyIn<16>(from, stride, count, to);
    from += count * size;
  });
}

bool FileOrder::isStraight(size_t rank) const {
  if (dims.size() != rank)
    return false;
  for (size_t a = 0; a < dims.size(); ++a)
    if (dims[a] != int(a) || shifts[a] != 0)
      return false;
  return true;
}

std::vector<FilePiece> FileOrder::pieces(const Box &mine) const {
  if (mine.cells() == 0)
    return {};
  std::vector<int64_t> strides(mine.sides.size());
  int64_t stride = 1;
  for (size_t d = strides.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= mine.sides[d].extent;
  }
  std::vector<FilePiece> all(1);
  for (size_t a = 0; a < dims.size(); ++a) {
    // Ranges of the axis, and the cell here with which each begins.
    std::vector<std::pair<Shard, int64_t>> ranges = {{{0, 1}, 0}};
    int64_t step = 0;
    if (dims[a] >= 0) {
      const Shard &side = mine.sides[size_t(dims[a])];
      const int64_t cells = shape[a];
      const int64_t begin = (side.offset + shifts[a]) % cells;
      const int64_t before = std::min(side.extent, cells - begin);
      step = strides[size_t(dims[a])];
      ranges = {{{begin, before}, 0}};
      if (before < side.extent)
        ranges.push_back({{0, side.extent - before}, before});
    }
    std::vector<FilePiece> longer;
    for (const FilePiece &piece : all)
      for (const auto &[range, cell] : ranges) {
        FilePiece &more = longer.emplace_back(piece);
        more.sides.push_back(range);
        more.strides.push_back(step);
        more.first += cell * step;
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<int> pmrt::columnDims(const std::vector<bool> &batch) {
  const bool mixed =
      std::find(batch.begin(), batch.end(), false) != batch.end();
  std::vector<int> all;
  for (size_t d = 0; d < batch.size(); ++d)
    if (!mixed || !batch[d])
      all.push_back(int(d));
  for (size_t d = batch.size(); d-- > 0;)
    if (mixed && batch[d])
      all.push_back(int(d));
  return all;
}
