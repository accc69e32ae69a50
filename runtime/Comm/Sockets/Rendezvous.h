//===- Rendezvous.h - How processes without MPI find each other -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The first rank listens, and writes where into a file that all ranks see, with
// a random key and the job's name. The others come there, say where they listen
// themselves, and hear the same of all when the last one has come; then every
// rank connects to those before it. What an earlier run has left in the file
// is harmless: the process there cannot prove that it knows the key.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_SOCKETS_RENDEZVOUS_H
#define PMRT_COMM_SOCKETS_RENDEZVOUS_H

#include "runtime/Comm/Sockets/PeerInfo.h"

namespace pmrt {

/// Meets the other ranks: one entry a rank. Throws Error if they do not come in
/// `patience` seconds, and Stopped if another rank has found and reported that.
std::vector<PeerInfo> meet(const std::string &file, int rank, int ranks,
                           double patience, const Ways &ways = {});

} // namespace pmrt

#endif // PMRT_COMM_SOCKETS_RENDEZVOUS_H
