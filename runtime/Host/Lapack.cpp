//===- Lapack.cpp - Factorizations of matrices, by a library --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Host/Lapack.h"

#include "runtime/Base/Error.h"
#include "runtime/Host/Blas.h"

#include <algorithm>
#include <dlfcn.h>
#include <mutex>
#include <string>

using namespace pmrt;

/// "dgetrf_" of getrf and double.
template <typename T> static std::string symbolOf(const char *name) {
  const char letter = std::is_same_v<T, float>                 ? 's'
                      : std::is_same_v<T, double>              ? 'd'
                      : std::is_same_v<T, std::complex<float>> ? 'c'
                                                               : 'z';
  return std::string(1, letter) + name + "_";
}

/// An open library, with one thread (Host/Blas.h).
static void *library() {
  if (!blas())
    throw usageError(
        "[PM9010] matrices over dims require OpenBLAS, which is not found "
        "(libopenblas.so.0); install it (package libopenblas0)");
  static void *const handle = dlopen("libopenblas.so.0", RTLD_NOW);
  return handle;
}

static void *find(const std::string &symbol) {
  void *found = dlsym(library(), symbol.c_str());
  if (!found)
    throw usageError(
        "[PM9010] libopenblas.so.0 has no {}: it is without LAPACK; "
        "install the package libopenblas0",
        symbol);
  return found;
}

template <typename T> static Lapack<T> load() {
  Lapack<T> made{};
  const auto get = [](auto &member, const char *name) {
    member = reinterpret_cast<std::decay_t<decltype(member)>>(
        find(symbolOf<T>(name)));
  };
  get(made.gemm, "gemm");
  get(made.getrf, "getrf");
  get(made.getrs, "getrs");
  get(made.trtrs, "trtrs");
  get(made.potrf, "potrf");
  if constexpr (isComplexNumber<T>) {
    get(made.heevd, "heevd");
    get(made.complexGesdd, "gesdd");
    get(made.complexGelsd, "gelsd");
  } else {
    get(made.syevd, "syevd");
    get(made.gesdd, "gesdd");
    get(made.gelsd, "gelsd");
  }
  return made;
}

template <typename T> const Lapack<T> &pmrt::lapack() {
  static const Lapack<T> loaded = load<T>();
  return loaded;
}

template const Lapack<float> &pmrt::lapack();
template const Lapack<double> &pmrt::lapack();
template const Lapack<std::complex<float>> &pmrt::lapack();
template const Lapack<std::complex<double>> &pmrt::lapack();

// The thread sanitizer does not see how the threads of OpenBLAS wait for each
// other, and would report them.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PMRT_LAPACK_ONE_THREAD
#endif
#endif
#ifdef PMRT_LAPACK_ONE_THREAD
static constexpr int mostThreads = 1;
#else
static constexpr int mostThreads = 1 << 16;
#endif

static std::mutex threadsInUse;

static void setThreads(int count) {
  using Set = void (*)(int);
  reinterpret_cast<Set>(find("openblas_set_num_threads"))(count);
}

LapackThreads::LapackThreads(int count) {
  count = std::min(count, mostThreads);
  if (count <= 1 || !threadsInUse.try_lock())
    return;
  isSet = true;
  setThreads(count);
}

LapackThreads::~LapackThreads() {
  if (!isSet)
    return;
  setThreads(1);
  threadsInUse.unlock();
}
