//===- Timeline.cpp - What ranks did when ---------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/Timeline.h"

#include "runtime/Program/Report/SvgAxis.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

using namespace pmrt;

/// Half of the last label.
static constexpr double rightPadding = 24;
static constexpr size_t mostRanks = 32, columns = 400;
static constexpr double left = 70, width = 1020, lane = 16;

const char *const pmrt::timelineStyle = R"css(
svg.time { width: 100%; min-width: 56rem; height: auto; }
svg.time text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg.time .axis { stroke: var(--faint); fill: none; }
svg.time polyline { fill: none; stroke-width: 1.5; stroke: var(--mark); }
.own { fill: #b8bec6; } .fourier { fill: #0072b2; } .messages { fill: #d55e00; }
.files { fill: #009e73; } .calls { fill: #cc79a7; }
@media (prefers-color-scheme: dark) { .own { fill: #59626d; } }
)css";

namespace {

struct Kind {
  const char *style, *name;
};

/// A call of a rank, in seconds since the first one's start.
struct Call {
  double begin, end;
  size_t kind;
};

struct Events {
  std::map<int, std::vector<Call>> calls;                       ///< by rank
  std::map<int, std::vector<std::pair<double, double>>> memory; ///< bytes
  double last = 0;
};

} // namespace

static constexpr std::array<Kind, 5> kinds = {{{"own", "outside of calls"},
                                               {"fourier", "transforms"},
                                               {"messages", "messages"},
                                               {"files", "files and prints"},
                                               {"calls", "loops and others"}}};

static size_t kindOf(const std::string &name) {
  static const std::map<std::string, size_t> known = {
      {"fft", 1},       {"ifft", 1},           {"plan_fft", 1},
      {"transpose", 2}, {"all_reduce", 2},     {"halo_exchange", 2},
      {"halo_open", 2}, {"halo_reduce", 2},    {"reduce_scatter", 2},
      {"reshard", 2},   {"input", 3},          {"output", 3},
      {"plot", 3},      {"print", 3},          {"checkpoint", 3},
      {"resume", 3},    {"spectral_filter", 1}};
  auto it = known.find(name);
  return it == known.end() ? 4 : it->second;
}

/// Every line is an event that begins with a comma, see Profile::events.
static Events parsed(const std::string &text) {
  Events result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '{')
      continue;
    const size_t end = line.rfind('}');
    const auto event = nlohmann::json::parse(line.substr(0, end + 1));
    const int rank = event["pid"].get<int>();
    const double at = event["ts"].get<double>() * 1e-6;
    if (event["ph"] == "C") {
      result.memory[rank].emplace_back(at,
                                       event["args"]["resident"].get<double>());
      continue;
    }
    const double stop = at + event["dur"].get<double>() * 1e-6;
    result.calls[rank].push_back(
        {at, stop, kindOf(event["name"].get<std::string>())});
    result.last = std::max(result.last, stop);
  }
  return result;
}

/// What each kind of call took of each column. Calls in other calls are theirs.
static std::vector<std::array<double, kinds.size()>>
columnsOf(std::vector<Call> calls, double last) {
  std::vector<std::array<double, kinds.size()>> bins(columns);
  const double each = last / double(columns);
  auto add = [&](double from, double to, size_t kind) {
    from = std::clamp(from, 0.0, last);
    to = std::clamp(to, 0.0, last);
    for (auto c = size_t(from / each); c < columns && from < to; ++c) {
      const double until = std::min(to, double(c + 1) * each);
      bins[c][kind] += std::max(0.0, until - from);
      from = until;
    }
  };
  std::sort(calls.begin(), calls.end(), [](const Call &a, const Call &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<Call> open;
  double now = 0;
  auto advance = [&](double until) {
    while (!open.empty() && open.back().end <= until) {
      add(now, open.back().end, open.back().kind);
      now = std::max(now, open.back().end);
      open.pop_back();
    }
    add(now, until, open.empty() ? 0 : open.back().kind);
    now = std::max(now, until);
  };
  for (const Call &call : calls) {
    advance(call.begin);
    open.push_back(call);
  }
  advance(last);
  return bins;
}

/// From the start of the first call on.
static std::string timeAxis(double last, double at) {
  const AxisUnit unit = timeUnit(last);
  return SvgAxis{SvgAxis::Side::Below, Scale(0, last / unit.size), width,
                 "time since the start [" + unit.name + "]"}
      .drawn(left, at);
}

static std::string timelineOf(const Events &all) {
  if (all.calls.empty() || !(all.last > 0))
    return "";
  std::string out;
  double y = 24;
  size_t shown = 0;
  for (const auto &[rank, calls] : all.calls) {
    if (++shown > mostRanks)
      break;
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">rank "
                       "{}</text>",
                       left - 6, y + 12, rank);
    const auto bins = columnsOf(calls, all.last);
    for (size_t c = 0; c < columns;) {
      auto kind = [&](size_t i) {
        return size_t(std::max_element(bins[i].begin(), bins[i].end()) -
                      bins[i].begin());
      };
      size_t end = c + 1;
      while (end < columns && kind(end) == kind(c))
        ++end;
      out += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
                         "height=\"{}\"/>\n",
                         kinds[kind(c)].style,
                         left + width * double(c) / double(columns), y,
                         width * double(end - c) / double(columns), lane - 2);
      c = end;
    }
    y += lane;
  }
  double x = left;
  std::string legend;
  for (const Kind &kind : kinds) {
    legend += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"4\" width=\"12\" "
                          "height=\"12\"/><text x=\"{}\" y=\"14\">{}</text>",
                          kind.style, x, x + 17, kind.name);
    x += 180;
  }
  const std::string rest =
      all.calls.size() > mostRanks
          ? fmt::format("<p class=\"faint\">the first {} of {} ranks</p>\n",
                        mostRanks, all.calls.size())
          : "";
  return fmt::format(
             "<div class=\"wide\"><svg class=\"time\" viewBox=\"0 0 {} {}\" "
             "role=\"img\" aria-label=\"timeline of "
             "ranks\">{}{}{}</svg></div>\n",
             left + width + rightPadding, y + 44, legend, out,
             timeAxis(all.last, y + 4)) +
         rest;
}

static std::string memoryOf(const Events &all) {
  double most = 0;
  for (const auto &[rank, samples] : all.memory)
    for (const auto &[at, bytes] : samples)
      most = std::max(most, bytes);
  if (!(most > 0) || !(all.last > 0))
    return "";
  const AxisUnit unit = bytesUnit(most);
  constexpr double bottom = 154;
  const SvgAxis axis{SvgAxis::Side::Left, Scale(0, 1.05 * most / unit.size),
                     136, "memory [" + unit.name + "]"};
  std::string out;
  size_t shown = 0;
  for (const auto &[rank, samples] : all.memory) {
    if (++shown > mostRanks)
      break;
    std::string points;
    for (const auto &[at, bytes] : samples)
      points += fmt::format("{:.1f},{:.1f} ",
                            left + width * std::clamp(at / all.last, 0.0, 1.0),
                            bottom - axis.place(bytes / unit.size));
    out += "<polyline points=\"" + points + "\"/>\n";
  }
  const std::string note =
      shown > 1 ? "<p class=\"faint\">one line for each rank</p>\n" : "";
  return fmt::format("<div class=\"wide\"><svg class=\"time\" viewBox=\"0 0 {} "
                     "{}\" role=\"img\" aria-label=\"memory over "
                     "time\">{}{}{}</svg></div>\n",
                     left + width + rightPadding, bottom + 40, out,
                     axis.drawn(left, bottom), timeAxis(all.last, bottom)) +
         note;
}

TimePictures pmrt::picturesOverTime(const std::string &events) {
  const Events all = parsed(events);
  return {timelineOf(all), memoryOf(all)};
}
