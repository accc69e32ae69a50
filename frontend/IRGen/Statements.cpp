//===- Statements.cpp - let, fn, print, assert ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Control.h"
#include "frontend/Sema/Rules/Program/Text.h"
#include "frontend/Sema/Rules/Values.h"
#include "frontend/Sema/Types/Constants.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>

using namespace pmc;

/// A name of the block at hand, or of the top level.
void Generator::define(const ast::Name &name, Value value) {
  if (name.text.empty())
    return;
  observe(name, value);
  if (frame->scope)
    frame->scope->names[name.text] = std::move(value);
  else
    topLevelLets[name.text] = std::move(value);
}

void Generator::statement(const ast::Stmt &stmt) {
  using Kind = ast::Stmt::Kind;
  if (!tick(stmt.loc))
    return;
  auto mayBe = [&](const char *what) {
    return requireEffects(rules(), what, stmt.loc);
  };
  switch (stmt.kind) {
  case Kind::Use:
  case Kind::Const:
  case Kind::Param:
  case Kind::Dim:
  case Kind::Mesh:
  case Kind::Layout:
  case Kind::Unit:
  case Kind::Units:
    (void)requireTopLevel(rules(), !frame->scope, stmt.loc);
    return;
  case Kind::Input:
    if (!requireTopLevel(rules(), !frame->scope, stmt.loc))
      return;
    if (auto &input = llvm::cast<ast::InputStmt>(stmt); input.like)
      inputLike(input);
    return;
  case Kind::Function: {
    auto &fn = llvm::cast<ast::FunctionStmt>(stmt);
    if (frame->scope)
      define(fn.name, makeClosure(&fn, nullptr, frame->module, fn.loc));
    return;
  }
  case Kind::Let: {
    auto &let = llvm::cast<ast::LetStmt>(stmt);
    Value value = let.value ? evaluate(*let.value) : Value::poison();
    if (let.value)
      value = requireValue(rules(), value, let.value->loc);
    Scope names;
    if (let.pattern.isTuple && value.is(Value::Kind::Coordinate))
      value = expandCoordinate(value, let.loc);
    bindPattern(let.pattern, value, let.value ? let.value->loc : let.loc,
                names);
    for (const ast::Name &name : let.pattern.names)
      define(name, names.names.lookup(name.text));
    return;
  }
  case Kind::Output:
    if (mayBe("'output'"))
      outputStmt(llvm::cast<ast::OutputStmt>(stmt));
    return;
  case Kind::Plot:
    if (mayBe("'plot'"))
      plotStmt(llvm::cast<ast::PlotStmt>(stmt));
    return;
  case Kind::Print:
    if (mayBe("'print'"))
      printStmt(llvm::cast<ast::PrintStmt>(stmt));
    return;
  case Kind::Assert:
    // In a map, the library does not warn: the warning would be about a single
    // element.
    if (llvm::cast<ast::AssertStmt>(stmt).isWarning && rules().isInMap &&
        frame->module->isLibrary)
      return;
    if (mayBe(llvm::cast<ast::AssertStmt>(stmt).isWarning ? "'warn'"
                                                          : "'assert'"))
      assertStmt(llvm::cast<ast::AssertStmt>(stmt));
    return;
  case Kind::Optimize:
    if (mayBe("'optimize'"))
      optimizeStmt(llvm::cast<ast::OptimizeStmt>(stmt));
    return;
  case Kind::If:
    return ifStatement(llvm::cast<ast::IfStmt>(stmt));
  case Kind::Expr:
    if (auto &expr = llvm::cast<ast::ExprStmt>(stmt).expr)
      expressionStmt(*expr);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Expressions as statements
//===----------------------------------------------------------------------===//

/// Whether this is a `for` that calls a function in each iteration.
static bool callsInTurn(const ast::Expr &expr) {
  const auto *each = llvm::dyn_cast<ast::ForExpr>(&expr);
  const ast::Expr *body = each ? each->body.get() : nullptr;
  if (const auto *block = llvm::dyn_cast_or_null<ast::BlockExpr>(body))
    body = block->result.get();
  return llvm::isa_and_nonnull<ast::CallExpr>(body);
}

/// A call for what it prints or asserts; anything else is a mistake, because
/// nothing is changed in place.
void Generator::expressionStmt(const ast::Expr &expr) {
  if (ast::isForStatement(expr)) {
    (void)forStatement(llvm::cast<ast::ForExpr>(expr));
    return;
  }
  bool before = std::exchange(effectsSeen, false);
  const size_t reported = checker ? checker->countMessages() : 0;
  Value value = callsInTurn(expr) ? forStatement(llvm::cast<ast::ForExpr>(expr))
                                  : evaluate(expr);
  bool hasEffects = std::exchange(effectsSeen, effectsSeen || before);
  // A call of what is not known may print.
  bool isUnused =
      value.isFree() && reported == checker->countMessages() &&
      (llvm::isa<ast::BinaryExpr, ast::UnaryExpr, ast::IndexExpr>(expr));
  if (hasEffects || messages.areStopped() || (value.isPoison() && !isUnused) ||
      value.is(Value::Kind::Nothing))
    return;
  reportUnused(rules(), expr, value);
}

//===----------------------------------------------------------------------===//
// Messages of the program
//===----------------------------------------------------------------------===//

Value Generator::inAsked(const Argument &arg, const ast::WrittenUnit &asked,
                         llvm::StringRef word) {
  if (arg.value.isPoison() || !asked.loc.isValid())
    return arg.value;
  if (!requireAsked(rules(), arg, asked, word))
    return Value::poison();
  if (asked.unit.factor == 1)
    return arg.value;
  const OperatorSite site{arg.loc, arg.range, asked.range};
  return binary(ast::BinaryOp::Div, arg.value, Value::real(asked.unit.factor),
                site);
}

/// Checks the format and makes its values f64; of ints, whose {} end in d (or
/// u, of a u64), the bits. What the compiler knows of them (strings) becomes
/// part of the text.
bool Generator::formatMessage(llvm::StringRef format,
                              llvm::ArrayRef<ast::WrittenUnit> asked,
                              llvm::ArrayRef<ast::ExprPtr> values,
                              llvm::SMLoc loc, std::string &text,
                              llvm::SmallVectorImpl<mlir::Value> &numbers) {
  if (!requireFewValues(rules(), values.size(), maxPrinted, loc))
    return false;
  bool ok = true;
  std::vector<Argument> args;
  std::vector<std::string> units;
  for (auto [value, unit] : llvm::zip_equal(values, asked)) {
    Argument &arg =
        args.emplace_back(value ? evaluateArgument(*value) : Argument());
    const Unit &own = arg.value.getUnit();
    units.push_back(unit.loc.isValid() ? unit.text
                    : own.isNumber()   ? ""
                                       : own.str());
    arg.value = inAsked(arg, unit);
    ok &= !arg.value.isPoison();
  }
  // The unit of a quantity follows, unless the text goes on with it.
  auto addUnit = [&](llvm::StringRef unit, llvm::StringRef rest) {
    if (!unit.empty() && !rest.ltrim(' ').starts_with(unit))
      text += (" " + unit).str();
  };
  const auto parts = readText(rules(), format, args, loc, ok);
  if (!parts)
    return false;
  for (const TextPart &part : *parts) {
    text += part.text;
    if (!part.value)
      continue;
    const Value &value = part.value->value;
    const mlir::Location at = getLoc(part.value->loc);
    // What is known and small is the same as an f64.
    const auto known = value.getConstInt();
    const bool small = known && std::abs(double(*known)) < 0x1p53;
    if (value.isIntLike() && !part.isLikeFloat() && !small) {
      llvm::StringRef kind = value.isUnsigned() ? "u}" : "d}";
      text += ("{:" + part.spec + kind).str();
      numbers.push_back(intBits(value, at));
    } else {
      text += part.spec.empty() ? std::string("{}")
                                : ("{:" + part.spec + "}").str();
      numbers.push_back(materialize(value, f64Type, at));
    }
    addUnit(units[part.position], part.rest);
  }
  return ok;
}

void Generator::printStmt(const ast::PrintStmt &stmt) {
  std::string text;
  llvm::SmallVector<mlir::Value> numbers;
  if (!formatMessage(stmt.format, stmt.asked, stmt.values, stmt.loc, text,
                     numbers))
    return;
  effectsSeen = true;
  pm::PrintOp::create(builder, getLoc(stmt.loc), text, numbers);
}

/// A message whose numbers are constants, as the program would print it.
static std::optional<std::string>
knownText(llvm::StringRef format, llvm::ArrayRef<mlir::Value> numbers) {
  std::string text;
  while (!format.empty()) {
    char c = format.front();
    format = format.drop_front();
    if (c != '{' || format.consume_front("{")) {
      text += c;
      if (c == '}')
        format.consume_front("}");
      continue;
    }
    auto [spec, rest] = format.split('}');
    mlir::FloatAttr number;
    // C has no alignment to the middle.
    if (spec.ends_with("d") || spec.ends_with("u") ||
        spec.find_first_of("<>^") != llvm::StringRef::npos ||
        !mlir::matchPattern(numbers.front(), mlir::m_Constant(&number)))
      return std::nullopt;
    const double value = number.getValueAsDouble();
    if (spec.empty()) {
      text += formatNumber(value);
    } else {
      char digits[1500]; // a width has at most 3 digits
      (void)std::snprintf(digits, sizeof digits,
                          ("%" + spec.drop_front()).str().c_str(), value);
      text += digits;
    }
    numbers = numbers.drop_front();
    format = rest;
  }
  return text;
}

void Generator::assertStmt(const ast::AssertStmt &stmt) {
  if (!stmt.condition)
    return;
  Value test =
      condition(*stmt.condition, stmt.isWarning ? "'warn if'" : "'assert'");
  std::string text;
  llvm::SmallVector<mlir::Value> numbers;
  if (!formatMessage(stmt.format, stmt.asked, stmt.values, stmt.loc, text,
                     numbers) ||
      test.isPoison())
    return;
  if (test.is(Value::Kind::Bool) && test.getBool() != stmt.isWarning)
    return;
  // The compiler reports what would end every run, if it knows the text.
  std::optional<std::string> known;
  if (!stmt.isWarning && test.is(Value::Kind::Bool) &&
      (runsAlways() || (checker && checker->isCertain())))
    known = knownText(text, numbers);
  if (known) {
    reportAssertion(rules(), stmt, *known, frame->module->isLibrary);
    return;
  }
  mlir::Location at = getLoc(stmt.loc);
  mlir::Value holds = materialize(test, i1Type, at);
  effectsSeen = true;
  if (stmt.format.empty())
    text = "the assertion does not hold";
  if (stmt.isWarning)
    holds = mlir::arith::XOrIOp::create(
        builder, at, holds,
        mlir::arith::ConstantIntOp::create(builder, at, 1, 1));
  auto check = pm::AssertOp::create(builder, at, holds, text, numbers);
  check.setWarning(stmt.isWarning);
}
