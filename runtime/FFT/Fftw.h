//===- Fftw.h - The host's plans --------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_FFTW_H
#define PMRT_FFT_FFTW_H

#include "runtime/FFT/Lines.h"
#include "runtime/FFT/Plans.h"

#include <map>
#include <string>

namespace pmrt {

/// "estimate", "measure", "patient" or "fixed".
const char *rigorText(PlanRigor rigor);

/// Where a run with --checkpoint keeps what FFTW knew, so that the one that
/// goes on from there makes the same plans.
std::string checkpointWisdom(const Context &context, bool single);

/// FFTW's. Plans are measured once per machine and kept as wisdom in
/// $XDG_CACHE_HOME/pmc or ~/.cache/pmc.
class FftwPlans : public FftPlans {
public:
  explicit FftwPlans(Context &context) : context(context) {}
  ~FftwPlans() override;
  FftwPlans(const FftwPlans &) = delete;
  FftwPlans &operator=(const FftwPlans &) = delete;

  void plan(pmrt_loc loc, const FftProblem &problem, void *in,
            void *out) override;
  void planTogether(pmrt_loc loc, const FftProblem *problem, void *in,
                    void *out) override;
  void run(pmrt_loc loc, const FftProblem &problem, void *in,
           void *out) override;
  std::string hash() const override;

  /// All that FFTW knows in this process.
  static std::string knowledge(bool single);

private:
  struct Plan {
    void *handle = nullptr;
    bool single = false;
    std::string text;
  };

  Plan make(pmrt_loc loc, const FftProblem &problem, void *in, void *out);
  template <bool single>
  Plan makeTyped(pmrt_loc loc, const FftProblem &problem, void *in, void *out);
  void shareWisdom(const FftProblem *problem, bool leads, int leader);
  void loadWisdom(bool single);
  void saveWisdom(bool single);

  bool isFixed() const { return context.settings.plan == PlanRigor::Fixed; }

  Context &context;
  LinePlans lines; ///< where plans are fixed
  bool loaded[2] = {false, false};
  bool announced = false;
  bool complained = false;
  std::map<std::string, Plan> plans;
};

} // namespace pmrt

#endif // PMRT_FFT_FFTW_H
