//===- Gather.cpp - Cells that the elements say ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f[x = p]` of a field of ints p, or in a map of an int that it computes. What
// is not a cell of x is an error before the map, unless `edge` says what is
// there.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/IRGen/Numbers/Integers.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;
namespace arith = mlir::arith;

namespace pmc {

/// Readings of one field in the map that is being built.
class Gather {
public:
  Gather(Generator &generator, const Value &field, llvm::SMLoc loc)
      : g(generator), field(field), type(g.lowerField(field)), loc(loc),
        at(g.getLoc(loc)) {}

  Value read(llvm::ArrayRef<NamedIndex> named);

private:
  /// The cell of a dim, and whether it is there, null if always. Null after an
  /// error.
  mlir::Value named(const NamedIndex &index, pm::DimAttr dim);
  mlir::Value edge(const NamedIndex &index, mlir::Value cell, int64_t cells);
  bool check(const NamedIndex &index, pm::DimAttr dim, mlir::Value cell,
             mlir::Value shown);
  bool checkNumber(const NamedIndex &index, mlir::Value isLeast,
                   mlir::Value shown);
  mlir::Value own(pm::DimAttr dim);
  mlir::Value makeSum(mlir::Value cell, int64_t offset);
  Value mask(const Value &cell, mlir::Value isHere);

  mlir::Value number(int64_t value) { return g.intConstant(value, at); }
  mlir::Value isBetween(mlir::Value cell, int64_t cells) {
    using I = arith::CmpIPredicate;
    // Of all that is below 0, too.
    return arith::CmpIOp::create(g.builder, at, I::ult, cell, number(cells));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return arith::SelectOp::create(g.builder, at, condition, a, b);
  }
  template <typename Op> mlir::Value make(mlir::Value a, mlir::Value b) {
    return Op::create(g.builder, at, a, b);
  }

  Generator &g;
  const Value &field;
  pm::FieldType type;
  llvm::SMLoc loc;
  mlir::Location at;
  /// Of edges with a value or, null, with zeros: where the cell is there.
  llvm::SmallVector<std::pair<mlir::Value, const Argument *>, 2> beyond;
};

} // namespace pmc

/// The element's index along a dim of the map.
mlir::Value Gather::own(pm::DimAttr dim) {
  ElementState &state = *g.frame->element;
  if (!requireMapDim(g.rules(), loc, dimsOf(state.domain), dimOf(dim)))
    return {};
  Value index =
      g.coordinateOf(Value::coordinate(state.id), dim, loc, /*indexOnly=*/true);
  return arith::FPToSIOp::create(g.builder, at, g.i64Type, getSSA(index));
}

/// An existing cell; an index out of range becomes another cell, or 0.
mlir::Value Gather::edge(const NamedIndex &index, mlir::Value cell,
                         int64_t cells) {
  mlir::Value zero = number(0), last = number(cells - 1);
  auto nearest = [&] {
    return make<arith::MinSIOp>(make<arith::MaxSIOp>(cell, zero), last);
  };
  switch (*index.edge) {
  case pm::Edge::Periodic: {
    mlir::Value rest = make<arith::RemSIOp>(cell, number(cells));
    mlir::Value isBelow = arith::CmpIOp::create(
        g.builder, at, arith::CmpIPredicate::slt, rest, zero);
    return select(isBelow, make<arith::AddIOp>(rest, number(cells)), rest);
  }
  case pm::Edge::Zero:
    beyond.push_back({isBetween(cell, cells), index.beyond.get()});
    return nearest();
  case pm::Edge::Clamp:
    return nearest();
  case pm::Edge::Reflect: {
    // One reflection at either end, so that the check sees an index that is
    // farther beyond.
    mlir::Value isBelow = arith::CmpIOp::create(
        g.builder, at, arith::CmpIPredicate::slt, cell, zero);
    mlir::Value below = make<arith::SubIOp>(zero, cell);
    mlir::Value above = make<arith::MinSIOp>(
        cell, make<arith::SubIOp>(number(2 * (cells - 1)), cell));
    return select(isBelow, below, above);
  }
  }
  llvm_unreachable("an edge");
}

bool Gather::check(const NamedIndex &index, pm::DimAttr dim, mlir::Value cell,
                   mlir::Value shown) {
  std::string cells = std::to_string(dim.getExtent());
  std::string why =
      "there is no cell {:d} of '" + dim.getLabel() + "', which has " + cells +
      (index.edge ? "; \"reflect\" reaches less far than that"
                  : "; 'edge' defines the values beyond the ends");
  const SumIndex &sum = index.sum;
  return g.checkEach(isBetween(cell, dim.getExtent()), shown,
                     {"", {}, sum.value, sum.loc, sum.range}, why);
}

/// Beyond an edge there is a cell for every int.
bool Gather::checkNumber(const NamedIndex &index, mlir::Value isLeast,
                         mlir::Value shown) {
  const SumIndex &sum = index.sum;
  return g.checkEach(
      arith::XOrIOp::create(g.builder, at, isLeast, g.boolConstant(true, at)),
      shown, {"", {}, sum.value, sum.loc, sum.range},
      "the index of a cell is not a number, of which 'int' makes {:d}");
}

/// The least and the largest index.
static std::pair<int64_t, int64_t>
getBounds(llvm::ArrayRef<std::pair<pm::DimAttr, int64_t>> terms,
          int64_t offset) {
  std::pair<int64_t, int64_t> bounds(offset, offset);
  for (auto [dim, number] : terms) {
    auto [first, last] = getIndexes(dim);
    bounds.first += number * (number < 0 ? last : first);
    bounds.second += number * (number < 0 ? first : last);
  }
  return bounds;
}

mlir::Value Gather::makeSum(mlir::Value cell, int64_t offset) {
  return offset == 0 ? cell : make<arith::AddIOp>(cell, number(offset));
}

mlir::Value Gather::named(const NamedIndex &index, pm::DimAttr dim) {
  const SumIndex &sum = index.sum;
  mlir::Value cell;
  for (auto [term, times] : sum.terms) {
    mlir::Value part = own(term);
    if (!part)
      return {};
    if (times != 1)
      part = make<arith::MulIOp>(part, number(times));
    cell = cell ? make<arith::AddIOp>(cell, part) : part;
  }
  Value value = g.element(sum.value, sum.loc);
  if (value.isPoison())
    return {};
  std::optional<Value> whole = g.asInt(value, sum.loc);
  const Argument asked{"", {}, value, sum.loc, sum.range};
  if (!requireGatheredInt(g.rules(), asked, whole && !whole->isUnsigned()))
    return {};
  if (!sum.terms.empty() && whole->is(Value::Kind::Int)) {
    const auto bounds = getBounds(sum.terms, whole->getInt());
    if (bounds.first >= 0 && bounds.second < dim.getExtent())
      return makeSum(cell, whole->getInt());
    if (!requireGatheredCell(g.rules(), asked, dimOf(dim), bounds,
                             index.edge.has_value()))
      return {};
  }
  mlir::Value last = g.materialize(*whole, g.i64Type, at);
  cell = cell ? make<arith::AddIOp>(cell, last) : last;
  int64_t cells = dim.getExtent();
  mlir::Value shown = cell;
  if (index.edge) {
    if (mlir::Value least = Integers(g).isLeast(last, at))
      if (!checkNumber(index, least, shown))
        return {};
    cell = edge(index, cell, cells);
  }
  if ((!index.edge || *index.edge == pm::Edge::Reflect) &&
      !check(index, dim, cell, shown))
    return {};
  // The check comes before, but may share a loop with this.
  if (!index.edge || *index.edge == pm::Edge::Reflect)
    cell = make<arith::MinSIOp>(make<arith::MaxSIOp>(cell, number(0)),
                                number(cells - 1));
  return cell;
}

/// 0 where the cell is not there.
Value Gather::mask(const Value &cell, mlir::Value isHere) {
  if (cell.isComplex())
    return Value::complex(mask(cell.getRe(), isHere),
                          mask(cell.getIm(), isHere), cell.getUnit());
  mlir::Value part = getSSA(cell);
  mlir::Value zero = arith::ConstantOp::create(
      g.builder, at, g.builder.getZeroAttr(part.getType()));
  return scalarOf(select(isHere, part, zero), cell.getUnit());
}

Value Gather::read(llvm::ArrayRef<NamedIndex> named) {
  ElementState &state = *g.frame->element;
  if (g.builder.getInsertionBlock() != state.prologue.block) {
    state.wantsFields = true;
    return Value::poison();
  }
  llvm::SmallVector<mlir::Value> indices(type.getRank());
  llvm::SmallVector<int64_t> zeros(type.getRank(), 0);
  llvm::SmallVector<bool> near(type.getRank(), true);
  for (const NamedIndex &index : named) {
    pm::DimAttr dim = g.indexedDim(field, index);
    if (!dim)
      return Value::poison();
    size_t d = llvm::find(type.getDims(), dim) - type.getDims().begin();
    if (!requireGivenOnce(g.rules(),
                          index.name ? index.name->loc : index.sum.loc,
                          dimOf(dim), bool(indices[d])))
      return Value::poison();
    indices[d] = this->named(index, dim);
    if (!indices[d])
      return Value::poison();
    near[d] = false;
  }
  for (auto [dim, index] : llvm::zip_equal(type.getDims(), indices)) {
    if (!requireGatheredDim(g.rules(), loc, dimOf(dim)))
      return Value::poison();
    if (!index)
      index = own(dim);
    if (!index)
      return Value::poison();
  }
  mlir::Type element = type.getElementType();
  mlir::Value cell =
      pm::CellOp::create(g.builder, at, element, getSSA(field), indices, zeros,
                         zeros, near, mlir::Value());
  Unit unit = field.getUnit();
  Value result;
  if (llvm::isa<mlir::ComplexType>(element)) {
    mlir::Value re = mlir::complex::ReOp::create(g.builder, at, cell);
    mlir::Value im = mlir::complex::ImOp::create(g.builder, at, cell);
    result = Value::complex(scalarOf(re), scalarOf(im), unit);
  } else {
    result = scalarOf(cell, unit);
    state.wide |= element == g.f64Type && g.realType != g.f64Type;
  }
  if (field.hasAnyUnit())
    result = result.withAnyUnit();
  // The dim that is named first is the last to replace the cell.
  for (auto [isHere, other] : llvm::reverse(beyond)) {
    if (!other) {
      bool isOpen = result.hasAnyUnit();
      result = mask(result, isHere);
      if (isOpen)
        result = result.withAnyUnit();
      continue;
    }
    Value there = g.element(other->value, other->loc);
    if (there.isPoison())
      return there;
    result = g.choose(scalarOf(isHere), result, there, loc, other->loc, loc,
                      "a field and the value beyond its edge");
    if (result.isPoison())
      return result;
  }
  return result;
}

/// The dims of a gather that is not a part of a map: those of the field, with
/// those of the index in the place of each dim that is named.
static llvm::SmallVector<pm::DimAttr>
getDomain(const Value &field, llvm::ArrayRef<const NamedIndex *> indexes,
          mlir::MLIRContext &context) {
  llvm::SmallVector<pm::DimAttr> dims;
  auto add = [&](pm::DimAttr dim) {
    if (!llvm::is_contained(dims, dim))
      dims.push_back(dim);
  };
  for (auto [dim, index] :
       llvm::zip_equal(lower(field.getDims(), context), indexes)) {
    if (!index) {
      add(dim);
      continue;
    }
    for (auto [term, times] : index->sum.terms)
      add(term);
    if (index->sum.value.isField())
      for (pm::DimAttr own : lower(index->sum.value.getDims(), context))
        add(own);
  }
  return dims;
}

/// Sums are of f64, which ints may not fit; of each half of an int they are
/// exact.
Value Generator::intCell(const Value &line, const NamedIndex &index,
                         llvm::SMLoc loc) {
  const SumIndex &sum = index.sum;
  if (!requireNoEdge(rules(), loc, index.edge.has_value()))
    return Value::poison();
  mlir::Location at = getLoc(loc);
  auto half = [&](auto &&take) -> mlir::Value {
    Value part = buildMap(lowerField(line).getDims(), loc, [&] {
      return scalarOf(take(getSSA(element(line, loc))));
    });
    if (part.isPoison())
      return {};
    Value cell = sliced({"", {}, part, loc, {}}, *index.name,
                        {"", {}, sum.value, sum.loc, sum.range}, loc);
    if (cell.isPoison())
      return {};
    return arith::FPToSIOp::create(builder, at, i64Type, getSSA(cell));
  };
  mlir::Value upper = half([&](mlir::Value whole) {
    return arith::ShRSIOp::create(builder, at, whole, intConstant(32, at));
  });
  mlir::Value lower = upper ? half([&](mlir::Value whole) {
    return arith::AndIOp::create(builder, at, whole,
                                 intConstant(0xFFFFFFFF, at));
  })
                            : mlir::Value();
  if (!lower)
    return Value::poison();
  mlir::Value above = arith::MulIOp::create(builder, at, upper,
                                            intConstant(int64_t(1) << 32, at));
  return scalarOf(arith::AddIOp::create(builder, at, above, lower),
                  line.getUnit());
}

/// Whether an index of dims has the same number for all elements of a map.
static bool isUniform(const NamedIndex &index,
                      mlir::OpBuilder::InsertPoint outside) {
  const Value &value = index.sum.value;
  return !index.sum.terms.empty() &&
         (value.isConstNumber() ||
          (value.isScalar() && moveOut(getSSA(value), outside)));
}

Value Generator::gather(const Value &base, llvm::ArrayRef<NamedIndex> named,
                        llvm::SMLoc loc) {
  if (base.isTuple() || base.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : base.getElements())
      parts.push_back(gather(part, named, loc));
    return base.withElements(std::move(parts));
  }
  if (base.isPoison())
    return base;
  if (!requireField(rules(), loc, base, /*areCells=*/true))
    return Value::poison();
  if (frame->element &&
      builder.getInsertionBlock() != frame->element->prologue.block &&
      llvm::all_of(named, [&](const NamedIndex &index) {
        return isUniform(index, frame->element->outside);
      })) {
    // In a loop of a map: a field that is made before the map.
    mlir::OpBuilder::InsertionGuard guard(builder);
    llvm::SaveAndRestore<ElementState *> saved(frame->element);
    builder.restoreInsertionPoint(frame->element->outside);
    frame->element = nullptr;
    return gather(base, named, loc);
  }
  if (frame->element)
    return Gather(*this, base, loc).read(named);
  llvm::SmallVector<const NamedIndex *> indexes(base.getDims().size(), nullptr);
  for (const NamedIndex &index : named) {
    pm::DimAttr dim = indexedDim(base, index);
    if (!dim)
      return Value::poison();
    indexes[llvm::find(lowerField(base).getDims(), dim) -
            lowerField(base).getDims().begin()] = &index;
  }
  llvm::SmallVector<pm::DimAttr> domain = getDomain(base, indexes, context);
  if (domain.empty()) {
    // Along all dims but the last, and then there.
    Value line =
        named.size() == 1 ? base : gather(base, named.drop_back(), loc);
    return line.isPoison() ? line : intCell(line, named.back(), loc);
  }
  if (!fieldType(domain, realType, loc))
    return Value::poison();
  return buildMap(domain, loc,
                  [&] { return Gather(*this, base, loc).read(named); });
}
