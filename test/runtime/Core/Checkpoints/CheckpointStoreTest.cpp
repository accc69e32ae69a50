//===- CheckpointStoreTest.cpp - States of loops that are reversed --------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Checkpoints/CheckpointStore.h"
#include "test/runtime/Ranks.h"

#include <cstring>

using namespace pmrt;
using namespace pmrt::test;

namespace {

/// A field over dim 0, on every rank its part.
pmrt_array lineOf(void *data, pmrt_element element) {
  pmrt_array array{data, element, PMRT_HOST, 1, {}};
  array.dims[0] = 0;
  return array;
}

Descriptor lineProgram(int64_t extent) {
  Descriptor program;
  program.name = "line";
  program.locations = {"l.pm:1:1"};
  Dim dim;
  dim.name = "x";
  dim.extent = extent;
  dim.axes = {"row"};
  program.dims = {dim};
  return program;
}

} // namespace

TEST(CheckpointStore, StatesComeBack) {
  for (const Extents &mesh : std::vector<Extents>{{1}, {3}})
    onRanks(mesh, lineProgram(20001), {}, [&](pmrt_context &ctx) {
      const auto cells = size_t(pmrt_local_extent(&ctx, 0));
      std::vector<float> f(cells);
      std::vector<double> g(cells);
      pmrt_array first = lineOf(f.data(), PMRT_F32),
                 second = lineOf(g.data(), PMRT_F64);
      const pmrt_array *fields[] = {&first, &second};
      pmrt_checkpoint_store *store =
          pmrt_checkpoint_store_create(&ctx, nullptr, 0, 3, 2, 2, fields);
      const double rank = ctx.mesh.rank();
      auto value = [&](int64_t slot, size_t i) {
        return double(slot) * 1e5 + double(i) + 0.25 * rank;
      };
      for (int64_t slot : {2, 0, 1}) {
        for (size_t i = 0; i < cells; ++i) {
          f[i] = float(value(slot, i));
          g[i] = -value(slot, i);
        }
        const int64_t numbers[] = {slot, -slot};
        pmrt_checkpoint_store_save(&ctx, nullptr, 0, store, slot, numbers,
                                   fields);
      }
      for (int64_t slot : {1, 2, 0, 1}) {
        int64_t numbers[2] = {};
        pmrt_checkpoint_store_restore(&ctx, nullptr, 0, store, slot, numbers,
                                      fields);
        EXPECT_EQ(numbers[0], slot);
        EXPECT_EQ(numbers[1], -slot);
        for (size_t i = 0; i < cells; ++i) {
          ASSERT_EQ(f[i], float(value(slot, i)));
          ASSERT_EQ(g[i], -value(slot, i));
        }
      }
      pmrt_checkpoint_store_free(&ctx, 0, store);
    });
}

TEST(CheckpointStore, SlotsAreChecked) {
  auto context = makeContext({4});
  std::vector<double> data(4);
  pmrt_array array = lineOf(data.data(), PMRT_F64);
  const pmrt_array *fields[] = {&array};
  pmrt_checkpoint_store *store =
      pmrt_checkpoint_store_create(context.get(), nullptr, 0, 2, 0, 1, fields);
  auto save = [&](int64_t slot) {
    pmrt_checkpoint_store_save(context.get(), nullptr, 0, store, slot, nullptr,
                               fields);
  };
  auto restore = [&](int64_t slot) {
    pmrt_checkpoint_store_restore(context.get(), nullptr, 0, store, slot,
                                  nullptr, fields);
  };
  EXPECT_CONTAINS(messageOf([&] { save(2); }),
                  "slot 2 is out of range for a checkpoint store of 2 states");
  EXPECT_CONTAINS(messageOf([&] { save(-1); }),
                  "slot -1 is out of range for a checkpoint store");
  save(0);
  EXPECT_CONTAINS(
      messageOf([&] { restore(1); }),
      "nothing was saved in slot 1 of a checkpoint store of 2 states");
  EXPECT_CONTAINS(messageOf([&] {
                    pmrt_checkpoint_store_create(context.get(), nullptr, 0, -1,
                                                 0, 1, fields);
                  }),
                  "a checkpoint store of -1 states, expected 0 or more");
}

TEST(CheckpointStore, EmptyOnesAreFine) {
  auto context = makeContext({4});
  pmrt_checkpoint_store *store =
      pmrt_checkpoint_store_create(context.get(), nullptr, 0, 0, 3, 0, nullptr);
  pmrt_checkpoint_store_free(context.get(), 0, store);
  EXPECT_EQ(context->borrowedBytes(), 0);
}

TEST(CheckpointStore, MemoryIsLimitedAndCounted) {
  Settings settings;
  settings.memoryLimit = 1 << 20;
  const std::string text = messageOf([&] {
    onRanks({2}, lineProgram(1 << 14), settings, [&](pmrt_context &ctx) {
      pmrt_array shape = lineOf(nullptr, PMRT_F64); // 64 KiB a rank
      const pmrt_array *fields[] = {&shape};
      for (int i = 0; i < 3; ++i) { // the same memory every time
        pmrt_checkpoint_store *store =
            pmrt_checkpoint_store_create(&ctx, nullptr, 0, 15, 0, 1, fields);
        EXPECT_EQ(ctx.borrowedBytes(), 15 << 16);
        pmrt_checkpoint_store_free(&ctx, 0, store);
      }
      pmrt_checkpoint_store_create(&ctx, nullptr, 0, 17, 0, 1, fields);
    });
  });
  EXPECT_CONTAINS(
      text, "a checkpoint store of 17 states of 64.0 KiB each needs 1.1 MiB of "
            "memory a rank");
  EXPECT_CONTAINS(text, "1.0 MiB of --memory-limit");
}

TEST(CheckpointStore, IsKnownBeforeTheRun) {
  auto plan = [](const std::string &slots, int64_t limit,
                 const std::string &key = "checkpoint_stores") {
    Descriptor program = Descriptor::parse(
        R"({"name": "p", "locations": ["l.pm:7:1"],
            "dims": [{"name": "x", "extent": 1024}],
            "params": [{"name": "steps", "type": "int", "default": 10}],
            ")" +
        key + R"(": [{"fields": [{"element": "f32", "dims": [0]}],
                       "numbers": 1, "location": 0)" +
        slots + "}]}");
    Settings settings;
    settings.memoryLimit = limit;
    LaunchValue ten;
    ten.value.bits = 10;
    pmrt_context context(program, settings, {ten}, {}, {});
    checkCheckpointStores(context);
    return planCheckpointStores(context).front();
  };
  const CheckpointStorePlan known =
      plan(R"(, "slots": {"min": [{"param": 0}, {"sub": [8, 1]}]})", 1 << 20);
  EXPECT_EQ(known.slots, 7);
  EXPECT_EQ(known.stateBytes, 4096);
  EXPECT_FALSE(plan("", 1 << 20).slots);
  EXPECT_EQ(plan(R"(, "slots": 3)", 1 << 20, "tapes").slots, 3); // as before
  EXPECT_FALSE(plan(R"(, "slots": {"div": [1, 0]})", 1 << 20).slots);
  EXPECT_CONTAINS(messageOf([&] { plan(R"(, "slots": {"param": 0})", 40000); }),
                  "a checkpoint store of 10 states of 4.0 KiB each needs 40.0 "
                  "KiB of memory");
}
