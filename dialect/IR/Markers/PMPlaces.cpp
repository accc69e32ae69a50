//===- PMPlaces.cpp - Lines of a spec and of the library ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Markers/PMPlaces.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace pmc::pm;

/// The lines of a place, the innermost first, then those of the calls that lead
/// to it.
static void appendLines(Location loc, SmallVectorImpl<FileLineColLoc> &lines) {
  if (auto line = dyn_cast<FileLineColLoc>(loc)) {
    lines.push_back(line);
  } else if (auto site = dyn_cast<CallSiteLoc>(loc)) {
    appendLines(site.getCallee(), lines);
    appendLines(site.getCaller(), lines);
  } else if (auto name = dyn_cast<NameLoc>(loc)) {
    appendLines(name.getChildLoc(), lines);
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations()) {
      appendLines(part, lines);
      if (!lines.empty())
        return;
    }
  }
}

FileLineColLoc pmc::pm::findLine(Location loc) {
  SmallVector<FileLineColLoc> lines;
  appendLines(loc, lines);
  if (lines.empty())
    return {};
  // Programs begin in the spec.
  return *llvm::find_if(lines, [&](FileLineColLoc line) {
    return line.getFilename() == lines.back().getFilename();
  });
}

LocationAttr pmc::pm::findPlace(Location loc) {
  FileLineColLoc line = findLine(loc);
  if (!line)
    return {};
  SmallVector<FileLineColLoc> lines;
  appendLines(loc, lines);
  if (lines.front().getFilename() == line.getFilename())
    return line;
  return cast<LocationAttr>(
      Attribute(FusedLoc::get(loc.getContext(), {line, lines.front()})));
}

std::string pmc::pm::toText(LocationAttr place) {
  auto fused = dyn_cast<FusedLoc>(place);
  auto line = cast<FileLineColLoc>(fused ? LocationAttr(fused.getLocations()[0])
                                         : place);
  std::string text = line.getFilename().str() + ":" +
                     std::to_string(line.getLine()) + ":" +
                     std::to_string(line.getColumn());
  if (!fused)
    return text;
  auto inner = cast<FileLineColLoc>(fused.getLocations()[1]);
  return text + " (" + llvm::sys::path::filename(inner.getFilename()).str() +
         ":" + std::to_string(inner.getLine()) + ")";
}
