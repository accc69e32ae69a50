//===- LossPicture.cpp - Losses over iterations ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/LossPicture.h"

#include "runtime/IO/OutputFile.h"
#include "runtime/Program/Html.h"

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
  auto height = [&](double loss) { return log ? std::log10(loss) : loss; };
  double least = height(all[0].second), most = least;
  for (const auto &[step, loss] : all) {
    least = std::min(least, height(loss));
    most = std::max(most, height(loss));
  }
  if (least == most) {
    least -= 1;
    most += 1;
  }
  const double last = std::max(1.0, all.back().first);
  std::string points;
  for (const auto &[step, loss] : all)
    points += fmt::format("{:.1f},{:.1f} ", 70 + 440 * step / last,
                          190 - 165 * (height(loss) - least) / (most - least));
  auto label = [&](double at) {
    return fmt::format("{:.3g}", log ? std::pow(10.0, at) : at);
  };
  return fmt::format(
      "<svg class=\"curve\"{6} viewBox=\"0 0 530 235\" role=\"img\" "
      "aria-label=\"loss of {0}\"><path class=\"axis\" fill=\"none\" "
      "d=\"M70 20V195H515\"/><polyline fill=\"none\" stroke=\"currentColor\" "
      "stroke-width=\"2\" points=\"{1}\"/>"
      "<text x=\"64\" y=\"29\" text-anchor=\"end\">{2}</text>"
      "<text x=\"64\" y=\"194\" text-anchor=\"end\">{3}</text>"
      "<text x=\"70\" y=\"212\" text-anchor=\"middle\">0</text>"
      "<text x=\"510\" y=\"212\" text-anchor=\"middle\">{4:.0f}</text>"
      "<text x=\"290\" y=\"228\" text-anchor=\"middle\">iteration</text>"
      "<text x=\"70\" y=\"12\">loss of {0}{5}</text></svg>\n",
      escapedHtml(name), points, label(most), label(least), last,
      log ? ", logarithmic" : "", place);
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
      "stroke: #5d6670; }}</style>{1}</svg>\n",
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
