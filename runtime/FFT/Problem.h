//===- Problem.h - A transform of local arrays ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_PROBLEM_H
#define PMRT_FFT_PROBLEM_H

#include "pmrt/pmrt.h"
#include "runtime/Core/Context.h"
#include "runtime/FFT/Lines/LineKernels.h"

#include <algorithm>
#include <string>
#include <vector>

namespace pmrt {

/// A dim of arrays: logical extent, strides of both arrays in elements.
struct FftDim {
  int64_t n, is, os;
};

/// What a plan depends on, besides threads and rigor (those of the context).
struct FftProblem {
  using Kind = LineKind;
  Kind kind = Kind::Forward;
  bool single = false;
  bool inPlace = false;
  int alignmentIn = 0, alignmentOut = 0; ///< addresses modulo 64
  std::vector<FftDim> dims;              ///< transformed, logical extents
  std::vector<FftDim> batches;           ///< not transformed
  int64_t bytesIn = 0, bytesOut = 0;
  /// Of the array of all ranks, in real space: as many on every mesh. Plans of
  /// a GPU that are fixed depend on it.
  int64_t wholeCells = 0;

  /// Everything above as text: the key of the plan cache.
  std::string key() const;
  /// "real 128x128x128 f32".
  std::string describe() const;
};

/// One side of a transform: what a rank holds of an array.
struct FftSide {
  pmrt_element element = PMRT_F32;
  std::vector<int64_t> shape;
  void *data = nullptr;

  bool empty() const {
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
  }
};

/// Checks shapes and elements, throws an internal error at `loc` if they do not
/// fit a transform.
FftProblem fftProblem(const Context &context, pmrt_loc loc, bool forward,
                      uint32_t mask, const FftSide &in, const FftSide &out);

} // namespace pmrt

#endif // PMRT_FFT_PROBLEM_H
