//===- Group.h - Collectives of some ranks ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ranks along some mesh axes, and what they do together. Reductions combine
// in an order that depends on the number of ranks only, and every rank gets the
// same bits.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_GROUP_H
#define PMRT_COMM_GROUP_H

#include "runtime/Comm/Transport.h"

namespace pmrt {

class Group {
public:
  /// `members`: ranks of the transport, this one among them, in the same order
  /// everywhere.
  Group(Transport &transport, Threads &threads, std::vector<int> members);
  /// All ranks.
  Group(Transport &transport, Threads &threads);

  int size() const { return int(members.size()); }
  /// This rank's place among the members.
  int index() const { return self; }
  const std::vector<int> &ranks() const { return members; }

  /// Member `root`'s bytes reach everybody.
  void broadcast(void *data, int64_t bytes, int root = 0);
  std::string broadcast(const std::string &text, int root = 0);
  /// out[i]: what member i has given.
  std::vector<int64_t> gather(int64_t value);
  /// The same of texts, on member 0; elsewhere empty.
  std::vector<std::string> gather(const std::string &text);
  void reduce(pmrt_reduction kind, int64_t count, double *values);
  void reduce(pmrt_reduction kind, int64_t count, int64_t *values);
  void barrier();

private:
  template <typename T>
  void reduceTree(pmrt_reduction kind, int64_t count, T *values);
  void send(const void *data, int64_t bytes, int member);
  void receive(void *data, int64_t bytes, int member);

  Transport &transport;
  Threads &threads;
  std::vector<int> members;
  int self = 0;
};

} // namespace pmrt

#endif // PMRT_COMM_GROUP_H
