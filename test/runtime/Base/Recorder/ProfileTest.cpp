//===- ProfileTest.cpp - Where the time goes ------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Recorder/Profile.h"
#include "test/runtime/Support.h"

#include <thread>

#include <nlohmann/json.hpp>

using namespace pmrt;
using namespace pmrt::test;

TEST(Profile, TimeOfCallsInsideIsTheirs) {
  Profile profile;
  profile.enable();
  int64_t outer = 0, inner = 0;
  const auto start = profile.enter(outer);
  const auto nested = profile.enter(inner);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  profile.record("transpose", 0, nested, 100, inner);
  profile.record("fft", 0, start, 1000, outer);
  const auto rows = profile.rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "transpose");
  EXPECT_GE(rows[0].seconds, 0.03);
  EXPECT_LT(rows[1].seconds, 0.02);
}

TEST(Profile, MergesCallsOfOneLine) {
  Profile profile;
  profile.enable();
  const auto now = Clock::now();
  using std::chrono::milliseconds;
  profile.record("fft", 0, now - milliseconds(30), 1000);
  profile.record("fft", 0, now - milliseconds(20), 1000);
  profile.record("fft", 1, now - milliseconds(10), 1000);
  profile.record("paint", 0, now - milliseconds(200), 5000);
  const auto rows = profile.rows();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].name, "paint");
  EXPECT_EQ(rows[1].calls, 2);
  EXPECT_EQ(rows[1].bytes, 2000);
  EXPECT_NEAR(rows[1].seconds, 0.05, 0.02);
  const std::string table = profile.table({"a.pm:1:1", "a.pm:2:2"}, 0.5);
  EXPECT_CONTAINS(table, "a.pm:2:2");
  EXPECT_CONTAINS(table, "outside of runtime calls");
  EXPECT_CONTAINS(table, "GB/s");
}

static nlohmann::json parseEvents(Profile &profile, int rank, int64_t later) {
  // Each line begins with a comma.
  return nlohmann::json::parse("[0" +
                               profile.events({"a.pm:1:1"}, rank, later) + "]");
}

/// Which events are of a kind: "X", calls; "C", the memory at a time.
static std::vector<nlohmann::json> ofKind(const nlohmann::json &events,
                                          const std::string &kind) {
  std::vector<nlohmann::json> found;
  for (const nlohmann::json &event : events)
    if (event.is_object() && event["ph"] == kind)
      found.push_back(event);
  return found;
}

TEST(Profile, EventsAreJson) {
  Profile profile;
  profile.enable();
  profile.record("a \"quoted\" name", 0, Clock::now(), 12);
  profile.record("b", -1, Clock::now(), 0);
  const auto events = parseEvents(profile, 3, 0);
  ASSERT_EQ(ofKind(events, "X").size(), 2u);
  ASSERT_GE(ofKind(events, "C").size(), 1u);
  EXPECT_GT(ofKind(events, "C")[0]["args"]["resident"], 1 << 20);
  EXPECT_EQ(events[1]["name"], "a \"quoted\" name");
  EXPECT_EQ(events[1]["ph"], "X");
  EXPECT_EQ(events[1]["pid"], 3);
  EXPECT_EQ(events[1]["args"]["where"], "a.pm:1:1");
  EXPECT_EQ(events[1]["args"]["bytes"], 12);
  const double start = events[1]["ts"].get<double>();
  EXPECT_GE(events[2]["ts"].get<double>(), start);
  EXPECT_NEAR(parseEvents(profile, 3, 5000000)[1]["ts"].get<double>(),
              start + 5000, 0.01);
}

TEST(Profile, KeepsTheFirstCallsAndCountsAll) {
  Profile profile;
  profile.enable();
  const auto now = Clock::now();
  const int64_t calls = Profile::mostEvents + 1234;
  for (int64_t i = 0; i < calls; ++i)
    profile.record(i % 2 ? "fft" : "paint", 0, now, 10);
  EXPECT_EQ(profile.leftOut(), 1234);
  const auto rows = profile.rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].calls + rows[1].calls, calls);
  EXPECT_EQ(rows[0].bytes + rows[1].bytes, 10 * calls);
  EXPECT_CONTAINS(profile.table({"a.pm:1:1"}, 1),
                  fmt::format("the trace has the first {} of these {} calls",
                              Profile::mostEvents, calls));
  const auto events = parseEvents(profile, 0, 0);
  EXPECT_EQ(ofKind(events, "X").size(), size_t(Profile::mostEvents));
  EXPECT_LE(ofKind(events, "C").size(), 1000u);
}

TEST(Profile, SaysNothingOfCallsWhereAllAreKept) {
  Profile profile;
  profile.enable();
  profile.record("fft", 0, Clock::now(), 10);
  EXPECT_EQ(profile.table({"a.pm:1:1"}, 1).find("the trace has"),
            std::string::npos);
}

TEST(Profile, CostsNothingWhenOff) {
  auto context = makeContext({4});
  std::vector<float> data(4);
  const pmrt_array a = array(data, PMRT_F32, 0, 1);
  pmrt_zero(context.get(), nullptr, 0, &a);
  EXPECT_TRUE(context->profile.rows().empty());
}
