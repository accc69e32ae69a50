//===- Staged.cpp - Messages of devices over MPI --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Staged.h"

#include "runtime/Base/Memory/Device.h"
#include "runtime/Comm/Packed.h"

#include <algorithm>
#include <utility>

using namespace pmrt;

namespace {

class StagedExchange : public Exchange {
public:
  StagedExchange(Transport &transport, Threads &threads, pmrt_queue *queue,
                 Messages all)
      : messages(std::move(all)) {
    Messages host;
    auto add = [&](std::vector<Message> &list, const Message &message) {
      const int64_t bytes = message.region.bytes();
      auto &copy = copies.emplace_back(static_cast<size_t>(bytes));
      list.push_back({message.peer, Region::flat(copy.data(), bytes)});
      return copy.data();
    };
    for (const Message &receive : messages.receives)
      add(host.receives, receive);
    for (const Message &send : messages.sends)
      messages.device->gather(send.region, add(host.sends, send));
    exchange = transport.start(threads, queue, std::move(host));
  }

  void wait() override {
    if (std::exchange(done, true))
      return;
    exchange->wait();
    // In the order of the receives, which is that of additions.
    for (size_t i = 0; i < messages.receives.size(); ++i)
      messages.device->scatter(copies[i].data(), messages.receives[i].region,
                               messages.combine, messages.element);
  }

private:
  Messages messages;
  bool done = false;
  std::vector<std::vector<char>> copies; ///< receives, then sends
  std::unique_ptr<Exchange> exchange;    // goes first: it uses the copies
};

class DirectExchange : public Exchange {
public:
  DirectExchange(Transport &transport, Threads &threads, pmrt_queue *queue,
                 Messages all, PackPool &pool)
      : device(*all.device), packed(std::move(all), pool) {
    device.wait(); // others know nothing of the queue
    exchange = transport.start(threads, queue, packed.runs());
  }

  void wait() override {
    if (std::exchange(done, true))
      return;
    exchange->wait();
    packed.unpack();
  }

private:
  Device &device;
  bool done = false;
  Packed packed;
  std::unique_ptr<Exchange> exchange; // goes first: it uses what is packed
};

} // namespace

int64_t pmrt::stagedBytes(const Messages &messages, int self) {
  // Larger boxes are divided.
  constexpr int64_t largest = int64_t(64) << 20;
  int64_t bytes = 0;
  auto add = [&](const Message &message, bool isDirect) {
    if (message.peer != self && !isDirect)
      bytes = std::max(bytes, std::min(largest, message.region.bytes()));
  };
  for (const Message &send : messages.sends)
    add(send, send.region.dense());
  for (const Message &receive : messages.receives)
    add(receive,
        receive.region.dense() && messages.combine == Combine::Replace);
  return bytes;
}

std::unique_ptr<Exchange> pmrt::startStaged(Transport &transport,
                                            Threads &threads, pmrt_queue *queue,
                                            Messages messages) {
  return std::make_unique<StagedExchange>(transport, threads, queue,
                                          std::move(messages));
}

std::unique_ptr<Exchange> pmrt::startDirect(Transport &transport,
                                            Threads &threads, pmrt_queue *queue,
                                            Messages messages, PackPool &pool) {
  return std::make_unique<DirectExchange>(transport, threads, queue,
                                          std::move(messages), pool);
}
