//===- CuFft.h - cuFFT, loaded at run time ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_CUFFT_H
#define PMRT_CUDA_CUFFT_H

#include "runtime/CUDA/Driver.h"
#include "runtime/CUDA/Libraries/Library.h"
#include "runtime/FFT/Lines/LinePasses.h"
#include "runtime/FFT/Plans.h"

#include <map>
#include <string>
#include <vector>

namespace pmrt::cuda {

#define PMRT_CUFFT(X)                                                          \
  X(version, "cufftGetVersion", int (*)(int *))                                \
  X(create, "cufftCreate", int (*)(int *))                                     \
  X(destroy, "cufftDestroy", int (*)(int))                                     \
  X(autoAllocate, "cufftSetAutoAllocation", int (*)(int, int))                 \
  X(makePlan, "cufftMakePlanMany64",                                           \
    int (*)(int, int, long long *, long long *, long long, long long,          \
            long long *, long long, long long, int, long long, size_t *))      \
  X(setWork, "cufftSetWorkArea", int (*)(int, void *))                         \
  X(setStream, "cufftSetStream", int (*)(int, Stream))                         \
  X(r2c, "cufftExecR2C", int (*)(int, void *, void *))                         \
  X(c2r, "cufftExecC2R", int (*)(int, void *, void *))                         \
  X(c2c, "cufftExecC2C", int (*)(int, void *, void *, int))                    \
  X(d2z, "cufftExecD2Z", int (*)(int, void *, void *))                         \
  X(z2d, "cufftExecZ2D", int (*)(int, void *, void *))                         \
  X(z2z, "cufftExecZ2Z", int (*)(int, void *, void *, int))

struct CuFft {
  PMRT_FUNCTIONS(PMRT_CUFFT)

  /// "CUFFT_ALLOC_FAILED (2)".
  static std::string text(int error);
};

/// Loads it, once. Throws Exit::Usage with what is missing.
const CuFft &cufft();

/// One call of cuFFT: up to 3 dims, one batch, and what is looped over.
struct FftCall {
  FftProblem::Kind kind = FftProblem::Kind::Forward;
  bool single = false;
  std::vector<FftDim> dims; ///< outermost first
  /// cuFFT refuses distances of 0, of a single transform, too.
  FftDim batch = {1, 1, 1};
  std::vector<FftDim> loops; ///< calls, at these strides
  bool fromIn = true;        ///< else from the output, in place
  bool toOut = true;         ///< else to the input, in place

  std::string key() const;
};

/// How cuFFT does a transform: real transforms of more than three dims take the
/// last three and then the others, in place on the complex side.
std::vector<FftCall> fftCalls(const FftProblem &problem);

/// The call for a block of lines of a pass: dense, one behind the other, as
/// many on every mesh.
FftCall lineCall(const FftProblem &problem, const LinePass &pass);

/// The plans of a rank; they share one workspace, as they run one after the
/// other.
class CuFftPlans : public FftPlans {
public:
  CuFftPlans(Context &context, MemorySource &memory)
      : context(context), memory(memory) {}
  ~CuFftPlans() override { clear(); }
  CuFftPlans(const CuFftPlans &) = delete;
  CuFftPlans &operator=(const CuFftPlans &) = delete;

  /// Before the first plan.
  void setStream(Stream chosen) { stream = chosen; }
  void clear();
  void plan(pmrt_loc loc, const FftProblem &problem, void *in,
            void *out) override;
  /// Nothing is measured: every rank plans its own.
  void planTogether(pmrt_loc loc, const FftProblem *problem, void *in,
                    void *out) override {
    if (problem)
      plan(loc, *problem, in, out);
  }
  void run(pmrt_loc loc, const FftProblem &problem, void *in,
           void *out) override;
  std::string hash() const override { return ""; }
  std::string method() const override { return "cuFFT"; }
  /// Bytes of workspaces. In a dry run they are not allocated.
  int64_t workBytes() const {
    return std::max(work.size(), workNeeded) +
           std::max(lines.size(), linesNeeded);
  }

private:
  struct Plan {
    int handle = 0;
    size_t work = 0;
    char *workPlace = nullptr; ///< as the plan knows it
  };

  void check(int error, const FftProblem &problem, const char *action) const;
  /// Makes a workspace large enough.
  void reserve(const FftProblem &problem, Pages &pages, int64_t &needed,
               int64_t bytes);
  Plan &planOf(const FftProblem &problem, const FftCall &call);
  void execute(const FftProblem &problem, const FftCall &call, char *from,
               char *to);
  /// Whether lines are packed: where bits must not depend on how many lines a
  /// rank has, and where calls would begin at what cuFFT refuses.
  bool isByLines(const std::vector<FftCall> &calls) const;
  void planLines(const FftProblem &problem);
  void runLines(const FftProblem &problem, void *in, void *out);

  Context &context;
  MemorySource &memory;
  Stream stream = nullptr;
  std::map<std::string, Plan> plans;
  Pages work;
  Pages lines; ///< those of one call, before and after
  int64_t workNeeded = 0, linesNeeded = 0; ///< bytes; in a dry run
};

} // namespace pmrt::cuda

#endif // PMRT_CUDA_CUFFT_H
