//===- CallRules.h - Arguments that builtins take ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which types the arguments of a builtin may have. IR generation asks about
// calls that it compiles, and `Checks/FreeChecker` about those in functions
// that are never called, whose arguments are free values.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_CALLRULES_H
#define PMC_FRONTEND_SEMA_CALLRULES_H

#include "frontend/Sema/Builtins.h"
#include "frontend/Sema/Value.h"

namespace pmc {

/// What is wrong with a call.
struct Mistake {
  std::optional<unsigned> argument; ///< absent: the call as a whole
  std::string text;
};

/// The first mistake in a call of a builtin. `args` has a value for each
/// parameter, or null. `isElement`: in a map, where a field may stand for its
/// element. Poison is not a mistake, and free values are one only if every
/// value of their types is.
std::optional<Mistake>
findMistake(BuiltinId id, llvm::ArrayRef<const Value *> args, bool isElement);

/// What is wrong with one number that a builtin is applied to; empty if nothing
/// is. `table`: that of interpolate and derivative.
std::string checkInt(const Value &x);
std::string checkLookup(llvm::StringRef what, const Value &x,
                        const Value &table);
/// Of the operands of div, mod, min and max, if one of them is a u64.
std::string checkSigns(llvm::StringRef what, const Value &a, const Value &b);

/// The positions in `dims` of those that `over = …` lists, in ascending order;
/// or why there are none.
std::string findOver(DimList dims, DimList over,
                     llvm::SmallVectorImpl<unsigned> &positions);
/// Why fft or ifft of the field along the dims at these positions does not
/// exist; empty if it may.
std::string checkTransformed(bool isForward, const Value &field,
                             llvm::ArrayRef<unsigned> positions);

/// refine(dim, factor) or coarsen(dim, factor); absent if there is no such dim,
/// and then `why` says so.
std::optional<Dim> viewOf(const Dim &dim, bool isFiner, int64_t factor,
                          std::string &why);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_CALLRULES_H
