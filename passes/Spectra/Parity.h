//===- Parity.h - What values become at the mirrored mode -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mirrored mode of k is −k, but along a full dual dim of even N its mode
// −N/2 is its own mirror image. So there are several signs that may flip or
// not: one a dual dim of even N, and one for the rest, which always does: half
// dims, dual dims of odd N, and the imaginary parts of complex fields over a
// half dim.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_SPECTRA_PARITY_H
#define PMC_PASSES_SPECTRA_PARITY_H

#include "dialect/IR/PM.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace pmc::passes {

/// How a real number changes when signs flip: bit 0 for the sign that always
/// flips, the others for the dual dims of even N.
struct Parity {
  bool any = true;      ///< every one: nothing is known of it yet, or it is 0
  uint64_t odd = 0;     ///< the signs with which it changes its own
  uint64_t unknown = 0; ///< the signs with which it becomes something else

  static Parity even() { return {false, 0, 0}; }
  static Parity none() { return {false, 0, ~uint64_t(0)}; }
  static Parity oddIn(uint64_t signs) { return {false, signs, 0}; }
  bool isEven() const { return odd == 0 && unknown == 0; }
  /// Even or odd in every sign: the mirrored value is known from the value.
  bool isKnown() const { return unknown == 0; }
  /// Both are known, and the same.
  bool agrees(const Parity &other) const {
    return isKnown() && other.isKnown() &&
           (any || other.any || odd == other.odd);
  }
  bool operator==(const Parity &other) const {
    return any == other.any && odd == other.odd && unknown == other.unknown;
  }
};

/// Of a complex number; of a real one `re` alone.
struct Symmetry {
  Parity re, im;

  static Symmetry both(Parity parity) { return {parity, parity}; }
  bool isEven() const { return re.isEven() && im.isEven(); }
  bool isKnown() const { return re.isKnown() && im.isKnown(); }
  bool operator==(const Symmetry &other) const {
    return re == other.re && im == other.im;
  }
};

/// The symmetries of all values of a module: fields, through functions, loops
/// and branches, and elements in the bodies of loops over dims.
class Parities {
public:
  explicit Parities(mlir::ModuleOp module);

  Symmetry get(mlir::Value value) const { return known.lookup(value); }
  /// The values of a copied body are what they were made of.
  void copyBody(pm::DomainOpInterface op, const mlir::IRMapping &copies);
  /// The dual dims of a domain whose sign is among these.
  llvm::SmallVector<pm::DimAttr> getDims(uint64_t signs,
                                         llvm::ArrayRef<pm::DimAttr> dims);

  /// The sign that a dim's coordinate has; 0: none, it stays as it is.
  uint64_t getSign(pm::DimAttr dim);

private:
  /// Whether the function and those that it calls have only space dims. Then
  /// all of its numbers are even.
  bool isPlain(mlir::func::FuncOp function);
  void visitAll(mlir::func::FuncOp function);
  void visitInside(mlir::Region &region);
  void visit(mlir::Operation *op);
  mlir::func::FuncOp lookUp(mlir::FlatSymbolRefAttr name);
  void visitFunction(mlir::func::FuncOp function);
  void visitDomain(pm::DomainOpInterface op);
  void visitReduce(pm::ReduceOp op);
  void visitCall(mlir::Operation *op, mlir::FlatSymbolRefAttr callee,
                 mlir::ValueRange args);
  void visitDerivative(pm::JVPOp op);
  void visitDerivative(pm::VJPOp op);
  void visitLoop(mlir::Operation *op);
  bool visitArithmetic(mlir::Operation *op);
  void visitOther(mlir::Operation *op);

  /// The value may be this too.
  void join(mlir::Value value, Symmetry symmetry);
  void joinAll(mlir::ValueRange values, mlir::ValueRange from);
  Parity real(mlir::Value value) const { return get(value).re; }

  mlir::SymbolTable functions;
  llvm::DenseMap<mlir::Value, Symmetry> known;
  llvm::StringMap<uint64_t> signs;        // of dual dims, by label
  bool changed = false, hasLoops = false; ///< in the function that is visited
  /// Functions that have not been visited, or for which the parities of
  /// arguments or of called functions have changed.
  llvm::SetVector<mlir::func::FuncOp> pending;
  llvm::DenseMap<mlir::func::FuncOp, llvm::SetVector<mlir::func::FuncOp>>
      callers;
  llvm::DenseMap<mlir::Operation *, bool> plain; ///< isPlain, by function
  mlir::func::FuncOp current; ///< the function that is visited
};

} // namespace pmc::passes

#endif // PMC_PASSES_SPECTRA_PARITY_H
