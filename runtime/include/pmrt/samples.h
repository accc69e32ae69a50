//===- samples.h - Samples of streamed inputs -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_SAMPLES_H
#define PMRT_SAMPLES_H

#include "pmrt/pmrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How many samples a streamed input has. Throws if it was not given.
int64_t pmrt_sample_count(pmrt_context *ctx, pmrt_loc loc, int32_t input);
/// Reads sample `sample` of a stream, or, if `index` is not null, those whose
/// numbers (i64, over the first dim of `out`) it has. Throws if there is no
/// such sample, or its file is not as it should be.
void pmrt_samples(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                  int64_t sample, const pmrt_array *index,
                  const pmrt_array *out);
/// The next pmrt_samples of this stream will want these: begins to read them,
/// into the buffer of the plan that the descriptor names. Numbers that no
/// sample has are none, and what cannot be read is an error of pmrt_samples.
void pmrt_prefetch_samples(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                           int64_t sample, const pmrt_array *index);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // PMRT_SAMPLES_H
