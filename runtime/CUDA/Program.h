//===- Program.h - GPUs that run the code of a program ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_PROGRAM_H
#define PMRT_CUDA_PROGRAM_H

#include "pmrt/pmrt_cuda.h"
#include "runtime/Base/Memory/Device.h"

namespace pmrt::cuda {

/// NVIDIA GPUs with the kernels of a program. `code` must outlive them.
DeviceKind devicesFor(const pmrt_device_code &code);

} // namespace pmrt::cuda

#endif // PMRT_CUDA_PROGRAM_H
