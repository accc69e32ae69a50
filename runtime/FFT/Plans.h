//===- Plans.h - Plans of transforms ----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_PLANS_H
#define PMRT_FFT_PLANS_H

#include "pmrt/spectral_filter.h"
#include "runtime/FFT/Problem.h"

#include <memory>
#include <string>

namespace pmrt {

/// What is done with the modes between two transforms.
struct FftFilter {
  pmrt_filter_body body;
  void *args;
  int64_t rows, columns; ///< of the spectrum; columns: along its last dim
  int64_t bytes;         ///< of a mode
};

/// Filters all rows of the spectrum.
void filterRows(Threads &threads, const FftFilter &filter, void *spectrum);

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
  /// Transforms `in` to `spectrum`, filters, and transforms `spectrum` to
  /// `out`. The host's memory.
  virtual void filter(pmrt_loc loc, Threads &threads, const FftProblem &forward,
                      const FftProblem &backward, const FftFilter &filter,
                      void *in, void *spectrum, void *out);
  /// Of the plans made so far: equal hashes, equal arithmetic. Empty if there
  /// are none, or if they follow from their problems.
  virtual std::string hash() const = 0;
  /// How they are made, in a few words; equal words and hashes, equal bits.
  virtual std::string method() const = 0;
  /// What a later run needs to make the same plans, for a precision. Empty if
  /// it needs nothing.
  virtual std::string knowledge(bool /*single*/) const { return ""; }
  /// What a dry run says about them.
  virtual std::string forecast(bool /*single*/) const { return method(); }
  /// Uses the memory that the first transform of a precision needs for good.
  virtual void warmUp(bool /*single*/) {}
};

/// What the last bits of this run's transforms depend on: the method, and a
/// hash of the plans made so far, of all ranks. "none" without any. A
/// collective.
std::string describePlans(Context &context);

/// The host's plans: those of ducc0, or of FFTW in builds with PMC_FFTW, unless
/// plans are fixed.
std::unique_ptr<FftPlans> makeHostPlans(Context &context);

/// Where a run with --checkpoint keeps the knowledge of its plans, so that the
/// one that goes on from there makes the same ones.
std::string keptPlansPath(const Context &context, bool single);

/// Whether the host's plans may be measured: in builds with PMC_FFTW.
bool plansAreMeasured();

/// "estimate", "measure", "patient" or "fixed".
const char *rigorText(PlanRigor rigor);

} // namespace pmrt

#endif // PMRT_FFT_PLANS_H
