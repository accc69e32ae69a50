//===- FFT.h - Seconds of a transform over ranks -------------- -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A three-dimensional transform as pmc, cuDecomp and jaxDecomp do it: the field
// is cut along its first two dims by the two axes of a mesh, each dim is
// transformed where it lies whole, and for each axis with several ranks there
// is a transpose.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_FFT_H
#define PMC_CODEGEN_MACHINE_FFT_H

#include "codegen/Machine/TimeModel.h"

#include <array>

namespace pmc::machine {

struct FFTTask {
  std::array<int64_t, 3> size{};
  std::array<int64_t, 2> mesh{1, 1};
  Precision precision = Precision::F32;
  bool real = false; ///< of real numbers: half of the modes are kept
  bool inverse = false;
  /// Messages go to one rank after the other and overlap with packing.
  bool pipelined = false;
  /// Each dim lies contiguous when it is transformed (an option of cuDecomp).
  bool contiguous = true;
  std::string library = "pmc";
  std::string transport; ///< empty: the library's
};

/// Seconds of a transform, and what they go to.
struct FFTTime {
  double transforms = 0, passes = 0, messages = 0, launches = 0;
  double total() const { return transforms + passes + messages + launches; }
};

llvm::Expected<FFTTime> predictFFT(const Machine &machine, const FFTTask &task);

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_FFT_H
