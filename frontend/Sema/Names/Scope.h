//===- Scope.h - Local names ------------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_NAMES_SCOPE_H
#define PMC_FRONTEND_SEMA_NAMES_SCOPE_H

#include "frontend/Sema/Value.h"

#include "llvm/ADT/StringMap.h"

namespace pmc {

/// Local names of a block, function or loop.
struct Scope {
  explicit Scope(const Scope *parent = nullptr) : parent(parent) {}
  const Value *find(llvm::StringRef name) const {
    const uint32_t hash = llvm::StringMapImpl::hash(name);
    for (const Scope *scope = this; scope; scope = scope->parent) {
      auto it = scope->names.find(name, hash);
      if (it != scope->names.end())
        return &it->second;
    }
    return nullptr;
  }
  llvm::StringMap<Value> names;
  const Scope *parent;
};

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_NAMES_SCOPE_H
