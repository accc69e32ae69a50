//===- Tcp.cpp - Ranks as processes with sockets --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One socket between any two ranks. Data are sent when the receiver has said
// that it expects them (credit), so they are written where they belong, need no
// memory in between, and never keep notes waiting.
//
// A thread watches for processes that have ended: a rank that computes, or
// hangs, and does not look up ends a few seconds later.
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/ByteTransport.h"
#include "runtime/Comm/Processes/LocalProcess.h"
#include "runtime/Comm/Processes/Processes.h"
#include "runtime/Comm/Sockets/Rendezvous.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace pmrt;
using Clock = std::chrono::steady_clock;

namespace {

enum class Kind : uint32_t { Credit, Data, Note, Bye };

/// Notes are commands and texts of errors.
constexpr int64_t longestNote = 1 << 16;

/// In front of everything. All ranks run the same program.
struct Header {
  Kind kind = Kind::Credit;
  int32_t tag = 0;
  int64_t bytes = 0; ///< that follow
};

/// Something to be written.
struct Frame {
  Header header;
  const char *body = nullptr;
  std::string own; ///< the body, if it is not the caller's
  int request = 0;
  size_t written = 0;
};

struct Request {
  bool busy = false, done = false;
  int peer = 0, tag = 0, bytes = 0;
  char *data = nullptr;
};

struct Peer {
  PeerInfo info;
  LocalProcess process; ///< if it is of this machine
  std::deque<Frame> out;
  bool blocked = false;       ///< until the socket can be written to again
  std::map<int, int> credits; ///< by tag: credits of the peer
  std::deque<int> waiting;    ///< sends for which it has none
  std::deque<int> receives;   ///< that have credit
  bool bye = false;           ///< it sends no more
  // What is being read.
  Header header;
  size_t haveHeader = 0;
  int64_t haveBody = 0;
  int target = 0; ///< the receive; 0: given up
  std::string note;
};

class TcpByteTransport : public ByteTransport {
public:
  TcpByteTransport(std::vector<PeerInfo> infos, int rank)
      : peers(infos.size()) {
    self.rank = rank;
    self.size = int(infos.size());
    events = epoll_create1(EPOLL_CLOEXEC);
    wake = eventfd(0, EFD_CLOEXEC);
    if (events < 0 || wake < 0)
      throw std::runtime_error("cannot make descriptors for the sockets");
    const std::string machine = infos[size_t(rank)].machine,
                      kernel = infos[size_t(rank)].kernel;
    self.localSize = 0;
    for (size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].machine == machine) {
        self.localRank += int(i) < rank;
        ++self.localSize;
      }
      peers[i].info = std::move(infos[i]);
      if (int(i) == rank)
        continue;
      const PeerInfo &info = peers[i].info;
      if (info.kernel == kernel)
        peers[i].process = LocalProcess(info.process, info.started);
      observe(i, EPOLL_CTL_ADD);
    }
    std::vector<pollfd> watched = {{wake, POLLIN, 0}};
    for (const Peer &peer : peers)
      if (peer.info.connection.open())
        watched.push_back({peer.info.connection.get(), POLLRDHUP, 0});
    guard = std::thread([this, watched] { watch(watched); });
  }

  ~TcpByteTransport() override {
    dismissGuard();
    guard.join();
    close(events);
    close(wake);
  }

  const char *name() const override { return "tcp"; }
  RankPosition position() const override { return self; }

  void send(const void *data, int bytes, int peer, int tag,
            int &request) override {
    request = take(peer, tag, bytes, const_cast<void *>(data));
    Peer &to = peers[size_t(peer)];
    if (auto credit = to.credits.find(tag); credit != to.credits.end()) {
      if (--credit->second == 0)
        to.credits.erase(credit);
      put(to, request);
    } else {
      to.waiting.push_back(request);
    }
  }

  void receive(void *data, int bytes, int peer, int tag,
               int &request) override {
    request = take(peer, tag, bytes, data);
    Peer &from = peers[size_t(peer)];
    from.receives.push_back(request);
    put(from, {Kind::Credit, tag, 0});
  }

  bool test(int &request) override {
    if (!of(request).done)
      progress();
    if (!of(request).done)
      return false;
    of(request) = {};
    spare.push_back(std::exchange(request, 0));
    return true;
  }

  void cancel(int &request, bool sending) noexcept override {
    Peer &peer = peers[size_t(of(request).peer)];
    std::erase(sending ? peer.waiting : peer.receives, request);
    if (peer.target == request)
      peer.target = 0;
    // What has begun is finished, from a copy. A lost rank gets nothing more.
    if (!peer.info.connection.open())
      peer.out.clear();
    for (Frame &frame : peer.out)
      if (frame.request == request) {
        frame.own.assign(frame.body, size_t(frame.header.bytes));
        frame.body = frame.own.data();
        frame.request = 0;
      }
    of(request) = {};
    spare.push_back(std::exchange(request, 0));
  }

  void notify(int peer, const std::string &text) noexcept override {
    put(peers[size_t(peer)], {Kind::Note, 0, int64_t(text.size())}, text);
  }

  bool note(std::string &text, int &from) noexcept override {
    ++looks;
    progress();
    if (notes.empty())
      return false;
    from = notes.front().first;
    text = std::move(notes.front().second);
    notes.pop_front();
    return true;
  }

  int lost(std::string &why) noexcept override {
    if (losses.empty())
      return -1;
    const int rank = losses.front().first;
    why = std::move(losses.front().second);
    losses.pop_front();
    return rank;
  }

  /// Wakes when something comes, but does not sleep long: there are signals,
  /// and messages of other kinds.
  void rest(double idle) override {
    epoll_event found = {};
    if (idle > 5e-5)
      (void)epoll_wait(events, &found, 1, 1);
    else
      sched_yield();
  }

  void finish() override {
    dismissGuard();
    for (Peer &peer : peers)
      put(peer, {Kind::Bye, 0, 0});
    // No rank closes before all are here: a rank that is gone earlier is lost.
    const auto start = Clock::now();
    while (std::any_of(peers.begin(), peers.end(), [](const Peer &peer) {
      return peer.info.connection.open() &&
             (!peer.bye || !peer.out.empty() || peer.blocked);
    })) {
      progress();
      if (lostAny && Clock::now() - start > std::chrono::seconds(2))
        break;
      usleep(200);
    }
  }

  void abort(int) noexcept override {
    for (const Peer &peer : peers)
      if (peer.info.connection.open() && !peer.bye)
        peer.process.end();
    // Others end when they find this process gone.
  }

private:
  Request &of(int request) { return requests[size_t(request) - 1]; }

  int take(int peer, int tag, int bytes, void *data) {
    if (spare.empty()) {
      requests.emplace_back();
      spare.push_back(int(requests.size()));
    }
    const int request = spare.back();
    spare.pop_back();
    of(request) = {true, false, peer, tag, bytes, static_cast<char *>(data)};
    return request;
  }

  void observe(size_t peer, int action) {
    epoll_event event = {};
    event.events = EPOLLIN;
    if (peers[peer].blocked)
      event.events |= EPOLLOUT;
    event.data.u64 = peer;
    if (epoll_ctl(events, action, peers[peer].info.connection.get(), &event) !=
            0 &&
        action == EPOLL_CTL_ADD)
      throw systemError("watch a socket");
  }

  void put(Peer &peer, Header header, const std::string &body = "") {
    if (!peer.info.connection.open())
      return;
    Frame &frame = peer.out.emplace_back();
    frame.header = header;
    frame.own = body;
    frame.body = frame.own.data();
    write(peer);
  }

  /// Data for which the peer gave credit.
  void put(Peer &peer, int request) {
    Frame &frame = peer.out.emplace_back();
    frame.header = {Kind::Data, of(request).tag, of(request).bytes};
    frame.body = of(request).data;
    frame.request = request;
    write(peer);
  }

  void progress() noexcept {
    // Bytes that came with the last message of the rendezvous wake no thread.
    if (!std::exchange(looked, true))
      for (Peer &peer : peers)
        read(peer);
    epoll_event found[64];
    const int count = epoll_wait(events, found, 64, 0);
    for (int i = 0; i < count; ++i) {
      Peer &peer = peers[size_t(found[i].data.u64)];
      if (found[i].events & EPOLLOUT)
        write(peer);
      if (found[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
        read(peer);
    }
  }

  void setBlocked(Peer &peer, bool blocked) {
    if (std::exchange(peer.blocked, blocked) != blocked)
      observe(size_t(&peer - peers.data()), EPOLL_CTL_MOD);
  }

  void write(Peer &peer) {
    TlsConnection &connection = peer.info.connection;
    while (connection.open() && !peer.out.empty()) {
      Frame &frame = peer.out.front();
      const size_t head = sizeof frame.header;
      const size_t all = head + size_t(frame.header.bytes);
      if (frame.written < head)
        frame.written += connection.write(
            reinterpret_cast<const char *>(&frame.header) + frame.written,
            head - frame.written);
      if (frame.written >= head && frame.written < all)
        frame.written += connection.write(frame.body + (frame.written - head),
                                          all - frame.written);
      if (frame.written < all)
        break;
      if (frame.request)
        of(frame.request).done = true;
      peer.out.pop_front();
    }
    if (connection.open())
      setBlocked(peer, !connection.flush() || !peer.out.empty());
  }

  /// Bytes that have come, or 0. A connection that is at its end is closed.
  size_t readSome(Peer &peer, void *data, int64_t size) {
    PeerInfo &info = peer.info;
    const ssize_t done = info.connection.read(data, size_t(size));
    if (done >= 0)
      return size_t(done);
    if (peer.bye)
      info.connection.close();
    else if (const std::string why = info.connection.why(); why.empty())
      lose(peer, fmt::format("process {} on {} has ended, or the network "
                             "between {} and {} has failed",
                             info.process, info.host, info.host,
                             peers[size_t(self.rank)].info.host));
    else
      lose(peer,
           fmt::format(
               "data from process {} on {} does not match what it sent ({})",
               info.process, info.host, why));
    return 0;
  }

  void lose(Peer &peer, const std::string &why) {
    const int rank = int(&peer - peers.data());
    peer.info.connection.close();
    losses.emplace_back(
        rank, fmt::format("the connection to rank {} is lost: {}", rank, why));
    lostAny = true;
  }

  void read(Peer &peer) {
    while (peer.info.connection.open()) {
      if (peer.haveHeader < sizeof peer.header) {
        const size_t here = readSome(
            peer, reinterpret_cast<char *>(&peer.header) + peer.haveHeader,
            int64_t(sizeof peer.header - peer.haveHeader));
        if (here == 0)
          return;
        peer.haveHeader += here;
        if (peer.haveHeader < sizeof peer.header)
          continue;
        if (!begin(peer))
          return;
      }
      if (peer.haveBody < peer.header.bytes) {
        char discarded[4096];
        const int64_t left = peer.header.bytes - peer.haveBody;
        size_t here = 0;
        if (peer.header.kind == Kind::Note)
          here = readSome(peer, peer.note.data() + peer.haveBody, left);
        else if (peer.target)
          here = readSome(peer, of(peer.target).data + peer.haveBody, left);
        else
          here = readSome(peer, discarded,
                          std::min<int64_t>(left, sizeof discarded));
        if (here == 0)
          return;
        peer.haveBody += int64_t(here);
      }
      if (peer.haveBody == peer.header.bytes)
        end(peer);
    }
  }

  /// A header has come; false if it cannot be one.
  bool begin(Peer &peer) {
    peer.haveBody = 0;
    peer.target = 0;
    const Header header = peer.header;
    auto it = header.kind == Kind::Data ? find(peer.receives, header.tag)
                                        : peer.receives.end();
    const bool received = it != peer.receives.end();
    if (!canBe(header) || (received && header.bytes != of(*it).bytes)) {
      lose(peer,
           fmt::format("process {} on {} has sent an invalid message (kind {}, "
                       "tag {}, {} bytes{})",
                       peer.info.process, peer.info.host, uint32_t(header.kind),
                       header.tag, header.bytes,
                       received ? fmt::format(" for {}", of(*it).bytes) : ""));
      return false;
    }
    if (header.kind == Kind::Note)
      peer.note.resize(size_t(header.bytes));
    if (received) { // not given up
      peer.target = *it;
      peer.receives.erase(it);
    }
    return true;
  }

  static bool canBe(const Header &header) {
    switch (header.kind) {
    case Kind::Credit:
    case Kind::Bye:
      return header.bytes == 0;
    case Kind::Data:
      return header.bytes >= 0;
    case Kind::Note:
      return header.bytes > 0 && header.bytes <= longestNote;
    }
    return false;
  }

  /// All of it has come.
  void end(Peer &peer) {
    peer.haveHeader = 0;
    switch (peer.header.kind) {
    case Kind::Credit: {
      auto it = find(peer.waiting, peer.header.tag);
      if (it == peer.waiting.end()) {
        ++peer.credits[peer.header.tag];
        break;
      }
      const int request = *it;
      peer.waiting.erase(it);
      put(peer, request);
      break;
    }
    case Kind::Data:
      if (peer.target)
        of(std::exchange(peer.target, 0)).done = true;
      break;
    case Kind::Note:
      notes.emplace_back(int(&peer - peers.data()), std::move(peer.note));
      break;
    case Kind::Bye:
      peer.bye = true;
      break;
    }
  }

  std::deque<int>::iterator find(std::deque<int> &list, int tag) {
    return std::find_if(list.begin(), list.end(),
                        [&](int request) { return of(request).tag == tag; });
  }

  void dismissGuard() {
    dismissed = true;
    const uint64_t one = 1;
    (void)!::write(wake, &one, sizeof one);
  }

  /// The guard: ends this process if another has ended and no thread notices.
  void watch(std::vector<pollfd> watched) const {
    while (!dismissed && poll(watched.data(), watched.size(), -1) <= 0) {
    }
    const int64_t before = looks;
    for (int i = 0; i < 40; ++i) {
      if (dismissed || looks > before + 1)
        return; // the rank's thread finds it
      (void)poll(watched.data(), 1, 100);
    }
    fmt::print(stderr,
               "error: rank {}: another rank has ended, and this rank has not "
               "responded within seconds; it is ended, too [PM9105]\n",
               self.rank);
    std::_Exit(int(Exit::Failure));
  }

  std::vector<Peer> peers;
  RankPosition self;
  int events = -1;
  std::vector<Request> requests;
  std::vector<int> spare;
  std::deque<std::pair<int, std::string>> notes;
  std::deque<std::pair<int, std::string>> losses; ///< ranks, and what is known
  bool lostAny = false; ///< also of those that were told
  bool looked = false;  ///< at all connections, once
  std::thread guard;
  int wake = -1;                  ///< wakes the guard
  std::atomic<int64_t> looks = 0; ///< how often the rank's thread has looked
  std::atomic<bool> dismissed = false;
};

} // namespace

std::unique_ptr<Transport> pmrt::makeTcpTransport(const std::string &rendezvous,
                                                  int rank, int ranks,
                                                  double patience,
                                                  const Ways &ways) {
  // A socket a rank.
  rlimit files = {};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
  }
  return makeProcessTransport(std::make_shared<TcpByteTransport>(
      meet(rendezvous, rank, ranks, patience, ways), rank));
}
