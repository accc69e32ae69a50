//===- Noise.h - White noise of fields --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_NOISE_H
#define PMRT_CORE_NOISE_H

#include "runtime/Base/Memory/Device.h"
#include "runtime/Base/Threads.h"

namespace pmrt {

/// The noise of a local array (Core/WhiteNoise.h), in the host's memory.
void fillNoise(Threads &threads, uint64_t seed, pmrt_element element,
               const Placed &where, void *out);

} // namespace pmrt

#endif // PMRT_CORE_NOISE_H
