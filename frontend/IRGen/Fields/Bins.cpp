//===- Bins.cpp - bins ----------------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `bins q in F into 16 by i => v` makes a dim for the bins; `into pix by p` and
// `into (a, b) by (i, j)` go to the cells of dims of the spec.
//
// `collect q in F where c into N => v` is `bins` by the number of selected
// elements before each, counted row by row, which a function of the library
// finds.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Calls.h"
#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Rules/Fields/Reductions.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
namespace arith = mlir::arith;

namespace pmc {

/// Where what a generator bins goes.
class Binning {
public:
  explicit Binning(Generator &generator) : g(generator) {}

  Value bins(const ast::BinsExpr &expr);

private:
  /// `what`: the bins, or what there are so many of.
  bool listBins(const Argument &count, const char *what,
                llvm::SmallVectorImpl<pm::DimAttr> &list);
  mlir::Value binOf(const Value &index, llvm::ArrayRef<pm::DimAttr> list,
                    const ast::Expr &expr);
  Value binned(const ast::BinsExpr &expr, llvm::ArrayRef<pm::DimAttr> domain,
               llvm::ArrayRef<pm::DimAttr> list,
               llvm::function_ref<mlir::Value()> index);
  Value selection(const ast::BinsExpr &expr,
                  llvm::ArrayRef<pm::DimAttr> domain);
  Value collect(const ast::BinsExpr &expr, llvm::ArrayRef<pm::DimAttr> domain,
                llvm::ArrayRef<pm::DimAttr> list, const Argument &size);
  mlir::Value binAlong(const Value &index, int64_t cells,
                       const ast::Expr &expr);

  Generator &g;
};

} // namespace pmc

/// The dims of the bins: of a number, one of their own.
bool Binning::listBins(const Argument &count, const char *what,
                       llvm::SmallVectorImpl<pm::DimAttr> &list) {
  const auto bins = readBins(g.rules(), count, what);
  if (!bins)
    return false;
  if (!bins->dims.empty()) {
    llvm::append_range(list, g.lower(bins->dims));
    return bool(g.fieldType(list, g.f64Type, count.loc));
  }
  list.push_back(g.binDim(bins->count));
  return true;
}

/// The bin along one dim, an i64; -1 or a number beyond if it is none. Null
/// after an error.
mlir::Value Binning::binAlong(const Value &index, int64_t cells,
                              const ast::Expr &expr) {
  if (index.isPoison())
    return {};
  const Argument bin{"", {}, index, expr.loc, expr.range};
  const bool isNarrow = index.isRealNumber() && !index.isIntLike() &&
                        g.floatTypeOf(index) != g.f64Type;
  if (!checkBin(g.rules(), bin, cells, isNarrow))
    return {};
  mlir::Location at = g.getLoc(expr.loc);
  if (index.isIntLike())
    return g.materialize(index, g.i64Type, at);
  mlir::Value x = g.materialize(index, g.floatTypeOf(index), at);
  if (!x.getDefiningOp<mlir::math::FloorOp>())
    x = mlir::math::FloorOp::create(g.builder, at, x);
  // What no int holds, inf and NaN among it, is in no bin.
  auto bound = [&](double value) {
    return g.floatConstant(value, x.getType(), at);
  };
  mlir::Value above = arith::CmpFOp::create(
      g.builder, at, arith::CmpFPredicate::OGE, x, bound(0));
  mlir::Value below = arith::CmpFOp::create(
      g.builder, at, arith::CmpFPredicate::OLT, x, bound(double(cells)));
  mlir::Value inside = arith::AndIOp::create(g.builder, at, above, below);
  x = arith::SelectOp::create(g.builder, at, inside, x, bound(-1));
  return arith::FPToSIOp::create(g.builder, at, g.i64Type, x);
}

/// The bin among those of all dims, counted row by row; -1 if it is none.
mlir::Value Binning::binOf(const Value &index, llvm::ArrayRef<pm::DimAttr> list,
                           const ast::Expr &expr) {
  if (list.size() == 1 && !index.isTuple())
    return binAlong(index, list[0].getExtent(), expr);
  if (index.isPoison())
    return {};
  if (!requireBinTuple(g.rules(), index, dimsOf(list), expr.loc))
    return {};
  mlir::Location at = g.getLoc(expr.loc);
  mlir::Value all, inside;
  for (auto [dim, part] : llvm::zip_equal(list, index.getElements())) {
    mlir::Value bin =
        binAlong(g.element(part, expr.loc), dim.getExtent(), expr);
    if (!bin)
      return {};
    mlir::Value cells = g.intConstant(dim.getExtent(), at);
    mlir::Value here = arith::CmpIOp::create(
        g.builder, at, arith::CmpIPredicate::ult, bin, cells);
    inside =
        inside ? arith::AndIOp::create(g.builder, at, inside, here).getResult()
               : here;
    all = all ? arith::AddIOp::create(
                    g.builder, at,
                    arith::MulIOp::create(g.builder, at, all, cells), bin)
                    .getResult()
              : bin;
  }
  return arith::SelectOp::create(g.builder, at, inside, all,
                                 g.intConstant(-1, at));
}

Value Binning::bins(const ast::BinsExpr &expr) {
  llvm::SmallVector<pm::DimAttr> domain, list;
  Argument count = g.evaluateArgument(*expr.count);
  if (!g.evaluateDomain(expr.domain.get(), expr.dims, expr.loc, domain) ||
      count.value.isPoison() ||
      !listBins(count, expr.where ? "elements" : "bins", list)) {
    if (g.checker && list.empty() && !count.value.holdsFree() &&
        !count.value.isPoison())
      (void)listBins(count, expr.where ? "elements" : "bins", list);
    if (g.checker)
      (void)g.checker->map(expr.variable, {expr.index.get(), expr.body.get()},
                           expr.where.get(), "'collect'");
    return Value::poison();
  }
  if (expr.where)
    return collect(expr, domain, list, count);
  return binned(expr, domain, list, [&]() -> mlir::Value {
    Value index = g.elements(g.evaluate(*expr.index), expr.index->loc);
    if (index.isPoison())
      return {};
    return binOf(index, list, *expr.index);
  });
}

/// The sums of the body's values in bins whose number `index` compiles.
Value Binning::binned(const ast::BinsExpr &expr,
                      llvm::ArrayRef<pm::DimAttr> domain,
                      llvm::ArrayRef<pm::DimAttr> list,
                      llvm::function_ref<mlir::Value()> index) {
  ElementState state;
  Value shape;
  bool single = false;
  std::vector<Unit> units;
  auto block = g.buildBody(domain, expr.loc, state, [&](auto &yields) {
    Scope scope(g.frame->scope);
    llvm::SaveAndRestore<Scope *> saved(g.frame->scope, &scope);
    scope.names[expr.variable.text] = Value::coordinate(state.id);
    mlir::Value bin = index();
    shape = g.evaluate(*expr.body);
    if (!bin || shape.isPoison())
      return false;
    yields.push_back(bin);
    single = !shape.isTuple();
    std::vector<Value> values(shape.getElements());
    if (single)
      values = {shape};
    bool ok = !values.empty();
    for (Value value : values) {
      value = g.element(value, expr.body->loc);
      if (value.isPoison())
        return false;
      if (!requireBinned(g.rules(), value, bool(expr.where), expr.body->loc)) {
        ok = false;
        continue;
      }
      mlir::Type type =
          value.isScalar() && value.getStorage() == g.realStorage() ? g.realType
                                                                    : g.f64Type;
      yields.push_back(g.materialize(value, type, g.getLoc(expr.body->loc)));
      units.push_back(value.getUnit());
    }
    return ok;
  });
  if (!block)
    return Value::poison();
  pm::FieldType type = g.fieldType(list, g.f64Type, expr.loc);
  if (!type)
    return Value::poison();
  llvm::SmallVector<mlir::Type> types(units.size(), type);
  auto op = pm::BinsOp::create(g.builder, g.getLoc(expr.loc), types,
                               pm::DimsAttr::get(&g.context, domain),
                               state.inputs, mlir::ValueRange());
  op.getBody().push_back(block.release());
  std::vector<Value> results;
  for (auto [value, unit] : llvm::zip_equal(op.getResults(), units))
    results.push_back(fieldOf(value, unit));
  return single ? results[0] : Value::tuple(std::move(results));
}

//===----------------------------------------------------------------------===//
// collect
//===----------------------------------------------------------------------===//

/// 1 where the condition of a catalog holds, else 0, in f64: counts of cells
/// are exact in it.
Value Binning::selection(const ast::BinsExpr &expr,
                         llvm::ArrayRef<pm::DimAttr> domain) {
  ElementState state;
  auto block = g.buildBody(domain, expr.loc, state, [&](auto &yields) {
    Scope scope(g.frame->scope);
    llvm::SaveAndRestore<Scope *> saved(g.frame->scope, &scope);
    scope.names[expr.variable.text] = Value::coordinate(state.id);
    Value holds = g.condition(*expr.where, "'collect'");
    if (holds.isPoison())
      return false;
    yields.push_back(
        g.materialize(holds, g.f64Type, g.getLoc(expr.where->loc)));
    return true;
  });
  pm::FieldType type = g.fieldType(domain, g.f64Type, expr.loc);
  if (!block || !type)
    return Value::poison();
  auto op = pm::MapOp::create(
      g.builder, g.getLoc(expr.loc), mlir::TypeRange(type),
      pm::DimsAttr::get(&g.context, domain), state.inputs, mlir::ValueRange());
  op.getBody().push_back(block.release());
  return fieldOf(op.getResult(0), {});
}

/// (fields of the selected, how many they are).
Value Binning::collect(const ast::BinsExpr &expr,
                       llvm::ArrayRef<pm::DimAttr> domain,
                       llvm::ArrayRef<pm::DimAttr> list, const Argument &size) {
  if (!requireWholeFields(g.rules(), "'collect'", expr.loc))
    return Value::poison();
  if (!checkCatalog(g.rules(), dimsOf(domain), dimsOf(list), size, expr.loc))
    return Value::poison();
  const ModuleInfo *library = g.program.getCounting();
  const Symbol *counting = requireSymbol(g.rules(), library, "counts_before",
                                         LibraryUse::Collect, expr.loc);
  if (!counting)
    return Value::poison();
  Argument selected;
  selected.value = selection(expr, domain);
  selected.loc = expr.where->loc;
  selected.range = expr.where->range;
  if (selected.value.isPoison())
    return Value::poison();
  Value counted =
      g.apply(g.makeClosure(llvm::cast<ast::FunctionStmt>(counting->stmt),
                            nullptr, library, expr.loc),
              {selected, expr.loc});
  if (counted.isPoison())
    return counted;
  const Value before = counted.getElements()[0];
  mlir::Location at = g.getLoc(size.loc);
  Value count = scalarOf(arith::FPToSIOp::create(
      g.builder, at, g.i64Type,
      g.materialize(counted.getElements()[1], g.f64Type, at)));
  const int64_t capacity = list[0].getExtent();
  if (!g.checkCells(size, {&count},
                    {g.compare(ast::BinaryOp::Le, count,
                               Value::integer(capacity), {size.loc, {}, {}})},
                    "{:d} are selected, and the capacity is " +
                        std::to_string(capacity)))
    return Value::poison();
  Value fields = binned(expr, domain, list, [&]() -> mlir::Value {
    mlir::Location at = g.getLoc(expr.loc);
    mlir::Value chosen = arith::CmpFOp::create(
        g.builder, at, arith::CmpFPredicate::ONE,
        g.materialize(g.element(selected.value, expr.loc), g.f64Type, at),
        g.floatConstant(0, g.f64Type, at));
    mlir::Value number = arith::FPToSIOp::create(
        g.builder, at, g.i64Type,
        g.materialize(g.element(before, expr.loc), g.f64Type, at));
    return arith::SelectOp::create(g.builder, at, chosen, number,
                                   g.intConstant(-1, at));
  });
  if (fields.isPoison())
    return fields;
  return Value::tuple({fields, count});
}

Value Generator::bins(const ast::BinsExpr &expr) {
  return Binning(*this).bins(expr);
}
