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

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
using ast::BinaryOp;

/// The mode numbers of a dim, also of one of which half are stored.
static std::pair<int64_t, int64_t> getModes(pm::DimAttr dim) {
  const int64_t cells = dim.getExtent();
  if (dim.isHalf())
    return {-((cells - 1) / 2), cells / 2};
  return getIndexes(dim);
}

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
    if (auto known = mode.value.getConstInt())
      mode.value = Value::integer(*known);
    if (!mode.value.isIntLike() || mode.value.isUnsigned())
      return error(mode,
                   "a mode is picked by an int, not " + mode.value.describe());
    if (frame->element && mode.value.isScalar() &&
        !moveOut(getSSA(mode.value), frame->element->outside))
      return error(mode, "the mode is the same for all elements of a map; here "
                         "each has its own")
          .note(frame->element->loc, "the map begins here");
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
    auto [first, last] = getModes(mode.first);
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
