//===- PMViews.cpp - Reading a field from a finer or a coarser grid -------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/Forms/PMViews.h"

#include "llvm/Support/MathExtras.h"

using namespace pmc::pm;

View::View(DimAttr field, DimAttr domain)
    : step(std::max<int64_t>(field.getFactor(domain), 1)),
      share(std::max<int64_t>(domain.getFactor(field), 1)),
      cells(std::max(field.getExtent(), domain.getExtent())),
      isAligned(isSame() || (step > 1 ? domain : field).getRefine() >= 1) {}

int View::find(llvm::ArrayRef<DimAttr> domain, DimAttr field) {
  for (auto [d, dim] : llvm::enumerate(domain))
    if (dim == field || dim.withoutAxes() == field.withoutAxes())
      return int(d);
  for (auto [d, dim] : llvm::enumerate(domain))
    if (field.getFactor(dim) > 0 || dim.getFactor(field) > 0)
      return int(d);
  return -1;
}

View View::get(llvm::ArrayRef<DimAttr> domain, DimAttr field) {
  int d = find(domain, field);
  return View(field, d < 0 ? field : domain[d]);
}

View::Widths View::getMargin(int64_t offset, Edge edge, bool meet) const {
  // How far behind the coarser part the finer one may begin.
  int64_t late = isAligned || meet ? 0 : std::max(step, share) - 1;
  // A reflected cell lies on the other side, and is not farther away.
  const bool isReflected = edge == Edge::Reflect;
  const int64_t low = isReflected ? -std::abs(offset) : offset,
                high = isReflected ? std::abs(offset) : offset;
  Widths widths;
  if (share > 1) {
    widths.below = -llvm::divideFloorSigned(low, share);
    widths.above = llvm::divideFloorSigned(share - 1 + late + high, share);
  } else {
    widths.below = late - low;
    widths.above = high - (step - 1);
  }
  widths.below = std::max<int64_t>(widths.below, 0);
  widths.above = std::max<int64_t>(widths.above, 0);
  return widths;
}

View::Widths View::getEnds(int64_t offset) const {
  int64_t late = isAligned ? 0 : std::max(step, share) - 1;
  Widths widths;
  if (share > 1) {
    widths.below = -offset;
    widths.above = offset + late;
  } else {
    widths.below = llvm::divideCeilSigned(late - offset, step);
    widths.above = llvm::divideFloorSigned(offset, step);
  }
  widths.below = std::max<int64_t>(widths.below, 0);
  widths.above = std::max<int64_t>(widths.above, 0);
  return widths;
}
