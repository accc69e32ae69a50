//===- GridTables.cpp - Tables over several axes, cubic interpolation -----===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table over several axes consists of tables over one axis: `Value::grid`.
// The value at the points (i, j) of two axes is in row i n + j of the table of
// values, for n points of the second axis.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Numbers.h"
#include "frontend/Sema/Rules/Program/Options.h"

#include "dialect/IR/PMChecks.h"
#include "dialect/IR/PMRowOps.h"

#include "mlir/Analysis/SliceAnalysis.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
namespace arith = mlir::arith;

namespace {

/// Arithmetic of f64 and i64.
class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Location at)
      : builder(builder), at(at) {}

  mlir::Value number(double value) {
    return arith::ConstantOp::create(builder, at,
                                     builder.getF64FloatAttr(value));
  }
  mlir::Value index(int64_t value) {
    return arith::ConstantOp::create(builder, at,
                                     builder.getI64IntegerAttr(value));
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return a.getType().isInteger()
               ? arith::AddIOp::create(builder, at, a, b).getResult()
               : arith::AddFOp::create(builder, at, a, b).getResult();
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return a.getType().isInteger()
               ? arith::SubIOp::create(builder, at, a, b).getResult()
               : arith::SubFOp::create(builder, at, a, b).getResult();
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return a.getType().isInteger()
               ? arith::MulIOp::create(builder, at, a, b).getResult()
               : arith::MulFOp::create(builder, at, a, b).getResult();
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return a.getType().isInteger()
               ? arith::DivSIOp::create(builder, at, a, b).getResult()
               : arith::DivFOp::create(builder, at, a, b).getResult();
  }
  mlir::Value mul(double a, mlir::Value b) { return mul(number(a), b); }
  mlir::Value neg(mlir::Value a) {
    return arith::NegFOp::create(builder, at, a);
  }
  mlir::Value less(mlir::Value a, mlir::Value b) {
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::slt, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return arith::SelectOp::create(builder, at, condition, a, b);
  }
  /// Beside the table, so that maps do not count for each element.
  mlir::Value rows(mlir::Value table) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(table);
    return pm::RowsOp::create(builder, at, table);
  }
  mlir::Value x(mlir::Value table, mlir::Value row) {
    return pm::RowXOp::create(builder, at, table, row);
  }
  mlir::Value y(mlir::Value table, mlir::Value row) {
    return pm::RowYOp::create(builder, at, table, row);
  }
  mlir::Value find(mlir::Value table, mlir::Value position) {
    return pm::FindRowOp::create(builder, at, table, position);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location at;
};

/// The rows of an axis that count at a position, and how much.
struct Stencil {
  llvm::SmallVector<mlir::Value, 4> rows, weights;
};

/// The two rows of the piece.
Stencil linearStencil(Arithmetic &emit, mlir::Value axis,
                      mlir::Value position) {
  mlir::Value row = emit.find(axis, position);
  mlir::Value next = emit.add(row, emit.index(1));
  mlir::Value left = emit.x(axis, row);
  mlir::Value width = emit.sub(emit.x(axis, next), left);
  mlir::Value part = emit.div(emit.sub(position, left), width);
  return {{row, next}, {emit.sub(emit.number(1), part), part}};
}

/// Four rows: the cubic polynomial with the values at both ends of the piece,
/// and there the slopes of the parabolas through three rows each. Beyond an
/// end, a row on the parabola through the last three rows is assumed, or on the
/// straight line through two.
Stencil cubicStencil(Arithmetic &emit, mlir::Value axis, mlir::Value position) {
  mlir::Value one = emit.index(1);
  mlir::Value row = emit.find(axis, position), next = emit.add(row, one);
  mlir::Value hasBefore = emit.less(emit.index(0), row);
  mlir::Value hasAfter = emit.less(emit.add(next, one), emit.rows(axis));
  mlir::Value before = emit.select(hasBefore, emit.sub(row, one), row);
  mlir::Value after = emit.select(hasAfter, emit.add(next, one), next);
  mlir::Value x0 = emit.x(axis, row), x1 = emit.x(axis, next);
  // Widths of the piece and of its neighbors.
  mlir::Value h = emit.sub(x1, x0);
  mlir::Value a = emit.select(hasBefore, emit.sub(x0, emit.x(axis, before)), h);
  mlir::Value b = emit.select(hasAfter, emit.sub(emit.x(axis, after), x1), h);
  mlir::Value ah = emit.add(a, h), hb = emit.add(h, b);
  // Hermite's polynomials, those of slopes times the width.
  mlir::Value t = emit.div(emit.sub(position, x0), h);
  mlir::Value t2 = emit.mul(t, t), t3 = emit.mul(t2, t);
  mlir::Value end = emit.sub(emit.mul(3, t2), emit.mul(2, t3));
  mlir::Value slope0 = emit.mul(h, emit.add(emit.sub(t3, emit.mul(2, t2)), t));
  mlir::Value slope1 = emit.mul(h, emit.sub(t3, t2));
  auto ratio = [&](mlir::Value p, mlir::Value q, mlir::Value r) {
    return emit.div(p, emit.mul(q, r));
  };
  mlir::Value wBefore = emit.neg(emit.mul(slope0, ratio(h, a, ah)));
  mlir::Value w0 =
      emit.add(emit.sub(emit.number(1), end),
               emit.sub(emit.mul(slope0, ratio(emit.sub(h, a), a, h)),
                        emit.mul(slope1, ratio(b, h, hb))));
  mlir::Value w1 =
      emit.add(end, emit.add(emit.mul(slope0, ratio(a, h, ah)),
                             emit.mul(slope1, ratio(emit.sub(b, h), h, b))));
  mlir::Value wAfter = emit.mul(slope1, ratio(h, b, hb));
  // The row before the first one is assumed at x0 - h, that after the last one
  // at x1 + h.
  mlir::Value zero = emit.number(0);
  mlir::Value wide = emit.add(emit.mul(2, h), b);
  mlir::Value assumed = emit.select(hasBefore, zero, wBefore);
  w0 = emit.add(w0, emit.mul(assumed, emit.mul(2, emit.div(wide, hb))));
  w1 = emit.sub(w1, emit.mul(assumed, emit.div(wide, b)));
  wAfter = emit.add(
      wAfter, emit.mul(assumed,
                       emit.mul(2, emit.div(emit.mul(h, h), emit.mul(hb, b)))));
  wBefore = emit.sub(wBefore, assumed);
  assumed = emit.select(hasAfter, zero, wAfter);
  wide = emit.add(emit.mul(2, h), a);
  auto ofTwo = [&](double two, mlir::Value three) {
    return emit.select(hasBefore, three, emit.number(two));
  };
  w1 = emit.add(w1,
                emit.mul(assumed, ofTwo(2, emit.mul(2, emit.div(wide, ah)))));
  w0 = emit.add(w0, emit.mul(assumed, ofTwo(-1, emit.neg(emit.div(wide, a)))));
  wBefore = emit.add(
      wBefore,
      emit.mul(assumed, ofTwo(0, emit.mul(2, emit.div(emit.mul(h, h),
                                                      emit.mul(ah, a))))));
  wAfter = emit.sub(wAfter, assumed);
  return {{before, row, next, after}, {wBefore, w0, w1, wAfter}};
}

/// Σ over the rows of the axes from `axis` on. `row`: the row of the table of
/// values that belongs to the rows of the axes before.
mlir::Value weightedSum(Arithmetic &emit, llvm::ArrayRef<mlir::Value> axes,
                        llvm::ArrayRef<Stencil> stencils, mlir::Value values,
                        mlir::Value row) {
  mlir::Value sum;
  const Stencil &stencil = stencils.front();
  mlir::Value first =
      row ? emit.mul(row, emit.rows(axes.front())) : mlir::Value();
  for (auto [own, weight] : llvm::zip_equal(stencil.rows, stencil.weights)) {
    mlir::Value at = first ? emit.add(first, own) : own;
    mlir::Value value = axes.size() == 1
                            ? emit.y(values, at)
                            : weightedSum(emit, axes.drop_front(),
                                          stencils.drop_front(), values, at);
    value = emit.mul(weight, value);
    sum = sum ? emit.add(sum, value) : value;
  }
  return sum;
}

/// The indices of the points of all axes that belong to a row of values.
llvm::SmallVector<mlir::Value>
pointsOf(Arithmetic &emit, llvm::ArrayRef<mlir::Value> axes, mlir::Value row) {
  llvm::SmallVector<mlir::Value> points(axes.size());
  for (size_t i = axes.size(); i-- > 1;) {
    mlir::Value count = emit.rows(axes[i]);
    mlir::Value rest = emit.div(row, count);
    points[i] = emit.sub(row, emit.mul(rest, count));
    row = rest;
  }
  points[0] = row;
  return points;
}

/// The tables of the axes of a table; of one over one axis, itself.
llvm::SmallVector<Value> axesOf(const Value &table) {
  if (!table.isGrid())
    return {table};
  return llvm::SmallVector<Value>(table.getElements().drop_back());
}

llvm::SmallVector<mlir::Value> listSSA(llvm::ArrayRef<Value> values) {
  return llvm::map_to_vector(values,
                             [](const Value &value) { return getSSA(value); });
}

/// Whether a value is computed from one of these.
bool dependsOn(mlir::Value value, llvm::ArrayRef<mlir::Value> others) {
  llvm::SetVector<mlir::Operation *> slice;
  mlir::BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  (void)mlir::getBackwardSlice(value, &slice, options);
  return llvm::any_of(others, [&](mlir::Value other) {
    return value == other || slice.contains(other.getDefiningOp());
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// interpolate
//===----------------------------------------------------------------------===//

Value Generator::callInterpolate(BuiltinCall &call) {
  const Value &table = call[0].value;
  for (const std::optional<Argument> &arg : call.args)
    if (arg && arg->value.isPoison())
      return Value::poison();
  if (!accepts(call))
    return Value::poison();
  const std::optional<Interpolation> method =
      call.has(4) ? readChoice<Interpolation>(rules(), call[4], methodOption)
                  : std::optional(Interpolation::Linear);
  if (!method)
    return Value::poison();
  if (!table.isGrid() && *method == Interpolation::Linear)
    return callLookup(call);
  const llvm::SmallVector<Value> axes = axesOf(table);
  const Value &values = table.isGrid() ? table.getElements().back() : table;
  llvm::SmallVector<Value, 3> positions;
  for (size_t i = 0; i < axes.size(); ++i)
    positions.push_back(call[1 + i].value);
  return lift("'interpolate'", positions, call.loc, [&](Elements v) -> Value {
    mlir::Location at = getLoc(call.loc);
    Arithmetic emit(builder, at);
    llvm::SmallVector<Stencil> stencils;
    llvm::SmallVector<mlir::Value> tables = listSSA(axes);
    for (size_t i = 0; i < axes.size(); ++i) {
      if (!checkLookup(rules(), "'interpolate'", call[1 + i], v[i], axes[i]))
        return Value::poison();
      mlir::Value position = materialize(v[i], f64Type, at);
      stencils.push_back(*method == Interpolation::Cubic
                             ? cubicStencil(emit, tables[i], position)
                             : linearStencil(emit, tables[i], position));
    }
    mlir::Value sum = weightedSum(emit, tables, stencils, getSSA(values), {});
    sum.getDefiningOp()->setAttr(pm::interpolatedName, builder.getUnitAttr());
    return scalarOf(sum, values.getUnit());
  });
}

//===----------------------------------------------------------------------===//
// tabulate
//===----------------------------------------------------------------------===//

Value Generator::tabulateGrid(BuiltinCall &call) {
  const Argument &f = call[0];
  mlir::Location at = getLoc(call.loc);
  Arithmetic emit(builder, at);
  llvm::SmallVector<mlir::Value> axes;
  llvm::SmallVector<Unit> units;
  mlir::Value count;
  for (size_t i = 0; i < call[1].value.getElements().size(); ++i) {
    auto part = [&](unsigned argument) {
      Argument one = call[argument];
      one.value = call[argument].value.getElements()[i];
      return one;
    };
    const Argument from = part(1), to = part(2);
    const auto points = readPoints(rules(), part(3));
    if (!points || !requireSameUnit(rules(), "'tabulate'", from.value, to.value,
                                    {call.loc, from.range, to.range}))
      return Value::poison();
    units.push_back(from.value.hasAnyUnit() ? to.value.getUnit()
                                            : from.value.getUnit());
    mlir::Value own = materialize(*points, i64Type, at);
    auto axis = pm::TabulateOp::create(builder, at,
                                       materialize(from.value, f64Type, at),
                                       materialize(to.value, f64Type, at), own);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&axis.getBody(), {}, {f64Type}, {at});
    pm::YieldOp::create(builder, at, floatConstant(0, f64Type, at));
    axes.push_back(axis.getTable());
    builder.setInsertionPointAfter(axis);
    count = count ? emit.mul(count, own) : own;
  }
  mlir::Value last = arith::SIToFPOp::create(builder, at, f64Type,
                                             emit.sub(count, emit.index(1)));
  auto op = pm::TabulateOp::create(builder, at, emit.number(0), last, count);
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body = builder.createBlock(&op.getBody(), {}, {f64Type}, {at});
  Frame inner = *frame;
  inner.scalarsOnly = "in the function of a table";
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  mlir::Value row =
      arith::FPToSIOp::create(builder, at, i64Type, body->getArgument(0));
  llvm::SmallVector<Argument, 3> arguments;
  for (auto [axis, unit, point] :
       llvm::zip_equal(axes, units, pointsOf(emit, axes, row)))
    arguments.push_back(
        {"", {}, scalarOf(emit.x(axis, point), unit), f.loc, f.range});
  Value y = apply(f.value, {arguments, f.loc});
  if (!y.isPoison() && !requireTableValue(rules(), f, y))
    y = Value::poison();
  pm::YieldOp::create(builder, at,
                      y.isPoison() ? body->getArgument(0)
                                   : materialize(y, f64Type, at));
  if (y.isPoison())
    return y;
  std::vector<Value> parts;
  for (auto [axis, unit] : llvm::zip_equal(axes, units))
    parts.push_back(tableOf(axis, unit, y.getUnit()));
  return Value::grid(std::move(parts),
                     tableOf(op.getTable(), Unit(), y.getUnit()));
}

//===----------------------------------------------------------------------===//
// transform
//===----------------------------------------------------------------------===//

Value Generator::transformGrid(BuiltinCall &call) {
  const Argument &table = call[0], &f = call[1];
  mlir::Location at = getLoc(call.loc);
  Arithmetic emit(builder, at);
  const llvm::SmallVector<Value> axes = axesOf(table.value);
  const llvm::SmallVector<mlir::Value> tables = listSSA(axes);
  const Value &values = table.value.getElements().back();
  Frame inner = *frame;
  inner.scalarsOnly = "in the function of a table";
  llvm::SaveAndRestore<Frame *> saved(frame, &inner);
  // The row of the function at these positions and this value.
  auto rowAt = [&](llvm::ArrayRef<mlir::Value> positions, mlir::Value y) {
    llvm::SmallVector<Argument, 4> arguments;
    for (auto [axis, position] : llvm::zip_equal(axes, positions))
      arguments.push_back(
          {"", {}, scalarOf(position, axis.getXUnit()), f.loc, f.range});
    arguments.push_back(
        {"", {}, scalarOf(y, values.getUnit()), f.loc, f.range});
    Value row = apply(f.value, {arguments, f.loc});
    const bool fits =
        !row.isPoison() && requireTableRow(rules(), f, row, axes.size());
    return fits ? row : Value::poison();
  };
  auto transformed = [&](mlir::Value from, auto compute) -> mlir::Value {
    auto op = pm::TransformOp::create(builder, at, from);
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block *body =
        builder.createBlock(&op.getBody(), {}, {f64Type, f64Type}, {at, at});
    llvm::SmallVector<mlir::Value> row = compute(*body);
    pm::YieldOp::create(builder, at,
                        row.empty() ? mlir::ValueRange(body->getArguments())
                                    : mlir::ValueRange(row));
    return row.empty() ? mlir::Value() : op.getResult();
  };
  std::vector<Value> parts;
  Unit unit;
  for (size_t i = 0; i < axes.size(); ++i) {
    Unit xUnit;
    mlir::Value made = transformed(
        tables[i], [&](mlir::Block &body) -> llvm::SmallVector<mlir::Value> {
          llvm::SmallVector<mlir::Value> positions, others;
          for (size_t j = 0; j < axes.size(); ++j) {
            positions.push_back(i == j ? mlir::Value(body.getArgument(0))
                                       : emit.x(tables[j], emit.index(0)));
            if (i != j)
              others.push_back(positions.back());
          }
          others.push_back(emit.y(getSSA(values), emit.index(0)));
          Value row = rowAt(positions, others.back());
          if (row.isPoison())
            return {};
          const Value &x = row.getElements()[i];
          mlir::Value newX = materialize(x, f64Type, at);
          if (!requireOwnAxis(rules(), f, i, dependsOn(newX, others)))
            return {};
          xUnit = x.getUnit();
          unit = row.getElements().back().getUnit();
          return {newX, body.getArgument(1)};
        });
    if (!made)
      return Value::poison();
    parts.push_back(tableOf(made, xUnit, unit));
  }
  mlir::Value made = transformed(
      getSSA(values), [&](mlir::Block &body) -> llvm::SmallVector<mlir::Value> {
        mlir::Value number =
            arith::FPToSIOp::create(builder, at, i64Type, body.getArgument(0));
        llvm::SmallVector<mlir::Value> positions;
        for (auto [axis, point] :
             llvm::zip_equal(tables, pointsOf(emit, tables, number)))
          positions.push_back(emit.x(axis, point));
        Value row = rowAt(positions, body.getArgument(1));
        if (row.isPoison())
          return {};
        return {body.getArgument(0),
                materialize(row.getElements().back(), f64Type, at)};
      });
  if (!made)
    return Value::poison();
  return Value::grid(std::move(parts), tableOf(made, Unit(), unit));
}
