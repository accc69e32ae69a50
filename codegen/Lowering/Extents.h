//===- Extents.h - Sizes of dims, on the host and in kernels ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_LOWERING_EXTENTS_H
#define PMC_CODEGEN_LOWERING_EXTENTS_H

#include "codegen/Lowering/Halo.h"

namespace pmc::codegen {

/// The local extents of dims and their offsets in the whole: constants, unless
/// a mesh axis splits the dim; then the context knows them. And the views of
/// split meshes.
class Extents {
public:
  Extents(LoweringContext &context, mlir::OpBuilder &host, mlir::Location loc)
      : context(context), host(host), loc(loc), views(host, loc) {}

  /// Host values, i64.
  mlir::Value extent(pm::DimAttr dim) { return find(dim).first; }
  mlir::Value offset(pm::DimAttr dim) { return find(dim).second; }
  /// Product of the dims' extents.
  mlir::Value count(llvm::ArrayRef<pm::DimAttr> dims);

  HaloViews &getViews() { return views; }

  /// Makes the dims' sizes available in the kernel.
  void capture(Kernel &kernel, llvm::ArrayRef<pm::DimAttr> dims);

private:
  std::pair<mlir::Value, mlir::Value> &find(pm::DimAttr dim);

  LoweringContext &context;
  mlir::OpBuilder &host;
  mlir::Location loc;
  llvm::DenseMap<pm::DimAttr, std::pair<mlir::Value, mlir::Value>> known;
  HaloViews views;
};

/// What `Extents` knows, seen from inside of a kernel that captured it.
class KernelExtents {
public:
  KernelExtents(Extents &extents, Kernel &kernel)
      : extents(extents), kernel(kernel) {}

  mlir::Value extent(pm::DimAttr dim) {
    return kernel.get(extents.extent(dim));
  }
  mlir::Value offset(pm::DimAttr dim) {
    return kernel.get(extents.offset(dim));
  }
  mlir::Value count(Emit &emit, llvm::ArrayRef<pm::DimAttr> dims);
  HaloView haloView(mlir::Value halo) {
    return extents.getViews().get(kernel, halo);
  }

  /// Row-major index of the element with these coordinates.
  mlir::Value linear(Emit &emit, llvm::ArrayRef<pm::DimAttr> dims,
                     mlir::ValueRange coordinates);
  /// The coordinates of a row-major index; `extentOf` if only parts of the dims
  /// are counted.
  llvm::SmallVector<mlir::Value>
  split(Emit &emit, llvm::ArrayRef<pm::DimAttr> dims, mlir::Value index);
  static llvm::SmallVector<mlir::Value>
  split(Emit &emit, llvm::ArrayRef<pm::DimAttr> dims, mlir::Value index,
        llvm::function_ref<mlir::Value(pm::DimAttr)> extentOf);

private:
  Extents &extents;
  Kernel &kernel;
};

/// The coordinates along `dims`, of which those along `some` and `others` are
/// known.
llvm::SmallVector<mlir::Value>
mergeCoordinates(llvm::ArrayRef<pm::DimAttr> dims,
                 llvm::ArrayRef<pm::DimAttr> some, mlir::ValueRange coordinates,
                 llvm::ArrayRef<pm::DimAttr> others, mlir::ValueRange more);

/// Which of a dim's elements a rank has to look at: those of its part that the
/// reduction promises to be all that count.
class ReducedRange {
public:
  /// The kernel has captured what the op needs (`Body::capture`).
  ReducedRange(pm::ReduceOp op, Kernel &kernel) : op(op), kernel(kernel) {}
  explicit operator bool() const { return bool(op.getWithin()); }
  /// Local coordinates [first, end) along a dim of the domain.
  std::pair<mlir::Value, mlir::Value> get(Emit &emit, KernelExtents &extents,
                                          pm::DimAttr dim) const;

private:
  mutable pm::ReduceOp op;
  Kernel &kernel;
};

/// The elements of a domain that a map has to look at: all, or those between
/// its bounds along one dim (`within`).
class DomainPart {
public:
  DomainPart(pm::DomainOpInterface op, Extents &extents, mlir::OpBuilder &host);

  /// Makes it known in the kernel.
  void capture(Kernel &kernel) const;
  bool isAlong(pm::DimAttr dim) const { return first && dim == along; }
  /// On the host: the number of elements along some of the dims.
  mlir::Value count(llvm::ArrayRef<pm::DimAttr> dims) const;

  /// The same in a kernel.
  mlir::Value count(Emit &emit, KernelExtents &extents, Kernel &kernel,
                    llvm::ArrayRef<pm::DimAttr> dims) const;
  /// In a kernel: the local coordinates [from, to) along a dim.
  std::pair<mlir::Value, mlir::Value> get(Emit &emit, KernelExtents &extents,
                                          Kernel &kernel,
                                          pm::DimAttr dim) const;
  /// The same along all dims but the last for a row, counted row by row.
  llvm::SmallVector<mlir::Value> split(Emit &emit, KernelExtents &extents,
                                       Kernel &kernel,
                                       llvm::ArrayRef<pm::DimAttr> dims,
                                       mlir::Value row) const;

private:
  Extents &extents;
  mlir::OpBuilder &host;
  mlir::Location loc;
  pm::DimAttr along;
  mlir::Value first, size; // on the host; null: all
};

/// The dims of a buffer.
llvm::ArrayRef<pm::DimAttr> getDims(mlir::Value buffer);
/// An error unless all results are over the dims of the first.
llvm::LogicalResult checkCommonDims(mlir::Operation *op, mlir::ValueRange outs);

} // namespace pmc::codegen

#endif // PMC_CODEGEN_LOWERING_EXTENTS_H
