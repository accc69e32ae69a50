//===- PMReadings.h - The reading of a map ----------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_FORMS_PMREADINGS_H
#define PMC_DIALECT_IR_FORMS_PMREADINGS_H

#include "dialect/IR/PM.h"

namespace pmc::pm {

/// Returns the only reading of meshes at positions of particles in a map, at
/// any depth; null if the map has none or several.
inline InterpolateOp getOnlyReading(MapOp map) {
  InterpolateOp only;
  bool isOne = true;
  map.getBody().walk([&](InterpolateOp reading) {
    isOne = isOne && !only;
    only = reading;
  });
  return isOne ? only : InterpolateOp();
}

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_FORMS_PMREADINGS_H
