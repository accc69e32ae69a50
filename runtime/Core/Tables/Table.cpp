//===- Table.cpp - Piecewise linear functions -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Tables/Table.h"

#include "pmrt/rows.h"

#include <cmath>
#include <fmt/format.h>

using namespace pmrt;

Table::Table(int64_t rows) : xs(size_t(rows)), ys(size_t(rows)) {
  size = rows;
  x = xs.data();
  y = ys.data();
  density = 0;
}

/// Whether every x differs from evenly spaced ones by at most a quarter of the
/// spacing, so that division gives the row of a number or a neighbor of it.
static bool isEven(const pmrt_table &table, double spacing) {
  for (int64_t i = 0; i < table.size; ++i)
    if (std::abs(table.x[i] - (table.x[0] + double(i) * spacing)) > spacing / 4)
      return false;
  return true;
}

std::string Table::finish() {
  if (size < 2)
    return fmt::format("the table has {} row{}, at least 2 are needed", size,
                       size == 1 ? "" : "s");
  for (int64_t i = 0; i < size; ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      return fmt::format("row {} of the table is not finite: x = {}, y = {}", i,
                         x[i], y[i]);
    if (i > 0 && x[i] <= x[i - 1])
      return fmt::format("the table's x does not increase: {} in row {}, {} in "
                         "row {}",
                         x[i - 1], i - 1, x[i], i);
  }
  const double spacing = (x[size - 1] - x[0]) / double(size - 1);
  if (isEven(*this, spacing) && std::isfinite(1 / spacing))
    density = 1 / spacing;
  return "";
}

/// The row of a number in an evenly spaced table, by division. The row of NaN
/// is 0, as in a search.
static int64_t findEven(const pmrt_table &table, double at) {
  const int64_t last = table.size - 2;
  const double place = (at - table.x[0]) * table.density;
  const int64_t i = !(place > 0)           ? 0
                    : place < double(last) ? int64_t(place)
                                           : last;
  if (i > 0 && table.x[i] > at)
    return i - 1;
  return i < last && table.x[i + 1] <= at ? i + 1 : i;
}

/// A search takes ten steps for a thousand rows, without a branch to
/// mispredict. An index over x would be slower.
int64_t pmrt_table_find(const pmrt_table *table, double at) {
  if (table->density > 0)
    return findEven(*table, at);
  const double *base = table->x;
  for (int64_t length = table->size - 1; length > 1;) {
    const int64_t half = length / 2;
    base = base[half] <= at ? base + half : base;
    length -= half;
  }
  return base - table->x;
}

double pmrt_table_lookup(const pmrt_table *table, double at) {
  const int64_t i = pmrt_table_find(table, at);
  const double x0 = table->x[i], x1 = table->x[i + 1];
  const double y0 = table->y[i], y1 = table->y[i + 1];
  return y0 + (y1 - y0) * ((at - x0) / (x1 - x0));
}

double pmrt_table_lookup_derivative(const pmrt_table *table, double at) {
  const int64_t i = pmrt_table_find(table, at);
  return (table->y[i + 1] - table->y[i]) / (table->x[i + 1] - table->x[i]);
}

double pmrt_table_x(const pmrt_table *table, int64_t row) {
  return table->x[row];
}

double pmrt_table_y(const pmrt_table *table, int64_t row) {
  return table->y[row];
}

void pmrt_table_add(pmrt_table *table, int64_t row, double value) {
  table->y[row] += value;
}
