//===- Messages.cpp - What messages between ranks take --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Threads.h"
#include "runtime/Comm/Group.h"
#include "runtime/Comm/ThreadRanks.h"
#include "runtime/Measure/Figures.h"

#include <algorithm>
#include <chrono>

using namespace pmrt;
using namespace pmrt::measure;

/// As measure::time, of something that all ranks do together: the same number
/// of turns on each.
static Seconds timeTogether(Group &world, int turns,
                            const std::function<void()> &turn) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> taken;
  for (int i = 0; i <= turns; ++i) {
    world.barrier();
    const auto begin = Clock::now();
    turn();
    double seconds =
        std::chrono::duration<double>(Clock::now() - begin).count();
    world.reduce(PMRT_MAX, 1, &seconds);
    if (i > 0) // the first one warms up
      taken.push_back(seconds);
  }
  std::sort(taken.begin(), taken.end());
  return {taken[taken.size() / 2], taken.front(), taken.back()};
}

MessageFigures measure::measureMessages(const Effort &effort,
                                        Transport &transport) {
  Threads threads(1);
  Group world(transport, threads);
  const int ranks = world.size(), self = world.index();
  MessageFigures figures;
  figures.ranks = ranks;
  auto exchange = [&](Messages messages) {
    transport.start(threads, nullptr, std::move(messages))->wait();
  };

  // There and back between the first two, many times.
  constexpr int rounds = 200;
  int64_t word = 0;
  figures.latency =
      timeTogether(world, 15, [&] {
        if (self > 1)
          return;
        for (int i = 0; i < rounds; ++i)
          for (int sender : {0, 1}) {
            Messages messages;
            (sender == self ? messages.sends : messages.receives) = {
                {1 - self, Region::flat(&word, sizeof word)}};
            exchange(std::move(messages));
          }
      }).times(1.0 / (2 * rounds));

  // Each sends a part of what it holds to each, itself among them.
  const int64_t part = effort.messageBytes / ranks, bytes = part * ranks;
  std::vector<char> from(static_cast<size_t>(bytes)), to(from.size());
  const Seconds all = timeTogether(world, 15, [&] {
    Messages messages;
    for (int peer = 0; peer < ranks; ++peer) {
      messages.sends.push_back(
          {peer, Region::flat(from.data() + peer * part, part)});
      messages.receives.push_back(
          {peer, Region::flat(to.data() + peer * part, part)});
    }
    exchange(std::move(messages));
  });
  // Bytes that go to others.
  figures.bandwidth = all.rate(double(ranks) * (ranks - 1) * double(part));

  double number = 1;
  figures.allReduce = timeTogether(world, 15, [&] {
                        for (int i = 0; i < rounds; ++i)
                          world.reduce(PMRT_MAX, 1, &number);
                      }).times(1.0 / rounds);
  return figures;
}

MessageFigures measure::measureThreads(const Effort &effort, int ranks) {
  MessageFigures figures;
  Hub hub(ranks);
  runRanks(ranks, [&](int rank) {
    const auto transport = hub.connect(rank);
    const MessageFigures own = measureMessages(effort, *transport);
    if (rank == 0)
      figures = own;
    transport->leave(Exit::Done);
  });
  return figures;
}
