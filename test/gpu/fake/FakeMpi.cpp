//===- FakeMpi.cpp - An MPI that knows of GPUs ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loaded first (LD_PRELOAD), it makes any MPI say so. With FAKECUDA_OPEN=1 the
// memory of the fake GPU is like the host's, and it is true.
//
//===----------------------------------------------------------------------===//

extern "C" int MPIX_Query_cuda_support() { return 1; }
