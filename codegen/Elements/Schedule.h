//===- Schedule.h - How a target runs loops over domains ------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_ELEMENTS_SCHEDULE_H
#define PMC_CODEGEN_ELEMENTS_SCHEDULE_H

#include "codegen/Elements/Body.h"
#include "dialect/IR/PMSpectralOps.h"

namespace pmc::codegen {

class Paint;

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
  /// The kernels that compute elements. Each needs a body of its own.
  virtual llvm::SmallVector<Kernel *> getKernels() { return {&getKernel()}; }
  /// Emits `element` for element i of the body's row, in the body's kernel.
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

/// A part of a row that one thread takes: the elements from, from + step, ...
/// below to. Null step: all of them.
struct RowPart {
  llvm::SmallVector<mlir::Value> outer; ///< coordinates along all other dims
  mlir::Value from, to, step;
};

/// What a thread computes of one result, or of several next to each other, by
/// going through rows. What it knows so far is carried through its loops.
class Accumulation {
public:
  using Values = NumberReduction::Values;

  virtual ~Accumulation() = default;
  /// Before anything is added.
  virtual llvm::SmallVector<mlir::Value> begin(Emit &emit) = 0;
  /// With elements of the row that the body has entered: those of the part, to
  /// one result; or, to each of several, its own.
  virtual llvm::SmallVector<mlir::Value> add(mlir::OpBuilder &builder,
                                             const RowPart &part,
                                             mlir::ValueRange carried) = 0;
  /// Calls `store` for every result, f64; null place: the first one.
  using Store = llvm::function_ref<void(Emit &, mlir::Value place,
                                        llvm::ArrayRef<mlir::Value>)>;
  virtual void store(Emit &emit, mlir::ValueRange carried, Store store) = 0;
};

/// Elements add to cells of fields that are computed where they are.
class CellReduction : public DomainLoop {
public:
  using DomainLoop::DomainLoop;
  using Use = llvm::function_ref<void(Emit &, llvm::ArrayRef<mlir::Value>)>;
  /// Emits `use` for the wanted values of each element.
  virtual void forValues(Body &body, llvm::ArrayRef<mlir::Value> wanted,
                         Use use) = 0;

  /// Emits `row` for parts of rows, which the body has entered.
  using Row = llvm::function_ref<void(mlir::OpBuilder &, const RowPart &)>;
  virtual void forRows(Body &body, Row row) = 0;
  /// In there: emits `element` for element i of the body, at this place of its
  /// row.
  using Element = llvm::function_ref<void(mlir::OpBuilder &, mlir::Value i,
                                          mlir::Value place)>;
  virtual void forElements(mlir::OpBuilder &builder, Body &body,
                           const RowPart &part, Element element) = 0;
  /// For parts of rows that add to one cell. Before the rows.
  virtual std::unique_ptr<Accumulation>
  accumulate(Body &body, mlir::TypeRange types,
             Accumulation::Values values) = 0;

  /// In either: combines the values, one a field, with those of a cell.
  virtual void add(Emit &emit, mlir::Value cell,
                   llvm::ArrayRef<mlir::Value> values) = 0;
  /// Launches the kernel, and stores the fields.
  virtual void launch() = 0;
};

/// Results that are fields are handed out: a thread computes all of one.
class ResultLoop : public DomainLoop {
public:
  using DomainLoop::DomainLoop;
  /// Emits `result` for those that a thread computes at a time; `where` and
  /// `cell` are those of the first. If the last dim is kept, rows have one
  /// element for each.
  using Result = llvm::function_ref<void(mlir::OpBuilder &,
                                         llvm::ArrayRef<mlir::Value> where,
                                         mlir::Value cell, Accumulation &)>;
  virtual void forResults(Body &body, mlir::TypeRange types,
                          Accumulation::Values values, Result result) = 0;
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
  virtual bool fitsThreads(const ScheduleSizes &sizes,
                           llvm::ArrayRef<pm::DimAttr> dims,
                           size_t fields) const = 0;
  virtual std::unique_ptr<CellReduction>
  reduceToCells(pm::DomainOpInterface op, LoweringContext &context,
                mlir::OpBuilder &host, llvm::StringRef title,
                pm::Reduction kind, llvm::ArrayRef<mlir::Value> outs) const = 0;

  /// Whether results over these dims are better handed out than summed by all.
  virtual bool handsOut(pm::DomainOpInterface op,
                        llvm::ArrayRef<pm::DimAttr> kept) const = 0;
  virtual std::unique_ptr<ResultLoop>
  handOut(pm::DomainOpInterface op, LoweringContext &context,
          mlir::OpBuilder &host, llvm::StringRef title, pm::Reduction kind,
          llvm::ArrayRef<pm::DimAttr> kept) const = 0;

  virtual void paint(Paint &paint) const = 0;

  /// Emits the filter, whose body is that of `map`, over the spectrum: the last
  /// input and the only out. An error if kernels cannot run between the passes
  /// of a transform.
  virtual llvm::LogicalResult filter(pm::SpectralFilterOp filter, pm::MapOp map,
                                     LoweringContext &context) const = 0;
};

/// Attaches KernelOpInterface to the ops that are loops over domains.
void registerKernelModels(mlir::DialectRegistry &registry);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_ELEMENTS_SCHEDULE_H
