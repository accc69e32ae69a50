//===- Convolution.cpp - Convolutions on a GPU ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If several results are computed from the same cells, a kernel copies the
// cells that the convolution reads to a matrix (im2col), and cuBLAS multiplies
// it by the weights. The memory of the matrix is limited, so that larger
// convolutions are divided. Otherwise, a thread of a kernel adds up an element
// of the result.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Matrices/Convolution.h"

#include "runtime/CUDA/Libraries/CuBlas.h"
#include "runtime/CUDA/Run.h"
#include "runtime/Core/Matrices/Contraction.h"

#include <algorithm>
#include <limits>

using namespace pmrt;
using namespace pmrt::cuda;

/// The largest number of bytes of the matrix of cells that are read.
static constexpr int64_t mostPatchBytes = int64_t(64) << 20;
/// The smallest number of results from the same cells for which the products
/// save more time than the copies take.
static constexpr int64_t fewestColumns = 4;

namespace {

/// The loop of a convolution as products of matrices. In each batch, the matrix
/// of cells that are read has a row for each place of the result. The weights
/// are its right factor, with a column for each result at a place. Products are
/// added up over terms.
struct Loops {
  std::vector<LoopDim> batches, places, columns, terms;

  explicit Loops(const Convolution &work) {
    for (const LoopDim &dim : work.loop)
      (dim.result == 0    ? terms
       : dim.weights == 0 ? places
       : dim.reader < 0   ? columns
                          : batches)
          .push_back(dim);
  }
  /// The dims of the matrix of cells that are read, the last one fastest:
  /// neighboring threads read for neighboring places.
  std::vector<LoopDim> read() const {
    std::vector<LoopDim> all = batches;
    all.insert(all.end(), terms.begin(), terms.end());
    all.insert(all.end(), places.begin(), places.end());
    return all;
  }
};

int64_t countOf(const std::vector<LoopDim> &dims) {
  int64_t count = 1;
  for (const LoopDim &dim : dims)
    count *= dim.count;
  return count;
}

/// The part of a convolution with indices from `first` on along dim p of the
/// loop.
Convolution behind(Convolution work, size_t p, int64_t first) {
  LoopDim &dim = work.loop[p];
  dim.count -= first;
  work.result = static_cast<char *>(work.result) +
                first * dim.result * elementSize(work.element);
  work.weights.data = static_cast<const char *>(work.weights.data) +
                      first * dim.weights * elementSize(work.weights.element);
  if (dim.reader >= 0)
    work.reads[size_t(dim.reader)].offset += first * dim.number;
  return work;
}

/// The dim of the loop to divide: the first dim of the group with the most
/// elements, so that matrices remain close to squares.
size_t dimToDivide(const Convolution &work) {
  const Loops loops(work);
  const bool hasBatches = countOf(loops.batches) > 1;
  const bool isTerm =
      !hasBatches && countOf(loops.terms) > countOf(loops.places);
  for (size_t p = 0; p < work.loop.size(); ++p) {
    const LoopDim &dim = work.loop[p];
    const bool isBatch = dim.result != 0 && dim.weights != 0 && dim.reader >= 0;
    const bool fits = hasBatches ? isBatch
                      : isTerm   ? dim.result == 0
                                 : dim.result != 0 && dim.weights == 0;
    if (fits && dim.count > 1)
      return p;
  }
  return work.loop.size();
}

/// Divides a convolution into parts with small matrices of cells, and calls
/// visit(part, adds) for each. `adds`: the part is added to the result of an
/// earlier part.
template <typename Visit>
void forParts(const Convolution &work, bool adds, const Visit &visit) {
  const int64_t bytes = countOf(Loops(work).read()) * elementSize(work.element);
  const size_t p =
      bytes > mostPatchBytes ? dimToDivide(work) : work.loop.size();
  if (p == work.loop.size())
    return visit(work, adds);
  const int64_t half = work.loop[p].count / 2;
  Convolution first = work;
  first.loop[p].count = half;
  forParts(first, adds, visit);
  forParts(behind(work, p, half), adds || work.loop[p].result == 0, visit);
}

/// The product of the matrix of cells at `patches` and the weights.
Contraction productOf(const Convolution &work, const void *patches) {
  const Loops loops(work);
  Contraction product;
  product.element = work.element;
  product.a = {patches, work.element};
  product.b = work.weights;
  product.c = work.result;
  // Strides of the matrix of cells, from its innermost dim on.
  std::vector<int64_t> strides;
  int64_t stride = 1;
  const std::vector<LoopDim> read = loops.read();
  for (size_t d = read.size(); d-- > 0; stride *= read[d].count)
    strides.insert(strides.begin(), stride);
  size_t next = 0;
  auto append = [&](ContractionDims &dims, const std::vector<LoopDim> &from) {
    for (const LoopDim &dim : from) {
      const int64_t inRead = &dims == &product.columns ? 0 : strides[next++];
      appendDim(dims, {dim.count, inRead, dim.weights, dim.result});
    }
  };
  append(product.batches, loops.batches);
  append(product.terms, loops.terms);
  append(product.rows, loops.places);
  append(product.columns, loops.columns);
  const auto least = [](const std::vector<LoopDim> &dims) {
    int64_t found = std::numeric_limits<int64_t>::max();
    for (const LoopDim &dim : dims)
      if (dim.count > 1)
        found = std::min(found, dim.result);
    return found;
  };
  if (least(loops.places) < least(loops.columns) && !product.columns.empty())
    transpose(product);
  return product;
}

bool isProduct(const Convolution &work) {
  return !work.ordered && countOf(Loops(work).columns) >= fewestColumns;
}

const pmrt_halo *viewOf(const Convolution &work) {
  return work.halo && !work.halo->whole ? work.halo : nullptr;
}

void appendTo(ConvolvePlan &plan, const LoopDim &dim) {
  const int32_t p = plan.loop++;
  plan.count[p] = dim.count;
  plan.number[p] = dim.number;
  plan.reader[p] = dim.reader;
  plan.weights[p] = dim.weights;
  plan.result[p] = dim.result;
}

/// The dims of the field in a plan.
void setReads(ConvolvePlan &plan, const Convolution &work) {
  const pmrt_halo *const view = viewOf(work);
  for (const ReadDim &dim : work.reads) {
    const int32_t d = plan.reads++;
    plan.edge[d] = int32_t(dim.edge);
    plan.cells[d] = dim.cells;
    plan.offset[d] = dim.offset;
    plan.divisor[d] = dim.divisor;
    plan.begin[d] = view ? view->origin[d] : dim.begin;
    plan.stride[d] = view ? view->stride[d] : dim.stride;
  }
}

} // namespace

void CudaDevice::convolve(const Convolution &work) {
  if (!isProduct(work) || !hasBlas()) {
    ++context.convolutionsByKernel;
    return convolveDirectly(work);
  }
  ++context.convolutionsByBlas;
  forParts(work, false, [&](const Convolution &part, bool adds) {
    const std::vector<LoopDim> read = Loops(part).read();
    const int64_t count = ::countOf(read);
    ConvolvePlan plan = {};
    for (const LoopDim &dim : read)
      appendTo(plan, dim);
    setReads(plan, part);
    const pmrt_halo *const view = viewOf(part);
    void *const *const rows = view ? view->rows : nullptr;
    char *const patches = grown(patchMemory, count * elementSize(part.element));
    const auto element = int32_t(part.field.element);
    if (part.element == PMRT_F32)
      PMRT_RUN(pmrt_patches_f32, count, plan, count, part.field.data, element,
               rows, reinterpret_cast<float *>(patches));
    else
      PMRT_RUN(pmrt_patches_f64, count, plan, count, part.field.data, element,
               rows, reinterpret_cast<double *>(patches));
    multiply(productOf(part, patches), adds);
  });
}

std::pair<int64_t, int64_t>
CudaDevice::convolutionBytes(const Convolution &work) {
  int64_t patches = 0, packed = 0;
  if (!isProduct(work) || !hasBlas())
    return {0, 0};
  forParts(work, false, [&](const Convolution &part, bool) {
    patches = std::max(patches, ::countOf(Loops(part).read()) *
                                    elementSize(part.element));
    packed = std::max(packed, packBytes(productOf(part, nullptr)));
  });
  return {patches, packed};
}

void CudaDevice::convolveDirectly(const Convolution &work) {
  ConvolvePlan plan = {};
  int64_t count = 1;
  for (const LoopDim &dim : work.loop)
    if (dim.result != 0) {
      appendTo(plan, dim);
      count *= dim.count;
    }
  plan.kept = plan.loop;
  for (const LoopDim &dim : work.loop)
    if (dim.result == 0)
      appendTo(plan, dim);
  setReads(plan, work);
  const pmrt_halo *const view = viewOf(work);
  void *const *const rows = view ? view->rows : nullptr;
  auto start = [&](auto kernel, const char *name, auto one) {
    using T = decltype(one);
    run(kernel, name, count, plan, count,
        static_cast<const T *>(work.field.data), rows,
        static_cast<const T *>(work.weights.data),
        static_cast<T *>(work.result));
  };
  auto startReduced = [&](auto kernel, const char *name, auto one) {
    using T = decltype(one);
    run(kernel, name, count, plan, count, work.field.data,
        int32_t(work.field.element), rows, work.weights.data,
        int32_t(work.weights.element), static_cast<T *>(work.result));
  };
  if (work.field.isReduced() || work.weights.isReduced()) {
    if (work.element == PMRT_F32)
      return startReduced(
          static_cast<decltype(&pmrt_convolve_reduced_f32)>(nullptr),
          "pmrt_convolve_reduced_f32", 1.0F);
    return startReduced(
        static_cast<decltype(&pmrt_convolve_reduced_f64)>(nullptr),
        "pmrt_convolve_reduced_f64", 1.0);
  }
  if (work.element == PMRT_F32)
    start(static_cast<decltype(&pmrt_convolve_f32)>(nullptr),
          "pmrt_convolve_f32", 1.0F);
  else
    start(static_cast<decltype(&pmrt_convolve_f64)>(nullptr),
          "pmrt_convolve_f64", 1.0);
}
