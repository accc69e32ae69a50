//===- FakeCufft.cpp - cuFFT's functions by FFTW --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the fake CUDA driver: as strict as cuFFT about workspaces, which must be
// set and are overwritten, and about real numbers, which must be aligned as
// complex ones. All lines of a batch of lines go through the same instructions,
// as FFTW's would not, wherever they lie; but of two real lines of an odd
// length the second has other bits, as on an H200. With FAKECUFFT_PLANS=1 other
// plans have other bits: by strides and batch.
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Library.h"
#include "test/gpu/fake/FakeCuda.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fftw3.h>
#include <limits>
#include <map>
#include <mutex>
#include <type_traits>
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

/// Memory as FFTW requires it.
template <typename T> class Line {
public:
  explicit Line(ptrdiff_t cells)
      : data(static_cast<T *>(fftw_malloc(size_t(cells) * sizeof(T)))) {}
  ~Line() { fftw_free(data); }
  Line(const Line &) = delete;
  Line &operator=(const Line &) = delete;
  T *get() const { return data; }

private:
  T *data;
};

/// One transform, when its turn has come. FFTW overwrites no data when it
/// estimates.
template <bool single> class Transform {
  using Lib = pmrt::Fftw<single>;
  using Real = typename Lib::Real;
  using Complex = typename Lib::Complex;

public:
  Transform(const Plan &p, int sign) : p(p), sign(sign) {}

  int run(void *in, void *out) const {
    switch (p.type & 0xF) {
    case 0xA:
      return run(static_cast<Real *>(in), n, static_cast<Complex *>(out),
                 n / 2 + 1);
    case 0xC:
      return run(static_cast<Complex *>(in), n / 2 + 1,
                 static_cast<Real *>(out), n);
    default:
      return run(static_cast<Complex *>(in), n, static_cast<Complex *>(out), n);
    }
  }

private:
  bool isReal() const { return (p.type & 0xF) != 9; }

  template <typename In, typename Out>
  int run(In *in, ptrdiff_t cellsIn, Out *out, ptrdiff_t cellsOut) const {
    const std::lock_guard guard(lock);
    Lib::planWithThreads(1);
    const bool isLine = p.dims.size() == 1;
    const int done = isLine ? runLines(in, cellsIn, out, cellsOut)
                            : runOnce(p.dims, &p.batch, in, out,
                                      [&](auto run) { run(in, out); });
    if (done == success)
      disturb(reinterpret_cast<Real *>(out), cellsOut,
              std::is_same_v<Out, Real> ? 1 : 2);
    return done;
  }

  /// Lines that are transformed by one plan, each in the same memory.
  template <typename In, typename Out>
  int runLines(const In *in, ptrdiff_t cellsIn, Out *out,
               ptrdiff_t cellsOut) const {
    const fftw_iodim64 &dim = p.dims.front();
    const Line<In> before(cellsIn);
    const Line<Out> after(cellsOut);
    return runOnce(
        {{n, 1, 1}}, nullptr, before.get(), after.get(), [&](auto run) {
          for (ptrdiff_t b = 0; b < p.batch.n; ++b) {
            for (ptrdiff_t i = 0; i < cellsIn; ++i)
              std::memcpy(before.get() + i, in + b * p.batch.is + i * dim.is,
                          sizeof(In));
            run(before.get(), after.get());
            if (isReal() && n % 2 != 0 && b % 2 != 0)
              *reinterpret_cast<Real *>(after.get()) *=
                  1 + std::numeric_limits<Real>::epsilon();
            for (ptrdiff_t i = 0; i < cellsOut; ++i)
              std::memcpy(out + b * p.batch.os + i * dim.os, after.get() + i,
                          sizeof(Out));
          }
        });
  }

  template <typename In, typename Out, typename Body>
  int runOnce(const std::vector<fftw_iodim64> &dims, const fftw_iodim64 *batch,
              In *in, Out *out, const Body &body) const {
    constexpr unsigned flags = FFTW_ESTIMATE;
    const auto rank = int(dims.size());
    typename Lib::Plan plan;
    if constexpr (std::is_same_v<In, Real>)
      plan =
          Lib::planR2C(rank, dims.data(), batch ? 1 : 0, batch, in, out, flags);
    else if constexpr (std::is_same_v<Out, Real>)
      plan =
          Lib::planC2R(rank, dims.data(), batch ? 1 : 0, batch, in, out, flags);
    else
      plan = Lib::planC2C(rank, dims.data(), batch ? 1 : 0, batch, in, out,
                          sign, flags);
    if (!plan)
      return execFailed;
    body([&](In *from, Out *to) {
      if constexpr (std::is_same_v<In, Real>)
        Lib::runR2C(plan, from, to);
      else if constexpr (std::is_same_v<Out, Real>)
        Lib::runC2R(plan, from, to);
      else
        Lib::runC2C(plan, from, to);
    });
    Lib::destroy(plan);
    return success;
  }

  /// Another rounding for another plan.
  void disturb(Real *out, ptrdiff_t cells, ptrdiff_t parts) const {
    static const bool wanted = std::getenv("FAKECUFFT_PLANS") != nullptr;
    if (!wanted)
      return;
    size_t kind = size_t(p.type) * 31 + size_t(p.batch.n) * 3;
    for (const fftw_iodim64 &dim : p.dims)
      kind = kind * 5 + size_t(dim.n + 3 * dim.is + 11 * dim.os);
    const auto factor =
        Real(1 + double(kind % 7) * std::numeric_limits<Real>::epsilon());
    const ptrdiff_t stride = p.dims.back().os;
    for (ptrdiff_t b = 0; b < p.batch.n; ++b)
      for (ptrdiff_t i = 0; i < cells; ++i)
        for (ptrdiff_t part = 0; part < parts; ++part)
          out[(b * p.batch.os + i * stride) * parts + part] *= factor;
  }

  const Plan &p;
  int sign;
  ptrdiff_t n = p.dims.back().n;
};

int transform(const Plan &p, void *in, void *out, int sign) {
  std::memset(p.work, 0xFF, p.workBytes);
  return p.type < 0x60 ? Transform<true>(p, sign).run(in, out)
                       : Transform<false>(p, sign).run(in, out);
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
  const void *real = (type & 0xF) == 0xA   ? in
                     : (type & 0xF) == 0xC ? out
                                           : nullptr;
  if (uintptr_t(real) % (type < 0x60 ? 8 : 16) != 0)
    return invalidValue;
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
  // cuFFT 12 refuses distances of 0 even where there is one transform.
  if (rank < 1 || rank > 3 || batch < 1 || inDist < 1 || outDist < 1)
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
