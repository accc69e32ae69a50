//===- Lines.cpp - Transforms line by line --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Lines.h"

#include "runtime/Base/Threads.h"
#include "runtime/FFT/Library.h"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

using namespace pmrt;
using Kind = FftProblem::Kind;

/// Neighbouring lines that are copied together: those along the first dims lie
/// far apart in memory, and their elements side by side.
static constexpr int64_t group = 16;
/// Of every line that is transformed: FFTW's plans are for one alignment.
static constexpr size_t alignment = 64;

static bool isReal(Kind kind) {
  return kind == Kind::RealToComplex || kind == Kind::ComplexToReal;
}

/// The transform along a dim that is not halved.
static Kind complexKind(Kind kind) {
  return kind == Kind::RealToComplex   ? Kind::Forward
         : kind == Kind::ComplexToReal ? Kind::Backward
                                       : kind;
}

static bool isBackward(Kind kind) {
  return kind == Kind::Backward || kind == Kind::ComplexToReal;
}

static std::pair<std::string, int64_t> keyOf(Kind kind, bool single,
                                             int64_t length) {
  return {fmt::format("{} {}", int(kind), single ? "f32" : "f64"), length};
}

namespace {

/// Memory of one alignment, for a group of lines.
class LineWorkspace {
public:
  LineWorkspace(int64_t lines, int64_t bytes)
      : stride((size_t(bytes) + alignment - 1) / alignment * alignment),
        data(static_cast<char *>(
            std::aligned_alloc(alignment, stride * size_t(lines)))) {
    if (!data)
      throw std::bad_alloc();
  }
  void *line(int64_t i) const { return data.get() + stride * size_t(i); }

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  size_t stride;
  std::unique_ptr<char, Free> data;
};

} // namespace

void LinePlans::destroy() {
  for (auto &[key, plan] : plans) {
    if (plan.single)
      Fftw<true>::destroy(static_cast<fftwf_plan>(plan.handle));
    else
      Fftw<false>::destroy(static_cast<fftw_plan>(plan.handle));
  }
  plans.clear();
}

std::string LinePlans::text() const {
  std::string all;
  for (const auto &[key, plan] : plans)
    all += fmt::format("{} {}\n{}\n", key.first, key.second, plan.text);
  return all;
}

template <bool single> bool LinePlans::planTyped(const FftProblem &problem) {
  using Lib = Fftw<single>;
  using Real = typename Lib::Real;
  using Complex = typename Lib::Complex;
  Lib::planWithThreads(1);
  for (size_t d = 0; d < problem.dims.size(); ++d) {
    const int64_t n = problem.dims[d].n;
    const bool halved = isReal(problem.kind) && d + 1 == problem.dims.size();
    const Kind kind = halved ? problem.kind : complexKind(problem.kind);
    if (plans.contains(keyOf(kind, single, n)))
      continue;
    const LineWorkspace a(1, (n + 2) * int64_t(sizeof(Complex))),
        b(1, (n + 2) * int64_t(sizeof(Complex)));
    const fftw_iodim64 dim = {n, 1, 1};
    constexpr unsigned flags = FFTW_ESTIMATE | FFTW_DESTROY_INPUT;
    auto *line = static_cast<Complex *>(a.line(0));
    typename Lib::Plan made =
        kind == Kind::RealToComplex
            ? Lib::planR2C(1, &dim, 0, nullptr, static_cast<Real *>(a.line(0)),
                           static_cast<Complex *>(b.line(0)), flags)
        : kind == Kind::ComplexToReal
            ? Lib::planC2R(1, &dim, 0, nullptr, line,
                           static_cast<Real *>(b.line(0)), flags)
            : Lib::planC2C(1, &dim, 0, nullptr, line, line,
                           kind == Kind::Forward ? FFTW_FORWARD : FFTW_BACKWARD,
                           flags);
    if (!made)
      return false;
    char *text = Lib::print(made);
    plans[keyOf(kind, single, n)] = {made, single, text ? text : ""};
    std::free(text);
  }
  return true;
}

bool LinePlans::plan(const FftProblem &problem) {
  return problem.single ? planTyped<true>(problem) : planTyped<false>(problem);
}

std::vector<LinePass> pmrt::linePasses(const FftProblem &problem) {
  const size_t rank = problem.dims.size();
  const bool backward = isBackward(problem.kind), real = isReal(problem.kind);
  const bool toReal = problem.kind == Kind::ComplexToReal;
  std::vector<LinePass> passes;
  for (size_t step = 0; step < rank; ++step) {
    const size_t d = backward ? step : rank - 1 - step;
    const bool halved = real && d + 1 == rank;
    // Complex numbers are replaced where they lie, before they become real
    // ones and after they have come from such; others after the first pass.
    LinePass pass;
    pass.toOut = !toReal || halved;
    pass.fromIn = toReal || step == 0;
    pass.kind = halved ? problem.kind : complexKind(problem.kind);
    const auto loop = [&](int64_t count, const fftw_iodim64 &dim) {
      return LineLoop{count, pass.fromIn ? dim.is : dim.os,
                      pass.toOut ? dim.os : dim.is};
    };
    const LineLoop along = loop(problem.dims[d].n, problem.dims[d]);
    pass.n = along.count;
    pass.from = along.from;
    pass.to = along.to;
    for (size_t other = 0; other < rank; ++other) {
      if (other == d)
        continue;
      const fftw_iodim64 &dim = problem.dims[other];
      const bool half = real && other + 1 == rank;
      pass.loops.push_back(loop(half ? dim.n / 2 + 1 : dim.n, dim));
    }
    for (const fftw_iodim64 &dim : problem.batches)
      pass.loops.push_back(loop(dim.n, dim));
    std::stable_sort(
        pass.loops.begin(), pass.loops.end(),
        [](const LineLoop &a, const LineLoop &b) { return a.from > b.from; });
    passes.push_back(std::move(pass));
  }
  return passes;
}

/// One dim of an array.
template <bool single> struct LinePlans::Pass : LinePass {
  using Lib = Fftw<single>;
  using Real = typename Lib::Real;
  using Complex = std::complex<Real>;
  using FftwComplex = typename Lib::Complex;

  typename Lib::Plan plan;
  const void *in;
  void *out;

  void run(Threads &threads) const {
    // Groups of neighbours along the last loop.
    const LineLoop inner = loops.empty() ? LineLoop{1, 0, 0} : loops.back();
    const int64_t groups = (inner.count + group - 1) / group;
    int64_t outer = 1;
    for (size_t i = 0; i + 1 < loops.size(); ++i)
      outer *= loops[i].count;
    threads.forRange(outer * groups, [&](int64_t begin, int64_t end) {
      const LineWorkspace before(group, (n + 2) * int64_t(sizeof(Complex))),
          after(group, (n + 2) * int64_t(sizeof(Complex)));
      for (int64_t item = begin; item < end; ++item) {
        const int64_t first = item % groups * group;
        int64_t rest = item / groups;
        int64_t read = first * inner.from, write = first * inner.to;
        for (size_t i = loops.empty() ? 0 : loops.size() - 1; i-- > 0;) {
          read += rest % loops[i].count * loops[i].from;
          write += rest % loops[i].count * loops[i].to;
          rest /= loops[i].count;
        }
        transform(std::min(group, inner.count - first), read, inner.from, write,
                  inner.to, before, after);
      }
    });
  }

private:
  void transform(int64_t lines, int64_t read, int64_t nextRead, int64_t write,
                 int64_t nextWrite, const LineWorkspace &before,
                 const LineWorkspace &after) const {
    if (kind == Kind::RealToComplex)
      copyIn(static_cast<const Real *>(in) + read, lines, nextRead, before);
    else
      copyIn(static_cast<const Complex *>(in) + read, lines, nextRead, before);
    for (int64_t i = 0; i < lines; ++i) {
      auto *complex = static_cast<FftwComplex *>(before.line(i));
      if (kind == Kind::RealToComplex)
        Lib::runR2C(plan, static_cast<Real *>(before.line(i)),
                    static_cast<FftwComplex *>(after.line(i)));
      else if (kind == Kind::ComplexToReal)
        Lib::runC2R(plan, complex, static_cast<Real *>(after.line(i)));
      else
        Lib::runC2C(plan, complex, complex);
    }
    const LineWorkspace &result = isReal(kind) ? after : before;
    if (kind == Kind::ComplexToReal)
      copyOut(static_cast<Real *>(out) + write, lines, nextWrite, result);
    else
      copyOut(static_cast<Complex *>(out) + write, lines, nextWrite, result);
  }

  template <typename T>
  void copyIn(const T *source, int64_t lines, int64_t next,
              const LineWorkspace &workspace) const {
    T *at[group];
    for (int64_t i = 0; i < lines; ++i)
      at[i] = static_cast<T *>(workspace.line(i));
    const int64_t cells = cellsIn();
    if (from == 1) {
      for (int64_t i = 0; i < lines; ++i)
        std::copy_n(source + i * next, cells, at[i]);
      return;
    }
    for (int64_t j = 0; j < cells; ++j)
      for (int64_t i = 0; i < lines; ++i)
        at[i][j] = source[j * from + i * next];
  }

  template <typename T>
  void copyOut(T *target, int64_t lines, int64_t next,
               const LineWorkspace &workspace) const {
    const T *at[group];
    for (int64_t i = 0; i < lines; ++i)
      at[i] = static_cast<const T *>(workspace.line(i));
    const int64_t cells = cellsOut();
    if (to == 1) {
      for (int64_t i = 0; i < lines; ++i)
        std::copy_n(at[i], cells, target + i * next);
      return;
    }
    for (int64_t j = 0; j < cells; ++j)
      for (int64_t i = 0; i < lines; ++i)
        target[j * to + i * next] = at[i][j];
  }
};

template <bool single>
void LinePlans::runTyped(Threads &threads, const FftProblem &problem, void *in,
                         void *out) {
  for (LinePass &each : linePasses(problem)) {
    Pass<single> pass;
    static_cast<LinePass &>(pass) = std::move(each);
    pass.plan = static_cast<typename Fftw<single>::Plan>(
        plans.at(keyOf(pass.kind, single, pass.n)).handle);
    pass.in = pass.fromIn ? in : out;
    pass.out = pass.toOut ? out : in;
    pass.run(threads);
  }
}

void LinePlans::run(Threads &threads, const FftProblem &problem, void *in,
                    void *out) {
  if (problem.single)
    runTyped<true>(threads, problem, in, out);
  else
    runTyped<false>(threads, problem, in, out);
}
