//===- FFT.cpp - Fourier transforms of the ABI ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Op.h"
#include "runtime/FFT/Plans.h"

using namespace pmrt;

static bool hasElements(Context &ctx, pmrt_loc loc, const pmrt_array &array) {
  return ctx.elements(loc, array) > 0;
}

void pmrt_plan_fft(pmrt_context *ctx, pmrt_loc loc, int32_t forward,
                   uint32_t mask, const pmrt_array *in, const pmrt_array *out) {
  Op op(*ctx, loc, "plan_fft");
  const FftProblem problem =
      fftProblem(*ctx, loc, forward != 0, mask, *in, *out);
  if (hasElements(*ctx, loc, *in) && hasElements(*ctx, loc, *out))
    FftPlans::of(*ctx).plan(loc, problem, in->data, out->data);
}

void pmrt_fft(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc, int32_t forward,
              uint32_t mask, const pmrt_array *in, const pmrt_array *out) {
  const FftProblem problem =
      fftProblem(*ctx, loc, forward != 0, mask, *in, *out);
  Op op(*ctx, loc, forward ? "fft" : "ifft",
        problem.bytesIn + problem.bytesOut);
  if (hasElements(*ctx, loc, *in) && hasElements(*ctx, loc, *out))
    FftPlans::of(*ctx).execute(loc, problem, in->data, out->data);
}
