//===- Modes.cpp - One mode of the transform of a real field --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `fk[x = -1, y = 2]`, where half of the modes is stored. It is a sum over all
// modes, of which only this one counts. Therefore a mode that is not stored is
// the conjugate of the opposite one.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
using ast::BinaryOp;

std::optional<Value> Generator::oneMode(const Value &base,
                                        const ast::IndexExpr &expr) {
  if (base.isTuple() || base.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : base.getElements()) {
      std::optional<Value> mode = oneMode(part, expr);
      if (!mode)
        return std::nullopt;
      parts.push_back(*mode);
    }
    if (parts.empty())
      return std::nullopt;
    return base.withElements(std::move(parts));
  }
  if (!base.isField() || !isComplex(base.getStorage()))
    return std::nullopt;
  pm::FieldType type = lowerField(base);
  llvm::SmallVector<unsigned> fourier;
  bool isHalved = false;
  for (auto [i, dim] : llvm::enumerate(type.getDims())) {
    if (!dim.isSpace())
      fourier.push_back(unsigned(i));
    isHalved |= dim.isHalf();
  }
  if (!isHalved || expr.cells.size() != fourier.size() ||
      !expr.indices.empty() || expr.edge)
    return std::nullopt;
  llvm::SmallVector<std::pair<pm::DimAttr, const ast::Argument *>> named;
  for (const ast::Argument &cell : expr.cells) {
    pm::DimAttr dim = namedDim(base, cell.name);
    if (!dim || !cell.value)
      return Value::poison();
    if (dim.isSpace())
      return std::nullopt;
    named.push_back({dim, &cell});
  }
  llvm::SmallVector<std::pair<pm::DimAttr, Value>> modes;
  llvm::SmallVector<Argument> arguments;
  for (const auto &[dim, cell] : named) {
    SumIndex sum = evaluateSum(*cell->value);
    if (sum.value.isPoison())
      return sum.value;
    if (!sum.terms.empty())
      return std::nullopt;
    Argument mode{"", {}, sum.value, sum.loc, sum.range};
    if (!requireMode(rules(), mode, [&](const Value &number) {
          return moveNumberOut(number);
        }))
      return Value::poison();
    modes.push_back({dim, mode.value});
    arguments.push_back(std::move(mode));
  }
  mlir::OpBuilder::InsertionGuard guard(builder);
  llvm::SaveAndRestore<ElementState *> saved(frame->element);
  if (frame->element) {
    builder.restoreInsertionPoint(frame->element->outside);
    frame->element = nullptr;
  }
  for (auto [argument, mode] : llvm::zip_equal(arguments, modes)) {
    auto [first, last] = getModes(dimOf(mode.first));
    OperatorSite site{argument.loc, {}, {}};
    const bool isKnown = mode.second.is(Value::Kind::Int);
    if (!checkCells(
            argument, {&mode.second},
            {compare(BinaryOp::Ge, mode.second, Value::integer(first), site),
             compare(BinaryOp::Le, mode.second, Value::integer(last), site)},
            "there is no mode " +
                (isKnown ? std::to_string(mode.second.getInt()) : "{:d}") +
                " of '" + mode.first.getLabel() + "', which has " +
                std::to_string(first) + " to " + std::to_string(last)))
      return Value::poison();
  }
  return emitReduce(pm::Reduction::Sum, base, fourier, expr.loc, [&](Value v) {
    Value isHere = atCells(modes, expr.loc);
    return choose(isHere, v, Value::integer(0).withUnit(v.getUnit()), expr.loc,
                  expr.loc, expr.loc, "a mode and 0");
  });
}
