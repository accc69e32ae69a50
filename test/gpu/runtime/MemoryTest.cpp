//===- MemoryTest.cpp - Memory, errors and time of a GPU ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Op.h"
#include "test/gpu/runtime/OnDevice.h"

#include <cstdlib>
#include <numeric>

using namespace pmrt;
using namespace pmrt::test;

using DeviceMemory = OnDevice;

TEST_F(DeviceMemory, CopiesOfAnySizeArrive) {
  auto context = makeContext({4});
  attach(*context);
  // Around the size of the staging memory, and several times it.
  for (int64_t count : {int64_t(1), int64_t(1000), int64_t(2) << 20,
                        (int64_t(2) << 20) + 1, int64_t(7) << 20}) {
    std::vector<float> data(static_cast<size_t>(count));
    std::iota(data.begin(), data.end(), 1.0F);
    const OnGpu<float> there(*context, data);
    const OnGpu<float> other(*context, std::vector<float>(data.size()));
    context->device->copy(other.data(), there.data(), count * 4);
    EXPECT_EQ(other.get(), data) << count;
    context->device->zero(there.data(), count * 4);
    EXPECT_EQ(there.get(), std::vector<float>(data.size())) << count;
  }
}

TEST_F(DeviceMemory, BuffersOfThePlanAreZeroAndOnTheDevice) {
  Descriptor program;
  program.buffers = {{PMRT_F32, {0, 1}, 0, 2, "a"}, {PMRT_F64, {0}, 1, 3, "b"}};
  auto context = makeContext({6, 5}, 1, {}, program);
  attach(*context);
  const pmrt_array a = onGpu(pmrt_buffer(context.get(), 0), PMRT_F32, {0, 1});
  std::vector<float> data(30, 1);
  context->device->download(data.data(), a.data, 120);
  EXPECT_EQ(data, std::vector<float>(30, 0));
  std::iota(data.begin(), data.end(), 0.5F);
  const OnGpu<float> source(*context, data);
  const pmrt_array from = onGpu(source.data(), PMRT_F32, {0, 1});
  pmrt_copy(context.get(), nullptr, 0, &from, &a);
  std::vector<float> got(30);
  context->device->download(got.data(), a.data, 120);
  EXPECT_EQ(got, data);
  pmrt_zero(context.get(), nullptr, 0, &a);
  context->device->download(got.data(), a.data, 120);
  EXPECT_EQ(got, std::vector<float>(30, 0));
}

TEST_F(DeviceMemory, CheckpointStoresKeepStates) {
  auto context = makeContext({1000});
  attach(*context);
  std::vector<float> first(1000), second(1000);
  std::iota(first.begin(), first.end(), 0.5F);
  std::iota(second.begin(), second.end(), 7.5F);
  const OnGpu<float> there(*context, first), other(*context, second);
  const pmrt_array field = onGpu(there.data(), PMRT_F32, {0});
  const pmrt_array source = onGpu(other.data(), PMRT_F32, {0});
  const pmrt_array *fields[] = {&field};
  pmrt_checkpoint_store *store =
      pmrt_checkpoint_store_create(context.get(), nullptr, 0, 2, 1, 1, fields);
  int64_t number = 11;
  pmrt_checkpoint_store_save(context.get(), nullptr, 0, store, 1, &number,
                             fields);
  pmrt_copy(context.get(), nullptr, 0, &source, &field);
  number = 12;
  pmrt_checkpoint_store_save(context.get(), nullptr, 0, store, 0, &number,
                             fields);
  pmrt_checkpoint_store_restore(context.get(), nullptr, 0, store, 1, &number,
                                fields);
  EXPECT_EQ(number, 11);
  EXPECT_EQ(there.get(), first);
  pmrt_checkpoint_store_restore(context.get(), nullptr, 0, store, 0, &number,
                                fields);
  EXPECT_EQ(number, 12);
  EXPECT_EQ(there.get(), second);
  pmrt_checkpoint_store_free(context.get(), 0, store);
}

TEST_F(DeviceMemory, HostArraysAreRefused) {
  auto context = makeContext({4});
  attach(*context);
  std::vector<float> host(4);
  const pmrt_array a = array(host, PMRT_F32, 0, 1);
  const std::string text =
      messageOf([&] { pmrt_zero(context.get(), nullptr, 0, &a); });
  EXPECT_CONTAINS(
      text,
      "an array in host memory in a program whose fields are in device memory");
}

TEST_F(DeviceMemory, TooMuchIsRefusedWithNumbers) {
  Descriptor program;
  program.buffers = {{PMRT_F64, {0, 1}, 0, 2, "a"}};
  auto context =
      makeContext({int64_t(1) << 20, int64_t(1) << 20}, 1, {}, program);
  attach(*context);
  const std::string text = messageOf([&] { (void)context->placement(); });
  EXPECT_CONTAINS(text, "need 8.0 TiB of memory");
  EXPECT_CONTAINS(text, context->device->facts().name + " has free");
}

TEST_F(DeviceMemory, WhatThePlanDoesNotKnowFailsWithNumbers) {
  auto context = makeContext({4});
  attach(*context);
  context->current = 1;
  try {
    (void)context->device->pages(int64_t(1) << 43);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &e) {
    EXPECT_EQ(e.location(), "l.pm:2:2");
    EXPECT_CONTAINS(e.what(),
                    "out of memory on " + context->device->facts().name);
    EXPECT_CONTAINS(e.what(), "8.0 TiB are needed");
    EXPECT_CONTAINS(e.what(), "are free");
  }
}

TEST_F(DeviceMemory, WorkspacesCountInTheLimit) {
  Settings settings;
  settings.memoryLimit = 1 << 20;
  auto context = makeContext({4}, 1, settings);
  cuda::CudaDevice &device = attach(*context);
  const int64_t before = device.allocatedBytes();
  (void)device.scratch(600000);
  EXPECT_EQ(device.allocatedBytes(), before + 600000);
  EXPECT_EQ(context->workspaceBytes(), before + 600000);
  // A workspace that grows takes the place of the smaller one.
  (void)device.scratch(700000);
  EXPECT_EQ(device.allocatedBytes(), before + 700000);
  EXPECT_EQ(device.mostAllocatedBytes(), before + 700000);
  EXPECT_CONTAINS(messageOf([&] { (void)device.pages(400000); }),
                  "the limit is the 1.0 MiB of --memory-limit");
  EXPECT_CONTAINS(
      messageOf([&] { (void)context->borrow(-1, 400000, "a halo"); }),
      "a halo needs 390.6 KiB of memory a rank, 1.0 MiB with the fields");
  context->giveBack(context->borrow(-1, 200000, "a halo"));
  EXPECT_EQ(context->workspaceBytes(), before + 700000);
}

TEST_F(DeviceMemory, TheHostCannotReachIt) {
  auto context = makeContext({4});
  attach(*context);
  if (!isFake(*context))
    GTEST_SKIP() << "a check of the fake driver";
  const OnGpu<float> there(*context, {1, 2, 3});
  EXPECT_EQ(there.get()[1], 2);
  EXPECT_DEATH(std::exit(int(there.data()[1])), "");
}

TEST_F(DeviceMemory, AKernelThatFindsFaultIsToldAtItsLine) {
  auto context = makeContext({4});
  attach(*context);
  uint64_t *word = pmrt_fault_word(context.get());
  *word = (uint64_t(PMRT_FAULT_POSITION) << 32) | 1;
  try {
    const Op op(*context, 0, "next");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &e) {
    EXPECT_EQ(e.location(), "l.pm:2:2");
    EXPECT_STREQ(e.what(), "position is not finite, or too large [PM9103]");
  }
  {
    const Op op(*context, 0, "next");
  } // told once
}

TEST_F(DeviceMemory, TimesAreExactAfterADay) {
  auto context = makeContext({4});
  cuda::CudaDevice &device = attach(*context);
  if (!isFake(*context))
    GTEST_SKIP() << "a check of the fake driver";
  setenv("FAKECUDA_HOURS", "24", 1);
  DeviceClock &clock = *device.clock();
  std::vector<int64_t> marks;
  for (int i = 0; i < 40; ++i) {
    marks.push_back(clock.mark());
    device.wait();
    usleep(300);
  }
  int64_t before = clock.nanoseconds(marks[1]), different = 0;
  for (size_t i = 2; i < marks.size(); ++i) {
    const int64_t now = clock.nanoseconds(marks[i]);
    EXPECT_GE(now - before, 300000);
    // A f32 of milliseconds since yesterday knows multiples of 8 ms.
    different += (now - before) % 1000000 != 0;
    before = now;
  }
  EXPECT_GT(different, 30);
  unsetenv("FAKECUDA_HOURS");
}

TEST_F(DeviceMemory, TheEndOfAQueueMayOutliveItsDevice) {
  std::shared_ptr<void> queued;
  {
    auto context = makeContext({4});
    queued = attach(*context).queued();
  }
  queued.reset(); // the fake driver ends the process if the context is gone
}

TEST_F(DeviceMemory, TheProfileHasTheTimesOfTheDevice) {
  Settings settings;
  settings.profile = "unused";
  auto context = makeContext({1 << 20}, 1, settings);
  attach(*context);
  const OnGpu<float> a(*context, std::vector<float>(1 << 20));
  const OnGpu<float> b(*context, std::vector<float>(1 << 20));
  const pmrt_array from = onGpu(a.data(), PMRT_F32, {0});
  const pmrt_array to = onGpu(b.data(), PMRT_F32, {0});
  for (int i = 0; i < 3; ++i) {
    const Op around(*context, 1, "around");
    pmrt_copy(context.get(), nullptr, 0, &from, &to);
    pmrt_zero(context.get(), nullptr, 0, &to);
  }
  double all = 0;
  int64_t calls = 0;
  for (const Profile::Row &row : context->profile.rows()) {
    EXPECT_GE(row.seconds, 0) << row.name;
    if (row.name != "around") {
      EXPECT_GT(row.seconds, 0) << row.name;
      EXPECT_EQ(row.calls, 3) << row.name;
    }
    all += row.seconds;
    calls += row.calls;
  }
  EXPECT_EQ(calls, 9);
  EXPECT_LT(all, 10);
  context->profile.follow(nullptr);
}
