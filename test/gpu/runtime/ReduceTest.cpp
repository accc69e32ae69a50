//===- ReduceTest.cpp - Finishing reductions on a GPU ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Reduce.h"
#include "runtime/Core/WhiteNoise.h"
#include "test/gpu/runtime/OnDevice.h"

#include <cmath>
#include <limits>

using namespace pmrt;
using namespace pmrt::test;

using DeviceReduce = OnDevice;

static std::vector<double> rows(int64_t blocks, int64_t width) {
  std::vector<double> data(static_cast<size_t>(blocks * width));
  fillNormal(9, 0, int64_t(data.size()), data.data());
  return data;
}

TEST_F(DeviceReduce, BlocksDependOnTheWorkAlone) {
  EXPECT_EQ(pmrt_reduction_blocks(0, 1), 0);
  EXPECT_EQ(pmrt_reduction_blocks(1, 1), 1);
  EXPECT_EQ(pmrt_reduction_blocks(int64_t(1) << 40, 1), 1024);
  EXPECT_EQ(pmrt_reduction_blocks(int64_t(1) << 40, int64_t(1) << 30), 1);
}

TEST_F(DeviceReduce, PartialResultsBeginNeutral) {
  auto context = makeContext({4});
  attach(*context);
  for (pmrt_reduction kind : {PMRT_SUM, PMRT_MIN, PMRT_MAX}) {
    double *partials = pmrt_partials(context.get(), nullptr, 0, kind, 100, 3);
    std::vector<double> got(300);
    context->device->download(got.data(), partials, 2400);
    EXPECT_EQ(got, std::vector<double>(300, neutral(kind)));
  }
}

TEST_F(DeviceReduce, ScalarsAreTheSameEveryTime) {
  auto context = makeContext({4});
  attach(*context);
  for (int64_t blocks : {1, 64, 65, 1000, 4097, 300000})
    for (int64_t width : {1, 3})
      for (pmrt_reduction kind : {PMRT_SUM, PMRT_MIN, PMRT_MAX}) {
        const std::vector<double> data = rows(blocks, width);
        const OnGpu<double> there(*context, data);
        std::vector<double> got(static_cast<size_t>(width)), again(got),
            want(got.size(), neutral(kind));
        for (int64_t b = 0; b < blocks; ++b)
          for (int64_t i = 0; i < width; ++i)
            want[size_t(i)] =
                combine(kind, want[size_t(i)], data[size_t(b * width + i)]);
        pmrt_reduce_scalars(context.get(), nullptr, 0, "sum", kind, blocks,
                            width, there.data(), got.data());
        pmrt_reduce_scalars(context.get(), nullptr, 0, "sum", kind, blocks,
                            width, there.data(), again.data());
        EXPECT_EQ(got, again);
        for (size_t i = 0; i < want.size(); ++i)
          EXPECT_NEAR(got[i], want[i], kind == PMRT_SUM ? 1e-10 : 0)
              << blocks << " blocks, kind " << kind;
      }
  double none = 1;
  pmrt_reduce_scalars(context.get(), nullptr, 0, "min", PMRT_MIN, 0, 1, nullptr,
                      &none);
  EXPECT_EQ(none, std::numeric_limits<double>::infinity());
}

TEST_F(DeviceReduce, NanBeatsEverything) {
  auto context = makeContext({4});
  attach(*context);
  std::vector<double> data = rows(70, 1);
  data[41] = std::numeric_limits<double>::quiet_NaN();
  const OnGpu<double> there(*context, data);
  for (pmrt_reduction kind : {PMRT_SUM, PMRT_MIN, PMRT_MAX}) {
    double got = 0;
    pmrt_reduce_scalars(context.get(), nullptr, 0, "all", kind, 70, 1,
                        there.data(), &got);
    EXPECT_TRUE(std::isnan(got)) << kind;
  }
}

TEST_F(DeviceReduce, FieldsAreRoundedToTheirElements) {
  auto context = makeContext({5, 2});
  attach(*context);
  std::vector<double> data(40 * 20, 0.25); // 40 blocks, 2 parts of 10 cells
  for (size_t i = 0; i < data.size(); ++i)
    data[i] += double(i % 20);
  const OnGpu<double> there(*context, data);
  const OnGpu<float> a(*context, std::vector<float>(10));
  const OnGpu<int64_t> b(*context, std::vector<int64_t>(10));
  const pmrt_array first = onGpu(a.data(), PMRT_F32, {0, 1});
  const pmrt_array second = onGpu(b.data(), PMRT_I64, {0, 1});
  const pmrt_array *outs[] = {&first, &second};
  pmrt_finish_fields(context.get(), nullptr, 0, "bins", PMRT_SUM, 40,
                     there.data(), 2, outs);
  for (int64_t i = 0; i < 10; ++i) {
    EXPECT_EQ(a.get()[size_t(i)], 40 * (float(i) + 0.25F));
    EXPECT_EQ(b.get()[size_t(i)], 40 * (i + 10) + 10);
  }
}

TEST_F(DeviceReduce, FindsTheFirstValueThatIsNotFinite) {
  auto context = makeContext({4});
  attach(*context);
  std::vector<float> data(100000, 1);
  auto find = [&](pmrt_element element, int64_t count) {
    const OnGpu<float> there(*context, data);
    return context->device->firstNonFinite(element, there.data(), count);
  };
  EXPECT_EQ(find(PMRT_F32, 100000), -1);
  data[77777] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(find(PMRT_F32, 100000), 77777);
  data[501] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(find(PMRT_F32, 100000), 501);
  EXPECT_EQ(find(PMRT_C64, 50000), 250);
  EXPECT_EQ(find(PMRT_F32, 500), -1);
  EXPECT_EQ(find(PMRT_I64, 50000), -1); // any bits are a whole number
}

TEST_F(DeviceReduce, TablesAreCopiedOnce) {
  auto context = makeContext({4});
  attach(*context);
  pmrt_table *table = pmrt_table_create(context.get(), 0, 3);
  for (int i = 0; i < 3; ++i) {
    table->x[i] = i;
    table->y[i] = 10 * i;
  }
  pmrt_table_check(context.get(), 0, table);
  pmrt_table there = {}, again = {};
  pmrt_table_device(context.get(), nullptr, 0, table, &there);
  pmrt_table_device(context.get(), nullptr, 0, table, &again);
  EXPECT_EQ(there.x, again.x);
  EXPECT_EQ(there.size, 3);
  std::vector<double> x(3), y(3);
  context->device->download(x.data(), there.x, 24);
  context->device->download(y.data(), there.y, 24);
  EXPECT_EQ(x, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(y, (std::vector<double>{0, 10, 20}));

  // Another table may get the address of one that has ended.
  pmrt_table *const address = table;
  for (int i = 0; i < 100; ++i) {
    pmrt_tables_release(context.get(), 0, 0, nullptr);
    table = pmrt_table_create(context.get(), 0, 3);
    for (int row = 0; row < 3; ++row) {
      table->x[row] = row;
      table->y[row] = i;
    }
    pmrt_table_device(context.get(), nullptr, 0, table, &there);
    context->device->download(y.data(), there.y, 24);
    EXPECT_EQ(y, std::vector<double>(3, i));
    if (table == address)
      break;
  }
}
