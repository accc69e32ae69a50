//===- Contraction.cpp - A sum of products of two fields ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Matrices/Contraction.h"

#include "runtime/Core/Op.h"

#include <algorithm>
#include <optional>

using namespace pmrt;

int64_t pmrt::countOf(const ContractionDims &dims) {
  int64_t count = 1;
  for (const ContractionDim &dim : dims)
    count *= dim.count;
  return count;
}

namespace {

/// A local array: dense, row-major.
struct Operand {
  Operand(const Context &context, pmrt_loc loc, const pmrt_array &array)
      : array(array), shape(context.shape(loc, array)), strides(shape.size()) {
    int64_t stride = 1;
    for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
      strides[d] = stride;
  }

  /// Nothing if it does not have the dim.
  std::optional<int64_t> strideOf(int32_t dim) const {
    for (size_t d = 0; d < shape.size(); ++d)
      if (array.dims[d] == dim)
        return strides[d];
    return {};
  }

  const pmrt_array &array;
  std::vector<int64_t> shape, strides;
};

} // namespace

void pmrt::appendDim(ContractionDims &dims, const ContractionDim &dim) {
  if (dim.count == 1)
    return;
  if (!dims.empty()) {
    ContractionDim &outer = dims.back();
    if (outer.a == dim.count * dim.a && outer.b == dim.count * dim.b &&
        outer.c == dim.count * dim.c) {
      outer = {outer.count * dim.count, dim.a, dim.b, dim.c};
      return;
    }
  }
  dims.push_back(dim);
}

void pmrt::transpose(Contraction &work) {
  std::swap(work.a, work.b);
  std::swap(work.rows, work.columns);
  for (ContractionDims *dims :
       {&work.batches, &work.rows, &work.columns, &work.terms})
    for (ContractionDim &dim : *dims)
      std::swap(dim.a, dim.b);
}

void pmrt::checkWhole(const Context &context, pmrt_loc loc, int32_t dim) {
  const Dim &whole = context.program.dims[size_t(dim)];
  if (context.program.deterministic &&
      context.shards[size_t(dim)].extent != whole.stored())
    throw context.failure(
        loc, fmt::format("internal error: a sum over the dim '{}', which ranks "
                         "share, in an order that depends on them",
                         whole.name));
}

std::optional<Contraction>
pmrt::makeContraction(const Context &context, pmrt_loc loc, const pmrt_array &a,
                      const pmrt_array &b, const pmrt_array &c, bool &isZero) {
  const Operand left(context, loc, a), right(context, loc, b),
      sum(context, loc, c);
  const auto element = pmrt_element(c.element);
  const Factor first{a.data, pmrt_element(a.element)},
      second{b.data, pmrt_element(b.element)};
  if (!first.makes(element) || !second.makes(element))
    throw context.failure(
        loc, fmt::format("internal error: a contraction of {} and {} to {}",
                         elementName(first.element),
                         elementName(second.element), elementName(element)));
  Contraction work;
  work.element = element;
  work.a = first;
  work.b = second;
  work.c = c.data;
  work.ordered = context.program.deterministic;
  bool isEmpty = false, hasTerms = true, endsInRow = false;
  for (size_t d = 0; d < sum.shape.size(); ++d) {
    const auto inA = left.strideOf(c.dims[d]), inB = right.strideOf(c.dims[d]);
    if (!inA && !inB)
      throw context.failure(loc, "internal error: a contraction to a dim that "
                                 "neither field has");
    const ContractionDim dim{sum.shape[d], inA.value_or(0), inB.value_or(0),
                             sum.strides[d]};
    isEmpty |= dim.count == 0;
    appendDim(inA && inB ? work.batches : inA ? work.rows : work.columns, dim);
    if (dim.count > 1)
      endsInRow = inA && !inB;
  }
  for (size_t d = 0; d < left.shape.size(); ++d) {
    if (sum.strideOf(a.dims[d]))
      continue;
    const auto inB = right.strideOf(a.dims[d]);
    if (!inB)
      throw context.failure(loc, "internal error: a contraction over a dim "
                                 "that one field does not have");
    hasTerms &= left.shape[d] > 0;
    checkWhole(context, loc, a.dims[d]);
    appendDim(work.terms, {left.shape[d], left.strides[d], *inB, 0});
  }
  isZero = !isEmpty && !hasTerms;
  if (isEmpty || !hasTerms)
    return std::nullopt;
  // Makes the rows of c dense if this is possible.
  if (endsInRow && !work.columns.empty())
    transpose(work);
  return work;
}

void pmrt_contract(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                   const pmrt_array *a, const pmrt_array *b,
                   const pmrt_array *c) {
  bool isZero = false;
  const auto work = makeContraction(*ctx, loc, *a, *b, *c, isZero);
  const int64_t made = ctx->bytes(loc, *c);
  Op op(*ctx, loc, "contract",
        ctx->bytes(loc, *a) + ctx->bytes(loc, *b) + made);
  if (isZero)
    ctx->device->zero(c->data, made);
  if (work)
    ctx->device->contract(*work);
}
