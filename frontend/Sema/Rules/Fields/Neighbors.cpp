//===- Neighbors.cpp - Indexes of fields ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Neighbors.h"

#include "frontend/Sema/Types/DimMessages.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace pmc;

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

int pmc::findDimOf(DimList dims, const Dim &dim) {
  for (auto [index, candidate] : llvm::enumerate(dims))
    if (candidate.getSpaceDim() == dim.getSpaceDim())
      return int(index);
  for (auto [index, candidate] : llvm::enumerate(dims))
    if (candidate.name == dim.name)
      return int(index);
  return -1;
}

static std::string explainNoDim(DimList dims, const Dim &dim) {
  return "[PM0502] the field has no dim '" + dim.getLabel() +
         "'; its dims are " + describeDims(dims);
}

std::optional<unsigned> pmc::placeOf(const RuleContext &context, DimList dims,
                                     const Dim &dim, llvm::SMLoc loc) {
  const int place = findDimOf(dims, dim);
  if (place >= 0)
    return unsigned(place);
  context.error(loc, explainNoDim(dims, dim));
  return std::nullopt;
}

std::optional<unsigned> pmc::placeOfName(const RuleContext &context,
                                         const Value &field,
                                         const ast::Name &name,
                                         const Value *local) {
  const bool isLocal = local && local->isDim();
  for (auto [place, dim] : llvm::enumerate(field.getDims()))
    if (isLocal ? local->getDim() == dim : dim.name == name.text)
      return unsigned(place);
  std::vector<std::string> labels;
  for (const Dim &dim : field.getDims())
    labels.push_back(dim.getLabel());
  const llvm::SmallVector<llvm::StringRef> names(labels.begin(), labels.end());
  // The value of a name in a function may have another name.
  const std::string wanted = isLocal ? local->getDim().getLabel() : name.text;
  for (const Dim &dim : field.getDims())
    if (!isLocal && dim.getLabel() == wanted) {
      context.error(name.loc, "[PM0514] modes of '" + wanted +
                                  "' are picked by the name of the dim in "
                                  "space: write " +
                                  dim.name + " in place of " + wanted);
      return std::nullopt;
    }
  context.error(name.loc, "[PM0502] " + field.describeType() + " has no dim '" +
                              wanted + "'" + suggest(wanted, names));
  return std::nullopt;
}

std::pair<int64_t, int64_t> pmc::getIndexes(const Dim &dim) {
  if (dim.isSpace())
    return {0, dim.extent - 1};
  return {-(dim.extent / 2), (dim.extent - 1) / 2};
}

std::pair<int64_t, int64_t> pmc::getModes(const Dim &dim) {
  if (dim.isHalf())
    return {-((dim.extent - 1) / 2), dim.extent / 2};
  return getIndexes(dim);
}

//===----------------------------------------------------------------------===//
// Indexes
//===----------------------------------------------------------------------===//

std::optional<int64_t> pmc::readFactor(const RuleContext &context,
                                       llvm::SMLoc loc, bool haveBothDims,
                                       const Argument &number) {
  if (!haveBothDims)
    return readInt(context, number, "the number of a dim in an index", 1,
                   1 << 30);
  context.error(loc, "[PM0511] dims cannot be multiplied in an index");
  return std::nullopt;
}

bool pmc::checkPlainIndex(const RuleContext &context, llvm::SMLoc loc,
                          llvm::ArrayRef<int64_t> factors) {
  if (factors.size() > 1)
    return context.refuse(loc, "[PM0511] an index has one dim, this one has "
                               "two; name the dim that they "
                               "count along: f[x = 8 * X + u]");
  if (!factors.empty() && factors[0] != 1)
    return context.refuse(
        loc, "[PM0511] name the dim that is read at this index: f[x = 2 * X]");
  return true;
}

static bool holdsField(const Value &value) {
  return value.isField() || ((value.isTuple() || value.isRecord()) &&
                             llvm::any_of(value.getElements(), holdsField));
}

bool pmc::requireNeighbors(const RuleContext &context, llvm::SMLoc loc,
                           const Value &base, bool hasDim) {
  if (holdsField(base))
    return true;
  if (!hasDim)
    return context.refuse(loc, "[PM0511] one index selects a component");
  std::string why =
      "[PM0511] only fields have neighbors, not " + base.describeType();
  if (context.isInMap)
    why += "; the result of an expression in a map has none; make a field of "
           "it before the map";
  else if (context.scalarsOnly)
    why += std::string("; ") + context.scalarsOnly +
           " there are only numbers, such as one element of a field; make a "
           "field of it before, or take the derivative of a function of the "
           "whole field, outside of the map";
  return context.refuse(loc, why);
}

bool pmc::requireIndexDim(const RuleContext &context, llvm::SMLoc loc,
                          const Value &base, bool hasDim) {
  if (hasDim)
    return true;
  return context.refuse(
      loc, base.isField() ? "[PM0511] " + explainCells(base)
                          : "[PM0511] write the dim and the offset: f[x + 1]");
}

std::optional<int64_t> pmc::readOffset(const RuleContext &context,
                                       const Argument &offset) {
  constexpr int64_t most = int64_t(1) << 40;
  return readInt(context, offset, "the offset of a neighbor", -most, most);
}

bool pmc::requireCommonEdge(const RuleContext &context, llvm::SMLoc loc,
                            bool hasEdge, bool hasKnown, bool hasComputed) {
  return !hasEdge || !hasKnown || !hasComputed ||
         context.refuse(
             loc,
             "[PM0513] an offset that only the program knows and one that the "
             "compiler knows have no common edge; write two brackets: "
             "f[x + p, edge = \"zero\"][y + 1, edge = \"zero\"]");
}

std::optional<std::vector<unsigned>>
pmc::placeOffsets(const RuleContext &context, DimList dims,
                  llvm::ArrayRef<Offset> offsets) {
  std::vector<unsigned> places;
  for (const Offset &offset : offsets) {
    const auto place = placeOf(context, dims, offset.dim, offset.loc);
    if (!place)
      return std::nullopt;
    const Dim &dim = dims[*place];
    const std::string quoted = "'" + dim.getLabel() + "'";
    if (llvm::is_contained(places, *place)) {
      context.error(offset.loc, "[PM0117] " + quoted + " is given twice");
      return std::nullopt;
    }
    if (offset.edge == Edge::Reflect && std::abs(offset.cells) >= dim.extent) {
      context.error(offset.loc,
                    "[PM0513] \"reflect\" reaches less far than the " +
                        std::to_string(dim.extent) + " cells of " + quoted);
      return std::nullopt;
    }
    places.push_back(*place);
  }
  for (auto [offset, place] : llvm::zip_equal(offsets, places))
    if (!checkModes(context, dims, dims[place], offset.edge, offset.loc))
      return std::nullopt;
  return places;
}

bool pmc::checkModes(const RuleContext &context, DimList dims, const Dim &dim,
                     Edge edge, llvm::SMLoc loc) {
  if (dim.isSpace())
    return true;
  const std::string quoted = "'" + dim.getLabel() + "'";
  if (llvm::any_of(dims, [](const Dim &own) { return own.isHalf(); }))
    return context.refuse(
        loc,
        "[PM0514] the transform of a real field keeps half of its modes, and "
        "modes of " +
            quoted +
            " are not read at others; one mode is fk[x = 1, y = 2] with "
            "all dims that are transformed, or transform a complex "
            "field: fft(f + 0i)");
  if (edge == Edge::Clamp || edge == Edge::Reflect)
    return context.refuse(loc, "[PM0514] beyond the modes of " + quoted +
                                   " is \"periodic\", \"zero\" or a value, "
                                   "not \"" +
                                   getName(edge) + "\"");
  return true;
}

//===----------------------------------------------------------------------===//
// shift
//===----------------------------------------------------------------------===//

bool pmc::requireShiftDim(const RuleContext &context, const ast::CallExpr &expr,
                          bool hasDim) {
  return hasDim ||
         context.refuse(expr.loc,
                        "[PM0511] write shift(f, x = 1), or shift(f, x = 1, "
                        "y = -2, edge = \"zero\")");
}

bool pmc::checkShiftForm(const RuleContext &context,
                         const ast::CallExpr &expr) {
  bool isRight =
      expr.args.size() >= 2 && expr.args[0].name.text.empty() && !expr.hasDims;
  // Elsewhere a mistake in the arguments before is reported instead.
  if (context.isUncalled && isRight)
    isRight =
        llvm::none_of(llvm::drop_begin(expr.args), [](const ast::Argument &a) {
          return a.name.text.empty();
        });
  return requireShiftDim(context, expr, isRight);
}

bool pmc::requireShiftField(const RuleContext &context, llvm::SMLoc loc,
                            const Value &base, bool hasField) {
  return hasField ||
         context.refuse(loc, "[PM0302] 'shift' requires a field, not " +
                                 base.describeType());
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// A value beyond the edge is a number, a bool or a field, or has one for each
/// component.
static bool checkBeyond(const RuleContext &context, const Argument &beyond,
                        llvm::function_ref<bool(const Value &)> isUniform) {
  const Value &value = beyond.value;
  if (value.isPoison())
    return false;
  if (value.isTuple() || value.isRecord())
    return llvm::all_of(value.getElements(), [&](const Value &part) {
      return checkBeyond(context, beyond.with(part), isUniform);
    });
  if (!value.isNumber() && !value.isBoolLike() && !value.isField())
    return context.refuse(beyond,
                          "[PM0513] an edge is one of \"periodic\", \"zero\", "
                          "\"clamp\", \"reflect\", or a value, not " +
                              value.describeType());
  if (!context.isInMap || value.isField() || isUniform(value))
    return true;
  return context.refuseInMap(beyond,
                             "[PM0513] the value beyond the edge must be the "
                             "same for all elements of the map, or a field");
}

std::optional<std::vector<EdgeOrValue>>
pmc::readEdges(const RuleContext &context, const Argument &arg, size_t count,
               llvm::function_ref<bool(const Value &)> isUniform) {
  if (arg.value.isPoison())
    return std::nullopt;
  std::vector<Value> given(count, arg.value);
  if (arg.value.isTuple())
    given = arg.value.getElements();
  if (given.size() != count) {
    context.error(arg, "[PM0513] here are " + llvm::Twine(given.size()) +
                           " edges for " + llvm::Twine(count) +
                           (count == 1 ? " dim" : " dims"));
    return std::nullopt;
  }
  std::vector<EdgeOrValue> edges;
  for (const Value &one : given) {
    const Argument part = arg.with(one);
    if (one.is(Value::Kind::String)) {
      const auto edge = readChoice<Edge>(context, part, edgeOption);
      if (!edge)
        return std::nullopt;
      edges.push_back({*edge});
      continue;
    }
    if (!checkBeyond(context, part, isUniform))
      return std::nullopt;
    edges.push_back({Edge::Zero, std::make_shared<const Argument>(part)});
  }
  return edges;
}

bool pmc::requireSameParts(const RuleContext &context, const Value &base,
                           const Argument &beyond) {
  const Value &value = beyond.value;
  const std::string why = explainOrder(base, value);
  if (!why.empty())
    return context.refuse(
        beyond, "[PM0513] the field and the value beyond its edge have " + why);
  const bool fits =
      value.getElements().size() == base.getElements().size() &&
      (!base.isRecord() || !value.isRecord() || hasSameMembers(value, base));
  return fits ||
         context.refuse(beyond, "[PM0513] beyond the edge of " +
                                    base.describeType() + " cannot be " +
                                    value.describeType());
}

bool pmc::requireField(const RuleContext &context, llvm::SMLoc loc,
                       const Value &base, bool areCells) {
  return base.isField() ||
         context.refuse(loc, "[PM0511] only fields have " +
                                 llvm::Twine(areCells ? "cells" : "neighbors") +
                                 ", not " + base.describeType());
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

bool pmc::requireCellInt(const RuleContext &context, Argument &cell,
                         llvm::StringRef dim) {
  return requireInt(context, cell, "[PM0303] a cell is picked by an int",
                    "; the mean over some is slice(f, " + dim + " = a .. b)");
}

/// A sum of dims counts single cells of all its dims but one.
static bool checkTerms(const RuleContext &context,
                       llvm::ArrayRef<IndexTerm> terms, const Argument &sum) {
  if (terms.size() > 2 ||
      (terms.size() == 2 && terms[0].factor > 1 && terms[1].factor > 1))
    return context.refuse(sum,
                          "[PM0511] an index has one dim, or two of which one "
                          "counts single cells: 8 * X + u");
  for (const IndexTerm &term : terms)
    if (!term.dim.isSpace())
      return context.refuse(sum,
                            "[PM0514] an index counts along space dims, and '" +
                                term.dim.getLabel() + "' is a Fourier dim");
  return true;
}

std::optional<IndexRange> pmc::checkIndex(const RuleContext &context,
                                          llvm::ArrayRef<IndexTerm> terms,
                                          const Argument &sum, const Dim &dim,
                                          std::optional<Edge> edge) {
  if (!checkTerms(context, terms, sum))
    return std::nullopt;
  int64_t span = 0;
  for (const IndexTerm &term : terms)
    span += term.factor * (term.dim.extent - 1);
  const bool isKnown = sum.value.is(Value::Kind::Int);
  if (!isKnown && !dim.isSpace()) {
    context.error(sum, "[PM0514] the offset of an index of modes must be known "
                       "when the spec is compiled");
    return std::nullopt;
  }
  if (!edge) {
    const auto [least, most] = getIndexes(dim);
    IndexRange range{true, least, most - span};
    range.why =
        "the index reads " + std::to_string(span + 1) +
        (dim.isSpace() ? " cells from " : " modes from ") +
        (isKnown ? std::to_string(sum.value.getInt()) : "{:d}") + " on, and '" +
        dim.getLabel() + "' has " +
        (dim.isSpace() ? std::to_string(dim.extent)
                       : std::to_string(least) + " to " + std::to_string(most));
    if (isKnown)
      range.why += "; 'edge' defines the values beyond the ends";
    return range;
  }
  constexpr int64_t far = int64_t(1) << 40;
  const auto offset =
      readInt(context, sum, "the offset of an index with an edge", -far, far);
  if (!offset)
    return std::nullopt;
  if (*edge == Edge::Reflect &&
      (*offset <= -dim.extent || *offset + span > 2 * (dim.extent - 1))) {
    context.error(sum, "[PM0513] \"reflect\" reaches less far than the " +
                           llvm::Twine(dim.extent) + " cells of '" +
                           dim.getLabel() + "'");
    return std::nullopt;
  }
  return IndexRange();
}

bool pmc::requireKnownEdges(const RuleContext &context, llvm::SMLoc loc,
                            bool isConstant, bool hasEdge) {
  return isConstant || !hasEdge ||
         context.refuse(
             loc,
             "[PM0513] an index that only the program knows and one with an "
             "edge do not go together; write two brackets: "
             "f[x = p + i][y = q - 1, edge = \"zero\"]");
}

bool pmc::requireCells(const RuleContext &context, const Argument &cells,
                       llvm::ArrayRef<Value> conditions, std::string why) {
  if (llvm::none_of(conditions, [](const Value &holds) {
        return holds.is(Value::Kind::Bool) && !holds.getBool();
      }))
    return true;
  for (size_t hole; (hole = why.find("{:d}")) != std::string::npos;)
    why.replace(hole, 4, "…");
  return context.refuse(cells, "[PM0512] " + why);
}

bool pmc::requireMapDim(const RuleContext &context, llvm::SMLoc loc,
                        DimList domain, const Dim &dim) {
  return llvm::is_contained(domain, dim) ||
         context.refuseInMap(
             loc, "[PM0511] a map over " + describeDims(domain) +
                      " has no index along '" + dim.getLabel() + "'");
}

bool pmc::requireGatheredInt(const RuleContext &context, const Argument &sum,
                             bool isInt) {
  if (isInt)
    return true;
  context
      .error(sum.loc, "[PM0303] the index of a cell is an int, not " +
                          sum.value.describe() + "; int(x) rounds down")
      .range(sum.range);
  return false;
}

bool pmc::requireGatheredCell(const RuleContext &context, const Argument &sum,
                              const Dim &dim,
                              std::pair<int64_t, int64_t> bounds,
                              bool hasEdge) {
  const auto [first, last] = bounds;
  if (hasEdge || (first >= 0 && last < dim.extent))
    return true;
  context
      .error(sum.loc, "[PM0512] there is no cell " +
                          llvm::Twine(first < 0 ? first : last) + " of '" +
                          dim.getLabel() + "', which has " +
                          llvm::Twine(dim.extent) +
                          "; 'edge' defines the values beyond the ends")
      .range(sum.range);
  return false;
}

bool pmc::requireGivenOnce(const RuleContext &context, llvm::SMLoc loc,
                           const Dim &dim, bool isGiven) {
  return !isGiven || context.refuse(loc, "[PM0117] '" + dim.getLabel() +
                                             "' is given twice");
}

bool pmc::requireGatheredDim(const RuleContext &context, llvm::SMLoc loc,
                             const Dim &dim) {
  return dim.isSpace() ||
         context.refuse(
             loc, "[PM0514] a field with the Fourier dim '" + dim.getLabel() +
                      "' cannot be read at cells that elements compute");
}

bool pmc::requireNoEdge(const RuleContext &context, llvm::SMLoc loc,
                        bool hasEdge) {
  return !hasEdge ||
         context.refuse(loc, "[PM0513] one cell of a field has no 'edge'");
}

bool pmc::requireMode(const RuleContext &context, Argument &mode,
                      llvm::function_ref<bool(const Value &)> isUniform) {
  if (!requireInt(context, mode, "[PM0514] a mode is picked by an int"))
    return false;
  if (!context.isInMap || !mode.value.isScalar() || isUniform(mode.value))
    return true;
  return context.refuseInMap(
      mode, "[PM0514] the mode is the same for all elements of "
            "a map; here each has its own");
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

std::optional<std::vector<Value>> pmc::partsOfUpdate(const RuleContext &context,
                                                     const Value &base,
                                                     const Argument &value) {
  const Value &given = value.value;
  if (!given.isTuple() && !given.isRecord())
    return std::vector<Value>(base.getElements().size(), given);
  if (given.getElements().size() != base.getElements().size() ||
      (base.isRecord() && given.isRecord() && !hasSameMembers(given, base))) {
    context.error(value, "[PM0515] cells of " + base.describeType() +
                             " cannot become " + given.describeType());
    return std::nullopt;
  }
  if (const std::string why = explainOrder(base, given); !why.empty()) {
    context.error(value, "[PM0515] the cells and what they become have " + why);
    return std::nullopt;
  }
  return partsLike(given, base);
}

bool pmc::requireSpaceCell(const RuleContext &context, llvm::SMLoc loc,
                           const Dim &dim) {
  return dim.isSpace() ||
         context.refuse(loc, "[PM0515] cells are changed along a space dim");
}

bool pmc::checkUpdate(const RuleContext &context, const Value &field,
                      DimList others, const Argument &value) {
  const Value &given = value.value;
  if (!given.isNumber() && !given.isField())
    return context.refuse(
        value, "[PM0515] cells of a field become numbers or a field, not " +
                   given.describeType());
  const bool isInt =
      given.isField() ? given.isFieldOf(Storage::I64) : given.isIntLike();
  if (field.isFieldOf(Storage::I64) && !isInt)
    return context.refuse(
        value, "[PM0515] cells of a field of ints become ints, not " +
                   given.describeType() + "; int(x) rounds down");
  if (given.isField() && !isPartOf(given.getDims(), others))
    return context.refuse(value, "[PM0515] cells of field" +
                                     describeDims(field.getDims()) +
                                     " that are fields" + describeDims(others) +
                                     " cannot become " + given.describeType());
  return true;
}

bool pmc::requireStackable(const RuleContext &context, llvm::SMLoc loc,
                           const Value &one) {
  if (one.isPoison() && !one.isFree())
    return false;
  return one.isNumber() || (one.isField() && !one.isFieldOf(Storage::I1)) ||
         context.refuse(loc,
                        "[PM0525] a stack is made of numbers and fields of "
                        "numbers, not of " +
                            one.describeType());
}
