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
#include "frontend/Sema/Rules/Fields/Fields.h"

using namespace pmc;

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
  const auto positions = placeOver(rules(), field.getDims(), *over);
  if (!positions)
    return Value::poison();
  const auto list =
      viewDims(rules(), field.getDims(), *positions, isFiner, factor, arg, loc);
  if (!list)
    return Value::poison();
  pm::FieldType target = fieldType(lower(*list), type.getElementType(), loc);
  if (!target)
    return Value::poison();
  llvm::SmallVector<int64_t> cells(type.getRank(), 0);
  llvm::SmallVector<pm::Edge> edges(type.getRank(), pm::Edge::Periodic);
  return movedField(field, target, cells, edges, loc);
}

/// refine(x, 2), coarsen(x, 2) of a dim or a list of dims; of a field.
Value Generator::callView(BuiltinCall &call) {
  bool isFiner = call.info.id == BuiltinId::Refine;
  auto factor =
      readInt(rules(), call[1],
              isFiner ? "the factor of 'refine'" : "the factor of 'coarsen'", 1,
              1 << 20);
  if (!factor || !accepts(call))
    return Value::poison();
  const Value *first = &call[0].value;
  while ((first->isTuple() || first->isRecord()) &&
         !first->getElements().empty())
    first = &first->getElements()[0];
  if (!first->isDim())
    return viewed(call[0].value, isFiner, *factor,
                  call.has(2) ? &call[2] : nullptr, call[0], call.loc);
  const auto list = readDims(rules(), call[0].value, call[0].loc);
  if (!list)
    return Value::poison();
  std::vector<Value> values;
  for (const Dim &dim : *list) {
    const auto made = viewOf(rules(), dim, isFiner, *factor, call.loc);
    if (!made)
      return Value::poison();
    values.push_back(Value::dim(*made));
  }
  if (call[0].value.isDim())
    return values[0];
  return Value::tuple(std::move(values));
}
