//===- RuntimeKernels.cpp - The runtime's kernels on the CPU --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Kernels.h"
#include "test/gpu/fake/HostKernels.h"

namespace {
struct Entry {
  std::string_view name;
  void (*host)(void **);
  const int32_t *sizes;
};
} // namespace

#define ENTRY(NAME)                                                            \
  {#NAME, fakecuda::HostKernel<NAME>::call,                                    \
   fakecuda::HostKernel<NAME>::sizes.data()}

static const Entry kernels[] = {ENTRY(pmrt_noise_f32),
                                ENTRY(pmrt_noise_f64),
                                ENTRY(pmrt_non_finite_f32),
                                ENTRY(pmrt_non_finite_f64),
                                ENTRY(pmrt_convolve_f32),
                                ENTRY(pmrt_convolve_f64),
                                ENTRY(pmrt_convolve_reduced_f32),
                                ENTRY(pmrt_convolve_reduced_f64),
                                ENTRY(pmrt_patches_f32),
                                ENTRY(pmrt_patches_f64),
                                ENTRY(pmrt_matrix_check),
                                ENTRY(pmrt_matrix_transpose),
                                ENTRY(pmrt_matrix_hermitian),
                                ENTRY(pmrt_matrix_finish),
                                ENTRY(pmrt_matrix_divide),
                                ENTRY(pmrt_widen_f32),
                                ENTRY(pmrt_widen_f64),
                                ENTRY(pmrt_halo_rows),
                                ENTRY(pmrt_fill_f64),
                                ENTRY(pmrt_combine),
                                ENTRY(pmrt_combine_f32),
                                ENTRY(pmrt_combine_f64),
                                ENTRY(pmrt_combine_i64),
                                ENTRY(pmrt_copy_1),
                                ENTRY(pmrt_copy_4),
                                ENTRY(pmrt_copy_8),
                                ENTRY(pmrt_copy_16),
                                ENTRY(pmrt_add_i8),
                                ENTRY(pmrt_add_i64),
                                ENTRY(pmrt_add_f32),
                                ENTRY(pmrt_add_f64),
                                ENTRY(pmrt_min_f32),
                                ENTRY(pmrt_min_f64),
                                ENTRY(pmrt_max_f32),
                                ENTRY(pmrt_max_f64)};

bool fakecuda::runtimeKernel(std::string_view name, void (*&host)(void **),
                             const int32_t *&sizes) {
  for (const Entry &entry : kernels)
    if (entry.name == name) {
      host = entry.host;
      sizes = entry.sizes;
      return true;
    }
  return false;
}
