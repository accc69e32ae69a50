//===- Races.cpp - Finds races between threads of a kernel ----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/Races.h"

#include <algorithm>

using namespace fakecuda;

static bool isSame(const Races::Thread &a, const Races::Thread &b) {
  return a.block == b.block && a.thread == b.thread;
}

static std::string name(const Races::Thread &one) {
  return "thread " + std::to_string(one.thread) + " of block " +
         std::to_string(one.block);
}

void Races::check(uint64_t at, const Thread &before, const Thread &now,
                  bool isShared, const char *what) {
  if (before.block < 0 || isSame(before, now) || !first.empty())
    return;
  const bool sameBlock = before.block == now.block;
  if (sameBlock ? before.barriers < now.barriers : isShared)
    return;
  first = name(before) + " and " + name(now) + " " + what +
          (isShared ? " shared" : "") + " memory at " + std::to_string(at) +
          ", no barrier between them";
}

void Races::check(uint64_t at, const Last &before, const Thread &now,
                  bool isShared, const char *what) {
  for (const Thread *one : {&before.one, &before.other, &before.outside})
    check(at, *one, now, isShared, what);
}

void Races::Last::add(Thread by) {
  if (one.block != by.block)
    outside = one;
  if (!isSame(one, by))
    other = one;
  one = by;
}

Races::Word &Races::getWord(uint64_t at, int bytes) {
  if (bytes < 4 || at % 4)
    return parts[at];
  const uint64_t word = at / 4, number = word / pageWords;
  Recent &last = recent[number % recent.size()];
  if (last.number != number) {
    std::unique_ptr<Page> &page = pages[number];
    if (!page)
      page = std::make_unique<Page>();
    last = {number, page.get()};
  }
  return (*last.page)[word % pageWords];
}

void Races::add(uint64_t at, int bytes, Access access, Thread by,
                bool isShared) {
  // Words of four bytes; smaller ones by themselves.
  const int step = std::min(bytes, 4);
  for (int i = 0; i < bytes; i += step) {
    const uint64_t place = at + uint64_t(i);
    Word &word = getWord(place, step);
    check(place, word.writer, by, isShared,
          access == Access::Read ? "write and read" : "both write");
    if (access != Access::Atomic)
      check(place, word.changers, by, isShared, "change atomically and access");
    if (access != Access::Read)
      check(place, word.readers, by, isShared, "read and write");
    if (access == Access::Write)
      word.writer = by;
    else
      (access == Access::Read ? word.readers : word.changers).add(by);
  }
}

void Races::addOutside(uint64_t at, Thread by) {
  if (first.empty())
    first = name(by) + " accesses memory at " + std::to_string(at) +
            ", where there is none";
}
