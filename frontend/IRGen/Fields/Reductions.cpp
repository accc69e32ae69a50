//===- Reductions.cpp - sum, mean, min, max, slice ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

#include "dialect/IR/PMRowOps.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"
#include "frontend/Sema/Rules/Fields/Reductions.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
using ast::BinaryOp;

/// Reduces the field over the dims at `dropped`, or over all if that is empty.
/// `transform` is applied to every element first.
Value Generator::emitReduce(pm::Reduction kind, const Value &field,
                            llvm::ArrayRef<unsigned> dropped, llvm::SMLoc loc,
                            llvm::function_ref<Value(Value)> transform,
                            const SliceBounds *bounds) {
  llvm::ArrayRef<pm::DimAttr> domain = lowerField(field).getDims();
  llvm::SmallVector<pm::DimAttr> kept;
  for (auto [index, dim] : llvm::enumerate(domain))
    if (!dropped.empty() && !llvm::is_contained(dropped, index))
      kept.push_back(dim);
  ElementState state;
  Value shape;
  llvm::SmallVector<mlir::Type> scalars, fields;
  auto block = buildBody(domain, loc, state, [&](auto &yields) {
    shape = transform(element(field, loc));
    if (shape.isPoison())
      return false;
    // Bools are counted; parts of complex numbers are summed apart.
    llvm::SmallVector<Value, 2> parts;
    if (shape.isComplex())
      parts = {shape.getRe(), shape.getIm()};
    else
      parts = {shape};
    for (const Value &part : parts) {
      bool keep = part.isScalar() && isFloat(part.getStorage());
      bool isInt = part.isIntLike() && !part.isConstNumber();
      mlir::Type type = keep ? lowerType(part) : isInt ? f64Type : realType;
      if (!kept.empty() && !state.wide && !isInt)
        type = realType;
      yields.push_back(materialize(part, type, getLoc(loc)));
      if (kept.empty())
        scalars.push_back(f64Type);
      else
        fields.push_back(fieldType(kept, type, loc));
    }
    return !llvm::is_contained(fields, mlir::Type());
  });
  if (!block)
    return Value::poison();
  auto op = pm::ReduceOp::create(builder, getLoc(loc), scalars, fields, kind,
                                 pm::DimsAttr::get(&context, domain),
                                 state.inputs, mlir::ValueRange());
  op.getBody().push_back(block.release());
  if (bounds) {
    op.setWithin(bounds->dim.getLabel());
    op.getBoundsMutable().assign({bounds->first, bounds->end});
  }
  Value result;
  if (kept.empty()) {
    result = scalarOf(op.getScalars()[0], shape.getUnit());
    if (shape.isComplex())
      result = Value::complex(scalarOf(op.getScalars()[0]),
                              scalarOf(op.getScalars()[1]), shape.getUnit());
  } else {
    result = fieldOf(op.getFields()[0], shape.getUnit());
    if (shape.isComplex()) {
      Value re = result, im = fieldOf(op.getFields()[1]);
      result = buildMap(kept, loc, [&] {
        return Value::complex(element(re, loc).withUnit({}), element(im, loc),
                              shape.getUnit());
      });
    }
  }
  return field.hasAnyUnit() ? result.withAnyUnit() : result;
}

Value Generator::reduceField(BuiltinCall &call, const Value &field,
                             const Argument *over) {
  if (field.isPoison())
    return field;
  if (field.isTuple() || field.isRecord()) {
    std::vector<Value> results;
    for (const Value &component : field.getElements())
      // A number among fields is all that there is of it.
      results.push_back(component.isRealNumber() && !over
                            ? component
                            : reduceField(call, component, over));
    return field.withElements(std::move(results));
  }
  pm::FieldType type = lowerField(field);
  llvm::SmallVector<unsigned> dropped;
  if (over) {
    auto listed = placeOver(rules(), field.getDims(), *over);
    if (!listed)
      return Value::poison();
    dropped = std::move(*listed);
  }
  pm::Reduction kind = pm::Reduction::Sum;
  if (call.info.id == BuiltinId::Min)
    kind = pm::Reduction::Min;
  else if (call.info.id == BuiltinId::Max)
    kind = pm::Reduction::Max;
  double cells = 1;
  for (auto [index, dim] : llvm::enumerate(type.getDims()))
    if (dropped.empty() || llvm::is_contained(dropped, index))
      cells *= double(dim.getExtent());
  if (dropped.size() == type.getRank())
    dropped.clear();
  Value result =
      emitReduce(kind, field, dropped, call.loc, [](Value v) { return v; });
  if (call.info.id != BuiltinId::Mean)
    return result;
  return binary(BinaryOp::Div, result, Value::real(cells), {call.loc, {}, {}});
}

Value Generator::callReduction(BuiltinCall &call) {
  std::string name = ("'" + call.info.name + "'").str();
  bool extreme =
      call.info.id == BuiltinId::Min || call.info.id == BuiltinId::Max;
  const bool isOfNumbers =
      extreme && (call.has(1) || call[0].value.isRealNumber());
  if (isOfNumbers && !accepts(call))
    return Value::poison();
  if (isOfNumbers) {
    OperatorSite site{call.loc, call[0].range, call[1].range};
    return lift(
        name, {call[0].value, call[1].value}, call.loc, [&](Elements v) {
          return minMax(call.info.id == BuiltinId::Max, v[0], v[1], site);
        });
  }
  if (!requireWholeFields(rules(), name, call.loc) || !accepts(call))
    return Value::poison();
  unsigned over = extreme ? 2 : 1;
  return reduceField(call, call[0].value,
                     call.has(over) ? &call[over] : nullptr);
}

//===----------------------------------------------------------------------===//
// inner
//===----------------------------------------------------------------------===//

/// Σ y_i b(x_i) over the rows of a: of tables over the same x, of their y.
static mlir::Value sumProducts(mlir::OpBuilder &builder, mlir::Location at,
                               mlir::Value a, mlir::Value b) {
  mlir::Value rows = mlir::arith::IndexCastOp::create(
      builder, at, builder.getIndexType(), pm::RowsOp::create(builder, at, a));
  mlir::Value zero =
      mlir::arith::ConstantOp::create(builder, at, builder.getF64FloatAttr(0));
  auto loop = mlir::scf::ForOp::create(
      builder, at, mlir::arith::ConstantIndexOp::create(builder, at, 0), rows,
      mlir::arith::ConstantIndexOp::create(builder, at, 1), zero,
      [&](mlir::OpBuilder &inside, mlir::Location, mlir::Value variable,
          mlir::ValueRange sum) {
        mlir::Value row = mlir::arith::IndexCastOp::create(
            inside, at, inside.getI64Type(), variable);
        mlir::Value x = pm::RowXOp::create(inside, at, a, row);
        mlir::Value product = mlir::arith::MulFOp::create(
            inside, at, pm::RowYOp::create(inside, at, a, row),
            pm::LookupOp::create(inside, at, b, x));
        mlir::Value next =
            mlir::arith::AddFOp::create(inside, at, sum[0], product);
        mlir::scf::YieldOp::create(inside, at, next);
      });
  return loop.getResult(0);
}

/// Of numbers, fields, tables, and tuples and records of them.
Value Generator::inner(const Value &a, const Value &b,
                       const OperatorSite &site) {
  if (a.isPoison() || b.isPoison() || !tick(site.loc))
    return Value::poison();
  bool sameParts = a.getKind() == b.getKind() &&
                   a.getElements().size() == b.getElements().size() &&
                   (!a.isRecord() || hasSameMembers(a, b));
  if ((a.isTuple() || a.isRecord()) && sameParts) {
    Value result = Value::integer(0);
    for (auto [x, y] : llvm::zip_equal(a.getElements(), partsLike(b, a)))
      result = binary(BinaryOp::Add, result, inner(x, y, site), site);
    return result;
  }
  if (a.is(Value::Kind::Table) && b.is(Value::Kind::Table)) {
    if (!requireTablesOutside(rules(), site.loc))
      return Value::poison();
    return scalarOf(
        sumProducts(builder, getLoc(site.loc), getSSA(a), getSSA(b)),
        a.getUnit() * b.getUnit());
  }
  bool fields = a.isField() && b.isField() &&
                lowerField(a).getDims() == lowerField(b).getDims();
  // Re(a* b).
  Value product = lift("'inner'", {a, b}, site.loc, [&](Elements v) -> Value {
    if (!v[0].isComplex() || !v[1].isComplex()) {
      auto real = [](const Value &x) { return x.isComplex() ? x.getRe() : x; };
      return binary(BinaryOp::Mul, real(v[0]), real(v[1]), site);
    }
    Value re = partMul(v[0].getRe(), v[1].getRe(), site.loc);
    Value im = partMul(v[0].getIm(), v[1].getIm(), site.loc);
    return partAdd(re, im, site.loc).withUnit(v[0].getUnit() * v[1].getUnit());
  });
  if (!fields || product.isPoison())
    return product;
  return emitReduce(pm::Reduction::Sum, product, {}, site.loc,
                    [](Value v) { return v; });
}

Value Generator::callInner(BuiltinCall &call) {
  if ((call[0].value.isField() || call[1].value.isField()) &&
      !requireWholeFields(rules(), "'inner'", call.loc))
    return Value::poison();
  if (!accepts(call))
    return Value::poison();
  return inner(call[0].value, call[1].value,
               {call.loc, call[0].range, call[1].range});
}

//===----------------------------------------------------------------------===//
// finite
//===----------------------------------------------------------------------===//

/// Whether all numbers that the value holds are finite.
Value Generator::hasOnly(bool zeros, const Value &value, llvm::SMLoc loc) {
  const BinaryOp test = zeros ? BinaryOp::Eq : BinaryOp::Ne;
  auto holds = [&](const Value &number) {
    return compare(test, number, Value::integer(0), {loc, {}, {}});
  };
  if (!value.isField())
    return value.isRealNumber() ? holds(value.withUnit({})) : Value::poison();
  if (!isFloat(value.getStorage()))
    return Value::poison();
  Value others = emitReduce(
      pm::Reduction::Sum, value.withUnit({}), {}, loc, [&](Value v) -> Value {
        mlir::Location at = getLoc(loc);
        return scalarOf(mlir::arith::SelectOp::create(
            builder, at, materialize(holds(v), i1Type, at),
            floatConstant(0, realType, at), floatConstant(1, realType, at)));
      });
  return others.isPoison()
             ? others
             : compare(BinaryOp::Eq, others, Value::integer(0), {loc, {}, {}});
}

Value Generator::finite(const Value &value, const Argument &arg,
                        llvm::SMLoc loc) {
  if (value.isPoison() || !tick(loc))
    return Value::poison();
  if (value.is(Value::Kind::Coordinate) || value.isIntLike() ||
      value.isBoolLike() || value.isConstNumber())
    return Value::boolean(true);
  if (value.isField() && !frame->element) {
    if (!requireWholeFields(rules(), "'finite'", loc))
      return Value::poison();
    if (value.isFieldOf(Storage::I1) || value.isFieldOf(Storage::I64))
      return Value::boolean(true);
    // How many are not.
    Value count = emitReduce(
        pm::Reduction::Sum, value.withUnit({}), {}, loc, [&](Value v) -> Value {
          Value is = finite(v, arg, loc);
          mlir::Location at = getLoc(loc);
          return scalarOf(mlir::arith::SelectOp::create(
              builder, at, materialize(is, i1Type, at),
              floatConstant(0, realType, at), floatConstant(1, realType, at)));
        });
    if (count.isPoison())
      return count;
    return compare(BinaryOp::Eq, count, Value::integer(0), {loc, {}, {}});
  }
  if (value.isField())
    return finite(element(value, loc), arg, loc);
  if (value.isScalar()) {
    mlir::Location at = getLoc(loc);
    mlir::Value x = getSSA(value);
    mlir::Value most =
        floatConstant(std::numeric_limits<double>::infinity(), x.getType(), at);
    return scalarOf(mlir::arith::CmpFOp::create(
        builder, at, mlir::arith::CmpFPredicate::OLT,
        mlir::math::AbsFOp::create(builder, at, x), most));
  }
  if (!requireFinite(rules(), arg.with(value)))
    return Value::poison();
  Value all = Value::boolean(true);
  for (const Value &part : value.getElements()) {
    Value is = finite(part, arg, loc);
    if (is.isPoison())
      return is;
    all = all.is(Value::Kind::Bool) ? is
          : is.is(Value::Kind::Bool)
              ? all
              : boolBinary(BinaryOp::And, all, is, {loc, {}, {}});
  }
  return all;
}

Value Generator::callFinite(BuiltinCall &call) {
  return finite(call[0].value, call[0], call.loc);
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

/// `slice(f, z = a .. b)`: the mean over the cells a <= i < b of z.
Value Generator::slice(const ast::CallExpr &expr) {
  if (!requireWholeFields(rules(), "'slice'", expr.loc))
    return Value::poison();
  if (!checkSliceForm(rules(), expr))
    return Value::poison();
  Argument field = evaluateArgument(*expr.args[0].value);
  Argument range = evaluateArgument(*expr.args[1].value);
  if (field.value.isPoison() || range.value.isPoison())
    return Value::poison();
  return sliced(field, expr.args[1].name, range, expr.loc);
}

Value Generator::sliced(const Argument &field, const ast::Name &name,
                        Argument range, llvm::SMLoc loc) {
  if (field.value.isPoison())
    return field.value;
  if (field.value.isTuple() || field.value.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : field.value.getElements()) {
      Argument one = field;
      one.value = part;
      parts.push_back(sliced(one, name, range, loc));
    }
    return field.value.withElements(std::move(parts));
  }
  if (!requireSliced(rules(), field))
    return Value::poison();
  // One cell: `z = 3`, `z = n / 2`.
  const bool isCell = becomesInt(range.value);
  if (isCell) {
    Value next = realBinary(BinaryOp::Add, range.value, Value::integer(1), {},
                            range.loc);
    if (next.isPoison())
      return next;
    range.value = Value::range(range.value, next);
  }
  const auto bounds = readBounds(rules(), range);
  if (!bounds)
    return Value::poison();
  const auto &[begin, end] = *bounds;
  pm::FieldType type = lowerField(field.value);
  pm::DimAttr dim = namedDim(field.value, name);
  if (!dim)
    return Value::poison();
  unsigned position = llvm::find(type.getDims(), dim) - type.getDims().begin();
  if (!requireSliceDim(rules(), dimOf(dim), isCell, name.loc))
    return Value::poison();
  mlir::Location at = getLoc(loc);
  if (!checkModes(rules(), field.value.getDims(), dimOf(dim), Edge::Periodic,
                  name.loc) ||
      !checkSlice(range, begin, end, dim, isCell))
    return Value::poison();
  auto from = begin.getConstInt(), to = end.getConstInt();
  if (from && to)
    knownSlices[range.loc.getPointer()] = {*from, *to};
  else
    knownSlices.erase(range.loc.getPointer());
  Value first = scalarOf(materialize(begin, f64Type, at));
  Value last = scalarOf(materialize(end, f64Type, at));
  Value stored = begin, storedEnd = end;
  if (!dim.isSpace()) {
    stored = storedMode(begin, dim, loc);
    storedEnd = realBinary(BinaryOp::Add, stored, Value::integer(1), {}, loc);
  }
  SliceBounds cells{dim, materialize(stored, i64Type, at),
                    materialize(storedEnd, i64Type, at)};
  Value sum = emitReduce(
      pm::Reduction::Sum, field.value, {position}, loc,
      [&](Value v) -> Value {
        Value index =
            coordinateOf(Value::coordinate(frame->element->id), dim, loc, true);
        OperatorSite site{loc, {}, {}};
        Value inside =
            boolBinary(BinaryOp::And, compare(BinaryOp::Ge, index, first, site),
                       compare(BinaryOp::Lt, index, last, site), site);
        auto mask = [&](const Value &part) {
          mlir::Value x = materialize(part, floatTypeOf(part), at);
          mlir::Value zero = floatConstant(0, x.getType(), at);
          return scalarOf(mlir::arith::SelectOp::create(
                              builder, at, getSSA(inside), x, zero),
                          part.getUnit());
        };
        if (v.isComplex())
          return Value::complex(mask(v.getRe()), mask(v.getIm()), v.getUnit());
        return mask(v);
      },
      &cells);
  if (isCell)
    return sum;
  Value count = realBinary(BinaryOp::Sub, last, first, {}, loc);
  return binary(BinaryOp::Div, sum, count, {loc, {}, {}});
}
