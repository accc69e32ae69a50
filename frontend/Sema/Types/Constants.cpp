//===- Constants.cpp - Arithmetic that the compiler does itself -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Constants.h"

#include "frontend/Sema/Builtins.h"

#include "llvm/Support/MathExtras.h"

#include <charconv>
#include <cmath>
#include <iterator>

using namespace pmc;
using ast::BinaryOp;

static std::optional<Value> finite(double value, Unit unit,
                                   std::string &error) {
  if (std::isnan(value)) {
    error = "the result is not a number";
    return std::nullopt;
  }
  if (std::isinf(value)) {
    error = "the result is too large for f64";
    return std::nullopt;
  }
  return Value::real(value, unit);
}

static std::optional<Value> foldIntegers(BinaryOp op, int64_t a, int64_t b,
                                         std::string &error) {
  int64_t result = 0;
  bool overflow = false;
  switch (op) {
  case BinaryOp::Add:
    overflow = llvm::AddOverflow(a, b, result);
    break;
  case BinaryOp::Sub:
    overflow = llvm::SubOverflow(a, b, result);
    break;
  default:
    overflow = llvm::MulOverflow(a, b, result);
    break;
  }
  if (overflow) {
    error = "the result is too large for an int";
    return std::nullopt;
  }
  return Value::integer(result);
}

std::optional<Value> pmc::foldArithmetic(BinaryOp op, const Value &a,
                                         const Value &b, Unit unit,
                                         std::string &error) {
  if (a.is(Value::Kind::Int) && b.is(Value::Kind::Int) && op != BinaryOp::Div)
    return foldIntegers(op, a.getInt(), b.getInt(), error);
  double x = *a.getConstReal(), y = *b.getConstReal();
  switch (op) {
  case BinaryOp::Add:
    return finite(x + y, unit, error);
  case BinaryOp::Sub:
    return finite(x - y, unit, error);
  case BinaryOp::Mul:
    return finite(x * y, unit, error);
  default:
    if (y == 0) {
      error = "division by zero";
      return std::nullopt;
    }
    return finite(x / y, unit, error);
  }
}

template <typename T> static bool compare(BinaryOp op, T a, T b) {
  switch (op) {
  case BinaryOp::Eq:
    return a == b;
  case BinaryOp::Ne:
    return a != b;
  case BinaryOp::Lt:
    return a < b;
  case BinaryOp::Le:
    return a <= b;
  case BinaryOp::Gt:
    return a > b;
  default:
    return a >= b;
  }
}

bool pmc::foldComparison(BinaryOp op, const Value &a, const Value &b) {
  if (a.is(Value::Kind::Int) && b.is(Value::Kind::Int))
    return compare(op, a.getInt(), b.getInt());
  return compare(op, *a.getConstReal(), *b.getConstReal());
}

std::optional<Value> pmc::foldPower(const Value &base, const Value &exponent,
                                    Unit unit, std::string &error) {
  if (base.is(Value::Kind::Int) && exponent.is(Value::Kind::Int) &&
      exponent.getInt() >= 0) {
    int64_t result = 1, factor = base.getInt();
    if (factor == 0 || factor == 1)
      return Value::integer(exponent.getInt() == 0 ? 1 : factor);
    if (factor == -1)
      return Value::integer(exponent.getInt() % 2 ? -1 : 1);
    for (int64_t i = 0; i < exponent.getInt(); ++i)
      if (llvm::MulOverflow(result, factor, result)) {
        error = "the result is too large for an int";
        return std::nullopt;
      }
    return Value::integer(result);
  }
  double x = *base.getConstReal(), y = *exponent.getConstReal();
  if (x == 0 && y < 0) {
    error = "division by zero";
    return std::nullopt;
  }
  return finite(std::pow(x, y), unit, error);
}

static double evaluateMath(BuiltinId id, double x) {
  switch (id) {
#define MATH(ID, NAME, UNITS, OP, FOLDED)                                      \
  case BuiltinId::ID:                                                          \
    return FOLDED;
#include "frontend/Sema/MathBuiltins.def"
  default:
    llvm_unreachable("not a function of one real number");
  }
}

std::optional<Value> pmc::foldMath(BuiltinId id, const Value &x, Unit unit,
                                   std::string &error) {
  bool integral = id == BuiltinId::Abs || id == BuiltinId::Floor ||
                  id == BuiltinId::Round || id == BuiltinId::Sign;
  if (integral && x.is(Value::Kind::Int)) {
    int64_t i = x.getInt();
    if (id == BuiltinId::Sign)
      return Value::integer(i > 0 ? 1 : i < 0 ? -1 : 0);
    if (id == BuiltinId::Abs && i < 0)
      return foldIntegers(BinaryOp::Sub, 0, i, error);
    return x;
  }
  double result = evaluateMath(id, *x.getConstReal());
  // What has no fraction is an int where an int is asked for.
  if (integral && id != BuiltinId::Abs && unit.isNumber() &&
      std::abs(result) < 0x1p63)
    return Value::integer(int64_t(result));
  return finite(result, unit, error);
}

std::optional<Value> pmc::parseConstant(llvm::StringRef text, const Value &like,
                                        std::string &error) {
  text = text.trim();
  switch (like.getKind()) {
  case Value::Kind::Int: {
    int64_t value;
    if (!text.getAsInteger(10, value))
      return Value::integer(value);
    error = "it must be an int";
    return std::nullopt;
  }
  case Value::Kind::Real: {
    double value;
    size_t end = text.find_first_not_of("0123456789+-.eE");
    llvm::StringRef digits = text.take_front(end).trim();
    Unit unit = like.getUnit();
    llvm::StringRef rest =
        end == llvm::StringRef::npos ? "" : text.drop_front(end).trim();
    // A bare number would be in what the compiler computes with: km for mm.
    if (rest.empty() && !unit.isNumber()) {
      error = "it has no unit, and must be in " + unit.str();
      return std::nullopt;
    }
    if (!rest.empty()) {
      auto parsed = Unit::parse(rest, unit);
      if (!parsed || !parsed->agrees(unit)) {
        error = "it must be in " + unit.str();
        return std::nullopt;
      }
      unit = *parsed;
    }
    if (!digits.getAsDouble(value) && std::isfinite(value * unit.factor))
      return Value::real(value * unit.factor, unit);
    error = "it must be a number";
    return std::nullopt;
  }
  case Value::Kind::Bool:
    if (text == "true" || text == "false")
      return Value::boolean(text == "true");
    error = "it must be true or false";
    return std::nullopt;
  case Value::Kind::String:
    if (text.size() >= 2 && text.starts_with("\"") && text.ends_with("\""))
      text = text.drop_front().drop_back();
    return Value::string(text.str());
  default:
    error = "it has no value that could be given";
    return std::nullopt;
  }
}

std::string pmc::formatNumber(double value) {
  const double size = std::abs(value);
  const bool isPlain = value == 0 || (size >= 1e-4 && size < 1e16);
  char text[64];
  auto [end, code] = std::to_chars(text, std::end(text), value,
                                   isPlain ? std::chars_format::fixed
                                           : std::chars_format::scientific);
  return {text, end};
}
