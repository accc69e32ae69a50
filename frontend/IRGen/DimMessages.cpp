//===- DimMessages.cpp - How two lists of dims differ ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/DimMessages.h"

#include "llvm/ADT/STLExtras.h"

using namespace pmc;

static std::string nameHalf(llvm::ArrayRef<pm::DimAttr> dims) {
  for (pm::DimAttr dim : dims)
    if (dim.isHalf())
      return "'" + dim.getLabel() + "'";
  return "none";
}

/// `dual(x)`, as a spec writes it; `full`: with the number of cells.
static std::string spelled(llvm::ArrayRef<pm::DimAttr> dims, bool full) {
  std::string text = "[";
  for (pm::DimAttr dim : dims) {
    std::string name = getSpaceDim(dim).getLabel();
    if (!dim.isSpace())
      name = (dim.isHalf() ? "half(" : "dual(") + name + ")";
    text += (text.size() > 1 ? ", " : "") + name;
    if (full)
      text += " of " + std::to_string(dim.getExtent()) + " cells";
  }
  return text + "]";
}

std::string pmc::tellApart(llvm::ArrayRef<pm::DimAttr> expected,
                           llvm::ArrayRef<pm::DimAttr> actual) {
  if (describeDims(expected) != describeDims(actual))
    return describeDims(expected);
  const bool full = spelled(expected, false) == spelled(actual, false);
  return spelled(expected, full) + ", those of the argument " +
         spelled(actual, full);
}

std::string pmc::explainDims(const Value &a, const Value &b) {
  if (!a.isField() || !b.isField())
    return "";
  llvm::ArrayRef<pm::DimAttr> first = a.getFieldType().getDims();
  llvm::ArrayRef<pm::DimAttr> second = b.getFieldType().getDims();
  if (first.size() != second.size() || first == second)
    return "";
  if (llvm::all_of(first, [&](pm::DimAttr dim) {
        return llvm::is_contained(second, dim);
      }))
    return "; they have the same dims in another order, which a map over dims "
           "changes: map q in [x, y] => f";
  auto find = [&](pm::DimAttr dim) {
    return llvm::find_if(second, [&](pm::DimAttr other) {
      return other.getLabel() == dim.getLabel();
    });
  };
  if (!llvm::all_of(first,
                    [&](pm::DimAttr dim) { return find(dim) != second.end(); }))
    return "";
  std::string halves[] = {nameHalf(first), nameHalf(second)};
  if (halves[0] != halves[1])
    return "; the halved dim of the first one is " + halves[0] +
           ", that of the second one " + halves[1];
  for (pm::DimAttr dim : first)
    if (find(dim)->getExtent() != dim.getExtent())
      return ("; '" + dim.getLabel() + "' has " + llvm::Twine(dim.getExtent()) +
              " cells in the first one and " +
              llvm::Twine(find(dim)->getExtent()) + " in the second one")
          .str();
  return "";
}

std::string pmc::explainCells(const Value &field) {
  std::string x = getSpaceDim(field.getFieldType().getDims()[0]).getLabel();
  return "an index of " + field.describeType() + " names its dim: f[" + x +
         " = 0] is a cell, f[" + x + " + 1] a neighbor, slice(f, " + x +
         " = 0 .. 5) a mean, and f[" + x + " = p] a part over a dim p";
}

std::pair<std::string, std::string> pmc::describeApart(const Value &a,
                                                       const Value &b) {
  std::pair<std::string, std::string> texts(a.describe(), b.describe());
  if (texts.first != texts.second || !a.isField() || !b.isField() ||
      a.getType() == b.getType())
    return texts;
  auto add = [](std::string &text, const Value &field) {
    text +=
        field.getFieldType().getElementType().isF64() ? ", in f64" : ", in f32";
  };
  add(texts.first, a);
  add(texts.second, b);
  return texts;
}

//===----------------------------------------------------------------------===//
// The order of components
//===----------------------------------------------------------------------===//

/// Whether a dim that is in both lists has the same position in both. Vectors
/// over other dims altogether have no names in common that could disagree.
static bool fitByPosition(llvm::ArrayRef<pm::DimAttr> a,
                          llvm::ArrayRef<pm::DimAttr> b) {
  if (a.size() != b.size())
    return true; // no dims, or an error of its own
  bool isSame = true, isShared = false;
  for (auto [i, dim] : llvm::enumerate(a)) {
    isSame &= dim.getName() == b[i].getName();
    isShared |= llvm::any_of(b, [&, name = dim.getName()](pm::DimAttr other) {
      return other.getName() == name;
    });
  }
  return isSame || !isShared;
}

/// "(z, y, x)", as a `for` writes it.
static std::string listDims(llvm::ArrayRef<pm::DimAttr> dims) {
  std::string text = "(";
  for (pm::DimAttr dim : dims) {
    if (text.size() > 1)
      text += ", ";
    text += getSpaceDim(dim).getLabel();
  }
  return text + ")";
}

static std::string suggestOrder(llvm::ArrayRef<pm::DimAttr> dims) {
  return "; write for d in " + listDims(dims) +
         " => v[d] to put the components of v in that order";
}

std::string pmc::explainOrder(const Value &a, const Value &b) {
  if (!a.isTuple() || !b.isTuple() || fitByPosition(a.getTags(), b.getTags()))
    return "";
  return "components over " + listDims(a.getTags()) + " and over " +
         listDims(b.getTags()) + ", which are combined by position" +
         suggestOrder(a.getTags());
}

std::string pmc::explainOrder(const Value &vector,
                              llvm::ArrayRef<pm::DimAttr> dims,
                              llvm::StringRef whose) {
  if (!vector.isTuple() || fitByPosition(vector.getTags(), dims))
    return "";
  return "the components are over " + listDims(vector.getTags()) + ", but " +
         whose.str() + " has the dims " + describeDims(dims) +
         ", and components are taken by position" + suggestOrder(dims);
}
