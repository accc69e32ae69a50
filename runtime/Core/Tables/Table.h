//===- Table.h - Piecewise linear functions ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_TABLES_TABLE_H
#define PMRT_CORE_TABLES_TABLE_H

#include "pmrt/pmrt.h"

#include <string>
#include <vector>

namespace pmrt {

/// A pmrt_table with its storage.
class Table : public pmrt_table {
public:
  explicit Table(int64_t rows);
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;

  /// Ends the definition of the rows. There must be two rows, all numbers must
  /// be finite, and x must increase. Returns the mistake, or an empty text.
  std::string finish();

private:
  std::vector<double> xs, ys;
};

} // namespace pmrt

#endif // PMRT_CORE_TABLES_TABLE_H
