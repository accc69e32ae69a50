//===- Layout.cpp - mesh, layout, --layout --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace pmc;

std::vector<LayoutEntry> Generator::layoutFromSpec() {
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
std::vector<LayoutEntry> Generator::layoutFromOption() {
  std::vector<LayoutEntry> entries;
  llvm::StringRef text = options.layout;
  auto isName = [](llvm::StringRef name) {
    return !name.empty() && llvm::all_of(name, [](char c) {
      return llvm::isAlnum(c) || c == '_';
    });
  };
  auto malformed = [&] {
    diags.report(Severity::Error, "<command line>", 0, 0,
                 "--layout '" + options.layout +
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
  auto report = [&](llvm::SMLoc loc, const llvm::Twine &text) {
    return loc.isValid() ? diags.error(loc, text)
                         : diags.report(Severity::Error, "<command line>", 0, 0,
                                        "--layout: " + text);
  };
  auto note = [&](InFlight message, llvm::SMLoc loc, const llvm::Twine &text) {
    if (loc.isValid())
      message.note(loc, text);
    else
      message.note("in --layout '" + options.layout + "'");
  };
  llvm::StringRef dim = entry.dim;
  bool known =
      dims.count(dim) || (dim.starts_with("k") && dims.count(dim.drop_front()));
  if (!known) {
    llvm::SmallVector<llvm::StringRef> names;
    for (const auto &declared : dims)
      names.push_back(declared.getKey());
    llvm::sort(names);
    report(entry.dimLoc,
           "there is no dim '" + dim + "' to lay out" + suggest(dim, names));
    return;
  }
  auto previous = layout.find(dim);
  if (previous != layout.end())
    return note(report(entry.dimLoc, "'" + dim + "' has two layouts"),
                previous->second.dimLoc, "the first one");
  llvm::SmallVector<llvm::StringRef> axisNames;
  for (const auto &axis : meshAxes)
    axisNames.push_back(axis.getKey());
  llvm::sort(axisNames);
  for (size_t i = 0; i < entry.axes.size(); ++i) {
    llvm::StringRef axis = entry.axes[i];
    if (!meshAxes.count(axis)) {
      if (axisNames.empty())
        report(entry.axisLocs[i],
               "there is no mesh; write 'mesh ranks(" + axis + " = 1)'");
      else
        report(entry.axisLocs[i], "the mesh has no axis '" + axis + "'" +
                                      suggest(axis, axisNames));
      return;
    }
    for (size_t j = 0; j < i; ++j)
      if (entry.axes[j] == axis)
        return note(
            report(entry.axisLocs[i],
                   "the axis '" + axis + "' splits '" + dim + "' twice"),
            entry.axisLocs[j], "here and");
  }
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
    if (mesh) {
      diags.error(stmt->loc, "a program has one mesh")
          .note(mesh->loc, "the first one");
      continue;
    }
    mesh = stmt;
    if (stmt->name.text == "main")
      diags.error(stmt->name.loc, "a mesh cannot be called 'main'");
    functionNames[stmt->name.text] = 1; // symbols of one table
    llvm::SmallVector<llvm::StringRef> axes;
    llvm::SmallVector<int64_t> extents;
    int64_t ranks = 1;
    for (const ast::MeshStmt::Axis &axis : stmt->axes) {
      auto [it, isNew] = meshAxes.try_emplace(axis.name.text, axis.name.loc);
      if (!isNew) {
        diags
            .error(axis.name.loc,
                   "the mesh has two axes '" + axis.name.text + "'")
            .note(it->second, "the first one");
        continue;
      }
      int64_t extent = 1;
      if (axis.extent) {
        Argument arg{"",
                     {},
                     evaluateConst(*axis.extent, program.getMain()),
                     axis.extent->loc,
                     axis.extent->range};
        extent =
            constInt(arg, "the extent of a mesh axis", 1, 1 << 20).value_or(1);
      }
      if (ranks * extent > (1 << 20)) {
        diags.error(axis.name.loc, "the mesh has more than 2^20 ranks");
        extent = 1;
      }
      ranks *= extent;
      axes.push_back(axis.name.text);
      extents.push_back(extent);
    }
    if (!axes.empty())
      pm::MeshOp::create(builder, getLoc(stmt->loc), stmt->name.text,
                         builder.getStrArrayAttr(axes), extents);
  }
  for (LayoutEntry &entry :
       options.layout.empty() ? layoutFromSpec() : layoutFromOption())
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
  Report report =
      error(loc, "the mesh axis '" + conflict->axis.getValue() +
                     "' splits two dims of field" + describeDims(fieldDims) +
                     ", '" + conflict->dims[0].getLabel() + "' and '" +
                     conflict->dims[1].getLabel() + "'");
  for (pm::LayoutOp op : conflict->claims) {
    if (!op)
      continue;
    const LayoutEntry &claim = layout[op.getDim()];
    if (claim.dimLoc.isValid())
      report.note(claim.dimLoc, "'" + claim.dim + "' is laid out here");
    else
      report.note({}, "'" + claim.dim + "' is laid out by --layout '" +
                          options.layout + "'");
  }
  return false;
}
