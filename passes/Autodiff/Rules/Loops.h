//===- Loops.h - Adjoints of loops over fields ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_RULES_LOOPS_H
#define PMC_PASSES_AUTODIFF_RULES_LOOPS_H

#include "passes/Autodiff/Reverse.h"

namespace pmc::passes {

/// Notes at the function's loops over fields how they are to be reversed.
void setSchedule(mlir::func::FuncOp function, pm::ScheduleAttr schedule,
                 mlir::IntegerAttr snapshots);
/// Takes the notes back.
void clearSchedule(mlir::func::FuncOp function);

/// Erases what acts on the outside world: a step that is computed again prints
/// nothing.
void eraseEffects(mlir::Region &region);

/// The error at what keeps or takes back the states of a loop: what a gradient
/// has made has no adjoint.
mlir::LogicalResult refuseCheckpointStores(mlir::Operation *op);

/// The adjoint of a loop that carries or reads fields.
mlir::LogicalResult reverseLoop(mlir::OpBuilder &builder, mlir::scf::ForOp loop,
                                Reverse &cotangents);

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_RULES_LOOPS_H
