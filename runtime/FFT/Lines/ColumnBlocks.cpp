//===- ColumnBlocks.cpp - Half spectra in blocks of columns ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Lines/ColumnBlocks.h"

#include <algorithm>

using namespace pmrt;

/// Two cache lines. The vector of the real or imaginary parts of the columns of
/// a block is at most one cache line.
static constexpr int64_t blockBytes = 128;

std::optional<ColumnBlocks> ColumnBlocks::make(const FftProblem &forward,
                                               const FftProblem &backward) {
  if (forward.kind != LineKind::RealToComplex ||
      backward.kind != LineKind::ComplexToReal || forward.dims.size() < 3 ||
      !forward.batches.empty() || !backward.batches.empty())
    return std::nullopt;
  const size_t last = forward.dims.size() - 1;
  ColumnBlocks made;
  made.rows = forward.dims[last - 1].n;
  // Else lines side by side are in different planes.
  if (made.rows < 2)
    return std::nullopt;
  made.columns = forward.dims[last].n / 2 + 1;
  made.width = blockBytes / (forward.single ? 8 : 16);
  // The strides of dense memory, so that a plane is one piece of it.
  int64_t step = 1;
  for (size_t d = last + 1; d-- > 0;) {
    if (forward.dims[d].os != step || backward.dims[d].is != step)
      return std::nullopt;
    step *= d == last ? made.columns : forward.dims[d].n;
  }
  if (made.columns < 2 * made.width)
    return std::nullopt;
  return made;
}

ColumnBlocks::Place ColumnBlocks::find(int64_t element) const {
  if (element >= restBegin(0)) {
    const int64_t behind = element - restBegin(0);
    return {behind % rows, inBlocks() + behind / rows, 1};
  }
  const int64_t within = element % width;
  return {element % blockStep() / width, element / blockStep() * width + within,
          width - within};
}

/// The stride of the loop in the spectrum, which is the pass's input or output.
static int64_t inSpectrum(const LinePass &pass, const LineLoop &loop) {
  return pass.kind == LineKind::ComplexToReal ? loop.from : loop.to;
}

void ColumnBlocks::placeRows(LinePass &pass) const {
  for (LineLoop &loop : pass.loops)
    if (loop.count == rows && inSpectrum(pass, loop) == columns)
      (pass.kind == LineKind::ComplexToReal ? loop.from : loop.to) = width;
}

LinePass ColumnBlocks::inBlocks(LinePass pass) const {
  pass.from = pass.to = width;
  std::erase_if(pass.loops, [](const LineLoop &loop) { return loop.to == 1; });
  pass.loops.push_back({columns / width, blockStep(), blockStep()});
  pass.loops.push_back({width, 1, 1});
  return pass;
}

LinePass ColumnBlocks::rest(LinePass pass) const {
  pass.from = pass.to = 1;
  std::erase_if(pass.loops, [](const LineLoop &loop) { return loop.to == 1; });
  pass.loops.push_back({rest(), rows, rows});
  return pass;
}
