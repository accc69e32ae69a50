//===- Reversal.cpp - How well loops were reversed ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Checkpoints/Reversal.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <sstream>

using namespace pmrt;

Reversal::Reversal(pmrt_loc loc, const std::string &names)
    : loc(loc), list(names) {
  std::istringstream stream(names);
  for (std::string name; std::getline(stream, name, ',');)
    fields.push_back(name);
  worst.assign(fields.size(), 0);
}

bool Reversal::add(const double *run) {
  for (size_t i = 0; i < worst.size(); ++i)
    worst[i] = std::isnan(run[i]) ? std::numeric_limits<double>::infinity()
                                  : std::max(worst[i], run[i]);
  const double most = *std::max_element(worst.begin(), worst.end());
  if (told >= 0 && most <= 2 * told && (most <= limit || isBad()))
    return false;
  told = most;
  return true;
}

std::string Reversal::text() const {
  if (std::all_of(worst.begin(), worst.end(),
                  [](double error) { return error == 0; }))
    return "the state at the start was recovered exactly (" +
           fmt::format("{}", fmt::join(fields, ", ")) + ")";
  std::string out = "the state at the start was recovered to ";
  for (size_t i = 0; i < fields.size(); ++i)
    out += fmt::format("{}{:.1e}{} ({})", i ? ", " : "", worst[i],
                       i ? "" : " of its rms", fields[i]);
  return out;
}

void pmrt_reversal(pmrt_context *ctx, pmrt_loc loc, const char *names,
                   int32_t count, const double *errors) {
  Op op(*ctx, loc, "reversal");
  std::vector<Reversal> &all = ctx->reversals;
  auto found = std::find_if(all.begin(), all.end(), [&](const Reversal &known) {
    return known.isOf(loc, names);
  });
  if (found == all.end())
    found = all.emplace(all.end(), loc, names);
  if (count < 1 || found->names().size() != size_t(count))
    throw ctx->failure(
        loc, fmt::format("internal error: {} errors of '{}'", count, names));
  if (!found->add(errors) || ctx->transport->rank() != 0)
    return;
  const std::string where = ctx->location(loc);
  if (!found->isBad()) {
    ctx->progress.announce(
        fmt::format("{}: reverse: {}", where, found->text()));
    return;
  }
  ctx->progress.warn(fmt::format(
      "{}: warning: [PM9206] reverse: {}: the gradient is unreliable; "
      "schedule \"revolve\" does not have this error",
      where, found->text()));
}
