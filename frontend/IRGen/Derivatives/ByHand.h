//===- ByHand.h - @adjoint(g), @tangent(g, h) -------------------*- C++ -*-===//
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

/// Makes the functions that an instance of a function with derivatives by hand
/// names in its attributes.
///
/// They may call the function itself and the functions around it. Therefore
/// they are made when no instance is being built.
class ByHand {
public:
  explicit ByHand(Generator &generator) : g(generator) {}

  /// Postpones the functions of an instance with this key.
  void add(const Value &callee, const Binding &binding, Instance &instance,
           llvm::StringRef key);
  /// Before an instance is built: how many are postponed.
  size_t enter() {
    ++depth;
    return postponed.size();
  }
  /// After the instance was built, makes what was postponed if no other
  /// instance is being built; false after an error. If the instance has errors
  /// (`isBuilt`), forgets what was postponed within it.
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
