//===- Mpi.cpp - Ranks as processes of MPI --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes travel in pieces that stay in a core's cache from packing to sending,
// four of a message at a time: packing one while others are under way, and
// never a second copy of a field. Dense boxes are not packed.
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Mpi.h"

#include "runtime/Comm/MpiPlugin.h"
#include "runtime/Comm/Staged.h"
#include "runtime/Core/Signals.h"
#include "runtime/Core/Threads.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <filesystem>
#include <optional>
#include <sched.h>
#include <unistd.h>
#include <utility>

using namespace pmrt;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

static constexpr int64_t pieceBytes = int64_t(1) << 18;
static constexpr int tags = 32767; // what every MPI has

static double secondsFrom(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// $PMRT_RANK_ORDER=2,0,1: the launcher's first process is rank 2, and so on.
static int placeOfProcess() {
  const Launcher process = launcher();
  const char *order = std::getenv("PMRT_RANK_ORDER");
  if (!order || !*order)
    return 0;
  std::vector<int> places, sorted;
  for (const char *at = order;; ++at) {
    char *end = nullptr;
    places.push_back(int(std::strtol(at, &end, 10)));
    if (end == at || *end != ',') {
      if (end == at || *end)
        places.clear();
      break;
    }
    at = end;
  }
  sorted = places;
  std::sort(sorted.begin(), sorted.end());
  bool good = int(sorted.size()) == std::max(1, process.size);
  for (size_t i = 0; i < sorted.size(); ++i)
    good = good && sorted[i] == int(i);
  if (!good)
    throw usageError("PMRT_RANK_ORDER={} is not an order of the ranks 0 to {}",
                     order, std::max(1, process.size) - 1);
  return places[size_t(process.rank)];
}

namespace {

using Buffer = std::unique_ptr<char[]>;

class MpiExchange;

class MpiTransport : public Transport {
public:
  explicit MpiTransport(const pmrt_mpi_plugin &plugin) : mpi(plugin) {
    check(mpi.start(placeOfProcess(), &self, &ranks, &local), "start");
    sent.assign(size_t(ranks), 0);
    received.assign(size_t(ranks), 0);
    gone.assign(size_t(ranks), false);
  }

  const char *name() const override { return "mpi"; }
  int rank() const override { return self; }
  int size() const override { return ranks; }
  int localSize() const override { return local; }
  std::unique_ptr<Exchange> start(Threads &threads, pmrt_queue *queue,
                                  Messages messages) override;
  /// Also moves what is under way: every op calls this, so messages travel
  /// between kernels, not only in `wait`.
  void poll() override;
  bool fail(Exit code, const std::string &text) override;
  void leave(Exit code) override;

  /// Asks who else waits, and gives them a second to answer. `place`: of this
  /// rank among those.
  std::string late(double seconds, const std::vector<int> &missing,
                   int64_t &place);
  /// Answers others meanwhile.
  void pause(double seconds);
  /// Tells the ranks that have asked that this one waits.
  void answer() {
    for (int peer : std::exchange(asked, {}))
      mpi.notify(peer, "W", 1);
  }

  void check(int error, const char *action) const {
    if (error == 0)
      return;
    char text[512];
    mpi.describe(error, text, int(sizeof text));
    throw std::runtime_error(fmt::format("MPI cannot {}: {}", action, text));
  }

  Buffer takeBuffer() {
    if (spare.empty())
      return Buffer(new char[size_t(pieceBytes)]);
    Buffer buffer = std::move(spare.back());
    spare.pop_back();
    return buffer;
  }
  void giveBuffer(Buffer buffer) {
    if (buffer)
      spare.push_back(std::move(buffer));
  }
  /// Memory that MPI may still read.
  void abandon(Buffer buffer) { abandoned.push_back(std::move(buffer)); }

  int nextTag(std::vector<int64_t> &numbers, int peer) {
    return int(numbers[size_t(peer)]++ % tags);
  }

  const pmrt_mpi_plugin &mpi;
  std::vector<int64_t> sent, received; ///< messages so far, by peer
  std::vector<MpiExchange *> underWay;

private:
  /// Notes: 'F', the exit code and a text from a rank that has failed; 'L' from
  /// one that leaves after an error; 'Q' asks whether this rank waits, 'W' says
  /// so.
  void readNotes();
  void notifyAll(const std::string &note) {
    for (int peer = 0; peer < ranks; ++peer)
      if (peer != self)
        mpi.notify(peer, note.data(), int(note.size()));
  }

  int self = 0, ranks = 1, local = 1;
  std::optional<Stopped> failure;
  bool failed = false; ///< this rank
  std::vector<bool> gone;
  std::vector<int> asked, waiting;
  std::vector<Buffer> spare, abandoned;
};

/// One message on its way.
class Lane {
public:
  Lane(MpiTransport &transport, Threads &threads, const Message &message,
       bool sending, Combine combine, pmrt_element element)
      : peer(message.peer), transport(transport), threads(threads),
        region(message.region.merged(combine == Combine::Replace)),
        sending(sending),
        direct(message.region.dense() && combine == Combine::Replace),
        combine(combine), element(element), total(message.region.bytes()),
        tag(transport.nextTag(sending ? transport.sent : transport.received,
                              message.peer)) {}

  Lane(const Lane &) = delete;
  Lane &operator=(const Lane &) = delete;

  ~Lane() {
    for (Slot &slot : slots) {
      if (!slot.busy)
        continue;
      // After an error: MPI must not write here any more.
      if (!sending)
        transport.mpi.cancel(&slot.request);
      else if (slot.buffer)
        transport.abandon(std::move(slot.buffer));
    }
    for (Slot &slot : slots)
      transport.giveBuffer(std::move(slot.buffer));
  }

  bool done() const { return finished == total; }

  /// Puts pieces on the way and takes what has come; true if anything
  /// happened. `mayUnpack`: whether it is this message's turn.
  bool advance(bool mayUnpack) {
    bool moved = false;
    for (Slot &slot : slots) {
      if (slot.busy) {
        int complete = 0;
        transport.check(transport.mpi.test(&slot.request, &complete),
                        sending ? "send" : "receive");
        if (complete) {
          slot.busy = false;
          slot.full = true;
        }
      }
      if (slot.full && (sending || mayUnpack)) {
        if (!sending && !direct)
          unpackPiece(slot);
        slot.full = false;
        finished += slot.end - slot.begin;
        moved = true;
      }
    }
    while (next < total) {
      Slot &slot = slots[size_t(next / pieceBytes) % slots.size()];
      if (slot.busy || slot.full)
        break;
      post(slot);
      moved = true;
    }
    return moved;
  }

  int peer;

private:
  struct Slot {
    int64_t begin = 0, end = 0;
    int request = 0;
    bool busy = false, full = false;
    Buffer buffer;
  };

  void post(Slot &slot) {
    slot.begin = next;
    slot.end = std::min(total, next + pieceBytes);
    next = slot.end;
    char *data = region.base + slot.begin;
    const int bytes = int(slot.end - slot.begin);
    if (!direct) {
      if (!slot.buffer)
        slot.buffer = transport.takeBuffer();
      data = slot.buffer.get();
      if (sending)
        inParts(slot, [&](int64_t begin, int64_t end) {
          pack(region, begin, end, data + begin - slot.begin);
        });
    }
    transport.check(
        sending ? transport.mpi.send(data, bytes, peer, tag, &slot.request)
                : transport.mpi.receive(data, bytes, peer, tag, &slot.request),
        sending ? "send" : "receive");
    slot.busy = true;
  }

  void unpackPiece(Slot &slot) {
    const char *data = slot.buffer.get();
    inParts(slot, [&](int64_t begin, int64_t end) {
      unpack(region, begin, end, data + begin - slot.begin, combine, element);
    });
  }

  /// body(begin, end) on parts of a piece, in parallel if it is worth it.
  template <typename Body> void inParts(const Slot &slot, const Body &body) {
    constexpr int64_t part = int64_t(1) << 16;
    const int64_t bytes = slot.end - slot.begin;
    if (bytes < 4 * part)
      return body(slot.begin, slot.end);
    threads.forRange((bytes + part - 1) / part, [&](int64_t from, int64_t to) {
      body(slot.begin + from * part,
           std::min(slot.end, slot.begin + to * part));
    });
  }

  MpiTransport &transport;
  Threads &threads;
  Region region;
  bool sending, direct;
  Combine combine;
  pmrt_element element;
  int64_t total, next = 0, finished = 0;
  int tag;
  std::array<Slot, 4> slots;
};

class MpiExchange : public Exchange {
public:
  MpiExchange(MpiTransport &transport, Threads &threads,
              const Messages &messages)
      : transport(transport), ordered(messages.combine != Combine::Replace) {
    for (const Message &receive : messages.receives)
      receives.emplace_back(transport, threads, receive, false,
                            messages.combine, messages.element);
    for (const Message &send : messages.sends)
      sends.emplace_back(transport, threads, send, true, Combine::Replace,
                         messages.element);
    advance();
    transport.underWay.push_back(this);
  }

  ~MpiExchange() override { std::erase(transport.underWay, this); }

  /// True if anything happened.
  bool advance() {
    bool moved = false, turn = true;
    for (Lane &lane : receives) {
      if (!lane.done())
        moved |= lane.advance(turn);
      if (ordered)
        turn = turn && lane.done();
    }
    for (Lane &lane : sends)
      if (!lane.done())
        moved |= lane.advance(true);
    return moved;
  }

  void wait() override {
    auto idleSince = Clock::now();
    const auto start = idleSince;
    int64_t turns = 0;
    bool told = false;
    while (!done()) {
      if (advance()) {
        idleSince = Clock::now();
        continue;
      }
      // Spin first; then let others have the core.
      if (++turns % 64)
        continue;
      transport.poll();
      transport.answer();
      checkInterrupt();
      const double idle = secondsFrom(idleSince);
      if (idle > 0.02)
        usleep(200);
      else
        sched_yield();
      const bool tooLong = idle > transport.patience;
      if (!tooLong && (told || idle < transport.reportAfter()))
        continue;
      int64_t place = 0;
      const std::string text =
          transport.late(secondsFrom(start), missing(), place);
      // Others find the same at the same time; the first of them tells.
      if (tooLong) {
        transport.pause(std::min(2.0, 0.3 * double(place)));
        throw std::runtime_error(text);
      }
      told = true;
      if (place == 0)
        transport.warn(text);
    }
  }

private:
  bool done() const {
    auto isDone = [](const Lane &lane) { return lane.done(); };
    return std::all_of(receives.begin(), receives.end(), isDone) &&
           std::all_of(sends.begin(), sends.end(), isDone);
  }

  std::vector<int> missing() const {
    std::vector<int> ranks;
    for (const auto *lanes : {&receives, &sends})
      for (const Lane &lane : *lanes)
        if (!lane.done())
          ranks.push_back(lane.peer);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
  }

  MpiTransport &transport;
  bool ordered;
  std::deque<Lane> receives, sends; // lanes do not move
};

} // namespace

void MpiTransport::poll() {
  readNotes();
  if (failure)
    throw Stopped(*failure);
  for (MpiExchange *exchange : underWay)
    exchange->advance();
}

std::unique_ptr<Exchange>
MpiTransport::start(Threads &threads, pmrt_queue *queue, Messages messages) {
  exchangeWithSelf(threads, messages, self);
  if (messages.device)
    return startStaged(*this, threads, queue, std::move(messages));
  count(messages);
  return std::make_unique<MpiExchange>(*this, threads, messages);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

static constexpr int noteBytes = 4096;

void MpiTransport::readNotes() {
  for (;;) {
    char text[noteBytes];
    int length = 0, from = 0;
    if (mpi.note(text, noteBytes, &length, &from) != 0 || length == 0)
      return;
    if (text[0] == 'L') {
      gone[size_t(from)] = true;
    } else if (text[0] == 'Q') {
      asked.push_back(from);
    } else if (text[0] == 'W') {
      waiting.push_back(from);
    } else if (!failure && !failed) {
      int code = 0;
      std::memcpy(&code, text + 1, sizeof code);
      failure.emplace(from, Exit(code),
                      std::string(text + 1 + sizeof code, text + length));
    }
  }
}

void MpiTransport::pause(double seconds) {
  const auto start = Clock::now();
  while (secondsFrom(start) < seconds) {
    poll();
    answer();
    usleep(1000);
  }
}

std::string MpiTransport::late(double seconds, const std::vector<int> &missing,
                               int64_t &place) {
  waiting = {self};
  notifyAll("Q");
  pause(1);
  std::sort(waiting.begin(), waiting.end());
  place = std::find(waiting.begin(), waiting.end(), self) - waiting.begin();
  return lateText(seconds, missing, waiting);
}

bool MpiTransport::fail(Exit code, const std::string &text) {
  // If several fail at the same time, the first of them tells.
  const auto start = Clock::now();
  do {
    readNotes();
    if (failure)
      return false;
    usleep(1000);
  } while (secondsFrom(start) < std::min(0.5, 0.02 * self));
  failed = true;
  std::string note(1, 'F');
  const int number = int(code);
  note.append(reinterpret_cast<const char *>(&number), sizeof number);
  note += text.substr(0, size_t(noteBytes) - note.size());
  notifyAll(note);
  return true;
}

void MpiTransport::leave(Exit code) {
  if (code != Exit::Done) {
    notifyAll("L");
    gone[size_t(self)] = true;
    const auto start = Clock::now();
    while (std::find(gone.begin(), gone.end(), false) != gone.end()) {
      readNotes();
      // Ranks that compute for long, or hang, are not waited for. One rank ends
      // them: MPI takes long if several try at once.
      if (secondsFrom(start) > (failed ? 3 : 6)) {
        mpi.abort(int(code));
        std::_Exit(int(code));
      }
      usleep(1000);
    }
  }
  mpi.finish();
}

//===----------------------------------------------------------------------===//
// Finding the plugin
//===----------------------------------------------------------------------===//

static int environmentNumber(std::initializer_list<const char *> names,
                             int fallback) {
  for (const char *name : names)
    if (const char *text = std::getenv(name); text && *text)
      return int(std::strtol(text, nullptr, 10));
  return fallback;
}

Launcher pmrt::launcher() {
  Launcher all;
  all.size = environmentNumber({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 0);
  all.rank =
      environmentNumber({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}, 0);
  return all;
}

std::unique_ptr<Transport> pmrt::makeMpiTransport() {
  constexpr const char *file = "libpmrt_mpi.so";
  std::vector<fs::path> folders;
  if (const char *folder = std::getenv("PMRT_PLUGIN_DIR"))
    folders.emplace_back(folder);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    folders.push_back(program.parent_path());
    folders.push_back(program.parent_path().parent_path() / "lib");
  }
  for (const char *folder : {PMRT_BUILD_LIB, PMRT_INSTALL_LIB})
    folders.emplace_back(folder);
  std::string reasons;
  for (const fs::path &folder : folders) {
    const std::string path = (folder / file).string();
    if (!fs::exists(path, error))
      continue;
    // MPI loads parts of itself later; they must see its symbols.
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
      reasons += fmt::format("; {}", dlerror());
      continue;
    }
    using Table = const pmrt_mpi_plugin *(*)();
    auto table =
        reinterpret_cast<Table>(dlsym(library, "pmrt_mpi_plugin_table"));
    if (table && table()->version == PMRT_MPI_PLUGIN_VERSION)
      return std::make_unique<MpiTransport>(*table());
    reasons += fmt::format("; {} is of another version", path);
  }
  if (reasons.empty())
    reasons = fmt::format("; {} is in none of {}", file,
                          fmt::join(
                              [&] {
                                std::vector<std::string> names;
                                for (const fs::path &folder : folders)
                                  names.push_back(folder.string());
                                return names;
                              }(),
                              ", "));
  throw usageError("the transport mpi is not available{}", reasons);
}
