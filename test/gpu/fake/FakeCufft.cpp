//===- FakeCufft.cpp - cuFFT's functions by FFTW --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the fake CUDA driver: as strict as cuFFT about workspaces, which must be
// set and are overwritten.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeCuda.h"

#include <cstring>
#include <fftw3.h>
#include <map>
#include <mutex>
#include <vector>

namespace {

constexpr int success = 0, invalidPlan = 1, invalidValue = 4, execFailed = 6,
              noWorkspace = 0xD;

struct Plan {
  int type = 0;
  std::vector<fftw_iodim64> dims;
  fftw_iodim64 batch = {1, 0, 0};
  size_t workBytes = 0;
  void *work = nullptr, *stream = nullptr;
  bool automatic = true;
};

std::mutex lock; // FFTW's planner is not re-entrant
std::map<int, Plan> plans;
int made = 0;

Plan *find(int handle) {
  auto it = plans.find(handle);
  return it == plans.end() ? nullptr : &it->second;
}

template <typename Make, typename Run, typename Destroy>
int once(const Make &make, const Run &run, const Destroy &destroy) {
  const std::lock_guard guard(lock);
  fftw_plan_with_nthreads(1);
  fftwf_plan_with_nthreads(1);
  auto *plan = make();
  if (!plan)
    return execFailed;
  run(plan);
  destroy(plan);
  return success;
}

/// One transform, when its turn has come. FFTW overwrites no data when it
/// estimates.
int transform(const Plan &p, void *in, void *out, int sign) {
  std::memset(p.work, 0xFF, p.workBytes);
  const auto rank = int(p.dims.size());
  const auto *dims = p.dims.data();
  constexpr unsigned flags = FFTW_ESTIMATE;
#define DOUBLE_OR_SINGLE(P, REAL)                                              \
  switch (p.type & 0xF) {                                                      \
  case 0xA:                                                                    \
    return once(                                                               \
        [&] {                                                                  \
          return P##plan_guru64_dft_r2c(                                       \
              rank, dims, 1, &p.batch, static_cast<REAL *>(in),                \
              static_cast<P##complex *>(out), flags);                          \
        },                                                                     \
        P##execute, P##destroy_plan);                                          \
  case 0xC:                                                                    \
    return once(                                                               \
        [&] {                                                                  \
          return P##plan_guru64_dft_c2r(rank, dims, 1, &p.batch,               \
                                        static_cast<P##complex *>(in),         \
                                        static_cast<REAL *>(out), flags);      \
        },                                                                     \
        P##execute, P##destroy_plan);                                          \
  default:                                                                     \
    return once(                                                               \
        [&] {                                                                  \
          return P##plan_guru64_dft(                                           \
              rank, dims, 1, &p.batch, static_cast<P##complex *>(in),          \
              static_cast<P##complex *>(out), sign, flags);                    \
        },                                                                     \
        P##execute, P##destroy_plan);                                          \
  }
  if (p.type < 0x60) {
    DOUBLE_OR_SINGLE(fftwf_, float)
  }
  DOUBLE_OR_SINGLE(fftw_, double)
#undef DOUBLE_OR_SINGLE
}

int execute(int handle, void *in, void *out, int sign, int type) {
  Plan plan;
  {
    const std::lock_guard guard(lock);
    const Plan *known = find(handle);
    if (!known || known->type != type)
      return invalidPlan;
    plan = *known;
  }
  if (plan.automatic || !plan.work)
    return noWorkspace;
  fakecuda::enqueue(plan.stream, [plan, in, out, sign] {
    return transform(plan, in, out, sign) == success ? 0 : 719;
  });
  return success;
}

} // namespace

extern "C" {

int cufftGetVersion(int *version) {
  *version = 12000;
  return success;
}

int cufftCreate(int *handle) {
  const std::lock_guard guard(lock);
  *handle = ++made;
  plans[*handle] = {};
  return success;
}

int cufftDestroy(int handle) {
  const std::lock_guard guard(lock);
  return plans.erase(handle) ? success : invalidPlan;
}

int cufftSetAutoAllocation(int handle, int automatic) {
  const std::lock_guard guard(lock);
  Plan *plan = find(handle);
  if (!plan)
    return invalidPlan;
  plan->automatic = automatic != 0;
  return success;
}

int cufftMakePlanMany64(int handle, int rank, long long *n, long long *inEmbed,
                        long long inStride, long long inDist,
                        long long *outEmbed, long long outStride,
                        long long outDist, int type, long long batch,
                        size_t *work) {
  fakecuda::called(__func__);
  const std::lock_guard guard(lock);
  Plan *plan = find(handle);
  if (!plan || !plan->dims.empty())
    return invalidPlan;
  if (rank < 1 || rank > 3 || batch < 1)
    return invalidValue;
  plan->type = type;
  plan->dims.resize(size_t(rank));
  long long in = inStride, out = outStride, cells = batch;
  for (int d = rank; d-- > 0;) {
    plan->dims[size_t(d)] = {ptrdiff_t(n[d]), ptrdiff_t(in), ptrdiff_t(out)};
    in *= inEmbed[d];
    out *= outEmbed[d];
    cells *= n[d];
  }
  plan->batch = {ptrdiff_t(batch), ptrdiff_t(inDist), ptrdiff_t(outDist)};
  plan->workBytes = size_t(cells) * (type < 0x60 ? 8 : 16);
  *work = plan->workBytes;
  return success;
}

int cufftSetWorkArea(int handle, void *work) {
  const std::lock_guard guard(lock);
  Plan *plan = find(handle);
  if (!plan)
    return invalidPlan;
  plan->work = work;
  return success;
}

int cufftSetStream(int handle, void *stream) {
  const std::lock_guard guard(lock);
  Plan *plan = find(handle);
  if (!plan)
    return invalidPlan;
  plan->stream = stream;
  return success;
}

int cufftExecR2C(int h, void *in, void *out) {
  return execute(h, in, out, -1, 0x2a);
}
int cufftExecC2R(int h, void *in, void *out) {
  return execute(h, in, out, 1, 0x2c);
}
int cufftExecC2C(int h, void *in, void *out, int sign) {
  return execute(h, in, out, sign, 0x29);
}
int cufftExecD2Z(int h, void *in, void *out) {
  return execute(h, in, out, -1, 0x6a);
}
int cufftExecZ2D(int h, void *in, void *out) {
  return execute(h, in, out, 1, 0x6c);
}
int cufftExecZ2Z(int h, void *in, void *out, int sign) {
  return execute(h, in, out, sign, 0x69);
}

} // extern "C"
