//===- ReversalTest.cpp - How well loops were reversed --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Checkpoints/Reversal.h"
#include "runtime/Program/Report/Report.h"
#include "test/runtime/Support.h"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace pmrt;
using namespace pmrt::test;

namespace {

/// What a run of the loop with these errors says on stderr.
std::string said(pmrt_context &ctx, pmrt_loc loc, double u, double v) {
  const double errors[] = {u, v};
  testing::internal::CaptureStderr();
  pmrt_reversal(&ctx, loc, "u,v", 2, errors);
  return testing::internal::GetCapturedStderr();
}

} // namespace

TEST(Reversal, IsToldOnceAndWhenItDoubles) {
  auto context = makeContext({}, 1);
  pmrt_context &ctx = *context;
  ctx.progress.setMode(ProgressMode::Never, /*quiet=*/false);
  EXPECT_EQ(said(ctx, 1, 1e-6, 2e-5),
            "l.pm:2:2: reverse: the state at the start was recovered to "
            "1.0e-06 of its rms (u), 2.0e-05 (v)\n");
  EXPECT_EQ(said(ctx, 1, 3e-5, 1e-5), "");
  EXPECT_NE(said(ctx, 1, 1e-6, 4.1e-5), "");
  EXPECT_NE(said(ctx, 0, 1e-6, 1e-6), ""); // another loop
}

TEST(Reversal, IsNotToldQuietly) {
  auto context = makeContext({}, 1);
  pmrt_context &ctx = *context;
  ctx.progress.setMode(ProgressMode::Never, /*quiet=*/true);
  EXPECT_EQ(said(ctx, 0, 1e-6, 2e-5), "");
  EXPECT_EQ(ctx.reversals.size(), 1u);
  EXPECT_EQ(said(ctx, 0, 1e-6, 1.1e-2), "");
  ASSERT_EQ(ctx.progress.warnings().size(), 1u); // for the report
}

TEST(Reversal, TooLargeIsAWarning) {
  auto context = makeContext({}, 1);
  pmrt_context &ctx = *context;
  ctx.progress.setMode(ProgressMode::Never, /*quiet=*/false);
  EXPECT_EQ(said(ctx, 0, 1e-6, 0.9e-2).find("warning"), std::string::npos);
  const std::string text = said(ctx, 0, 1e-6, 1.1e-2);
  EXPECT_NE(text.find("l.pm:1:1: warning: reverse: "), std::string::npos);
  EXPECT_NE(text.find("the gradient is unreliable"), std::string::npos);
  EXPECT_NE(text.find("does not have this error [PM9206]"), std::string::npos);
  EXPECT_EQ(said(ctx, 0, 1e-6, 1.2e-2), "");
  EXPECT_NE(said(ctx, 0, NAN, 1.1e-2).find("inf of its rms (u)"),
            std::string::npos);
  EXPECT_EQ(said(ctx, 0, NAN, 1.1e-2), "");
}

TEST(Reversal, TheWorstIsInTheRecord) {
  auto context = makeContext({}, 1);
  pmrt_context &ctx = *context;
  const double first[] = {3e-6, 1e-5}, second[] = {1e-6, 1.5e-5};
  pmrt_reversal(&ctx, 1, "u,v", 2, first);
  pmrt_reversal(&ctx, 1, "u,v", 2, second);
  const auto record =
      nlohmann::json::parse(runRecord(ctx, "done", "", 1))["reversals"];
  ASSERT_EQ(record.size(), 1u);
  EXPECT_EQ(record[0]["where"], "l.pm:2:2");
  EXPECT_EQ(record[0]["errors"]["u"], 3e-6);
  EXPECT_EQ(record[0]["errors"]["v"], 1.5e-5);
}
