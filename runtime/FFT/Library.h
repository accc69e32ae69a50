//===- Library.h - FFTW in both precisions ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_LIBRARY_H
#define PMRT_FFT_LIBRARY_H

#include <fftw3.h>

namespace pmrt {

/// FFTW's functions by precision.
template <bool single> struct Fftw;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define PMRT_FFTW_FUNCTIONS(SINGLE, REAL, P)                                   \
  template <> struct Fftw<SINGLE> {                                            \
    using Real = REAL;                                                         \
    using Complex = P##complex;                                                \
    using Plan = P##plan;                                                      \
    static constexpr auto initThreads = P##init_threads;                       \
    static constexpr auto setCallback = P##threads_set_callback;               \
    static constexpr auto planWithThreads = P##plan_with_nthreads;             \
    static constexpr auto planR2C = P##plan_guru64_dft_r2c;                    \
    static constexpr auto planC2R = P##plan_guru64_dft_c2r;                    \
    static constexpr auto planC2C = P##plan_guru64_dft;                        \
    static constexpr auto runR2C = P##execute_dft_r2c;                         \
    static constexpr auto runC2R = P##execute_dft_c2r;                         \
    static constexpr auto runC2C = P##execute_dft;                             \
    static constexpr auto destroy = P##destroy_plan;                           \
    static constexpr auto print = P##sprint_plan;                              \
    static constexpr auto alignment = P##alignment_of;                         \
    static constexpr auto importWisdom = P##import_wisdom_from_string;         \
    static constexpr auto exportWisdom = P##export_wisdom_to_string;           \
  }
// NOLINTEND(bugprone-macro-parentheses)

PMRT_FFTW_FUNCTIONS(true, float, fftwf_);
PMRT_FFTW_FUNCTIONS(false, double, fftw_);

#undef PMRT_FFTW_FUNCTIONS

} // namespace pmrt

#endif // PMRT_FFT_LIBRARY_H
