//===- Transforms.cpp - ducc0's transforms against FFTW's ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     pmrt_fft_bench THREADS N...
//
// Processor time of a real transform of N^3 numbers, forward and back, by the
// runtime and by FFTW with plans of FFTW_MEASURE, in turn; the least of nine.
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Ducc.h"
#include "test/runtime/Support.h"

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fftw3.h>

using namespace pmrt;

namespace {

double processorTime() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

template <typename Body> void keepLeast(double &least, const Body &body) {
  const double begin = processorTime();
  body();
  least = std::min(least, processorTime() - begin);
}

void measure(int threads, int64_t n) {
  const int64_t half = n / 2 + 1, cells = n * n * n;
  Descriptor program;
  for (const DimKind kind : {DimKind::Space, DimKind::Half})
    for (int d = 0; d < 3; ++d)
      program.dims.push_back({"x", n, 1, kind, {}});
  const auto context = test::makeContext({}, threads, {}, program);
  auto *field = static_cast<float *>(fftwf_malloc(size_t(cells) * 4));
  auto *spectrum = static_cast<std::complex<float> *>(
      fftwf_malloc(size_t(n * n * half) * 8));
  auto *modes = reinterpret_cast<fftwf_complex *>(spectrum);
  fftwf_plan_with_nthreads(threads);
  const int size = int(n);
  fftwf_plan forward =
      fftwf_plan_dft_r2c_3d(size, size, size, field, modes, FFTW_MEASURE);
  fftwf_plan backward = fftwf_plan_dft_c2r_3d(
      size, size, size, modes, field, FFTW_MEASURE | FFTW_DESTROY_INPUT);
  auto fill = [&] {
    for (int64_t i = 0; i < cells; ++i)
      field[i] = float(uint64_t(i) * 2654435761U % 1000) / 1000 - 0.5F;
  };
  const FftSide real{PMRT_F32, {n, n, n}, field},
      complex{PMRT_C64, {n, n, half}, spectrum};
  const FftProblem there = fftProblem(*context, 0, true, 7, real, complex),
                   back = fftProblem(*context, 0, false, 7, complex, real);
  for (const LineInstructions *set : lineInstructions()) {
    DuccPlans plans(*context, *set);
    double least[4] = {1e9, 1e9, 1e9, 1e9};
    for (int turn = 0; turn < 9; ++turn) {
      fill();
      keepLeast(least[0], [&] { fftwf_execute(forward); });
      keepLeast(least[1], [&] { fftwf_execute(backward); });
      fill();
      keepLeast(least[2], [&] { plans.run(0, there, field, spectrum); });
      keepLeast(least[3], [&] { plans.run(0, back, spectrum, field); });
    }
    std::printf("%4d^3, %d threads, %-24s %8.2f and %8.2f ms, FFTW %8.2f and "
                "%8.2f ms, ratio %.2f\n",
                size, threads, set->name, least[2] * 1e3, least[3] * 1e3,
                least[0] * 1e3, least[1] * 1e3,
                (least[2] + least[3]) / (least[0] + least[1]));
  }
  fftwf_destroy_plan(forward);
  fftwf_destroy_plan(backward);
  fftwf_free(field);
  fftwf_free(spectrum);
}

} // namespace

int main(int count, char **arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: pmrt_fft_bench THREADS N...\n");
    return 1;
  }
  fftwf_init_threads();
  for (int i = 2; i < count; ++i)
    measure(std::atoi(arguments[1]), std::atoll(arguments[i]));
  return 0;
}
