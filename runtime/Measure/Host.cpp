//===- Host.cpp - What processors and transforms do -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Threads.h"
#include "runtime/FFT/Plans.h"
#include "runtime/Measure/Figures.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>

using namespace pmrt;
using namespace pmrt::measure;

#if defined(__x86_64__) && defined(__ELF__) && !defined(PMRT_NO_CLONES)
#define PMRT_CLONES                                                            \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PMRT_CLONES
#endif

Seconds measure::time(const std::function<void()> &turn, double budget) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  turn();
  std::vector<double> taken;
  for (const auto start = Clock::now();
       taken.size() < 5 || (since(start) < budget && taken.size() < 1000);) {
    const auto begin = Clock::now();
    turn();
    taken.push_back(since(begin));
  }
  std::sort(taken.begin(), taken.end());
  return {taken[taken.size() / 2], taken.front(), taken.back()};
}

std::string measure::text(const Seconds &figure) {
  return fmt::format("{:.4g} # {:.4g} to {:.4g}", figure.median, figure.least,
                     figure.most);
}

/// As a kernel of a map: reads and writes.
PMRT_CLONES
static void scale(const float *from, float *to, int64_t size, float factor) {
  for (int64_t i = 0; i < size; ++i)
    to[i] = factor * from[i];
}

/// Vectors of 64 bytes, as many as hide how long one operation takes.
template <typename T> struct alignas(64) Lanes {
  static constexpr int count = 8 * 64 / int(sizeof(T));
  T of[count];
};

/// Two operations on each of these numbers, in registers, `rounds` times.
PMRT_CLONES
static void calculate(Lanes<float> &lanes, int64_t rounds, float a, float b) {
  Lanes<float> own = lanes;
  for (int64_t r = 0; r < rounds; ++r)
    for (float &one : own.of)
      one = one * a + b;
  lanes = own;
}

PMRT_CLONES
static void calculate(Lanes<double> &lanes, int64_t rounds, double a,
                      double b) {
  Lanes<double> own = lanes;
  for (int64_t r = 0; r < rounds; ++r)
    for (double &one : own.of)
      one = one * a + b;
  lanes = own;
}

/// Operations/s of all threads together.
template <typename T>
static Seconds measureOperations(Threads &threads, double budget) {
  constexpr int64_t rounds = 1 << 20;
  std::vector<Lanes<T>> lanes(size_t(threads.count()));
  for (Lanes<T> &one : lanes)
    std::fill(std::begin(one.of), std::end(one.of), T(1));
  const Seconds taken = measure::time(
      [&] {
        threads.team(threads.count(), [&](int64_t thread) {
          calculate(lanes[size_t(thread)], rounds, T(0.999), T(1e-3));
        });
      },
      budget);
  return taken.rate(2.0 * rounds * Lanes<T>::count * threads.count());
}

HostFigures measure::measureHost(const Effort &effort) {
  Threads threads(0);
  HostFigures figures;
  const int64_t size = effort.bytes / 8;
  std::vector<float> from(static_cast<size_t>(size)), to(from.size());
  auto turn = [&] {
    threads.forRange(size, [&](int64_t begin, int64_t end) {
      scale(from.data() + begin, to.data() + begin, end - begin, 0.5F);
    });
  };
  figures.memory =
      measure::time(turn, effort.seconds).rate(double(effort.bytes));
  figures.single = measureOperations<float>(threads, effort.seconds);
  figures.exact = measureOperations<double>(threads, effort.seconds);
  std::atomic<int64_t> started = 0;
  figures.launch = measure::time(
      [&] { threads.team(threads.count(), [&](int64_t) { ++started; }); },
      effort.seconds);
  return figures;
}

/// Transforms of two dims of `length`, the first and the last of three, so that
/// one has its numbers as far apart as a transform of three dims has: bytes/s,
/// each dim read and written once.
static Seconds measureTransform(const Effort &effort, int64_t numbers,
                                int64_t length, bool single) {
  const int64_t batch = std::max<int64_t>(1, numbers / (length * length));
  Descriptor program;
  program.name = "measure";
  program.dims = {{"x", length, 1, DimKind::Space, {}},
                  {"b", batch, 1, DimKind::Space, {}},
                  {"z", length, 1, DimKind::Space, {}},
                  {"kx", length, 1, DimKind::Dual, {}},
                  {"kz", length, 1, DimKind::Dual, {}}};
  Settings settings;
  settings.quiet = true;
  settings.progress = ProgressMode::Never;
  settings.plan = effort.searches ? PlanRigor::Measure : PlanRigor::Estimate;
  pmrt_context context(program, settings, {}, {}, {});
  const int64_t bytes = batch * length * length * (single ? 8 : 16);
  std::vector<char> space(static_cast<size_t>(bytes)), modes(space.size());
  pmrt_array in = {}, out = {};
  in.data = space.data();
  out.data = modes.data();
  in.element = out.element = single ? PMRT_C64 : PMRT_C128;
  in.rank = out.rank = 3;
  for (int d : {0, 1, 2})
    in.dims[d] = d;
  out.dims[0] = 3;
  out.dims[1] = 1;
  out.dims[2] = 4;
  constexpr int mask = 0b101; // the dims that are transformed
  pmrt_plan_fft(&context, -1, 1, mask, &in, &out);
  return measure::time(
             [&] { pmrt_fft(&context, nullptr, -1, 1, mask, &in, &out); },
             effort.seconds)
      .rate(2.0 * 2.0 * double(bytes));
}

std::vector<TransformFigures> measure::measureTransforms(const Effort &effort,
                                                         double bandwidth) {
  std::vector<TransformFigures> all;
  for (int64_t numbers : effort.numbers) {
    TransformFigures &figures = all.emplace_back();
    figures.bytes = 2.0 * 8 * double(numbers); // in single precision
    for (int64_t length = 64; length <= effort.longest; length *= 2) {
      figures.lengths.push_back(length);
      // As many bytes in double precision, of half as many numbers.
      figures.single.push_back(
          measureTransform(effort, numbers, length, true).times(1 / bandwidth));
      figures.exact.push_back(
          measureTransform(effort, numbers / 2, length, false)
              .times(1 / bandwidth));
    }
  }
  return all;
}
