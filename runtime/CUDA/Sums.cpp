//===- Sums.cpp - Sums that do not depend on the order --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pmrt/pmrt_cuda.h"
#include "runtime/CUDA/CudaDevice.h"
#include "runtime/Core/Op.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

using namespace pmrt;
using namespace pmrt::cuda;

namespace {

/// The cells of a mesh or of a view of it.
struct Cells {
  int64_t count = 1;
  int64_t row = 1; ///< from one place to the next
  Cells(Context &ctx, pmrt_loc loc, const pmrt_array &mesh,
        const pmrt_halo *halo) {
    if (!halo || halo->whole) {
      count = ctx.elements(loc, mesh);
      return;
    }
    row = halo->extent[halo->rank - 1];
    for (int32_t d = 0; d < halo->rank; ++d)
      count *= halo->extent[d];
  }
};

} // namespace

static int64_t wordsOf(const pmrt_array &mesh) {
  return mesh.element == PMRT_F32 ? 1 : 2;
}

double pmrt_sums_scale(double bound) {
  if (!std::isfinite(bound))
    return std::numeric_limits<double>::quiet_NaN();
  int exponent = 0;
  (void)std::frexp(bound, &exponent); // bound < 2^exponent
  return std::ldexp(1.0, std::clamp(61 - exponent, -1000, 1000));
}

int64_t pmrt_sums_open(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                       const pmrt_array *mesh, const pmrt_halo *halo,
                       int32_t count, int64_t **sums) {
  const Cells cells(*ctx, loc, *mesh, halo);
  const int64_t words = cells.count * wordsOf(*mesh);
  const int64_t bytes = count * words * int64_t(sizeof(int64_t));
  Op op(*ctx, loc, "sums", bytes);
  CudaDevice &device = CudaDevice::of(*ctx, loc);
  ctx->giveBack(std::exchange(device.openSums, Pages()));
  device.openSums = ctx->borrow(loc, bytes, "the sums of a paint");
  auto *memory = reinterpret_cast<int64_t *>(device.openSums.data());
  device.zero(memory, bytes);
  for (int32_t i = 0; i < count; ++i)
    sums[i] = memory + i * words;
  return cells.row;
}

void pmrt_sums_finish(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                      const pmrt_array *mesh, const pmrt_halo *halo,
                      double scale, const int64_t *sums) {
  const Cells cells(*ctx, loc, *mesh, halo);
  Op op(*ctx, loc, "sums",
        cells.count * wordsOf(*mesh) * int64_t(sizeof(int64_t)));
  CudaDevice::of(*ctx, loc).finishSums(
      pmrt_element(mesh->element), cells.count, cells.row, sums, scale,
      mesh->data, halo && !halo->whole ? halo->rows : nullptr);
}
