//===- TimelineTest.cpp - Pictures of what ranks did when -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/Timeline.h"
#include "runtime/Program/Report/SvgAxis.h"
#include "test/runtime/Support.h"

#include <algorithm>
#include <fmt/format.h>

using namespace pmrt;
using namespace pmrt::test;

namespace {

struct Called {
  const char *name;
  double begin, end; ///< in microseconds
};

} // namespace

static std::string timelineOf(const std::vector<Called> &calls) {
  std::string events;
  for (const Called &call : calls)
    events += fmt::format("{{\"name\": \"{}\", \"ph\": \"X\", \"pid\": 0, "
                          "\"ts\": {}, \"dur\": {}}},\n",
                          call.name, call.begin, call.end - call.begin);
  return picturesOverTime(events).ranks;
}

/// A stripe of a rank from one part of the time to another, where 1 is the end.
static std::string stripe(const char *style, double from, double to) {
  constexpr double left = 70, width = 1020;
  return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"24\" width=\"{}\"", style,
                     left + width * from, width * (to - from));
}

TEST(Timeline, InnerCallsAreDrawnOverOuterOnes) {
  // The order of the events is that of their ends or of their beginnings.
  std::vector<Called> calls = {{"loop", 0, 400},
                               {"fft", 0, 100},
                               {"output", 100, 200},
                               {"ifft", 300, 400}};
  for (int order = 0; order < 2; ++order) {
    const std::string drawn = timelineOf(calls);
    EXPECT_CONTAINS(drawn, stripe("fourier", 0, 0.25));
    EXPECT_CONTAINS(drawn, stripe("files", 0.25, 0.5));
    EXPECT_CONTAINS(drawn, stripe("fourier", 0.75, 1));
    std::reverse(calls.begin(), calls.end());
  }
}

TEST(Timeline, CallsThatBeginTogetherAreNested) {
  std::vector<Called> calls = {
      {"loop", 0, 400}, {"output", 0, 200}, {"fft", 0, 100}};
  for (int order = 0; order < 2; ++order) {
    const std::string drawn = timelineOf(calls);
    EXPECT_CONTAINS(drawn, stripe("fourier", 0, 0.25));
    EXPECT_CONTAINS(drawn, stripe("files", 0.25, 0.5));
    EXPECT_CONTAINS(drawn, stripe("calls", 0.5, 1));
    std::reverse(calls.begin(), calls.end());
  }
}

TEST(Timeline, UnitsOfTheLargestValue) {
  const std::pair<double, const char *> times[] = {
      {4e-7, "µs"}, {9.9e-4, "µs"}, {1e-3, "ms"}, {0.99, "ms"},  {1, "s"},
      {90, "s"},    {119, "s"},     {120, "min"}, {7199, "min"}, {7200, "h"}};
  for (const auto &[seconds, name] : times)
    EXPECT_EQ(timeUnit(seconds).name, name) << seconds;
  EXPECT_CONTAINS(timelineOf({{"loop", 0, 90e6}}), "time since the start [s]");
  const std::pair<double, const char *> sizes[] = {
      {1, "B"},        {1023, "B"},         {1024, "KiB"},
      {0x1p20, "MiB"}, {0x1p30 - 1, "MiB"}, {0x1p30, "GiB"},
      {0x1p40, "TiB"}, {0x1p50, "TiB"}};
  for (const auto &[bytes, name] : sizes)
    EXPECT_EQ(bytesUnit(bytes).name, name) << bytes;
}
