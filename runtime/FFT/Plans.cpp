//===- Plans.cpp - Plans of transforms -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Plans.h"

#include "runtime/Base/Format.h"
#include "runtime/Base/Hash.h"
#include "runtime/FFT/Fftw.h"

using namespace pmrt;

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
  // Fixed plans do not depend on threads.
  const bool fixed = context.settings.plan == PlanRigor::Fixed;
  return fmt::format(
      "--plan {}{}, plans {}", rigorText(context.settings.plan),
      fixed ? "" : fmt::format(" --threads {}", context.threads.count()),
      all.value().text());
}
