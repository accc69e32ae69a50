//===- ByteTransport.h - Bytes from process to process ---------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that ranks in separate processes need from MPI (MpiPlugin.cpp)
// or sockets (Tcp.cpp); Processes.cpp implements the rest of a transport on
// top. One thread calls all functions. Failures throw std::runtime_error.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_BYTETRANSPORT_H
#define PMRT_COMM_BYTETRANSPORT_H

#include <cstdint>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace pmrt {

/// The rank of a process in the run, and among the processes of its machine.
struct RankPosition {
  int rank = 0, size = 1;
  int localRank = 0, localSize = 1;
};

/// Whether messages may be in the memory of a GPU.
enum class GpuMemory { No, NotTold, Yes };

class ByteTransport {
public:
  virtual ~ByteTransport() = default;

  /// "mpi" or "tcp".
  virtual const char *name() const = 0;
  virtual RankPosition position() const = 0;
  virtual GpuMemory gpuMemory() const { return GpuMemory::No; }

  /// Begin a message of that tag; between two ranks, those of one tag match in
  /// order. The memory must stay until `test` has said that it is done, or
  /// until `cancel`.
  virtual void send(const void *data, int bytes, int peer, int tag,
                    int &request) = 0;
  virtual void receive(void *data, int bytes, int peer, int tag,
                       int &request) = 0;
  /// Does not wait. A request that is done is gone.
  virtual bool test(int &request) = 0;
  /// Gives up: received memory is not written any more. What is sent may be
  /// read until the end.
  virtual void cancel(int &request, bool sending) noexcept = 0;

  /// A note to a rank, outside of all messages; copied. What cannot be sent is
  /// lost.
  virtual void notify(int peer, const std::string &note) noexcept = 0;
  /// A note that has come; false if none has.
  virtual bool note(std::string &text, int &from) noexcept = 0;
  /// A rank whose process has ended without leaving: told once, -1 if none.
  /// `why`: what is known.
  virtual int lost(std::string &) noexcept { return -1; }

  /// For a moment, when nothing has happened for `idle` seconds: lets others
  /// have the core.
  virtual void rest(double idle) {
    if (idle > 0.02)
      usleep(200);
    else
      sched_yield();
  }

  /// All ranks do it; when it returns, what was sent has come.
  virtual void finish() = 0;
  /// Ends the other processes, if that is possible; this one ends itself.
  virtual void abort(int code) noexcept = 0;
};

} // namespace pmrt

/// What the plugin exports. The version first: the rest may have changed.
#define PMRT_MPI_PLUGIN_VERSION 5
extern "C" {
int pmrt_mpi_plugin_version();
/// Starts MPI. Ranks are in the order of `order`, or MPI's if that is equal.
pmrt::ByteTransport *pmrt_mpi_plugin_start(int order);
/// The ranks of a communicator of a process that has started MPI itself. `comm`
/// is the address of an MPI_Comm. A collective. The caller deletes the result.
pmrt::ByteTransport *pmrt_mpi_plugin_attach(const void *comm);
}

#endif // PMRT_COMM_BYTETRANSPORT_H
