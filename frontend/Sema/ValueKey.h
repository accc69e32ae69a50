//===- ValueKey.h - Keys of values ------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_VALUEKEY_H
#define PMC_FRONTEND_SEMA_VALUEKEY_H

#include "frontend/Sema/Value.h"

namespace pmc {

/// Appends a text that is equal for values of the same types, units and
/// constants, whatever numbers the program computes for them.
void appendKey(std::string &key, const Value &value);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_VALUEKEY_H
