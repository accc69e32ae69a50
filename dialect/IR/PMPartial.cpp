//===- PMPartial.cpp - Where partial results may go -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PMOwnCells.h"
#include "dialect/IR/Verify.h"

using namespace mlir;
using namespace pmc::pm;

/// "row, col".
static std::string join(ArrayRef<StringAttr> axes) {
  return llvm::join(
      llvm::map_range(axes, [](StringAttr axis) { return axis.getValue(); }),
      ", ");
}

static SmallVector<StringAttr> toAxes(ArrayAttr axes) {
  return llvm::to_vector(axes.getAsRange<StringAttr>());
}

static bool areSame(ArrayRef<StringAttr> a, ArrayRef<StringAttr> b) {
  return a.size() == b.size() && llvm::all_of(a, [&](StringAttr axis) {
           return llvm::is_contained(b, axis);
         });
}

LogicalResult pmc::pm::verifyPartialUses(OpResult result,
                                         ArrayRef<StringAttr> axes,
                                         Reduction kind) {
  Operation *op = result.getOwner();
  if (axes.empty() || op->hasAttr(ownCellsName))
    return success();
  bool isField = isa<FieldType>(result.getType());
  for (OpOperand &use : result.getUses()) {
    Operation *user = use.getOwner();
    SmallVector<StringAttr> reduced;
    Reduction found = kind;
    if (auto numbers = dyn_cast<AllReduceOp>(user)) {
      reduced = toAxes(numbers.getAxes());
      found = numbers.getKind();
    } else if (auto fields = dyn_cast<ReduceFieldsOp>(user)) {
      reduced = toAxes(fields.getAxes());
      found = fields.getKind();
    } else {
      InFlightDiagnostic error =
          user->emitOpError("uses a value that is partial over mesh axes (")
          << join(axes) << "), expected "
          << (isField ? "pm.reduce_fields" : "pm.all_reduce") << " before";
      error.attachNote(op->getLoc())
          << "every rank reduces its own part here, by '" << op->getName()
          << "'";
      return error;
    }
    if (found != kind) {
      InFlightDiagnostic error = user->emitOpError("combines by ")
                                 << stringifyReduction(found)
                                 << " what was reduced by "
                                 << stringifyReduction(kind);
      error.attachNote(op->getLoc()) << "here, by '" << op->getName() << "'";
      return error;
    }
    if (!areSame(reduced, axes)) {
      InFlightDiagnostic error = user->emitOpError("reduces over mesh axes (")
                                 << join(reduced) << ") what is partial over ("
                                 << join(axes) << ")";
      error.attachNote(op->getLoc())
          << "made here, by '" << op->getName() << "'";
      return error;
    }
  }
  return success();
}
