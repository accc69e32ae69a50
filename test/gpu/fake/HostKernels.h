//===- HostKernels.h - Kernels as functions of the host ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_FAKE_HOSTKERNELS_H
#define PMC_TEST_GPU_FAKE_HOSTKERNELS_H

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fakecuda {

/// What the fake driver needs of a kernel written in C++.
template <auto kernel> struct HostKernel;
template <typename... Params, void (*kernel)(Params...)>
struct HostKernel<kernel> {
  static constexpr std::array<int32_t, 1 + sizeof...(Params)> sizes = {
      int32_t(sizeof...(Params)), int32_t(sizeof(Params))...};
  static void call(void **args) {
    [&]<size_t... i>(std::index_sequence<i...>) {
      kernel(*static_cast<Params *>(args[i])...);
    }(std::index_sequence_for<Params...>());
  }
};

/// One of the runtime's own kernels. False if there is none of that name.
bool runtimeKernel(std::string_view name, void (*&host)(void **),
                   const int32_t *&sizes);

} // namespace fakecuda

/// NAME.host and NAME.sizes of a kernel.
#define FAKECUDA_KERNEL(NAME)                                                  \
  extern "C" __attribute__((used, visibility("default"))) void NAME##Host(     \
      void **args) asm(#NAME ".host");                                         \
  void NAME##Host(void **args) { fakecuda::HostKernel<NAME>::call(args); }     \
  extern "C" __attribute__((visibility("default")))                            \
  const decltype(fakecuda::HostKernel<NAME>::sizes) NAME##Sizes asm(#NAME      \
                                                                    ".sizes"); \
  const decltype(fakecuda::HostKernel<NAME>::sizes) NAME##Sizes =              \
      fakecuda::HostKernel<NAME>::sizes;

#endif // PMC_TEST_GPU_FAKE_HOSTKERNELS_H
