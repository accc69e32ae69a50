//===- DimMessages.cpp - How two lists of dims differ ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Types/DimMessages.h"

using namespace pmc;

std::string pmc::explainDims(const Value &a, const Value &b) {
  if (!a.isField() || !b.isField())
    return "";
  return explainDims(a.getDims(), b.getDims());
}

/// Describes the forms of an index of a field.
static std::string describeCells(const Value &field) {
  std::string x = field.getDims()[0].getSpaceDim().getLabel();
  return "f[" + x + " = 0] is a cell, f[" + x + " + 1] a neighbor, slice(f, " +
         x + " = 0 .. 5) a mean, and f[" + x + " = p] a part over a dim p";
}

std::string pmc::explainCells(const Value &field) {
  return "an index of " + field.describeType() +
         " names its dim: " + describeCells(field);
}

std::string pmc::explainNoComponent(const Value &field, const Dim &dim) {
  return field.describeType() + " is not a vector with a component for '" +
         dim.getLabel() + "'; of a field, " + describeCells(field);
}

std::string pmc::explainVector(const Value &field, size_t count) {
  constexpr int64_t most = 4;
  if (!field.isField())
    return "";
  for (const Dim &dim : llvm::reverse(field.getDims())) {
    if (count > 0 ? size_t(dim.extent) != count
                  : dim.extent < 2 || dim.extent > most)
      continue;
    const std::string name = dim.getLabel();
    std::string list;
    for (int64_t i = 0; i < dim.extent; ++i)
      list += (i == 0 ? "f[" : ", f[") + name + " = " + std::to_string(i) + "]";
    return "; a vector has a field for each component: write (" + list +
           ") for a field f over '" + name + "'";
  }
  return "";
}

std::pair<std::string, std::string> pmc::describeApart(const Value &a,
                                                       const Value &b) {
  std::pair<std::string, std::string> texts(a.describe(), b.describe());
  if (texts.first != texts.second || !a.isField() || !b.isField() ||
      a.hasTypeOf(b))
    return texts;
  auto add = [](std::string &text, const Value &field) {
    text += field.getStorage() == Storage::F64 ? ", in f64" : ", in f32";
  };
  add(texts.first, a);
  add(texts.second, b);
  return texts;
}

std::string pmc::explainOrder(const Value &a, const Value &b) {
  if (!a.isTuple() || !b.isTuple())
    return "";
  return explainOrder(a.getTags(), b.getTags());
}

std::string pmc::explainOrder(const Value &vector, DimList dims,
                              llvm::StringRef whose) {
  return vector.isTuple() ? explainOrder(vector.getTags(), dims, whose) : "";
}
