//===- TypeTest.cpp - Units and types of operands and results -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules that the front end shares, for types and for values without SSA
// values. This program links no MLIR library.
//
//===----------------------------------------------------------------------===//

#include "test/frontend/sema/Checks.h"

#include "frontend/Basic/Diagnostics.h"
#include "frontend/Sema/Types/Dims.h"
#include "frontend/Sema/Types/Operators.h"
#include "frontend/Sema/Types/Shapes.h"
#include "frontend/Sema/Types/Type.h"
#include "frontend/Sema/ValueKey.h"

#include "llvm/Support/raw_ostream.h"

using namespace pmc;
using ast::BinaryOp;
using llvm::StringRef;
using Element = Type::Element;
using Kind = Type::Kind;

static unsigned passed = 0, failed = 0;

void pmc::check(bool condition, const char *file, int line, StringRef text) {
  ++(condition ? passed : failed);
  if (!condition)
    llvm::errs() << file << ':' << line << ": failed: " << text << '\n';
}
void pmc::checkText(StringRef found, StringRef expected, const char *file,
                    int line) {
  found = withoutCode(found);
  check(found == expected, file, line, expected);
  if (found != expected)
    llvm::errs() << "found: " << found << '\n';
}

static void testCodes() {
  StringRef text = "[PM0202] 'a' is defined twice";
  CHECK_TEXT(takeCode(text), "PM0202");
  CHECK(text == "'a' is defined twice" && takeCode(text).empty());
  for (StringRef other : {"[PM0202]", "[PM020] a", "[PM02022] a", "[pm0202] a",
                          " [PM0202] a", "PM0202 a", "[PM02x2] a", ""})
    CHECK(withoutCode(other) == other);
}

static Quantity in(StringRef unit) {
  return Quantity::known(*Unit::parse(unit, {}));
}

static std::string show(const Quantity &quantity) {
  std::string unit = quantity.getUnit().str();
  switch (quantity.getState()) {
  case Quantity::State::Known:
    return unit;
  case Quantity::State::Open:
    return "open " + unit;
  case Quantity::State::Zero:
    return "zero " + unit;
  case Quantity::State::Unknown:
    return "unknown " + unit;
  }
  return "";
}

static void testUnitsOfResults() {
  const Quantity km = in("km"), s = in("s"), pure;
  const Quantity open = Quantity::open({}), zero = Quantity::zero(),
                 unknown = Quantity::unknown();
  CHECK_TEXT(show(unitOfSum(km, km)), "km");
  for (const Quantity &other : {open, zero, unknown}) {
    CHECK_TEXT(show(unitOfSum(km, other)), "km");
    CHECK_TEXT(show(unitOfSum(other, km)), "km");
  }
  CHECK_TEXT(show(unitOfSum(zero, zero)), "open 1");
  CHECK_TEXT(show(unitOfSum(open, zero)), "open 1");
  CHECK_TEXT(show(unitOfSum(zero, unknown)), "unknown 1");
  CHECK_TEXT(show(unitOfSum(unknown, open)), "unknown 1");
  CHECK_TEXT(show(unitOfProduct(km, s)), "km*s");
  CHECK_TEXT(show(unitOfQuotient(km, s)), "km/s");
  // 0 times a length is a length; what is open stays open.
  CHECK_TEXT(show(unitOfProduct(zero, km)), "km");
  CHECK_TEXT(show(unitOfProduct(open, km)), "open km");
  CHECK_TEXT(show(unitOfQuotient(km, unknown)), "unknown 1");
  std::string why;
  CHECK_TEXT(show(*unitOfPower(km, 2, why)), "km^2");
  CHECK_TEXT(show(*unitOfPower(km, -0.5, why)), "km^(-1/2)");
  CHECK_TEXT(show(*unitOfPower(pure, std::nullopt, why)), "1");
  CHECK_TEXT(show(*unitOfPower(unknown, std::nullopt, why)), "unknown 1");
  CHECK(why.empty());
  CHECK(!unitOfPower(km, std::nullopt, why));
  CHECK_TEXT(why, "the exponent must be known when the spec is compiled, "
                  "because the base is in km");
  CHECK(!unitOfPower(km, 0.3, why));
  CHECK_TEXT(why, "km cannot be raised to this power");
  CHECK_TEXT(show(*unitOfRoot(in("km^2"), why)), "km");
  CHECK(!unitOfRoot(*unitOfPower(km, 1.0 / 6, why), why));
  CHECK_TEXT(why, "there is no square root of km^(1/6)");
}

static void testConflicts() {
  const Quantity km = in("km"), pure;
  auto conflict = findConflict("'+'", km, pure);
  CHECK(conflict.has_value());
  CHECK_TEXT(conflict->text, "'+' requires equal units, not km and 1");
  CHECK_TEXT(conflict->first, "this is in km");
  CHECK_TEXT(conflict->second, "this is a pure number");
  for (const Quantity &other :
       {km, Quantity::open({}), Quantity::zero(), Quantity::unknown()})
    CHECK(!findConflict("'+'", km, other) && !findConflict("'+'", other, km));
  CHECK_TEXT(checkPure("'exp'", km, "f64 in km"),
             "'exp' requires a pure number, not f64 in km");
  for (const Quantity &other : {pure, Quantity::zero(), Quantity::unknown()})
    CHECK(checkPure("'exp'", other, "a value").empty());
}

/// The type of the result, or the message.
static std::string show(const Judgment &judgment) {
  if (judgment.conflict)
    return judgment.conflict->text;
  return judgment.isWrong() ? judgment.problem : judgment.type.describe();
}

static void testOperators() {
  const Type any, length(Kind::Number, Element::Real, in("km")),
      field(Kind::Field, Element::Real, in("km")),
      n = Type::integer(), truth = Type::boolean(), text(Kind::Text),
      k(Kind::Field, Element::Complex, Quantity());
  auto judge = [](BinaryOp op, const Type &a, const Type &b,
                  std::optional<double> exponent = std::nullopt) {
    return show(judgeBinary(op, a, b, {exponent, /*isFree=*/true}));
  };
  CHECK_TEXT(judge(BinaryOp::Add, any, length), "a number in km");
  CHECK_TEXT(judge(BinaryOp::Add, field, length), "field in km");
  CHECK_TEXT(judge(BinaryOp::Mul, field, n), "field in km");
  CHECK_TEXT(judge(BinaryOp::Mul, k, field), "complex field in km");
  CHECK_TEXT(judge(BinaryOp::Mul, any, length), "a number");
  CHECK_TEXT(judge(BinaryOp::Add, n, n), "int");
  CHECK_TEXT(judge(BinaryOp::Div, n, n), "f64");
  CHECK_TEXT(judge(BinaryOp::Lt, length, any), "a value");
  CHECK_TEXT(judge(BinaryOp::Lt, length, n),
             "'<' requires equal units, not km and 1");
  CHECK_TEXT(judge(BinaryOp::Lt, k, any),
             "complex numbers have no order; compare their parts or norm2");
  CHECK_TEXT(judge(BinaryOp::Eq, text, any), "a value");
  CHECK_TEXT(judge(BinaryOp::Eq, text, n),
             "'==' does not compare string with int");
  CHECK_TEXT(judge(BinaryOp::Add, any, text), "'+' does not work on string");
  CHECK_TEXT(judge(BinaryOp::Add, truth, any), "'+' does not work on bool");
  CHECK_TEXT(judge(BinaryOp::And, truth, any), "a value");
  CHECK_TEXT(judge(BinaryOp::And, any, n), "'and' works on bools, not on int");
  CHECK_TEXT(judge(BinaryOp::Pow, length, n, 2), "a number in km^2");
  CHECK_TEXT(judge(BinaryOp::Pow, length, n), "a number");
  CHECK_TEXT(show(judgeBinary(BinaryOp::Pow, length, n, {})),
             "the exponent must be known when the spec is compiled, because "
             "the base is in km");
  CHECK_TEXT(judge(BinaryOp::Pow, n, k), "complex field");
  CHECK_TEXT(judge(BinaryOp::Add, truth, n),
             "'+' does not work on bool and int");
  CHECK_TEXT(judge(BinaryOp::Eq, n, truth),
             "'==' does not work on int and bool");
  CHECK_TEXT(judge(BinaryOp::Eq, truth, any), "a value");
  CHECK_TEXT(judge(BinaryOp::Or, truth, n),
             "'or' works on bools, not on bool and int");
  CHECK_TEXT(judge(BinaryOp::Pow, any, length),
             "the exponent of '^' requires a pure number, not f64 in km");
  CHECK_TEXT(show(judgeUnary(ast::UnaryOp::Not, any)), "a value");
  CHECK_TEXT(show(judgeUnary(ast::UnaryOp::Not, length)),
             "'not' works on bools, not on f64");
  CHECK_TEXT(show(judgeUnary(ast::UnaryOp::Neg, truth)),
             "'-' works on numbers, not on bool");
  CHECK_TEXT(show(judgeMath(BuiltinId::Sqrt, field)), "field in km^(1/2)");
  CHECK_TEXT(show(judgeMath(BuiltinId::Sign, field)), "field");
  CHECK_TEXT(show(judgeMath(BuiltinId::Exp, field)),
             "'exp' requires a pure number, not field in km");
  CHECK_TEXT(show(judgeMinMax("'max'", any, length)), "a number in km");
  CHECK_TEXT(show(judgeMinMax("'max'", n, length)),
             "'max' requires equal units, not 1 and km");
  CHECK_TEXT(show(judgeMinMax("'min'", truth, n)),
             "'min' works on real numbers, not on bool and int");
  CHECK_TEXT(show(judgeMinMax("'min'", k, any)),
             "'min' works on real numbers, not on complex field");
  CHECK_TEXT(show(judgeNumber(field, length)), "field");
  CHECK_TEXT(show(judgeNumber(field, n)), "this is in km, not a pure number");
  CHECK_TEXT(show(judgeNumber(any, n)), "a number");
  CHECK_TEXT(show(judgeNumber(text, n)),
             "'number' works on numbers, not on string and int");
  CHECK_TEXT(commonType(n, n).describe(), "int");
  CHECK_TEXT(commonType(field, length).describe(), "a value in km");
}

static void testDeclared() {
  ast::TypeExpr syntax;
  auto declared = [&](ast::TypeExpr::Base base, StringRef unit) {
    syntax.base = base;
    syntax.unit = unit.empty() ? std::nullopt : Unit::parse(unit, {});
    return Type::declared(syntax, "");
  };
  using Base = ast::TypeExpr::Base;
  const Type speed = declared(Base::F64, "km/s"),
             number = declared(Base::F64, ""),
             field = declared(Base::Field, "km/s"), n = declared(Base::Int, ""),
             truth = declared(Base::Bool, ""),
             text = declared(Base::String, ""), z = declared(Base::Complex, "");
  CHECK(fits(speed, speed, false) && fits(speed, number, false));
  CHECK(!fits(speed, declared(Base::F64, "km"), false));
  CHECK(fits(n, number, false) && fits(number, n, false));
  CHECK(!fits(n, speed, false) && !fits(z, n, false) && fits(n, z, false));
  CHECK(!fits(z, number, false) && !fits(truth, number, false));
  CHECK(!fits(field, speed, false) && fits(field, speed, true));
  CHECK(!fits(speed, field, false) && fits(speed, field, true));
  CHECK(!fits(text, number, true) && !fits(n, text, true));
  CHECK(fits(Type(), text, false) && fits(Type(), field, false));
  CHECK(!fits(Type::in(in("s")), speed, false));
}

static Dim dim(StringRef name, int64_t cells = 8,
               Dim::Kind kind = Dim::Kind::Space, int64_t refine = 1) {
  return {name.str(), cells, refine, kind};
}

static void testDims() {
  const Dim x = dim("x"), y = dim("y"), z = dim("z"),
            fine = dim("x", 16, Dim::Kind::Space, 2),
            coarse = dim("x", 4, Dim::Kind::Space, -2),
            dual = dim("x", 8, Dim::Kind::Dual),
            half = dim("y", 8, Dim::Kind::Half);
  CHECK_TEXT(describeDims(DimList{x, fine, coarse, dual}), "[x, x*2, x/2, kx]");
  CHECK(dual.getSpaceDim() == x && !(x == dim("x", 9)));
  CHECK_TEXT(tellApart({x, y}, {y, x}), "[x, y]");
  CHECK_TEXT(tellApart({dual, half}, {dim("x", 8, Dim::Kind::Half),
                                      dim("y", 8, Dim::Kind::Dual)}),
             "[dual(x), half(y)], those of the argument [half(x), dual(y)]");
  CHECK_TEXT(tellApart({x}, {dim("x", 9)}),
             "[x of 8 cells], those of the argument [x of 9 cells]");
  CHECK(explainDims({x, y}, {x, y}).empty() && explainDims({x}, {y}).empty());
  CHECK_TEXT(explainDims({x, y}, {y, x}),
             "; they have the same dims in another order, which a map over "
             "dims changes: map q in [x, y] => f");
  CHECK_TEXT(explainDims({x, y}, {x, dim("y", 9)}),
             "; 'y' has 8 cells in the first one and 9 in the second one");
  CHECK_TEXT(explainDims({dual, half}, {dim("x", 8, Dim::Kind::Half),
                                        dim("y", 8, Dim::Kind::Dual)}),
             "; the halved dim of the first one is 'ky', that of the second "
             "one 'kx'");
  CHECK(!explainOrder({x, y}, {x, fine}).empty());
  CHECK(explainOrder({x, y}, {x, y}).empty() &&
        explainOrder({}, {x, y}).empty() && explainOrder({x}, {z}).empty());
  CHECK_TEXT(explainOrder({y, x}, {x, y}), "");
  CHECK_TEXT(explainOrder({y, x}, {x, z}),
             "components over (y, x) and over (x, z), which do not have the "
             "same names; write for d in (y, x) => v[d] of a vector v that has "
             "them");
  CHECK(findFieldProblem({x, y}, 2).empty());
  CHECK_TEXT(findFieldProblem({}, 2), "a field has 1 to 2 dims, not 0");
  CHECK_TEXT(findFieldProblem({x, y, z}, 2), "a field has 1 to 2 dims, not 3");
  CHECK_TEXT(findFieldProblem({x, x}, 2),
             "the dim 'x' is twice in field[x, x]");
  CHECK(findFieldProblem({dim("x", int64_t(1) << 48)}, 2).empty());
  CHECK_TEXT(findFieldProblem({dim("x", int64_t(1) << 48), dim("y", 2)}, 2),
             "field[x, y] has more than 2^48 cells");
  CHECK_TEXT(findFieldProblem({half, dim("x", 8, Dim::Kind::Half)}, 2),
             "field[ky, kx] has two halved dims");
}

static void testPlaces() {
  const Dim x = dim("x"), y = dim("y"), z = dim("z");
  auto places = [](std::vector<Dim> vector, std::vector<Dim> dims) {
    std::string text;
    for (size_t place : findPlaces(vector, dims))
      text += std::to_string(place);
    return text;
  };
  CHECK_TEXT(places({x, y, z}, {z, x, y}), "201");
  CHECK_TEXT(places({x, y}, {x, z}), "");
  CHECK_TEXT(places({x, y}, {x, y, z}), "");
  CHECK_TEXT(places({x, x}, {x, x}), "");
}

static void testBroadcast() {
  const Dim x = dim("x"), y = dim("y"), z = dim("z"),
            kx = dim("x", 8, Dim::Kind::Dual);
  auto meet = [](std::vector<std::vector<Dim>> fields, bool isUnion) {
    return describeDims(broadcast(fields, isUnion));
  };
  CHECK_TEXT(meet({{x}, {x, y}}, false), "[x, y]");
  CHECK_TEXT(meet({{x, y}, {y, x}}, false), "[x, y]");
  CHECK_TEXT(meet({{x}, {y}}, false), "[]");
  CHECK_TEXT(meet({{x}, {y}}, true), "[x, y]");
  CHECK_TEXT(meet({{x, z}, {x, y, z}}, true), "[x, y, z]");
  CHECK_TEXT(meet({{x, z}, {y, z}}, true), "[x, y, z]");
  CHECK_TEXT(meet({{x, y}, {y, x, z}}, true), "[y, x, z]");
  CHECK_TEXT(meet({{x, y}, {z, x}}, true), "[z, x, y]");
  // The order of one of them cannot be kept.
  CHECK_TEXT(meet({{x, y}, {y, z}, {z, x}}, true), "[x, y, z]");
  CHECK_TEXT(meet({{y}, {kx}}, true), "[y, kx]");
  CHECK_TEXT(meet({{x}, {kx}}, true), "[]");
  CHECK_TEXT(meet({{x}, {dim("x", 16, Dim::Kind::Space, 2)}}, true), "[]");
}

//===----------------------------------------------------------------------===//
// What branches and loops have in common
//===----------------------------------------------------------------------===//

Value pmc::fieldOver(llvm::ArrayRef<const char *> names, Storage element,
                     Unit unit) {
  std::vector<Dim> dims;
  for (const char *name : names)
    dims.push_back({name, 8});
  return Value::field(std::move(dims), element, unit);
}

/// The type of both, for elements of f32; or the problem.
static std::string joined(const Value &a, const Value &b) {
  const Shaped both = join(a, b, "the values", Storage::F32);
  if (!both.problem.empty())
    return both.problem;
  const Value &shape = both.shape;
  const bool isKnown = shape.isConstNumber() || shape.is(Value::Kind::Bool);
  std::string precision = shape.getStorage() == Storage::F32   ? "f32 "
                          : shape.getStorage() == Storage::F64 ? "f64 "
                                                               : "";
  return precision + (isKnown ? "known " : "") +
         (shape.hasAnyUnit() ? "open " : "") + shape.describe();
}

static void testJoins() {
  const Unit km = *Unit::parse("km", {}), s = *Unit::parse("s", {});
  const Value one = Value::integer(1), two = Value::integer(2),
              zero = Value::integer(0), length = Value::real(2, km);
  CHECK_TEXT(joined(one, one), "known int");
  CHECK_TEXT(joined(one, two), "int");
  CHECK_TEXT(joined(one, Value::real(1.5)), "f64 f64");
  CHECK_TEXT(joined(Value::scalar(Storage::F32), Value::real(1.5)), "f32 f64");
  CHECK_TEXT(joined(Value::scalar(Storage::F32), Value::scalar(Storage::F64)),
             "f32 f64");
  CHECK_TEXT(joined(Value::scalar(Storage::I64), Value::scalar(Storage::U64)),
             "u64");
  CHECK_TEXT(joined(Value::boolean(true), Value::boolean(true)), "known bool");
  CHECK_TEXT(joined(Value::boolean(true), Value::boolean(false)), "bool");
  // Zero has any unit.
  CHECK_TEXT(joined(zero, length), "f64 f64 in km");
  CHECK_TEXT(joined(zero, Value::scalar(Storage::F64).withAnyUnit()),
             "f64 open f64");
  CHECK_TEXT(joined(length, Value::real(2, s)),
             "the values differ: f64 in km and f64 in s");
  CHECK_TEXT(joined(Value::complex(one, two, {}), one), "complex");
  CHECK_TEXT(joined(one, Value::boolean(true)),
             "the values differ: int and bool");
  // The field of higher precision.
  const Value narrow = fieldOver({"x", "y"}, Storage::F32, km);
  CHECK_TEXT(joined(narrow, fieldOver({"x", "y"}, Storage::F64, km)),
             "f64 field[x, y] in km");
  CHECK_TEXT(joined(narrow, fieldOver({"x"}, Storage::F32, km)),
             "the values differ: field[x, y] in km and field[x] in km");
  CHECK_TEXT(joined(narrow, fieldOver({"x", "y"}, Storage::I64, km)),
             "the values differ: field[x, y] in km and int field[x, y] in km");
  // Members by name, those that both have.
  const Value ab = Value::record({"a", "b"}, {one, length});
  CHECK_TEXT(joined(ab, Value::record({"b", "a"}, {length, two})),
             "record {a, b}");
  CHECK_TEXT(joined(ab, Value::record({"b"}, {length})), "record {b}");
  CHECK_TEXT(joined(ab, Value::record({"c"}, {length})),
             "the values differ: record {a, b} and record {c}");
  CHECK(join(ab, Value::record({"b", "a"}, {length, two}), "", Storage::F32)
            .shape.getElements()[0]
            .is(Value::Kind::Scalar));
}

static void testCarried() {
  const Unit km = *Unit::parse("km", {});
  auto carried = [](const Value &value) {
    return carriedShape(value, Storage::F32).shape;
  };
  CHECK(carried(Value::integer(3)).getStorage() == Storage::I64);
  CHECK(carried(Value::boolean(true)).getStorage() == Storage::I1);
  CHECK(carried(Value::real(3, km)).getUnit().agrees(km));
  CHECK(carried(Value::integer(0)).hasAnyUnit());
  CHECK(!carried(Value::integer(3)).hasAnyUnit());
  CHECK_TEXT(carriedShape(Value::nothing(), Storage::F32).problem,
             "a loop carries numbers, fields, and tuples and records of them, "
             "not nothing");
  const Value pair = carried(Value::tuple({Value::integer(1), Value::real(2)}));
  CHECK(sameShape(pair,
                  carried(Value::tuple({Value::integer(5), Value::real(7)}))));
  CHECK(!sameShape(
      pair, carried(Value::tuple({Value::integer(5), Value::integer(7)}))));
  CHECK(!sameShape(carried(Value::real(1, km)), carried(Value::real(1))));
  CHECK(!sameShape(fieldOver({"x"}, Storage::F32),
                   fieldOver({"y"}, Storage::F32)));
  CHECK(!settleUnits(carried(Value::integer(0))).hasAnyUnit());
}

static void testOperands() {
  const Value field = fieldOver({"x"}, Storage::F32),
              other = fieldOver({"y"}, Storage::F32), one = Value::integer(1);
  auto wrong = [](std::vector<Value> operands, bool isUnion = false,
                  bool isElement = false) {
    return checkOperands("'+'", operands, isUnion, isElement);
  };
  CHECK_TEXT(wrong({field, one}), "");
  CHECK_TEXT(wrong({field, other}),
             "'+' requires fields of the same dims, not field[x] and field[y]");
  CHECK_TEXT(wrong({field, other}, /*isUnion=*/true), "");
  CHECK_TEXT(wrong({field, other}, false, /*isElement=*/true), "");
  CHECK_TEXT(wrong({Value::string("a"), one}), "'+' does not work on string");
  CHECK_TEXT(wrong({Value::tuple({one, one}), Value::tuple({one})}),
             "'+' of vectors with 2 and 1 components");
  CHECK_TEXT(wrong({Value::record({"a"}, {one}), Value::tuple({one})}),
             "'+' of a record and a vector: record {a} and (int)");
}

/// The type of a result, for elements of f32; "none" of mistakes.
static std::string shown(const std::optional<Value> &value) {
  return value ? joined(*value, *value) : "none";
}

static void testResults() {
  const Value one = Value::integer(1), count = Value::scalar(Storage::I64),
              narrow = Value::scalar(Storage::F32),
              wide = Value::scalar(Storage::F64, *Unit::parse("km", {})),
              open = Value::scalar(Storage::F64).withAnyUnit();
  auto binary = [](BinaryOp op, const Value &a, const Value &b) {
    return shown(shapeOfBinary(op, a, b, Storage::F32));
  };
  CHECK_TEXT(binary(BinaryOp::Add, one, one), "known int");
  CHECK_TEXT(binary(BinaryOp::Add, count, one), "int");
  CHECK_TEXT(binary(BinaryOp::Div, count, one), "f64 f64");
  CHECK_TEXT(binary(BinaryOp::Mul, count, narrow), "f32 f64");
  CHECK_TEXT(binary(BinaryOp::Add, open, wide), "f64 f64 in km");
  CHECK_TEXT(binary(BinaryOp::Mul, open, wide), "f64 open f64 in km");
  CHECK_TEXT(binary(BinaryOp::Add, one, wide), "none");
  CHECK_TEXT(binary(BinaryOp::Lt, open, wide), "bool");
  CHECK_TEXT(binary(BinaryOp::Pow, wide, Value::integer(2)), "f64 f64 in km^2");
  CHECK_TEXT(binary(BinaryOp::Pow, count, Value::integer(2)), "int");
  CHECK_TEXT(binary(BinaryOp::Pow, count, Value::real(0.5)), "f64 f64");
  CHECK_TEXT(
      shown(shapeOfMath(BuiltinId::Sqrt, Value::integer(4), Storage::F32)),
      "known f64");
  CHECK_TEXT(shown(shapeOfMath(BuiltinId::Abs, count, Storage::F32)), "int");
  CHECK_TEXT(shown(shapeOfMath(BuiltinId::Exp, wide, Storage::F32)), "none");
  CHECK_TEXT(shown(shapeOfMinMax(true, open, wide, Storage::F32)),
             "f64 f64 in km");
}

/// Parts of complex numbers that are the constant 0 stay 0, and each part has a
/// type of its own.
static void testComplex() {
  const Unit km = *Unit::parse("km", {});
  const Storage real = Storage::F32;
  const Value narrow = Value::scalar(Storage::F32, km),
              wide = Value::scalar(Storage::F64),
              i = Value::complex(Value::integer(0), Value::real(1), {});
  auto binary = [&](ast::BinaryOp op, const Value &a, const Value &b) {
    return *shapeOfBinary(op, a, b, real);
  };
  const Value turned = binary(ast::BinaryOp::Mul, i, narrow);
  CHECK(turned.isComplex() && turned.getUnit().agrees(km));
  CHECK(turned.getRe().isConstZero() || turned.getRe().getConstReal() == 0);
  CHECK(turned.getIm().getStorage() == Storage::F32);
  const Value mixed =
      binary(ast::BinaryOp::Add, wide,
             binary(ast::BinaryOp::Mul, i, Value::scalar(Storage::F32)));
  CHECK(mixed.getRe().getStorage() == Storage::F64);
  CHECK(mixed.getIm().getStorage() == Storage::F32);
  const Value minus = binary(ast::BinaryOp::Mul, i, i);
  CHECK(minus.getRe().getConstReal() == -1 &&
        minus.getIm().getConstReal() == 0);
  CHECK(shapeOfMath(BuiltinId::Abs, turned, real)->getUnit().agrees(km));
  CHECK(shapeOfMath(BuiltinId::Abs, mixed, real)->getStorage() == Storage::F32);
  CHECK(shapeOfMath(BuiltinId::Imag, wide, real)->isConstZero());
  CHECK(!shapeOfMath(BuiltinId::Exp, turned, real)); // km has no exponential
  CHECK(binary(ast::BinaryOp::Eq, i, i).getBool());
}

/// The text is equal for values that differ only in numbers of run time.
static void testKeys() {
  auto key = [](const Value &value) {
    std::string text;
    appendKey(text, value);
    return text;
  };
  const Unit km = *Unit::parse("km", {});
  int number = 0;
  CHECK(key(Value::scalar(Storage::F64, km)) ==
        key(Value::scalar(Storage::F64, km, &number)));
  CHECK(key(Value::scalar(Storage::F64, km)) !=
        key(Value::scalar(Storage::F64)));
  CHECK(key(Value::integer(1)) != key(Value::real(1)));
  CHECK(key(fieldOver({"x"}, Storage::F32)) !=
        key(fieldOver({"y"}, Storage::F32)));
  CHECK(key(Value::tuple({Value::integer(1), Value::integer(2)})) !=
        key(Value::tuple({Value::integer(12)})));
  CHECK(key(Value::record({"a"}, {Value::integer(1)})) !=
        key(Value::record({"b"}, {Value::integer(1)})));
}

int main() {
  testCodes();
  testComplex();
  testKeys();
  testDims();
  testPlaces();
  testBroadcast();
  testUnitsOfResults();
  testConflicts();
  testOperators();
  testDeclared();
  testJoins();
  testCarried();
  testRules();
  testOperands();
  testResults();
  llvm::outs() << passed << " checks passed, " << failed << " failed\n";
  return failed != 0;
}
