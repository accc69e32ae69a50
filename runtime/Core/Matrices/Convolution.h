//===- Convolution.h - A sum of products of a field read at indices -*- C++
//-*-//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_MATRICES_CONVOLUTION_H
#define PMRT_CORE_MATRICES_CONVOLUTION_H

#include "runtime/Core/Matrices/Factor.h"

#include "pmrt/pmrt.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace pmrt {

class Context;
class Threads;

/// A dim of the loop, as far as this rank has it.
struct LoopDim {
  int64_t count = 1;
  int64_t weights = 0, result = 0; ///< strides in elements; 0: does not have it
  int32_t reader = -1;             ///< the field's dim whose index it makes
  int64_t number = 0;              ///< cells in that index for one of its own
};

/// A dim of the field: q u = Σ number * (index of its loop dims) + offset for
/// the cell u.
struct ReadDim {
  int64_t cells = 1;  ///< of all ranks
  int64_t begin = 0;  ///< the first one here
  int64_t stride = 1; ///< in elements
  int64_t offset = 0, divisor = 1;
  pmrt_edge edge = PMRT_EDGE_ZERO;

  /// The cell for q u, which may be one beyond the ends; -1 where it is 0.
  int64_t cellOf(int64_t index) const;
};

/// c = Σ field * weights over the loop dims that c does not have.
struct Convolution {
  pmrt_element element = PMRT_F64; ///< of the result
  Factor field, weights;
  void *result = nullptr;
  const pmrt_halo *halo = nullptr; ///< null: all cells that are read are here
  std::vector<LoopDim> loop;
  std::vector<ReadDim> reads;
  bool ordered = false; ///< as in Contraction
};

/// The convolution of pmrt_convolve. None if there is nothing to multiply. Then
/// `isZero` is true if the result has elements, all of which are 0.
std::optional<Convolution>
makeConvolution(const Context &context, pmrt_loc loc, const pmrt_array &field,
                const pmrt_halo *halo, const pmrt_array &weights,
                const pmrt_array &result, const int64_t *plan, bool &isZero);

/// On the host's cores. The bits do not depend on their number.
void convolve(Threads &threads, const Convolution &work);

} // namespace pmrt

#endif // PMRT_CORE_MATRICES_CONVOLUTION_H
