//===- PMAutodiffOps.cpp - Derivatives and what reverses loops ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"

using namespace mlir;
using namespace pmc::pm;

bool pmc::pm::hasTangent(Type type) {
  if (auto grid = dyn_cast<GridType>(type))
    type = grid.getElementType();
  return isa<FloatType, ComplexType, TableType, RowSumsType>(type);
}

/// The function, if its arguments are the op's.
static FailureOr<func::FuncOp> findCallee(Operation *op,
                                          SymbolTableCollection &tables,
                                          FlatSymbolRefAttr callee,
                                          TypeRange args) {
  auto function =
      tables.lookupNearestSymbolFrom<func::FuncOp>(op, callee.getAttr());
  if (!function)
    return op->emitOpError("differentiates ")
           << callee << ", expected a function";
  if (TypeRange(function.getArgumentTypes()) != args) {
    InFlightDiagnostic error = op->emitOpError("has arguments (")
                               << args << "), expected ("
                               << function.getArgumentTypes() << ")";
    error.attachNote(function.getLoc()) << "of this function";
    return error;
  }
  return function;
}

/// Positions among `types`, each once, in order, that have the types `given`.
static LogicalResult verifyPositions(Operation *op, StringRef what,
                                     ArrayRef<int64_t> positions,
                                     TypeRange types, TypeRange given) {
  if (positions.size() != given.size())
    return op->emitOpError("has ")
           << positions.size() << " positions in '" << what << "', but "
           << given.size() << " values";
  int64_t last = -1;
  for (auto [position, type] : llvm::zip_equal(positions, given)) {
    if (position <= last || position >= int64_t(types.size()))
      return op->emitOpError("has position ")
             << position << " in '" << what << "', expected more than " << last
             << " and less than " << types.size();
    if (!hasTangent(types[position]) || types[position] != type)
      return op->emitOpError("has a ")
             << type << " for position " << position << " in '" << what
             << "', expected a differentiable " << types[position];
    last = position;
  }
  return success();
}

static LogicalResult verifyResults(Operation *op, ArrayRef<Type> expected) {
  if (op->getResultTypes() == TypeRange(expected))
    return success();
  return op->emitOpError("has results (")
         << op->getResultTypes() << "), expected (" << TypeRange(expected)
         << ")";
}

LogicalResult JVPOp::verifySymbolUses(SymbolTableCollection &tables) {
  FailureOr<func::FuncOp> function =
      findCallee(*this, tables, getCalleeAttr(), getArgs().getTypes());
  if (failed(function) ||
      failed(verifyPositions(*this, "wrt", getWrt(), getArgs().getTypes(),
                             getTangents().getTypes())))
    return failure();
  SmallVector<Type> expected(function->getResultTypes());
  llvm::append_range(expected, llvm::make_filter_range(
                                   function->getResultTypes(), hasTangent));
  return verifyResults(*this, expected);
}

LogicalResult VJPOp::verifySymbolUses(SymbolTableCollection &tables) {
  FailureOr<func::FuncOp> function =
      findCallee(*this, tables, getCalleeAttr(), getArgs().getTypes());
  if (failed(function) ||
      failed(verifyPositions(*this, "of", getOf(), function->getResultTypes(),
                             getCotangents().getTypes())))
    return failure();
  unsigned count = function->getNumResults();
  if (getNumResults() < count)
    return emitOpError("has ") << getNumResults() << " results, expected the "
                               << count << " of the function first";
  if (failed(verifyPositions(*this, "wrt", getWrt(), getArgs().getTypes(),
                             TypeRange(getResultTypes()).drop_front(count))))
    return failure();
  SmallVector<Type> expected(function->getResultTypes());
  for (int64_t position : getWrt())
    expected.push_back(getArgs()[position].getType());
  if (failed(verifyResults(*this, expected)))
    return failure();
  bool isRevolve = getSchedule() == Schedule::Revolve;
  if (isRevolve != getSnapshots().has_value() ||
      (isRevolve && *getSnapshots() < 1))
    return emitOpError("has schedule ")
           << stringifySchedule(getSchedule()) << " with "
           << (getSnapshots() ? std::to_string(*getSnapshots()) : "no")
           << " snapshots, expected at least 1 for revolve, and none for "
              "others";
  return success();
}

LogicalResult CheckpointStoreOp::verify() {
  for (Type type : getTypes().getAsValueRange<TypeAttr>())
    if (!type.isF32() && !type.isF64() && !type.isInteger(64) &&
        !isa<GridType>(type))
      return emitOpError("holds a ")
             << type << ", expected f32, f64, i64 or fields";
  return success();
}

/// If the checkpoint store is made where this is seen.
static LogicalResult verifyState(Operation *op, Value store, TypeRange types) {
  auto made = store.getDefiningOp<CheckpointStoreOp>();
  if (!made)
    return success();
  auto grid = [](Type type) -> Type {
    auto buffer = dyn_cast<BufferType>(type);
    return buffer ? FieldType::get(type.getContext(), buffer.getDims(),
                                   buffer.getElementType())
                  : type;
  };
  SmallVector<Type> expected;
  for (Type type : made.getTypes().getAsValueRange<TypeAttr>())
    expected.push_back(grid(type));
  if (llvm::equal(expected, llvm::map_range(types, grid)))
    return success();
  InFlightDiagnostic error = op->emitOpError("has a state of types (")
                             << types << "), expected (" << TypeRange(expected)
                             << ")";
  error.attachNote(made.getLoc()) << "of this checkpoint store";
  return error;
}

LogicalResult SaveOp::verify() {
  return verifyState(*this, getStore(), getValues().getTypes());
}

LogicalResult RestoreOp::verify() {
  // In the buffer form numbers and fields are apart.
  if (!getOuts().empty())
    return success();
  return verifyState(*this, getStore(), getValues().getTypes());
}

LogicalResult ReversalOp::verify() {
  if (getNames().size() != getErrors().size())
    return emitOpError("has ") << getNames().size() << " names, expected "
                               << getErrors().size() << ", one for each error";
  for (StringRef name : getNames().getAsValueRange<StringAttr>())
    if (name.empty() || name.contains(','))
      return emitOpError("has the name '")
             << name << "', expected one without commas";
  return success();
}
