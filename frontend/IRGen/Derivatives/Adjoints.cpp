//===- Adjoints.cpp - @adjoint(g), @tangent(g) ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Derivatives.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

/// What g gives, as cotangents of the run-time parts of the parameters.
bool Generator::appendAdjointResults(
    const ast::FunctionStmt &fn, const Binding &binding,
    llvm::ArrayRef<Value> params, const Value &value,
    llvm::SmallVectorImpl<mlir::Value> &results) {
  const auto split = splitCotangents(rules(), fn, value, params.size());
  if (!split)
    return false;
  const std::vector<Value> &parts = *split;
  const Argument arg{"", {}, value, fn.adjoint.loc, {}};
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
    if (!requireNoCotangent(rules(), parts[i], arg, what,
                            !leaves.empty() && params[i].isFunction()))
      return false;
    DirectionRule direction{what, /*isDual=*/true, Unit()};
    if (parts[i].isPoison() ||
        !appendDirection(params[i], parts[i], arg, direction, results))
      return false;
  }
  return true;
}

/// The tangents of parameters, a tuple if there are several: 0 of functions and
/// of other values without a tangent.
Value Generator::tangentsOf(llvm::ArrayRef<Value> params,
                            mlir::ValueRange leaves, unsigned &next) {
  std::vector<Value> tangents;
  for (const Value &param : params)
    tangents.push_back(
        derivativeLike(param, Unit(), /*dual=*/false, leaves, next));
  return params.size() == 1 ? tangents.front()
                            : Value::tuple(std::move(tangents));
}

/// What g gives, as the tangents of the run-time parts of a result.
bool Generator::appendTangentResults(
    const ast::FunctionStmt &fn, const Value &shape, const Value &value,
    llvm::SmallVectorImpl<mlir::Value> &results) {
  if (value.isConstZero()) {
    llvm::SmallVector<mlir::Value> leaves;
    flatten(shape, leaves, nullptr);
    for (mlir::Value leaf : leaves)
      if (pm::hasTangent(leaf.getType()))
        results.push_back(zeroLike(leaf.getType(), getLoc(fn.tangent.loc)));
    return true;
  }
  const std::string what = "the tangent that '" + fn.tangent.text + "' gives";
  DirectionRule direction{what, /*isDual=*/false, Unit()};
  return appendDirection(shape, value, {"", {}, value, fn.tangent.loc, {}},
                         direction, results);
}

/// Makes the function that the instance of a function with an adjoint names,
/// (operands, cotangents of results) -> cotangents of operands; or, of one with
/// a tangent, (operands, tangents of operands) -> tangents of results.
bool Generator::attachByHand(const Value &callee, const Binding &binding,
                             Instance &instance, bool isTangent) {
  const ast::FunctionStmt &fn = *callee.getFunction();
  const ast::Name &hand = isTangent ? fn.tangent : fn.adjoint;
  if (hand.text.empty())
    return true;
  const llvm::StringRef what = isTangent ? "tangent" : "adjoint";
  size_t numParams = fn.params.size();
  llvm::SmallVector<mlir::Value> operands;
  for (const auto &[index, value] : llvm::enumerate(binding.values)) {
    size_t before = operands.size();
    flatten(value, operands, nullptr);
    if (index < numParams)
      continue;
    for (mlir::Value leaf : llvm::ArrayRef(operands).drop_front(before))
      if (pm::hasTangent(leaf.getType())) {
        reportCaptured(rules(), fn, isTangent, binding.names[index]);
        return false;
      }
  }
  llvm::SmallVector<mlir::Value> results;
  flatten(instance.result, results, nullptr);
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value operand : operands)
    types.push_back(operand.getType());
  for (mlir::Value value : isTangent ? operands : results)
    if (pm::hasTangent(value.getType()))
      types.push_back(value.getType());

  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(mainFunction);
  mlir::LocationAttr noCallers;
  llvm::SaveAndRestore<mlir::LocationAttr> callers(frame->callers, noCallers);
  mlir::Location at = getLoc(hand.loc);
  auto op = mlir::func::FuncOp::create(
      builder, at, uniqueName((fn.name.text + "_" + what).str()),
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
      args.push_back({"", {}, own, hand.loc, {}});
      params.push_back(std::move(own));
    } else if (index >= binding.locals) {
      lets[binding.names[index]] = std::move(own);
    }
  }
  Value direction = isTangent
                        ? tangentsOf(params, body->getArguments(), next)
                        : derivativeLike(instance.result, Unit(), /*dual=*/true,
                                         body->getArguments(), next);
  args.push_back({"", {}, direction, hand.loc, {}});
  Frame own;
  own.module = callee.getModule();
  own.scope = &scope;
  own.lets = &lets;
  own.entry = &entry;
  own.scalarsOnly = frame->scalarsOnly;
  llvm::SaveAndRestore<Frame *> savedFrame(frame, &own);
  Value value = apply(lookUp(hand.text, hand.loc), {args, hand.loc});
  llvm::SmallVector<mlir::Value> found;
  if (value.isPoison() ||
      !(isTangent ? appendTangentResults(fn, instance.result, value, found)
                  : appendAdjointResults(fn, binding, params, value, found))) {
    op.erase();
    return false;
  }
  mlir::func::ReturnOp::create(builder, at, found);
  op.setFunctionType(
      builder.getFunctionType(types, mlir::TypeRange(mlir::ValueRange(found))));
  instance.op->setAttr(("pm." + what).str(), mlir::FlatSymbolRefAttr::get(op));
  return true;
}
