//===- DomainBody.h - Derivatives of bodies of domain loops -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_PASSES_AUTODIFF_DOMAINBODY_H
#define PMC_PASSES_AUTODIFF_DOMAINBODY_H

#include "passes/Autodiff/Reverse.h"

#include "mlir/IR/IRMapping.h"

namespace pmc::passes {

/// A copy of the body of a domain op, to which derivatives are added. Ops over
/// the domain are then made of those of its values that they yield.
class DomainBody {
public:
  /// The copy has `more` inputs behind those of the op.
  DomainBody(mlir::OpBuilder &builder, pm::DomainOpInterface op,
             mlir::ValueRange more);
  ~DomainBody() { scratch.erase(); }
  DomainBody(const DomainBody &) = delete;
  DomainBody &operator=(const DomainBody &) = delete;

  mlir::Block &getBlock() { return scratch.getBody().front(); }
  mlir::ValueRange getInputs() {
    return getBlock().getArguments().take_front(own);
  }
  mlir::ValueRange getMore() {
    return getBlock().getArguments().drop_front(own);
  }
  /// What the op's body yields, in the copy.
  llvm::ArrayRef<mlir::Value> getYields() const { return yields; }
  /// Takes over what stands for these values now.
  void setYields(mlir::ValueRange values) {
    yields.assign(values.begin(), values.end());
  }
  /// At the end of the copy.
  mlir::OpBuilder getBuilder() {
    return mlir::OpBuilder::atBlockEnd(&getBlock());
  }

  mlir::ValueRange map(llvm::ArrayRef<mlir::Value> values);
  /// Sums over the whole domain, in f64.
  mlir::ValueRange sum(llvm::ArrayRef<mlir::Value> values);
  /// Sums over the dims that are not in `kept`.
  mlir::ValueRange sum(llvm::ArrayRef<mlir::Value> values,
                       llvm::ArrayRef<pm::DimAttr> kept);
  /// `values` begins with the number of the bin.
  mlir::ValueRange bins(llvm::ArrayRef<mlir::Value> values,
                        mlir::TypeRange results);
  /// Adds what all elements read of a table to the sums for its rows.
  void addToRows(const RowReading &reading, mlir::Value sums);

private:
  mlir::ValueRange finish(mlir::Operation *made, mlir::Region &region,
                          llvm::ArrayRef<mlir::Value> values);
  mlir::ValueRange reduce(llvm::ArrayRef<mlir::Value> values,
                          mlir::TypeRange scalars, mlir::TypeRange fields);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  pm::MapOp scratch;
  unsigned own;
  llvm::SmallVector<mlir::Value> yields;
};

} // namespace pmc::passes

#endif // PMC_PASSES_AUTODIFF_DOMAINBODY_H
