//===- Order.cpp - What can be sorted -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Order.h"

#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Types/DimMessages.h"

using namespace pmc;

std::optional<unsigned>
pmc::placeSorted(const RuleContext &context, llvm::StringRef name,
                 const Argument &field, const Argument *over, llvm::SMLoc loc) {
  const std::string what = ("'" + name + "'").str();
  const DimList dims = field.value.getDims();
  unsigned position = 0;
  if (over) {
    const auto positions = placeOver(context, dims, *over);
    if (!positions)
      return std::nullopt;
    if (positions->size() != 1) {
      context.error(*over, "[PM0522] " + what +
                               " works along one dim, not along " +
                               llvm::Twine(positions->size()));
      return std::nullopt;
    }
    position = positions->front();
  } else if (dims.size() != 1) {
    context.error(loc, "[PM0522] " + what +
                           " requires 'over', one of the dims " +
                           describeDims(dims) + " of the field");
    return std::nullopt;
  }
  for (const Dim &dim : dims)
    if (!dim.isSpace()) {
      context.error(field, "[PM0522] " + what +
                               " works on fields over space dims, but '" +
                               dim.getLabel() + "' of " +
                               field.value.describeType() +
                               " is a Fourier dim");
      return std::nullopt;
    }
  return position;
}

bool pmc::requireWithin(const RuleContext &context, DimList dims,
                        const Argument &within) {
  return DimList(within.value.getDims()) == dims ||
         context.refuse(within, "[PM0522] 'within' is a field over " +
                                    describeDims(dims) + ", not " +
                                    within.value.describeType());
}
