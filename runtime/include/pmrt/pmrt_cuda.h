//===- pmrt_cuda.h - What programs for GPUs call besides ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program for CUDA is the same descriptor and entry ("target": "cuda"), and
// device code. Its main is pmrt_main_cuda. Then:
//
// * pmrt_buffer gives device addresses; every pmrt_array of a buffer has space
//   PMRT_DEVICE. All calls of pmrt.h that take arrays take such ones:
//   transforms, noise, zero, copy, inputs, outputs, plots, reshards, sums,
//   halos. Those that take bodies (pmrt_parallel_for, pmrt_parallel_reduce,
//   pmrt_scatter) do not exist here: kernels take their place.
// * pmrt_halo::rows is a table in device memory; the other members are for the
//   host, which hands them to kernels as arguments.
// * Tables are filled, checked and looked up on the host as ever; kernels use
//   the copy of pmrt_table_device.
// * Each rank has one stream, the null queue: calls and kernels run in order,
//   and the host does not wait. What brings numbers to the host waits
//   (pmrt_reduce_scalars, outputs, plots).
//
// The CUDA driver and cuFFT are loaded when the program starts, not linked.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PMRT_CUDA_H
#define PMRT_PMRT_CUDA_H

#include "pmrt/pmrt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pmrt_image_kind {
  PMRT_IMAGE_PTX = 0, ///< text that ends with a NUL, for any GPU from `arch` on
  PMRT_IMAGE_CUBIN = 1,  ///< machine code for `arch`
  PMRT_IMAGE_FATBIN = 2, ///< several of these; the driver chooses
} pmrt_image_kind;

/// The program's kernels, all of them, for some GPUs.
typedef struct pmrt_image {
  int32_t kind; ///< pmrt_image_kind
  int32_t arch; ///< 90 for sm_90
  int64_t size; ///< bytes
  const void *data;
} pmrt_image;

typedef struct pmrt_device_code {
  int64_t count;
  const pmrt_image *images;
} pmrt_device_code;

/// pmrt_main for a GPU a rank. The image is the cubin of the GPU's own
/// architecture if there is one, or of a lower minor version of it, else a
/// fatbin, else the PTX.
int pmrt_main_cuda(int argc, char **argv, const pmrt_program *program,
                   const pmrt_device_code *code);

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Runs a kernel of the program's code on enough blocks of `threads` threads
/// for `items` items, at most as many blocks as fill the GPU a few times: the
/// kernel has a grid-stride loop. `args[i]` is the address of argument i, whose
/// size the kernel knows; both may be gone after the call. `shared`: bytes of
/// dynamic shared memory. `name`: what the profiler shows; `bytes`: the
/// kernel's memory traffic, for the profiler. `kernel` must be a constant
/// (its address is remembered). No items: no launch.
void pmrt_launch(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                 const char *name, const char *kernel, int64_t items,
                 int32_t threads, int32_t shared, void **args, int64_t bytes);

/// The same on exactly `blocks` blocks, for kernels whose result depends on it.
void pmrt_launch_blocks(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                        const char *name, const char *kernel, int64_t blocks,
                        int32_t threads, int32_t shared, void **args,
                        int64_t bytes);

/// Device address of a word that is 0 until a kernel stores a fault in it:
/// (uint64_t(code) << 32) | uint32_t(loc). The runtime looks at it whenever it
/// is called, and throws, at that location; any one of several is told.
uint64_t *pmrt_fault_word(pmrt_context *ctx);

typedef enum pmrt_fault {
  PMRT_FAULT_POSITION = 1,  ///< "position is not finite, or too large"
  PMRT_FAULT_UNDEFINED = 2, ///< "undefined behavior", of checked builds
} pmrt_fault;

//===----------------------------------------------------------------------===//
// Reductions: kernels leave one partial result a block, which are combined in a
// fixed order. With the kernel's own order fixed by blocks and threads, results
// are the same bits every time, and on every GPU.
//===----------------------------------------------------------------------===//

/// How many blocks to run for `count` items and `width` accumulators: a
/// function of the two alone.
int64_t pmrt_reduction_blocks(int64_t count, int64_t width);

/// Device memory for partial results, partials[block * width + i], filled with
/// the neutral element of `kind` (0, +infinity, -infinity). Valid until it is
/// reduced, or asked for again.
double *pmrt_partials(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                      pmrt_reduction kind, int64_t blocks, int64_t width);

/// Combines them into out[0 .. width), on the host, and waits for it. NaN beats
/// everything in a minimum or maximum. Blocks = 0: the neutral element.
void pmrt_reduce_scalars(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                         const char *name, pmrt_reduction kind, int64_t blocks,
                         int64_t width, const double *partials, double *out);

/// Combines them into fields of equal dims on the device, rounded to their
/// elements: accumulator part * cells + cell goes to cell `cell` of
/// outs[part]. Does not wait.
void pmrt_finish_fields(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                        const char *name, pmrt_reduction kind, int64_t blocks,
                        const double *partials, int32_t parts,
                        const pmrt_array *const *outs);

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Fills `device` with the size and the device addresses of x and y of a
/// checked table, copied there on first use. A kernel gets the three as
/// arguments.
void pmrt_table_device(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                       const pmrt_table *table, pmrt_table *device);

#ifdef __cplusplus
}
#endif

#endif // PMRT_PMRT_CUDA_H
