//===- Blas.cpp - Products of matrices, by a library ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Host/Blas.h"

#include "runtime/Base/Error.h"
#include "runtime/Base/Text/Format.h"

#include <dlfcn.h>

using namespace pmrt;

static std::string missing;

static const Blas *load() {
  static Blas loaded;
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    missing = fmt::format("contractions run without OpenBLAS, several times "
                          "slower than with it ({}); install it (package "
                          "libopenblas0)",
                          reason ? reason : "not found");
    return nullptr;
  }
  auto get = [&](auto &member, const char *symbol) {
    member = reinterpret_cast<std::decay_t<decltype(member)>>(
        dlsym(library, symbol));
    return member != nullptr;
  };
  void (*setThreads)(int) = nullptr;
  if (!get(loaded.sgemm, "cblas_sgemm") || !get(loaded.dgemm, "cblas_dgemm") ||
      !get(setThreads, "openblas_set_num_threads"))
    throw usageError(
        "[PM9010] libopenblas.so.0 has no cblas_sgemm, cblas_dgemm or "
        "openblas_set_num_threads: it is not OpenBLAS");
  setThreads(1);
  return &loaded;
}

std::string pmrt::missingBlas() { return missing; }

const Blas *pmrt::blas() {
  static const Blas *const library = load();
  return library;
}
