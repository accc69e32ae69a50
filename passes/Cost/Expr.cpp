//===- Expr.cpp - Expressions of a mesh -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Cost/Cost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::cost;

static ExprAttr make(MLIRContext *context, ExprKind kind,
                     ArrayRef<ExprAttr> operands, int64_t value = 0,
                     ArrayRef<StringAttr> names = {}) {
  return ExprAttr::get(context, kind, value, names, operands);
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

/// A product's number and the rest of its factors.
static std::pair<int64_t, SmallVector<ExprAttr>> split(ExprAttr expr) {
  if (expr.getKind() == ExprKind::Constant)
    return {expr.getValue(), {}};
  if (expr.getKind() != ExprKind::Product)
    return {1, {expr}};
  ArrayRef<ExprAttr> factors = expr.getOperands();
  if (factors.front().getKind() == ExprKind::Constant)
    return {factors.front().getValue(),
            SmallVector<ExprAttr>(factors.drop_front())};
  return {1, SmallVector<ExprAttr>(factors)};
}

static ExprAttr join(MLIRContext *context, int64_t number,
                     ArrayRef<ExprAttr> factors) {
  if (number == 0 || factors.empty())
    return getConstant(context, number);
  SmallVector<ExprAttr> all(factors);
  if (number != 1)
    all.insert(all.begin(), getConstant(context, number));
  return all.size() == 1 ? all.front() : make(context, ExprKind::Product, all);
}

/// The same for equal factors in any order.
static SmallVector<const void *> getKey(ArrayRef<ExprAttr> factors) {
  SmallVector<const void *> key;
  for (ExprAttr factor : factors)
    key.push_back(factor.getAsOpaquePointer());
  llvm::sort(key);
  return key;
}

ExprAttr pmc::cost::getConstant(MLIRContext *context, int64_t value) {
  return make(context, ExprKind::Constant, {}, value);
}

ExprAttr pmc::cost::getSymbol(MLIRContext *context, StringRef name) {
  return make(context, ExprKind::Symbol, {}, 0, StringAttr::get(context, name));
}

ExprAttr pmc::cost::operator*(ExprAttr a, ExprAttr b) {
  auto [number, factors] = split(a);
  auto [other, more] = split(b);
  factors.append(more);
  return join(a.getContext(), number * other, factors);
}

ExprAttr pmc::cost::operator*(int64_t a, ExprAttr b) {
  return getConstant(b.getContext(), a) * b;
}

ExprAttr pmc::cost::operator+(ExprAttr a, ExprAttr b) {
  struct Term {
    int64_t number;
    SmallVector<ExprAttr> factors;
  };
  SmallVector<Term> terms;
  for (ExprAttr side : {a, b}) {
    SmallVector<ExprAttr> parts{side};
    if (side.getKind() == ExprKind::Sum)
      parts.assign(side.getOperands().begin(), side.getOperands().end());
    for (ExprAttr part : parts) {
      auto [number, factors] = split(part);
      auto key = getKey(factors);
      auto *equal = llvm::find_if(
          terms, [&](const Term &term) { return getKey(term.factors) == key; });
      if (equal == terms.end())
        terms.push_back({number, factors});
      else
        equal->number += number;
    }
  }
  // What is added stands first, and numbers alone behind what has names.
  auto getPlace = [](const Term &term) {
    return 2 * (term.number < 0) + term.factors.empty();
  };
  llvm::stable_sort(terms, [&](const Term &x, const Term &y) {
    return getPlace(x) < getPlace(y);
  });
  SmallVector<ExprAttr> sum;
  for (const Term &term : terms)
    if (term.number)
      sum.push_back(join(a.getContext(), term.number, term.factors));
  if (sum.empty())
    return getConstant(a.getContext(), 0);
  return sum.size() == 1 ? sum.front()
                         : make(a.getContext(), ExprKind::Sum, sum);
}

ExprAttr pmc::cost::operator-(ExprAttr a, ExprAttr b) { return a + -1 * b; }

ExprAttr pmc::cost::getMax(ExprAttr a, ExprAttr b) {
  if (a == b)
    return a;
  if (a.getKind() == ExprKind::Constant && b.getKind() == ExprKind::Constant)
    return a.getValue() > b.getValue() ? a : b;
  return make(a.getContext(), ExprKind::Max, {a, b});
}

static int64_t divideUp(int64_t a, int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

ExprAttr pmc::cost::getCeilDiv(ExprAttr a, ExprAttr b) {
  if (b.isConstant(1) || a.isConstant(0))
    return a;
  if (a.getKind() == ExprKind::Constant && b.getKind() == ExprKind::Constant &&
      b.getValue() > 0)
    return getConstant(a.getContext(), divideUp(a.getValue(), b.getValue()));
  return make(a.getContext(), ExprKind::CeilDiv, {a, b});
}

//===----------------------------------------------------------------------===//
// Parts of a dim
//===----------------------------------------------------------------------===//

/// The part in `part` or `number * part`; null if it is another expression.
static ExprAttr findPart(ExprAttr expr) {
  auto [number, factors] = split(expr);
  if (factors.size() == 1 && factors.front().getKind() == ExprKind::Part)
    return factors.front();
  return {};
}

ExprAttr pmc::cost::getPart(ExprAttr whole, ArrayRef<StringAttr> axes) {
  if (axes.empty() || whole.isConstant(0))
    return whole;
  return make(whole.getContext(), ExprKind::Part, {whole}, 0, axes);
}

/// Whether `inner` is what `outer` is, split further.
static bool isNested(ArrayRef<StringAttr> outer, ArrayRef<StringAttr> inner) {
  return outer.size() <= inner.size() &&
         inner.take_front(outer.size()) == outer;
}

ExprAttr pmc::cost::getCommon(ExprAttr a, ExprAttr b) {
  ExprAttr first = findPart(a), second = findPart(b);
  if (!first || a == b)
    return b;
  if (!second)
    return a;
  if (isNested(first.getNames(), second.getNames()))
    return b;
  if (isNested(second.getNames(), first.getNames()))
    return a;
  return make(a.getContext(), ExprKind::Common, {a, b});
}

ExprAttr pmc::cost::getView(ExprAttr part, ExprAttr lo, ExprAttr hi) {
  if (!findPart(part) || (lo.isConstant(0) && hi.isConstant(0)))
    return part;
  return make(part.getContext(), ExprKind::View, {part, lo, hi});
}

ExprAttr pmc::cost::getSeen(ExprAttr part, ExprAttr lo, ExprAttr hi) {
  if (!findPart(part) || (lo.isConstant(0) && hi.isConstant(0)))
    return part;
  return make(part.getContext(), ExprKind::Seen, {part, lo, hi});
}

/// Shards of refined dims have the boundaries of the coarse one.
ExprAttr pmc::cost::getPart(DimAttr dim) {
  int64_t grain = dim.isHalf() ? 1 : std::max<int64_t>(dim.getRefine(), 1),
          cells = dim.getStoredExtent();
  if (cells % grain)
    grain = 1;
  return grain *
         getPart(getConstant(dim.getContext(), cells / grain), dim.getAxes());
}

ExprAttr pmc::cost::getCells(MLIRContext *context, ArrayRef<DimAttr> dims) {
  ExprAttr cells = getConstant(context, 1);
  for (DimAttr dim : dims)
    cells = cells * getPart(dim);
  return cells;
}

ExprAttr pmc::cost::getBytes(GridType type) {
  return getElementBytes(type.getElementType()) *
         getCells(type.getContext(), type.getDims());
}

bool pmc::cost::isExpr(ExprKind kind, size_t names,
                       ArrayRef<ExprAttr> operands) {
  auto isSplit = [](ExprAttr expr) { return bool(findPart(expr)); };
  size_t count = operands.size();
  switch (kind) {
  case ExprKind::Constant:
    return count == 0 && names == 0;
  case ExprKind::Symbol:
    return count == 0 && names == 1;
  case ExprKind::Sum:
  case ExprKind::Product:
    return count >= 2;
  case ExprKind::Max:
  case ExprKind::CeilDiv:
    return count == 2;
  case ExprKind::Part:
    return count == 1 && names > 0;
  case ExprKind::Common:
    return count == 2 && llvm::all_of(operands, isSplit);
  case ExprKind::View:
  case ExprKind::Seen:
    return count == 3 && isSplit(operands.front());
  }
  llvm_unreachable("unknown kind");
}

LogicalResult ExprAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ExprKind kind, int64_t,
                               ArrayRef<StringAttr> names,
                               ArrayRef<ExprAttr> operands) {
  if (isExpr(kind, names.size(), operands))
    return success();
  return emitError() << "no expression: " << stringifyExprKind(kind) << " of "
                     << operands.size() << " operands and " << names.size()
                     << " names";
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {

/// Cells [begin, end) of `whole` that a rank has; the rank is one of `parts`.
struct Cells {
  int64_t begin = 0, end = 0, whole = 0;
  int64_t cells() const { return end - begin; }
};

/// What a part is, at a place and at all other places along its axes.
class Parts {
public:
  static std::optional<Parts> make(ExprAttr expr, const RankPosition &place) {
    Parts parts;
    auto [number, factors] = split(expr);
    ExprAttr part = findPart(expr);
    std::optional<int64_t> whole = part.getOperands().front().evaluate(place);
    if (!whole)
      return std::nullopt;
    parts.grain = number;
    parts.whole = *whole;
    for (StringAttr axis : part.getNames()) {
      auto ranks = place.ranks.find(axis.getValue());
      auto index = place.index.find(axis.getValue());
      if (ranks == place.ranks.end() || index == place.index.end())
        return std::nullopt;
      parts.count *= ranks->second;
      parts.own = parts.own * ranks->second + index->second;
    }
    return parts;
  }

  /// As the runtime's shardOf.
  Cells get(int64_t index) const {
    return {whole * index / count * grain, whole * (index + 1) / count * grain,
            whole * grain};
  }
  Cells get() const { return get(own); }
  int64_t getCount() const { return count; }

private:
  int64_t grain = 1, whole = 0, count = 1, own = 0;
};

} // namespace

/// With cells around it, at most all; it may go around.
static Cells widen(Cells own, int64_t lo, int64_t hi) {
  int64_t remaining = own.whole - own.cells();
  int64_t below = std::min(lo, remaining),
          above = std::min(hi, remaining - below);
  return {own.begin - below, own.end + above, own.whole};
}

static int64_t getOverlap(Cells a, Cells b) {
  return std::max<int64_t>(0,
                           std::min(a.end, b.end) - std::max(a.begin, b.begin));
}

/// The same where `b` may go around.
static int64_t getPeriodicOverlap(Cells a, Cells b) {
  int64_t cells = 0;
  for (int64_t turn : {-a.whole, int64_t(0), a.whole})
    cells += getOverlap(a, {b.begin + turn, b.end + turn, b.whole});
  return cells;
}

std::optional<int64_t> ExprAttr::evaluate(const RankPosition &place) const {
  switch (getKind()) {
  case ExprKind::Constant:
    return getValue();
  case ExprKind::Symbol: {
    for (const Ranks *known : {&place.ranks, &place.values}) {
      auto found = known->find(getNames().front().getValue());
      if (found != known->end())
        return found->second;
    }
    return std::nullopt;
  }
  case ExprKind::Part: {
    auto parts = Parts::make(*this, place);
    return parts ? std::optional(parts->get().cells()) : std::nullopt;
  }
  case ExprKind::Common: {
    auto a = Parts::make(getOperands()[0], place);
    auto b = Parts::make(getOperands()[1], place);
    if (!a || !b)
      return std::nullopt;
    return getOverlap(a->get(), b->get());
  }
  case ExprKind::View:
  case ExprKind::Seen: {
    auto parts = Parts::make(getOperands()[0], place);
    if (!parts)
      return std::nullopt;
    if (parts->getCount() == 1)
      return parts->get().cells();
    auto lo = getOperands()[1].evaluate(place);
    auto hi = getOperands()[2].evaluate(place);
    if (!lo || !hi)
      return std::nullopt;
    if (getKind() == ExprKind::View)
      return widen(parts->get(), *lo, *hi).cells();
    int64_t cells = 0;
    for (int64_t i = 0; i < parts->getCount(); ++i)
      cells += getPeriodicOverlap(parts->get(), widen(parts->get(i), *lo, *hi));
    return cells;
  }
  default:
    break;
  }
  std::optional<int64_t> result;
  for (ExprAttr operand : getOperands()) {
    std::optional<int64_t> value = operand.evaluate(place);
    if (!value)
      return std::nullopt;
    if (!result) {
      result = value;
    } else if (getKind() == ExprKind::CeilDiv) {
      if (*value < 1)
        return std::nullopt;
      result = divideUp(*result, *value);
    } else {
      result = getKind() == ExprKind::Sum       ? *result + *value
               : getKind() == ExprKind::Product ? *result * *value
                                                : std::max(*result, *value);
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string inParentheses(ExprAttr expr) {
  bool isAtom = expr.getKind() != ExprKind::Sum &&
                expr.getKind() != ExprKind::Product &&
                !(expr.getKind() == ExprKind::Constant && expr.getValue() < 0);
  return isAtom ? expr.toText() : "(" + expr.toText() + ")";
}

static std::string toList(ExprAttr expr, StringRef separator) {
  return llvm::join(llvm::map_range(expr.getOperands(),
                                    [&](ExprAttr operand) {
                                      return separator == ", "
                                                 ? operand.toText()
                                                 : inParentheses(operand);
                                    }),
                    separator);
}

static std::string toSum(ExprAttr expr) {
  std::string text;
  for (ExprAttr term : expr.getOperands()) {
    auto [number, factors] = split(term);
    if (text.empty())
      text = term.toText();
    else if (number < 0)
      text += "-" + join(expr.getContext(), -number, factors).toText();
    else
      text += "+" + term.toText();
  }
  return text;
}

std::string ExprAttr::toText() const {
  switch (getKind()) {
  case ExprKind::Constant:
    return std::to_string(getValue());
  case ExprKind::Symbol:
    return getNames().front().str();
  case ExprKind::Sum:
    return toSum(*this);
  case ExprKind::Product: {
    ExprAttr first = getOperands().front();
    if (first.isConstant(-1) && getOperands().size() > 1)
      return "-" + join(getContext(), 1, getOperands().drop_front()).toText();
    if (first.getKind() == ExprKind::Constant)
      return std::to_string(first.getValue()) + "*" +
             llvm::join(
                 llvm::map_range(getOperands().drop_front(), inParentheses),
                 "*");
    return toList(*this, "*");
  }
  case ExprKind::Part: {
    ExprAttr whole = getOperands().front();
    std::string text = whole.getKind() == ExprKind::Part
                           ? "(" + whole.toText() + ")"
                           : inParentheses(whole);
    for (StringAttr axis : getNames())
      text += "/" + axis.str();
    return text;
  }
  default:
    return (stringifyExprKind(getKind()) + "(" + toList(*this, ", ") + ")")
        .str();
  }
}
