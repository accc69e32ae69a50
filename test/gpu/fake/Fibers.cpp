//===- Fibers.cpp - The threads of a block on one thread ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/Fibers.h"

#include <memory>
#include <ucontext.h>
#include <vector>

using namespace fakecuda;

namespace {

constexpr size_t stackBytes = size_t(256) << 10;

struct Fiber {
  ucontext_t context = {};
  std::unique_ptr<char[]> stack{new char[stackBytes]};
  bool started = false;
  bool waiting = false; ///< at a barrier; else it takes the next thread
  int thread = 0;       ///< that it runs
};

/// The block that runs; launches are one at a time.
struct Block {
  const std::function<void(int)> *body = nullptr;
  std::vector<int> turns; ///< the threads, in the order in which they begin
  size_t next = 0;        ///< of them
  Fiber *current = nullptr;
  ucontext_t scheduler = {};
};

Block block;
std::vector<std::unique_ptr<Fiber>> spare;

void work() {
  // A fiber takes one thread after the other, so that threads without barriers
  // cost no switch.
  for (;;) {
    while (block.next < block.turns.size()) {
      block.current->thread = block.turns[block.next++];
      (*block.body)(block.current->thread);
    }
    block.current->waiting = false;
    swapcontext(&block.current->context, &block.scheduler);
  }
}

void resume(Fiber &fiber) {
  block.current = &fiber;
  if (!fiber.started) {
    fiber.started = true;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, work, 0);
  }
  swapcontext(&block.scheduler, &fiber.context);
}

} // namespace

bool fakecuda::runBlock(int threads, const Order &order,
                        const std::function<void(int)> &body) {
  block.body = &body;
  block.turns = order(threads);
  block.next = 0;
  using Fibers = std::vector<std::unique_ptr<Fiber>>;
  Fibers waiting(static_cast<size_t>(threads)); // by thread
  size_t count = 0;
  auto run = [&](std::unique_ptr<Fiber> fiber, Fibers &there) {
    resume(*fiber);
    if (!fiber->waiting)
      return spare.push_back(std::move(fiber));
    ++count;
    const auto thread = size_t(fiber->thread);
    there[thread] = std::move(fiber);
  };
  auto take = [&] {
    if (spare.empty())
      return std::make_unique<Fiber>();
    auto fiber = std::move(spare.back());
    spare.pop_back();
    return fiber;
  };
  while (block.next < block.turns.size())
    run(take(), waiting);
  while (count > 0) {
    if (count != size_t(threads))
      return false; // their stacks are not used again
    count = 0;
    Fibers again(waiting.size());
    for (const int thread : order(threads))
      run(std::move(waiting[size_t(thread)]), again);
    waiting = std::move(again);
  }
  return true;
}

void fakecuda::barrier() {
  Fiber &self = *block.current;
  self.waiting = true;
  swapcontext(&self.context, &block.scheduler);
}

bool fakecuda::isOnStack(const void *address) {
  const char *stack = block.current->stack.get();
  return std::greater_equal<>()(address, static_cast<const void *>(stack)) &&
         std::less<>()(address, static_cast<const void *>(stack + stackBytes));
}
