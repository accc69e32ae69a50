//===- TransformTest.cpp - Fourier transforms on a GPU --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/Nccl.h"
#include "runtime/Core/WhiteNoise.h"
#include "test/gpu/runtime/OnDevice.h"

#include <complex>
#include <cstdlib>

using namespace pmrt;
using namespace pmrt::test;

using DeviceFFT = OnDevice;

namespace {

template <typename T> struct Elements;
template <> struct Elements<float> {
  static constexpr pmrt_element real = PMRT_F32, complex = PMRT_C64;
  static constexpr double tolerance = 1e-5;
};
template <> struct Elements<double> {
  static constexpr pmrt_element real = PMRT_F64, complex = PMRT_C128;
  static constexpr double tolerance = 1e-13;
};

using Cut = std::vector<std::vector<std::string>>;

/// A transform there and back, on the device and on the host: the same numbers
/// but for rounding. Returns the messages of the first rank of the device.
template <typename T>
int64_t check(const Extents &mesh, const Extents &shape, uint32_t mask,
              const Cut &in, const Cut &out, bool real,
              PlanRigor rigor = PlanRigor::Estimate, bool nccl = false) {
  SCOPED_TRACE(fmt::format("mesh {}, shape {}, mask {}, {}",
                           fmt::join(mesh, "x"), fmt::join(shape, "x"), mask,
                           real ? "real" : "complex"));
  size_t halved = shape.size();
  double transformed = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    if (mask >> d & 1) {
      halved = d;
      transformed *= double(shape[d]);
    }
  Dims dims;
  std::vector<int32_t> space, spectrum;
  int64_t count = real ? 1 : 2;
  for (size_t d = 0; d < shape.size(); ++d) {
    space.push_back(dims.dim(shape[d], in[d]));
    spectrum.push_back(dims.dim(shape[d], out[d],
                                !(mask >> d & 1)      ? DimKind::Space
                                : real && d == halved ? DimKind::Half
                                                      : DimKind::Dual));
    count *= shape[d];
  }
  std::vector<T> noise(static_cast<size_t>(count));
  fillNormal(5, 0, count, noise.data());
  const pmrt_element from = real ? Elements<T>::real : Elements<T>::complex;
  Settings settings;
  settings.plan = rigor;
  int64_t messages = 0;
  auto compare = [&](const auto &got, const auto &want, double scale) {
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i)
      ASSERT_LT(std::abs(got[i] - want[i]), Elements<T>::tolerance * scale)
          << "element " << i << ": " << got[i] << " for " << want[i];
  };
  auto run = [&](auto zero) {
    using From = decltype(zero);
    const std::vector<From> whole(
        reinterpret_cast<const From *>(noise.data()),
        reinterpret_cast<const From *>(noise.data() + noise.size()));
    std::vector<std::vector<std::complex<T>>> wanted(size_t(ranksOf(mesh)));
    onRanks(mesh, dims.program, settings, [&](pmrt_context &ctx) {
      pmrt_array a = arrayOver(nullptr, from, space);
      pmrt_array b = arrayOver(nullptr, Elements<T>::complex, spectrum);
      std::vector<From> local = part(ctx, whole, a);
      auto &want = wanted[size_t(ctx.mesh.rank())];
      want.resize(size_t(ctx.elements(0, b)));
      a.data = local.data();
      b.data = want.data();
      pmrt_fft(&ctx, nullptr, 0, 1, mask, &a, &b);
    });
    auto onDevices = [&](pmrt_context &ctx) {
      attach(ctx);
      pmrt_array a = onGpu(nullptr, from, space);
      pmrt_array b = onGpu(nullptr, Elements<T>::complex, spectrum);
      const std::vector<From> original = part(ctx, whole, a);
      const auto &want = wanted[size_t(ctx.mesh.rank())];
      std::vector<From> back(original.size());
      const OnGpu<From> there(ctx, original), again(ctx, back);
      const OnGpu<std::complex<T>> modes(
          ctx, std::vector<std::complex<T>>(want.size()));
      a.data = there.data();
      b.data = modes.data();
      pmrt_plan_fft(&ctx, 0, 1, mask, &a, &b);
      pmrt_fft(&ctx, nullptr, 0, 1, mask, &a, &b);
      compare(modes.get(), want, std::sqrt(transformed));
      ASSERT_EQ(there.get(), original); // the input stays
      a.data = again.data();
      pmrt_fft(&ctx, nullptr, 0, 0, mask, &b, &a);
      back = again.get();
      for (From &value : back)
        value = From(value / From(T(transformed)));
      compare(back, original, 1);
      if (ctx.mesh.rank() == 0)
        messages = ctx.transport->sentMessages;
    };
    onRanks(mesh, dims.program, settings, onDevices,
            [&](const std::shared_ptr<Transport> &host) {
              return nccl ? cuda::makeNcclTransport(host) : host;
            });
  };
  if (real)
    run(T());
  else
    run(std::complex<T>());
  return messages;
}

Cut whole(size_t rank) { return Cut(rank); }

} // namespace

TEST_F(DeviceFFT, RealTransformsOverAnyDims) {
  for (uint32_t mask = 1; mask < 8; ++mask) {
    check<double>({}, {6, 5, 8}, mask, whole(3), whole(3), true);
    check<float>({}, {6, 5, 8}, mask, whole(3), whole(3), true);
  }
  for (uint32_t mask = 1; mask < 32; ++mask) // more dims than cuFFT takes
    check<double>({}, {2, 3, 4, 3, 6}, mask, whole(5), whole(5), true);
  check<float>({}, {16}, 1, whole(1), whole(1), true);
  check<double>({}, {32, 32, 32}, 7, whole(3), whole(3), true);
}

TEST_F(DeviceFFT, ComplexTransformsOverAnyDims) {
  for (uint32_t mask = 1; mask < 16; ++mask) {
    check<double>({}, {3, 4, 5, 6}, mask, whole(4), whole(4), false);
    check<float>({}, {3, 4, 5, 6}, mask, whole(4), whole(4), false);
  }
}

TEST_F(DeviceFFT, InPlace) {
  auto context = makeContext({4, 6, 5});
  attach(*context);
  std::vector<double> noise(240);
  fillNormal(3, 0, 240, noise.data());
  const OnGpu<double> a(*context, noise), b(*context, noise),
      c(*context, noise);
  const pmrt_array in = onGpu(a.data(), PMRT_C128, {0, 1, 2});
  const pmrt_array out = onGpu(b.data(), PMRT_C128, {0, 1, 2});
  const pmrt_array both = onGpu(c.data(), PMRT_C128, {0, 1, 2});
  pmrt_fft(context.get(), nullptr, 0, 0, 5, &in, &out);
  pmrt_fft(context.get(), nullptr, 0, 0, 5, &both, &both);
  const std::vector<double> want = b.get(), got = c.get();
  for (size_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(got[i], want[i], 1e-11);
  EXPECT_NE(want, noise);
}

TEST_F(DeviceFFT, OverRanks) {
  const Cut pencilsIn = {{"row"}, {"col"}, {}};
  const Cut pencilsOut = {{}, {"row"}, {"col"}};
  const Cut slabsIn = {{"row"}, {}, {}}, slabsOut = {{}, {"row"}, {}};
  check<double>({4, 1}, {8, 7, 6}, 7, slabsIn, slabsOut, true);
  check<float>({2, 2}, {8, 7, 6}, 7, pencilsIn, pencilsOut, true);
  check<double>({2, 2}, {8, 7, 6}, 7, pencilsIn, pencilsIn, false);
  check<double>({3, 1}, {9, 8}, 2, {{"row"}, {}}, {{"row"}, {}}, true);
}

/// Large transforms overlap with the messages of transposes, in pieces along
/// the first dim. Some of its shards are odd.
TEST_F(DeviceFFT, OverRanksByNccl) {
  setenv("FAKECUDA_DEVICES", "8", 1);
  {
    auto context = makeContext({4});
    attach(*context);
    if (!isFake(*context))
      GTEST_SKIP() << "NCCL needs several GPUs";
  }
  const PlanRigor estimate = PlanRigor::Estimate, fixed = PlanRigor::Fixed;
  const Cut pencilsIn = {{"row"}, {"col"}, {}};
  const Cut pencilsOut = {{}, {"row"}, {"col"}};
  const Cut slabsIn = {{"row"}, {}, {}}, slabsOut = {{}, {"row"}, {}};
  // Fixed plans do not overlap, and send fewer messages.
  auto checkBoth = [&](auto one, const Extents &mesh, const Extents &shape,
                       const Cut &in, const Cut &out, bool real) {
    using T = decltype(one);
    const int64_t pieces =
        check<T>(mesh, shape, 7, in, out, real, estimate, true);
    EXPECT_GT(pieces, check<T>(mesh, shape, 7, in, out, real, fixed, true));
  };
  checkBoth(1.0, {4, 1}, {34, 32, 40}, slabsIn, slabsOut, true);
  checkBoth(1.0F, {2, 2}, {35, 33, 32}, pencilsIn, pencilsOut, true);
  checkBoth(1.0, {3, 1}, {32, 32, 32}, slabsIn, slabsIn, false);
  // The first rank has no cells at first.
  (void)check<float>({3, 1}, {2, 160, 128}, 7, slabsIn, slabsOut, true,
                     estimate, true);
  unsetenv("FAKECUDA_DEVICES");
}

TEST_F(DeviceFFT, LineByLine) {
  const PlanRigor fixed = PlanRigor::Fixed;
  for (uint32_t mask = 1; mask < 16; ++mask) {
    check<double>({}, {6, 5, 3, 8}, mask, whole(4), whole(4), true, fixed);
    check<float>({}, {3, 4, 5, 6}, mask, whole(4), whole(4), false, fixed);
  }
  check<double>({2, 2}, {8, 7, 6}, 7, {{"row"}, {"col"}, {}},
                {{}, {"row"}, {"col"}}, true, fixed);
  check<double>({3, 1}, {9, 8}, 2, {{"row"}, {}}, {{"row"}, {}}, false, fixed);
  // More lines than are transformed at once, and no multiple of them.
  check<float>({}, {3, 7, 131072}, 5, whole(3), whole(3), true, fixed);
}

/// Fixed plans want more of cuFFT than it promises (equal bits of equal calls):
/// a line's bits must not depend on where it lies among others, and on these.
TEST_F(DeviceFFT, BitsOfALineDependOnNothingElse) {
  using Kind = FftProblem::Kind;
  Settings settings;
  settings.plan = PlanRigor::Fixed;
  constexpr int64_t lines = 37;
  for (const int64_t n : {15, 16, 27, 125, 128, 200, 243, 512, 1009, 2018})
    for (const Kind kind :
         {Kind::RealToComplex, Kind::ComplexToReal, Kind::Forward}) {
      SCOPED_TRACE(fmt::format("kind {}, {}", int(kind), n));
      const bool real = kind != Kind::Forward;
      const bool forward = kind != Kind::ComplexToReal;
      Dims dims;
      const std::vector<int32_t> space = {dims.dim(lines, {}), dims.dim(n, {})};
      const std::vector<int32_t> spectrum = {
          space[0], dims.dim(n, {}, real ? DimKind::Half : DimKind::Dual)};
      const int64_t inSpace = real ? n : 2 * n;
      const int64_t inSpectrum = real ? n + 2 - n % 2 : 2 * n;
      const int64_t each = forward ? inSpace : inSpectrum;
      const int64_t after = forward ? inSpectrum : inSpace;
      onRanks({}, dims.program, settings, [&](pmrt_context &ctx) {
        attach(ctx);
        const auto transform = [&](const std::vector<float> &numbers) {
          const OnGpu<float> from(ctx, numbers);
          const OnGpu<float> to(ctx, std::vector<float>(size_t(lines * after)));
          const auto side = [&](float *data, bool isSpace) {
            return onGpu(data, isSpace && real ? PMRT_F32 : PMRT_C64,
                         isSpace ? space : spectrum);
          };
          const pmrt_array in = side(from.data(), forward);
          const pmrt_array out = side(to.data(), !forward);
          pmrt_fft(&ctx, nullptr, 0, forward, 2, &in, &out);
          return to.get();
        };
        std::vector<float> line(size_t(each), 0);
        fillNormal(7, 0, each, line.data());
        std::vector<float> same, others(size_t(lines * each));
        fillNormal(8, 0, lines * each, others.data());
        const std::vector<int64_t> places = {0, 1, 18, 35, 36};
        for (int64_t i = 0; i < lines; ++i)
          same.insert(same.end(), line.begin(), line.end());
        for (const int64_t place : places)
          std::copy(line.begin(), line.end(), others.begin() + place * each);
        const auto alike = transform(same), among = transform(others);
        const auto isFirst = [&](const auto &all, int64_t i) {
          return std::equal(all.begin() + i * after,
                            all.begin() + (i + 1) * after, alike.begin());
        };
        for (int64_t i = 0; i < lines; ++i)
          EXPECT_TRUE(isFirst(alike, i)) << "line " << i;
        for (const int64_t place : places)
          EXPECT_TRUE(isFirst(among, place)) << "line " << place;
      });
    }
}

TEST_F(DeviceFFT, WorkspacesThatDoNotFitAreRefused) {
  Settings settings;
  settings.memoryLimit = int64_t(5) << 19;
  auto context = makeContext({64, 64, 64}, 1, settings);
  attach(*context);
  const OnGpu<float> a(*context, std::vector<float>(2 * 64 * 64 * 64));
  const pmrt_array both = onGpu(a.data(), PMRT_C64, {0, 1, 2});
  if (!isFake(*context))
    GTEST_SKIP() << "cuFFT itself may need no workspace";
  const std::string text = messageOf(
      [&] { pmrt_fft(context.get(), nullptr, 0, 1, 7, &both, &both); });
  EXPECT_CONTAINS(text,
                  "the workspace of cuFFT for the transform complex 64x64x64 "
                  "f32 needs 2.0 MiB of memory, 4.0 MiB with the fields, more "
                  "than the 2.5 MiB of --memory-limit");
}
