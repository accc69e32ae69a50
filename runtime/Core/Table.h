//===- Table.h - Piecewise linear functions ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_TABLE_H
#define PMRT_CORE_TABLE_H

#include "pmrt/pmrt.h"

#include <string>
#include <vector>

namespace pmrt {

/// A pmrt_table with its storage, and an index that makes lookups O(1).
class Table : public pmrt_table {
public:
  explicit Table(int64_t size);
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;

  /// What is wrong with the rows, or empty: needs two rows, everything finite,
  /// x increasing. `what` names the table.
  std::string problem() const;

  /// Builds the index over x; x must not change afterwards.
  void buildIndex();

  /// i such that x lies in [x_i, x_i+1], or in the first or last piece's
  /// continuation; 0 <= i <= size - 2.
  int64_t interval(double at) const;

private:
  int64_t bucket(double at) const;

  std::vector<double> xs, ys;
  /// first[b]: the interval that holds bucket b's left end. Buckets are equal
  /// steps of x, or of x's bits (nearly log x), whichever balances better.
  std::vector<int32_t> first;
  bool byBits = false;
  int64_t origin = 0; ///< of the bits
  int shift = 0;      ///< of the bits
  double left = 0;
  double scale = 0;
};

} // namespace pmrt

#endif // PMRT_CORE_TABLE_H
