//===- Edges.cpp - What lies beyond the ends of a dim ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f[x + 1, edge = 3]` is 3 where there is no such cell. It is read with zeros
// there, which a map replaces. Modes of a transform come again as cells of a
// periodic dim do, at the other end: what else lies beyond them is put there in
// the same way.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Neighbors.h"

#include "llvm/Support/SaveAndRestore.h"

#include <memory>

using namespace pmc;
using ast::BinaryOp;

std::pair<int64_t, int64_t> pmc::getIndexes(pm::DimAttr dim) {
  return getIndexes(dimOf(dim));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Moves what makes the number before the map; false if each element has its
/// own.
bool Generator::moveNumberOut(const Value &value) {
  if (value.isComplex())
    return moveNumberOut(value.getRe()) && moveNumberOut(value.getIm());
  return !value.isScalar() || moveOut(getSSA(value), frame->element->outside);
}

/// Where a mode is stored: those below 0 come after the others.
Value Generator::storedMode(const Value &mode, pm::DimAttr dim,
                            llvm::SMLoc loc) {
  Value cells = Value::integer(dim.getExtent());
  if (mode.is(Value::Kind::Int) && mode.getInt() >= 0)
    return mode;
  Value moved = realBinary(BinaryOp::Add, mode, cells, {}, loc);
  if (mode.is(Value::Kind::Int))
    return moved;
  Value isBelow = compare(BinaryOp::Lt, mode, Value::integer(0), {loc, {}, {}});
  return choose(isBelow, moved, mode, loc, loc, loc, "two modes");
}

//===----------------------------------------------------------------------===//
// Fields and their components
//===----------------------------------------------------------------------===//

/// Of a field of several parts each has the value for it, or all the same one.
template <typename Index>
static bool takeBeyond(const RuleContext &context, const Value &base,
                       size_t part, llvm::SmallVectorImpl<Index> &indexes) {
  for (Index &index : indexes) {
    if (!index.beyond)
      continue;
    const Value &own = index.beyond->value;
    if (!own.isTuple() && !own.isRecord())
      continue;
    if (!requireSameParts(context, base, *index.beyond))
      return false;
    index.beyond = std::make_shared<const Argument>(
        index.beyond->with(partsLike(own, base)[part]));
  }
  return true;
}

Value Generator::readCells(const Value &base, llvm::ArrayRef<DimOffset> offsets,
                           llvm::ArrayRef<NamedIndex> named, llvm::SMLoc loc) {
  if (base.isPoison())
    return base;
  if (base.isTuple() || base.isRecord()) {
    std::vector<Value> parts;
    for (auto [i, part] : llvm::enumerate(base.getElements())) {
      llvm::SmallVector<DimOffset> ownOffsets(offsets);
      llvm::SmallVector<NamedIndex> ownNamed(named);
      if (!takeBeyond(rules(), base, i, ownOffsets) ||
          !takeBeyond(rules(), base, i, ownNamed))
        return Value::poison();
      parts.push_back(readCells(part, ownOffsets, ownNamed, loc));
    }
    return base.withElements(std::move(parts));
  }
  if (!requireField(rules(), loc, base, /*areCells=*/!named.empty()))
    return Value::poison();
  Value read = offsets.empty() ? base : shifted(base, offsets, loc);
  if (llvm::any_of(named, [](const NamedIndex &i) { return i.isGathered; })) {
    if (!read.isPoison())
      read = fillBeyond(read, base, offsets, {}, loc);
    return read.isPoison() ? read : gather(read, named, loc);
  }
  if (!named.empty() && !read.isPoison())
    read = readAt(read, named, loc);
  return read.isPoison() ? read : fillBeyond(read, base, offsets, named, loc);
}

//===----------------------------------------------------------------------===//
// Values beyond the edge
//===----------------------------------------------------------------------===//

/// Whether the index leaves the cells below, and above.
static std::pair<bool, bool> leaves(const EdgeSide &side) {
  int64_t low = side.offset, high = side.offset;
  for (auto [dim, number] : side.terms) {
    auto [first, last] = getIndexes(dim);
    low += number * first;
    high += number * last;
  }
  bool below = low<side.first, above = high> side.last;
  return {below, above};
}

/// In a map: whether the cell is there.
Value Generator::isInside(const EdgeSide &side, llvm::SMLoc loc) {
  OperatorSite site{loc, {}, {}};
  Value index = Value::integer(0);
  for (auto [dim, number] : side.terms) {
    Value own =
        coordinateOf(Value::coordinate(frame->element->id), dim, loc, true);
    index =
        binary(BinaryOp::Add, index,
               binary(BinaryOp::Mul, Value::integer(number), own, site), site);
  }
  auto [below, above] = leaves(side);
  Value isHigh = Value::boolean(true), isLow = isHigh;
  if (below)
    isHigh = compare(BinaryOp::Ge, index,
                     Value::integer(side.first - side.offset), site);
  if (above)
    isLow = compare(BinaryOp::Le, index,
                    Value::integer(side.last - side.offset), site);
  return !above   ? isHigh
         : !below ? isLow
                  : boolBinary(BinaryOp::And, isHigh, isLow, site);
}

Value Generator::fillBeyond(const Value &read, const Value &base,
                            llvm::ArrayRef<DimOffset> offsets,
                            llvm::ArrayRef<NamedIndex> named, llvm::SMLoc loc) {
  llvm::SmallVector<EdgeSide> sides;
  size_t decisive = 0; // one past the last side that changes the value
  pm::FieldType type = lowerField(base);
  auto add = [&](pm::DimAttr dim, decltype(EdgeSide::terms) terms,
                 int64_t offset, std::optional<pm::Edge> edge,
                 const std::shared_ptr<const Argument> &beyond) {
    // Zeros are read as such, but a dim that is named later does not replace
    // them. Modes that do not exist are read as others.
    if (!beyond && edge != pm::Edge::Zero)
      return;
    Argument value = beyond ? *beyond : Argument{"", {}, {}, loc, {}};
    if (!beyond)
      value.value = type.getElementType().isInteger(1)
                        ? Value::boolean(false)
                        : Value::integer(0).withUnit(base.getUnit());
    auto [first, last] = getIndexes(dim);
    EdgeSide side{std::move(terms), offset,        first, last,
                  std::move(value), !dim.isSpace()};
    if (auto [below, above] = leaves(side); below || above) {
      sides.push_back(std::move(side));
      if (beyond || !dim.isSpace())
        decisive = sides.size();
    }
  };
  for (const DimOffset &offset : offsets) {
    pm::DimAttr dim = type.getDims()[findDimOf(type, offset.dim)];
    add(dim, {{dim, 1}}, offset.cells, offset.edge, offset.beyond);
  }
  for (const NamedIndex &index : named)
    if (index.edge)
      add(indexedDim(base, index), index.sum.terms, index.sum.value.getInt(),
          index.edge, index.beyond);
  sides.truncate(decisive);
  if (sides.empty())
    return read;
  mlir::OpBuilder::InsertionGuard guard(builder);
  llvm::SaveAndRestore<ElementState *> saved(frame->element);
  if (frame->element) {
    builder.restoreInsertionPoint(frame->element->outside);
    frame->element = nullptr;
  }
  return buildMap(lowerField(read).getDims(), loc, [&] {
    Value here = element(read, loc);
    OperatorSite site{loc, {}, {}};
    // Zeros beyond the edge have the value added: a derivative by the field
    // then has nothing to do with it. Modes and bools are replaced.
    bool isAdded =
        here.isNumber() &&
        llvm::none_of(sides, [](const EdgeSide &side) { return side.isRead; });
    auto zero = [&](const Value &part) {
      mlir::Location at = getLoc(loc);
      return scalarOf(part.isIntLike()
                          ? intConstant(0, at)
                          : floatConstant(0, floatTypeOf(part), at),
                      here.getUnit());
    };
    Value all = here;
    if (isAdded)
      all = here.isComplex()
                ? Value::complex(zero(here.getRe()), zero(here.getIm()),
                                 here.getUnit())
                : zero(here);
    for (const EdgeSide &side : llvm::reverse(sides)) {
      Value beyond = elements(side.beyond.value, side.beyond.loc);
      llvm::StringRef what = "a field and the value beyond its edge";
      if (join(here, beyond, loc, side.beyond.loc, what).isPoison())
        return Value::poison();
      all = choose(isInside(side, loc), all, beyond, loc, side.beyond.loc, loc,
                   what);
    }
    return isAdded ? binary(BinaryOp::Add, here, all, site) : all;
  });
}
