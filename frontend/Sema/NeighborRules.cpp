//===- NeighborRules.cpp - Indexes of fields ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/NeighborRules.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace pmc;

int pmc::findDimOf(DimList dims, const Dim &dim) {
  for (auto [index, candidate] : llvm::enumerate(dims))
    if (candidate.getSpaceDim() == dim.getSpaceDim())
      return int(index);
  for (auto [index, candidate] : llvm::enumerate(dims))
    if (candidate.name == dim.name)
      return int(index);
  return -1;
}

std::string pmc::checkPlainIndex(llvm::ArrayRef<int64_t> factors) {
  if (factors.size() > 1)
    return "an index has one dim, this one has two; name the dim that they "
           "count along: f[x = 8 * X + u]";
  if (!factors.empty() && factors[0] != 1)
    return "name the dim that is read at this index: f[x = 2 * X]";
  return "";
}

std::string pmc::explainEdgesApart() {
  return "an offset that only the program knows and one that the compiler "
         "knows "
         "have no common edge; write two brackets: f[x + p, edge = \"zero\"]"
         "[y + 1, edge = \"zero\"]";
}

std::string pmc::explainNoNeighbors(const Value &base, bool hasDim,
                                    bool isElement) {
  if (!hasDim)
    return "one index selects a component";
  return "only fields have neighbors, not " + base.describeType() +
         (isElement
              ? "; what a map computes has none: make a field of it before"
              : "");
}

std::string pmc::checkOffsets(DimList dims, llvm::ArrayRef<Offset> offsets,
                              size_t &at) {
  std::vector<bool> isGiven(dims.size(), false);
  for (at = 0; at < offsets.size(); ++at) {
    const Offset &offset = offsets[at];
    const int d = findDimOf(dims, offset.dim);
    if (d < 0)
      return "the field has no dim '" + offset.dim.getLabel() +
             "'; its dims are " + describeDims(dims);
    const std::string quoted = "'" + dims[d].getLabel() + "'";
    if (isGiven[d])
      return quoted + " is given twice";
    if (offset.isReflected && std::abs(offset.cells) >= dims[d].extent)
      return "\"reflect\" reaches less far than the " +
             std::to_string(dims[d].extent) + " cells of " + quoted;
    isGiven[d] = true;
  }
  return "";
}
