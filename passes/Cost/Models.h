//===- Models.h - What the dialect's ops cost -------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_COST_MODELS_H
#define PMC_PASSES_COST_MODELS_H

#include "passes/Cost/Cost.h"

namespace pmc::cost {

/// Attach CostOpInterface, one function a family.
void registerDomainCosts(mlir::DialectRegistry &registry);
void registerFieldCosts(mlir::DialectRegistry &registry);
void registerFourierCosts(mlir::DialectRegistry &registry);
void registerMessageCosts(mlir::DialectRegistry &registry);
void registerNumberCosts(mlir::DialectRegistry &registry);

/// What bringing a field from one layout to another sends.
Message getReshard(pm::GridType from, pm::GridType to);

/// The type without axes of one rank, which split nothing.
pm::GridType withoutSingleAxes(pm::GridType type, const Ranks &ranks);

/// Adds what the body computes for all elements of the domain.
void addBody(OpCost &cost, pm::DomainOpInterface op, const Ranks &ranks);

/// Whether numbers of a field are f32, or complex of them.
bool isSingle(mlir::Type element);

} // namespace pmc::cost

#endif // PMC_PASSES_COST_MODELS_H
