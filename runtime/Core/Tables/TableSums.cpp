//===- TableSums.cpp - Sums for the rows of tables ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pmrt/rows.h"
#include "runtime/Core/Context.h"

#include <algorithm>

using namespace pmrt;

pmrt_table *pmrt_table_zeros(pmrt_context *ctx, pmrt_loc loc,
                             const pmrt_table *table) {
  pmrt_table *made = pmrt_table_create(ctx, loc, table->size);
  std::copy_n(table->x, table->size, made->x);
  return made;
}

void pmrt_table_add_rows(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                         pmrt_table *table, int64_t from,
                         const pmrt_array *values) {
  ctx->current = loc;
  const int64_t count =
      std::clamp<int64_t>(table->size - from, 0, ctx->elements(loc, *values));
  std::vector<char> copy;
  const auto *added = static_cast<const double *>(
      ctx->device->read(values->data, count * int64_t(sizeof(double)), copy));
  for (int64_t j = 0; j < count; ++j)
    table->y[from + j] += added[j];
}
