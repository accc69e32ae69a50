//===- Scale.cpp - The range of an axis and its ticks ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>

using namespace pmrt;

Scale::Scale(double low, double high, bool logarithmic)
    : lo(low), hi(high), log(logarithmic) {
  if (!(lo <= hi)) {
    lo = log ? 0.1 : 0;
    hi = 1;
  }
  // Ticks must not overflow, or vanish.
  constexpr double largest = 1e300, smallest = 1e-290;
  lo = std::clamp(lo, log ? smallest : -largest, largest);
  hi = std::clamp(hi, log ? smallest : -largest, largest);
  if (log)
    lo = std::max(lo, hi * 1e-12);
  // What rounding cannot tell apart is one value.
  const double size = std::max(std::abs(lo), std::abs(hi));
  if (hi - lo <= std::max(1e-12 * size, log ? 0 : smallest)) {
    const double half = std::max(size / 2, 0.5);
    hi = log ? hi * 2 : hi + half;
    lo = log ? lo / 2 : lo - half;
  }
}

static Scale rangeOf(const std::vector<double> &values, bool logarithmic) {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (double value : values)
    if (std::isfinite(value) && (!logarithmic || value > 0)) {
      lo = std::min(lo, value);
      hi = std::max(hi, value);
    }
  return {lo, hi, logarithmic};
}

Scale::Scale(const std::vector<double> &values, bool logarithmic)
    : Scale(rangeOf(values, logarithmic)) {}

bool Scale::shows(double value) const {
  return std::isfinite(value) && (!log || value > 0);
}

double Scale::position(double value) const {
  const double at =
      log ? std::log(value / lo) / std::log(hi / lo) : (value - lo) / (hi - lo);
  return std::clamp(at, -10.0, 10.0); // dashes of longer lines take for ever
}

Scale Scale::widened(double part) const {
  const double by = log ? std::pow(hi / lo, part) : (hi - lo) * part;
  return log ? Scale(lo / by, hi * by, true) : Scale(lo - by, hi + by);
}

std::string pmrt::raised(const std::string &base, int exponent) {
  static constexpr const char *digits[] = {"⁰", "¹", "²", "³", "⁴",
                                           "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = base + (exponent < 0 ? "⁻" : "");
  for (char digit : std::to_string(std::abs(exponent)))
    text += digits[digit - '0'];
  return text;
}

/// Whether ticks are powers of ten.
static bool hasDecades(const Scale &scale) {
  return scale.logarithmic() && scale.high() / scale.low() >= 20;
}

int Scale::exponent() const {
  const double size = std::max(std::abs(lo), std::abs(hi));
  if (hasDecades(*this) || (size < 1e5 && size >= 1e-2))
    return 0;
  return int(std::floor(std::log10(size)));
}

static std::string decadeLabel(int digit, int decade) {
  if (decade >= -3 && decade <= 4)
    return fmt::format("{:.{}f}", digit * std::pow(10.0, decade),
                       std::max(0, -decade));
  const std::string power = raised("10", decade);
  return digit == 1 ? power : fmt::format("{}×{}", digit, power);
}

/// Ticks at the digits of each decade. The `labeled` digits of every
/// `every`-th decade have labels, in units of 10^exponent.
static std::vector<Scale::Tick> decadeTicks(const Scale &scale, int every,
                                            std::string_view labeled,
                                            int exponent) {
  std::vector<Scale::Tick> result;
  const int first = int(std::ceil(std::log10(scale.low()) - 1e-9));
  const int last = int(std::floor(std::log10(scale.high()) + 1e-9));
  for (int decade = first - 1; decade <= last; ++decade)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10.0, decade);
      if (value < scale.low() * (1 - 1e-9) || value > scale.high() * (1 + 1e-9))
        continue;
      if (labeled.find(char('0' + digit)) != std::string_view::npos &&
          (decade - first) % every == 0)
        result.push_back({value, decadeLabel(digit, decade - exponent)});
      else if (every == 1 || digit == 1)
        result.push_back({value, ""});
    }
  return result;
}

/// Round numbers at equal distances: about `wanted` with labels.
static std::vector<Scale::Tick> evenTicks(const Scale &scale, int wanted,
                                          int exponent) {
  const double unit = std::pow(10.0, exponent);
  const double raw = (scale.high() - scale.low()) / wanted;
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * decade;
  int parts = 5;
  for (int factor : {1, 2, 5})
    if (factor * decade >= raw * (1 - 1e-9)) {
      step = factor * decade;
      parts = factor == 2 ? 4 : 5;
      break;
    }
  const int digits =
      std::clamp(int(-std::floor(std::log10(step / unit) + 1e-9)), 0, 15);
  std::vector<Scale::Tick> result;
  const double minor = step / parts,
               first = std::ceil(scale.low() / minor - 1e-6);
  for (int i = 0;
       i <= 100 && (first + i) * minor <= scale.high() + 1e-6 * minor; ++i) {
    const double count = first + i, value = count == 0 ? 0 : count * minor;
    const bool major = std::remainder(count, parts) == 0;
    std::string label = fmt::format("{:.{}f}", value / unit, digits);
    if (label.starts_with('-'))
      label.replace(0, 1, "−");
    result.push_back({value, major ? label : ""});
  }
  return result;
}

/// The sparsest ticks that leave no large part of the axis without a label, or
/// else those that leave the smallest part without one.
static std::vector<Scale::Tick> logTicks(const Scale &scale, int wanted,
                                         int exponent) {
  constexpr double smallGap = 0.34;
  std::vector<Scale::Tick> best;
  double bestGap = std::numeric_limits<double>::infinity();
  auto consider = [&](std::vector<Scale::Tick> ticks) {
    double before = 0, gap = 0;
    int labels = 0;
    for (const Scale::Tick &tick : ticks)
      if (!tick.label.empty()) {
        gap = std::max(gap, scale.position(tick.value) - before);
        before = scale.position(tick.value);
        ++labels;
      }
    gap = std::max(gap, 1 - before);
    if (labels > wanted || bestGap <= smallGap || gap > bestGap - 1e-9)
      return;
    best = std::move(ticks);
    bestGap = gap;
  };
  const int decades = int(std::floor(std::log10(scale.high()) + 1e-9) -
                          std::ceil(std::log10(scale.low()) - 1e-9)) +
                      1;
  consider(decadeTicks(scale, std::max(1, (decades + wanted - 1) / wanted), "1",
                       exponent));
  for (const char *digits : {"13", "125", "1235", "123456789"})
    consider(decadeTicks(scale, 1, digits, exponent));
  for (int count = 2; count <= wanted && !hasDecades(scale); ++count)
    consider(evenTicks(scale, count, exponent));
  return best;
}

std::vector<Scale::Tick> Scale::ticks(int wanted, int exponent) const {
  wanted = std::max(1, wanted);
  return log ? logTicks(*this, wanted, exponent)
             : evenTicks(*this, wanted, exponent);
}
