//===- Lists.cpp - Params of several numbers ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `param z_s: list = (0.5, 1, 2)` is three params, z_s.0, z_s.1 and z_s.2, and
// a vector of them in the spec. The program takes --z_s=0.5,1,2, too.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

using namespace pmc;

void Generator::declareList(const ast::ParamStmt &stmt, const Value &value,
                            Unit unit, const std::string &unitText,
                            double scale) {
  auto fail = [&](const llvm::Twine &why) {
    error(stmt.value ? stmt.value->loc : stmt.loc,
          "'" + stmt.name.text + "' is a list, " + why);
  };
  if (stmt.type && stmt.type->base != ast::TypeExpr::Base::F64)
    return fail("and lists hold f64 numbers");
  if (!stmt.value)
    return fail("and requires a default, which defines its length");
  constexpr size_t most = 256;
  const std::vector<Value> &numbers = value.getElements();
  if (!value.isTuple() || numbers.empty() || numbers.size() > most)
    return fail("and its default, of 1 to " + llvm::Twine(most) +
                " numbers (a, b, …), is " + value.describe());
  if (!stmt.type || !stmt.type->unit) {
    unit = numbers[0].getUnit();
    unit.factor = 1;
  }
  for (const Value &number : numbers)
    if (!number.isConstNumber() ||
        (!number.isConstZero() && !number.getUnit().agrees(unit)))
      return fail("expected " +
                  (unit.isNumber() ? std::string("pure numbers")
                                   : "numbers in " + unit.str()) +
                  " in its default, found " + number.describe());
  checkFlagName(stmt.name, "a param");
  ParamInfo info;
  info.type = f64Type;
  info.unit = unit;
  info.unitText = unitText;
  info.scale = scale;
  info.loc = stmt.name.loc;
  for (auto [i, number] : llvm::enumerate(numbers)) {
    std::string name = stmt.name.text + "." + std::to_string(i);
    params[name] = info;
    emitParam(stmt, name, info, "f64",
              builder.getF64FloatAttr(*number.getConstReal() / scale), number);
  }
  info.count = int64_t(numbers.size());
  params[stmt.name.text] = info;
}
