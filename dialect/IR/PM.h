//===- PM.h - The pm dialect ------------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_IR_PM_H
#define PMC_DIALECT_IR_PM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/IR/PMDialect.h.inc"

#include "dialect/IR/PMEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/IR/PMAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/IR/PMTypes.h.inc"

#include "dialect/IR/Forms/PMTaps.h"
#include "dialect/IR/Traits.h"
#include "dialect/Interfaces/Interfaces.h"

namespace pmc::pm {

class View;

/// The field, buffer, halo or number of which a type says that it is in flight
/// or partial; else the type itself.
mlir::Type getUnderlying(mlir::Type type);
/// The field that it is, or that it says something about; null if there is
/// none.
FieldType getField(mlir::Type type);

/// A field or a buffer: something with dims and an element type.
class GridType : public mlir::Type {
public:
  using mlir::Type::Type;
  static bool classof(mlir::Type type) {
    return llvm::isa<FieldType, BufferType>(type);
  }
  llvm::ArrayRef<DimAttr> getDims() const;
  mlir::Type getElementType() const;
  /// Position of the dim with this label, or -1.
  int findDim(llvm::StringRef label) const;
};

/// The domain of an op, `[x=128, y=128]`: in the op's text without `#pm.dims`.
void printDomain(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                 DimsAttr domain);
mlir::ParseResult parseDomain(mlir::OpAsmParser &parser, DimsAttr &domain);

/// Offsets of a neighbor and the edges that are not periodic,
/// `[1, 0, -2 clamp]`.
void printOffsets(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::DenseI64ArrayAttr offsets, mlir::ArrayAttr edges);
mlir::ParseResult parseOffsets(mlir::OpAsmParser &parser,
                               mlir::DenseI64ArrayAttr &offsets,
                               mlir::ArrayAttr &edges);

/// Types of what is reduced over ranks, without what the op says: kind and
/// axes. What is in buffers is not said to be partial.
void printParts(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::TypeRange parts, ReductionAttr kind,
                mlir::ArrayAttr axes);
mlir::ParseResult parseParts(mlir::OpAsmParser &parser,
                             llvm::SmallVectorImpl<mlir::Type> &parts,
                             ReductionAttr kind, mlir::ArrayAttr axes);
/// The types of results, and those of parts from them.
void printPartsOf(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::TypeRange parts, mlir::TypeRange results,
                  ReductionAttr kind, mlir::ArrayAttr axes);
mlir::ParseResult parsePartsOf(mlir::OpAsmParser &parser,
                               llvm::SmallVectorImpl<mlir::Type> &parts,
                               llvm::SmallVectorImpl<mlir::Type> &results,
                               ReductionAttr kind, mlir::ArrayAttr axes);

/// The result's type too, if it is another one: `A -> B`.
void printInputAndResult(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::Type input, mlir::Type result);
mlir::ParseResult parseInputAndResult(mlir::OpAsmParser &parser,
                                      mlir::Type &input, mlir::Type &result);

} // namespace pmc::pm

#define GET_OP_CLASSES
#include "dialect/IR/PMOps.h.inc"

namespace pmc::pm {

/// Position of the dim with this label in the list, or -1.
int findDim(llvm::ArrayRef<DimAttr> dims, llvm::StringRef label);

/// The mesh axes that split the dims, in their order.
llvm::SmallVector<mlir::StringAttr> getAxes(llvm::ArrayRef<DimAttr> dims);

/// The dims, whatever splits them.
llvm::SmallVector<DimAttr> withoutAxes(llvm::ArrayRef<DimAttr> dims);

/// "[x=128, y=128]", as in types.
std::string toString(llvm::ArrayRef<DimAttr> dims);

/// Bytes of one element of a field: 4 for f32, 8 for complex<f32>, 1 for i1.
unsigned getElementBytes(mlir::Type elementType);

/// bf16 or f16: what numbers are stored as, and nothing is computed in.
bool isReducedPrecision(mlir::Type type);

/// The attribute with these edges.
mlir::ArrayAttr getEdges(mlir::MLIRContext *context,
                         llvm::ArrayRef<Edge> edges);

/// Whether an op of a body, or one in it, reads fields at other elements than
/// the body's own: at positions, or at neighbors.
bool readsFields(mlir::Operation *op);

/// Whether values of this type have tangents: reals, complex numbers, fields of
/// them, tables, and sums for their rows.
bool hasTangent(mlir::Type type);

} // namespace pmc::pm

#endif // PMC_DIALECT_IR_PM_H
