//===- Layout.cpp - mesh, layout, --layout --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Program/Declarations.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

static std::vector<LayoutEntry> layoutFromSpec(const Program &program) {
  std::vector<LayoutEntry> entries;
  for (const auto &owner : program.getMain().tree->statements) {
    auto *stmt = llvm::dyn_cast_or_null<ast::LayoutStmt>(owner.get());
    if (!stmt)
      continue;
    for (const ast::LayoutStmt::Entry &entry : stmt->entries) {
      LayoutEntry made{entry.dim.text, {}, entry.dim.loc, {}};
      for (const ast::Name &axis : entry.axes) {
        made.axes.push_back(axis.text);
        made.axisLocs.push_back(axis.loc);
      }
      entries.push_back(std::move(made));
    }
  }
  return entries;
}

/// `x->row, y->(col, z)`.
static std::vector<LayoutEntry> layoutFromOption(llvm::StringRef option,
                                                 Messages &messages) {
  std::vector<LayoutEntry> entries;
  llvm::StringRef text = option;
  auto isName = [](llvm::StringRef name) {
    return !name.empty() && llvm::all_of(name, [](char c) {
      return llvm::isAlnum(c) || c == '_';
    });
  };
  auto malformed = [&] {
    messages.errorOfCommand("[PM1004] --layout '" + option +
                            "' is not of the form 'x->row, y->col'");
    return std::vector<LayoutEntry>();
  };
  text = text.trim();
  while (!text.empty()) {
    auto [dim, rest] = text.split("->");
    LayoutEntry entry{dim.trim().str(), {}, {}, {}};
    rest = rest.ltrim();
    llvm::StringRef axes;
    if (rest.consume_front("(")) {
      std::tie(axes, text) = rest.split(')');
      text = text.ltrim();
      if (!text.empty() && !text.consume_front(","))
        return malformed();
    } else {
      std::tie(axes, text) = rest.split(',');
    }
    text = text.trim();
    llvm::SmallVector<llvm::StringRef> names;
    axes.split(names, ',');
    for (llvm::StringRef name : names) {
      if (!isName(name.trim()))
        return malformed();
      entry.axes.push_back(name.trim().str());
      entry.axisLocs.push_back({});
    }
    if (!isName(entry.dim))
      return malformed();
    entries.push_back(std::move(entry));
  }
  return entries;
}

void Generator::addLayout(LayoutEntry entry) {
  auto sorted = [](const auto &map) {
    llvm::SmallVector<llvm::StringRef> names;
    for (const auto &one : map)
      names.push_back(one.getKey());
    llvm::sort(names);
    return names;
  };
  const auto dimNames = sorted(dims), axisNames = sorted(meshAxes);
  const llvm::StringRef dim = entry.dim;
  auto previous = layout.find(dim);
  const LayoutNames names{
      dimNames, axisNames,
      previous == layout.end() ? nullptr : &previous->second, options.layout};
  if (!pmc::checkLayout(rules(), entry, names))
    return;
  if (entry.axes.empty())
    return;
  llvm::SmallVector<llvm::StringRef> axes(entry.axes.begin(), entry.axes.end());
  pm::LayoutOp::create(builder, getLoc(entry.dimLoc), dim,
                       builder.getStrArrayAttr(axes));
  layout[dim] = std::move(entry);
}

void Generator::declareMeshAndLayout() {
  const ast::MeshStmt *mesh = nullptr;
  for (const auto &owner : program.getMain().tree->statements) {
    auto *stmt = llvm::dyn_cast_or_null<ast::MeshStmt>(owner.get());
    if (!stmt)
      continue;
    if (!requireOneMesh(rules(), *stmt, mesh))
      continue;
    mesh = stmt;
    checkMeshName(rules(), stmt->name);
    functionNames[stmt->name.text] = 1; // symbols of one table
    llvm::SmallVector<llvm::StringRef> axes;
    llvm::SmallVector<int64_t> extents;
    int64_t ranks = 1;
    for (const ast::MeshStmt::Axis &axis : stmt->axes) {
      auto [it, isNew] = meshAxes.try_emplace(axis.name.text, axis.name.loc);
      if (!requireNewAxis(rules(), axis.name,
                          isNew ? std::nullopt : std::optional(it->second)))
        continue;
      int64_t extent = 1;
      if (axis.extent) {
        Argument arg{"",
                     {},
                     evaluateConst(*axis.extent, program.getMain()),
                     axis.extent->loc,
                     axis.extent->range};
        extent = readInt(rules(), arg, "the extent of a mesh axis", 1, 1 << 20)
                     .value_or(1);
      }
      if (!requireFewRanks(rules(), ranks * extent, axis.name.loc))
        extent = 1;
      ranks *= extent;
      axes.push_back(axis.name.text);
      extents.push_back(extent);
    }
    if (!axes.empty())
      pm::MeshOp::create(builder, getLoc(stmt->loc), stmt->name.text,
                         builder.getStrArrayAttr(axes), extents);
  }
  for (LayoutEntry &entry : options.layout.empty()
                                ? layoutFromSpec(program)
                                : layoutFromOption(options.layout, messages))
    addLayout(std::move(entry));
  if (!layout.empty())
    splits.emplace(*module);
}

/// No mesh axis may split two dims of a field.
bool Generator::checkLayout(llvm::ArrayRef<pm::DimAttr> fieldDims,
                            llvm::SMLoc loc) {
  if (!splits)
    return true;
  std::optional<pm::Layout::Conflict> conflict =
      splits->findConflict(fieldDims);
  if (!conflict)
    return true;
  llvm::SmallVector<const LayoutEntry *> claims;
  for (pm::LayoutOp op : conflict->claims)
    if (op)
      claims.push_back(&layout[op.getDim()]);
  reportConflict(rules(), conflict->axis.getValue(), dimsOf(fieldDims),
                 dimOf(conflict->dims[0]), dimOf(conflict->dims[1]), claims,
                 options.layout, loc);
  return false;
}
