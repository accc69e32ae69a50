//===- CostReport.h - What a program will cost ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_COST_COSTREPORT_H
#define PMC_PASSES_COST_COSTREPORT_H

#include "passes/Cost/Counts.h"

#include "llvm/Support/Error.h"

#include <vector>

namespace pmc::cost {

/// What is asked for.
struct CostQuestion {
  /// Ranks along mesh axes; those of the spec where it says nothing.
  Ranks mesh;
  Parameters parameters;
  /// Cells that particles are thought to go beyond the part of their rank.
  int64_t displacementBound = 2;
};

/// Messages of one kind of an op, each time.
struct SentRow {
  Pattern pattern = Pattern::AllToAll;
  std::vector<std::string> axes;
  int64_t most = 0;  ///< bytes that the rank sends that sends the most
  int64_t first = 0; ///< that the first rank sends
  int64_t whole = 0; ///< of an all-to-all, what it has; of a sum, the numbers
  bool assumed = false; ///< by how far particles are thought to go
  /// On a machine: messages, bytes of `most` that go to other nodes, and what
  /// takes most of the time.
  double seconds = 0, messages = 0, between = 0;
  std::string bound;
};

/// Rows that are transformed on the rank.
struct TransformRow {
  int64_t batch = 0, length = 1;
  bool isReal = false, isSingle = true;
};

/// An op that costs something, each time, on the rank that has the most.
struct CostRow {
  std::string op, where;
  Part part = Part::Nothing;
  double times = 0;
  int64_t read = 0, written = 0, operations = 0;
  /// Of the operations; of meshes, that windows touch.
  int64_t functions = 0, lookups = 0, cells = 0, positions = 0;
  bool isSingle = true;
  std::vector<TransformRow> transforms;
  std::vector<SentRow> sent;
  /// The loop that it is in, of those that tell of their steps; -1: none.
  int loop = -1;
  /// On a machine, without messages: each time, and what bounds it.
  double seconds = 0;
  std::string bound;

  double allSeconds() const {
    double sum = seconds;
    for (const SentRow &row : sent)
      sum += row.seconds;
    return sum;
  }
  int64_t sentBytes() const {
    int64_t bytes = 0;
    for (const SentRow &row : sent)
      bytes += row.most;
    return bytes;
  }
};

/// Memory of a field at the peak.
struct FieldRow {
  std::string type, where;
  int64_t bytes = 0;
};

/// States that a loop keeps for its adjoint.
struct StatesRow {
  std::optional<int64_t> count; ///< nothing if it is not known before
  int64_t bytes = 0;            ///< of one
};

/// A loop that reports its steps.
struct LoopRow {
  std::string where;
  double iterations = 0;
  double steps = 0; ///< one less where the first iteration prepares the others
};

struct CostReport {
  std::vector<std::pair<std::string, int64_t>> mesh;
  int64_t ranks = 1;
  int64_t displacementBound = 0;
  std::vector<CostRow> ops; ///< in the program's order
  std::vector<LoopRow> loops;
  /// Whether times are known, and the machine's name and memory a rank.
  bool hasTimes = false;
  std::string machine;
  double machineMemory = 0;
  /// Bytes of fields that are live at one time, at most, and which.
  int64_t peak = 0;
  std::vector<FieldRow> fields; ///< the largest first
  int64_t stores = 0;
  std::vector<StatesRow> states;  ///< that `stores` counts
  std::vector<std::string> notes; ///< what is not known before it runs

  /// Of the whole program, on a machine.
  double allSeconds() const {
    double sum = 0;
    for (const CostRow &row : ops)
      sum += row.times * row.allSeconds();
    return sum;
  }
};

} // namespace pmc::cost

#endif // PMC_PASSES_COST_COSTREPORT_H
