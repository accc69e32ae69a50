//===- DistributedFFTTest.cpp - Fourier transforms over ranks -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"
#include "runtime/FFT/Plans.h"
#include "runtime/FFT/Routes.h"
#include "test/runtime/Ranks.h"

#include <cmath>
#include <complex>

using namespace pmrt;
using namespace pmrt::test;

namespace {

using Cut = std::vector<std::vector<std::string>>;

template <typename T> struct Elements;
template <> struct Elements<float> {
  static constexpr pmrt_element real = PMRT_F32, complex = PMRT_C64;
  static constexpr double tolerance = 3e-6;
};
template <> struct Elements<double> {
  static constexpr pmrt_element real = PMRT_F64, complex = PMRT_C128;
  static constexpr double tolerance = 1e-14;
};

/// Transposes of a call, and bytes sent by all ranks.
struct Traffic {
  int64_t bytes = 0, transposes = 0;
};

/// Transforms `shape` over the dims in `mask`, there and back, from the cut
/// `in` to `out`, and compares with one rank.
template <typename T>
Traffic check(const Extents &mesh, const Extents &shape, uint32_t mask,
              const Cut &in, const Cut &out, bool real) {
  SCOPED_TRACE(fmt::format("mesh {}, shape {}, mask {}, {}",
                           fmt::join(mesh, "x"), fmt::join(shape, "x"), mask,
                           real ? "real" : "complex"));
  const size_t rank = shape.size();
  size_t halved = rank;
  int64_t transformed = 1;
  for (size_t d = 0; d < rank; ++d)
    if (mask >> d & 1) {
      halved = d;
      transformed *= shape[d];
    }
  Dims dims;
  std::vector<int32_t> space, spectrum, wholeSpace, wholeSpectrum;
  int64_t count = 1, stored = 1;
  for (size_t d = 0; d < rank; ++d) {
    const DimKind kind = !(mask >> d & 1)      ? DimKind::Space
                         : real && d == halved ? DimKind::Half
                                               : DimKind::Dual;
    space.push_back(dims.dim(shape[d], in[d]));
    spectrum.push_back(dims.dim(shape[d], out[d], kind));
    wholeSpace.push_back(dims.dim(shape[d], {}));
    wholeSpectrum.push_back(dims.dim(shape[d], {}, kind));
    count *= shape[d];
    stored *= kind == DimKind::Half ? shape[d] / 2 + 1 : shape[d];
  }
  const pmrt_element from = real ? Elements<T>::real : Elements<T>::complex;
  const int64_t perElement = real ? 1 : 2;
  std::vector<T> noise(size_t(count * perElement));
  fillNormal(7, 0, int64_t(noise.size()), noise.data());
  std::vector<std::complex<T>> reference(static_cast<size_t>(stored));
  Settings settings;
  settings.plan = PlanRigor::Estimate;
  onRanks({1, 1}, dims.program, settings, [&](pmrt_context &ctx) {
    const pmrt_array a = arrayOver(noise.data(), from, wholeSpace);
    const pmrt_array b =
        arrayOver(reference.data(), Elements<T>::complex, wholeSpectrum);
    pmrt_fft(&ctx, nullptr, 0, 1, mask, &a, &b);
  });

  Traffic total;
  std::mutex lock;
  settings.profile = "unused";
  auto run = [&](auto localPart, const auto &wholeData, auto element) {
    (void)element;
    onRanks(mesh, dims.program, settings, [&](pmrt_context &ctx) {
      pmrt_array a = arrayOver(nullptr, from, space);
      pmrt_array b = arrayOver(nullptr, Elements<T>::complex, spectrum);
      auto local = localPart(ctx, wholeData, a);
      const auto original = local;
      const auto want = part(ctx, reference, b);
      std::vector<std::complex<T>> got(want.size());
      auto back = local;
      a.data = local.data();
      b.data = got.data();
      pmrt_fft(&ctx, nullptr, 0, 1, mask, &a, &b);
      EXPECT_EQ(local, original); // the forward transform keeps its input
      {
        std::lock_guard guard(lock);
        for (const auto &row : ctx.profile.rows()) {
          if (row.name != "transpose")
            continue;
          total.bytes += row.bytes;
          if (ctx.mesh.rank() == 0)
            total.transposes += row.calls;
        }
      }
      const double scale = std::sqrt(double(transformed));
      for (size_t i = 0; i < want.size(); ++i)
        ASSERT_LT(std::abs(got[i] - want[i]),
                  Elements<T>::tolerance * 10 * scale);
      a.data = back.data();
      pmrt_fft(&ctx, nullptr, 0, 0, mask, &b, &a);
      for (size_t i = 0; i < back.size(); ++i)
        ASSERT_LT(std::abs(back[i] / T(transformed) - original[i]),
                  Elements<T>::tolerance * 10);
    });
  };
  auto cutOut = [](pmrt_context &ctx, const auto &whole, const pmrt_array &a) {
    return part(ctx, whole, a);
  };
  if (real) {
    run(cutOut, noise, T());
  } else {
    std::vector<std::complex<T>> pairs(static_cast<size_t>(count));
    for (size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {noise[2 * i], noise[2 * i + 1]};
    run(cutOut, pairs, std::complex<T>());
  }
  return total;
}

const std::vector<Extents> meshes = {{2, 1}, {1, 2}, {2, 2}, {4, 1},
                                     {3, 2}, {3, 3}, {8, 1}};

} // namespace

TEST(DistributedFFT, SlabsAndPencilsOfAnySize) {
  const Cut pencil = {{"row"}, {"col"}, {}},
            pencilDual = {{}, {"row"}, {"col"}};
  const Cut slab = {{"row", "col"}, {}, {}},
            slabDual = {{}, {"row", "col"}, {}};
  for (const Extents &mesh : meshes)
    for (int64_t n : {30, 31, 32}) {
      const auto p = check<float>(mesh, {n, n, n}, 7, pencil, pencilDual, true);
      EXPECT_LE(p.transposes, 2);
      const auto s = check<float>(mesh, {n, n, n}, 7, slab, slabDual, true);
      EXPECT_EQ(s.transposes, 1);
    }
}

TEST(DistributedFFT, BothPrecisionsBothKinds) {
  const Cut pencil = {{"row"}, {"col"}, {}}, dual = {{}, {"row"}, {"col"}};
  for (const Extents &mesh : {Extents{2, 2}, Extents{3, 2}}) {
    check<double>(mesh, {12, 9, 10}, 7, pencil, dual, true);
    check<double>(mesh, {12, 9, 10}, 7, pencil, dual, false);
    check<float>(mesh, {12, 9, 10}, 7, pencil, dual, false);
  }
}

TEST(DistributedFFT, AnyLayoutToAnyOther) {
  for (const Cut &in : layouts(3))
    for (const Cut &out : layouts(3)) {
      check<double>({2, 3}, {6, 7, 8}, 7, in, out, true);
      check<double>({3, 2}, {6, 7, 8}, 7, in, out, false);
    }
}

TEST(DistributedFFT, SomeDimsOnly) {
  for (uint32_t mask = 1; mask < 8; ++mask)
    for (const Cut &cut : layouts(3)) {
      check<double>({2, 2}, {6, 5, 8}, mask, cut, cut, true);
      check<double>({2, 2}, {6, 5, 8}, mask, cut, cut, false);
    }
}

TEST(DistributedFFT, PlanesAndLines) {
  for (const Cut &in : layouts(2))
    check<double>({3, 2}, {9, 8}, 3, in, {{}, {"row", "col"}}, true);
  check<double>({3, 1}, {40}, 1, {{"row"}}, {{"row"}}, true);
  check<double>({2, 2}, {5, 6, 4, 7}, 15, {{"row"}, {"col"}, {}, {}},
                {{}, {}, {"row"}, {"col"}}, true);
}

TEST(DistributedFFT, DimsThatAreBatchesMayStaySplit) {
  // A batch of fields over the axis: nothing moves.
  const auto t = check<double>({4, 1}, {8, 6, 6}, 6, {{"row"}, {}, {}},
                               {{"row"}, {}, {}}, true);
  EXPECT_EQ(t.transposes, 0);
  EXPECT_EQ(t.bytes, 0);
}

TEST(DistributedFFT, CapacitiesThatDifferOnSomeRanksOnly) {
  // 9 and 10 of 19 cells: one more byte than the first rank needs is less than
  // the second one has anyway. Both must know as many workspaces.
  Dims dims;
  Transform first, second;
  first.from = second.from = PMRT_C128;
  first.to = second.to = PMRT_C128;
  first.mask = second.mask = 1;
  for (Transform *one : {&first, &second}) {
    // Of equal extents, but not the same dims.
    const int32_t other =
        dims.dim(19, {"row"}, one == &first ? DimKind::Space : DimKind::Dual);
    one->in = {dims.dim(11, {}), other};
    one->out = {dims.dim(11, {}, DimKind::Dual), other};
    dims.program.transforms.push_back(*one);
  }
  Settings settings;
  settings.plan = PlanRigor::Estimate;
  onRanks({2, 1}, dims.program, settings, [&](pmrt_context &ctx) {
    ctx.reserve(second.to, second.out, 11 * 9 * 16 + 1);
    reserveTransforms(ctx);
    int64_t sum[] = {1, 2, 3};
    ctx.world.reduce(PMRT_SUM, 3, sum);
    EXPECT_EQ(sum[2], 6);
  });
}

TEST(DistributedFFT, BytesAreWhatTheFormulaSays) {
  // A slab transform sends each complex number once, but for those that stay:
  // N^2 (N/2 + 1) (1 - 1/P) of them; a pencil one twice, along row and col.
  const int64_t n = 32, cells = n * n * (n / 2 + 1), size = 8;
  const auto slab = check<float>({4, 1}, {n, n, n}, 7, {{"row"}, {}, {}},
                                 {{}, {"row"}, {}}, true);
  EXPECT_EQ(slab.transposes, 1);
  EXPECT_EQ(slab.bytes, cells * size * 3 / 4);
  const auto pencil = check<float>({4, 2}, {n, n, n}, 7, {{"row"}, {"col"}, {}},
                                   {{}, {"row"}, {"col"}}, true);
  EXPECT_EQ(pencil.transposes, 2);
  EXPECT_EQ(pencil.bytes, cells * size / 2 + cells * size * 3 / 4);
}

TEST(DistributedFFT, InPlaceComplex) {
  for (const Cut &cut : layouts(3)) {
    Dims dims;
    std::vector<int32_t> cutDims, wholeDims;
    for (size_t d = 0; d < 3; ++d) {
      cutDims.push_back(dims.dim(8, cut[d]));
      wholeDims.push_back(dims.dim(8, {}));
    }
    std::vector<double> noise(1024);
    fillNormal(3, 0, 1024, noise.data());
    std::vector<std::complex<double>> whole(512), reference;
    for (size_t i = 0; i < 512; ++i)
      whole[i] = {noise[2 * i], noise[2 * i + 1]};
    reference = whole;
    Settings settings;
    settings.plan = PlanRigor::Estimate;
    onRanks({1, 1}, dims.program, settings, [&](pmrt_context &ctx) {
      const pmrt_array a = arrayOver(reference.data(), PMRT_C128, wholeDims);
      pmrt_fft(&ctx, nullptr, 0, 1, 7, &a, &a);
    });
    onRanks({2, 2}, dims.program, settings, [&](pmrt_context &ctx) {
      pmrt_array a = arrayOver(nullptr, PMRT_C128, cutDims);
      auto local = part(ctx, whole, a);
      const auto want = part(ctx, reference, a);
      a.data = local.data();
      pmrt_fft(&ctx, nullptr, 0, 1, 7, &a, &a);
      for (size_t i = 0; i < want.size(); ++i)
        ASSERT_LT(std::abs(local[i] - want[i]), 1e-12);
    });
  }
}

TEST(DistributedFFT, WorkspaceIsOneField) {
  const Split whole{64, 1, {}}, row{64, 1, {0}}, col{64, 1, {1}},
      both{64, 1, {0, 1}};
  auto half = [](std::vector<int> axes) {
    return Split{33, 1, std::move(axes)};
  };
  const Layout pencil{{row, col, whole}}, slab{{both, whole, whole}},
      pencilDual{{whole, row, half({1})}}, slabDual{{whole, both, half({})}},
      complexDual{{whole, row, col}};
  // 33 cells do not split evenly: some ranks have less than others.
  for (int64_t rank = 0; rank < 16; ++rank) {
    const Mesh mesh({{"row", 4}, {"col", 4}}, rank);
    auto work = [&](FftType type, const Layout &in, const Layout &out,
                    bool inPlace = false) {
      const FftTask task{type, 7, in, out};
      const auto stages = findStages(mesh, task);
      EXPECT_TRUE(stages);
      const bool back = type == FftType::ComplexToReal;
      FftCapacities capacities = {
          fftBytes(mesh, in, type == FftType::RealToComplex, 4),
          fftBytes(mesh, out, back, 4), inPlace, "one"};
      int64_t &capacity = back ? capacities.in : capacities.out;
      const int64_t own = capacity;
      capacity = fftCapacity(mesh, task, *stages, 4);
      EXPECT_LE(capacity, own + own / 16);
      const FftPlaces places = placeStages(mesh, task, *stages, capacities, 4);
      EXPECT_EQ(places.after.size(), stages->size());
      return places.workA + places.workB;
    };
    const int64_t most = 16 * 16 * 33 * 8 * 11 / 10;
    EXPECT_LE(work(FftType::RealToComplex, pencil, pencilDual), most);
    EXPECT_LE(work(FftType::ComplexToReal, pencilDual, pencil), most);
    EXPECT_LE(work(FftType::RealToComplex, slab, slabDual), most);
    EXPECT_LE(work(FftType::ComplexToReal, slabDual, slab), most);
    EXPECT_LE(work(FftType::Complex, pencil, complexDual), 2 * most);
    EXPECT_LE(work(FftType::Complex, pencil, complexDual, true), 2 * most);
  }
}

TEST(DistributedFFT, TransformsStayWhereTheyAre) {
  // Back from a slab's spectrum: along x in the input, over to the workspace,
  // along z and y from there.
  const Mesh mesh({{"row", 2}}, 0);
  const Split whole{64, 1, {}}, row{64, 1, {0}}, half{33, 1, {}};
  const FftTask task{
      FftType::ComplexToReal, 7, {{whole, row, half}}, {{row, whole, whole}}};
  const auto stages = findStages(mesh, task);
  ASSERT_TRUE(stages);
  const FftPlaces places =
      placeStages(mesh, task, *stages,
                  {fftBytes(mesh, task.in, false, 4),
                   fftBytes(mesh, task.out, true, 4), false, "one"},
                  4);
  EXPECT_EQ(places.after, (std::vector<FftPlace>{FftPlace::In, FftPlace::WorkA,
                                                 FftPlace::Out}));
}

TEST(DistributedFFT, OrderedTransformsTakeOneDimAfterTheOther) {
  // Whatever is whole at first: z may have to be brought together before x.
  const Mesh mesh({{"row", 2}, {"col", 2}}, 0);
  const Split whole{64, 1, {}}, row{64, 1, {0}}, col{64, 1, {1}},
      half{33, 1, {}}, halfCol{33, 1, {1}};
  const Layout spaces[] = {{{row, col, whole}},
                           {{whole, whole, row}},
                           {{whole, row, col}},
                           {{row, whole, col}}},
               spectra[] = {{{whole, row, halfCol}}, {{row, col, half}}};
  auto order = [&](FftType type, const Layout &in, const Layout &out,
                   bool backward) {
    const FftTask task{type, 7, in, out, true, backward};
    const auto stages = findStages(mesh, task);
    EXPECT_TRUE(stages);
    std::vector<int> dims;
    for (const FftStage &stage : *stages)
      for (int i = 0; i < 3; ++i) {
        const int d = backward ? i : 2 - i; // as Lines.h takes them
        if (stage.mask >> d & 1)
          dims.push_back(d);
      }
    return dims;
  };
  const std::vector<int> down{2, 1, 0}, up{0, 1, 2};
  for (const Layout &space : spaces) {
    for (const Layout &spectrum : spectra) {
      EXPECT_EQ(order(FftType::RealToComplex, space, spectrum, false), down);
      EXPECT_EQ(order(FftType::ComplexToReal, spectrum, space, true), up);
    }
    for (const Layout &other : spaces) {
      EXPECT_EQ(order(FftType::Complex, space, other, false), down);
      EXPECT_EQ(order(FftType::Complex, space, other, true), up);
    }
  }
}

TEST(DistributedFFT, RanksWithTheSameProblemHaveTheSamePlan) {
  Folder cache;
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  Dims dims;
  const int32_t x = dims.dim(24, {"row"}), whole = dims.dim(24, {}),
                kx = dims.dim(24, {}, DimKind::Dual),
                ky = dims.dim(24, {"row"}, DimKind::Dual),
                kz = dims.dim(24, {}, DimKind::Half);
  Settings settings;
  settings.plan = PlanRigor::Measure;
  std::vector<std::string> hashes(3);
  onRanks({3}, dims.program, settings, [&](pmrt_context &ctx) {
    std::vector<double> in(8 * 24 * 24);
    std::vector<std::complex<double>> out(24 * 8 * 13);
    const pmrt_array a = arrayOver(in.data(), PMRT_F64, {x, whole, whole});
    const pmrt_array b = arrayOver(out.data(), PMRT_C128, {kx, ky, kz});
    pmrt_plan_fft(&ctx, 0, 1, 7, &a, &b);
    pmrt_fft(&ctx, nullptr, 0, 1, 7, &a, &b);
    hashes[size_t(ctx.mesh.rank())] = ctx.device->ffts().hash();
  });
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
  unsetenv("XDG_CACHE_HOME");
}
