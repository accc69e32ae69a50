//===- Trace.cpp - The profile's file -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/Trace.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

using namespace pmrt;

std::string pmrt::gatherEvents(Context &context) {
  context.world.barrier();
  const int64_t now = context.profile.nowNs();
  int64_t first = now;
  context.world.broadcast(&first, sizeof first);
  const std::string own = context.profile.events(
      context.program.locations, context.transport->rank(), first - now);
  return fmt::format("{}", fmt::join(context.world.gather(own), ""));
}

std::string pmrt::traceText(Context &context, const std::string &events,
                            const std::string &run) {
  const std::vector<std::string> &locations = context.program.locations;
  std::string out = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
  for (int rank = 0; rank < context.transport->size(); ++rank) {
    const nlohmann::json name =
        context.alone()
            ? context.program.name
            : fmt::format("{}, rank {}", context.program.name, rank);
    out += fmt::format("{}{{\"name\": \"process_name\", \"ph\": \"M\", "
                       "\"pid\": {}, \"tid\": 0, \"args\": {{\"name\": {}}}}}",
                       rank ? ",\n" : "", rank, name.dump());
  }
  out += events.empty() ? context.profile.events(locations, 0, 0) : events;
  nlohmann::json calls = nlohmann::json::array();
  for (const Profile::Row &row : context.profile.rows())
    calls.push_back({{"name", row.name},
                     {"where", row.loc < 0 ? "" : locations[size_t(row.loc)]},
                     {"seconds", row.seconds},
                     {"bytes", row.bytes},
                     {"calls", row.calls}});
  out += fmt::format("\n], \"otherData\": {{\"left_out\": {},\n\"calls\": "
                     "{},\n\"run\": {}}}}}\n",
                     context.profile.leftOut(), calls.dump(), run);
  return out;
}
