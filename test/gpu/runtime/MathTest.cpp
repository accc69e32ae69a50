//===- MathTest.cpp - Our own functions for kernels, against libm ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

extern "C" {
double pmc_exp(double x);
double pmc_log(double x);
double pmc_pow(double x, double y);
double pmc_sin(double x);
double pmc_cos(double x);
double pmc_tan(double x);
double pmc_atan(double x);
double pmc_atan2(double y, double x);
double pmc_sinh(double x);
double pmc_cosh(double x);
double pmc_tanh(double x);
double pmc_erf(double x);
double pmc_erfc(double x);
double pmc_log10(double x);
double pmc_log1p(double x);
double pmc_expm1(double x);
double pmc_asin(double x);
double pmc_acos(double x);
double pmc_asinh(double x);
double pmc_acosh(double x);
double pmc_atanh(double x);
float pmc_expf(float x);
}

namespace {

using Function = double (*)(double);
using Exact = long double (*)(long double);

/// The error in units of the last place of the true value.
double error(double got, long double wanted) {
  const double size = std::fabs(double(wanted));
  const double unit =
      std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  return double(std::fabs((static_cast<long double>(got) - wanted) / unit));
}

struct Case {
  const char *name;
  Function own;
  Exact exact;
  double low, high; ///< of log |x|, both signs; or of x, if `linear`
  bool linear;
  double bound;
};

class Accuracy : public testing::TestWithParam<Case> {};

TEST_P(Accuracy, IsWithinTheBound) {
  const Case &tested = GetParam();
  // The same numbers every time.
  // NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(tested.low, tested.high);
  double worst = 0, where = 0;
  for (int i = 0; i < 50000; ++i) {
    double x = uniform(random);
    if (!tested.linear)
      x = (i % 2 ? 1 : -1) * std::exp(x);
    const double found = error(tested.own(x), tested.exact(x));
    if (!(found <= worst)) {
      worst = found;
      where = x;
    }
  }
  EXPECT_LE(worst, tested.bound) << "at " << where;
}

INSTANTIATE_TEST_SUITE_P(
    Functions, Accuracy,
    testing::Values(
        Case{"exp", pmc_exp, std::exp, -700, 709, true, 1},
        Case{"exp_small", pmc_exp, std::exp, -20, 0, false, 1},
        Case{"log", pmc_log, std::log, 1e-300, 1e300, true, 1},
        Case{"log_near_1", pmc_log, std::log, 0.5, 2, true, 1},
        Case{"sin", pmc_sin, std::sin, -10, 2, false, 1},
        Case{"sin_large", pmc_sin, std::sin, 2, 43, false, 1},
        Case{"cos", pmc_cos, std::cos, -10, 2, false, 1},
        Case{"cos_large", pmc_cos, std::cos, 2, 43, false, 1},
        Case{"tan", pmc_tan, std::tan, -10, 2, false, 3},
        Case{"atan", pmc_atan, std::atan, -20, 20, false, 4},
        Case{"sinh", pmc_sinh, std::sinh, -5, 6.5, false, 4},
        Case{"cosh", pmc_cosh, std::cosh, -5, 6.5, false, 4},
        Case{"tanh", pmc_tanh, std::tanh, -8, 4, false, 4},
        Case{"erf", pmc_erf, std::erf, -8, 1.9, false, 20},
        Case{"erfc", pmc_erfc, std::erfc, -5, 26, true, 20},
        Case{"log10", pmc_log10, std::log10, 1e-300, 1e300, true, 1},
        Case{"log10_near_1", pmc_log10, std::log10, 0.5, 2, true, 2},
        Case{"log1p", pmc_log1p, std::log1p, -40, -0.01, false, 3},
        Case{"log1p_large", pmc_log1p, std::log1p, 0, 1e300, true, 2},
        Case{"expm1", pmc_expm1, std::expm1, -40, 6, false, 4},
        Case{"asin", pmc_asin, std::asin, -40, -1e-15, false, 6},
        Case{"acos", pmc_acos, std::acos, -40, -1e-15, false, 6},
        Case{"asinh", pmc_asinh, std::asinh, -40, 600, false, 6},
        Case{"acosh", pmc_acosh, std::acosh, 1, 100, true, 6},
        Case{"acosh_near_1", pmc_acosh, std::acosh, 1, 1.001, true, 6},
        Case{"acosh_large", pmc_acosh, std::acosh, 1, 1e300, true, 2},
        Case{"atanh", pmc_atanh, std::atanh, -40, -1e-9, false, 6}),
    [](const auto &info) { return info.param.name; });

TEST(Math, PowersAreAccurateAndKnowTheirSpecialCases) {
  // The same numbers every time.
  // NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> base(-10, 10), exponent(-30, 30);
  double worst = 0;
  for (int i = 0; i < 50000; ++i) {
    const double x = std::exp(base(random)), y = exponent(random);
    worst = std::max(
        worst, error(pmc_pow(x, y), std::pow(static_cast<long double>(x),
                                             static_cast<long double>(y))));
  }
  EXPECT_LE(worst, 2);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double x : {-infinity, -2., -1., -0.5, -0., 0., 0.5, 1., 3., infinity})
    for (double y :
         {-infinity, -3., -2., -0.5, 0., 0.5, 1., 2., 5., infinity}) {
      const double wanted = std::pow(x, y), got = pmc_pow(x, y);
      if (std::isnan(wanted))
        EXPECT_TRUE(std::isnan(got)) << x << "^" << y;
      else
        EXPECT_DOUBLE_EQ(got, wanted) << x << "^" << y;
    }
}

TEST(Math, AnglesAreInTheRightQuadrant) {
  for (double y : {-2., -1., -0.1, -0., 0., 0.1, 1., 2.})
    for (double x : {-2., -1., -0.1, -0., 0., 0.1, 1., 2.})
      EXPECT_NEAR(pmc_atan2(y, x), std::atan2(y, x), 1e-15) << y << ", " << x;
}

TEST(Math, SingleNumbersAreRoundedOnce) {
  EXPECT_EQ(pmc_expf(1), float(std::exp(1.)));
}

TEST(Math, WhatIsNoNumberStaysNone) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (Function function :
       {pmc_exp, pmc_log, pmc_sin, pmc_cos, pmc_tan, pmc_atan, pmc_sinh,
        pmc_cosh, pmc_tanh, pmc_erf, pmc_erfc, pmc_log10, pmc_log1p, pmc_expm1,
        pmc_asin, pmc_acos, pmc_asinh, pmc_acosh, pmc_atanh})
    EXPECT_TRUE(std::isnan(function(none)));
  for (Function function : {pmc_log, pmc_log10, pmc_log1p, pmc_asin, pmc_acos,
                            pmc_acosh, pmc_atanh})
    EXPECT_TRUE(std::isnan(function(-2)));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (Function function :
       {pmc_log10, pmc_log1p, pmc_expm1, pmc_asinh, pmc_acosh})
    EXPECT_EQ(function(infinity), infinity);
  EXPECT_EQ(pmc_log10(0), -infinity);
  EXPECT_EQ(pmc_log1p(-1), -infinity);
  EXPECT_EQ(pmc_atanh(1), infinity);
  EXPECT_EQ(pmc_atanh(-1), -infinity);
  EXPECT_EQ(pmc_asinh(-infinity), -infinity);
  EXPECT_EQ(pmc_expm1(-infinity), -1);
  EXPECT_EQ(pmc_erfc(infinity), 0);
  EXPECT_EQ(pmc_erfc(-infinity), 2);
  EXPECT_EQ(pmc_acosh(1), 0);
  EXPECT_EQ(pmc_acos(1), 0);
  EXPECT_TRUE(std::isnan(pmc_sin(std::numeric_limits<double>::infinity())));
}

} // namespace
