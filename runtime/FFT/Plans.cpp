//===- Plans.cpp - Plans of transforms -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Plans.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Hash.h"
#include "runtime/FFT/Ducc.h"
#ifdef PMRT_FFTW
#include "runtime/FFT/Fftw.h"
#endif

using namespace pmrt;

void FftPlans::filter(pmrt_loc loc, Threads &threads, const FftProblem &forward,
                      const FftProblem &backward, const FftFilter &filter,
                      void *in, void *spectrum, void *out) {
  run(loc, forward, in, spectrum);
  filterRows(threads, filter, spectrum);
  run(loc, backward, spectrum, out);
}

void pmrt::filterRows(Threads &threads, const FftFilter &filter,
                      void *spectrum) {
  threads.forRange(filter.rows, [&](int64_t begin, int64_t end) {
    filter.body(filter.args, begin, 1, end - begin, 0, filter.columns,
                static_cast<char *>(spectrum) +
                    begin * filter.columns * filter.bytes,
                filter.columns);
  });
}

std::string pmrt::describePlans(Context &context) {
  const std::string own = context.device->ffts().hash();
  int64_t any = !own.empty();
  context.world.reduce(PMRT_MAX, 1, &any);
  if (!any)
    return "none";
  const Digest mine = hashOf(own);
  Hash all;
  for (const uint64_t word : mine.words)
    for (const int64_t theirs : context.world.gather(int64_t(word)))
      all.add(&theirs, sizeof theirs);
  // Over ranks, fixed plans transpose for one order of dims.
  const bool ordered =
      context.settings.plan == PlanRigor::Fixed && !context.alone();
  return fmt::format("{}{}, plans {}", context.device->ffts().method(),
                     ordered ? ", dims in order" : "", all.value().text());
}

std::unique_ptr<FftPlans> pmrt::makeHostPlans(Context &context) {
#ifdef PMRT_FFTW
  if (context.settings.plan != PlanRigor::Fixed)
    return std::make_unique<FftwPlans>(context);
#endif
  return std::make_unique<DuccPlans>(context);
}

const char *pmrt::rigorText(PlanRigor rigor) {
  return rigor == PlanRigor::Estimate  ? "estimate"
         : rigor == PlanRigor::Measure ? "measure"
         : rigor == PlanRigor::Patient ? "patient"
                                       : "fixed";
}

std::string pmrt::keptPlansPath(const Context &context, bool single) {
  return fmt::format("{}/{}.{}.wisdom", context.settings.checkpoint,
                     context.program.name, single ? "f32" : "f64");
}

bool pmrt::plansAreMeasured() {
#ifdef PMRT_FFTW
  return true;
#else
  return false;
#endif
}
