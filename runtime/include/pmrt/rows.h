//===- rows.h - Rows of tables, and sums for them ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For derivatives with respect to tables: the cotangent of a table is a table
// over the same x, to whose y the readers of the table add. Rows are not
// checked: callers know that the table has them.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_ROWS_H
#define PMRT_ROWS_H

#include "pmrt/pmrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The row at the left of the piece that holds x, or of the first or last piece
/// beyond the ends: 0 <= row <= size - 2.
int64_t pmrt_table_find(const pmrt_table *table, double x);
double pmrt_table_x(const pmrt_table *table, int64_t row);
double pmrt_table_y(const pmrt_table *table, int64_t row);

/// A table over the same x with y = 0, to be added to and then checked.
pmrt_table *pmrt_table_zeros(pmrt_context *ctx, pmrt_loc loc,
                             const pmrt_table *table);
/// y[row] += value.
void pmrt_table_add(pmrt_table *table, int64_t row, double value);
/// y[from + j] += values[j], but for what lies beyond the last row. `values`
/// are f64, and the same on all ranks.
void pmrt_table_add_rows(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                         pmrt_table *table, int64_t from,
                         const pmrt_array *values);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // PMRT_ROWS_H
