//===- Grid.h - Where a thread of a kernel is -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For kernels in C++, which any clang compiles to PTX, and any compiler to host
// code for the tests' fake driver (test/gpu/fake).
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_GRID_H
#define PMRT_CUDA_GRID_H

#include <stdint.h>

#ifdef __NVPTX__
#define PMRT_KERNEL extern "C" [[clang::device_kernel]]
extern __attribute__((address_space(3))) double pmrt_shared[];
#else
#define PMRT_KERNEL extern "C"
extern "C" {
int fakecuda_tid();
int fakecuda_ntid();
int fakecuda_ctaid();
int fakecuda_nctaid();
void fakecuda_barrier();
void *fakecuda_shared();
}
#endif

namespace pmrt::cuda {

#ifdef __NVPTX__
inline int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
inline int threads() { return __nvvm_read_ptx_sreg_ntid_x(); }
inline int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
inline int blocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }
/// Waits for all threads of the block.
inline void barrier() { __nvvm_bar_sync(0); }
/// The block's dynamic shared memory.
inline auto *shared() { return pmrt_shared; }
#else
inline int thread() { return fakecuda_tid(); }
inline int threads() { return fakecuda_ntid(); }
inline int block() { return fakecuda_ctaid(); }
inline int blocks() { return fakecuda_nctaid(); }
inline void barrier() { fakecuda_barrier(); }
inline auto *shared() { return static_cast<double *>(fakecuda_shared()); }
#endif

/// body(i) for this thread's items of [0, count).
template <typename Body> inline void forItems(int64_t count, const Body &body) {
  const int64_t stride = int64_t(blocks()) * threads();
  for (int64_t i = int64_t(block()) * threads() + thread(); i < count;
       i += stride)
    body(i);
}

} // namespace pmrt::cuda

#endif // PMRT_CUDA_GRID_H
