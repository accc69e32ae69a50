//===- ProgramTables.h - Tables of a program for the runtime ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_PROGRAM_PROGRAMTABLES_H
#define PMC_CODEGEN_PROGRAM_PROGRAMTABLES_H

#include "dialect/IR/PM.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <string>

namespace pmc::codegen {

/// The module's attribute that holds what ProgramTables collected, as JSON.
constexpr llvm::StringLiteral descriptorAttribute = "pm.descriptor";

/// The function that a program begins with; an error at the module if there is
/// none.
mlir::FailureOr<mlir::func::FuncOp> findMain(mlir::ModuleOp module);

/// What the runtime must know about a program. Declarations are collected
/// from the module; dims and locations while lowering.
class ProgramTables {
public:
  explicit ProgramTables(mlir::ModuleOp module);

  /// Indices that the runtime's functions take. Names come from checked IR: a
  /// missing one is -1.
  int32_t param(llvm::StringRef name) const { return find(params, name); }
  int32_t input(llvm::StringRef name) const { return find(inputs, name); }
  int32_t output(llvm::StringRef name) const { return find(outputs, name); }
  int32_t plot(llvm::StringRef name) const { return find(plots, name); }
  int32_t axis(llvm::StringRef name) const;
  int32_t dim(pm::DimAttr dim) {
    return dims.insert({dim, int32_t(dims.size())}).first->second;
  }
  /// -1 where there is no .pm position.
  int32_t location(mlir::Location loc);

  /// The program transforms buffers of these types over the dims of `mask`;
  /// the runtime plans the memory that this takes over ranks.
  void addTransform(pm::BufferType in, pm::BufferType out, uint32_t mask,
                    bool inPlace, bool backward);

  /// The program makes a checkpoint store; `slots`: of the descriptor's form,
  /// or null.
  void addCheckpointStore(mlir::Location loc, mlir::TypeRange types,
                          llvm::json::Value slots);
  /// Ranks read or paint cells of this mesh that others own.
  void addHalo(pm::BufferType mesh);
  /// The program paints such particles onto such meshes; `lattice`: they are at
  /// their sites but for displacements; `cellBlocks`: sorted by these, too.
  void addPaint(llvm::ArrayRef<pm::DimAttr> particles,
                llvm::ArrayRef<pm::DimAttr> mesh, bool lattice,
                bool cellBlocks);
  /// What steps of loops move, of the descriptor's form.
  void setLoops(llvm::json::Array rows) { loopRows = std::move(rows); }
  /// The halos and reshards of the program, in the form of the descriptor.
  void setExchanges(llvm::json::Array rows) { exchangeRows = std::move(rows); }
  /// A table of so many rows is made.
  void addTable(int64_t rows) { tableRows += rows; }
  /// A call computes `width` sums at a time.
  void addSums(int64_t width) { widestSums = std::max(widestSums, width); }
  /// A reduction on a GPU with `width` results. `items` is the largest number
  /// of threads, which the runtime divides into blocks. If `items` is 0, `rows`
  /// is the number of rows of partial results.
  void addReduction(int64_t items, int64_t rows, int64_t width) {
    reductions.insert({items, rows, width});
  }
  /// A call of pmrt_matrices.
  void addMatrices(int32_t kind, int32_t flags, int64_t batch,
                   mlir::ValueRange in, mlir::ValueRange out);
  /// A contraction whose order of additions is free.
  void addContraction(pm::GridType a, pm::GridType b, pm::GridType c);
  /// The arguments of a convolution, with the plan of pmrt_convolve.
  void addConvolution(pm::GridType field, pm::GridType weights,
                      pm::GridType result, llvm::ArrayRef<int64_t> plan);
  /// The program has a reading whose elements are sorted.
  void addSortedReading(llvm::ArrayRef<pm::DimAttr> elements) {
    addPaint(elements, {}, /*lattice=*/false, /*cellBlocks=*/true);
  }

  const llvm::MapVector<pm::DimAttr, int32_t> &getDims() const { return dims; }
  llvm::json::Array describeDims(llvm::ArrayRef<pm::DimAttr> list);
  /// `{element, dims}`.
  llvm::json::Object describeGrid(pm::GridType grid);

  /// Keeps all of it in the module's `pm.descriptor`: the descriptor of
  /// runtime/doc/descriptor.md without what `pm-emit-program` adds.
  void attachTo(mlir::ModuleOp module);

private:
  using Declarations = llvm::MapVector<mlir::StringRef, mlir::Operation *>;
  static int32_t find(const Declarations &all, llvm::StringRef name) {
    auto it = all.find(name);
    return it == all.end() ? -1 : int32_t(it - all.begin());
  }
  llvm::json::Value describe();

  mlir::ModuleOp module;
  Declarations params, inputs, outputs, plots;
  llvm::SmallVector<mlir::StringRef> axes;
  llvm::MapVector<pm::DimAttr, int32_t> dims;
  llvm::MapVector<mlir::Attribute, int32_t> locations;
  llvm::SetVector<std::tuple<mlir::Type, mlir::Type, uint32_t, uint32_t>>
      transforms;
  llvm::SetVector<mlir::Type> halos;
  // The declarations are erased before the descriptor is written.
  llvm::json::Array paramRows, inputRows, outputRows, plotRows, meshRows,
      bufferRows, transformRows, storeRows, haloRows, paintRows, loopRows,
      exchangeRows, matrixRows, contractionRows, convolutionRows;
  int64_t tableRows = 0, widestSums = 0;
  llvm::SetVector<std::tuple<int64_t, int64_t, int64_t>> reductions;
  bool contracts = false;
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_PROGRAM_PROGRAMTABLES_H
