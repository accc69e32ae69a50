//===- ByHand.cpp - @adjoint(g), @tangent(h, f2) --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Derivatives/ByHand.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Derivatives.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Postponed functions
//===----------------------------------------------------------------------===//

void ByHand::add(const Value &callee, const Binding &binding,
                 Instance &instance, llvm::StringRef key) {
  if (!callee.getFunction()->hasManualDerivative())
    return;
  postponed.push_back({callee, binding, &instance, key.str(), g.realType});
  // The arguments belong to the caller, and are invalid later.
  postponed.back().binding.args = {};
}

bool ByHand::leave(size_t before, bool isBuilt) {
  while (!isBuilt && postponed.size() > before) {
    g.instanceByKey.erase(postponed.back().key);
    postponed.pop_back();
  }
  if (--depth)
    return true;
  bool isGood = true;
  while (!postponed.empty()) {
    const Postponed next = std::move(postponed.front());
    postponed.pop_front();
    llvm::SaveAndRestore<mlir::Type> type(g.realType, next.realType);
    for (Kind kind : {Kind::Adjoint, Kind::Tangent, Kind::Again})
      if (isGood && !attach(next, kind))
        isGood = false;
    if (!isGood)
      g.instanceByKey[next.key] = nullptr;
  }
  return isGood;
}

//===----------------------------------------------------------------------===//
// Values of the functions
//===----------------------------------------------------------------------===//

/// Appends the value of an adjoint: the cotangents of those parts of the
/// parameters that are known at run time.
bool ByHand::appendAdjoint(const Postponed &of, llvm::ArrayRef<Value> params,
                           const Value &value,
                           llvm::SmallVectorImpl<mlir::Value> &results) {
  const ast::FunctionStmt &fn = *of.callee.getFunction();
  const auto split = splitCotangents(g.rules(), fn, value, params.size());
  if (!split)
    return false;
  const std::vector<Value> &parts = *split;
  const Argument arg{"", {}, value, fn.adjoint.loc, {}};
  for (unsigned i = 0; i < params.size(); ++i) {
    llvm::SmallVector<mlir::Value> leaves;
    g.flatten(params[i], leaves);
    llvm::erase_if(leaves, [](mlir::Value leaf) {
      return !pm::hasTangent(leaf.getType());
    });
    if (parts[i].isConstZero() && !params[i].is(Value::Kind::Table)) {
      for (mlir::Value leaf : leaves)
        results.push_back(g.zeroLike(leaf.getType(), g.getLoc(fn.adjoint.loc)));
      continue;
    }
    std::string what =
        ("the cotangent of '" + llvm::Twine(of.binding.names[i]) + "' that '" +
         fn.adjoint.text + "' gives")
            .str();
    if (!requireNoCotangent(g.rules(), parts[i], arg, what,
                            !leaves.empty() && params[i].isFunction()))
      return false;
    DirectionRule direction{what, /*isDual=*/true, Unit()};
    if (parts[i].isPoison() ||
        !g.appendDirection(params[i], parts[i], arg, direction, results))
      return false;
  }
  return true;
}

/// Returns the tangents of the parameters, as a tuple if the function has
/// several parameters. Functions and other values without a tangent have the
/// tangent 0.
Value ByHand::tangentsOf(llvm::ArrayRef<Value> params, mlir::ValueRange leaves,
                         unsigned &next) {
  std::vector<Value> tangents;
  for (const Value &param : params)
    tangents.push_back(
        g.derivativeLike(param, Unit(), /*dual=*/false, leaves, next));
  return params.size() == 1 ? tangents.front()
                            : Value::tuple(std::move(tangents));
}

/// Appends the value of a tangent: the tangents of those parts of the result
/// that are known at run time.
bool ByHand::appendTangent(const Postponed &of, const Value &value,
                           llvm::SmallVectorImpl<mlir::Value> &results) {
  const ast::Name &hand = of.callee.getFunction()->tangent;
  const Value &shape = of.instance->result;
  if (value.isConstZero()) {
    llvm::SmallVector<mlir::Value> leaves;
    g.flatten(shape, leaves);
    for (mlir::Value leaf : leaves)
      if (pm::hasTangent(leaf.getType()))
        results.push_back(g.zeroLike(leaf.getType(), g.getLoc(hand.loc)));
    return true;
  }
  const std::string what = "the tangent that '" + hand.text + "' gives";
  DirectionRule direction{what, /*isDual=*/false, Unit()};
  return g.appendDirection(shape, value, {"", {}, value, hand.loc, {}},
                           direction, results);
}

/// Appends the value of the function that derivatives call in place of this
/// one.
bool ByHand::appendAgain(const Postponed &of, const Value &value,
                         llvm::SmallVectorImpl<mlir::Value> &results) {
  const ast::Name &hand = of.callee.getFunction()->again;
  const std::string what = "the value that '" + hand.text + "' gives";
  const Argument arg{"", {}, value, hand.loc, {}};
  DirectionRule rule{what, /*isDual=*/false, Unit()};
  if (!g.appendDirection(of.instance->result, value, arg, rule, results))
    return false;
  return requireSameResults(
      g.rules(), *of.callee.getFunction(), arg,
      llvm::equal(mlir::ValueRange(results).getTypes(),
                  of.instance->op.getFunctionType().getResults()));
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

/// Generates one of the functions, and attaches it to the instance:
/// - the adjoint: (operands, cotangents of results) -> cotangents of operands
/// - the tangent: (operands, tangents of operands) -> tangents of results
/// - the function in place of this one: operands -> results
bool ByHand::attach(const Postponed &of, Kind kind) {
  const ast::FunctionStmt &fn = *of.callee.getFunction();
  const Binding &binding = of.binding;
  const ast::Name &hand = kind == Kind::Adjoint   ? fn.adjoint
                          : kind == Kind::Tangent ? fn.tangent
                                                  : fn.again;
  if (hand.text.empty())
    return true;
  const llvm::StringRef what = kind == Kind::Adjoint   ? "adjoint"
                               : kind == Kind::Tangent ? "tangent"
                                                       : "again";
  size_t numParams = fn.params.size();
  llvm::SmallVector<mlir::Value> operands;
  for (const auto &[index, value] : llvm::enumerate(binding.values)) {
    size_t before = operands.size();
    g.flatten(value, operands);
    if (index < numParams)
      continue;
    for (mlir::Value leaf : llvm::ArrayRef(operands).drop_front(before))
      if (pm::hasTangent(leaf.getType())) {
        reportCaptured(g.rules(), fn, kind != Kind::Adjoint,
                       binding.names[index]);
        return false;
      }
  }
  llvm::SmallVector<mlir::Value> results;
  g.flatten(of.instance->result, results);
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Value operand : operands)
    types.push_back(operand.getType());
  if (kind != Kind::Again)
    for (mlir::Value value : kind == Kind::Tangent ? operands : results)
      if (pm::hasTangent(value.getType()))
        types.push_back(value.getType());

  mlir::OpBuilder &builder = g.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(g.mainFunction);
  mlir::LocationAttr noCallers;
  llvm::SaveAndRestore<mlir::LocationAttr> callers(g.frame->callers, noCallers);
  mlir::Location at = g.getLoc(hand.loc);
  auto op = mlir::func::FuncOp::create(
      builder, at, g.uniqueName((fn.name.text + "_" + what).str()),
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
    Value own = g.rebuild(value, body->getArguments(), next);
    if (index < numParams) {
      args.push_back({"", {}, own, hand.loc, {}});
      params.push_back(std::move(own));
    } else if (index >= binding.locals) {
      lets[binding.names[index]] = std::move(own);
    }
  }
  if (kind == Kind::Tangent)
    args.push_back(
        {"", {}, tangentsOf(params, body->getArguments(), next), hand.loc, {}});
  if (kind == Kind::Adjoint)
    args.push_back({"",
                    {},
                    g.derivativeLike(of.instance->result, Unit(), /*dual=*/true,
                                     body->getArguments(), next),
                    hand.loc,
                    {}});
  Frame own;
  own.module = of.callee.getModule();
  own.scope = &scope;
  own.lets = &lets;
  own.entry = &entry;
  own.scalarsOnly = g.frame->scalarsOnly;
  llvm::SaveAndRestore<Frame *> savedFrame(g.frame, &own);
  Value value = g.apply(g.lookUp(hand.text, hand.loc), {args, hand.loc});
  llvm::SmallVector<mlir::Value> found;
  const bool isGood =
      !value.isPoison() &&
      (kind == Kind::Adjoint   ? appendAdjoint(of, params, value, found)
       : kind == Kind::Tangent ? appendTangent(of, value, found)
                               : appendAgain(of, value, found));
  if (!isGood) {
    op.erase();
    return false;
  }
  mlir::func::ReturnOp::create(builder, at, found);
  op.setFunctionType(
      builder.getFunctionType(types, mlir::TypeRange(mlir::ValueRange(found))));
  of.instance->op->setAttr(("pm." + what).str(),
                           mlir::FlatSymbolRefAttr::get(op));
  return true;
}
