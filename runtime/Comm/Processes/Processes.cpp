//===- Processes.cpp - Ranks as processes ---------------------------------===//
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

#include "runtime/Comm/Processes/Processes.h"

#include "runtime/Base/Interrupts.h"
#include "runtime/Base/Threads.h"
#include "runtime/Comm/ByteTransport.h"
#include "runtime/Comm/Packed.h"
#include "runtime/Comm/Staged.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>
#include <unistd.h>
#include <utility>

using namespace pmrt;
using Clock = std::chrono::steady_clock;

static constexpr int64_t pieceBytes = int64_t(1) << 18;
// Of the 32767 tags that every MPI has: so many messages may be under way
// between two ranks at a time, and so many kinds are told apart.
static constexpr int tagNumbers = 1024, tagKinds = 31;

static double secondsFrom(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

namespace {

using Buffer = std::unique_ptr<char[]>;

class ProcessExchange;

class ProcessTransport : public Transport {
public:
  explicit ProcessTransport(std::shared_ptr<ByteTransport> carrier)
      : byteTransport(std::move(carrier)), position(byteTransport->position()),
        self(position.rank), ranks(position.size) {
    sent.assign(size_t(ranks), 0);
    received.assign(size_t(ranks), 0);
    gone.assign(size_t(ranks), false);
  }

  const char *name() const override {
    return direct ? "mpi, GPU to GPU" : byteTransport->name();
  }
  int rank() const override { return self; }
  int size() const override { return ranks; }
  int localRank() const override { return position.localRank; }
  int localSize() const override { return position.localSize; }
  /// Decides how messages between GPUs go.
  void attach(Context &context) override;
  std::unique_ptr<Exchange> start(Threads &threads, pmrt_queue *queue,
                                  Messages messages) override;
  DeviceMessages deviceMessages(const Device &) const override {
    return direct ? DeviceMessages::Packed : DeviceMessages::Staged;
  }
  /// Also moves what is under way: every op calls this, so messages travel
  /// between kernels, not only in `wait`.
  void poll() override;
  bool fail(Exit code, const std::string &text) override;
  void leave(Exit code) override;

  /// Asks who else waits, and gives them a second to answer. `place`: of this
  /// rank among those.
  std::string late(double seconds, const std::vector<Awaited> &missing,
                   int64_t &place);
  /// Whether a rank before this one has just asked, and will tell.
  bool isAskedBefore() const {
    return askedBefore && secondsFrom(*askedBefore) < 5;
  }
  /// Answers others meanwhile.
  void pause(double seconds);
  /// Answers the ranks that have asked that this one waits.
  void answer() {
    if (asked.empty())
      return;
    const std::string note =
        "W" + (watch->recorder ? watch->recorder->bytes() : "");
    for (int peer : std::exchange(asked, {}))
      byteTransport->notify(peer, note);
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
  /// Memory that may still be read.
  void abandon(Buffer buffer) { abandoned.push_back(std::move(buffer)); }

  /// Says which message it is, and roughly of which call: where ranks make
  /// other calls, or the same with other sizes, nothing matches any more and
  /// the watchdog reports, before one has taken the other's numbers for its
  /// own.
  int nextTag(std::vector<int64_t> &numbers, int peer, int64_t bytes) {
    // FNV-1a.
    uint64_t hash = 14695981039346656037u;
    auto add = [&](uint64_t word) { hash = (hash ^ word) * 1099511628211u; };
    for (const char *letter = watch->activity; *letter; ++letter)
      add(uint64_t(*letter));
    add(uint64_t(watch->location));
    add(uint64_t(bytes));
    const int64_t number = numbers[size_t(peer)]++;
    return int(number % tagNumbers) * tagKinds + int((hash >> 20) % tagKinds);
  }

  const std::shared_ptr<ByteTransport> byteTransport;
  std::vector<int64_t> sent, received; ///< messages so far, by peer
  std::vector<ProcessExchange *> underWay;

private:
  /// Notes: 'F', the exit code and a text from a rank that has failed; 'L' from
  /// one that leaves after an error; 'Q' asks whether this rank waits, 'W' says
  /// so, with its log.
  void readNotes();
  /// All others find it, too; the first of them reports it.
  [[noreturn]] void endByLoss();
  void notifyAll(const std::string &note) {
    for (int peer = 0; peer < ranks; ++peer)
      if (peer != self)
        byteTransport->notify(peer, note);
  }

  const RankPosition position;
  const int self, ranks;
  bool direct = false; ///< GPU memory is handed to MPI
  PackPool pool;
  std::optional<Stopped> failure;
  std::string lossText; ///< of ranks that have ended without a word
  bool failed = false;  ///< this rank
  std::vector<bool> gone;
  std::vector<int> asked, waiting;
  std::vector<std::shared_ptr<const RankLog>> logs; ///< of ranks that wait
  std::optional<Clock::time_point> askedBefore;
  std::vector<Buffer> spare, abandoned;
};

/// One message on its way.
class Lane {
public:
  Lane(ProcessTransport &transport, Threads &threads, const Message &message,
       bool sending, Combine combine, pmrt_element element)
      : peer(message.peer), transport(transport), threads(threads),
        region(message.region.merged(combine == Combine::Replace)),
        sending(sending),
        direct(message.region.dense() && combine == Combine::Replace),
        combine(combine), element(element), total(message.region.bytes()),
        tag(transport.nextTag(sending ? transport.sent : transport.received,
                              message.peer, total)) {}

  Lane(const Lane &) = delete;
  Lane &operator=(const Lane &) = delete;

  ~Lane() {
    for (Slot &slot : slots) {
      if (!slot.busy)
        continue;
      // After an error: nothing may be written here any more.
      transport.byteTransport->cancel(slot.request, sending);
      if (sending && slot.buffer)
        transport.abandon(std::move(slot.buffer));
    }
    for (Slot &slot : slots)
      transport.giveBuffer(std::move(slot.buffer));
  }

  bool done() const { return finished == total; }
  int64_t bytes() const { return total; }

  /// Puts pieces on the way and takes what has come; true if anything
  /// happened. `mayUnpack`: whether it is this message's turn.
  bool advance(bool mayUnpack) {
    bool moved = false;
    for (Slot &slot : slots) {
      if (slot.busy && transport.byteTransport->test(slot.request)) {
        slot.busy = false;
        slot.full = true;
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
    if (sending)
      transport.byteTransport->send(data, bytes, peer, tag, slot.request);
    else
      transport.byteTransport->receive(data, bytes, peer, tag, slot.request);
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

  ProcessTransport &transport;
  Threads &threads;
  Region region;
  bool sending, direct;
  Combine combine;
  pmrt_element element;
  int64_t total, next = 0, finished = 0;
  int tag;
  std::array<Slot, 4> slots;
};

class ProcessExchange : public Exchange {
public:
  ProcessExchange(ProcessTransport &transport, Threads &threads,
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

  ~ProcessExchange() override { std::erase(transport.underWay, this); }

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
    double tellAt = transport.watch->report;
    WaitNote note(transport.watch->recorder);
    while (!done()) {
      if (advance()) {
        idleSince = Clock::now();
        continue;
      }
      // Spin first; then let others have the core.
      if (++turns % 16)
        continue;
      transport.poll();
      transport.answer();
      checkInterrupt();
      const double idle = secondsFrom(idleSince);
      transport.byteTransport->rest(idle);
      if (idle > 1e-3 && !note.isWritten())
        note.write([&] { return missing(); });
      const bool tooLong = idle > transport.watch->end;
      if (!tooLong && idle < tellAt)
        continue;
      tellAt *= 2;
      if (!tooLong && transport.isAskedBefore())
        continue;
      int64_t place = 0;
      const std::string text =
          transport.late(secondsFrom(start), missing(), place);
      // Others find the same at the same time; the first of them reports it.
      if (tooLong) {
        transport.pause(std::min(2.0, 0.3 * double(place)));
        throw RankLost(text);
      }
      if (place == 0)
        transport.watch->warn("[PM9202] " + text);
    }
  }

private:
  bool done() const {
    auto isDone = [](const Lane &lane) { return lane.done(); };
    return std::all_of(receives.begin(), receives.end(), isDone) &&
           std::all_of(sends.begin(), sends.end(), isDone);
  }

  std::vector<Awaited> missing() const {
    std::vector<Awaited> ranks;
    for (const auto *lanes : {&receives, &sends})
      for (const Lane &lane : *lanes)
        if (!lane.done())
          ranks.push_back({lane.peer, lane.bytes(), lanes == &receives});
    return ranks;
  }

  ProcessTransport &transport;
  bool ordered;
  std::deque<Lane> receives, sends; // lanes do not move
};

} // namespace

void ProcessTransport::attach(Context &) {
  const char *text = std::getenv("PMRT_CUDA_MPI");
  const std::string wish = text ? text : "";
  if (!wish.empty() && wish != "direct" && wish != "staged")
    throw usageError("[PM9011] PMRT_CUDA_MPI={} is neither direct nor staged",
                     wish);
  const GpuMemory takes = byteTransport->gpuMemory();
  direct = takes != GpuMemory::No && wish != "staged" &&
           (takes == GpuMemory::Yes || wish == "direct");
  if (wish == "direct" && !direct)
    throw usageError(
        "[PM9011] PMRT_CUDA_MPI=direct: the transport {} cannot send from "
        "the memory of a GPU",
        byteTransport->name());
}

void ProcessTransport::poll() {
  readNotes();
  if (failure)
    throw Stopped(*failure);
  if (!lossText.empty())
    endByLoss();
  for (ProcessExchange *exchange : underWay)
    exchange->advance();
}

std::unique_ptr<Exchange> ProcessTransport::start(Threads &threads,
                                                  pmrt_queue *queue,
                                                  Messages messages) {
  exchangeWithSelf(threads, messages, self);
  if (messages.device)
    return deviceMessages(*messages.device) == DeviceMessages::Packed
               ? startDirect(*this, threads, queue, std::move(messages), pool)
               : startStaged(*this, threads, queue, std::move(messages));
  count(messages);
  return std::make_unique<ProcessExchange>(*this, threads, messages);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

void ProcessTransport::readNotes() {
  std::string note;
  for (int from = 0; byteTransport->note(note, from);) {
    if (note[0] == 'L') {
      gone[size_t(from)] = true;
    } else if (note[0] == 'Q') {
      asked.push_back(from);
      if (from < self)
        askedBefore = Clock::now();
    } else if (note[0] == 'W') {
      waiting.push_back(from);
      if (auto log = Recorder::fromBytes(note.substr(1)))
        logs.push_back(std::move(log));
    } else if (int code = 0; !failure && !failed && note[0] == 'F' &&
                             note.size() > sizeof code) {
      std::memcpy(&code, note.data() + 1, sizeof code);
      failure.emplace(from, Exit(code), note.substr(1 + sizeof code));
    }
  }
  // What a rank has said before comes first.
  std::string why;
  for (int rank; (rank = byteTransport->lost(why)) >= 0;) {
    gone[size_t(rank)] = true;
    if (lossText.empty())
      lossText = why;
  }
}

void ProcessTransport::endByLoss() {
  const auto start = Clock::now();
  const auto first = std::find(gone.begin(), gone.end(), false);
  while (first - gone.begin() < self && !failed && secondsFrom(start) < 1) {
    usleep(1000);
    readNotes();
    if (failure)
      throw Stopped(*failure);
  }
  throw RankLost(lossText + "\n" + Recorder::table());
}

void ProcessTransport::pause(double seconds) {
  const auto start = Clock::now();
  while (secondsFrom(start) < seconds) {
    poll();
    answer();
    usleep(1000);
  }
}

std::string ProcessTransport::late(double seconds,
                                   const std::vector<Awaited> &missing,
                                   int64_t &place) {
  waiting = {self};
  logs.clear();
  notifyAll("Q");
  pause(1);
  std::sort(waiting.begin(), waiting.end());
  place = std::find(waiting.begin(), waiting.end(), self) - waiting.begin();
  std::vector<const RankLog *> others;
  for (const auto &log : logs)
    others.push_back(log.get());
  return lateText(seconds, missing, waiting, others);
}

bool ProcessTransport::fail(Exit code, const std::string &text) {
  // If several fail at the same time, the first of them reports it.
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
  note += text.substr(0, 4000);
  notifyAll(note);
  return true;
}

void ProcessTransport::leave(Exit code) {
  pool.clear(); // before the device goes
  if (code != Exit::Done) {
    notifyAll("L");
    gone[size_t(self)] = true;
    const auto start = Clock::now();
    while (std::find(gone.begin(), gone.end(), false) != gone.end()) {
      readNotes();
      // Ranks that compute for long, or hang, are not waited for. One rank ends
      // them: MPI takes long if several try at once.
      if (secondsFrom(start) > (failed ? 3 : 6)) {
        byteTransport->abort(int(code));
        std::_Exit(int(code));
      }
      usleep(1000);
    }
  }
  byteTransport->finish();
}

std::unique_ptr<Transport>
pmrt::makeProcessTransport(std::shared_ptr<ByteTransport> byteTransport) {
  return std::make_unique<ProcessTransport>(std::move(byteTransport));
}
