//===- Group.cpp - Collectives of some ranks ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Group.h"

#include "runtime/Base/Reduce.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

using namespace pmrt;

static std::vector<int> everybody(int size) {
  std::vector<int> all(static_cast<size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Group::Group(Transport &transport, Threads &threads, std::vector<int> ranks)
    : transport(transport), threads(threads), members(std::move(ranks)) {
  auto it = std::find(members.begin(), members.end(), transport.rank());
  if (it == members.end())
    throw std::runtime_error("internal error: a group without this rank");
  self = int(it - members.begin());
}

Group::Group(Transport &transport, Threads &threads)
    : Group(transport, threads, everybody(transport.size())) {}

void Group::send(const void *data, int64_t bytes, int member) {
  Messages one;
  one.sends.push_back({members[size_t(member)], Region::flat(data, bytes)});
  transport.start(threads, nullptr, std::move(one))->wait();
}

void Group::receive(void *data, int64_t bytes, int member) {
  Messages one;
  one.receives.push_back({members[size_t(member)], Region::flat(data, bytes)});
  transport.start(threads, nullptr, std::move(one))->wait();
}

void Group::broadcast(void *data, int64_t bytes, int root) {
  // A binomial tree over the places counted from the root.
  const int count = size(), place = (self - root + count) % count;
  auto member = [&](int at) { return (at + root) % count; };
  int step = 1;
  for (; step < count && place % (2 * step) == 0; step *= 2)
    ;
  if (place != 0)
    receive(data, bytes, member(place - step));
  Messages all;
  for (int below = step / 2; below > 0; below /= 2)
    if (place + below < count)
      all.sends.push_back(
          {members[size_t(member(place + below))], Region::flat(data, bytes)});
  if (!all.sends.empty())
    transport.start(threads, nullptr, std::move(all))->wait();
}

std::string Group::broadcast(const std::string &text, int root) {
  auto length = int64_t(text.size());
  broadcast(&length, sizeof length, root);
  std::string copy = text;
  copy.resize(size_t(length));
  if (length > 0)
    broadcast(copy.data(), length, root);
  return copy;
}

std::vector<int64_t> Group::gather(int64_t value) {
  std::vector<int64_t> all(size_t(size()), 0);
  all[size_t(self)] = value;
  reduce(PMRT_SUM, size(), all.data());
  return all;
}

std::vector<std::string> Group::gather(const std::string &text) {
  const std::vector<int64_t> lengths = gather(int64_t(text.size()));
  if (self != 0) {
    if (!text.empty())
      send(text.data(), int64_t(text.size()), 0);
    return {};
  }
  std::vector<std::string> all(size_t(size()), text);
  for (int member = 1; member < size(); ++member) {
    std::string &theirs = all[size_t(member)];
    theirs.resize(size_t(lengths[size_t(member)]));
    if (!theirs.empty())
      receive(theirs.data(), int64_t(theirs.size()), member);
  }
  return all;
}

static double combineValues(pmrt_reduction kind, double a, double b) {
  return combine(kind, a, b);
}

static int64_t combineValues(pmrt_reduction kind, int64_t a, int64_t b) {
  return kind == PMRT_SUM   ? a + b
         : kind == PMRT_MIN ? std::min(a, b)
                            : std::max(a, b);
}

template <typename T>
void Group::reduceTree(pmrt_reduction kind, int64_t count, T *values) {
  const auto bytes = count * int64_t(sizeof(T));
  std::vector<T> other(static_cast<size_t>(count));
  for (int step = 1; step < size(); step *= 2) {
    if (self % (2 * step)) {
      send(values, bytes, self - step);
      break;
    }
    if (self + step >= size())
      continue;
    receive(other.data(), bytes, self + step);
    for (int64_t i = 0; i < count; ++i)
      values[i] = combineValues(kind, values[i], other[size_t(i)]);
  }
  broadcast(values, bytes);
}

void Group::reduce(pmrt_reduction kind, int64_t count, double *values) {
  if (size() > 1)
    reduceTree(kind, count, values);
}

void Group::reduce(pmrt_reduction kind, int64_t count, int64_t *values) {
  if (size() > 1)
    reduceTree(kind, count, values);
}

void Group::barrier() {
  int64_t nothing = 0;
  reduce(PMRT_SUM, 1, &nothing);
}
