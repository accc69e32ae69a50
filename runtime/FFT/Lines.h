//===- Lines.h - Transforms line by line ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FFTW measures plans of whole arrays, and splits them among threads: so bits
// depend on clocks, threads and what is known. Here every line along a dim is
// copied, and transformed by one plan for its length that nothing is measured
// for. Its bits follow from the line alone.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_LINES_H
#define PMRT_FFT_LINES_H

#include "runtime/FFT/Problem.h"

#include <map>
#include <string>
#include <utility>

namespace pmrt {

class LinePlans {
public:
  LinePlans() = default;
  LinePlans(const LinePlans &) = delete;
  LinePlans &operator=(const LinePlans &) = delete;

  /// Makes the plans. False if FFTW has none. For this, and for the end, the
  /// caller has locked FFTW's planner.
  bool plan(const FftProblem &problem);
  void destroy();
  /// The last dim first; backwards, it is the last one. Destroys what complex
  /// numbers real ones are made of, as FFTW does. The plans are made.
  void run(Threads &threads, const FftProblem &problem, void *in, void *out);
  /// Of all plans, as FFTW prints them.
  std::string text() const;

private:
  struct Plan {
    void *handle = nullptr;
    bool single = false;
    std::string text;
  };
  using Key = std::pair<std::string, int64_t>; ///< kind and precision, length

  template <bool single> bool planTyped(const FftProblem &problem);
  template <bool single> struct Pass;
  template <bool single>
  void runTyped(Threads &threads, const FftProblem &problem, void *in,
                void *out);

  std::map<Key, Plan> plans;
};

} // namespace pmrt

#endif // PMRT_FFT_LINES_H
