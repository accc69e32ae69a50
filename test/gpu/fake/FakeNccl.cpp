//===- FakeNccl.cpp - NCCL's functions between threads --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the fake CUDA driver: ranks are threads of one process. A receive waits
// in its stream until the message has been sent in that of the sender.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeCuda.h"

#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

constexpr int success = 0, invalidArgument = 4, invalidUsage = 5,
              inProgress = 7;
constexpr int launchFailed = 719; // of the CUDA driver

/// The ranks of one communicator.
struct World {
  int size = 0, joined = 0;
  bool aborted = false;
  std::map<std::pair<int, int>, std::deque<std::vector<char>>> mail;
};

struct Comm {
  std::shared_ptr<World> world;
  int rank = 0;
};

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

std::mutex lock; // of what is below
std::map<std::string, std::shared_ptr<World>> worlds;
int made = 0;
thread_local std::vector<Op> group;
thread_local int depth = 0;

void enqueue(const Op &op) {
  const auto world = op.comm->world;
  const int self = op.comm->rank;
  if (op.sends)
    return fakecuda::enqueue(op.stream, [op, world, self] {
      if (world->aborted)
        return success;
      const auto *from = static_cast<const char *>(op.data);
      world->mail[{self, op.peer}].emplace_back(from, from + op.bytes);
      return success;
    });
  auto receive = [op, world, self] {
    if (world->aborted)
      return success;
    auto &lane = world->mail[{op.peer, self}];
    if (lane.front().size() != op.bytes) {
      std::fprintf(stderr,
                   "fake NCCL: rank %d receives %zu bytes from rank %d, which "
                   "has sent %zu\n",
                   self, op.bytes, op.peer, lane.front().size());
      return launchFailed;
    }
    std::memcpy(op.data, lane.front().data(), op.bytes);
    lane.pop_front();
    return success;
  };
  fakecuda::enqueue(op.stream, receive, [op, world, self] {
    return world->aborted || !world->mail[{op.peer, self}].empty();
  });
}

int add(Op op) {
  if (op.peer < 0 || op.peer >= op.comm->world->size ||
      op.peer == op.comm->rank)
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
                                    : "unhandled error";
}

int ncclGetUniqueId(UniqueId *id) {
  const std::lock_guard guard(lock);
  std::memset(id, 0, sizeof *id);
  std::snprintf(id->bytes, sizeof id->bytes, "world %d", ++made);
  worlds[id->bytes] = std::make_shared<World>();
  return success;
}

int ncclCommInitRankConfig(Comm **comm, int size, UniqueId id, int rank,
                           const void *config) {
  const std::lock_guard guard(lock);
  auto it = worlds.find(id.bytes);
  // The configuration begins with its size and a number that marks it.
  unsigned mark = 0;
  std::memcpy(&mark, static_cast<const char *>(config) + sizeof(size_t),
              sizeof mark);
  if (it == worlds.end() || mark != 0xcafebeef)
    return invalidUsage;
  it->second->size = size;
  ++it->second->joined;
  *comm = new Comm{it->second, rank};
  return inProgress;
}

int ncclCommGetAsyncError(Comm *comm, int *error) {
  const std::lock_guard guard(lock);
  *error = comm->world->joined < comm->world->size ? inProgress : success;
  return success;
}

int ncclCommAbort(Comm *comm) {
  const std::lock_guard guard(lock);
  comm->world->aborted = true;
  delete comm;
  return success;
}

int ncclCommFinalize(Comm *) { return success; }

int ncclCommDestroy(Comm *comm) {
  delete comm;
  return success;
}

int ncclGroupStart() {
  ++depth;
  return success;
}

int ncclGroupEnd() {
  if (--depth > 0)
    return success;
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
