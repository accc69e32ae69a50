//===- ByHand.h - @adjoint(g), @tangent(h, f2) ------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_IRGEN_DERIVATIVES_BYHAND_H
#define PMC_FRONTEND_IRGEN_DERIVATIVES_BYHAND_H

#include "frontend/IRGen/Calls.h"
#include "frontend/Sema/Value.h"

#include <deque>

namespace pmc {

class Generator;

/// Generates the functions that a function with derivatives by hand names in
/// `@adjoint` and `@tangent`. The attributes of the instance refer to them.
///
/// These functions may call the function itself, and the functions that contain
/// it. Therefore they are generated when no instance is being built.
class ByHand {
public:
  explicit ByHand(Generator &generator) : g(generator) {}

  /// Postpones the generation of the functions of the instance with this key.
  void add(const Value &callee, const Binding &binding, Instance &instance,
           llvm::StringRef key);
  /// Must be called before an instance is built. Returns the number of
  /// postponed entries, for `leave`.
  size_t enter() {
    ++depth;
    return postponed.size();
  }
  /// Must be called after the instance was built. If the instance has errors
  /// (`isBuilt` is false), discards the entries that were postponed within it.
  /// If no other instance is being built, generates the postponed functions.
  /// Returns false after an error.
  bool leave(size_t before, bool isBuilt);

private:
  enum class Kind { Adjoint, Tangent, Again };
  struct Postponed {
    Value callee;
    Binding binding;
    Instance *instance;
    std::string key;
    mlir::Type realType;
  };

  bool attach(const Postponed &of, Kind kind);
  bool appendAdjoint(const Postponed &of, llvm::ArrayRef<Value> params,
                     const Value &value,
                     llvm::SmallVectorImpl<mlir::Value> &results);
  bool appendTangent(const Postponed &of, const Value &value,
                     llvm::SmallVectorImpl<mlir::Value> &results);
  bool appendAgain(const Postponed &of, const Value &value,
                   llvm::SmallVectorImpl<mlir::Value> &results);
  Value tangentsOf(llvm::ArrayRef<Value> params, mlir::ValueRange leaves,
                   unsigned &next);

  Generator &g;
  std::deque<Postponed> postponed;
  unsigned depth = 0;
};

} // namespace pmc

#endif // PMC_FRONTEND_IRGEN_DERIVATIVES_BYHAND_H
