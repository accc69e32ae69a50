//===- Ranks.h - Which ranks a program runs on ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_PROGRAM_RANKS_H
#define PMRT_PROGRAM_RANKS_H

#include "runtime/Comm/Processes/Launcher.h"
#include "runtime/Program/Flags/CommandLine.h"

namespace pmrt {

enum class TransportKind { Self, Threads, Mpi, Tcp };

/// Decides how ranks talk, and checks that the mesh has as many ranks as there
/// are and that every rank has a cell of every dim. Throws Exit::Usage.
TransportKind chooseTransport(const Descriptor &program, const Launch &launch,
                              const Launcher &launcher);

/// Worker threads of a rank, if the user does not say: the cores that it may
/// use, over the ranks that may use the same ones. A collective; the same on
/// all ranks.
int defaultThreads(Transport &transport);

/// Throws on all ranks if they were started with different flags or inputs.
void checkAlike(Context &context);

} // namespace pmrt

#endif // PMRT_PROGRAM_RANKS_H
