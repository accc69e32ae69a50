//===- Grid.cpp - The threads of a launch ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/Grid.h"

#include "test/gpu/fake/FakeCuda.h"
#include "test/gpu/fake/Fibers.h"
#include "test/gpu/fake/Races.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string_view>
#include <vector>

namespace {

/// The thread that runs, and its block.
struct Current {
  int tid = 0, ntid = 1, ctaid = 0, nctaid = 1;
  int barriers = 0; ///< that it has passed
  std::vector<char> shared;
  fakecuda::Races *races = nullptr; ///< null: nobody looks for them
};

Current &current() {
  static auto *only = new Current; // outlives static objects of programs
  return *only;
}

/// What FAKECUDA_ORDER says.
fakecuda::Order getOrder() {
  const char *text = std::getenv("FAKECUDA_ORDER");
  const std::string name = text ? text : "";
  auto rising = [](int count) {
    std::vector<int> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    return order;
  };
  if (name.empty())
    return rising;
  if (name == "reverse")
    return [rising](int count) {
      std::vector<int> order = rising(count);
      std::reverse(order.begin(), order.end());
      return order;
    };
  constexpr std::string_view shuffle = "shuffle:";
  char *end = nullptr;
  const bool isShuffle = name.starts_with(shuffle);
  const unsigned long seed =
      isShuffle ? std::strtoul(text + shuffle.size(), &end, 10) : 0;
  if (isShuffle && end != text + shuffle.size() && *end == 0)
    return [rising, random = std::mt19937(unsigned(seed))](int count) mutable {
      std::vector<int> order = rising(count);
      std::shuffle(order.begin(), order.end(), random);
      return order;
    };
  std::fprintf(
      stderr,
      "fake CUDA: FAKECUDA_ORDER requires reverse or shuffle:SEED, not "
      "'%s'\n",
      text);
  std::exit(1);
}

} // namespace

std::string fakecuda::runGrid(const GridShape &shape,
                              const std::function<void()> &thread) {
  Current &now = current();
  static const Order order = getOrder();
  const char *const look = std::getenv("FAKECUDA_RACES");
  Races races;
  now.races = look && std::string_view(look) != "0" ? &races : nullptr;
  now.ntid = shape.threads;
  now.nctaid = shape.blocks;
  std::string problem;
  for (const int b : order(shape.blocks)) {
    now.ctaid = b;
    now.shared.assign(shape.shared, char(0xFF));
    const bool met = runBlock(shape.threads, order, [&](int number) {
      now.tid = number;
      now.barriers = 0;
      thread();
    });
    problem = met ? races.getFirst()
                  : "some threads of block " + std::to_string(b) + " of " +
                        std::to_string(shape.blocks) +
                        " have ended while others wait at a barrier";
    if (!problem.empty())
      break;
  }
  now.races = nullptr;
  return problem;
}

extern "C" {

int fakecuda_tid() { return current().tid; }
int fakecuda_ntid() { return current().ntid; }
int fakecuda_ctaid() { return current().ctaid; }
int fakecuda_nctaid() { return current().nctaid; }
void *fakecuda_shared() { return current().shared.data(); }

void fakecuda_barrier() {
  Current &now = current();
  const int tid = now.tid, barriers = now.barriers;
  fakecuda::barrier();
  now.tid = tid;
  now.barriers = barriers + 1;
}

void fakecuda_access(const void *at, int bytes, int kind) {
  Current &now = current();
  if (!now.races)
    return;
  const auto address = uint64_t(at);
  const auto size = size_t(bytes);
  const auto shared = uint64_t(now.shared.data());
  const bool isShared =
      address >= shared && address + size <= shared + now.shared.size();
  const fakecuda::Races::Thread by = {now.ctaid, now.tid, now.barriers};
  if (isShared || fakecuda::isDeviceMemory(at, size))
    now.races->add(address, bytes, fakecuda::Access(kind), by, isShared);
  else if (!fakecuda::isPinned(at, size) && !fakecuda::isOnStack(at))
    now.races->addOutside(address, by);
}

} // extern "C"
