//===- Fibers.cpp - The threads of a block on one thread ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/Fibers.h"

#include <csetjmp>
#include <memory>
#include <ucontext.h>
#include <vector>

using namespace fakecuda;

namespace {

constexpr size_t stackBytes = size_t(256) << 10;

/// swapcontext asks the kernel for the signal mask, which takes longer than all
/// the rest of a switch: it is for the first entry only, as in QEMU's
/// coroutines.
struct Fiber {
  jmp_buf context;
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
  jmp_buf scheduler;
};

Block block;
std::vector<std::unique_ptr<Fiber>> spare;

/// Back to the scheduler, until it resumes the fiber.
void leave() {
  Fiber &self = *block.current;
  if (!_setjmp(self.context))
    _longjmp(block.scheduler, 1);
}

void work() {
  // A fiber takes one thread after the other, so that threads without barriers
  // cost no switch.
  for (;;) {
    while (block.next < block.turns.size()) {
      block.current->thread = block.turns[block.next++];
      (*block.body)(block.current->thread);
    }
    block.current->waiting = false;
    leave();
  }
}

void resume(Fiber &fiber) {
  block.current = &fiber;
  if (_setjmp(block.scheduler))
    return;
  if (fiber.started)
    _longjmp(fiber.context, 1);
  fiber.started = true;
  ucontext_t first = {};
  getcontext(&first);
  first.uc_stack.ss_sp = fiber.stack.get();
  first.uc_stack.ss_size = stackBytes;
  makecontext(&first, work, 0);
  setcontext(&first);
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
  block.current->waiting = true;
  leave();
}

bool fakecuda::isOnStack(const void *address) {
  const char *stack = block.current->stack.get();
  return std::greater_equal<>()(address, static_cast<const void *>(stack)) &&
         std::less<>()(address, static_cast<const void *>(stack + stackBytes));
}
