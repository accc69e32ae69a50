//===- FakeNccl.cpp - NCCL's functions between threads or processes -------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the fake CUDA driver. A world is a folder in memory, named by its id; a
// message is a file there. A receive waits in its stream until the file is
// there. A world whose folder is gone was aborted.
//
// FAKENCCL_LOSS=N: after N receives, a rank hears that another one is lost.
// FAKENCCL_SLOW=N: the first N calls of ncclCommGetAsyncError after a group
// report that it is in progress (default: 2). No other group may begin before
// that. FAKENCCL_REFUSE=N: send number N, from 1, fails.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeCuda.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr int success = 0, invalidArgument = 4, invalidUsage = 5,
              remoteError = 6, inProgress = 7;
constexpr int launchFailed = 719; // of the CUDA driver

/// One rank's view of a communicator.
struct World {
  fs::path folder;
  int rank = 0, size = 0;
  std::map<int, long> sent, received; ///< messages, by peer
  std::atomic<long> receives = 0;
  long busy = 0;        ///< calls that will report that a group is in progress
  bool isReady = false; ///< a call has reported that all ranks have joined
  std::map<int, pid_t> processes; ///< of ranks that have joined

  bool aborted() const {
    std::error_code error;
    return !fs::exists(folder, error);
  }
  fs::path mail(int from, int to, long number) const {
    return folder / (std::to_string(from) + "-" + std::to_string(to) + "-" +
                     std::to_string(number));
  }
  fs::path card(int one) const {
    return folder / ("rank" + std::to_string(one));
  }
  /// Whole, or not at all: "PATH.tmp" is not a message's name.
  void put(const fs::path &path, const void *data, size_t bytes) const {
    const fs::path temporary = path.string() + ".tmp";
    std::ofstream(temporary, std::ios::binary)
        .write(static_cast<const char *>(data), std::streamsize(bytes));
    std::error_code error;
    fs::rename(temporary, path, error); // fails in an aborted world
  }
  /// Of the process that has joined as that rank; 0: none has.
  pid_t process(int one) {
    pid_t &number = processes[one];
    if (number == 0)
      std::ifstream(card(one)) >> number;
    return number;
  }
};

} // namespace

/// What the runtime has a pointer to.
struct Comm {
  std::shared_ptr<World> world;
};

namespace {

struct Op {
  bool sends = false;
  void *data = nullptr;
  size_t bytes = 0;
  int peer = 0;
  Comm *comm = nullptr;
  void *stream = nullptr;
};

struct UniqueId {
  char bytes[128];
};

/// Another process waits for what this one has queued, and cannot run it: as on
/// a GPU, it runs by itself.
void keepGoing() {
  static const bool started = [] {
    std::thread([] {
      for (;; usleep(500))
        fakecuda::runQueued();
    }).detach();
    return true;
  }();
  (void)started;
}

long setting(const char *name, long fallback = 0) {
  const char *text = std::getenv(name);
  return text ? std::strtol(text, nullptr, 10) : fallback;
}

thread_local std::vector<Op> group;
thread_local int depth = 0;

void enqueue(const Op &op) {
  const auto world = op.comm->world;
  if (op.sends)
    return fakecuda::enqueue(op.stream, [op, world] {
      world->put(world->mail(world->rank, op.peer, world->sent[op.peer]++),
                 op.data, op.bytes);
      return success;
    });
  const fs::path from =
      world->mail(op.peer, world->rank, world->received[op.peer]++);
  auto receive = [op, world, from] {
    if (world->aborted())
      return success;
    if (fs::file_size(from) != op.bytes) {
      std::fprintf(stderr,
                   "fake NCCL: rank %d receives %zu bytes from rank %d, which "
                   "has sent %zu\n",
                   world->rank, op.bytes, op.peer, size_t(fs::file_size(from)));
      return launchFailed;
    }
    std::ifstream(from, std::ios::binary)
        .read(static_cast<char *>(op.data), std::streamsize(op.bytes));
    fs::remove(from);
    ++world->receives;
    return success;
  };
  fakecuda::enqueue(op.stream, receive, [world, from] {
    return world->aborted() || fs::exists(from);
  });
}

int add(Op op) {
  if (!op.comm->world->isReady || op.comm->world->busy > 0)
    return invalidUsage;
  if (op.peer < 0 || op.peer >= op.comm->world->size ||
      op.peer == op.comm->world->rank)
    return invalidArgument;
  group.push_back(op);
  return success;
}

} // namespace

extern "C" {

int ncclGetVersion(int *version) {
  *version = 22000;
  return success;
}

const char *ncclGetErrorString(int error) {
  return error == invalidUsage      ? "invalid usage"
         : error == invalidArgument ? "invalid argument"
         : error == remoteError
             ? "remote process exited or there was a network error"
             : "unhandled error";
}

int ncclGetUniqueId(UniqueId *id) {
  const char *memory = fs::exists("/dev/shm") ? "/dev/shm" : "/tmp";
  std::memset(id, 0, sizeof *id);
  std::snprintf(id->bytes, sizeof id->bytes, "%s/fakenccl.XXXXXX", memory);
  return mkdtemp(id->bytes) ? success : 1;
}

int ncclCommInitRankConfig(Comm **comm, int size, UniqueId id, int rank,
                           const void *config) {
  // The configuration begins with its size and a number that marks it.
  unsigned mark = 0;
  std::memcpy(&mark, static_cast<const char *>(config) + sizeof(size_t),
              sizeof mark);
  auto world = std::make_shared<World>();
  world->folder = id.bytes;
  world->rank = rank;
  world->size = size;
  if (world->aborted() || mark != 0xcafebeef)
    return invalidUsage;
  const std::string self = std::to_string(getpid());
  world->put(world->card(rank), self.data(), self.size());
  *comm = new Comm{world};
  return inProgress;
}

int ncclCommGetAsyncError(Comm *comm, int *error) {
  World &world = *comm->world;
  const char *loss = std::getenv("FAKENCCL_LOSS");
  *error = success;
  if (world.busy > 0) {
    --world.busy;
    *error = inProgress;
    return success;
  }
  if (loss && world.receives >= std::strtol(loss, nullptr, 10))
    *error = remoteError;
  for (int rank = 0; rank < world.size && *error == success; ++rank) {
    const pid_t process = world.process(rank);
    if (process == 0)
      *error = world.aborted() ? remoteError : inProgress;
    else if (kill(process, 0) != 0)
      *error = remoteError;
    else if (process != getpid())
      keepGoing();
  }
  world.isReady = world.isReady || *error == success;
  return success;
}

int ncclCommAbort(Comm *comm) {
  // The folder goes at once, and then what is in it.
  const fs::path folder = comm->world->folder,
                 away = folder.string() + "." + std::to_string(getpid());
  std::error_code error;
  fs::rename(folder, away, error);
  fs::remove_all(away, error);
  delete comm;
  return success;
}

int ncclCommFinalize(Comm *) { return success; }

int ncclCommDestroy(Comm *comm) {
  // All ranks are here: nobody looks for messages any more.
  const World &world = *comm->world;
  const std::string self = std::to_string(getpid());
  world.put(world.card(world.rank).string() + ".left", self.data(),
            self.size());
  int left = 0;
  for (int rank = 0; rank < world.size; ++rank)
    left += fs::exists(world.card(rank).string() + ".left");
  std::error_code error;
  if (left == world.size)
    fs::remove_all(world.folder, error);
  delete comm;
  return success;
}

/// For tests: groups of the calling thread that were not ended.
int fakenccl_open_groups() { return depth; }

int ncclGroupStart() {
  ++depth;
  return success;
}

int ncclGroupEnd() {
  if (--depth > 0)
    return success;
  for (const Op &op : group)
    op.comm->world->busy = setting("FAKENCCL_SLOW", 2);
  // All sends before all receives: they go at the same time.
  for (const bool sends : {true, false})
    for (const Op &op : group)
      if (op.sends == sends)
        enqueue(op);
  group.clear();
  return success;
}

int ncclSend(const void *data, size_t count, int type, int peer, Comm *comm,
             void *stream) {
  static std::atomic<long> number = 0;
  const long refused = setting("FAKENCCL_REFUSE");
  if (refused == 0)
    number = 0;
  else if (++number == refused)
    return invalidArgument;
  return type == 0 && depth > 0
             ? add({true, const_cast<void *>(data), count, peer, comm, stream})
             : invalidUsage;
}

int ncclRecv(void *data, size_t count, int type, int peer, Comm *comm,
             void *stream) {
  return type == 0 && depth > 0 ? add({false, data, count, peer, comm, stream})
                                : invalidUsage;
}

} // extern "C"
