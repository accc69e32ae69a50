//===- LinePasses.h - Transforms dim by dim ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform over several dims as one pass for each dim, in which every line
// along that dim is transformed by itself.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_LINEPASSES_H
#define PMRT_FFT_LINEPASSES_H

#include "runtime/FFT/Problem.h"

#include <vector>

namespace pmrt {

/// A dim that lines lie side by side along: cells, strides.
struct LineLoop {
  int64_t count, from, to;
};

/// What is done along one dim: all lines, between two arrays or in one.
struct LinePass {
  FftProblem::Kind kind = FftProblem::Kind::Forward;
  int64_t n = 0;            ///< cells of a line, in real space
  int64_t from = 0, to = 0; ///< strides along it
  bool fromIn = true;       ///< else from the output, in place
  bool toOut = true;        ///< else to the input, in place
  /// Other dims, the one with the least stride last.
  std::vector<LineLoop> loops;

  int64_t cellsIn() const {
    return kind == FftProblem::Kind::ComplexToReal ? n / 2 + 1 : n;
  }
  int64_t cellsOut() const {
    return kind == FftProblem::Kind::RealToComplex ? n / 2 + 1 : n;
  }
};

/// The passes of a transform: the last dim first; backwards, it is the last
/// one. Complex numbers that real ones are made of are replaced where they lie.
std::vector<LinePass> linePasses(const FftProblem &problem);

} // namespace pmrt

#endif // PMRT_FFT_LINEPASSES_H
