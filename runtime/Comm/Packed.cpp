//===- Packed.cpp - Messages of devices as dense memory -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Packed.h"

#include "runtime/Base/Memory/Device.h"

#include <algorithm>
#include <utility>

using namespace pmrt;

Pages PackPool::take(Device &device, int64_t bytes) {
  auto best = spare.end();
  for (auto it = spare.begin(); it != spare.end(); ++it)
    if (it->size() >= bytes &&
        (best == spare.end() || it->size() < best->size()))
      best = it;
  if (best == spare.end()) {
    const auto largest = std::max_element(
        spare.begin(), spare.end(),
        [](const Pages &a, const Pages &b) { return a.size() < b.size(); });
    if (largest != spare.end())
      spare.erase(largest);
    return device.pages(bytes);
  }
  Pages pages = std::move(*best);
  spare.erase(best);
  return pages;
}

/// Calls `visit(place)` for each send and then for each receive, and returns
/// the bytes of all packed messages. The place is -1 if the message is already
/// one run, and is not packed.
template <typename Visit>
static int64_t placeMessages(const Messages &messages, const Visit &visit) {
  const bool combines = messages.combine != Combine::Replace;
  constexpr int64_t alignment = 256;
  int64_t bytes = 0;
  auto place = [&](const Region &region, bool direct) {
    visit(direct ? -1 : bytes);
    if (!direct)
      bytes += (region.bytes() + alignment - 1) / alignment * alignment;
  };
  for (const Message &send : messages.sends)
    place(send.region, send.region.dense());
  for (const Message &receive : messages.receives)
    place(receive.region, receive.region.dense() && !combines);
  return bytes;
}

int64_t pmrt::packedBytes(const Messages &messages, int self) {
  Messages others;
  others.combine = messages.combine;
  for (const auto &[from, to] :
       {std::pair{&messages.sends, &others.sends},
        std::pair{&messages.receives, &others.receives}})
    for (const Message &message : *from)
      if (message.peer != self)
        to->push_back(message);
  return placeMessages(others, [](int64_t) {});
}

Packed::Packed(Messages all, PackPool &pool)
    : messages(std::move(all)), pool(pool) {
  std::vector<int64_t> places; // of sends and receives; -1: where they are
  const int64_t bytes =
      placeMessages(messages, [&](int64_t place) { places.push_back(place); });
  memory = pool.take(*messages.device, bytes);
  auto next = places.begin();
  auto add = [&](std::vector<Message> &list, const Message &message) {
    const int64_t at = *next++;
    const Region &region = message.region;
    list.push_back(
        {message.peer, Region::flat(at < 0 ? region.base : memory.data() + at,
                                    region.bytes())});
  };
  for (const Message &send : messages.sends)
    add(dense.sends, send);
  for (const Message &receive : messages.receives)
    add(dense.receives, receive);
  for (size_t i = 0; i < messages.sends.size(); ++i) {
    const Region &from = messages.sends[i].region;
    if (char *to = dense.sends[i].region.base; to != from.base)
      messages.device->transfer(from, from.denseAt(to), Combine::Replace,
                                messages.element);
  }
}

void Packed::unpack() {
  for (size_t i = 0; i < messages.receives.size(); ++i) {
    const Region &to = messages.receives[i].region;
    if (char *from = dense.receives[i].region.base; from != to.base)
      messages.device->transfer(to.denseAt(from), to, messages.combine,
                                messages.element);
  }
  pool.giveBack(std::move(memory));
}
