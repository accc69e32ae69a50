//===- MatrixNeeds.cpp - Memory for calls of cuSOLVER and cuBLAS ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls get the memory that this file computes. Therefore the prediction of a
// dry run is what a run allocates.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/MatrixSolver.h"

#include <algorithm>
#include <numeric>

using namespace pmrt;
using namespace pmrt::cuda;

void MatrixSolver::factorNeeds(int n, Needs &bytes) {
  bytes[First] = sizeOf(call->in[0]) * call->count;
  bytes[Pivots] = call->count * n * int64_t(sizeof(int32_t));
  if (n <= mostInBatch)
    bytes[Pointers] = 2 * call->count * int64_t(sizeof(void *));
  else
    check(PMRT_BY_ELEMENT(lib, getrfBytes, handle, n, n, nullptr, n, &workSize),
          "factor");
}

void MatrixSolver::svdNeeds(Needs &bytes) {
  const int m = call->in[0].rows, n = call->in[0].columns, few = std::min(m, n);
  const int64_t size = elementSize(call->element);
  const bool isBatch = std::max(m, n) <= mostForJacobi;
  bytes[First] = sizeOf(call->in[0]) * call->count;
  bytes[Second] = call->count * n * (isBatch ? n : few) * size;
  bytes[Third] = call->count * m * (isBatch ? m : few) * size;
  if (isBatch)
    check(PMRT_BY_ELEMENT(lib, gesvdjBatchedBytes, handle, vectors, n, m,
                          nullptr, n, nullptr, nullptr, n, nullptr, m,
                          &workSize, jacobi, int(call->count)),
          "factor");
  else
    check(PMRT_BY_ELEMENT(lib, gesvdjBytes, handle, vectors, 1, n, m, nullptr,
                          n, nullptr, nullptr, n, nullptr, m, &workSize,
                          jacobi),
          "factor");
}

MatrixSolver::Needs MatrixSolver::needs() {
  Needs bytes = {};
  workSize = 0;
  if (call->kind == PMRT_MATRIX_PRODUCT)
    return bytes;
  const int n = call->in[0].rows;
  const int64_t size = elementSize(call->element),
                pointers = 2 * call->count * int64_t(sizeof(void *));
  bytes[Bad] = bytes[Info] = call->count * int64_t(sizeof(int32_t));
  switch (call->kind) {
  case PMRT_MATRIX_PRODUCT:
    break;
  case PMRT_MATRIX_SOLVE:
    bytes[Second] = sizeOf(call->in[1]) * call->count;
    if (call->has(PMRT_MATRIX_LOWER)) {
      bytes[Pointers] = pointers;
      break;
    }
    factorNeeds(n, bytes);
    bytes[Values] = n <= mostInBatch ? 0 : int64_t(sizeof(int32_t));
    break;
  case PMRT_MATRIX_CHOLESKY:
    if (n <= mostInBatch)
      bytes[Pointers] = pointers;
    else
      check(PMRT_BY_ELEMENT(lib, potrfBytes, handle, upper, n, nullptr, n,
                            &workSize),
            "factor");
    break;
  case PMRT_MATRIX_LOG_DET:
    factorNeeds(n, bytes);
    break;
  case PMRT_MATRIX_EIGH:
    bytes[First] = sizeOf(call->in[0]) * call->count;
    if (n <= mostForJacobi)
      check(PMRT_BY_ELEMENT(lib, syevjBatchedBytes, handle, vectors, upper, n,
                            nullptr, n, nullptr, &workSize, eigen,
                            int(call->count)),
            "factor");
    else
      check(PMRT_BY_ELEMENT(lib, syevdBytes, handle, vectors, upper, n, nullptr,
                            n, nullptr, &workSize),
            "factor");
    break;
  case PMRT_MATRIX_SVD:
    svdNeeds(bytes);
    break;
  case PMRT_MATRIX_LEAST_SQUARES: {
    const MatrixArray &a = call->in[0];
    const int64_t few = std::min(a.rows, a.columns);
    bytes[Fourth] =
        call->count * few * (a.rows + a.columns + call->in[1].columns) * size;
    bytes[Values] = call->count * few * elementSize(realElement());
    svdNeeds(bytes);
    break;
  }
  }
  bytes[Workspace] = workSize * size;
  return bytes;
}

int64_t MatrixSolver::bytesFor(const std::vector<MatrixCall> &calls) {
  Needs most = {};
  for (const MatrixCall &one : calls) {
    call = &one;
    const Needs bytes = needs();
    for (size_t use = 0; use < Uses; ++use)
      most[use] = std::max(most[use], bytes[use]);
  }
  call = nullptr;
  return std::accumulate(most.begin(), most.end(), int64_t(0));
}

int64_t CudaDevice::matrixBytes() {
  std::vector<MatrixCall> calls;
  for (const MatrixShapes &shapes : context.program.matrices)
    if (MatrixCall call = matrixCall(context, shapes); call.count > 0)
      calls.push_back(call);
  std::string problem; // reported by the first call
  MatrixSolver *const made = calls.empty() ? nullptr : solver(problem);
  return made ? made->bytesFor(calls) : 0;
}
