//===- RanksTest.cpp - Messages between ranks that share a GPU ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/Nccl.h"
#include "test/gpu/runtime/OnDevice.h"

#include <complex>
#include <cstdlib>
#include <dlfcn.h>
#include <numeric>

using namespace pmrt;
using namespace pmrt::test;

namespace {

/// Ranks that share a GPU, or have one each and NCCL.
class DeviceRanks : public OnDevice, public testing::WithParamInterface<bool> {
protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped() || !GetParam())
      return;
    setenv("FAKECUDA_DEVICES", "8", 1);
    auto context = makeContext({4});
    attach(*context);
    if (!isFake(*context))
      GTEST_SKIP() << "NCCL needs several GPUs";
  }
  void TearDown() override { unsetenv("FAKECUDA_DEVICES"); }
};

std::shared_ptr<Transport> wires(bool nccl,
                                 const std::shared_ptr<Transport> &host) {
  return nccl ? cuda::makeNcclTransport(host) : host;
}

/// onRanks with one of the transports.
template <typename Body>
void onRanksBy(bool nccl, const Extents &mesh, const Descriptor &program,
               const Body &body) {
  onRanks(mesh, program, {}, body,
          [nccl](const auto &host) { return wires(nccl, host); });
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Transports, DeviceRanks, testing::Bool(),
                         [](const auto &info) {
                           return info.param ? "nccl" : "threads";
                         });

template <typename T> static std::vector<T> numbers(const Extents &shape) {
  std::vector<T> all(static_cast<size_t>(std::accumulate(
      shape.begin(), shape.end(), int64_t(1), std::multiplies<>())));
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = T(float(i % 100));
  return all;
}

template <typename T>
static void reshards(bool nccl, const Extents &mesh, const Extents &shape,
                     pmrt_element element) {
  Dims dims;
  std::vector<std::vector<int32_t>> cuts;
  for (const auto &cut : layouts(shape.size())) {
    std::vector<int32_t> indices;
    for (size_t d = 0; d < shape.size(); ++d)
      indices.push_back(dims.dim(shape[d], cut[d]));
    cuts.push_back(indices);
  }
  const std::vector<T> whole = numbers<T>(shape);
  onRanksBy(nccl, mesh, dims.program, [&](pmrt_context &ctx) {
    attach(ctx);
    for (const auto &from : cuts)
      for (const auto &to : cuts) {
        pmrt_array in = onGpu(nullptr, element, from);
        pmrt_array out = onGpu(nullptr, element, to);
        const OnGpu<T> source(ctx, part(ctx, whole, in));
        const std::vector<T> want = part(ctx, whole, out);
        const OnGpu<T> target(ctx, std::vector<T>(want.size()));
        in.data = source.data();
        out.data = target.data();
        pmrt_reshard(&ctx, nullptr, 0, &in, &out);
        ASSERT_EQ(target.get(), want) << fmt::format(
            "rank {} of mesh {}: dims {} to {}", ctx.mesh.rank(),
            fmt::join(mesh, "x"), fmt::join(from, ","), fmt::join(to, ","));
        pmrt_zero(&ctx, nullptr, 0, &out);
        pmrt_wait(&ctx, nullptr, 0,
                  pmrt_reshard_start(&ctx, nullptr, 0, &in, &out));
        ASSERT_EQ(target.get(), want);
      }
  });
}

/// A message of 64 numbers from rank 0 to rank 1, which has not waited for it.
static std::unique_ptr<Exchange> startMessage(pmrt_context &ctx,
                                              const OnGpu<float> &memory) {
  Messages messages;
  messages.device = ctx.device.get();
  const int rank = ctx.transport->rank();
  (rank == 0 ? messages.sends : messages.receives)
      .push_back({1 - rank, Region::flat(memory.data(), 64 * sizeof(float))});
  return ctx.transport->start(ctx.threads, nullptr, std::move(messages));
}

/// Frees memory while a kernel of NCCL on another GPU waits for this rank.
static void freeWhileAnotherRankWaits() {
  Dims dims;
  (void)dims.dim(8, {"row"});
  onRanksBy(true, {2, 1}, dims.program, [&](pmrt_context &ctx) {
    attach(ctx);
    const OnGpu<float> memory(
        ctx, std::vector<float>(64, ctx.transport->rank() == 0 ? 5 : 0));
    ctx.device->wait();
    ctx.world.barrier();
    std::unique_ptr<Exchange> exchange;
    if (ctx.transport->rank() == 1) {
      exchange = startMessage(ctx, memory);
      exchange->wait(); // queues what follows the message
    }
    ctx.world.barrier();
    if (ctx.transport->rank() == 0) {
      // cuMemFree would wait for the GPU of rank 1, which waits for rank 0.
      const auto start = Clock::now();
      for (const int64_t bytes : {1 << 20, 1 << 19, 1 << 21})
        const Pages pages = ctx.device->pages(bytes);
      EXPECT_LT(secondsSince(start), 5);
      exchange = startMessage(ctx, memory);
      exchange->wait();
    }
    EXPECT_EQ(memory.get(), std::vector<float>(64, 5));
    ctx.world.barrier();
  });
}

TEST_P(DeviceRanks, MemoryIsFreedWhileAnotherRankWaitsForThisOne) {
  if (!GetParam())
    GTEST_SKIP() << "only NCCL's kernels wait for other ranks";
  freeWhileAnotherRankWaits();
  // Without memory pools, the memory is kept until the end.
  setenv("FAKECUDA_POOLS", "0", 1);
  freeWhileAnotherRankWaits();
  unsetenv("FAKECUDA_POOLS");
}

TEST_P(DeviceRanks, KeptMemoryIsUsedAgain) {
  if (!GetParam())
    GTEST_SKIP() << "only runs with NCCL keep memory";
  setenv("FAKECUDA_POOLS", "0", 1);
  Dims dims;
  (void)dims.dim(8, {"row"});
  onRanksBy(true, {2, 1}, dims.program, [&](pmrt_context &ctx) {
    attach(ctx);
    const int64_t before = ctx.device->allocatedBytes();
    for (int i = 0; i < 3; ++i)
      for (const int64_t bytes : {1 << 20, 1 << 18}) {
        const Pages pages = ctx.device->pages(bytes);
        std::vector<char> data(size_t(bytes), 1);
        ctx.device->download(data.data(), pages.data(), bytes);
        EXPECT_EQ(data, std::vector<char>(size_t(bytes), 0));
        ctx.device->upload(pages.data(), std::vector<char>(bytes, 1).data(),
                           bytes);
      }
    EXPECT_EQ(ctx.device->allocatedBytes() - before, 1 << 20);
    ctx.world.barrier();
  });
  unsetenv("FAKECUDA_POOLS");
}

TEST_P(DeviceRanks, AGroupThatFailsIsEnded) {
  if (!GetParam())
    GTEST_SKIP() << "a check of NCCL";
  Dims dims;
  (void)dims.dim(8, {"row"});
  setenv("FAKENCCL_REFUSE", "1", 1);
  void *library = dlopen("libnccl.so.2", RTLD_NOW);
  ASSERT_TRUE(library);
  auto *open =
      reinterpret_cast<int (*)()>(dlsym(library, "fakenccl_open_groups"));
  ASSERT_TRUE(open);
  onRanksBy(true, {2, 1}, dims.program, [&](pmrt_context &ctx) {
    attach(ctx);
    const OnGpu<float> memory(ctx, std::vector<float>(64));
    if (ctx.transport->rank() == 0)
      try {
        (void)startMessage(ctx, memory);
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error &e) {
        EXPECT_CONTAINS(e.what(), "NCCL cannot send");
        EXPECT_EQ(open(), 0);
      }
    ctx.world.barrier();
  });
  unsetenv("FAKENCCL_REFUSE");
  dlclose(library);
}

TEST_P(DeviceRanks, NcclMayTakeAWhileToStart) {
  if (!GetParam())
    GTEST_SKIP() << "a check of NCCL";
  setenv("FAKENCCL_SLOW", "7", 1);
  reshards<float>(true, {2, 1}, {5, 6}, PMRT_F32);
  unsetenv("FAKENCCL_SLOW");
}

TEST_P(DeviceRanks, ReshardEveryLayoutToEveryOther) {
  reshards<float>(GetParam(), {2, 2}, {5, 6, 7}, PMRT_F32);
  reshards<double>(GetParam(), {3, 1}, {8, 7}, PMRT_F64);
  reshards<std::complex<float>>(GetParam(), {2, 2}, {8, 7}, PMRT_C64);
  reshards<std::complex<double>>(GetParam(), {2, 2}, {8, 7}, PMRT_C128);
  reshards<int8_t>(GetParam(), {2, 2}, {7, 6}, PMRT_I8);
}

TEST_P(DeviceRanks, SumsOverRanksAreTheSameBitsEverywhere) {
  Dims dims;
  const std::vector<int32_t> whole = {dims.dim(9, {}), dims.dim(10, {})};
  const std::vector<int32_t> split = {dims.dim(9, {"row"}), whole[1]};
  onRanksBy(GetParam(), {3, 1}, dims.program, [&](pmrt_context &ctx) {
    attach(ctx);
    std::vector<double> mine(90), want(90, 0);
    for (size_t i = 0; i < 90; ++i) {
      mine[i] = double(i) + 1000.0 * ctx.mesh.rank();
      want[i] = 3.0 * double(i) + 3000;
    }
    const OnGpu<double> in(ctx, mine), out(ctx, mine);
    pmrt_array a = onGpu(in.data(), PMRT_F64, whole);
    pmrt_array b = onGpu(out.data(), PMRT_F64, whole);
    const pmrt_array *ins[] = {&a}, *outs[] = {&b};
    pmrt_reduce_fields(&ctx, nullptr, 0, 1, PMRT_SUM, 1, ins, outs);
    ASSERT_EQ(out.get(), want);
    b.dims[0] = split[0];
    pmrt_reduce_fields(&ctx, nullptr, 0, 1, PMRT_SUM, 1, ins, outs);
    const std::vector<double> own = part(ctx, want, b);
    std::vector<double> got = out.get();
    got.resize(own.size());
    ASSERT_EQ(got, own);
    ASSERT_EQ(in.get(), mine);
    // Started: of a part, and, before that has ended, in place.
    pmrt_zero(&ctx, nullptr, 0, &b);
    pmrt_pending *parts =
        pmrt_reduce_fields_start(&ctx, nullptr, 0, 1, PMRT_SUM, 1, ins, outs);
    const OnGpu<double> again(ctx, mine);
    const pmrt_array c = onGpu(again.data(), PMRT_F64, whole);
    const pmrt_array *inPlace[] = {&c};
    pmrt_pending *all = pmrt_reduce_fields_start(&ctx, nullptr, 0, 1, PMRT_SUM,
                                                 1, inPlace, inPlace);
    pmrt_wait(&ctx, nullptr, 0, all);
    pmrt_wait(&ctx, nullptr, 0, parts);
    ASSERT_EQ(again.get(), want);
    got = out.get();
    got.resize(own.size());
    ASSERT_EQ(got, own);
  });
}

using Seen = std::vector<std::vector<double>>;

/// The cells of a view of three dims.
static std::vector<double> contents(pmrt_context &ctx, const pmrt_halo &view) {
  std::vector<void *> rows(
      static_cast<size_t>(view.extent[0] * view.extent[1]));
  const int64_t length = view.extent[2];
  std::vector<double> all(rows.size() * size_t(length));
  auto copy = [&](void *to, const void *from, int64_t bytes) {
    if (ctx.device)
      ctx.device->download(to, from, bytes);
    else
      std::copy_n(static_cast<const char *>(from), bytes,
                  static_cast<char *>(to));
  };
  copy(rows.data(), view.rows, int64_t(rows.size() * sizeof(void *)));
  for (size_t i = 0; i < rows.size(); ++i)
    copy(all.data() + int64_t(i) * length, rows[i], length * 8);
  return all;
}

/// What views of a mesh show, and then adds a view to its owners.
static Seen exchangeAndReduce(pmrt_context &ctx, pmrt_array mesh,
                              const int64_t *lo, const int64_t *hi) {
  Seen seen;
  pmrt_halo *view = pmrt_halo_exchange(&ctx, nullptr, 0, &mesh, lo, hi);
  seen.push_back(contents(ctx, *view));
  pmrt_halo_close(&ctx, 0, view);
  // Others' rows are zero, although the memory was used before.
  view = pmrt_halo_open(&ctx, nullptr, 0, &mesh, lo, hi);
  seen.push_back(contents(ctx, *view));
  pmrt_halo_close(&ctx, 0, view);
  view = pmrt_halo_exchange_start(&ctx, nullptr, 0, &mesh, lo, hi);
  pmrt_halo_wait(&ctx, nullptr, 0, view);
  pmrt_halo_reduce(&ctx, nullptr, 0, view);
  return seen;
}

TEST_P(DeviceRanks, HalosShowAndReduce) {
  for (const bool last : {false, true}) {
    const Extents shape = {6, 7, 8};
    Dims dims;
    const std::vector<int32_t> indices = {
        dims.dim(6, {"row"}),
        dims.dim(7, last ? std::vector<std::string>{}
                         : std::vector<std::string>{"col"}),
        dims.dim(8, last ? std::vector<std::string>{"col"}
                         : std::vector<std::string>{})};
    const std::vector<double> whole = numbers<double>(shape);
    const int64_t lo[] = {1, 2, 1}, hi[] = {2, 1, 2};
    // The same on the host, whose rows tell what the device's must be.
    std::vector<Seen> want(4), got(4);
    onRanks({2, 2}, dims.program, {}, [&](pmrt_context &ctx) {
      const pmrt_array mesh = arrayOver(nullptr, PMRT_F64, indices);
      std::vector<double> local = part(ctx, whole, mesh);
      auto &seen = want[size_t(ctx.mesh.rank())];
      seen = exchangeAndReduce(ctx, arrayOver(local.data(), PMRT_F64, indices),
                               lo, hi);
      seen.push_back(local);
    });
    onRanksBy(GetParam(), {2, 2}, dims.program, [&](pmrt_context &ctx) {
      attach(ctx);
      pmrt_array mesh = onGpu(nullptr, PMRT_F64, indices);
      const OnGpu<double> there(ctx, part(ctx, whole, mesh));
      mesh.data = there.data();
      auto &seen = got[size_t(ctx.mesh.rank())];
      seen = exchangeAndReduce(ctx, mesh, lo, hi);
      seen.push_back(there.get());
    });
    EXPECT_EQ(got, want);
    EXPECT_NE(got[0][0], got[0][1]);
  }
}

TEST_P(DeviceRanks, ARankThatFailsEndsTheOthers) {
  Dims dims;
  const std::vector<int32_t> split = {dims.dim(8, {"row"})};
  const std::vector<int32_t> whole = {dims.dim(8, {})};
  const std::string text = messageOf([&] {
    onRanksBy(GetParam(), {4}, dims.program, [&](pmrt_context &ctx) {
      attach(ctx);
      const OnGpu<double> in(ctx, std::vector<double>(2));
      const OnGpu<double> out(ctx, std::vector<double>(8));
      const pmrt_array a = onGpu(in.data(), PMRT_F64, split);
      const pmrt_array b = onGpu(out.data(), PMRT_F64, whole);
      if (ctx.mesh.rank() == 2)
        throw std::runtime_error("lost");
      pmrt_reshard(&ctx, nullptr, 0, &a, &b);
      (void)out.get(); // waits for what the lost rank should have sent
    });
  });
  EXPECT_EQ(text, "lost");
}

TEST_P(DeviceRanks, BoxesComeToTheHostAndBack) {
  auto context = makeContext({4});
  attach(*context);
  // 11 x 13 x 17 of 12 x 14 x 20 cells; some units are wider than others.
  std::vector<int64_t> whole(12 * 14 * 20);
  std::iota(whole.begin(), whole.end(), 0);
  const OnGpu<int64_t> there(*context, whole);
  const Region box = {reinterpret_cast<char *>(there.data() + 1),
                      8,
                      {11, 13, 17},
                      {14 * 20 * 8, 20 * 8, 8}};
  std::vector<int64_t> got(11 * 13 * 17), want;
  for (int64_t i = 0; i < 11; ++i)
    for (int64_t j = 0; j < 13; ++j)
      for (int64_t k = 0; k < 17; ++k)
        want.push_back(1 + (i * 14 + j) * 20 + k);
  context->device->gather(box, reinterpret_cast<char *>(got.data()));
  EXPECT_EQ(got, want);
  context->device->scatter(reinterpret_cast<const char *>(got.data()), box,
                           Combine::Add, PMRT_I64);
  for (int64_t value : want)
    whole[size_t(value)] *= 2;
  EXPECT_EQ(there.get(), whole);
  for (int64_t &value : got)
    value = -1;
  context->device->scatter(reinterpret_cast<const char *>(got.data()), box,
                           Combine::Replace, PMRT_I64);
  for (int64_t value : want)
    whole[size_t(value)] = -1;
  EXPECT_EQ(there.get(), whole);
}
