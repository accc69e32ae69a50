//===- ThreadRanks.cpp - Ranks as threads of one process ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/ThreadRanks.h"

#include "runtime/Base/Interrupts.h"
#include "runtime/Base/Memory/Device.h"
#include "runtime/Comm/Staged.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

using namespace pmrt;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace pmrt {

class ThreadTransport : public Transport {
public:
  ThreadTransport(Hub &hub, int rank) : hub(hub), self(rank) {}

  const char *name() const override { return "threads"; }
  int rank() const override { return self; }
  int size() const override { return hub.ranks(); }
  int localSize() const override { return hub.ranks(); }
  int localRank() const override { return self; }
  std::unique_ptr<Exchange> start(Threads &threads, pmrt_queue *queue,
                                  Messages messages) override;
  DeviceMessages deviceMessages(const Device &device) const override {
    return device.isOpenToRanks() ? DeviceMessages::InPlace
                                  : DeviceMessages::Staged;
  }
  void poll() override {
    if (!hub.broken.load(std::memory_order_acquire))
      return;
    std::lock_guard guard(hub.lock);
    throwIfFailed();
  }
  bool fail(Exit code, const std::string &text) override;
  void leave(Exit code) override;

  /// The lock must be held.
  void throwIfFailed() const {
    if (hub.failure && hub.failure->rank() != self)
      throw Stopped(*hub.failure);
  }

  using Transport::lateText;

  Hub &hub;
  const int self;
};

class ThreadExchange : public Exchange {
public:
  ThreadExchange(ThreadTransport &transport, Threads &threads, Messages all)
      : transport(transport), threads(threads), messages(std::move(all)),
        activity(transport.watch->activity),
        location(transport.watch->location) {
    Hub &hub = transport.hub;
    const auto self = size_t(transport.self);
    Hub::Mailbox &mine = hub.mailboxes[self];
    for (const Message &receive : messages.receives)
      numbers.push_back(mine.received[size_t(receive.peer)]++);
    std::shared_ptr<void> queued;
    if (messages.device && !messages.sends.empty())
      queued = messages.device->queued();
    std::unique_lock guard(hub.lock);
    std::vector<Hub::Mailbox *> sleepers;
    for (const Message &send : messages.sends) {
      auto post = std::make_shared<Hub::Post>();
      post->activity = activity;
      post->location = location;
      const int64_t number = mine.sent[size_t(send.peer)]++;
      Hub::Mailbox &theirs = hub.mailboxes[size_t(send.peer)];
      auto &lane = theirs.inbox[self];
      if (!messages.device && send.region.bytes() <= Hub::smallBytes &&
          lane.size() < Hub::smallMessages) {
        copyAside(send.region, *post);
      } else {
        post->region = send.region;
        post->queued = queued;
        posts.push_back(post);
        peers.push_back(send.peer);
      }
      lane.emplace(number, std::move(post));
      ++theirs.news;
      if (theirs.waiting)
        sleepers.push_back(&theirs);
    }
    guard.unlock();
    // Whoever is woken needs the lock.
    for (Hub::Mailbox *mailbox : sleepers)
      mailbox->changed.notify_all();
  }

  ~ThreadExchange() override {
    Hub &hub = transport.hub;
    std::unique_lock guard(hub.lock);
    // After an error, no rank may read this rank's memory.
    for (size_t i = 0; i < posts.size(); ++i)
      std::erase_if(
          hub.mailboxes[size_t(peers[i])].inbox[size_t(transport.self)],
          [&](const auto &entry) { return entry.second == posts[i]; });
    hub.mailboxes[size_t(transport.self)].changed.wait(guard, [&] {
      return std::none_of(posts.begin(), posts.end(), [](const auto &post) {
        return post->state == Hub::Post::State::Copying;
      });
    });
  }

  void receive() override {
    std::unique_lock guard(transport.hub.lock);
    takeAll(guard);
  }

  void wait() override {
    std::unique_lock guard(transport.hub.lock);
    takeAll(guard);
    auto isDone = [](const auto &post) {
      return post->state == Hub::Post::State::Done;
    };
    await(
        guard, [&] { return std::all_of(posts.begin(), posts.end(), isDone); },
        [&] {
          std::vector<Awaited> missing;
          for (size_t i = 0; i < posts.size(); ++i)
            if (!isDone(posts[i]))
              missing.push_back({peers[i], posts[i]->region.bytes(), false});
          return missing;
        });
    guard.unlock();
    if (messages.device)
      for (const auto &post : posts)
        messages.device->follow(post->queued);
  }

private:
  void takeAll(std::unique_lock<std::mutex> &guard) {
    taken.resize(messages.receives.size(), false);
    for (auto left = std::count(taken.begin(), taken.end(), false); left > 0;
         --left) {
      size_t next = taken.size();
      await(
          guard,
          [&] {
            next = arrived();
            return next < taken.size();
          },
          [&] {
            std::vector<Awaited> missing;
            for (size_t i = 0; i < taken.size(); ++i)
              if (!taken[i])
                missing.push_back({messages.receives[i].peer,
                                   messages.receives[i].region.bytes(), true});
            return missing;
          });
      take(guard, next);
      taken[next] = true;
    }
  }

  static void copyAside(const Region &region, Hub::Post &post) {
    const int64_t bytes = region.bytes();
    post.copy = std::make_unique_for_overwrite<char[]>(size_t(bytes));
    pack(region, 0, bytes, post.copy.get());
    post.region = region.denseAt(post.copy.get());
  }

  /// The first receive whose message is there; what is combined keeps its
  /// order.
  size_t arrived() const {
    const auto &inbox = transport.hub.mailboxes[size_t(transport.self)].inbox;
    for (size_t i = 0; i < taken.size(); ++i) {
      if (taken[i])
        continue;
      if (inbox[size_t(messages.receives[i].peer)].contains(numbers[i]))
        return i;
      if (messages.combine != Combine::Replace)
        break;
    }
    return taken.size();
  }

  void take(std::unique_lock<std::mutex> &guard, size_t index) {
    Hub &hub = transport.hub;
    const Message &receive = messages.receives[index];
    auto &lane =
        hub.mailboxes[size_t(transport.self)].inbox[size_t(receive.peer)];
    auto entry = lane.find(numbers[index]);
    const std::shared_ptr<Hub::Post> post = entry->second;
    checkAlike(receive, *post);
    lane.erase(entry);
    if (post->copy)
      return copyTo(receive, *post);
    post->state = Hub::Post::State::Copying;
    auto finish = [&] {
      post->state = Hub::Post::State::Done;
      ++hub.mailboxes[size_t(receive.peer)].news;
      hub.mailboxes[size_t(receive.peer)].changed.notify_all();
    };
    guard.unlock();
    try {
      copyTo(receive, *post);
    } catch (...) {
      guard.lock();
      finish();
      throw;
    }
    guard.lock();
    finish();
  }

  /// Both ends of a message make the same call.
  void checkAlike(const Message &receive, const Hub::Post &post) const {
    const int64_t wanted = receive.region.bytes(), sent = post.region.bytes();
    if (wanted == sent && location == post.location &&
        std::string_view(activity) == post.activity)
      return;
    auto call = [&](const char *name, pmrt_loc place) {
      const auto &lineOf = transport.watch->line;
      const std::string line = lineOf ? lineOf(place) : "";
      return fmt::format("'{}'{}", name,
                         line.empty() ? "" : fmt::format(" ({})", line));
    };
    throw std::runtime_error(fmt::format(
        "ranks {} and {} do not make the same call: rank {} sends {} bytes in "
        "{}, rank {} receives {} in {}",
        std::min(receive.peer, transport.self),
        std::max(receive.peer, transport.self), receive.peer, sent,
        call(post.activity, post.location), transport.self, wanted,
        call(activity, location)));
  }

  /// Ranks of a process see each other's memory, that of devices, too.
  void copyTo(const Message &receive, Hub::Post &post) {
    if (!messages.device)
      return transfer(threads, post.region, receive.region, messages.combine,
                      messages.element);
    messages.device->follow(post.queued);
    messages.device->transfer(post.region, receive.region, messages.combine,
                              messages.element);
    post.queued = messages.device->queued();
  }

  template <typename Ready, typename Missing>
  void await(std::unique_lock<std::mutex> &guard, const Ready &ready,
             const Missing &missing) {
    const auto start = Clock::now();
    Hub::Mailbox &mine = transport.hub.mailboxes[size_t(transport.self)];
    double tellAt = transport.watch->report;
    WaitNote note(transport.watch->recorder);
    while (!ready()) {
      transport.throwIfFailed();
      checkInterrupt();
      const uint64_t seen = mine.news;
      guard.unlock();
      lookAround(mine, seen);
      guard.lock();
      if (mine.news != seen)
        continue;
      mine.waiting = true;
      if (!note.isWritten())
        note.write(missing);
      mine.changed.wait_for(guard, 50ms);
      const double waited =
          std::chrono::duration<double>(Clock::now() - start).count();
      const bool tooLong = waited > transport.watch->end;
      if (ready() || (!tooLong && waited < tellAt))
        continue;
      std::vector<int> arrived;
      for (int rank = 0; rank < transport.size(); ++rank)
        if (transport.hub.mailboxes[size_t(rank)].waiting)
          arrived.push_back(rank);
      const std::string text = transport.lateText(waited, missing(), arrived);
      if (tooLong)
        throw RankLost(text);
      tellAt *= 2; // all of them find it; the first one reports it
      if (arrived.front() == transport.self)
        transport.watch->warn("[PM9202] " + text);
    }
    mine.waiting = false;
  }

  /// What a rank waits for often comes at once: to sleep and to be woken takes
  /// longer. Others may have the core meanwhile.
  static void lookAround(const Hub::Mailbox &mine, uint64_t seen) {
    const auto end = Clock::now() + 50us;
    while (mine.news == seen && Clock::now() < end)
      std::this_thread::yield();
  }

  ThreadTransport &transport;
  Threads &threads;
  Messages messages;
  const char *activity; ///< of the call that has started it, and where that is
  pmrt_loc location;
  std::vector<int64_t> numbers; ///< of the receives
  std::vector<bool> taken;      ///< which of them have come
  /// Sends whose memory others read, and to whom they go.
  std::vector<std::shared_ptr<Hub::Post>> posts;
  std::vector<int> peers;
};

} // namespace pmrt

std::unique_ptr<Exchange>
ThreadTransport::start(Threads &threads, pmrt_queue *queue, Messages messages) {
  if (messages.device &&
      deviceMessages(*messages.device) == DeviceMessages::Staged) {
    exchangeWithSelf(threads, messages, self);
    return startStaged(*this, threads, queue, std::move(messages));
  }
  count(messages);
  exchangeWithSelf(threads, messages, self);
  return std::make_unique<ThreadExchange>(*this, threads, std::move(messages));
}

bool ThreadTransport::fail(Exit code, const std::string &text) {
  std::lock_guard guard(hub.lock);
  const bool first = !hub.failure;
  if (first)
    hub.failure.emplace(self, code, text);
  hub.broken.store(true, std::memory_order_release);
  for (Hub::Mailbox &mailbox : hub.mailboxes)
    mailbox.changed.notify_all();
  return first;
}

void ThreadTransport::leave(Exit code) {
  std::unique_lock guard(hub.lock);
  ++hub.left;
  for (Hub::Mailbox &mailbox : hub.mailboxes)
    mailbox.changed.notify_all();
  // Ranks that compute for long and never look up are not waited for.
  const auto end = Clock::now() + 4s;
  while (hub.left < hub.ranks()) {
    hub.mailboxes[size_t(self)].changed.wait_for(guard, 50ms);
    if ((hub.failure || code != Exit::Done) && Clock::now() > end)
      std::_Exit(int(hub.failure ? hub.failure->code() : code));
  }
}

Hub::Hub(int ranks) : mailboxes(static_cast<size_t>(ranks)) {
  for (Mailbox &mailbox : mailboxes) {
    mailbox.inbox.resize(size_t(ranks));
    mailbox.sent.assign(size_t(ranks), 0);
    mailbox.received.assign(size_t(ranks), 0);
  }
}

std::unique_ptr<Transport> Hub::connect(int rank) {
  return std::make_unique<ThreadTransport>(*this, rank);
}

void pmrt::runRanks(int ranks, const std::function<void(int)> &body) {
  Interrupts &requests = Interrupts::current();
  std::vector<std::thread> others;
  for (int rank = 1; rank < ranks; ++rank)
    others.emplace_back([&, rank] {
      const InterruptScope scope(requests);
      body(rank);
    });
  body(0);
  for (std::thread &thread : others)
    thread.join();
}
