//===- Profile.cpp - Where the time goes ----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Recorder/Profile.h"

#include "runtime/Base/Text/Format.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace pmrt;

int32_t Profile::nameIndex(const char *name) {
  auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end())
    it = names.insert(names.end(), name);
  return int32_t(it - names.begin());
}

void Profile::sampleMemory(int64_t ns) {
  constexpr size_t most = 1000;
  if (!memory.empty() && ns < memory.back().ns + sampleGap)
    return;
  std::ifstream file("/proc/self/statm");
  int64_t all = 0, resident = 0;
  if (!(file >> all >> resident))
    return;
  memory.push_back({ns, resident * int64_t(sysconf(_SC_PAGESIZE))});
  if (memory.size() < most)
    return;
  for (size_t i = 0; 2 * i < memory.size(); ++i)
    memory[i] = memory[2 * i];
  memory.resize((memory.size() + 1) / 2);
  sampleGap *= 2;
}

void Profile::record(const char *name, pmrt_loc loc, Clock::time_point start,
                     int64_t bytes, int64_t outer) {
  using std::chrono::duration_cast, std::chrono::nanoseconds;
  const auto end = Clock::now();
  const int64_t duration = duration_cast<nanoseconds>(end - start).count();
  Event event{nameIndex(name),
              loc,
              duration_cast<nanoseconds>(start - begin).count(),
              duration,
              duration - innerNs,
              bytes};
  innerNs = outer < 0 ? 0 : outer + duration;
  sampleMemory(event.startNs + duration);
  if (!clock || outer < 0)
    return keep(event);
  event.startMark = open.back();
  event.endMark = clock->mark();
  open.pop_back();
  event.depth = int32_t(open.size());
  pending.push_back(event);
  // Events of the device are few; read them now and then.
  if (open.empty() && pending.size() >= 4096)
    resolve();
}

void Profile::keep(const Event &event) {
  if (++recorded <= mostEvents)
    kept.push_back(event);
  Row &row = merged[{event.name, event.loc}];
  row.seconds += double(event.ownNs) * 1e-9;
  row.bytes += event.bytes;
  row.calls += 1;
}

void Profile::follow(DeviceClock *device) {
  resolve();
  clock = device;
  if (!clock)
    return;
  clock->nanoseconds(clock->mark());
  clockStart =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin)
          .count();
}

void Profile::resolve() {
  if (!clock)
    return;
  std::vector<int64_t> inner; // by depth: of the calls that have ended there
  int64_t last = 0;
  for (Event &event : pending) {
    const int64_t start = clock->nanoseconds(event.startMark);
    const int64_t duration = clock->nanoseconds(event.endMark) - start;
    const auto depth = size_t(event.depth);
    inner.resize(std::max(inner.size(), depth + 2), 0);
    event.startNs = clockStart + start;
    event.durationNs = duration;
    event.ownNs = duration - std::exchange(inner[depth + 1], 0);
    inner[depth] += duration;
    keep(event);
    last = std::max(last, event.endMark);
  }
  pending.clear();
  // Calls that are still open began before.
  clock->forgetMarks(open.empty() ? last : std::min(last, open.front()));
}

std::vector<Profile::Row> Profile::rows() {
  resolve();
  std::vector<Row> result;
  for (const auto &[key, row] : merged) {
    result.push_back(row);
    result.back().name = names[size_t(key.first)];
    result.back().loc = key.second;
  }
  std::stable_sort(
      result.begin(), result.end(),
      [](const Row &a, const Row &b) { return a.seconds > b.seconds; });
  return result;
}

static std::string placeOf(const std::vector<std::string> &locations,
                           pmrt_loc loc) {
  return loc >= 0 && size_t(loc) < locations.size() ? locations[size_t(loc)]
                                                    : std::string();
}

std::string Profile::table(const std::vector<std::string> &locations,
                           double wallSeconds) {
  std::string out =
      fmt::format("{:>10} {:>6} {:>8} {:>10} {:>8}  {:<20} {}\n", "time",
                  "share", "calls", "bytes", "GB/s", "op", "where");
  double covered = 0;
  for (const Row &row : rows()) {
    covered += row.seconds;
    const double rate =
        row.seconds > 0 ? double(row.bytes) / row.seconds * 1e-9 : 0;
    out += fmt::format("{:>10} {:>5.1f}% {:>8} {:>10} {:>8}  {:<20} {}\n",
                       secondsText(row.seconds),
                       wallSeconds > 0 ? 100 * row.seconds / wallSeconds : 0.0,
                       row.calls, bytesText(double(row.bytes)),
                       row.bytes ? fmt::format("{:.2f}", rate) : "-", row.name,
                       placeOf(locations, row.loc));
  }
  out += fmt::format(
      "{:>10} {:>5.1f}% {:>8} {:>10} {:>8}  {}\n",
      secondsText(std::max(0.0, wallSeconds - covered)),
      wallSeconds > 0 ? 100 * std::max(0.0, 1 - covered / wallSeconds) : 0.0,
      "", "", "", "outside of runtime calls");
  out += fmt::format("{:>10} {:>5.1f}%\n", secondsText(wallSeconds), 100.0);
  if (leftOut())
    out += fmt::format("the trace has the first {} of these {} calls\n",
                       mostEvents, recorded);
  return out;
}

int64_t Profile::nowNs() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() -
                                                              begin)
      .count();
}

std::string Profile::events(const std::vector<std::string> &locations, int rank,
                            int64_t laterNs) {
  resolve();
  // One line an event: such a file may have a million, so no JSON tree of it.
  auto quoted = [](const std::string &text) {
    return nlohmann::json(text).dump();
  };
  std::string out;
  for (const Event &event : kept)
    out += fmt::format(
        ",\n{{\"name\": {}, \"cat\": \"pm\", \"ph\": \"X\", \"pid\": {}, "
        "\"tid\": 0, \"ts\": {:.3f}, \"dur\": {:.3f}, \"args\": {{\"where\": "
        "{}, \"bytes\": {}}}}}",
        quoted(names[size_t(event.name)]), rank,
        double(event.startNs + laterNs) * 1e-3, double(event.durationNs) * 1e-3,
        quoted(placeOf(locations, event.loc)), event.bytes);
  for (const Sample &sample : memory)
    out += fmt::format(",\n{{\"name\": \"memory\", \"ph\": \"C\", \"pid\": {}, "
                       "\"ts\": {:.3f}, \"args\": {{\"resident\": {}}}}}",
                       rank, double(sample.ns + laterNs) * 1e-3, sample.bytes);
  return out;
}
