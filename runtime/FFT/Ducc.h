//===- Ducc.h - The host's transforms by ducc0 ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform runs pass by pass, and in a pass several lines at a time in the
// lanes of vectors (LineKernels.h). Nothing is measured. The bits follow from
// the lines alone: not from threads, from memory or from earlier runs.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_DUCC_H
#define PMRT_FFT_DUCC_H

#include "runtime/FFT/Lines/ColumnBlocks.h"
#include "runtime/FFT/Lines/LinePasses.h"
#include "runtime/FFT/Plans.h"

#include <map>
#include <memory>
#include <span>
#include <tuple>

namespace pmrt {

/// The sets of instructions that this processor has, the best one first.
const std::vector<const LineInstructions *> &lineInstructions();

class DuccPlans : public FftPlans {
public:
  explicit DuccPlans(Context &context, const LineInstructions &instructions =
                                           *lineInstructions().front())
      : context(context), instructions(instructions) {}

  void plan(pmrt_loc loc, const FftProblem &problem, void *in,
            void *out) override;
  void planTogether(pmrt_loc loc, const FftProblem *problem, void *in,
                    void *out) override;
  void run(pmrt_loc loc, const FftProblem &problem, void *in,
           void *out) override;
  void filter(pmrt_loc loc, Threads &threads, const FftProblem &forward,
              const FftProblem &backward, const FftFilter &filter, void *in,
              void *spectrum, void *out) override;
  std::string hash() const override;
  std::string method() const override { return instructions.name; }

private:
  const LineTransform &transform(const FftProblem &problem,
                                 const LinePass &pass);
  void runPasses(const FftProblem &problem, std::span<const LinePass> passes,
                 void *in, void *out);
  /// The passes along the last two dims, with the spectrum in blocks.
  void runBlocks(const FftProblem &problem, const ColumnBlocks &blocks,
                 LinePass first, LinePass second, void *in, void *out);

  Context &context;
  const LineInstructions &instructions;
  /// By kind, precision, length, and whether lines are transformed alone.
  std::map<std::tuple<LineKind, bool, int64_t, bool>,
           std::unique_ptr<const LineTransform>>
      transforms;
};

} // namespace pmrt

#endif // PMRT_FFT_DUCC_H
