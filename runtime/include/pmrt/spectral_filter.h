//===- spectral_filter.h - Filters of spectra -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_SPECTRAL_FILTER_H
#define PMRT_SPECTRAL_FILTER_H

#include "pmrt/pmrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Computes modes [from, to) of `count` rows of a spectrum from those that are
/// there: rows `first`, `first` + `step`, ... of all dims but the last. Mode
/// `from` of row j of them is element j * next of `modes`.
typedef void (*pmrt_filter_body)(void *args, int64_t first, int64_t step,
                                 int64_t count, int64_t from, int64_t to,
                                 void *modes, int64_t next);

/// pmrt_fft from `in` forwards to `spectrum`, the body once for each mode, and
/// pmrt_fft from `spectrum` backwards to `out`. Where the two transforms have
/// passes along one dim next to each other, the body gets blocks of lines
/// between them, else the whole spectrum. Destroys `spectrum`, and `in` if
/// out->data == in->data. `name`: what the profiler shows.
void pmrt_spectral_filter(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                          const char *name, pmrt_filter_body body, void *args,
                          uint32_t mask, const pmrt_array *in,
                          const pmrt_array *spectrum, const pmrt_array *out);

#ifdef __cplusplus
}
#endif

#endif // PMRT_SPECTRAL_FILTER_H
