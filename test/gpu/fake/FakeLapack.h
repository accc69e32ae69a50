//===- FakeLapack.h - LAPACK's functions for fake libraries -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_FAKE_FAKELAPACK_H
#define PMC_TEST_GPU_FAKE_FAKELAPACK_H

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <type_traits>
#include <vector>

namespace fakecuda {

template <typename T>
inline constexpr bool isComplex = !std::is_floating_point_v<T>;

/// The functions of OpenBLAS, which is loaded by the first call.
template <typename T, typename Function> Function *lapack(const char *name) {
  static void *const library = [] {
    void *found = dlopen("libopenblas.so.0", RTLD_NOW);
    if (!found) {
      std::fprintf(stderr, "the simulated GPU factors matrices by OpenBLAS: "
                           "install it (Debian: libopenblas0)\n");
      std::abort();
    }
    if (void *set = dlsym(found, "openblas_set_num_threads"))
      reinterpret_cast<void (*)(int)>(set)(1);
    return found;
  }();
  const char letter = std::is_same_v<T, float>                 ? 's'
                      : std::is_same_v<T, double>              ? 'd'
                      : std::is_same_v<T, std::complex<float>> ? 'c'
                                                               : 'z';
  const std::string symbol = std::string(1, letter) + name + "_";
  void *found = dlsym(library, symbol.c_str());
  if (!found) {
    std::fprintf(stderr, "OpenBLAS has no %s\n", symbol.c_str());
    std::abort();
  }
  return reinterpret_cast<Function *>(found);
}

/// A copy of device memory for OpenBLAS, because its vector instructions read
/// beyond the end, where device memory is not accessible.
template <typename T> class HostCopy {
public:
  HostCopy(T *device, int64_t count)
      : device(device), count(count), host(size_t(count) + 64) {
    std::copy_n(device, count, host.data());
  }
  HostCopy(const HostCopy &) = delete;
  HostCopy &operator=(const HostCopy &) = delete;
  ~HostCopy() { std::copy_n(host.data(), count, device); }
  T *data() { return host.data(); }

private:
  T *device;
  int64_t count;
  std::vector<T> host;
};

/// The letters of LAPACK for the numbers of cuBLAS.
inline const char *fill(int mode) { return mode == 1 ? "U" : "L"; }
inline const char *operation(int number) {
  return number == 0 ? "N" : number == 1 ? "T" : "C";
}

} // namespace fakecuda

#endif // PMC_TEST_GPU_FAKE_FAKELAPACK_H
