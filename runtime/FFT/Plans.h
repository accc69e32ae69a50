//===- Plans.h - Plans of transforms ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_PLANS_H
#define PMRT_FFT_PLANS_H

#include "runtime/FFT/Problem.h"

#include <string>

namespace pmrt {

/// The plans of a device's transforms of local arrays, each made once.
class FftPlans {
public:
  virtual ~FftPlans() = default;

  /// Makes the plan. Overwrites `in` and `out`; if they are null, measures on
  /// temporary memory instead.
  virtual void plan(pmrt_loc loc, const FftProblem &problem, void *in,
                    void *out) = 0;
  /// The same on all ranks at once, of which some may have nothing to do
  /// (null): ranks with the same problem get the same plan.
  virtual void planTogether(pmrt_loc loc, const FftProblem *problem, void *in,
                            void *out) = 0;
  /// Transforms; plans on temporary memory if `plan` was not called.
  virtual void run(pmrt_loc loc, const FftProblem &problem, void *in,
                   void *out) = 0;
  /// Of the plans made so far: equal hashes, equal arithmetic. Empty if there
  /// are none, or if they follow from their problems.
  virtual std::string hash() const = 0;
};

/// What the last bits of this run's transforms depend on: how they were
/// planned, and a hash of the plans made so far, of all ranks. "none" without
/// any. A collective.
std::string describePlans(Context &context);

} // namespace pmrt

#endif // PMRT_FFT_PLANS_H
