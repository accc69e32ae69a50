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
#include <vector>

namespace pmrt {

/// A dim that lines lie side by side along: cells, strides.
struct LineLoop {
  int64_t count, from, to;
};

/// What is done along one dim: all lines, between two arrays or in one.
struct LinePass {
  FftProblem::Kind kind = FftProblem::Kind::Forward;
  int64_t n = 0;            ///< cells of a line, in real space
  int64_t from = 0, to = 0; ///< strides along it
  bool fromIn = true;       ///< else from the output, in place
  bool toOut = true;        ///< else to the input, in place
  /// Other dims, the one with the least stride last.
  std::vector<LineLoop> loops;

  int64_t cellsIn() const {
    return kind == FftProblem::Kind::ComplexToReal ? n / 2 + 1 : n;
  }
  int64_t cellsOut() const {
    return kind == FftProblem::Kind::RealToComplex ? n / 2 + 1 : n;
  }
};

/// The passes of a transform: the last dim first; backwards, it is the last
/// one. Complex numbers that real ones are made of are replaced where they lie.
std::vector<LinePass> linePasses(const FftProblem &problem);

class LinePlans {
public:
  LinePlans() = default;
  LinePlans(const LinePlans &) = delete;
  LinePlans &operator=(const LinePlans &) = delete;

  /// Makes the plans. False if FFTW has none. For this, and for the end, the
  /// caller has locked FFTW's planner.
  bool plan(const FftProblem &problem);
  void destroy();
  /// Pass by pass. Destroys what complex numbers real ones are made of, as FFTW
  /// does. The plans are made.
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
