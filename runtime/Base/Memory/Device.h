//===- Device.h - Where a rank's fields are ---------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime's calls need of where the fields are: the host's memory and
// cores, or a GPU. Calls hand the work on. Work is queued, in order; what
// brings numbers to the host waits (the host's own is done when the call
// returns). All is called by the rank's own thread. What fails throws at the
// call that runs (Context::current).
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_MEMORY_DEVICE_H
#define PMRT_BASE_MEMORY_DEVICE_H

#include "pmrt/pmrt.h"
#include "runtime/Base/Memory/Arena.h"
#include "runtime/Base/Memory/Region.h"
#include "runtime/Base/Recorder/Profile.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pmrt {

class Context;
class FftPlans;
struct Contraction;
struct Convolution;
struct HaloRows;
struct MatrixCall;

/// What is told of a GPU.
struct DeviceFacts {
  std::string name;         ///< "NVIDIA H200"
  std::string architecture; ///< "sm_90"
  std::string driver;       ///< "CUDA 13.0"
  std::string fft;          ///< "cuFFT 12.0.0"
  int64_t memory = 0;       ///< bytes
  int number = 0;           ///< among those of this machine
};

/// Bytes of workspaces that the calls of a program allocate on a GPU, as far as
/// the descriptor determines them. Fields and borrowed memory are not included.
struct WorkspaceNeeds {
  int64_t transforms = 0, reductions = 0, tables = 0, contractions = 0,
          convolutions = 0, matrices = 0;
  int64_t blas = 0; ///< of all calls of cuBLAS

  int64_t total() const {
    return transforms + reductions + tables + contractions + convolutions +
           matrices + blas;
  }
};

/// Where a local array lies in the whole one, for noise.
struct Placed {
  std::vector<int64_t> shape, offsets, cells;
};

class Device {
public:
  virtual ~Device() = default;

  /// The calling thread uses this device from this call on. Another thread may
  /// have used it before.
  virtual void enter() = 0;
  /// PMRT_HOST or PMRT_DEVICE: whose memory it is.
  virtual pmrt_space space() const = 0;
  bool isHost() const { return space() == PMRT_HOST; }
  /// Of a GPU.
  virtual const DeviceFacts &facts() const = 0;
  /// Bytes of memory that this rank may use: its part of the machine's, or of
  /// what was free when all ranks had their GPUs, and no fields yet.
  virtual int64_t budget() const = 0;
  /// "this machine has for each of its ranks": what budget() is, for messages.
  virtual std::string budgetText() const = 0;
  /// Finds out which ranks share the device, and whether they can access each
  /// other's memory. A collective, before anything is exchanged.
  virtual void meetRanks() = 0;
  virtual void measureBudget() = 0;
  /// Bytes that this rank has allocated on a GPU, now and at the peak.
  virtual int64_t allocatedBytes() const = 0;
  virtual int64_t mostAllocatedBytes() const = 0;
  /// Call this after the transforms are planned.
  virtual WorkspaceNeeds workspaces() = 0;
  /// Zeroed memory. Throws if there is none.
  virtual Pages pages(int64_t bytes) = 0;
  /// A clock for finished work; null: when its call returned.
  virtual DeviceClock *clock() = 0;

  virtual void zero(void *data, int64_t bytes) = 0;
  virtual void copy(void *to, const void *from, int64_t bytes) = 0;
  /// From the host, whose memory is free again on return.
  virtual void upload(void *to, const void *from, int64_t bytes) = 0;
  /// To the host. Waits.
  virtual void download(void *to, const void *from, int64_t bytes) = 0;
  /// To be read on the host: the data themselves, or `copy`, which gets them.
  /// Waits.
  virtual const void *read(const void *data, int64_t bytes,
                           std::vector<char> &copy) = 0;
  /// Takes what `write` puts into the host's memory that it is given.
  virtual void fill(void *to, int64_t bytes,
                    const std::function<void(char *)> &write) = 0;
  /// Until all that was queued is done.
  virtual void wait() = 0;
  /// The end of the queue, for other ranks of this process. Moves on when it is
  /// asked for again.
  virtual std::shared_ptr<void> queued() = 0;
  /// What is queued from now on comes after that of another rank.
  virtual void follow(const std::shared_ptr<void> &queued) = 0;
  /// What is queued from now on comes after the work on a stream of the process
  /// that has embedded the program. Null: the default stream of the device.
  virtual void followStream(void *stream) = 0;
  /// Throws if a kernel has found fault.
  virtual void poll() = 0;
  /// A kernel does not end: whoever frees anything would wait for it. The
  /// process ends as it is.
  virtual bool isStuck() const = 0;
  /// Whether other ranks of this process can access the memory. The same on all
  /// of them.
  virtual bool isOpenToRanks() const = 0;
  /// A step of a loop begins: does not let the host run far ahead.
  virtual void step() = 0;

  virtual void whiteNoise(uint64_t seed, pmrt_element element,
                          const Placed &where, void *out) = 0;
  /// Ends the copy of a table, if there is one: its address may name another
  /// one from now on.
  virtual void forget(const pmrt_table &table) = 0;
  /// Writes the addresses of all rows of a halo to `table`, which is memory of
  /// this device.
  virtual void fillRows(const HaloRows &rows, void **table) = 0;
  virtual FftPlans &ffts() = 0;
  virtual void contract(const Contraction &work) = 0;
  virtual void convolve(const Convolution &work) = 0;
  /// Computes matrices. Returns false if the host must compute them.
  virtual bool matrices(const MatrixCall &call) = 0;
  /// Index of the first element that is not finite, or -1. Waits.
  virtual int64_t firstNonFinite(pmrt_element element, const void *data,
                                 int64_t count) = 0;
  /// Copies or adds between boxes of equal counts.
  virtual void transfer(const Region &from, const Region &to, Combine combine,
                        pmrt_element element) = 0;
  /// A box, dense, to the host. Waits.
  virtual void gather(const Region &from, char *to) = 0;
  /// Replaces or adds to a box what is dense on the host, which is free again
  /// on return.
  virtual void scatter(const char *from, const Region &to, Combine combine,
                       pmrt_element element) = 0;
};

/// The host's memory and the context's threads.
std::unique_ptr<Device> makeHostDevice(Context &context);

class Transport;

/// How ranks get their devices.
struct DeviceKind {
  /// Finds the GPU of a rank. Throws Exit::Usage, with what is missing and how
  /// to get it, if there is none. Empty: fields are in the host's memory.
  std::function<std::unique_ptr<Device>(Context &)> make;
  /// --transport nccl, over a transport for what is the host's.
  std::function<std::shared_ptr<Transport>(std::shared_ptr<Transport>)> nccl;
  /// Remembers the current device of the calling thread. When the returned
  /// object ends, it is the current one again. Empty: threads have no such
  /// state.
  std::function<std::shared_ptr<void>()> keepThread;
  /// Copies bytes between the host and memory of the caller on a GPU. The copy
  /// follows the work that is queued on a stream of the caller. The call
  /// returns after the copy. Empty if the device has no such memory.
  std::function<void(void *to, const void *from, size_t bytes, bool toDevice,
                     void *stream)>
      copyForCaller;
};

} // namespace pmrt

#endif // PMRT_BASE_MEMORY_DEVICE_H
