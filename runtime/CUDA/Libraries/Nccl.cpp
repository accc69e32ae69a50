//===- Nccl.cpp - Messages between GPUs by NCCL ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every set of messages is one group of sends and receives on a stream of its
// own, between events: after what was queued before, and before what is queued
// after the wait. The host waits for nothing; where it waits for its own
// stream, it looks after NCCL and the other ranks (CudaDevice::watch), so that
// a rank that is lost ends the others.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Libraries/Nccl.h"

#include "runtime/CUDA/CudaDevice.h"
#include "runtime/CUDA/Libraries/Library.h"
#include "runtime/Comm/Packed.h"

#include <climits>
#include <unistd.h>

using namespace pmrt;
using namespace pmrt::cuda;

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

namespace {

struct CommTag;
using Comm = CommTag *;

struct UniqueId {
  char bytes[128];
};

/// ncclConfig_t of NCCL 2.18; later ones take it and fill in the rest.
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21801;
  int blocking = 0;
  int clusterSize = INT_MIN, leastBlocks = INT_MIN, mostBlocks = INT_MIN;
  const char *net = nullptr;
  int splitShare = INT_MIN;
};

/// The time for which a thread spins while it waits for NCCL, before it sleeps.
constexpr double secondsOfSpinning = 2e-4;
constexpr int inProgress = 7;
constexpr int bytesType = 0; // ncclInt8

#define PMRT_NCCL(X)                                                           \
  X(version, "ncclGetVersion", int (*)(int *))                                 \
  X(errorText, "ncclGetErrorString", const char *(*)(int))                     \
  X(uniqueId, "ncclGetUniqueId", int (*)(UniqueId *))                          \
  X(init, "ncclCommInitRankConfig",                                            \
    int (*)(Comm *, int, UniqueId, int, Config *))                             \
  X(asyncError, "ncclCommGetAsyncError", int (*)(Comm, int *))                 \
  X(abort, "ncclCommAbort", int (*)(Comm))                                     \
  X(finalize, "ncclCommFinalize", int (*)(Comm))                               \
  X(destroy, "ncclCommDestroy", int (*)(Comm))                                 \
  X(groupStart, "ncclGroupStart", int (*)())                                   \
  X(groupEnd, "ncclGroupEnd", int (*)())                                       \
  X(send, "ncclSend", int (*)(const void *, size_t, int, int, Comm, Stream))   \
  X(receive, "ncclRecv", int (*)(void *, size_t, int, int, Comm, Stream))

struct Nccl {
  PMRT_FUNCTIONS(PMRT_NCCL)
};

const Nccl &nccl() {
  static const auto loaded = load<Nccl>(
      {{{"libnccl.so.2"}},
       "--transport nccl: NCCL was not found on this machine ({}); install it "
       "(package libnccl2, or pip install nvidia-nccl-cu13) and put its folder "
       "into LD_LIBRARY_PATH, or use --transport threads, mpi or tcp",
       "--transport nccl: NCCL has no function {}: version 2.18 or later is "
       "required"});
  return loaded;
}

//===----------------------------------------------------------------------===//
// The transport
//===----------------------------------------------------------------------===//

class NcclTransport : public Transport {
public:
  explicit NcclTransport(std::shared_ptr<Transport> host)
      : lib(nccl()), host(std::move(host)) {
    watch = this->host->watch;
  }

  const char *name() const override { return "nccl"; }
  int rank() const override { return host->rank(); }
  int size() const override { return host->size(); }
  int localSize() const override { return host->localSize(); }
  int localRank() const override { return host->localRank(); }
  void attach(Context &context) override;
  std::unique_ptr<Exchange> start(Threads &threads, pmrt_queue *queue,
                                  Messages messages) override;
  DeviceMessages deviceMessages(const Device &) const override {
    return DeviceMessages::Packed;
  }
  void poll() override { host->poll(); }
  bool fail(Exit code, const std::string &text) override {
    abandon();
    return host->fail(code, text);
  }
  void leave(Exit code) override {
    if (code == Exit::Done)
      close();
    abandon();
    host->leave(code);
  }

  void check(int error, const char *action) const {
    if (error != 0 && error != inProgress)
      throw std::runtime_error(
          fmt::format("NCCL cannot {}: {}", action, lib.errorText(error)));
  }
  /// Until the communicator has done what it was asked for.
  void settle(const char *action);
  /// While the host waits for the device.
  void lookAfter(double waited);

  const Nccl &lib;
  const std::shared_ptr<Transport> host;
  CudaDevice *device = nullptr;
  Comm comm = nullptr;
  Stream wire = nullptr;
  PackPool pool;

private:
  /// All ranks do it.
  void close();
  /// Ends what is on its way.
  void abandon() {
    if (Comm old = std::exchange(comm, nullptr))
      (void)lib.abort(old);
    if (device)
      device->watch = {};
    pool.clear();
    if (Stream old = std::exchange(wire, nullptr))
      device->dropStream(old);
    device = nullptr;
  }
};

class NcclExchange : public Exchange {
public:
  NcclExchange(NcclTransport &transport, Messages all)
      : transport(transport), messages(std::move(all), transport.pool) {
    CudaDevice &device = *transport.device;
    device.order(device.queue(), transport.wire);
    const Nccl &lib = transport.lib;
    transport.check(lib.groupStart(), "start messages");
    // An error must not leave the group open: the thread would add the calls of
    // the next communicator to it.
    try {
      for (const auto &[peer, run] : messages.sends())
        if (const int64_t bytes = run.bytes(); bytes > 0)
          transport.check(lib.send(run.base, size_t(bytes), bytesType, peer,
                                   transport.comm, transport.wire),
                          "send");
      for (const auto &[peer, run] : messages.receives())
        if (const int64_t bytes = run.bytes(); bytes > 0)
          transport.check(lib.receive(run.base, size_t(bytes), bytesType, peer,
                                      transport.comm, transport.wire),
                          "receive");
    } catch (...) {
      (void)lib.groupEnd();
      throw;
    }
    transport.check(lib.groupEnd(), "start messages");
    transport.settle("start messages");
    // Later messages may be on the stream when this rank waits for these.
    arrived = device.endOf(transport.wire);
  }

  ~NcclExchange() override {
    if (arrived && transport.device)
      transport.device->giveBack(arrived);
  }

  void wait() override {
    if (!arrived)
      return;
    transport.device->followAndGiveBack(std::exchange(arrived, nullptr));
    messages.unpack();
  }

private:
  NcclTransport &transport;
  Packed messages;
  Event arrived = nullptr; ///< null after `wait`
};

} // namespace

void NcclTransport::attach(Context &context) {
  CudaDevice &mine = CudaDevice::of(context, -1);
  context.agree(
      -1,
      mine.isShared()
          ? fmt::format("[PM9011] --transport nccl: several ranks share {} "
                        "(number {}), but NCCL requires one GPU per "
                        "rank; use --transport threads, mpi or tcp",
                        mine.facts().name, mine.facts().number)
          : "",
      Exit::Usage);
  UniqueId id = {};
  std::string problem;
  if (rank() == 0)
    if (const int error = lib.uniqueId(&id))
      problem = fmt::format("NCCL cannot start: {}", lib.errorText(error));
  context.agree(-1, problem);
  context.world.broadcast(&id, sizeof id);
  device = &mine;
  Config config;
  check(lib.init(&comm, size(), id, rank(), &config), "connect the ranks");
  settle("connect the ranks");
  wire = mine.makeStream();
  mine.watch = [this](double waited) { lookAfter(waited); };
}

void NcclTransport::settle(const char *action) {
  const auto start = Clock::now();
  for (;;) {
    int error = inProgress;
    check(lib.asyncError(comm, &error), action);
    if (error != inProgress)
      return check(error, action);
    const double waited = secondsSince(start);
    lookAfter(waited);
    // Groups of messages usually start within a shorter time than a sleep
    // takes.
    if (waited > secondsOfSpinning)
      usleep(20);
  }
}

void NcclTransport::lookAfter(double waited) {
  poll();
  int error = 0;
  check(lib.asyncError(comm, &error), "exchange messages");
  check(error, "exchange messages");
  if (waited > watch->end)
    throw std::runtime_error(
        fmt::format("'{}' has not completed for {:.0f} s (--watchdog-end): "
                    "another rank has not reached it, or the GPU is still busy",
                    watch->activity, waited));
}

std::unique_ptr<Exchange>
NcclTransport::start(Threads &threads, pmrt_queue *queue, Messages messages) {
  if (!messages.device)
    return host->start(threads, queue, std::move(messages));
  exchangeWithSelf(threads, messages, rank());
  count(messages);
  return std::make_unique<NcclExchange>(*this, std::move(messages));
}

void NcclTransport::close() {
  if (!comm)
    return;
  try {
    check(lib.finalize(comm), "disconnect the ranks");
    settle("disconnect the ranks");
    (void)lib.destroy(std::exchange(comm, nullptr));
  } catch (const std::exception &) {
    abandon(); // the results are written; other ranks need not know
  }
}

std::shared_ptr<Transport>
pmrt::cuda::makeNcclTransport(std::shared_ptr<Transport> host) {
  return std::make_shared<NcclTransport>(std::move(host));
}
