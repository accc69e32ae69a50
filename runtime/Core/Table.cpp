//===- Table.cpp - Piecewise linear functions -----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

using namespace pmrt;

Table::Table(int64_t rows) : xs(size_t(rows)), ys(size_t(rows)) {
  size = rows;
  x = xs.data();
  y = ys.data();
}

std::string Table::problem() const {
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
  return "";
}

int64_t Table::bucket(double at) const {
  const int64_t b = byBits ? (std::bit_cast<int64_t>(at) - origin) >> shift
                           : int64_t((at - left) * scale);
  return std::clamp<int64_t>(b, 0, int64_t(first.size()) - 2);
}

void Table::buildIndex() {
  if (size < 3)
    return;
  const int64_t buckets = 4 * size;
  auto fill = [&] {
    first.assign(size_t(buckets) + 1, 0);
    // counts[b]: nodes in buckets below b; nodes in front of a bucket give the
    // interval that its left end lies in.
    std::vector<int32_t> counts(size_t(buckets) + 1, 0);
    for (int64_t i = 0; i < size; ++i)
      ++counts[size_t(bucket(x[i])) + 1];
    int64_t most = 0;
    for (int64_t b = 0; b < buckets; ++b) {
      most = std::max<int64_t>(most, counts[size_t(b) + 1]);
      counts[size_t(b) + 1] += counts[size_t(b)];
    }
    for (int64_t b = 0; b <= buckets; ++b)
      first[size_t(b)] =
          int32_t(std::clamp<int64_t>(counts[size_t(b)] - 1, 0, size - 2));
    return most;
  };

  first.assign(size_t(buckets) + 1, 0); // bucket() needs its length
  left = x[0];
  byBits = false;
  scale = double(buckets) / (x[size - 1] - x[0]);
  int64_t most = std::isfinite(scale) ? fill() : size;
  if (most > 2 && x[0] > 0) {
    auto linear = first;
    byBits = true;
    origin = std::bit_cast<int64_t>(x[0]);
    const int64_t range = std::bit_cast<int64_t>(x[size - 1]) - origin;
    shift = 0;
    while ((range >> shift) >= buckets)
      ++shift;
    if (fill() >= most) {
      byBits = false;
      first = std::move(linear);
    }
  }
  if (!byBits && !std::isfinite(scale))
    first.clear();
}

int64_t Table::interval(double at) const {
  int64_t low = 0, high = size - 2;
  if (!first.empty()) {
    if (!(at > x[0])) // or not a number
      return 0;
    if (at >= x[size - 1])
      return size - 2;
    const auto b = size_t(bucket(at));
    low = first[b];
    // Rounding in bucket() may be off by one cell at its ends.
    high = std::min<int64_t>(first[b + 1] + 1, size - 2);
    low = std::max<int64_t>(low - 1, 0);
  }
  // The last i in [low, high] with x[i] <= at; without branches to mispredict.
  const double *base = x + low;
  int64_t length = high - low + 1;
  while (length > 1) {
    const int64_t half = length / 2;
    base = base[half] <= at ? base + half : base;
    length -= half;
  }
  return base - x;
}

double pmrt_table_lookup(const pmrt_table *table, double at) {
  const int64_t i = static_cast<const Table *>(table)->interval(at);
  const double x0 = table->x[i], x1 = table->x[i + 1];
  const double y0 = table->y[i], y1 = table->y[i + 1];
  return y0 + (y1 - y0) * ((at - x0) / (x1 - x0));
}

double pmrt_table_lookup_derivative(const pmrt_table *table, double at) {
  const int64_t i = static_cast<const Table *>(table)->interval(at);
  return (table->y[i + 1] - table->y[i]) / (table->x[i + 1] - table->x[i]);
}
