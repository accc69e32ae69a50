//===- Self.cpp - One rank alone ------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Transport.h"

#include "runtime/Base/Memory/Device.h"
#include "runtime/Base/Threads.h"

#include <algorithm>
#include <stdexcept>

using namespace pmrt;

std::string
Transport::lateText(double seconds, const std::vector<Awaited> &missing,
                    const std::vector<int> &arrived,
                    const std::vector<const RankLog *> &logs) const {
  std::vector<int> awaited;
  for (const Awaited &other : missing)
    if (awaited.empty() || awaited.back() != other.rank)
      awaited.push_back(other.rank);
  std::vector<int> absent;
  for (int other = 0; other < size(); ++other)
    if (std::find(arrived.begin(), arrived.end(), other) == arrived.end())
      absent.push_back(other);
  auto list = [](const std::vector<int> &ranks) {
    return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s",
                       fmt::join(ranks, ", "));
  };
  const std::string what = fmt::format("'{}' has not completed for {:.0f} s",
                                       watch->activity, seconds);
  std::string text = absent.empty()
                         ? fmt::format("{}: all ranks wait, rank {} for {}",
                                       what, rank(), list(awaited))
                         : fmt::format("{}: {} did not reach it, {} wait{}",
                                       what, list(absent), list(arrived),
                                       arrived.size() == 1 ? "s" : "");
  text += "\n" + Recorder::table(logs);
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

void pmrt::exchangeWithSelf(Threads &threads, Messages &messages, int self) {
  auto isSelf = [&](const Message &message) { return message.peer == self; };
  auto &sends = messages.sends, &receives = messages.receives;
  auto receive = receives.begin();
  for (const Message &send : sends) {
    if (!isSelf(send))
      continue;
    receive = std::find_if(receive, receives.end(), isSelf);
    if (receive == receives.end())
      throw std::runtime_error(
          "internal error: a rank's message to itself that is not received");
    if (messages.device)
      messages.device->transfer(send.region, receive->region, messages.combine,
                                messages.element);
    else
      transfer(threads, send.region, receive->region, messages.combine,
               messages.element);
    ++receive;
  }
  if (std::find_if(receive, receives.end(), isSelf) != receives.end())
    throw std::runtime_error(
        "internal error: a rank's message to itself that is not sent");
  std::erase_if(sends, isSelf);
  std::erase_if(receives, isSelf);
}

namespace {

struct Done : Exchange {
  void wait() override {}
};

class SelfTransport : public Transport {
public:
  const char *name() const override { return "self"; }
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int localSize() const override { return 1; }
  int localRank() const override { return 0; }
  std::unique_ptr<Exchange> start(Threads &threads, pmrt_queue *,
                                  Messages messages) override {
    exchangeWithSelf(threads, messages, 0);
    if (!messages.sends.empty() || !messages.receives.empty())
      throw std::runtime_error("internal error: a message to another rank, but "
                               "there is one rank only");
    return std::make_unique<Done>();
  }
  void poll() override {}
  bool fail(Exit, const std::string &) override { return true; }
  void leave(Exit) override {}
};

} // namespace

std::unique_ptr<Transport> pmrt::makeSelfTransport() {
  return std::make_unique<SelfTransport>();
}
