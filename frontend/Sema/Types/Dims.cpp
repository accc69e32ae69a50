//===- Dims.cpp - Dims of fields, and the rules for them ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/Dims.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pmc;

std::string Dim::getLabel() const {
  std::string label = isSpace() ? "" : "k";
  label += name;
  if (refine > 1)
    label += "*" + std::to_string(refine);
  else if (refine < 1)
    label += "/" + std::to_string(-refine);
  return label;
}

Dim Dim::getSpaceDim() const {
  Dim space = *this;
  space.kind = Kind::Space;
  return space;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string pmc::describeDims(DimList dims) {
  std::string text = "[";
  for (const Dim &dim : dims) {
    if (text.size() > 1)
      text += ", ";
    text += dim.getLabel();
  }
  return text + "]";
}

static std::string nameHalf(DimList dims) {
  const Dim *half =
      llvm::find_if(dims, [](const Dim &d) { return d.isHalf(); });
  return half == dims.end() ? "none" : "'" + half->getLabel() + "'";
}

/// `dual(x)`, as a spec writes it; `full`: with the number of cells.
static std::string spelled(DimList dims, bool full) {
  std::string text = "[";
  for (const Dim &dim : dims) {
    std::string name = dim.getSpaceDim().getLabel();
    if (!dim.isSpace())
      name = (dim.isHalf() ? "half(" : "dual(") + name + ")";
    text += (text.size() > 1 ? ", " : "") + name;
    if (full)
      text += " of " + std::to_string(dim.extent) + " cells";
  }
  return text + "]";
}

std::string pmc::tellApart(DimList expected, DimList actual) {
  if (describeDims(expected) != describeDims(actual))
    return describeDims(expected);
  const bool full = spelled(expected, false) == spelled(actual, false);
  return spelled(expected, full) + ", those of the argument " +
         spelled(actual, full);
}

std::string pmc::explainDims(DimList first, DimList second) {
  for (const Dim &a : first)
    for (const Dim &b : second)
      if (a.name == b.name && a.isSpace() != b.isSpace()) {
        const Dim &modes = a.isSpace() ? b : a;
        return "; '" + modes.getLabel() + "' has the modes of '" + a.name +
               (modes.isHalf() ? "'"
                               : "': a field over them has dual(" + a.name +
                                     ") in its list of dims");
      }
  if (first.size() != second.size() || first == second)
    return "";
  if (isPartOf(first, second))
    return "; they have the same dims in another order, which a map over dims "
           "changes: map q in [x, y] => f";
  auto find = [&](const Dim &dim) {
    return llvm::find_if(second, [&](const Dim &other) {
      return other.getLabel() == dim.getLabel();
    });
  };
  if (!llvm::all_of(first,
                    [&](const Dim &dim) { return find(dim) != second.end(); }))
    return "";
  const std::string halves[] = {nameHalf(first), nameHalf(second)};
  if (halves[0] != halves[1])
    return "; the halved dim of the first one is " + halves[0] +
           ", that of the second one " + halves[1];
  for (const Dim &dim : first)
    if (find(dim)->extent != dim.extent)
      return "; '" + dim.getLabel() + "' has " + std::to_string(dim.extent) +
             " cells in the first one and " +
             std::to_string(find(dim)->extent) + " in the second one";
  return "";
}

/// Whether a dim that is in both lists has the same position in both. Vectors
/// over other dims altogether have no names in common that could disagree.
static bool fitByPosition(DimList a, DimList b) {
  if (a.size() != b.size())
    return true; // no dims, or an error of its own
  bool isSame = true, isShared = false;
  for (auto [i, dim] : llvm::enumerate(a)) {
    isSame &= dim.name == b[i].name;
    isShared |= llvm::any_of(b, [&, &name = dim.name](const Dim &other) {
      return other.name == name;
    });
  }
  return isSame || !isShared;
}

/// "(z, y, x)", as a `for` writes it.
static std::string listDims(DimList dims) {
  std::string text = "(";
  for (const Dim &dim : dims) {
    if (text.size() > 1)
      text += ", ";
    text += dim.getSpaceDim().getLabel();
  }
  return text + ")";
}

std::vector<size_t> pmc::findPlaces(DimList vector, DimList dims) {
  std::vector<size_t> places;
  if (vector.size() != dims.size())
    return places;
  for (const Dim &dim : dims) {
    auto hasName = [&](const Dim &other) { return other.name == dim.name; };
    if (llvm::count_if(dims, hasName) != 1 ||
        llvm::count_if(vector, hasName) != 1)
      return {};
    places.push_back(size_t(llvm::find_if(vector, hasName) - vector.begin()));
  }
  return places;
}

std::string pmc::explainOrder(DimList first, DimList second) {
  if (fitByPosition(first, second) || !findPlaces(first, second).empty())
    return "";
  return "components over " + listDims(first) + " and over " +
         listDims(second) +
         ", which do not have the same names; write for d "
         "in " +
         listDims(first) + " => v[d] of a vector v that has them";
}

std::string pmc::explainOrder(DimList vector, DimList dims,
                              llvm::StringRef whose) {
  if (fitByPosition(vector, dims) || !findPlaces(vector, dims).empty())
    return "";
  return "the components are over " + listDims(vector) + ", but " +
         whose.str() + " has the dims " + describeDims(dims) +
         "; each component needs one of these dims";
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

Dim pmc::pieceOf(const Dim &dim, int64_t cells) {
  std::string name = dim.name + "." + std::to_string(cells);
  if (dim.refine > 1)
    name += ".fine" + std::to_string(dim.refine);
  else if (dim.refine < 1)
    name += ".coarse" + std::to_string(-dim.refine);
  return {std::move(name), cells};
}

std::optional<Dim> pmc::findBaseOfPiece(const Dim &piece) {
  llvm::StringRef name = piece.name;
  Dim base;
  const auto [fine, times] = name.rsplit(".fine");
  const auto [coarse, by] = name.rsplit(".coarse");
  int64_t factor = 1;
  if (!times.empty() && !times.getAsInteger(10, factor)) {
    name = fine;
    base.refine = factor;
  } else if (!by.empty() && !by.getAsInteger(10, factor)) {
    name = coarse;
    base.refine = -factor;
  }
  const auto [first, cells] = name.rsplit('.');
  int64_t count = 0;
  if (cells.empty() || cells.getAsInteger(10, count))
    return std::nullopt;
  base.name = first.str();
  return base;
}

std::string pmc::findFieldProblem(DimList dims, size_t most) {
  if (dims.empty() || dims.size() > most)
    return "[PM0504] a field has 1 to " + std::to_string(most) + " dims, not " +
           std::to_string(dims.size());
  int64_t cells = 1;
  unsigned halves = 0;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    for (const Dim &other : dims.take_front(index))
      if (other.getLabel() == dim.getLabel())
        return "[PM0504] the dim '" + dim.getLabel() + "' is twice in field" +
               describeDims(dims);
    halves += dim.isHalf();
    if (llvm::MulOverflow(cells, dim.extent, cells) || cells > int64_t(1) << 48)
      return "[PM0504] field" + describeDims(dims) +
             " has more than 2^48 cells";
  }
  return halves > 1
             ? "[PM0504] field" + describeDims(dims) + " has two halved dims"
             : "";
}

bool pmc::isPartOf(DimList part, DimList whole) {
  return llvm::all_of(
      part, [&](const Dim &dim) { return llvm::is_contained(whole, dim); });
}

/// Adds the dims of a field to others, in an order that keeps both, or else
/// behind them; false if two of them are one dim of the program.
static bool uniteDims(std::vector<Dim> &dims, DimList more) {
  std::vector<Dim> both;
  size_t next = 0;
  bool keepsOrder = true;
  for (const Dim &dim : dims) {
    const auto *place = llvm::find(more, dim);
    if (place != more.end()) {
      keepsOrder &= size_t(place - more.begin()) >= next;
      for (; keepsOrder && !(more[next] == dim); ++next)
        if (!llvm::is_contained(dims, more[next]))
          both.push_back(more[next]);
        else
          keepsOrder = false;
      ++next;
    }
    both.push_back(dim);
  }
  if (keepsOrder) {
    both.insert(both.end(), more.begin() + next, more.end());
  } else {
    both = dims;
    llvm::copy_if(more, std::back_inserter(both), [&](const Dim &dim) {
      return !llvm::is_contained(dims, dim);
    });
  }
  for (size_t i = 0; i < both.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (both[i].name == both[j].name)
        return false;
  dims = std::move(both);
  return true;
}

/// The dims of all fields; empty if they do not fit together.
static std::vector<Dim> getAllDims(llvm::ArrayRef<std::vector<Dim>> fields) {
  std::vector<Dim> dims;
  for (const std::vector<Dim> &field : fields)
    if (!uniteDims(dims, field))
      return {};
  return dims;
}

std::vector<Dim> pmc::broadcast(llvm::ArrayRef<std::vector<Dim>> fields,
                                bool isUnion) {
  if (fields.empty())
    return {};
  const std::vector<Dim> &widest = *std::max_element(
      fields.begin(), fields.end(),
      [](const auto &a, const auto &b) { return a.size() < b.size(); });
  if (llvm::all_of(fields, [&](const std::vector<Dim> &field) {
        return isPartOf(field, widest);
      }))
    return widest;
  return isUnion ? getAllDims(fields) : std::vector<Dim>();
}

std::optional<std::pair<Dim, Dim>>
pmc::findTwins(DimList a, DimList b,
               llvm::function_ref<bool(const Dim &)> isUnnamed) {
  for (const Dim &x : a)
    for (const Dim &y : b)
      if (x.extent == y.extent && isUnnamed(x) != isUnnamed(y) &&
          !llvm::is_contained(b, x) && !llvm::is_contained(a, y))
        return isUnnamed(x) ? std::pair(x, y) : std::pair(y, x);
  return std::nullopt;
}
