//===- LinePasses.cpp - Transforms dim by dim ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Lines/LinePasses.h"

#include <algorithm>
#include <utility>

using namespace pmrt;
using Kind = FftProblem::Kind;

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
    const auto loop = [&](int64_t count, const FftDim &dim) {
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
      const FftDim &dim = problem.dims[other];
      const bool half = real && other + 1 == rank;
      pass.loops.push_back(loop(half ? dim.n / 2 + 1 : dim.n, dim));
    }
    for (const FftDim &dim : problem.batches)
      pass.loops.push_back(loop(dim.n, dim));
    std::stable_sort(
        pass.loops.begin(), pass.loops.end(),
        [](const LineLoop &a, const LineLoop &b) { return a.from > b.from; });
    passes.push_back(std::move(pass));
  }
  return passes;
}
