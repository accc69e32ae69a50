//===- TableTest.cpp - Piecewise linear functions -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Tables/Table.h"

#include "pmrt/rows.h"
#include "test/runtime/Support.h"

#include <cmath>

using namespace pmrt;
using namespace pmrt::test;

namespace {

/// The plain definition.
double reference(const Table &t, double at) {
  int64_t i = 0;
  while (i < t.size - 2 && t.x[i + 1] <= at)
    ++i;
  return t.y[i] +
         (t.y[i + 1] - t.y[i]) * ((at - t.x[i]) / (t.x[i + 1] - t.x[i]));
}

void expectLikeReference(Table &table) {
  const double first = table.x[0], last = table.x[table.size - 1];
  std::vector<double> points = {first - (last - first),
                                last + (last - first),
                                first,
                                last,
                                0,
                                -1e300,
                                1e300};
  for (int64_t i = 0; i < table.size; ++i) {
    points.push_back(table.x[i]);
    points.push_back(std::nextafter(table.x[i], -INFINITY));
    points.push_back(std::nextafter(table.x[i], INFINITY));
    if (i)
      points.push_back(0.3 * table.x[i] + 0.7 * table.x[i - 1]);
  }
  for (double x : points)
    EXPECT_EQ(pmrt_table_lookup(&table, x), reference(table, x)) << x;
}

} // namespace

TEST(Table, IsPiecewiseLinear) {
  for (int64_t size : {2, 3, 4, 17, 600}) {
    Table even(size), nearlyEven(size), logarithmic(size), wild(size),
        negative(size);
    for (int64_t i = 0; i < size; ++i) {
      const double t = double(i);
      even.x[i] = 0.1 * t;
      nearlyEven.x[i] = 3 - 1e5 + 1e3 * (t + 0.1 * std::sin(t * t));
      logarithmic.x[i] = 1e-5 * std::pow(1.03, t);
      wild.x[i] = t < double(size) / 2 ? 1e-9 * t : 1e9 * t;
      negative.x[i] = std::sinh(0.1 * (t - double(size) / 2));
      for (Table *table : {&even, &nearlyEven, &logarithmic, &wild, &negative})
        table->y[i] = std::sin(t) + t;
    }
    for (Table *table : {&even, &nearlyEven, &logarithmic, &wild, &negative}) {
      expectLikeReference(*table);
      EXPECT_EQ(table->finish(), "");
      expectLikeReference(*table);
      EXPECT_EQ(pmrt_table_find(table, NAN), 0);
    }
    EXPECT_NEAR(even.density, 10, 1e-9);
    EXPECT_NEAR(nearlyEven.density, 1e-3, 3e-4);
    if (size > 4) {
      EXPECT_EQ(logarithmic.density, 0);
      EXPECT_EQ(wild.density, 0);
    }
  }
}

TEST(Table, ContinuesBeyondItsEnds) {
  auto context = makeContext({});
  pmrt_table *t = pmrt_table_create(context.get(), 0, 3);
  const double x[] = {1, 2, 4}, y[] = {10, 20, 0};
  std::copy_n(x, 3, t->x);
  std::copy_n(y, 3, t->y);
  pmrt_table_check(context.get(), 0, t);
  EXPECT_DOUBLE_EQ(pmrt_table_lookup(t, 0), 0);
  EXPECT_DOUBLE_EQ(pmrt_table_lookup(t, 1.5), 15);
  EXPECT_DOUBLE_EQ(pmrt_table_lookup(t, 5), -10);
  EXPECT_DOUBLE_EQ(pmrt_table_lookup_derivative(t, 0), 10);
  EXPECT_DOUBLE_EQ(pmrt_table_lookup_derivative(t, 3), -10);
  EXPECT_DOUBLE_EQ(pmrt_table_lookup_derivative(t, 9), -10);
  EXPECT_TRUE(std::isnan(pmrt_table_lookup(t, NAN)));
}

TEST(Table, RefusesWhatIsNoFunction) {
  auto context = makeContext({});
  pmrt_context *ctx = context.get();
  EXPECT_CONTAINS(messageOf([&] { pmrt_table_create(ctx, 0, 1); }),
                  "at least 2 rows");
  pmrt_table *t = pmrt_table_create(ctx, 0, 2);
  t->x[0] = 1;
  t->x[1] = 1;
  EXPECT_CONTAINS(messageOf([&] { pmrt_table_check(ctx, 0, t); }),
                  "does not increase");
  t->x[1] = 2;
  t->y[1] = INFINITY;
  EXPECT_CONTAINS(messageOf([&] { pmrt_table_check(ctx, 0, t); }),
                  "row 1 of the table is not finite");
}

TEST(Table, EndsWhenReleased) {
  auto context = makeContext({});
  pmrt_context *ctx = context.get();
  const pmrt_table *const first = pmrt_table_create(ctx, 0, 2);
  const int64_t mark = pmrt_tables_mark(ctx);
  (void)pmrt_table_create(ctx, 0, 3);
  const pmrt_table *const carried = pmrt_table_create(ctx, 0, 4);
  (void)pmrt_table_create(ctx, 0, 5);
  const pmrt_table *const kept[] = {first, carried};
  pmrt_tables_release(ctx, mark, 2, kept);
  ASSERT_EQ(context->tables.size(), 2U);
  EXPECT_EQ(context->tables[0].get(), first);
  EXPECT_EQ(context->tables[1].get(), carried);
  pmrt_tables_release(ctx, mark, 0, nullptr);
  EXPECT_EQ(context->tables.size(), 1U);
}

TEST(Table, HasSumsForItsRows) {
  auto context = makeContext({});
  pmrt_context *ctx = context.get();
  pmrt_table *t = pmrt_table_create(ctx, 0, 3);
  const double x[] = {1, 2, 4}, y[] = {10, 20, 0};
  std::copy_n(x, 3, t->x);
  std::copy_n(y, 3, t->y);
  EXPECT_EQ(pmrt_table_find(t, -5), 0);
  EXPECT_EQ(pmrt_table_find(t, 1.999), 0);
  EXPECT_EQ(pmrt_table_find(t, 2), 1);
  EXPECT_EQ(pmrt_table_find(t, 9), 1);
  EXPECT_EQ(pmrt_table_x(t, 2), 4);
  EXPECT_EQ(pmrt_table_y(t, 1), 20);
  pmrt_table *sums = pmrt_table_zeros(ctx, 0, t);
  pmrt_table_add(sums, 1, 0.5);
  pmrt_table_add(sums, 1, 0.25);
  pmrt_table_check(ctx, 0, sums);
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sums->x[i], x[i]);
    EXPECT_EQ(sums->y[i], i == 1 ? 0.75 : 0);
    EXPECT_EQ(t->y[i], y[i]);
  }
}
