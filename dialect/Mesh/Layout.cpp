//===- Layout.cpp - Which mesh axes split which dims ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Mesh/Layout.h"

#include "dialect/Mesh/Duals.h"

using namespace mlir;
using namespace pmc::pm;

Layout::Layout(ModuleOp module) {
  for (auto op : module.getOps<LayoutOp>())
    declared[op.getDim()] = op;
}

SmallVector<StringAttr> Layout::getDeclared(StringRef label) const {
  auto found = declared.find(label);
  if (found == declared.end())
    return {};
  LayoutOp op = found->second;
  return llvm::to_vector(op.getAxes().getAsRange<StringAttr>());
}

/// What the user calls it: refined dims are laid out as the plain one.
static std::string getPlainLabel(DimAttr dim) {
  return (dim.isSpace() ? "" : "k") + dim.getName().str();
}

static Cut getCut(ArrayRef<DimAttr> dims,
                  function_ref<SmallVector<StringAttr>(StringRef)> declared) {
  Cut cut;
  for (DimAttr dim : dims)
    cut.push_back(declared(dim.getName()));
  if (llvm::all_of(dims, [](DimAttr dim) { return dim.isSpace(); }))
    return cut;
  moveAxesToDuals(dims, cut);
  // Where the user requires a dual on certain axes, these are taken from the
  // others, and what was there goes to the first dual that has nothing else.
  SmallVector<StringAttr> homeless;
  llvm::BitVector fixed(dims.size());
  for (auto [i, dim] : llvm::enumerate(dims)) {
    SmallVector<StringAttr> wanted;
    if (!dim.isSpace())
      wanted = declared(getPlainLabel(dim));
    if (wanted.empty())
      continue;
    homeless.append(cut[i]);
    cut[i] = wanted;
    fixed.set(i);
  }
  for (auto [i, dim] : llvm::enumerate(dims))
    if (fixed[i])
      for (auto [j, other] : llvm::enumerate(dims)) {
        if (!fixed[j] && !other.isSpace())
          llvm::erase_if(cut[j], [&](StringAttr axis) {
            return llvm::is_contained(cut[i], axis);
          });
        llvm::erase_if(homeless, [&](StringAttr axis) {
          return llvm::is_contained(cut[i], axis);
        });
      }
  for (auto [i, dim] : llvm::enumerate(dims))
    if (!fixed[i] && !dim.isSpace() && cut[i].empty()) {
      cut[i] = homeless;
      break;
    }
  return cut;
}

SmallVector<DimAttr> Layout::get(ArrayRef<DimAttr> dims) const {
  Cut cut = getCut(dims, [&](StringRef label) { return getDeclared(label); });
  SmallVector<DimAttr> split;
  for (auto [dim, axes] : llvm::zip(dims, cut))
    split.push_back(dim.withAxes(axes));
  return split;
}

FieldType Layout::get(FieldType type) const {
  return FieldType::get(type.getContext(), get(type.getDims()),
                        type.getElementType());
}

std::optional<Layout::Conflict>
Layout::findConflict(ArrayRef<DimAttr> dims) const {
  // Not `get`: an attribute of a dim cannot have an axis twice.
  Cut cut = getCut(dims, [&](StringRef label) { return getDeclared(label); });
  llvm::SmallDenseMap<StringAttr, DimAttr> owners;
  for (auto [dim, axes] : llvm::zip_equal(dims, cut))
    for (StringAttr axis : axes) {
      auto [owner, isNew] = owners.try_emplace(axis, dim);
      if (isNew)
        continue;
      Conflict conflict;
      conflict.axis = axis;
      conflict.dims[0] = owner->second;
      conflict.dims[1] = dim;
      // A dual may have the axes of several dims.
      if (owner->second == dim)
        for (DimAttr other : dims)
          if (other.getLabel() != dim.getLabel() &&
              llvm::is_contained(getDeclared(other.getName()), axis))
            conflict.dims[0] = other;
      for (unsigned i = 0; i < 2; ++i) {
        DimAttr claimed = conflict.dims[i];
        auto claim = declared.find(getPlainLabel(claimed));
        if (claim == declared.end())
          claim = declared.find(claimed.getName());
        if (claim != declared.end())
          conflict.claims[i] = claim->second;
      }
      return conflict;
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Local forms
//===----------------------------------------------------------------------===//

SmallVector<DimAttr> pmc::pm::select(ArrayRef<DimAttr> dims,
                                     ArrayRef<DimAttr> some) {
  SmallVector<DimAttr> selected;
  for (DimAttr dim : some) {
    int position = findDim(dims, dim.getLabel());
    selected.push_back(position < 0 ? dim : dims[position]);
  }
  return selected;
}

static SmallVector<DimAttr> getDims(Type type, const Layout &layout) {
  auto field = dyn_cast<FieldType>(type);
  if (!field)
    return {};
  return layout.get(withoutAxes(field.getDims()));
}

LocalForm::LocalForm(Operation *op, const Layout &layout) {
  for (Type type : op->getOperandTypes())
    operands.push_back(getDims(type, layout));
  for (Type type : op->getResultTypes())
    results.push_back(getDims(type, layout));
  partial.resize(op->getNumResults());
  if (auto loop = dyn_cast<DomainOpInterface>(op))
    setDomain(op, layout.get(withoutAxes(loop.getDomainDims())));
}

void LocalForm::setDomain(Operation *op, ArrayRef<DimAttr> dims) {
  auto loop = cast<DomainOpInterface>(op);
  domain.assign(dims.begin(), dims.end());
  for (OpOperand &input : loop.getDomainInputsMutable()) {
    SmallVector<DimAttr> &taken = operands[input.getOperandNumber()];
    taken = select(domain, taken);
  }
  for (SmallVector<DimAttr> &result : results)
    if (!result.empty() && llvm::all_of(result, [&](DimAttr dim) {
          return findDim(domain, dim.getLabel()) >= 0;
        }))
      result = select(domain, result);
}
