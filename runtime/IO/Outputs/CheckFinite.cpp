//===- CheckFinite.cpp - Outputs that are not finite ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Outputs/CheckFinite.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"
#include "runtime/IO/Files/Finite.h"

#include <limits>
#include <vector>

using namespace pmrt;

/// Element `index` of a local array, for a message.
static std::string valueText(Context &ctx, const pmrt_array &array,
                             int64_t index) {
  const auto element = pmrt_element(array.element);
  const int64_t size = elementSize(element);
  std::vector<char> copy;
  return elementText(
      element,
      ctx.device->read(static_cast<const char *>(array.data) + index * size,
                       size, copy),
      0);
}

void pmrt::checkFinite(Context &ctx, pmrt_loc loc, const pmrt_array &array,
                       const std::function<std::string()> &name) {
  const auto element = pmrt_element(array.element);
  const int64_t count = ctx.elements(loc, array);
  const int64_t bad = ctx.device->firstNonFinite(element, array.data, count);
  constexpr int64_t none = std::numeric_limits<int64_t>::max();
  const int64_t mine =
      bad < 0 ? none : Runs(layoutOf(ctx, array), ctx.mesh).global(bad);
  int64_t first = mine;
  ctx.world.reduce(PMRT_MIN, 1, &first);
  if (first == none)
    return;
  // Any rank that holds it reports it.
  int64_t owner = mine == first ? ctx.transport->rank() : none;
  ctx.world.reduce(PMRT_MIN, 1, &owner);
  const std::string value = ctx.world.broadcast(
      mine == first ? valueText(ctx, array, bad) : "", int(owner));
  throw ctx
      .failure(loc,
               fmt::format(
                   "[PM9103] {} is not finite: element {} is {}; compile with "
                   "--check-finite to find the expression",
                   name(), indexText(layoutOf(ctx, array).cells(), first),
                   value))
      .everywhere();
}
