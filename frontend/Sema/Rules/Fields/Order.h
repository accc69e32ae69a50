//===- Order.h - What can be sorted -----------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_RULES_FIELDS_ORDER_H
#define PMC_FRONTEND_SEMA_RULES_FIELDS_ORDER_H

#include "frontend/Sema/Rules/Context.h"

#include <optional>

namespace pmc {

/// The position of the dim of `field` along which the builtin `name` works:
/// the one of `over`, or the only one if it is null.
std::optional<unsigned> placeSorted(const RuleContext &context,
                                    llvm::StringRef name, const Argument &field,
                                    const Argument *over, llvm::SMLoc loc);
/// `within`: keys over the dims of the field.
bool requireWithin(const RuleContext &context, DimList dims,
                   const Argument &within);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_RULES_FIELDS_ORDER_H
