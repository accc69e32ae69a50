//===- Stages.h - A transform over ranks, step by step ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of pmrt/transposes.h on a mesh of ranks, and where the data lies
// between them. They depend on the layouts only: all ranks find the same.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_STAGES_H
#define PMRT_FFT_STAGES_H

#include "runtime/Dist/Layout.h"

#include <optional>
#include <vector>

namespace pmrt {

enum class FftType { RealToComplex, ComplexToReal, Complex };

/// A transform as a whole.
struct FftTask {
  FftType type = FftType::Complex;
  uint32_t mask = 0; ///< dims to transform
  Layout in, out;
  /// In one order on every mesh; which one, `backward` says.
  bool ordered = false, backward = false;
};

/// One step: a transform of some dims (`mask` not 0) or a transpose.
struct FftStage {
  uint32_t mask = 0;
  Layout from, to;
  bool realFrom = false, realTo = false; ///< elements before and after
};

/// The steps; nothing if the layouts allow none.
std::optional<std::vector<FftStage>> findStages(const Mesh &mesh,
                                                const FftTask &task);

/// Where data lies between steps.
enum class FftPlace { In, Out, WorkA, WorkB };

/// What a step needs to know of memory: the place of the data after each step.
struct FftPlaces {
  std::vector<FftPlace> after;
  int64_t workA = 0, workB = 0; ///< bytes
};

/// Local bytes of an array of a stage; `size`: bytes of a real number.
int64_t fftBytes(const Mesh &mesh, const Layout &layout, bool real,
                 int64_t size);

/// What the arrays of a transform hold on this rank.
struct FftCapacities {
  int64_t in = 0, out = 0; ///< bytes
  bool inPlace = false;    ///< input and output are one array
  std::string kinds;       ///< of the arrays, the same on all ranks
};

/// The least workspace. The input of a complex-to-real transform may be
/// destroyed.
FftPlaces placeStages(const Mesh &mesh, const FftTask &task,
                      const std::vector<FftStage> &stages,
                      const FftCapacities &capacities, int64_t size);

/// The bytes of the complex array of a transform (the output, of two) with
/// which it holds the complex numbers between all steps, where that takes
/// little more.
int64_t fftCapacity(const Mesh &mesh, const FftTask &task,
                    const std::vector<FftStage> &stages, int64_t size);

} // namespace pmrt

#endif // PMRT_FFT_STAGES_H
