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
#include "frontend/Sema/Rules/Program/Declarations.h"

using namespace pmc;

void Generator::declareList(const ast::ParamStmt &stmt, const Value &value,
                            Unit unit, const std::string &unitText,
                            double scale) {
  const auto checked = checkList(rules(), stmt, value, unit);
  if (!checked)
    return;
  unit = *checked;
  (void)checkFlagName(rules(), stmt.name, "a param");
  const llvm::ArrayRef<Value> numbers = value.getElements();
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
