//===- particles.h - Loops over particles -----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops whose elements read meshes at positions, and paints, which add to
// meshes at positions.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PARTICLES_H
#define PMRT_PARTICLES_H

#include "pmrt/pmrt.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Readings
//===----------------------------------------------------------------------===//

/// The parts of a loop whose elements read a mesh anywhere: cellBlock[i] is,
/// for elements of [begin, end), which cell block of the mesh element i reads,
/// from [0, 2^22); `list` computes the listed ones.
typedef struct pmrt_list_bodies {
  void (*cell_blocks)(void *args, int64_t begin, int64_t end,
                      int32_t *cellBlock);
  void (*list)(void *args, const int64_t *elements, int64_t count);
} pmrt_list_bodies;

/// A loop over [0, count) in the order of the elements' cell blocks, which
/// takes 16 bytes for each of at most 2^21 elements at a time. `bytes`: what an
/// element reads and writes.
void pmrt_parallel_list(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                        const char *name, const pmrt_list_bodies *bodies,
                        void *args, int64_t count, int64_t bytes);

/// The parts of a loop over a lattice whose elements read meshes around their
/// sites. `range`: first site and end along each dim of the domain.
typedef struct pmrt_block_bodies {
  /// cells[2d], cells[2d+1] = least and largest first cell that an element of
  /// the range reads along mesh dim d, not wrapped; NaN if a position is NaN.
  void (*box)(void *args, const int64_t *range, double *cells);
  /// Computes the elements of the range from `memory`: cell c of mesh m is at
  /// memory[sum_d (c[d] - first[d]) * stride[d] + m], c not wrapped. 1 KiB
  /// behind the last cell may be read.
  void (*block)(void *args, const int64_t *range, const int64_t *first,
                const int64_t *stride, void *memory);
  /// Computes rows [begin, end) of the domain from the meshes; null with
  /// `fill`.
  void (*rows)(void *args, int64_t begin, int64_t end);
  /// Null, or computes `size` cells of a row of the fields that `block` reads,
  /// as they are in its memory: field f of cell i is out[lanes * i + f], lanes
  /// being the last stride there. The element of mesh m that is o cells away
  /// from cell i is source[i + sum_d o[d] * stride[d] + m * stride[rank]].
  void (*fill)(void *args, int64_t size, const int64_t *stride,
               const void *source, void *out);
  /// 0, or the number of boxes that loops share, as in `pmrt_scatter_blocks`.
  int64_t boxes;
  /// Not 0: `block` overwrites positions. The runtime also finds the boxes at
  /// the new positions, for the next loop that uses boxes of this number.
  int64_t renews;
} pmrt_block_bodies;

/// A loop over a domain of `dims` >= 2 dims with `extent` local sites along
/// each, in blocks of `block` sites. The cells that a block reads of `count`
/// meshes (at most 16, of the same dims and element) are copied to memory that
/// stays in a core's cache, and interleaved: the last stride is `count` rounded
/// up to a power of two. `support`: cells that a window touches along each mesh
/// dim. `halos`: the meshes' views, or null. Blocks that read too many cells
/// are halved, or computed in rows. `bytes`: what an element reads and writes.
/// With `bodies->fill` the copy has `fields` fields that are computed from the
/// meshes, from cells at most `below` and `above` away along each mesh dim;
/// blocks that read too many cells are halved down to single sites.
void pmrt_parallel_blocks(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                          const char *name, const pmrt_block_bodies *bodies,
                          void *args, int32_t dims, const int64_t *extent,
                          const int64_t *block, const int64_t *support,
                          int32_t count, const pmrt_array *const *meshes,
                          pmrt_halo *const *halos, int32_t fields,
                          const int64_t *below, const int64_t *above,
                          int64_t bytes);

//===----------------------------------------------------------------------===//
// Paints
//===----------------------------------------------------------------------===//

/// The generated parts of a paint. The particles live on a lattice of `rows0`
/// x `rows1` rows (Lagrangian dims 0 and 1; rows1 = 1 if there is no second
/// dim), every row holding all particles along the remaining dims.
typedef struct pmrt_scatter_bodies {
  /// partial[2d] = min, partial[2d+1] = -max, both as minima, of the first
  /// mesh cell touched minus the particle's own lattice cell, along mesh dims
  /// d = 0, 1; partial[4] = 0, or NaN if a position is not finite. All five
  /// accumulate as a minimum and begin as +infinity. Rows are i0 * rows1 + i1.
  /// Particles that are not painted do not count, here and below.
  /// Called for parts of a row range at a time, so that the runtime learns what
  /// each tile of the lattice touches.
  pmrt_reduce_body bounds;
  /// Deposits rows i0 in [begin0, end0), i1 in [begin1, end1).
  void (*block)(void *args, int64_t begin0, int64_t end0, int64_t begin1,
                int64_t end1);
  /// plane[i] = wrapped index along mesh dim 0 of the first cell that particle
  /// i touches, for particles of rows [begin, end). `i` counts from the first
  /// particle of row 0, not of row `begin`: i = row * row_particles + ...; -1
  /// if it is not painted.
  void (*planes)(void *args, int64_t begin, int64_t end, int32_t *plane);
  /// Deposits the particles with the given linear local indices, which are
  /// painted.
  void (*list)(void *args, const int64_t *particles, int64_t count);
  /// Deposits the particles of rows [begin, end) on `memory`, which holds one
  /// whole mesh after another, in f64. partial[0] as partial[4] of `bounds`.
  /// May be null.
  void (*copy)(void *args, int64_t begin, int64_t end, double *memory,
               double *partial);
  /// cellBlock[i], numbered as in `planes`: which cell block along the
  /// other mesh dims a particle starts in; neighbors have near numbers, from
  /// [0, 2^22). Particles of eight planes, counted from the first, are painted
  /// in that order by one thread, and no other thread adds there meanwhile. May
  /// be null.
  void (*cell_blocks)(void *args, int64_t begin, int64_t end,
                      int32_t *cellBlock);
  /// How to paint blocks of the lattice in copies of the cells that they touch.
  /// May be null.
  const struct pmrt_scatter_blocks *blocks;
} pmrt_scatter_bodies;

/// Blocks of lattice particles are painted in copies of the boxes of cells that
/// they touch. All particles are painted.
typedef struct pmrt_scatter_blocks {
  /// As `box` of pmrt_block_bodies.
  void (*box)(void *args, const int64_t *range, double *cells);
  /// Deposits the particles of the range in `memory`, which is zero.
  ///
  /// Several meshes: cell c of mesh m is memory[p + m], p being the sum of
  /// (c[d] - first[d]) * stride[d], c not wrapped.
  ///
  /// One mesh: there are n copies, n being the support along the last dim,
  /// rounded up to a power of two. Copy k has cell c at p - k + k *
  /// stride[rank]. A particle is added to copy k, the remainder of the distance
  /// of its first cell from `first` along the last dim by n: there it begins at
  /// a multiple of n elements.
  void (*deposit)(void *args, const int64_t *range, const int64_t *first,
                  const int64_t *stride, void *memory);
  int64_t dims;           ///< of the lattice, at least 2
  const int64_t *extent;  ///< local sites along each dim
  const int64_t *sites;   ///< of a block along each dim
  const int64_t *support; ///< cells of the window along each mesh dim
  /// The view of each mesh, if they are split over ranks; else null.
  const pmrt_halo *const *halos;
  /// Null, or what is deposited is not the meshes, but `fields` other fields,
  /// interleaved if there are several. A cell of a mesh is a linear function of
  /// their elements near it. `stencil` computes `count` cells of a row of each
  /// mesh: cell i of mesh m is row[i + m * step], from memory[rows[r] + i + o],
  /// where o is an offset along the last dim and r a row of `taps`. `count` is
  /// a multiple of a cache line's elements. Blocks are halved down to single
  /// sites, and no other kernel is called.
  void (*stencil)(void *args, int64_t count, int64_t step, const int64_t *rows,
                  const void *memory, void *row);
  int64_t fields;
  /// How far the stencil reads below and above of a cell along each mesh dim.
  const int64_t *below, *above;
  /// Rows that the stencil reads, each as the number of a field and an offset
  /// along each mesh dim but the last.
  int64_t tapRows;
  const int64_t *taps;
  /// 0, or the number of boxes that loops share, if these read and paint the
  /// same particles at the same positions. The first loop has the negative
  /// number: it forgets the boxes of particles that have moved.
  int64_t boxes;
} pmrt_scatter_blocks;

/// Adds particles to `meshes`, `count` of the same dims and element (which the
/// caller has zeroed), in parallel without atomics: lattice tiles whose
/// particles touch different cells at the same time; or, when the displacements
/// are too wide for that, copies of small meshes, which are added up at the
/// end; or particles binned by plane. The order of additions to a cell does not
/// depend on the thread count.
/// Throws "position is not finite, …" if one is not. `support`: cells a window
/// touches along one dim (1 NGP, 2 CIC, 3 TSC, 4 PCS). `ratio[d]`: mesh cells
/// per lattice cell along d = 0, 1. `lattice` = 0: free positions, never in
/// tiles; only partial[4] of the bounds is used then, and ratio may be null.
/// Binning takes 12 bytes, with cell blocks 16, for each of at most 2^21
/// particles at a time; copies take no more.
void pmrt_scatter(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                  const char *name, const pmrt_scatter_bodies *bodies,
                  void *args, int32_t count, const pmrt_array *const *meshes,
                  int64_t rows0, int64_t rows1, int64_t row_particles,
                  int32_t support, const double *ratio, int32_t lattice);

/// As pmrt_scatter, for meshes that are split over ranks: the bodies deposit
/// into views, `view` (of pmrt_halo_open) that of the first, and `planes` gives
/// the view's index along dim 0, (cell - origin) modulo the dim's cells.
/// `first[d]`: global index of lattice row 0 along d = 0, 1; a particle's own
/// lattice cell in `bounds` is floor(global row * ratio).
void pmrt_scatter_halo(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                       const char *name, const pmrt_scatter_bodies *bodies,
                       void *args, int32_t count,
                       const pmrt_array *const *meshes, const pmrt_halo *view,
                       const int64_t *first, int64_t rows0, int64_t rows1,
                       int64_t row_particles, int32_t support,
                       const double *ratio, int32_t lattice);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // PMRT_PARTICLES_H
