//===- Precise.cpp - precise { … } ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the block, the elements of fields are f64. Fields that enter it become
// fields of f64 where they are named, or where a map reads an element. The
// fields of its value are rounded. Because conversions have an attribute,
// `pm-demote` does not compute in f32 between them.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Precise.h"

#include "dialect/IR/Markers/PMPrecise.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Fields.h"

#include "llvm/Support/SaveAndRestore.h"

#include <limits>

using namespace pmc;
namespace arith = mlir::arith;

Value Precise::widened(const Value &value, llvm::SMLoc loc) {
  if (value.isTuple() || value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements()) {
      parts.push_back(widened(part, loc));
      if (parts.back().isPoison())
        return parts.back();
    }
    return value.withElements(std::move(parts));
  }
  if (!value.isField())
    return value;
  const mlir::Type type = g.lowerField(value).getElementType();
  if (type != g.programType && type != mlir::ComplexType::get(g.programType))
    return value;
  // In a block where fields are f64, the elements of a map are, too.
  return g.buildMap(g.lowerField(value).getDims(), loc,
                    [&] { return g.element(value, loc); });
}

/// Ends the program if the largest element becomes 0 or infinite.
void Precise::checkNarrowed(const Value &field, llvm::SMLoc loc) {
  const mlir::Location at = g.getLoc(loc);
  const Value largest =
      g.emitReduce(pm::Reduction::Max, field, {}, loc, [&](Value element) {
        const auto size = [&](const Value &part) {
          return mlir::math::AbsFOp::create(
              g.builder, at, g.materialize(part.withUnit({}), g.f64Type, at));
        };
        if (!element.isComplex())
          return scalarOf(size(element));
        return scalarOf(arith::MaximumFOp::create(
            g.builder, at, size(element.getRe()), size(element.getIm())));
      });
  if (largest.isPoison())
    return;
  mlir::Value size = getSSA(largest);
  const auto compare = [&](arith::CmpFPredicate predicate, double bound) {
    return arith::CmpFOp::create(g.builder, at, predicate, size,
                                 g.floatConstant(bound, g.f64Type, at));
  };
  using P = arith::CmpFPredicate;
  // What rounds to 0 and to infinity in f32. A field that is infinite or not a
  // number before is another mistake.
  mlir::Value isInside =
      arith::AndIOp::create(g.builder, at, compare(P::OLT, 0x1.ffffffp127),
                            compare(P::OGT, 0x1p-150));
  mlir::Value isExact = arith::OrIOp::create(
      g.builder, at, compare(P::OEQ, 0),
      compare(P::UEQ, std::numeric_limits<double>::infinity()));
  auto check = pm::AssertOp::create(
      g.builder, at, arith::OrIOp::create(g.builder, at, isInside, isExact),
      "precise: the largest element of a field of the result, {} in working "
      "units, is 0 or infinite in f32, which holds numbers from 1e-45 to 3e38; "
      "choose other units, or --precision=f64",
      mlir::ValueRange(size));
  check.setFailure(true);
  check.setRange(true);
  g.effectsSeen = true;
}

Value Precise::narrowed(const Value &value, llvm::SMLoc loc) {
  if (value.isTuple() || value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : value.getElements()) {
      parts.push_back(narrowed(part, loc));
      if (parts.back().isPoison())
        return parts.back();
    }
    return value.withElements(std::move(parts));
  }
  if (!value.isField())
    return value;
  const mlir::Type type = g.lowerField(value).getElementType();
  const bool isWideComplex = type == mlir::ComplexType::get(g.f64Type);
  if (type != g.f64Type && !isWideComplex)
    return value;
  checkNarrowed(value, loc);
  const auto round = [&](const Value &number) {
    auto op = arith::TruncFOp::create(
        g.builder, g.getLoc(loc), g.programType,
        g.materialize(number.withUnit({}), g.f64Type, g.getLoc(loc)));
    op->setAttr(pm::preciseName, g.builder.getUnitAttr());
    return scalarOf(op);
  };
  Value made = g.buildMap(g.lowerField(value).getDims(), loc, [&]() -> Value {
    const Value number = g.element(value, loc);
    g.frame->element->wide = false;
    if (!number.isComplex())
      return round(number);
    return Value::complex(round(number.getRe()), round(number.getIm()), {});
  });
  if (made.isPoison())
    return made;
  made = made.withUnit(value.getUnit());
  return value.hasAnyUnit() ? made.withAnyUnit() : made;
}

Value Precise::block(const ast::BlockExpr &expr) {
  if (!requireWholeFields(g.rules(), "'precise'", expr.loc))
    return Value::poison();
  Value value;
  {
    llvm::SaveAndRestore<mlir::Type> wide(g.realType, g.f64Type);
    value = g.block(expr);
  }
  return value.isPoison() ? value : narrowed(value, expr.loc);
}
