//===- LayoutChoice.cpp - Another layout of a program ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/LayoutChoice.h"

#include "dialect/IR/Markers/PMSchedules.h"
#include "dialect/IR/PM.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::cost;
using namespace pmc::machine;
using namespace pmc::pm;

static void setSchedule(VJPOp vjp, StringRef schedule) {
  auto [name, count] = schedule.split(':');
  vjp.setSchedule(*symbolizeSchedule(name));
  vjp.removeSnapshotsAttr();
  if (int64_t snapshots = 0; !count.getAsInteger(10, snapshots))
    vjp.setSnapshots(snapshots);
}

std::string LayoutChoice::toText() const {
  std::vector<std::string> entries;
  for (auto [axis, split] : llvm::zip(axes, dims))
    for (const std::string &dim : split)
      entries.push_back(dim + " -> " + axis);
  return llvm::join(entries, ", ");
}

void LayoutChoice::setLayout(ModuleOp program) const {
  for (Operation &op : llvm::make_early_inc_range(*program.getBody()))
    if (isa<MeshOp, LayoutOp>(op))
      op.erase();
  OpBuilder builder(program.getBody(), program.getBody()->begin());
  Location loc = program.getLoc();
  SmallVector<StringRef> names(axes.begin(), axes.end());
  SmallVector<int64_t> extents(names.size(), 1);
  MeshOp::create(builder, loc, "ranks", builder.getStrArrayAttr(names),
                 extents);
  for (auto [axis, split] : llvm::zip(names, dims))
    for (const std::string &dim : split)
      LayoutOp::create(builder, loc, dim, builder.getStrArrayAttr(axis));
}

void LayoutChoice::setSchedule(ModuleOp program) const {
  if (schedule.empty())
    return;
  program.walk([&](VJPOp vjp) {
    if (vjp->hasAttr(openSchedule))
      ::setSchedule(vjp, schedule);
  });
}

OwningOpRef<ModuleOp> LayoutChoice::apply(ModuleOp program) const {
  OwningOpRef<ModuleOp> module(program.clone());
  setSchedule(*module);
  setLayout(*module);
  return module;
}

std::string MeshChoice::meshText() const {
  std::vector<std::string> entries;
  for (auto [axis, count] : llvm::zip(layout.axes, extents))
    entries.push_back(axis + "=" + std::to_string(count));
  return llvm::join(entries, ",");
}

cost::Ranks MeshChoice::ranks() const {
  cost::Ranks result;
  for (auto [axis, count] : llvm::zip(layout.axes, extents))
    result[axis] = count;
  return result;
}

static llvm::Error fail(StringRef text, const Twine &message) {
  return llvm::createStringError("'" + text + "': " + message +
                                 "; expected 'x -> row, y -> col @ "
                                 "row=4,col=2'");
}

llvm::Expected<MeshChoice> MeshChoice::parse(StringRef text, ModuleOp program) {
  auto [layout, mesh] = text.split('@');
  MeshChoice choice;
  for (StringRef entry : llvm::split(mesh, ',')) {
    auto [axis, extent] = entry.split('=');
    axis = axis.trim();
    int64_t count = 0;
    if (axis.empty() || extent.trim().getAsInteger(10, count) || count < 1 ||
        count > (1 << 20))
      return fail(text, "the mesh has no axis and number of ranks in '" +
                            entry.trim() + "'");
    if (llvm::is_contained(choice.layout.axes, axis))
      return fail(text, "axis '" + axis + "' is there twice");
    choice.layout.axes.push_back(axis.str());
    choice.layout.dims.emplace_back();
    choice.extents.push_back(count);
  }
  SmallVector<StringRef> seen;
  for (StringRef entry : llvm::split(layout, ',')) {
    auto [dim, axis] = entry.split("->");
    dim = dim.trim();
    axis = axis.trim();
    if (llvm::none_of(program.getOps<DimOp>(), [&](DimOp op) {
          return op.getName() == dim && isForLayouts(op);
        }))
      return fail(text, "the spec has no dim '" + dim + "'");
    if (llvm::is_contained(seen, dim))
      return fail(text, "dim '" + dim + "' is there twice");
    seen.push_back(dim);
    auto found = llvm::find(choice.layout.axes, axis);
    if (found == choice.layout.axes.end())
      return fail(text, "the mesh has no axis '" + axis + "'");
    choice.layout.dims[size_t(found - choice.layout.axes.begin())].push_back(
        dim.str());
  }
  return choice;
}
