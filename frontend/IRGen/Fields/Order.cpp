//===- Order.cpp - sort, argsort, ranks -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Order.h"
#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Fields.h"

using namespace pmc;

Value Generator::callSort(BuiltinCall &call) {
  if (!requireWholeFields(rules(), ("'" + call.info.name + "'").str(),
                          call.loc))
    return Value::poison();
  for (const std::optional<Argument> &arg : call.args)
    if (arg && arg->value.isPoison())
      return Value::poison();
  if (!accepts(call))
    return Value::poison();
  const std::optional<unsigned> position =
      placeSorted(rules(), call.info.name, call[0],
                  call.has(1) ? &call[1] : nullptr, call.loc);
  const std::optional<SortOrder> order =
      call.has(2) ? readChoice<SortOrder>(rules(), call[2], orderOption)
                  : std::optional(SortOrder::Ascending);
  if (!position || !order)
    return Value::poison();
  const bool isOfValues = call.info.id == BuiltinId::Sort;
  const Value &field = call[0].value;
  pm::FieldType type = lowerField(field);
  mlir::Value within;
  if (!isOfValues && call.has(3)) {
    if (!requireWithin(rules(), field.getDims(), call[3]))
      return Value::poison();
    within = getSSA(call[3].value);
  }
  auto kind = isOfValues                           ? pm::SortKind::Values
              : call.info.id == BuiltinId::Argsort ? pm::SortKind::Order
                                                   : pm::SortKind::Ranks;
  auto result =
      isOfValues ? type : pm::FieldType::get(&context, type.getDims(), i64Type);
  Value made = fieldOf(pm::SortOp::create(builder, getLoc(call.loc), result,
                                          kind, getSSA(field),
                                          type.getDims()[*position].getLabel(),
                                          *order == SortOrder::Descending,
                                          within, mlir::ValueRange())
                           .getResult(),
                       isOfValues ? field.getUnit() : Unit());
  return isOfValues && field.hasAnyUnit() ? made.withAnyUnit() : made;
}
