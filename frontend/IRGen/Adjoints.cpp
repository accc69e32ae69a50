//===- Adjoints.cpp - @adjoint(g) ---------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

/// The 0 of a number or field at run time.
mlir::Value Generator::zeroLike(mlir::Type type, mlir::Location loc) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    mlir::Value zero = zeroLike(complex.getElementType(), loc);
    return mlir::complex::CreateOp::create(builder, loc, type, zero, zero);
  }
  auto field = llvm::dyn_cast<pm::FieldType>(type);
  if (!field && type.isInteger())
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(type));
  if (!field)
    return floatConstant(0, type, loc);
  auto map = pm::MapOp::create(builder, loc, mlir::TypeRange(type),
                               pm::DimsAttr::get(&context, field.getDims()),
                               mlir::ValueRange(), mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&map.getBody());
  pm::YieldOp::create(builder, loc, zeroLike(field.getElementType(), loc));
  return map.getResult(0);
}

/// What g gives, as cotangents of the run-time parts of the parameters.
bool Generator::appendAdjointResults(
    const ast::FunctionStmt &fn, const Binding &binding,
    llvm::ArrayRef<Value> params, const Value &value,
    llvm::SmallVectorImpl<mlir::Value> &results) {
  std::vector<Value> parts(value.getElements());
  if (params.size() == 1)
    parts = {value};
  Argument arg{"", {}, value, fn.adjoint.loc, {}};
  if (parts.size() != params.size() ||
      (params.size() > 1 && !value.isTuple())) {
    error(arg, "'" + fn.adjoint.text + "' gives " + value.describeType() +
                   ", but is the adjoint of a function with " +
                   llvm::Twine(params.size()) +
                   " parameters; expected a tuple of that many, with 0 for "
                   "those that have no derivative");
    return false;
  }
  for (unsigned i = 0; i < params.size(); ++i) {
    llvm::SmallVector<mlir::Value> leaves;
    flatten(params[i], leaves, nullptr);
    llvm::erase_if(leaves, [](mlir::Value leaf) {
      return !pm::hasTangent(leaf.getType());
    });
    if (parts[i].isConstZero() && !params[i].is(Value::Kind::Table)) {
      for (mlir::Value leaf : leaves)
        results.push_back(zeroLike(leaf.getType(), getLoc(fn.adjoint.loc)));
      continue;
    }
    std::string what = ("the cotangent of '" + llvm::Twine(binding.names[i]) +
                        "' that '" + fn.adjoint.text + "' gives")
                           .str();
    if (!leaves.empty() && params[i].isFunction()) {
      error(arg, what + " holds " + parts[i].describe() +
                     " where there should be 0, as that is a function");
      return false;
    }
    std::optional<Unit> unit = Unit();
    if (parts[i].isPoison() || !appendDirection(params[i], parts[i], arg, what,
                                                /*dual=*/true, unit, results))
      return false;
  }
  return true;
}

/// Makes the function that the instance of a function with an adjoint names:
/// (operands, cotangents of results) -> cotangents of operands.
bool Generator::attachAdjoint(const Value &callee, const Binding &binding,
                              Instance &instance) {
  const ast::FunctionStmt &fn = *callee.getFunction();
  size_t numParams = fn.params.size();
  llvm::SmallVector<mlir::Value> operands;
  for (const auto &[index, value] : llvm::enumerate(binding.values)) {
    size_t before = operands.size();
    flatten(value, operands, nullptr);
    if (index < numParams)
      continue;
    for (mlir::Value leaf : llvm::ArrayRef(operands).drop_front(before))
      if (pm::hasTangent(leaf.getType())) {
        error(fn.adjoint.loc, "a function with an adjoint depends on its "
                              "parameters only, but '" +
                                  fn.name.text + "' uses '" +
                                  binding.names[index] +
                                  "'; make that a parameter");
        return false;
      }
  }
  llvm::SmallVector<mlir::Value> results;
  flatten(instance.result, results, nullptr);
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value operand : operands)
    types.push_back(operand.getType());
  for (mlir::Value result : results)
    if (pm::hasTangent(result.getType()))
      types.push_back(result.getType());

  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(mainFunction);
  mlir::LocationAttr noCallers;
  llvm::SaveAndRestore<mlir::LocationAttr> callers(frame->callers, noCallers);
  mlir::Location at = getLoc(fn.adjoint.loc);
  auto op = mlir::func::FuncOp::create(builder, at,
                                       uniqueName(fn.name.text + "_adjoint"),
                                       builder.getFunctionType(types, {}));
  op.setPrivate();
  mlir::Block *body = op.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  Prologue entry;
  entry.block = body;
  Scope scope;
  llvm::StringMap<Value> lets;
  std::vector<Value> params;
  std::vector<Argument> args;
  unsigned next = 0;
  for (const auto &[index, value] : llvm::enumerate(binding.values)) {
    Value own = rebuild(value, body->getArguments(), next);
    if (index < numParams) {
      args.push_back({"", {}, own, fn.adjoint.loc, {}});
      params.push_back(std::move(own));
    } else if (index >= binding.locals) {
      lets[binding.names[index]] = std::move(own);
    }
  }
  Value cotangent = derivativeLike(instance.result, Unit(), /*dual=*/true,
                                   body->getArguments(), next);
  args.push_back({"", {}, cotangent, fn.adjoint.loc, {}});
  Frame own;
  own.module = callee.getModule();
  own.scope = &scope;
  own.lets = &lets;
  own.entry = &entry;
  own.scalarsOnly = frame->scalarsOnly;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &own);
  Value value =
      apply(lookUp(fn.adjoint.text, fn.adjoint.loc), {args, fn.adjoint.loc});
  llvm::SmallVector<mlir::Value> cotangents;
  if (value.isPoison() ||
      !appendAdjointResults(fn, binding, params, value, cotangents)) {
    op.erase();
    return false;
  }
  mlir::func::ReturnOp::create(builder, at, cotangents);
  op.setFunctionType(builder.getFunctionType(
      types, mlir::TypeRange(mlir::ValueRange(cotangents))));
  instance.op->setAttr("pm.adjoint", mlir::FlatSymbolRefAttr::get(op));
  return true;
}
