//===- Schedule.h - How a target runs loops over domains ------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_COMMON_SCHEDULE_H
#define PMC_CODEGEN_COMMON_SCHEDULE_H

#include "codegen/Common/Body.h"

namespace pmc::codegen {

/// A kernel whose threads go through a domain. It has captured what the op's
/// body needs. First the body of the kernel is emitted, then its launch.
class DomainLoop {
public:
  virtual ~DomainLoop() = default;
  virtual Kernel &getKernel() = 0;
  Extents &getExtents() { return extents; }
  /// How bodies read meshes.
  virtual Body::Reading getReading() const = 0;

protected:
  DomainLoop(pm::DomainOpInterface op, LoweringContext &context,
             mlir::OpBuilder &host)
      : op(op), context(context), host(host), loc(op.getLoc()),
        extents(context, host, loc) {}

  pm::DomainOpInterface op;
  LoweringContext &context;
  mlir::OpBuilder &host;
  mlir::Location loc;
  Extents extents;
};

/// Every element is by itself.
class ElementLoop : public DomainLoop {
public:
  using DomainLoop::DomainLoop;
  using Element = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value i)>;
  /// Emits `element` for element i of the body's row.
  virtual void forElements(Body &body, Element element) = 0;
  virtual void launch() = 0;
};

/// Values of the elements are reduced to numbers on the host.
class NumberReduction : public DomainLoop {
public:
  using DomainLoop::DomainLoop;
  using Values = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &, mlir::Value i)>;
  /// Emits kernel and launch. `values` gives those of element i of the body's
  /// row, of these types. Returns a view of the results, f64, on the host.
  virtual mlir::Value emit(Body &body, mlir::TypeRange types,
                           Values values) = 0;
};

/// Elements add to cells of fields that are computed where they are.
class CellReduction : public DomainLoop {
public:
  using DomainLoop::DomainLoop;
  using Use = llvm::function_ref<void(Emit &, llvm::ArrayRef<mlir::Value>)>;
  /// Emits `use` for the wanted values of each element.
  virtual void forValues(Body &body, llvm::ArrayRef<mlir::Value> wanted,
                         Use use) = 0;
  /// In there: combines the values, one a field, with those of a cell.
  virtual void add(Emit &emit, mlir::Value cell,
                   llvm::ArrayRef<mlir::Value> values) = 0;
  /// Launches the kernel, and stores the fields.
  virtual void launch() = 0;
};

/// What a target decides: which threads take which elements, where they keep
/// what they accumulate, and how the host starts them.
class KernelSchedule {
public:
  virtual ~KernelSchedule() = default;

  /// Makes ready what the op's body calls.
  virtual void prepare(pm::DomainOpInterface op,
                       LoweringContext &context) const = 0;
  virtual std::unique_ptr<ElementLoop> loop(pm::DomainOpInterface op,
                                            LoweringContext &context,
                                            mlir::OpBuilder &host,
                                            llvm::StringRef title) const = 0;
  virtual std::unique_ptr<NumberReduction>
  reduceToNumbers(pm::DomainOpInterface op, LoweringContext &context,
                  mlir::OpBuilder &host, llvm::StringRef title,
                  pm::Reduction kind, int64_t width) const = 0;
  /// Whether threads may have accumulators for so many fields.
  virtual bool fitsThreads(llvm::ArrayRef<pm::DimAttr> dims,
                           size_t fields) const = 0;
  virtual std::unique_ptr<CellReduction>
  reduceToCells(pm::DomainOpInterface op, LoweringContext &context,
                mlir::OpBuilder &host, llvm::StringRef title,
                pm::Reduction kind, llvm::ArrayRef<mlir::Value> outs) const = 0;

  /// Ops of which targets have algorithms of their own.
  virtual mlir::LogicalResult
  reduceToFields(pm::ReduceOp op, LoweringContext &context) const = 0;
  virtual mlir::LogicalResult paint(pm::ScatterOp op,
                                    LoweringContext &context) const = 0;
};

/// Attaches KernelOpInterface to the ops that are loops over domains.
void registerKernelModels(mlir::DialectRegistry &registry);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_COMMON_SCHEDULE_H
