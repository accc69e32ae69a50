//===- Nccl.h - Messages between GPUs by NCCL -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For messages between ranks that have a GPU each. What is the host's (scalars,
// texts, failures, the end) goes over another transport, threads or mpi, which
// also hands round NCCL's id.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_NCCL_H
#define PMRT_CUDA_NCCL_H

#include "runtime/Comm/Transport.h"

namespace pmrt::cuda {

/// Throws Exit::Usage if NCCL is missing.
std::shared_ptr<Transport> makeNcclTransport(std::shared_ptr<Transport> host);

} // namespace pmrt::cuda

#endif // PMRT_CUDA_NCCL_H
