//===- pmrt.h - The C ABI between generated programs and the runtime ------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything a generated program may call. The program holds no global mutable
// state: all of it hangs on the context, so several contexts (ranks) can live
// in one process. Every call that computes takes a queue and arrays with a
// memory space, so that devices need no second ABI.
//
// Errors: a function that cannot do its work throws a C++ exception through
// the generated code (which is compiled with unwind tables); pmrt_main catches
// it, prints `FILE:LINE:COL: error: ...` and picks the exit code.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PMRT_H
#define PMRT_PMRT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMRT_ABI_VERSION 1
#define PMRT_MAX_RANK 8

/// One rank's state: parameters, mesh position, memory, plans, files, profile.
typedef struct pmrt_context pmrt_context;

/// An ordered stream of work. The CPU has one, the null queue.
typedef struct pmrt_queue pmrt_queue;

/// Index into the descriptor's "locations" ("nbody.pm:14:9"); -1: none.
typedef int32_t pmrt_loc;

typedef enum pmrt_element {
  PMRT_F32 = 0,
  PMRT_F64 = 1,
  PMRT_C64 = 2,  ///< complex<float>, interleaved
  PMRT_C128 = 3, ///< complex<double>, interleaved
  PMRT_I8 = 4,   ///< a boolean mask, 0 or 1
  PMRT_I64 = 5,
} pmrt_element;

typedef enum pmrt_space { PMRT_HOST = 0, PMRT_DEVICE = 1 } pmrt_space;

/// The local part of a distributed field: dense, row-major, last dim fastest.
/// `dims` index the descriptor's dimension table, which gives each dimension's
/// name, global extent, and this rank's local extent and offset.
typedef struct pmrt_array {
  void *data;
  int32_t element; ///< pmrt_element
  int32_t space;   ///< pmrt_space
  int32_t rank;
  int32_t dims[PMRT_MAX_RANK];
} pmrt_array;

/// A table y(x) with increasing x, in f64. Owned by the context.
typedef struct pmrt_table {
  int64_t size;
  double *x;
  double *y;
} pmrt_table;

/// What a generated object hands to pmrt_main.
typedef struct pmrt_program {
  uint32_t abi_version;   ///< PMRT_ABI_VERSION
  const char *descriptor; ///< JSON, see runtime/README.md
  void (*entry)(pmrt_context *ctx);
} pmrt_program;

/// The whole life of a program: flags, inputs, run, outputs, exit code.
int pmrt_main(int argc, char **argv, const pmrt_program *program);

//===----------------------------------------------------------------------===//
// Launch-time values
//===----------------------------------------------------------------------===//

double pmrt_param_f64(pmrt_context *ctx, int32_t param);
int64_t pmrt_param_i64(pmrt_context *ctx, int32_t param); ///< int, u64, bool
/// 1 if the user gave the parameter on the command line.
int32_t pmrt_param_given(pmrt_context *ctx, int32_t param);
int32_t pmrt_input_given(pmrt_context *ctx, int32_t input);

/// Cells of dimension `dim` that this rank owns, and the first one's index.
int64_t pmrt_local_extent(pmrt_context *ctx, int32_t dim);
int64_t pmrt_local_offset(pmrt_context *ctx, int32_t dim);

/// Physical length of the (space) dimension named `dim`, told by the program
/// when it starts; used in file attributes and plots.
void pmrt_set_length(pmrt_context *ctx, int32_t dim, double length);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Address of buffer `buffer` of the descriptor's memory plan. The first call
/// places all buffers by their live ranges and local extents in one arena
/// (64-byte aligned); a plan that exceeds the memory limit is refused there.
void *pmrt_buffer(pmrt_context *ctx, int32_t buffer);

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

/// Works on rows [begin, end).
typedef void (*pmrt_loop_body)(void *args, int64_t begin, int64_t end);
/// As pmrt_loop_body, and accumulates into `partial` (initialised).
typedef void (*pmrt_reduce_body)(void *args, int64_t begin, int64_t end,
                                 double *partial);

typedef enum pmrt_reduction {
  PMRT_SUM = 0,
  PMRT_MIN = 1,
  PMRT_MAX = 2
} pmrt_reduction;

/// Static partition of [0, count) over the context's threads. `bytes` is the
/// traffic of one row, for the profiler. `name`: what the profiler shows.
void pmrt_parallel_for(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                       const char *name, pmrt_loop_body body, void *args,
                       int64_t count, int64_t row_bytes);

/// Reduces `width` accumulators over [0, count). Chunks do not depend on the
/// number of threads and are combined in order: bitwise reproducible.
void pmrt_parallel_reduce(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                          const char *name, pmrt_reduce_body body, void *args,
                          int64_t count, int64_t row_bytes, int64_t width,
                          pmrt_reduction kind, double *out);

//===----------------------------------------------------------------------===//
// Scatter (paint)
//===----------------------------------------------------------------------===//

/// The generated parts of a paint. The particles live on a lattice of `rows0`
/// x `rows1` rows (Lagrangian dims 0 and 1; rows1 = 1 if there is no second
/// dim), every row holding all particles along the remaining dims.
typedef struct pmrt_scatter_bodies {
  /// partial[2d] = min, partial[2d+1] = -max, both as minima, of the first
  /// mesh cell touched minus the particle's own lattice cell, along mesh dims
  /// d = 0, 1; partial[4] = the smallest of 0 and NaN if a position is not
  /// finite. Rows are i0 * rows1 + i1.
  pmrt_reduce_body bounds;
  /// Deposits rows i0 in [begin0, end0), i1 in [begin1, end1).
  void (*block)(void *args, int64_t begin0, int64_t end0, int64_t begin1,
                int64_t end1);
  /// plane[i] = wrapped index along mesh dim 0 of the first cell that particle
  /// i touches, for particles of rows [begin, end). `i` counts from the first
  /// particle of row 0, not of row `begin`: i = row * row_particles + ...
  void (*planes)(void *args, int64_t begin, int64_t end, int32_t *plane);
  /// Deposits the particles with the given linear local indices.
  void (*list)(void *args, const int64_t *particles, int64_t count);
} pmrt_scatter_bodies;

/// Adds particles to `mesh` (which the caller has zeroed) in parallel without
/// atomics: coloured blocks wider than the spread of the displacements, or,
/// when the displacements are too wide for that, particles binned by plane.
/// The order of additions to a cell does not depend on the thread count.
/// Throws if a position is not finite. `support`: cells a window touches
/// along one dim (1 NGP, 2 CIC, 3 TSC, 4 PCS). `ratio[d]`: mesh cells per
/// lattice cell along d = 0, 1. `lattice` = 0: free positions, always binned.
void pmrt_scatter(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                  const char *name, const pmrt_scatter_bodies *bodies,
                  void *args, const pmrt_array *mesh, int64_t rows0,
                  int64_t rows1, int64_t row_particles, int32_t support,
                  const double *ratio, int32_t lattice);

/// Sets the array to zero, in parallel.
void pmrt_zero(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
               const pmrt_array *array);
/// Copies between arrays of the same dims and element.
void pmrt_copy(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
               const pmrt_array *from, const pmrt_array *to);

//===----------------------------------------------------------------------===//
// FFT and random fields
//===----------------------------------------------------------------------===//

/// Unnormalised transform over the dims of `in` whose bit is set in `mask`
/// (bit 0: first dim); the others are batched. Real to half-complex (forward),
/// half-complex to real (backward, destroys `in`) or complex to complex, as
/// the elements say. The exponent's sign is - forward, + backward.
/// Out of place unless in->data == out->data (complex to complex only).
void pmrt_fft(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
              int32_t forward, uint32_t mask, const pmrt_array *in,
              const pmrt_array *out);

/// Plans a transform that pmrt_fft will do later with arrays of the same dims,
/// elements and alignment. Overwrites both arrays: programs call it for all
/// their transforms when they start, with the arrays' final addresses, so that
/// planning needs no memory of its own. Without it, the first pmrt_fft plans on
/// temporary memory.
void pmrt_plan_fft(pmrt_context *ctx, pmrt_loc loc, int32_t forward,
                   uint32_t mask, const pmrt_array *in, const pmrt_array *out);

/// Unit Gaussian white noise, a function of (seed, global row-major index)
/// only: Philox4x32-10 and Box-Muller in f64, then rounded to the element.
void pmrt_white_noise(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                      uint64_t seed, const pmrt_array *out);

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A table of `size` rows to be filled by the caller.
pmrt_table *pmrt_table_create(pmrt_context *ctx, pmrt_loc loc, int64_t size);
/// Checks that x increases and everything is finite; throws otherwise.
void pmrt_table_check(pmrt_context *ctx, pmrt_loc loc, pmrt_table *table);
/// Piecewise linear; beyond the ends the first and last pieces continue.
double pmrt_table_lookup(const pmrt_table *table, double x);
double pmrt_table_lookup_derivative(const pmrt_table *table, double x);

//===----------------------------------------------------------------------===//
// Inputs, outputs, pictures, messages
//===----------------------------------------------------------------------===//

void pmrt_input_field(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                      const pmrt_array *out);
pmrt_table *pmrt_input_table(pmrt_context *ctx, pmrt_loc loc, int32_t input);

/// Writes output `output`: one array, or `parts` > 1 arrays of equal dims
/// interleaved as a last dimension. The descriptor's "flatten" of the output
/// joins the arrays' dims into one ((n,n,n) and 3 parts: (n*n*n, 3)).
/// Refuses values that are not finite.
void pmrt_output_field(pmrt_context *ctx, pmrt_loc loc, int32_t output,
                       int32_t parts, const pmrt_array *const *arrays);
void pmrt_output_scalars(pmrt_context *ctx, pmrt_loc loc, int32_t output,
                         int32_t count, const double *values);
/// A 2-D array as a picture, a 1-D array (parts: x, y) as a curve.
void pmrt_plot(pmrt_context *ctx, pmrt_loc loc, int32_t plot, int32_t parts,
               const pmrt_array *const *arrays);

/// `format` is a {fmt} string over `count` doubles. Printed by rank 0.
void pmrt_print(pmrt_context *ctx, pmrt_loc loc, const char *format,
                int32_t count, const double *values);
/// Throws with `message` (a {fmt} string over the values) if `condition` is 0.
void pmrt_assert(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                 const char *message, int32_t count, const double *values);

/// A loop that works on fields: feeds the progress bar, tells errors the step.
void pmrt_loop_begin(pmrt_context *ctx, pmrt_loc loc, int64_t count);
void pmrt_loop_step(pmrt_context *ctx, pmrt_loc loc, int64_t step);
void pmrt_loop_end(pmrt_context *ctx, pmrt_loc loc);

#ifdef __cplusplus
}
#endif

#endif // PMRT_PMRT_H
