//===- TimeModel.h - Bytes, operations and messages to seconds  -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas are in README.md. All bytes and operations are those of one
// rank, all ranks do the same at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_MACHINE_TIMEMODEL_H
#define PMC_CODEGEN_MACHINE_TIMEMODEL_H

#include "codegen/Machine/Machine.h"

#include "llvm/ADT/ArrayRef.h"

namespace pmc::machine {

/// Ranks that talk to each other: `ranks` of them, whose numbers are `stride`
/// apart. Ranks of a mesh are numbered with the last axis fastest, so an axis
/// has the product of the extents behind it as stride.
struct AxisRanks {
  int64_t ranks = 1, stride = 1;
};

/// Time between ranks, and the share of it that goes out of nodes.
struct MessageCost {
  double seconds = 0;
  double insideBytes = 0, betweenBytes = 0; ///< that a rank sends
  double messages = 0;                      ///< that a rank sends
};

class TimeModel {
public:
  /// `machine` must outlive this. `transport`: empty for what "pmc" takes; an
  /// error names those that there are. `ranks`: of the whole mesh.
  static llvm::Expected<TimeModel> make(const Machine &machine, int64_t ranks,
                                        llvm::StringRef transport = "");

  const Machine &getMachine() const { return *machine; }
  const Transport &getTransport() const { return *transport; }
  int64_t getRanks() const { return ranks; }
  int64_t getNodes() const;
  /// Ranks on a node that is full.
  int64_t getRanksOnNode() const;
  /// Bytes of device memory that a rank may take.
  double getMemory() const;

  /// The ranks along axis `index` of a mesh with these extents.
  static AxisRanks getAxis(llvm::ArrayRef<int64_t> mesh, size_t index);
  /// Of these ranks, how many are on one node, and on how many nodes they are.
  int64_t getInside(AxisRanks axis) const;
  int64_t getNodesOf(AxisRanks axis) const;

  /// Reading and writing so many bytes of the device's memory in all.
  double memoryTime(double bytes) const;
  double arithmeticTime(double operations, Precision precision) const;
  /// So many cells, or functions, at a rate of `Kernels`, by a kernel that
  /// reads and writes so many bytes.
  double kernelTime(double count, const Curve &rate, double bytes) const;
  /// Until a kernel runs.
  double launchTime() const;
  /// `batch` transforms of `length` numbers along one dim, which is whole on
  /// the rank. `real`: from real numbers, or to them.
  double fftTime(double batch, int64_t length, Precision precision,
                 bool real) const;

  /// Each of these ranks holds `bytes`, a part of which it sends to every
  /// other: to all at once, or to one after the other.
  MessageCost allToAll(AxisRanks axis, double bytes, bool inTurn = false) const;
  /// Each sends `bytes` to each of its two neighbors (one, of two ranks).
  MessageCost halo(AxisRanks axis, double bytes) const;
  /// A sum of `bytes` of numbers over these ranks, which all get.
  MessageCost allReduce(AxisRanks axis, double bytes) const;
  /// One message of `bytes` to each of so many ranks at this distance: what has
  /// none of the patterns above.
  MessageCost send(AxisRanks axis, double messages, double bytes) const;

private:
  TimeModel(const Machine &machine, const Transport &transport, int64_t ranks)
      : machine(&machine), transport(&transport), ranks(ranks) {}

  double getShare() const;
  MessageCost exchange(double inside, double between, double bytes,
                       double senders, bool inTurn = false) const;

  const Machine *machine;
  const Transport *transport;
  int64_t ranks;
};

} // namespace pmc::machine

#endif // PMC_CODEGEN_MACHINE_TIMEMODEL_H
