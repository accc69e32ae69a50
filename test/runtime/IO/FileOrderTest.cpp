//===- FileOrderTest.cpp - Pieces of arrays in files of another order -----===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Files/FileOrder.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace pmrt;

namespace {

/// Cells of an array of 3 x 4 x 5 that a rank has, 2 x 3 x 4 of them.
const std::vector<int64_t> whole = {3, 4, 5};
const Box mine = {{{1, 2}, {0, 3}, {1, 4}}};

/// The number of a cell of the array; that of the file's cell that has it.
int64_t numberOf(const std::vector<int64_t> &at,
                 const std::vector<int64_t> &extents) {
  int64_t number = 0;
  for (size_t d = 0; d < at.size(); ++d)
    number = number * extents[d] + at[d];
  return number;
}

/// The file cell of each cell in memory.
std::vector<int64_t> cellsInFile(const FileOrder &order) {
  std::vector<int64_t> cells;
  for (int64_t i = 0; i < mine.cells(); ++i) {
    const std::vector<int64_t> place = {i / 12, i / 4 % 3, i % 4};
    std::vector<int64_t> at;
    for (size_t a = 0; a < order.dims.size(); ++a) {
      const auto d = size_t(order.dims[a]);
      at.push_back((mine.sides[d].offset + place[d] + order.shifts[a]) %
                   order.shape[a]);
    }
    cells.push_back(numberOf(at, order.shape));
  }
  return cells;
}

template <typename T> void checkCopies(const FileOrder &order) {
  const std::vector<int64_t> inFile = cellsInFile(order);
  size_t seen = 0;
  for (const FilePiece &piece : order.pieces(mine)) {
    const std::vector<int64_t> start = piece.start(), count = piece.count();
    std::vector<T> memory(inFile.size());
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = T(inFile[i] + 1);
    for (int64_t begin = 0; begin < piece.cells(); ++begin)
      for (int64_t end = begin; end <= piece.cells(); ++end) {
        std::vector<T> expected;
        for (int64_t i = begin; i < end; ++i) {
          const std::vector<int64_t> at = {start[0] + i / (count[1] * count[2]),
                                           start[1] + i / count[2] % count[1],
                                           start[2] + i % count[2]};
          expected.push_back(T(numberOf(at, order.shape) + 1));
        }
        std::vector<T> found(expected.size());
        piece.gather(begin, end, sizeof(T),
                     reinterpret_cast<const char *>(memory.data()),
                     reinterpret_cast<char *>(found.data()));
        ASSERT_EQ(found, expected) << "cells " << begin << " to " << end;
        std::vector<T> back(memory.size());
        piece.scatter(begin, end, sizeof(T),
                      reinterpret_cast<const char *>(expected.data()),
                      reinterpret_cast<char *>(back.data()));
        for (size_t i = 0; i < back.size(); ++i)
          ASSERT_EQ(back[i] == memory[i],
                    std::find(expected.begin(), expected.end(), memory[i]) !=
                        expected.end())
              << "cells " << begin << " to " << end;
      }
    seen += size_t(piece.cells());
  }
  EXPECT_EQ(seen, inFile.size());
}

} // namespace

TEST(FileOrder, CopiesAnyCellsOfAnyOrder) {
  std::vector<int> dims = {0, 1, 2};
  do
    for (int64_t shift : {0, 1, 2}) {
      FileOrder order;
      order.dims = dims;
      for (size_t a = 0; a < dims.size(); ++a) {
        order.shape.push_back(whole[size_t(dims[a])]);
        order.shifts.push_back(a == size_t(shift) ? 2 : 0);
      }
      SCOPED_TRACE(testing::PrintToString(dims));
      checkCopies<int8_t>(order);
      checkCopies<float>(order);
      checkCopies<double>(order);
    }
  while (std::next_permutation(dims.begin(), dims.end()));
}
