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
// it, prints `FILE:LINE:COL: error: ...` and picks the exit code: 1 if the
// input is at fault, 2 otherwise. After Ctrl-C, the next call that takes a
// location throws, so that files are cleaned up, and the exit code is 130.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PMRT_H
#define PMRT_PMRT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMRT_ABI_VERSION 5
#define PMRT_MAX_RANK 12

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
  PMRT_U64 = 6,  ///< of outputs of numbers only
  PMRT_BF16 = 7, ///< two bytes, of buffers only
  PMRT_F16 = 8,
} pmrt_element;

typedef enum pmrt_space { PMRT_HOST = 0, PMRT_DEVICE = 1 } pmrt_space;

/// The local part of a distributed field: dense, row-major, last dim fastest.
/// `dims` index the descriptor's dimension table, which gives each dimension's
/// name, global extent, and this rank's local extent and offset. So an array's
/// shape is that of its dims; rank 0 is a single number.
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
  double density; ///< rows per unit of x if evenly spaced, else 0
} pmrt_table;

/// What a generated object hands to pmrt_main.
typedef struct pmrt_program {
  uint32_t abi_version;   ///< PMRT_ABI_VERSION
  const char *descriptor; ///< JSON, see runtime/doc/descriptor.md
  void (*entry)(pmrt_context *ctx);
} pmrt_program;

/// The whole life of a program: flags, inputs, run, outputs. Returns the exit
/// code: 0 done, 1 wrong usage or input, 2 failure while running, 130 after
/// Ctrl-C. Throws nothing.
int pmrt_main(int argc, char **argv, const pmrt_program *program);

//===----------------------------------------------------------------------===//
// Launch-time values
//===----------------------------------------------------------------------===//

/// The value of parameter `param` of the descriptor, in the descriptor's unit:
/// as given, or its default. An optional parameter that has neither is NaN.
double pmrt_param_f64(pmrt_context *ctx, int32_t param);
/// The same for int, u64 (its bits) and bool (0 or 1) parameters.
int64_t pmrt_param_i64(pmrt_context *ctx, int32_t param);
/// 1 if the user gave the parameter on the command line, else 0.
int32_t pmrt_param_given(pmrt_context *ctx, int32_t param);
/// 1 if the user gave a file for input `input` of the descriptor, else 0.
int32_t pmrt_input_given(pmrt_context *ctx, int32_t input);

/// Cells of dimension `dim` that this rank owns, and the first one's index.
int64_t pmrt_local_extent(pmrt_context *ctx, int32_t dim);
int64_t pmrt_local_offset(pmrt_context *ctx, int32_t dim);

/// Physical length of the (space) dimension `dim`, in the program's unit of
/// length, told by the program when it starts; used in file attributes (`box`)
/// and on the axes of plots.
void pmrt_set_length(pmrt_context *ctx, int32_t dim, double length);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Address of buffer `buffer` of the descriptor's memory plan, the same for the
/// whole run. All buffers are in one arena, placed by their live ranges and
/// local extents, 64-byte aligned, zero when the program starts. (pmrt_main
/// refuses a plan that exceeds the memory limit before the program runs.)
void *pmrt_buffer(pmrt_context *ctx, int32_t buffer);

/// Memory for the states of a loop that is reversed: numbers (8 bytes each) and
/// local parts of fields.
typedef struct pmrt_checkpoint_store pmrt_checkpoint_store;

/// Memory for `slots` states of `numbers` numbers and `fields` fields; `shapes`
/// are arrays without data. A collective: refused, with numbers and on all
/// ranks, if it exceeds the memory limit.
pmrt_checkpoint_store *
pmrt_checkpoint_store_create(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                             int64_t slots, int32_t numbers, int32_t fields,
                             const pmrt_array *const *shapes);
/// Copies a state to a slot. Throws if there is no such slot.
void pmrt_checkpoint_store_save(pmrt_context *ctx, pmrt_queue *queue,
                                pmrt_loc loc, pmrt_checkpoint_store *store,
                                int64_t slot, const int64_t *numbers,
                                const pmrt_array *const *fields);
/// Copies a state back. Throws if there is no such slot, or nothing in it.
void pmrt_checkpoint_store_restore(pmrt_context *ctx, pmrt_queue *queue,
                                   pmrt_loc loc, pmrt_checkpoint_store *store,
                                   int64_t slot, int64_t *numbers,
                                   const pmrt_array *const *fields);
/// Its memory is kept for the next checkpoint store. Checkpoint stores end with
/// the program, too.
void pmrt_checkpoint_store_free(pmrt_context *ctx, pmrt_loc loc,
                                pmrt_checkpoint_store *store);

/// Binomial checkpointing (Griewank & Walther, ACM TOMS 26, 2000): functions of
/// the numbers alone. A loop of `steps` steps goes through states 0 ... steps,
/// of which `snapshots` are kept at a time. The sweep to state `target` (first
/// steps, then steps - 1, ... 0) begins at this state,
int64_t pmrt_revolve_from(int64_t steps, int64_t snapshots, int64_t target);
/// which is kept in this slot,
int64_t pmrt_revolve_from_slot(int64_t steps, int64_t snapshots,
                               int64_t target);
/// and keeps `state` in this slot; -1: it does not, or it is there already.
int64_t pmrt_revolve_slot(int64_t steps, int64_t snapshots, int64_t target,
                          int64_t state);

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

/// Works on rows [begin, end).
typedef void (*pmrt_loop_body)(void *args, int64_t begin, int64_t end);
/// As pmrt_loop_body, and accumulates into `partial` (initialized).
typedef void (*pmrt_reduce_body)(void *args, int64_t begin, int64_t end,
                                 double *partial);

typedef enum pmrt_reduction {
  PMRT_SUM = 0,
  PMRT_MIN = 1,
  PMRT_MAX = 2
} pmrt_reduction;

/// Static partition of [0, count) over the context's threads; what a body
/// throws reaches the caller. `row_bytes`: the memory traffic of one row, for
/// the profiler and to run small loops on one thread (0: not known). `name`:
/// what the profiler shows.
void pmrt_parallel_for(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                       const char *name, pmrt_loop_body body, void *args,
                       int64_t count, int64_t row_bytes);

/// What the body of a loop calls where a mesh is read at a position that is not
/// finite, or so far away that its cell is not exact: it throws, and the loop
/// ends with an error at its place.
void pmrt_refuse_position(void);

/// Reduces `width` accumulators over [0, count) into out[0 .. width). Chunks do
/// not depend on the number of threads and are combined in order: bitwise
/// reproducible. `partial` begins as 0 (sum), +infinity (min) or -infinity
/// (max), which is also the result for count 0. NaN beats everything in a
/// minimum or maximum.
void pmrt_parallel_reduce(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                          const char *name, pmrt_reduce_body body, void *args,
                          int64_t count, int64_t row_bytes, int64_t width,
                          pmrt_reduction kind, double *out);

//===----------------------------------------------------------------------===//
// Communication
//===----------------------------------------------------------------------===//
//
// All ranks call the same collectives in the same order; transforms, inputs,
// outputs and plots are collectives, too. With one rank, or mesh axes of one
// rank, they cost nothing. `axes`: bit i stands for axis i of the descriptor's
// mesh. Loops and reductions over rows (above) are the rank's own.

/// A collective that has been started.
typedef struct pmrt_pending pmrt_pending;

/// Brings a field from one layout to another: the arrays' dims differ in their
/// axes only. All-gathers, slices and all-to-alls are cases of it. The arrays
/// must not overlap. Only ranks along axes that change exchange bytes.
void pmrt_reshard(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                  const pmrt_array *in, const pmrt_array *out);
/// The same, to overlap with other work: neither array may be written, nor
/// `out` read, before pmrt_wait.
pmrt_pending *pmrt_reshard_start(pmrt_context *ctx, pmrt_queue *queue,
                                 pmrt_loc loc, const pmrt_array *in,
                                 const pmrt_array *out);
/// Completes and frees a reshard or a reduction.
void pmrt_wait(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
               pmrt_pending *pending);

/// Combines `count` numbers over the ranks along `axes`. All ranks of the mesh
/// get the same bits: those of the group at place 0 of the other axes. The
/// order depends on the mesh only. NaN beats everything in a minimum or
/// maximum.
void pmrt_all_reduce(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                     uint32_t axes, pmrt_reduction kind, int64_t count,
                     double *values);

/// Combines `count` fields over the ranks along `axes`, of which each holds a
/// partial result; `axes` do not split in[i]. With the same dims (and possibly
/// the same data) an all-reduce; if `axes` split dims of out[i], a
/// reduce-scatter. The fields have one element, real for a minimum or maximum,
/// and travel together; no in[i] overlaps another's out. The order depends on
/// the mesh only. NaN beats everything in a minimum or maximum.
void pmrt_reduce_fields(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                        uint32_t axes, pmrt_reduction kind, int32_t count,
                        const pmrt_array *const *in,
                        const pmrt_array *const *out);
/// The same, with the same bits, to overlap with other work: no `out`, and no
/// in[i] of which a part is kept, may be read or written before pmrt_wait. The
/// partial results leave now. Whoever is next to reduce fields sums what has
/// come and sends that on, so at most three keep memory of their own.
pmrt_pending *pmrt_reduce_fields_start(pmrt_context *ctx, pmrt_queue *queue,
                                       pmrt_loc loc, uint32_t axes,
                                       pmrt_reduction kind, int32_t count,
                                       const pmrt_array *const *in,
                                       const pmrt_array *const *out);

/// A window into a mesh that is larger than what this rank owns. Along dim d it
/// has `extent[d]` cells, from global cell `origin[d]` on, periodically: cell c
/// is at v = (c - origin[d]) modulo `cells[d]`, and if v < extent[d] it is
/// there. Row (v0, v1, ...) of the first rank - 1 dims is at
/// rows[v0 * stride[0] + v1 * stride[1] + ...], dense along the last dim.
/// Rows that this rank owns are those of the mesh itself. `whole`: there is no
/// other row, origins are 0 (nothing is split), and `rows` is null: nobody
/// needs to look them up. Row own_begin + i, before own_end, is row i of the
/// mesh; none is where the view is wider than the mesh along a dim but the
/// first. They count whole rows, of the mesh's global length along the last
/// dim: where that dim is split, none is.
typedef struct pmrt_halo {
  void **rows;
  int32_t rank;
  int32_t whole;
  int64_t origin[PMRT_MAX_RANK];
  int64_t extent[PMRT_MAX_RANK];
  int64_t cells[PMRT_MAX_RANK];
  int64_t stride[PMRT_MAX_RANK]; ///< in rows, of the first rank - 1 dims
  int64_t own_begin, own_end;
} pmrt_halo;

/// How far particles go beyond this rank's part of `mesh`. `lowest[d]`,
/// `highest[d]`: the least and largest first cell that a local particle touches
/// along mesh dim d, not wrapped into the box (+infinity and -infinity if there
/// are no particles); `support`: cells a window touches along a dim. lo[d],
/// hi[d]: cells needed below and above, the most over all ranks, 0 along dims
/// that are not split. Throws "position is not finite, …" everywhere if a bound
/// is NaN or infinite in some rank.
void pmrt_displacement_bound(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                             const pmrt_array *mesh, const double *lowest,
                             const double *highest, int32_t support,
                             int64_t *lo, int64_t *hi);

/// How wide a margin is along the dim: `meeting` where the number of ranks that
/// split it divides `blocks`, else `apart`.
int64_t pmrt_margin(pmrt_context *ctx, int32_t dim, int64_t blocks,
                    int64_t meeting, int64_t apart);

/// A view with `lo[d]` cells below and `hi[d]` above this rank's part, the same
/// numbers on all ranks, up to the whole box: filled with the others' cells,
/// corners included. For reading.
pmrt_halo *pmrt_halo_exchange(pmrt_context *ctx, pmrt_queue *queue,
                              pmrt_loc loc, const pmrt_array *mesh,
                              const int64_t *lo, const int64_t *hi);
/// The same, to overlap with other work: `mesh` must not be written nor others'
/// rows be read before pmrt_halo_wait.
pmrt_halo *pmrt_halo_exchange_start(pmrt_context *ctx, pmrt_queue *queue,
                                    pmrt_loc loc, const pmrt_array *mesh,
                                    const int64_t *lo, const int64_t *hi);
void pmrt_halo_wait(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                    pmrt_halo *halo);
/// A view of which the others' rows are zero; own rows are as they are. For
/// adding to it.
pmrt_halo *pmrt_halo_open(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                          const pmrt_array *mesh, const int64_t *lo,
                          const int64_t *hi);
/// The adjoint of the exchange: adds others' rows to the cells of their owners,
/// in an order that depends on the mesh only, and closes the view.
void pmrt_halo_reduce(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                      pmrt_halo *halo);
/// Closes a view; its memory is kept for the next one.
void pmrt_halo_close(pmrt_context *ctx, pmrt_loc loc, pmrt_halo *halo);

//===----------------------------------------------------------------------===//
// Whole arrays
//===----------------------------------------------------------------------===//

/// Sets the array to zero, in parallel.
void pmrt_zero(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
               const pmrt_array *array);
/// Copies between arrays of the same dims and element.
void pmrt_copy(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
               const pmrt_array *from, const pmrt_array *to);

/// c = the sum of a * b over the dims that c does not have, which are in both;
/// each of c's is in a or in b. All have one element, f32 or f64, but that a
/// and b may be bf16 or f16; c overlaps neither. Of f32, at most 512 products
/// are added in f32, the rest in f64 (on a GPU in f32).
void pmrt_contract(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                   const pmrt_array *a, const pmrt_array *b,
                   const pmrt_array *c);

/// What a sort writes: the elements in order, the index of each of these, or
/// the position that each element has among them.
typedef enum pmrt_sort_kind {
  PMRT_SORT_VALUES = 0,
  PMRT_SORT_ORDER = 1,
  PMRT_SORT_RANKS = 2
} pmrt_sort_kind;

/// Sorts each line of an array of f32, f64 or i64 along dim number `dim` of its
/// own, which is whole. NaN comes last, and equal elements keep their order.
/// `within`, or null: an array over the same dims, by which lines are sorted
/// first, in ascending order; positions begin anew where it changes. `out` has
/// the same dims, and the same element or i64.
void pmrt_sort(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
               const pmrt_array *in, const pmrt_array *within,
               const pmrt_array *out, int32_t dim, pmrt_sort_kind kind,
               int32_t descending);

/// Finds groups by friends of friends. Two elements are friends if the distance
/// of their positions is at most the linking length. A group contains all
/// elements that a chain of friends connects. out[i]: the least global
/// row-major index of an element in the group of i.
///
/// `positions`: `axes` (1 to 3) arrays of f32 or f64 over the dims of `out`.
/// The elements of `out` are i64. `numbers`: the linking length, and for each
/// axis the side of the periodic box, or 0 if the axis is not periodic.
///
/// Throws if a position is not finite, if the linking length is not above 0, or
/// if the box would have more than 2^61 cells. The call is a collective of the
/// ranks that share the dims. The result is the same on every mesh.
void pmrt_friends(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                  int32_t axes, const pmrt_array *const *positions,
                  const double *numbers, const pmrt_array *out);

/// What lies beyond the ends of a dim: the cells again, nothing, the nearest
/// cell, or the cells turned around at the last one.
typedef enum pmrt_edge {
  PMRT_EDGE_PERIODIC = 0,
  PMRT_EDGE_ZERO = 1,
  PMRT_EDGE_CLAMP = 2,
  PMRT_EDGE_REFLECT = 3
} pmrt_edge;

/// c = the sum of field * weights over the dims that c does not have. The loop
/// goes over the dims of the weights, then over those of c that they do not
/// have. `plan` has seven numbers for each dim of the field, o, q, edge, p, n,
/// r, m: its cell u is where q u = n (index of loop dim p) + m (that of r) + o,
/// indices of all ranks; p or r may be -1. Where there is no such u, the
/// product is 0. `halo`: the view that has the cells of other ranks, or null.
/// Elements and sums as in pmrt_contract, but that a GPU adds in f64.
void pmrt_convolve(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                   const pmrt_array *field, const pmrt_halo *halo,
                   const pmrt_array *weights, const pmrt_array *c,
                   const int64_t *plan);

//===----------------------------------------------------------------------===//
// FFT and random fields
//===----------------------------------------------------------------------===//

/// Unnormalised transform over the dims of `in` whose bit is set in `mask`
/// (bit 0: first dim); the others are batched. Real to half-complex (forward),
/// half-complex to real (backward, destroys `in`) or complex to complex, as
/// the elements say. The last transformed dim is the halved one: n real values
/// there, n/2 + 1 complex ones. Dims may be split over ranks, before and after
/// in different ways: it makes the fewest transposes that lead from one layout
/// to the other. The exponent's sign is - forward, + backward.
/// Out of place unless in->data == out->data (complex to complex only).
/// Both arrays have the same precision.
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
/// only: Philox4x32-10 and Box-Muller in f64, then rounded to the element (f32
/// or f64). The same bits on every machine, layout and number of threads.
void pmrt_white_noise(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                      uint64_t seed, const pmrt_array *out);

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A table of `size` >= 2 rows to be filled by the caller, then checked.
pmrt_table *pmrt_table_create(pmrt_context *ctx, pmrt_loc loc, int64_t size);
/// Checks that x increases and everything is finite; throws otherwise.
void pmrt_table_check(pmrt_context *ctx, pmrt_loc loc, pmrt_table *table);
/// The place of tables that are made from here on.
int64_t pmrt_tables_mark(pmrt_context *ctx);
/// Ends all tables made since the mark but the `count` that are kept, which may
/// name anything else too. Nothing may look the others up any more. What is not
/// released lives as long as the context: only what a loop makes needs this.
void pmrt_tables_release(pmrt_context *ctx, int64_t mark, int32_t count,
                         const pmrt_table *const *kept);
/// Piecewise linear; beyond the ends the first and last pieces continue. Safe
/// to call from several threads. NaN gives NaN.
double pmrt_table_lookup(const pmrt_table *table, double x);
/// The slope of the piece that holds x (at a node: of the piece to its right).
double pmrt_table_lookup_derivative(const pmrt_table *table, double x);

//===----------------------------------------------------------------------===//
// Inputs, outputs, pictures, messages
//===----------------------------------------------------------------------===//

/// Reads a field input, converted to the element of `out` (f32 <-> f64). Throws
/// if the shape, type or a value is wrong, or the input was not given.
void pmrt_input_field(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                      const pmrt_array *out);
/// Reads a table input: checked, ready for lookups.
pmrt_table *pmrt_input_table(pmrt_context *ctx, pmrt_loc loc, int32_t input);

/// Writes output `output`: one array, or `parts` > 1 arrays of equal dims
/// interleaved as a last dimension. The descriptor's "flatten" of the output
/// joins the arrays' dims into one ((n,n,n) and 3 parts: (n*n*n, 3)).
/// Refuses values that are not finite. The file appears whole or not at all.
void pmrt_output_field(pmrt_context *ctx, pmrt_loc loc, int32_t output,
                       int32_t parts, const pmrt_array *const *arrays);
/// Writes `count` numbers: a scalar for 1, else shape (count), or
/// (rows, columns) if the descriptor's columns divide them into several rows.
/// They are doubles, or the bits of what the descriptor's `element` says.
void pmrt_output_scalars(pmrt_context *ctx, pmrt_loc loc, int32_t output,
                         int32_t count, const double *values);
/// The iterations of the loops around the next output or plot, which the name
/// of its file has: density_003.h5. Of a plot with panels, before each.
void pmrt_iterations(pmrt_context *ctx, int32_t count, const int64_t *at);
/// A 2-D array as a picture (first dim to the right, second up; complex ones as
/// moduli), 1-D arrays as curves: x, y, and more y if there are more parts; one
/// part is drawn over its index. What does not fit a scale is left out.
void pmrt_plot(pmrt_context *ctx, pmrt_loc loc, int32_t plot, int32_t parts,
               const pmrt_array *const *arrays);

/// `format` is a {fmt} string over `count` doubles; of those whose {} end in d
/// or u, the 8 bytes are an int64_t or a uint64_t. Printed by rank 0, with a
/// newline, on stdout. Warns of a double that is not a number.
void pmrt_print(pmrt_context *ctx, pmrt_loc loc, const char *format,
                int32_t count, const double *values);
/// The same about how the run goes on: nothing with --quiet. The first two
/// values are an iteration and the loss there of the fit `name`.
void pmrt_tell(pmrt_context *ctx, pmrt_loc loc, const char *name,
               const char *format, int32_t count, const double *values);
/// Throws with `message` (a {fmt} string over the values) if `condition` is 0.
void pmrt_assert(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                 const char *message, int32_t count, const double *values);
/// The same of a number that this rank alone has. Other ranks are ended.
void pmrt_assert_own(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                     const char *message, int32_t count, const double *values);
/// As pmrt_assert, for a number in an input: the message begins with the flag
/// and the file of the input.
void pmrt_assert_input(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                       int32_t condition, const char *message, int32_t count,
                       const double *values);
/// Rank 0 prints a warning on stderr if `condition` is 0, once in a run for
/// each `loc` and `message`. The program continues.
void pmrt_warn(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
               const char *message, int32_t count, const double *values);
/// As pmrt_warn, for a number that only this rank has: this rank prints it.
void pmrt_warn_own(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                   const char *message, int32_t count, const double *values);
/// As pmrt_assert, for a request of the user: exit code 1 (wrong usage).
void pmrt_require(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                  const char *message, int32_t count, const double *values);

/// Throws: generated code that was compiled with checks has met undefined
/// behavior at `location`. Called from any thread.
void pmrt_undefined(const char *location, const char *what);

/// A loop that works on fields: feeds the progress bar, and names the step in
/// errors. `count` <= 0: not known. `step` counts from 0; -1: an iteration that
/// prepares the first one. `skip`: this iteration does nothing, because the
/// loop has ended. Loops nest.
void pmrt_loop_begin(pmrt_context *ctx, pmrt_loc loc, int64_t count);
void pmrt_loop_step(pmrt_context *ctx, pmrt_loc loc, int64_t step);
void pmrt_loop_skip(pmrt_context *ctx, pmrt_loc loc);
void pmrt_loop_end(pmrt_context *ctx, pmrt_loc loc);

/// A loop's states have been recovered from its last one (the schedule
/// "reverse"), the first of them with these errors, relative to its rms.
/// `names`: of what they are of, with commas. Told on stderr the first time,
/// and when they have doubled; the worst are in run.json.
void pmrt_reversal(pmrt_context *ctx, pmrt_loc loc, const char *names,
                   int32_t count, const double *errors);

#ifdef __cplusplus
}
#endif

#endif // PMRT_PMRT_H
