//===- Convolution.cpp - A sum of products of a field read at indices -----===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Matrices/Convolution.h"

#include "runtime/Core/Matrices/Contraction.h"
#include "runtime/Core/Op.h"

using namespace pmrt;

int64_t ReadDim::cellOf(int64_t index) const {
  const int64_t all = divisor * cells;
  if (edge == PMRT_EDGE_PERIODIC)
    index = (index % all + all) % all;
  if (index % divisor != 0)
    return -1;
  int64_t cell = index / divisor;
  const int64_t last = cells - 1;
  switch (edge) {
  case PMRT_EDGE_PERIODIC:
    break;
  case PMRT_EDGE_ZERO:
    return cell < 0 || cell > last ? -1 : cell;
  case PMRT_EDGE_CLAMP:
    cell = cell < 0 ? 0 : cell > last ? last : cell;
    break;
  case PMRT_EDGE_REFLECT:
    cell = cell < 0 ? -cell : cell;
    cell = cell > last ? 2 * last - cell : cell;
    break;
  }
  return cell;
}

/// Strides of a dense local array.
static std::vector<int64_t> stridesOf(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::optional<Convolution>
pmrt::makeConvolution(const Context &context, pmrt_loc loc,
                      const pmrt_array &field, const pmrt_halo *halo,
                      const pmrt_array &weights, const pmrt_array &result,
                      const int64_t *plan, bool &isZero) {
  const auto element = pmrt_element(result.element);
  const Factor read{field.data, pmrt_element(field.element)},
      with{weights.data, pmrt_element(weights.element)};
  if (!read.makes(element) || !with.makes(element))
    throw context.failure(
        loc, fmt::format("internal error: a convolution of {} and {} to {}",
                         elementName(read.element), elementName(with.element),
                         elementName(element)));
  const auto shape = context.shape(loc, result),
             taps = context.shape(loc, weights),
             own = context.shape(loc, field);
  const auto strides = stridesOf(shape), tapStrides = stridesOf(taps),
             ownStrides = stridesOf(own);
  Convolution work;
  work.element = element;
  work.field = read;
  work.weights = with;
  work.result = result.data;
  work.halo = halo;
  work.ordered = context.program.deterministic;
  std::vector<int64_t> begins;
  int64_t elements = 1, count = 1;
  auto append = [&](int32_t dim, int64_t cells) -> LoopDim & {
    work.loop.push_back({.count = cells});
    begins.push_back(context.shards[size_t(dim)].offset);
    count *= cells;
    return work.loop.back();
  };
  for (size_t d = 0; d < taps.size(); ++d)
    append(weights.dims[d], taps[d]).weights = tapStrides[d];
  for (size_t d = 0; d < shape.size(); ++d) {
    elements *= shape[d];
    size_t place = 0;
    while (place < taps.size() && weights.dims[place] != result.dims[d])
      ++place;
    LoopDim &dim = place < taps.size() ? work.loop[place]
                                       : append(result.dims[d], shape[d]);
    dim.result = strides[d];
  }
  for (size_t p = 0; p < taps.size(); ++p)
    if (work.loop[p].result == 0)
      checkWhole(context, loc, weights.dims[p]);
  for (size_t d = 0; d < own.size(); ++d, plan += 7) {
    const auto dim = size_t(field.dims[d]);
    ReadDim read{context.program.dims[dim].stored(),
                 context.shards[dim].offset,
                 ownStrides[d],
                 plan[0],
                 plan[1],
                 pmrt_edge(plan[2])};
    for (const int64_t *term = plan + 3; term != plan + 7; term += 2) {
      if (term[0] < 0)
        continue;
      LoopDim &by = work.loop.at(size_t(term[0]));
      by.reader = int32_t(d);
      by.number = term[1];
      read.offset += term[1] * begins[size_t(term[0])];
    }
    work.reads.push_back(read);
  }
  isZero = elements > 0 && count == 0;
  return count > 0 ? std::make_optional(work) : std::nullopt;
}

void pmrt_convolve(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                   const pmrt_array *field, const pmrt_halo *halo,
                   const pmrt_array *weights, const pmrt_array *result,
                   const int64_t *plan) {
  bool isZero = false;
  const auto work =
      makeConvolution(*ctx, loc, *field, halo, *weights, *result, plan, isZero);
  const int64_t made = ctx->bytes(loc, *result);
  Op op(*ctx, loc, "convolve",
        ctx->bytes(loc, *field) + ctx->bytes(loc, *weights) + made);
  if (isZero)
    ctx->device->zero(result->data, made);
  if (work)
    ctx->device->convolve(*work);
}
