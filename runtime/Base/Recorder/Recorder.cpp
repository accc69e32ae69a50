//===- Recorder.cpp - What a rank did last --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Recorder/RecorderTable.h"

#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pmrt;

std::array<KnownLog, 4096> pmrt::knownLogs;

int64_t Recorder::now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

static void remember(RankLog *log, const std::vector<std::string> &locations) {
  for (KnownLog &place : knownLogs) {
    RankLog *none = nullptr;
    if (!place.log.compare_exchange_strong(none, log))
      continue;
    place.locations = &locations;
    return;
  }
}

static void replace(RankLog *log, RankLog *by) {
  for (KnownLog &place : knownLogs) {
    RankLog *old = log;
    if (place.log.compare_exchange_strong(old, by))
      return;
  }
}

/// Memory of a log, shared or not.
struct Recorder::Mapping {
  explicit Mapping(int file, int own = -1) : own(own) {
    memory = mmap(nullptr, sizeof(RankLog), PROT_READ | PROT_WRITE,
                  file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
  }
  ~Mapping() {
    if (log)
      replace(log, nullptr);
    if (memory != MAP_FAILED)
      munmap(memory, sizeof(RankLog));
    if (own >= 0)
      close(own);
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  bool there() const { return memory != MAP_FAILED; }

  void *memory;
  RankLog *log = nullptr; ///< in it, if it is knownLogs
  int own;                ///< the descriptor that others open
};

Recorder::Recorder(int rank, const std::vector<std::string> &locations)
    : locations(locations) {
  auto mapping = std::make_unique<Mapping>(-1);
  if (!mapping->there())
    throw std::bad_alloc();
  log = mapping->log = new (mapping->memory) RankLog();
  log->rank = rank;
  log->process = int(getpid());
  log->step = -1;
  remember(log, locations);
  mappings.push_back(std::move(mapping));
}

Recorder::~Recorder() = default;

uint64_t Recorder::enter(const char *name, pmrt_loc loc, int64_t bytes,
                         bool isBrief) {
  const uint64_t number = log->calls.load(std::memory_order_relaxed);
  RankLog::Call &call = log->ring[number % log->ring.size()];
  std::array<uint64_t, RankLog::nameWords> words = {};
  std::memcpy(words.data(), name, strnlen(name, sizeof words - 1));
  call.end.store(0, std::memory_order_relaxed);
  for (size_t i = 0; i < words.size(); ++i)
    call.name[i].store(words[i], std::memory_order_relaxed);
  call.loc.store(loc, std::memory_order_relaxed);
  call.bytes.store(bytes, std::memory_order_relaxed);
  if (!isBrief || number % log->ring.size() == 0)
    lastTime = now();
  call.begin.store(lastTime, std::memory_order_relaxed);
  log->calls.store(number + 1, std::memory_order_release);
  return number;
}

void Recorder::waits(const std::vector<Awaited> &others) {
  const size_t shown = std::min(others.size(), log->awaited.size());
  for (size_t i = 0; i < shown; ++i) {
    const int64_t bytes = others[i].bytes;
    log->awaited[i].rank.store(others[i].rank, std::memory_order_relaxed);
    log->awaited[i].bytes.store(others[i].receives ? -bytes : bytes,
                                std::memory_order_relaxed);
  }
  log->waits.store(int32_t(others.size()), std::memory_order_relaxed);
  if (log->waitsSince.load(std::memory_order_relaxed) == 0)
    log->waitsSince.store(now(), std::memory_order_release);
}

int Recorder::share() {
  const int file = memfd_create("pmrt-recorder", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  auto mapping = std::unique_ptr<Mapping>();
  if (ftruncate(file, sizeof(RankLog)) == 0)
    mapping = std::make_unique<Mapping>(file, file);
  if (!mapping || !mapping->there()) {
    if (!mapping)
      close(file);
    return -1;
  }
  std::memcpy(mapping->memory, static_cast<const void *>(log), sizeof(RankLog));
  auto *moved = std::launder(static_cast<RankLog *>(mapping->memory));
  replace(log, moved);
  mappings.front()->log = nullptr; // stays: a handler may just read it
  log = mapping->log = moved;
  mappings.push_back(std::move(mapping));
  return file;
}

bool Recorder::readOther(int process, int descriptor) {
  const int file =
      open(fmt::format("/proc/{}/fd/{}", process, descriptor).c_str(),
           O_RDWR | O_CLOEXEC);
  if (file < 0)
    return false;
  struct stat facts = {};
  const bool fits =
      fstat(file, &facts) == 0 && facts.st_size == off_t(sizeof(RankLog));
  auto mapping = std::make_unique<Mapping>(file);
  close(file);
  if (!fits || !mapping->there())
    return false;
  mapping->log = std::launder(static_cast<RankLog *>(mapping->memory));
  remember(mapping->log, locations);
  mappings.push_back(std::move(mapping));
  return true;
}

std::string Recorder::bytes() const {
  std::string copy(sizeof(RankLog), '\0');
  std::memcpy(copy.data(), static_cast<const void *>(log), sizeof(RankLog));
  const int64_t time = now();
  std::memcpy(copy.data() + offsetof(RankLog, copied), &time, sizeof time);
  return copy;
}

std::shared_ptr<const RankLog> Recorder::fromBytes(const std::string &bytes) {
  if (bytes.size() != sizeof(RankLog))
    return nullptr;
  auto log = std::make_shared<RankLog>();
  std::memcpy(static_cast<void *>(log.get()), bytes.data(), bytes.size());
  return log;
}

bool Recorder::isFirstToTell() {
  // Of all processes of the machine, as a launcher hands the signal to all.
  RankLog *least = nullptr;
  for (const KnownLog &place : knownLogs)
    if (RankLog *log = place.log.load();
        log && (!least || log->rank < least->rank))
      least = log;
  if (!least)
    return true;
  constexpr int64_t pause = 1'000'000'000;
  const int64_t time = now();
  int64_t before = least->told.load();
  return time - before > pause &&
         least->told.compare_exchange_strong(before, time);
}
