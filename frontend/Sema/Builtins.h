//===- Builtins.h - The functions that the compiler knows -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_BUILTINS_H
#define PMC_FRONTEND_SEMA_BUILTINS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pmc {

enum class BuiltinId : uint16_t {
#define BUILTIN(ID, NAME, PARAMS, DIMS, HANDLER) ID,
#include "frontend/Sema/Builtins.def"
};

struct BuiltinInfo {
  enum class Dims { None, Optional, Required };
  BuiltinId id;
  llvm::StringRef name;
  std::vector<llvm::StringRef> params;
  unsigned required; // the first ones
  Dims dims;
};

const BuiltinInfo &getBuiltinInfo(BuiltinId id);
std::optional<BuiltinId> findBuiltin(llvm::StringRef name);
llvm::ArrayRef<BuiltinInfo> getBuiltins();
/// Whether the argument `wrt` holds names of a function's parameters.
bool takesParameterNames(BuiltinId id);
/// Names of other languages and of later versions of this one: what to say of
/// them instead of "undefined"; empty for all others.
llvm::StringRef explainForeignName(llvm::StringRef name);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_BUILTINS_H
