//===- LossPicture.cpp - Losses over iterations ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/LossPicture.h"

#include "runtime/IO/Files/OutputFile.h"
#include "runtime/Program/Report/Html.h"
#include "runtime/Program/Report/SvgAxis.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace pmrt;

using Points = std::vector<std::pair<double, double>>;

Points pmrt::thinnedLosses(const Points &all) {
  constexpr size_t parts = 500;
  if (all.size() <= 2 * parts)
    return all;
  Points few;
  auto lower = [](const auto &a, const auto &b) { return a.second < b.second; };
  for (size_t p = 0; p < parts; ++p) {
    const auto [low, high] = std::minmax_element(
        all.begin() + ptrdiff_t(p * all.size() / parts),
        all.begin() + ptrdiff_t((p + 1) * all.size() / parts), lower);
    few.push_back(*std::min(low, high));
    few.push_back(*std::max(low, high));
  }
  if (few.back() != all.back())
    few.push_back(all.back());
  return few;
}

/// Losses over iterations, by powers of ten if all are positive.
static std::string
lossCurve(const std::string &name,
          const std::vector<std::pair<double, double>> &every,
          const std::string &place = "") {
  const std::vector<std::pair<double, double>> all = thinnedLosses(every);
  const bool log = std::all_of(all.begin(), all.end(),
                               [](const auto &p) { return p.second > 0; });
  std::vector<double> steps, losses;
  for (const auto &[step, loss] : all) {
    steps.push_back(step);
    losses.push_back(loss);
  }
  constexpr double left = 70, bottom = 190;
  const SvgAxis x{SvgAxis::Side::Below,
                  Scale(0, std::max(1.0, all.back().first)), 440, "iteration"},
      y{SvgAxis::Side::Left, Scale(losses, log), 165,
        "loss" + std::string(log ? ", logarithmic" : "")};
  std::string points;
  for (size_t i = 0; i < all.size(); ++i)
    if (std::isfinite(losses[i]))
      points += fmt::format("{:.1f},{:.1f} ", left + x.place(steps[i]),
                            bottom - y.place(losses[i]));
  return fmt::format(
      "<svg class=\"curve\"{} viewBox=\"0 0 530 235\" role=\"img\" "
      "aria-label=\"loss of {}\"><polyline fill=\"none\" "
      "stroke=\"currentColor\" stroke-width=\"2\" points=\"{}\"/>{}{}"
      "<text x=\"{}\" y=\"12\">loss of {}</text></svg>\n",
      place, escapedHtml(name), points, x.drawn(left, bottom),
      y.drawn(left, bottom), left, escapedHtml(name));
}

std::string pmrt::lossCurves(const Context::Losses &losses) {
  std::string out;
  for (const auto &[name, all] : losses)
    out += lossCurve(name, all);
  return out;
}

std::string pmrt::lossPicturePath(const Context &context) {
  return (std::filesystem::path(context.settings.out) / "losses.svg").string();
}

/// All curves below one another.
static std::string lossPicture(const Context &context) {
  std::string curves;
  size_t count = 0;
  for (const auto &[name, all] : context.losses)
    curves += lossCurve(
        name, all,
        fmt::format(" y=\"{}\" width=\"530\" height=\"235\"", 235 * count++));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 530 {0}\" "
      "width=\"530\" height=\"{0}\"><style>svg {{ background: #fff; color: "
      "#0072b2; }} text {{ font: 12px sans-serif; fill: #1b1f24; }} .axis {{ "
      "stroke: #5d6670; fill: none; }}</style>{1}</svg>\n",
      235 * count, curves);
}

/// A full disk is no reason to stop a fit: the record of the run will tell.
static bool draw(Context &context) {
  try {
    writeWholeFile(lossPicturePath(context), lossPicture(context),
                   context.token);
    return true;
  } catch (const std::runtime_error &) {
    return false;
  }
}

void pmrt::watchLosses(Context &context) {
  if (context.transport->rank() != 0 ||
      context.settings.plots == PlotFormat::None)
    return;
  for (const Plot &plot : context.program.plots)
    if (context.settings.plots == PlotFormat::Svg && plot.figure == "losses")
      return; // it has that name
  context.lossesGrew = [&context, last = Clock::time_point()]() mutable {
    if (secondsSince(last) < 1)
      return;
    draw(context);
    last = Clock::now();
  };
}

void pmrt::lastPicture(Context &context) {
  if (!context.lossesGrew || context.losses.empty())
    return;
  if (draw(context))
    context.written.add(lossPicturePath(context));
}
