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
};

/// The block that runs; launches are one at a time.
struct Block {
  const std::function<void(int)> *body = nullptr;
  int next = 0, threads = 0;
  bool falling = false;
  int running = -1; ///< the thread that runs
  Fiber *current = nullptr;
  ucontext_t scheduler = {};
};

Block block;
std::vector<std::unique_ptr<Fiber>> spare;

void work() {
  // A fiber takes one thread after the other, so that threads without barriers
  // cost no switch.
  for (;;) {
    while (block.next < block.threads) {
      const int turn = block.next++;
      (*block.body)(block.falling ? block.threads - 1 - turn : turn);
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

bool fakecuda::runBlock(int threads, bool falling,
                        const std::function<void(int)> &body) {
  block.body = &body;
  block.next = 0;
  block.threads = threads;
  block.falling = falling;
  std::vector<std::unique_ptr<Fiber>> waiting;
  auto take = [&] {
    if (spare.empty())
      return std::make_unique<Fiber>();
    auto fiber = std::move(spare.back());
    spare.pop_back();
    return fiber;
  };
  while (block.next < threads) {
    auto fiber = take();
    resume(*fiber);
    (fiber->waiting ? waiting : spare).push_back(std::move(fiber));
  }
  while (!waiting.empty()) {
    if (waiting.size() != size_t(threads))
      return false; // their stacks are not used again
    std::vector<std::unique_ptr<Fiber>> again;
    for (auto &fiber : waiting) {
      resume(*fiber);
      (fiber->waiting ? again : spare).push_back(std::move(fiber));
    }
    waiting = std::move(again);
  }
  return true;
}

void fakecuda::barrier() {
  Fiber &self = *block.current;
  self.waiting = true;
  swapcontext(&self.context, &block.scheduler);
}
