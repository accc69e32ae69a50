//===- NoiseTest.cpp - White noise on a GPU -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"
#include "test/gpu/runtime/OnDevice.h"

using namespace pmrt;
using namespace pmrt::test;

using DeviceNoise = OnDevice;

template <typename T>
static void sameAsOnTheHost(const Extents &mesh, const Extents &shape,
                            const std::vector<std::vector<std::string>> &cut,
                            pmrt_element element) {
  Dims dims;
  std::vector<int32_t> indices;
  int64_t count = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    indices.push_back(dims.dim(shape[d], cut[d]));
    count *= shape[d];
  }
  constexpr uint64_t seed = 0x123456789ABCDEF0;
  std::vector<T> whole(static_cast<size_t>(count));
  fillNormal(seed, 0, count, whole.data());
  onRanks(mesh, dims.program, {}, [&](pmrt_context &ctx) {
    attach(ctx);
    pmrt_array a = onGpu(nullptr, element, indices);
    const std::vector<T> want = part(ctx, whole, a);
    const OnGpu<T> out(ctx, std::vector<T>(want.size()));
    a.data = out.data();
    pmrt_white_noise(&ctx, nullptr, 0, seed, &a);
    ASSERT_EQ(out.get(), want) << fmt::format(
        "mesh {}, shape {}", fmt::join(mesh, "x"), fmt::join(shape, "x"));
  });
}

TEST_F(DeviceNoise, HasTheBitsOfTheHost) {
  sameAsOnTheHost<float>({}, {64, 32, 30}, {{}, {}, {}}, PMRT_F32);
  sameAsOnTheHost<double>({}, {64, 32, 30}, {{}, {}, {}}, PMRT_F64);
  sameAsOnTheHost<double>({}, {7, 3, 5}, {{}, {}, {}}, PMRT_F64); // odd
  sameAsOnTheHost<float>({}, {1}, {{}}, PMRT_F32);
}

TEST_F(DeviceNoise, IsTheSameOnEveryLayout) {
  for (const auto &cut : layouts(3)) {
    sameAsOnTheHost<double>({2, 2}, {7, 6, 5}, cut, PMRT_F64);
    sameAsOnTheHost<float>({1, 3}, {9, 8, 7}, cut, PMRT_F32);
  }
}
