//===- Contraction.cpp - Contractions by cuBLAS ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields that are matrices, and batches of them at one distance, are multiplied
// where they are; others are packed first. Of f32, cuBLAS adds up a part of the
// terms at a time, in f32, to what the parts before have given.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Matrices/Contraction.h"
#include "runtime/Core/Matrices/Convolution.h"

#include "runtime/CUDA/CudaDevice.h"
#include "runtime/CUDA/Libraries/CuBlas.h"
#include "runtime/CUDA/Libraries/CuSolver.h"

#include <climits>

using namespace pmrt;
using namespace pmrt::cuda;

std::string CuBlas::text(int error) {
  switch (error) {
  case 1:
    return "CUBLAS_STATUS_NOT_INITIALIZED (1)";
  case 3:
    return "CUBLAS_STATUS_ALLOC_FAILED (3)";
  case 7:
    return "CUBLAS_STATUS_INVALID_VALUE (7)";
  case 8:
    return "CUBLAS_STATUS_ARCH_MISMATCH (8)";
  case 13:
    return "CUBLAS_STATUS_EXECUTION_FAILED (13)";
  case 14:
    return "CUBLAS_STATUS_INTERNAL_ERROR (14)";
  case 15:
    return "CUBLAS_STATUS_NOT_SUPPORTED (15)";
  default:
    return fmt::format("error {}", error);
  }
}

static const LibraryFiles &cublasFiles() {
  static const LibraryFiles files = {
      {{"libcublas.so.13", 13},
       {"libcublas.so.12", 12},
       {"libcublas.so.11", 11}},
      "cuBLAS was not found on this machine ({}); install it with the CUDA "
      "toolkit (package cuda-libraries, or pip install nvidia-cublas) and put "
      "its folder into LD_LIBRARY_PATH",
      "cuBLAS has no function {}: version 11 or later is required"};
  return files;
}

const CuBlas &pmrt::cuda::cublas() {
  static const auto loaded = load<CuBlas>(cublasFiles(), driverVersion());
  return loaded;
}

const CuBlasBatches &pmrt::cuda::cublasBatches() {
  static const auto loaded =
      load<CuBlasBatches>(cublasFiles(), driverVersion());
  return loaded;
}

namespace {

using Stride = int64_t ContractionDim::*;

/// A batch of matrices as cuBLAS takes them: rows, or columns, are dense.
struct Matrices {
  char *data = nullptr;
  int64_t ld = 0, step = 0; ///< in elements
  bool transposed = false;
  bool isPacked = false;
};

int64_t strideOf(const ContractionDims &dims, Stride stride) {
  return dims.empty() ? 0 : dims.front().*stride;
}

/// The matrices in their arrays. If they must be packed, only `isPacked` is
/// set.
Matrices inPlace(const void *data, Stride stride,
                 const ContractionDims &batches, const ContractionDims &down,
                 const ContractionDims &across, bool isReduced = false) {
  Matrices view;
  view.isPacked = true;
  if (isReduced || batches.size() > 1 || down.size() > 1 || across.size() > 1)
    return view;
  const int64_t rows = countOf(down), columns = countOf(across);
  const int64_t inRow = strideOf(down, stride),
                inColumn = strideOf(across, stride);
  if (inColumn == 1 || columns == 1)
    view.ld = std::max(inRow, columns);
  else if (inRow == 1 || rows == 1)
    view.ld = std::max(inColumn, rows), view.transposed = true;
  else
    return view;
  view.step = strideOf(batches, stride);
  view.isPacked = view.ld > INT_MAX;
  view.data = static_cast<char *>(const_cast<void *>(data));
  return view;
}

/// The elements in the order of batches, rows and columns.
Region regionOf(const void *data, pmrt_element element, Stride stride,
                std::initializer_list<const ContractionDims *> all) {
  Region region;
  region.base = static_cast<char *>(const_cast<void *>(data));
  region.size = elementSize(element);
  for (const ContractionDims *dims : all)
    for (const ContractionDim &dim : *dims) {
      region.counts.push_back(dim.count);
      region.strides.push_back(dim.*stride * region.size);
    }
  return region;
}

} // namespace

void CudaDevice::check(int error, const CuBlas &, const char *action) const {
  if (error != 0)
    throw context.failure(
        context.current,
        fmt::format("[PM9011] cuBLAS cannot {} a contraction: {}", action,
                    CuBlas::text(error)));
}

/// As a convolution without taps, of which a thread adds up an element.
static Convolution inOrder(const Contraction &work) {
  Convolution made;
  made.element = work.element;
  made.field = work.a;
  made.weights = work.b;
  made.result = work.c;
  made.ordered = true;
  for (const ContractionDims *dims :
       {&work.batches, &work.rows, &work.columns, &work.terms})
    for (const ContractionDim &dim : *dims) {
      LoopDim loop = {.count = dim.count, .weights = dim.b, .result = dim.c};
      if (dim.a != 0) {
        loop.reader = int32_t(made.reads.size());
        loop.number = 1;
        made.reads.push_back({.cells = dim.count, .stride = dim.a});
      }
      made.loop.push_back(loop);
    }
  return made;
}

void *CudaDevice::blas() {
  const CuBlas &lib = cublas();
  if (blasHandle)
    return blasHandle;
  check(lib.create(&blasHandle), lib, "prepare");
  check(lib.setStream(blasHandle, stream), lib, "prepare");
  // A workspace of cuBLAS would not be counted in the memory of the rank.
  check(lib.setWorkspace(blasHandle, grown(blasMemory, blasWorkspace),
                         size_t(blasWorkspace)),
        lib, "prepare");
  return blasHandle;
}

bool CudaDevice::hasBlas() {
  if (!blasIsThere)
    try {
      (void)cublas();
      blasIsThere = true;
    } catch (const Error &) {
      blasIsThere = false;
    }
  return *blasIsThere;
}

namespace {

/// The matrices of a contraction, and the places of packed ones in memory.
struct Places {
  Matrices a, b, c;
  int64_t placeA = 0, placeB = 0, placeC = 0, bytes = 0;

  explicit Places(const Contraction &work)
      : a(inPlace(work.a.data, &ContractionDim::a, work.batches, work.rows,
                  work.terms, work.a.isReduced())),
        b(inPlace(work.b.data, &ContractionDim::b, work.batches, work.terms,
                  work.columns, work.b.isReduced())),
        c(inPlace(work.c, &ContractionDim::c, work.batches, work.rows,
                  work.columns)) {
    const int64_t batches = countOf(work.batches), rows = countOf(work.rows),
                  columns = countOf(work.columns), terms = countOf(work.terms);
    if (c.transposed)
      c.isPacked = true;
    // Packed matrices are stored one after the other, aligned to 256 bytes.
    auto reserve = [&](Matrices &matrices, int64_t down, int64_t across) {
      if (!matrices.isPacked)
        return int64_t(0);
      matrices = {nullptr, across, down * across, false, true};
      const int64_t at = bytes;
      bytes += (batches * down * across * elementSize(work.element) + 255) /
               256 * 256;
      return at;
    };
    placeA = reserve(a, rows, terms);
    placeB = reserve(b, terms, columns);
    placeC = reserve(c, rows, columns);
  }
};

} // namespace

int64_t CudaDevice::packBytes(const Contraction &work) {
  return work.ordered ? 0 : Places(work).bytes;
}

void CudaDevice::contract(const Contraction &work) {
  if (work.ordered)
    return convolveDirectly(inOrder(work));
  multiply(work, false);
}

void CudaDevice::multiply(const Contraction &work, bool adds) {
  const CuBlas &lib = cublas();
  (void)blas();
  const bool single = work.element == PMRT_F32;
  const int64_t batches = countOf(work.batches), rows = countOf(work.rows),
                columns = countOf(work.columns), terms = countOf(work.terms);
  Places places(work);
  Matrices &a = places.a, &b = places.b, &c = places.c;
  char *memory =
      places.bytes > 0 ? static_cast<char *>(scratch(places.bytes)) : nullptr;
  auto packTo = [&](const Matrices &matrices, const Factor &factor,
                    const Region &from) {
    if (!matrices.isPacked)
      return;
    if (factor.isReduced())
      widen(from, factor.element, matrices.data, work.element);
    else
      transfer(from, from.denseAt(matrices.data), Combine::Replace, PMRT_I8);
  };
  const Region fromA = regionOf(work.a.data, work.a.element, &ContractionDim::a,
                                {&work.batches, &work.rows, &work.terms}),
               fromB = regionOf(work.b.data, work.b.element, &ContractionDim::b,
                                {&work.batches, &work.terms, &work.columns}),
               toC = regionOf(work.c, work.element, &ContractionDim::c,
                              {&work.batches, &work.rows, &work.columns});
  if (a.isPacked)
    a.data = memory + places.placeA;
  if (b.isPacked)
    b.data = memory + places.placeB;
  packTo(a, work.a, fromA);
  packTo(b, work.b, fromB);
  if (c.isPacked)
    c.data = memory + places.placeC;
  if (c.isPacked && adds)
    transfer(toC, toC.denseAt(c.data), Combine::Replace, PMRT_I8);
  const int64_t most = 1 << 24;
  if (rows > INT_MAX || columns > INT_MAX || batches > INT_MAX)
    throw context.failure(
        context.current,
        fmt::format("[PM9104] a contraction has {} rows, {} columns and {} "
                    "batches, but "
                    "cuBLAS supports at most 2147483647 of each",
                    rows, columns, batches));
  const int64_t block = std::min(
      most, single ? std::max(Contraction::block, (terms + 63) / 64) : terms);
  for (int64_t first = 0; first < terms; first += block) {
    const int64_t count = std::min(block, terms - first);
    // Of column-major matrices: the transposes, in the other order.
    auto call = [&](auto gemm, auto one) {
      using T = decltype(one);
      const T beta = first > 0 || adds ? T(1) : T(0);
      const int64_t stepA = a.transposed ? a.ld : 1,
                    stepB = b.transposed ? 1 : b.ld;
      return gemm(blasHandle, b.transposed ? CuBlas::transposed : CuBlas::plain,
                  a.transposed ? CuBlas::transposed : CuBlas::plain,
                  int(columns), int(rows), int(count), &one,
                  reinterpret_cast<const T *>(b.data) + first * stepB,
                  int(b.ld), b.step,
                  reinterpret_cast<const T *>(a.data) + first * stepA,
                  int(a.ld), a.step, &beta, reinterpret_cast<T *>(c.data),
                  int(c.ld), c.step, int(batches));
    };
    check(single ? call(lib.sgemm, 1.0F) : call(lib.dgemm, 1.0), lib, "run");
  }
  if (c.isPacked)
    transfer(toC.denseAt(c.data), toC, Combine::Replace, PMRT_I8);
}

void CudaDevice::dropBlas() noexcept {
  if (blasHandle)
    (void)cublas().destroy(blasHandle);
  blasHandle = nullptr;
  blasMemory = Pages();
}
