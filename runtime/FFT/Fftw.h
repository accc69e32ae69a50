//===- Fftw.h - The host's transforms by FFTW --------------------*- C++
//-*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_FFTW_H
#define PMRT_FFT_FFTW_H

#include "runtime/FFT/Plans.h"

#include <map>
#include <string>

namespace pmrt {

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
  std::string method() const override;
  /// All that FFTW knows in this process.
  std::string knowledge(bool single) const override;
  std::string forecast(bool single) const override;
  void warmUp(bool single) override;

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

  Context &context;
  bool loaded[2] = {false, false};
  bool announced = false;
  bool complained = false;
  std::map<std::string, Plan> plans;
};

} // namespace pmrt

#endif // PMRT_FFT_FFTW_H
