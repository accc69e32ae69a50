//===- Comparison.h - How far two states are apart --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_INSPECT_COMPARISON_H
#define PMRT_INSPECT_COMPARISON_H

#include "runtime/Inspect/Folder.h"

namespace pmrt::inspect {

/// One field of two states.
struct FieldDifference {
  std::string field; ///< as describeField says
  int64_t elements = 0;
  int64_t differ = 0; ///< elements that have other bits
  double most = 0;  ///< the largest modulus of a difference; NaN counts as one
  double scale = 0; ///< the largest modulus of a value
};

/// The states of one name in two folders.
struct Comparison {
  std::string name;
  /// Lines of the heads that are not the same.
  struct Line {
    std::string key, a, b;
  };
  std::vector<Line> lines;
  /// Why the states cannot be compared; the rest is empty then.
  std::string problem;
  int64_t iteration = 0; ///< the newest one that both have
  std::vector<FieldDifference> fields;
  int64_t numbers = 0, numbersDiffer = 0;

  bool isSame() const;
};

/// Whatever the meshes that wrote them.
Comparison compare(const Checkpoint &a, const Checkpoint &b);

} // namespace pmrt::inspect

#endif // PMRT_INSPECT_COMPARISON_H
