//===- Statements.cpp - let, fn, print, assert ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Constants.h"

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
  auto refuse = [&](const char *what) {
    if (frame->element)
      error(stmt.loc, llvm::Twine(what) + " cannot be inside of a map")
          .note(frame->element->loc, "the map begins here");
    else if (frame->constantsOnly)
      error(stmt.loc, llvm::Twine(what) + " cannot be in a constant");
    else
      return false;
    return true;
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
    if (frame->scope)
      error(stmt.loc, "declarations must be at the top level");
    return;
  case Kind::Input:
    if (frame->scope)
      error(stmt.loc, "declarations must be at the top level");
    else if (auto &input = llvm::cast<ast::InputStmt>(stmt); input.like)
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
    if (value.is(Value::Kind::Nothing))
      value = error(let.value->loc, "this has no value");
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
    if (!refuse("'output'"))
      outputStmt(llvm::cast<ast::OutputStmt>(stmt));
    return;
  case Kind::Plot:
    if (!refuse("'plot'"))
      plotStmt(llvm::cast<ast::PlotStmt>(stmt));
    return;
  case Kind::Print:
    if (!refuse("'print'"))
      printStmt(llvm::cast<ast::PrintStmt>(stmt));
    return;
  case Kind::Assert:
    if (!refuse("'assert'"))
      assertStmt(llvm::cast<ast::AssertStmt>(stmt));
    return;
  case Kind::Optimize:
    if (!refuse("'optimize'"))
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

/// What the source says there, if it is short.
static std::string sourceOf(const ast::Expr &expr) {
  llvm::StringRef text(expr.range.Start.getPointer(),
                       expr.range.End.getPointer() -
                           expr.range.Start.getPointer());
  return text.size() <= 40 && !text.contains('\n') ? text.str() : "…";
}

/// What to write instead of a `for` that was meant to change something.
static std::string asLoop(const ast::ForExpr &expr,
                          const ast::RangeExpr &range) {
  std::string names = "s", next = sourceOf(*expr.body);
  if (auto *record = llvm::dyn_cast<ast::RecordExpr>(expr.body.get())) {
    // `for i in 0 .. 4 { s = s + i }` was read as a record.
    names = next = "";
    for (const ast::RecordField &field : record->fields) {
      names += (names.empty() ? "" : ", ") + field.name.text;
      next += (next.empty() ? "" : ", ") + sourceOf(*field.value);
    }
    if (record->fields.size() != 1) {
      names = "(" + names + ")";
      next = "(" + next + ")";
    }
  }
  return "let end = loop " + names + " = " + names + " for " +
         expr.variable.text + " in " + sourceOf(*range.begin) + " .. " +
         sourceOf(*range.end) + " => " + next;
}

/// A call for what it prints or asserts; anything else is a mistake, because
/// nothing is changed in place.
void Generator::expressionStmt(const ast::Expr &expr) {
  if (ast::isForStatement(expr))
    return forStatement(llvm::cast<ast::ForExpr>(expr));
  bool before = std::exchange(effectsSeen, false);
  size_t messages = checker ? checker->countMessages() : 0;
  Value value = evaluate(expr);
  bool hasEffects = std::exchange(effectsSeen, effectsSeen || before);
  // A call of what is not known may print.
  bool isUnused =
      value.isFree() && messages == checker->countMessages() &&
      (llvm::isa<ast::BinaryExpr, ast::UnaryExpr, ast::IndexExpr>(expr));
  if (hasEffects || gaveUp || (value.isPoison() && !isUnused) ||
      value.is(Value::Kind::Nothing))
    return;
  if (auto *each = llvm::dyn_cast<ast::ForExpr>(&expr)) {
    Report report = error(expr.loc, "the vector that this 'for' makes is not "
                                    "used, and nothing is changed in place; "
                                    "name it with 'let'");
    if (auto *range = llvm::dyn_cast<ast::RangeExpr>(each->domain.get()))
      report.note(expr.loc,
                  "a loop carries what changes: " + asLoop(*each, *range));
    return;
  }
  std::string instead = "name it with 'let'";
  if (value.isBoolLike())
    instead = "check it with 'assert'";
  else if (value.isFunction())
    instead = "call it with its arguments in (…)";
  error(expr.loc, "this value is not used, and nothing is changed in place; " +
                      instead + ", or leave it out")
      .range(expr.range);
}

//===----------------------------------------------------------------------===//
// Messages of the program
//===----------------------------------------------------------------------===//

/// `.3f`, `8.2e`, `+g`: what may follow the colon in `{:…}`.
static bool isFormatSpec(llvm::StringRef spec) {
  if (!spec.empty() && llvm::StringRef("<>^").contains(spec.front()))
    spec = spec.drop_front();
  if (!spec.empty() && llvm::StringRef("+- ").contains(spec.front()))
    spec = spec.drop_front();
  auto digits = [&] {
    unsigned count = 0;
    while (!spec.empty() && llvm::isDigit(spec.front())) {
      spec = spec.drop_front();
      ++count;
    }
    return count;
  };
  if (digits() > 3)
    return false;
  if (spec.consume_front(".")) {
    unsigned precision = digits();
    if (precision == 0 || precision > 2)
      return false;
  }
  if (spec.size() == 1 && llvm::StringRef("eEfFgGaA").contains(spec.front()))
    spec = spec.drop_front();
  return spec.empty();
}

mlir::Value Generator::intBits(const Value &value, mlir::Location at) {
  return mlir::arith::BitcastOp::create(builder, at, f64Type,
                                        materialize(value, i64Type, at));
}

Value Generator::inAsked(const Argument &arg, const ast::WrittenUnit &asked) {
  if (arg.value.isPoison() || !asked.loc.isValid())
    return arg.value;
  bool ok = true;
  auto check = [&](const Value &part) {
    if (!ok || !part.isElementwise())
      return;
    const std::string why =
        checkAsked(part.getQuantity(), asked.unit, asked.text);
    ok = why.empty();
    if (!ok)
      error(asked.loc, why).range(asked.range).note(arg.loc, "of this value");
  };
  if (arg.value.isTuple())
    llvm::for_each(arg.value.getElements(), check);
  else
    check(arg.value);
  if (!ok)
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
  if (values.size() > maxPrinted) {
    error(loc, "this shows " + llvm::Twine(values.size()) +
                   " values, more than " + llvm::Twine(maxPrinted) +
                   "; use a field and 'output'");
    return false;
  }
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
  size_t next = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    char c = format[i];
    if (c != '{' && c != '}') {
      text += c;
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == c) {
      text += c;
      text += c;
      ++i;
      continue;
    }
    size_t close = format.find('}', i);
    if (c == '}' || close == llvm::StringRef::npos) {
      error(loc, llvm::Twine("a single '") + llvm::Twine(c) +
                     "' in the text; write it twice, or {} for a value");
      return false;
    }
    llvm::StringRef inside = format.slice(i + 1, close), spec = inside;
    i = close;
    if (!spec.empty() && !(spec.consume_front(":") && isFormatSpec(spec))) {
      error(loc, "'{" + inside +
                     "}' is not a number format; write {}, "
                     "{:.3f} or {:.2e}");
      return false;
    }
    if (next == args.size()) {
      error(loc, "the text has more {} than there are values (" +
                     llvm::Twine(args.size()) + ")");
      return false;
    }
    const llvm::StringRef unit = units[next];
    const Argument &arg = args[next++];
    if (arg.value.isPoison())
      continue;
    if (arg.value.is(Value::Kind::String)) {
      for (char letter : arg.value.getString()) {
        text += letter;
        if (letter == '{' || letter == '}')
          text += letter;
      }
      continue;
    }
    if (!arg.value.isRealNumber() && !arg.value.isBoolLike()) {
      error(arg, "{} shows a number, not " + arg.value.describeType() +
                     (arg.value.isComplex() ? "; show its parts" : "") +
                     (arg.value.isField() ? "; reduce it, or use output" : ""));
      ok = false;
      continue;
    }
    bool likeFloat =
        spec.contains('.') || (!spec.empty() && llvm::isAlpha(spec.back()));
    // What is known and small is the same as an f64.
    auto known = arg.value.getConstInt();
    bool small = known && std::abs(double(*known)) < 0x1p53;
    if (arg.value.isIntLike() && !likeFloat && !small) {
      llvm::StringRef kind = arg.value.isUnsigned() ? "u}" : "d}";
      text += ("{:" + spec + kind).str();
      numbers.push_back(intBits(arg.value, getLoc(arg.loc)));
      addUnit(unit, format.drop_front(close + 1));
      continue;
    }
    text += spec.empty() ? std::string("{}") : ("{:" + spec + "}").str();
    numbers.push_back(materialize(arg.value, f64Type, getLoc(arg.loc)));
    addUnit(unit, format.drop_front(close + 1));
  }
  if (next < args.size()) {
    error(args[next], "there is no {} in the text for this value");
    return false;
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
  Value test = condition(*stmt.condition, "'assert'");
  std::string text;
  llvm::SmallVector<mlir::Value> numbers;
  if (!formatMessage(stmt.format, stmt.asked, stmt.values, stmt.loc, text,
                     numbers) ||
      test.isPoison())
    return;
  if (test.is(Value::Kind::Bool) && test.getBool())
    return;
  // The compiler reports what would end every run, if it knows the text.
  std::optional<std::string> known;
  if (test.is(Value::Kind::Bool) &&
      (runsAlways() || (checker && checker->isCertain())))
    known = knownText(text, numbers);
  if (known) {
    std::string own = stmt.format.empty() ? "condition is false" : *known;
    error(stmt.loc,
          frame->module->isLibrary ? own : "assertion does not hold: " + own,
          stmt.condition->range)
        .range(stmt.condition->range);
    return;
  }
  mlir::Location at = getLoc(stmt.loc);
  mlir::Value holds = materialize(test, i1Type, at);
  effectsSeen = true;
  if (stmt.format.empty())
    text = "the assertion does not hold";
  pm::AssertOp::create(builder, at, holds, text, numbers);
}
