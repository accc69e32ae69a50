//===- Views.cpp - Finer and coarser dims, and fields over them -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `refine(x, 2)` is a dim, and `refine(f, 2)` a field over refined dims. A
// dim's factor is a whole number, or one over a whole number: −b stands for
// 1/b.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/DimMessages.h"

using namespace pmc;

pm::DimAttr Generator::refine(pm::DimAttr dim, int64_t factor,
                              llvm::SMLoc loc) {
  if (!dim.isSpace()) {
    error(loc, "'" + dim.getLabel() +
                   "' is a Fourier dim; refine the space "
                   "dim");
    return nullptr;
  }
  int64_t extent, refinement;
  int64_t share = dim.getRefine() < 0 ? -dim.getRefine() : 1;
  bool isTooMuch = llvm::MulOverflow(dim.getExtent(), factor, extent);
  if (share == 1)
    isTooMuch |= llvm::MulOverflow(dim.getRefine(), factor, refinement);
  else if (share % factor == 0)
    refinement = share == factor ? 1 : -(share / factor);
  else if (factor % share == 0)
    refinement = factor / share;
  else
    return error(loc, "'" + dim.getLabel() + "' refined by " +
                          llvm::Twine(factor) +
                          " is neither a refinement nor a coarsening of '" +
                          dim.getName() + "'"),
           nullptr;
  if (isTooMuch || extent > (1 << 30)) {
    error(loc, "refine('" + dim.getLabel() + "', " + llvm::Twine(factor) +
                   ") has more than 2^30 cells");
    return nullptr;
  }
  return pm::DimAttr::get(&context, dim.getName(), extent, refinement);
}

pm::DimAttr Generator::coarsen(pm::DimAttr dim, int64_t factor,
                               llvm::SMLoc loc) {
  if (factor == 1)
    return dim.withoutAxes();
  int64_t finer = dim.getRefine(), refinement = 0;
  if (!dim.isSpace())
    return error(loc, "'" + dim.getLabel() +
                          "' is a Fourier dim; coarsen the space dim"),
           nullptr;
  if (dim.getExtent() % factor != 0)
    return error(loc, "the " + llvm::Twine(dim.getExtent()) + " cells of '" +
                          dim.getLabel() + "' are no multiple of " +
                          llvm::Twine(factor)),
           nullptr;
  if (finer < 0)
    refinement = finer * factor;
  else if (finer % factor == 0)
    refinement = finer / factor;
  else if (factor % finer == 0)
    refinement = -(factor / finer);
  else
    return error(loc, "'" + dim.getLabel() + "' coarsened by " +
                          llvm::Twine(factor) +
                          " is neither a refinement nor a coarsening of '" +
                          dim.getName() + "'"),
           nullptr;
  return pm::DimAttr::get(&context, dim.getName(), dim.getExtent() / factor,
                          refinement);
}

/// Every factor-th cell of a field along some of its dims, or every cell factor
/// times.
Value Generator::viewed(const Value &field, bool isFiner, int64_t factor,
                        const Argument *over, const Argument &arg,
                        llvm::SMLoc loc) {
  if (field.isTuple() || field.isRecord()) {
    std::vector<Value> parts;
    for (const Value &part : field.getElements())
      parts.push_back(viewed(part, isFiner, factor, over, arg, loc));
    return field.withElements(std::move(parts));
  }
  if (field.isPoison())
    return field;
  const char *name = isFiner ? "refine" : "coarsen";
  if (!field.isField())
    return error(arg, "'" + llvm::Twine(name) +
                          "' wants a dim or a field, not " +
                          field.describeType());
  pm::FieldType type = lowerField(field);
  Argument all = arg;
  if (!over) {
    BuiltinCall call{getBuiltinInfo(BuiltinId::Directions), loc, {}, {}};
    all.value = field;
    call.args.push_back(all);
    all.value = callDirections(call);
    if (all.value.isPoison())
      return all.value;
    over = &all;
  }
  llvm::SmallVector<unsigned> positions;
  if (!overDims(*over, type, positions))
    return Value::poison();
  llvm::SmallVector<pm::DimAttr> list(type.getDims());
  for (unsigned position : positions) {
    pm::DimAttr &dim = list[position];
    llvm::StringRef own = dim.getName();
    if (llvm::count_if(type.getDims(), [&](pm::DimAttr other) {
          return other.getName() == own;
        }) > 1)
      return error(arg, "the field has '" + own +
                            "' in two resolutions, of which one cannot change");
    dim = isFiner ? refine(dim, factor, loc) : coarsen(dim, factor, loc);
    if (!dim)
      return Value::poison();
  }
  pm::FieldType target = fieldType(list, type.getElementType(), loc);
  if (!target)
    return Value::poison();
  llvm::SmallVector<int64_t> cells(type.getRank(), 0);
  llvm::SmallVector<pm::Edge> edges(type.getRank(), pm::Edge::Periodic);
  return movedField(field, target, cells, edges, loc);
}

/// refine(x, 2), coarsen(x, 2) of a dim or a list of dims; of a field.
Value Generator::callView(BuiltinCall &call) {
  bool isFiner = call.info.id == BuiltinId::Refine;
  auto factor = constInt(
      call[1], isFiner ? "the factor of 'refine'" : "the factor of 'coarsen'",
      1, 1 << 20);
  if (!factor)
    return Value::poison();
  const Value *first = &call[0].value;
  while ((first->isTuple() || first->isRecord()) &&
         !first->getElements().empty())
    first = &first->getElements()[0];
  if (!first->isDim())
    return viewed(call[0].value, isFiner, *factor,
                  call.has(2) ? &call[2] : nullptr, call[0], call.loc);
  if (call.has(2))
    return error(call[2], "'over' goes with a field, not with dims");
  llvm::SmallVector<pm::DimAttr> list;
  if (!appendDims(call[0].value, call[0].loc, list))
    return Value::poison();
  std::vector<Value> values;
  for (pm::DimAttr dim : list) {
    pm::DimAttr made = isFiner ? refine(dim, *factor, call.loc)
                               : coarsen(dim, *factor, call.loc);
    if (!made)
      return Value::poison();
    values.push_back(valueOf(made));
  }
  if (call[0].value.isDim())
    return values[0];
  return Value::tuple(std::move(values));
}
