//===- FFTTest.cpp - Fourier transforms -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/WhiteNoise.h"
#include "runtime/FFT/Ducc.h"
#include "runtime/FFT/Plans.h"
#include "test/runtime/Support.h"

#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <thread>

using namespace pmrt;
using namespace pmrt::test;

namespace {

using Complex = std::complex<double>;

/// The definition, over the dims in `mask`.
std::vector<Complex> slow(const std::vector<Complex> &in,
                          const std::vector<int64_t> &shape, uint32_t mask,
                          double sign) {
  std::vector<Complex> now = in;
  int64_t stride = int64_t(in.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    stride /= shape[d];
    if (!(mask >> d & 1))
      continue;
    std::vector<Complex> next(now.size());
    const int64_t n = shape[d];
    for (int64_t i = 0; i < int64_t(now.size()); ++i) {
      const int64_t k = i / stride % n, base = i - k * stride;
      for (int64_t j = 0; j < n; ++j)
        next[size_t(i)] +=
            now[size_t(base + j * stride)] *
            std::polar(1.0, sign * 2 * M_PI * double(j * k % n) / double(n));
    }
    now = next;
  }
  return now;
}

/// Dims 0, 1, 2: space; 3, 4, 5: half of the same.
std::unique_ptr<pmrt_context> fftContext(const std::vector<int64_t> &shape,
                                         int threads = 2,
                                         PlanRigor plan = PlanRigor::Estimate) {
  Descriptor d;
  for (int64_t n : shape)
    d.dims.push_back({"x", n, 1, DimKind::Space, {}});
  for (int64_t n : shape)
    d.dims.push_back({"k", n, 1, DimKind::Half, {}});
  Settings settings;
  settings.plan = plan;
  return makeContext({}, threads, settings, d);
}

template <typename T> struct Elements;
template <> struct Elements<float> {
  static constexpr pmrt_element real = PMRT_F32, complex = PMRT_C64;
};
template <> struct Elements<double> {
  static constexpr pmrt_element real = PMRT_F64, complex = PMRT_C128;
};

template <typename T>
void checkReal(const std::vector<int64_t> &shape, uint32_t mask,
               double tolerance, PlanRigor plan) {
  SCOPED_TRACE(fmt::format("shape {} mask {} {}", fmt::join(shape, "x"), mask,
                           rigorText(plan)));
  auto context = fftContext(shape, 2, plan);
  const int rank = int(shape.size());
  int halved = -1;
  for (int d = 0; d < rank; ++d)
    if (mask >> d & 1)
      halved = d;
  std::vector<int64_t> half = shape;
  half[size_t(halved)] = shape[size_t(halved)] / 2 + 1;
  int64_t count = 1, stored = 1;
  for (int d = 0; d < rank; ++d) {
    count *= shape[size_t(d)];
    stored *= half[size_t(d)];
  }
  std::vector<T> in(static_cast<size_t>(count)), back(in.size());
  fillNormal(1, 0, count, in.data());
  const std::vector<T> original = in;
  std::vector<std::complex<T>> out(static_cast<size_t>(stored));
  const pmrt_array from = array(in, Elements<T>::real, 0, rank);
  pmrt_array to = array(out, Elements<T>::complex, 0, rank);
  to.dims[halved] = halved + rank;
  pmrt_fft(context.get(), nullptr, 0, 1, mask, &from, &to);
  EXPECT_EQ(in, original); // the forward transform keeps its input

  const std::vector<Complex> want =
      slow({original.begin(), original.end()}, shape, mask, -1);
  int64_t transformed = 1;
  for (int d = 0; d < rank; ++d)
    if (mask >> d & 1)
      transformed *= shape[size_t(d)];
  for (int64_t i = 0; i < stored; ++i) {
    // From the index in the half array to that in the full one.
    int64_t rest = i, full = 0, stride = 1;
    for (int d = rank - 1; d >= 0; --d) {
      full += rest % half[size_t(d)] * stride;
      rest /= half[size_t(d)];
      stride *= shape[size_t(d)];
    }
    ASSERT_LT(std::abs(Complex(out[size_t(i)]) - want[size_t(full)]),
              tolerance * double(transformed));
  }
  const pmrt_array again = array(back, Elements<T>::real, 0, rank);
  pmrt_fft(context.get(), nullptr, 0, 0, mask, &to, &again);
  for (size_t i = 0; i < back.size(); ++i)
    ASSERT_NEAR(double(back[i]) / double(transformed), double(original[i]),
                tolerance * 10);
}

/// Lines of every kind by each set of instructions that this processor has.
template <typename T> void checkLines(int64_t n, int64_t lines) {
  const std::vector<int64_t> shape = {lines, n}, half = {lines, n / 2 + 1};
  const double tolerance = sizeof(T) == 4 ? 1e-6 : 2e-15;
  for (const LineInstructions *instructions : lineInstructions()) {
    SCOPED_TRACE(fmt::format("{} of {} {}, {}", lines, n,
                             sizeof(T) == 4 ? "f32" : "f64",
                             instructions->name));
    auto context = fftContext(shape);
    DuccPlans plans(*context, *instructions);
    std::vector<T> in(static_cast<size_t>(lines * n)), back(in.size());
    fillNormal(1, 0, lines * n, in.data());
    const std::vector<T> original = in;
    std::vector<std::complex<T>> out(static_cast<size_t>(lines * (n / 2 + 1)));
    auto side = [](auto &values, const std::vector<int64_t> &cells) {
      using Element =
          typename std::remove_reference_t<decltype(values)>::value_type;
      return FftSide{std::is_same_v<Element, T> ? Elements<T>::real
                                                : Elements<T>::complex,
                     cells, values.data()};
    };
    auto transform = [&](bool forward, uint32_t mask, const FftSide &from,
                         const FftSide &to) {
      FftProblem problem = fftProblem(*context, 0, forward, mask, from, to);
      plans.run(0, problem, from.data, to.data);
    };
    transform(true, 2, side(in, shape), side(out, half));
    ASSERT_EQ(in, original);
    const auto want = slow({original.begin(), original.end()}, shape, 2, -1);
    for (int64_t line = 0; line < lines; ++line)
      for (int64_t k = 0; k <= n / 2; ++k)
        ASSERT_LT(std::abs(Complex(out[size_t(line * (n / 2 + 1) + k)]) -
                           want[size_t(line * n + k)]),
                  tolerance * double(n + 10));
    // Any line has the same bits where others are, if not alone in its array.
    const int64_t lanes =
        sizeof(T) == 4 ? instructions->lanesSingle : instructions->lanesDouble;
    if (lines > lanes) {
      std::vector<T> turned(in.end() - n, in.end());
      turned.insert(turned.end(), in.begin(), in.end() - n);
      std::vector<std::complex<T>> other(out.size());
      transform(true, 2, side(turned, shape), side(other, half));
      ASSERT_TRUE(
          std::equal(out.end() - (n / 2 + 1), out.end(), other.begin()));
    }
    transform(false, 2, side(out, half), side(back, shape));
    for (size_t i = 0; i < in.size(); ++i)
      ASSERT_NEAR(double(back[i]) / double(n), double(original[i]),
                  tolerance * 100);
    // Along the first dim: lines side by side, complex.
    std::vector<std::complex<T>> across(in.size());
    for (size_t i = 0; i < in.size(); ++i)
      across[i] = {original[i], original[in.size() - 1 - i]};
    const std::vector<Complex> start(across.begin(), across.end());
    const std::vector<int64_t> columns = {n, lines};
    for (const bool forward : {true, false}) {
      std::vector<std::complex<T>> result = across;
      transform(forward, 1, side(result, columns), side(result, columns));
      const auto expected = slow(start, columns, 1, forward ? -1 : 1);
      for (size_t i = 0; i < result.size(); ++i)
        ASSERT_LT(std::abs(Complex(result[i]) - expected[i]),
                  tolerance * double(n + 10));
    }
  }
}

/// What a filter does with modes: a factor of their place in the spectrum.
struct Factors {
  int64_t columns;
  std::atomic<int64_t> modes = 0;

  static void apply(void *args, int64_t first, int64_t step, int64_t count,
                    int64_t from, int64_t to, void *modes, int64_t next) {
    auto *self = static_cast<Factors *>(args);
    for (int64_t j = 0; j < count; ++j)
      for (int64_t k = from; k < to; ++k)
        static_cast<std::complex<float> *>(modes)[j * next + k - from] *=
            1.0F / float(1 + (first + j * step) * self->columns + k);
    self->modes += count * (to - from);
  }
};

/// A filter against a transform, a loop and a transform back, bit by bit.
void checkFilter(const std::vector<int64_t> &shape, uint32_t mask, bool real,
                 int threads) {
  SCOPED_TRACE(fmt::format("shape {} mask {} {} {} threads",
                           fmt::join(shape, "x"), mask,
                           real ? "real" : "complex", threads));
  auto context = fftContext(shape, threads);
  const int rank = int(shape.size());
  std::vector<int64_t> half = shape;
  int halved = 0;
  for (int d = 0; d < rank; ++d)
    if (mask >> d & 1)
      halved = d;
  if (real)
    half[size_t(halved)] = shape[size_t(halved)] / 2 + 1;
  int64_t count = real ? 1 : 2, stored = 1;
  for (int d = 0; d < rank; ++d) {
    count *= shape[size_t(d)];
    stored *= half[size_t(d)];
  }
  std::vector<float> in(static_cast<size_t>(count)), expected = in;
  fillNormal(1, 0, count, in.data());
  std::vector<std::complex<float>> spectrum(static_cast<size_t>(stored));
  auto describe = [&](std::vector<float> &values) {
    pmrt_array made = array(values, real ? PMRT_F32 : PMRT_C64, 0, rank);
    return made;
  };
  const pmrt_array from = describe(in), back = describe(expected);
  pmrt_array modes = array(spectrum, PMRT_C64, 0, rank);
  if (real)
    modes.dims[halved] = halved + rank;
  Factors factors{half.back()};
  pmrt_fft(context.get(), nullptr, 0, 1, mask, &from, &modes);
  Factors::apply(&factors, 0, 1, stored / half.back(), 0, half.back(),
                 spectrum.data(), half.back());
  pmrt_fft(context.get(), nullptr, 0, 0, mask, &modes, &back);
  factors.modes = 0;
  // The result replaces the input.
  pmrt_spectral_filter(context.get(), nullptr, 0, "filter", Factors::apply,
                       &factors, mask, &from, &modes, &from);
  EXPECT_EQ(factors.modes, stored);
  EXPECT_EQ(0, std::memcmp(in.data(), expected.data(), in.size() * 4));
}

TEST(FFT, Filters) {
  for (const int threads : {1, 3})
    for (const bool real : {true, false}) {
      for (const uint32_t mask : {1U, 2U, 4U, 3U, 5U, 6U, 7U})
        for (const std::vector<int64_t> &shape : {std::vector<int64_t>{6, 9, 8},
                                                  {1, 6, 1},
                                                  {40, 3, 70},
                                                  {300, 5, 41}})
          checkFilter(shape, mask, real, threads);
      checkFilter({1000}, 1, real, threads);
      checkFilter({64, 33, 2, 3}, 3, real, threads);
      // Half spectra in blocks of 16 columns: with one column, several and none
      // behind them, planes that threads share or not, and four dims.
      checkFilter({20, 24, 64}, 7, real, threads);
      checkFilter({37, 5, 100}, 7, real, threads);
      checkFilter({17, 9, 62}, 7, real, threads);
      checkFilter({2, 700, 130}, 7, real, threads);
      checkFilter({1, 1, 64}, 7, real, threads);
      checkFilter({16, 1, 66}, 7, real, threads);
      checkFilter({16, 1, 66}, 7, real, 17);
      checkFilter({16, 4, 1, 70}, 15, real, threads);
      checkFilter({1, 16, 1, 70}, 15, real, threads);
      checkFilter({3, 2, 70}, 7, real, threads);
      checkFilter({3, 4, 6, 70}, 15, real, threads);
      checkFilter({3, 4, 6, 70}, 14, real, threads);
    }
}

} // namespace

TEST(FFT, LinesOfAnyLengthInAnyLane) {
  for (int64_t n = 1; n <= 36; ++n)
    for (int64_t lines : {1, 3, 17}) {
      checkLines<float>(n, lines);
      checkLines<double>(n, lines);
    }
  // Radices 2 to 11, larger primes, and Bluestein's method.
  for (int64_t n : {64, 77, 96, 121, 128, 135, 149, 256, 286, 509}) {
    checkLines<float>(n, 18);
    checkLines<double>(n, 9);
  }
  // ducc0 cuts one long line into pieces for the lanes: a complex line of more
  // than 300 elements, and a real line of more than 1000.
  checkLines<float>(400, 1);
  checkLines<double>(400, 1);
  checkLines<double>(1008, 1);
}

TEST(FFT, PlanesWithFewLinesAtTheirEnds) {
  // Half spectra of 17 and 9 columns: one line beyond a vector of 16 or 8.
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{40, 6, 32}, {33, 5, 16}, {16, 7, 34}}) {
    checkReal<float>(shape, 7, 1e-6, PlanRigor::Measure);
    checkReal<double>(shape, 7, 1e-13, PlanRigor::Measure);
    checkReal<float>(shape, 6, 1e-6, PlanRigor::Measure);
  }
}

TEST(FFT, RealTransformsOverAnyDims) {
  for (PlanRigor plan : {PlanRigor::Estimate, PlanRigor::Fixed}) {
    for (uint32_t mask = 1; mask < 8; ++mask) {
      checkReal<double>({6, 5, 8}, mask, 1e-13, plan);
      checkReal<float>({6, 5, 8}, mask, 1e-6, plan);
      checkReal<double>({4, 6, 7}, mask, 1e-13, plan);   // odd halved dim
      checkReal<double>({3, 21, 38}, mask, 1e-13, plan); // groups of lines
    }
    checkReal<double>({9}, 1, 1e-13, plan);
    checkReal<double>({1, 4}, 3, 1e-13, plan);
  }
}

TEST(FFT, ComplexTransformsBothWaysAndInPlace) {
  const std::vector<int64_t> shape = {4, 6, 5};
  for (uint32_t mask : {1u, 2u, 5u, 7u})
    for (int way : {0, 1, 2, 3}) {
      const int forward = way % 2;
      auto context = fftContext(
          shape, 2, way < 2 ? PlanRigor::Estimate : PlanRigor::Fixed);
      std::vector<double> noise(2 * 120);
      fillNormal(3, 0, 240, noise.data());
      std::vector<Complex> in(120), out(120);
      std::memcpy(in.data(), noise.data(), sizeof(Complex) * 120);
      const auto want = slow(in, shape, mask, forward ? -1 : 1);
      const pmrt_array a = array(in, PMRT_C128, 0, 3);
      const pmrt_array b = array(out, PMRT_C128, 0, 3);
      pmrt_fft(context.get(), nullptr, 0, forward, mask, &a, &b);
      pmrt_fft(context.get(), nullptr, 0, forward, mask, &a, &a);
      for (size_t i = 0; i < 120; ++i) {
        ASSERT_LT(std::abs(out[i] - want[i]), 1e-11);
        ASSERT_LT(std::abs(in[i] - want[i]), 1e-11);
      }
    }
}

TEST(FFT, FixedPlansGiveTheSameBitsOnAnyThreads) {
  const int64_t n = 30, cells = n * n * n, half = n * n * (n / 2 + 1);
  std::vector<std::vector<std::complex<float>>> modes;
  std::vector<std::vector<float>> back;
  // Elsewhere in memory, too: plans are for an alignment.
  for (int threads : {1, 2, 3, 4})
    for (int64_t shift : {0, 1}) {
      auto context = fftContext({n, n, n}, threads, PlanRigor::Fixed);
      std::vector<float> in(size_t(cells + shift));
      std::vector<std::complex<float>> out(size_t(half + shift));
      pmrt_array a = array(in, PMRT_F32, 0, 3), b = array(out, PMRT_C64, 0, 3);
      a.data = in.data() + shift;
      b.data = out.data() + shift;
      b.dims[2] = 5;
      pmrt_white_noise(context.get(), nullptr, 0, 8, &a);
      pmrt_fft(context.get(), nullptr, 0, 1, 7, &a, &b);
      modes.emplace_back(out.begin() + shift, out.end());
      pmrt_fft(context.get(), nullptr, 0, 0, 7, &b, &a);
      back.emplace_back(in.begin() + shift, in.end());
      EXPECT_EQ(describePlans(*context).find("threads"), std::string::npos);
    }
  for (size_t i = 0; i < modes.size(); ++i) {
    EXPECT_EQ(modes[i], modes[0]);
    EXPECT_EQ(back[i], back[0]);
  }
}

TEST(FFT, UnplannedTransformsDoNotSpoilTheirInput) {
  Folder cache; // no wisdom yet: measuring must use other memory
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  auto context = fftContext({20, 12}, 2, PlanRigor::Measure);
  std::vector<double> in(240);
  fillNormal(1, 0, 240, in.data());
  const std::vector<double> original = in;
  std::vector<Complex> out(20 * 7);
  const pmrt_array a = array(in, PMRT_F64, 0, 2);
  pmrt_array b = array(out, PMRT_C128, 0, 2);
  b.dims[1] = 3;
  pmrt_fft(context.get(), nullptr, 0, 1, 3, &a, &b);
  EXPECT_EQ(in, original);
  double sum = 0;
  for (double x : original)
    sum += x;
  EXPECT_NEAR(out[0].real(), sum, 1e-10);
  unsetenv("XDG_CACHE_HOME");
}

TEST(FFT, ContextsOfOneProcessDoNotMeet) {
  std::vector<std::vector<std::complex<float>>> results(4);
  std::vector<std::thread> ranks;
  for (auto &result : results)
    ranks.emplace_back([&result] {
      auto context = fftContext({24, 24, 24}, 2, PlanRigor::Estimate);
      std::vector<float> in(24 * 24 * 24);
      const pmrt_array a = array(in, PMRT_F32, 0, 3);
      pmrt_white_noise(context.get(), nullptr, 0, 8, &a);
      result.resize(24 * 24 * 13);
      pmrt_array b = array(result, PMRT_C64, 0, 3);
      b.dims[2] = 5;
      for (int i = 0; i < 20; ++i)
        pmrt_fft(context.get(), nullptr, 0, 1, 7, &a, &b);
    });
  for (std::thread &rank : ranks)
    rank.join();
  for (const auto &result : results)
    EXPECT_EQ(result, results[0]);
}

TEST(FFT, WrongShapesAreInternalErrors) {
  auto context = fftContext({4, 6});
  std::vector<double> in(24);
  std::vector<Complex> out(24);
  const pmrt_array a = array(in, PMRT_F64, 0, 2);
  const pmrt_array b = array(out, PMRT_C128, 0, 2); // not halved
  EXPECT_CONTAINS(
      messageOf([&] { pmrt_fft(context.get(), nullptr, 0, 1, 3, &a, &b); }),
      "extents do not fit");
  EXPECT_CONTAINS(
      messageOf([&] { pmrt_fft(context.get(), nullptr, 0, 1, 4, &a, &b); }),
      "no such dims");
  EXPECT_CONTAINS(
      messageOf([&] { pmrt_fft(context.get(), nullptr, 0, 0, 3, &a, &b); }),
      "no such transform");
}
