//===- Values.cpp - Numbers, sizes and meshes on the command line ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Flags/Values.h"

#include "runtime/Base/Error.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Units.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

using namespace pmrt;

/// Parses a number at the beginning of `text` and returns what follows it;
/// nullopt if there is none. `error` is set for numbers that do not fit.
template <typename T>
static std::optional<std::string> leadingNumber(const std::string &text,
                                                T &value, std::errc &error) {
  const char *begin = text.data(), *end = begin + text.size();
  if (begin != end && *begin == '+')
    ++begin;
  auto [stop, code] = std::from_chars(begin, end, value);
  error = code;
  if (code == std::errc::invalid_argument)
    return std::nullopt;
  while (stop != end && *stop == ' ')
    ++stop;
  return std::string(stop, end);
}

static std::string allowed(const Parameter &param) {
  const std::string range = rangeText(param);
  std::string what = param.type == ParamType::F64   ? "a number"
                     : param.type == ParamType::Int ? "a whole number"
                     : param.type == ParamType::U64
                         ? "a whole number that is not negative"
                         : "true or false";
  if (!range.empty())
    what += fmt::format(
        "{} {}", range[0] == '(' || range[0] == '[' ? " in" : ",", range);
  if (!param.unit.empty() && param.unit != "1")
    what += fmt::format(" (in {})", param.unit);
  return what;
}

static ParamValue parseBool(const Parameter &param, const std::string &text) {
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  ParamValue value;
  for (const char *yes : {"true", "1", "yes", "on"})
    if (lower == yes) {
      value.bits = 1;
      value.real = 1;
      return value;
    }
  for (const char *no : {"false", "0", "no", "off"})
    if (lower == no)
      return value;
  throw usageError("[PM9002] --{}: '{}' is not {}", param.name, text,
                   allowed(param));
}

ParamValue pmrt::parseParam(const Parameter &param, const std::string &text) {
  if (param.type == ParamType::Bool)
    return parseBool(param, text);
  auto wrong = [&] {
    return usageError("[PM9002] --{}: '{}' is not {}", param.name, text,
                      allowed(param));
  };
  ParamValue value;
  std::optional<std::string> rest;
  std::errc error{};
  if (param.type == ParamType::F64) {
    rest = leadingNumber(text, value.real, error);
    if (rest && (error != std::errc() || !std::isfinite(value.real)))
      throw usageError("[PM9002] --{}: '{}' is not a finite number", param.name,
                       text);
  } else if (param.type == ParamType::Int) {
    rest = leadingNumber(text, value.bits, error);
    value.real = double(value.bits);
  } else {
    uint64_t bits = 0;
    rest = leadingNumber(text, bits, error);
    value.bits = int64_t(bits);
    value.real = double(bits);
  }
  if (rest && error == std::errc::result_out_of_range)
    throw usageError("[PM9002] --{}: {} does not fit in 64 bits", param.name,
                     text);
  if (!rest)
    throw wrong();
  if (!rest->empty() && *rest != param.unit && param.type == ParamType::F64)
    if (auto converted = convertUnit(value.real, *rest, param.unit)) {
      value.real = *converted;
      rest = "";
    }
  if (!rest->empty() && *rest != param.unit) {
    // A letter where a unit could be, or just not a number?
    if (!param.unit.empty() &&
        std::isalpha(static_cast<unsigned char>(rest->front())))
      throw usageError(
          "[PM9002] --{0}: '{1}' has the unit {2}, but the value is in {3}; "
          "convert it, and write --{0}=VALUE without a unit or with {3}",
          param.name, text, *rest, param.unit);
    if (param.unit.empty() && param.type == ParamType::F64 &&
        findConversion(*rest, *rest))
      throw usageError("[PM9002] --{0}: '{1}' has the unit {2}, but the value "
                       "is a pure number; write --{0}={3}",
                       param.name, text, *rest, value.real);
    throw wrong();
  }
  checkParam(param, value, "--" + param.name, text);
  return value;
}

void pmrt::checkParam(const Parameter &param, const ParamValue &value,
                      const std::string &name, const std::string &text) {
  if (param.type == ParamType::F64 && !std::isfinite(value.real))
    throw usageError("[PM9002] {}: '{}' is not a finite number", name, text);
  if (!inRange(param, value))
    throw usageError("[PM9002] {}: {} is out of range, expected {}", name, text,
                     allowed(param));
}

int64_t pmrt::parseCount(const std::string &flag, const std::string &text,
                         int64_t least) {
  int64_t value = 0;
  std::errc error{};
  auto rest = leadingNumber(text, value, error);
  if (!rest || !rest->empty() || error != std::errc() || value < least)
    throw usageError("[PM9002] --{}: '{}' is not a whole number of at least {}",
                     flag, text, least);
  return value;
}

/// "1.5 h" in the least of these units; they are lower case here, and any
/// there.
static std::optional<double>
parseScaled(const std::string &text,
            std::initializer_list<std::pair<const char *, double>> units) {
  double value = 0;
  std::errc error{};
  auto rest = leadingNumber(text, value, error);
  if (!rest || error != std::errc() || !(value > 0))
    return std::nullopt;
  std::string unit = *rest;
  std::transform(unit.begin(), unit.end(), unit.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  for (auto [name, factor] : units)
    if (unit == name)
      return value * factor;
  return std::nullopt;
}

static std::string trimmed(const std::string &text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos)
    return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Refuses a number without a unit, because the intended unit is unknown.
static void requireUnit(const std::string &flag, const std::string &text,
                        const std::string &units) {
  if (const auto value = parseScaled(text, {{"", 1}});
      value && std::isfinite(*value))
    throw usageError("[PM9002] --{}: '{}' has no unit; write {}", flag, text,
                     fmt::format(fmt::runtime(units), trimmed(text)));
}

int64_t pmrt::parseBytes(const std::string &flag, const std::string &text) {
  requireUnit(flag, text, "{0}MiB or {0}GiB");
  const auto bytes = parseScaled(text, {{"b", 1},
                                        {"k", 1024},
                                        {"kib", 1024},
                                        {"kb", 1e3},
                                        {"m", 0x1p20},
                                        {"mib", 0x1p20},
                                        {"mb", 1e6},
                                        {"g", 0x1p30},
                                        {"gib", 0x1p30},
                                        {"gb", 1e9},
                                        {"t", 0x1p40},
                                        {"tib", 0x1p40},
                                        {"tb", 1e12}});
  if (bytes && *bytes >= 1 && *bytes < 0x1p62)
    return int64_t(*bytes);
  throw usageError("[PM9002] --{}: '{}' is not a size such as 8GiB or 500MB",
                   flag, text);
}

double pmrt::parseDuration(const std::string &flag, const std::string &text) {
  requireUnit(flag, text, "{0}s, {0}min or {0}h");
  const auto seconds = parseScaled(text, {{"s", 1}, {"min", 60}, {"h", 3600}});
  if (seconds && std::isfinite(*seconds))
    return *seconds;
  throw usageError("[PM9002] --{}: '{}' is not a time such as 90s, 30min or 2h",
                   flag, text);
}

std::string pmrt::meshText(const std::vector<Axis> &axes) {
  std::vector<std::string> items;
  for (const Axis &axis : axes)
    items.push_back(fmt::format("{}={}", axis.name, axis.extent));
  return fmt::format("{}", fmt::join(items, ","));
}

std::vector<Axis> pmrt::parseMesh(std::vector<Axis> axes,
                                  const std::string &text) {
  std::vector<std::string> names;
  for (const Axis &axis : axes)
    names.push_back(axis.name);
  std::vector<bool> seen(axes.size(), false);
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string item = trimmed(text.substr(at, comma - at));
    if (item.empty())
      throw usageError("[PM9004] --mesh: '{}' has a comma {}, expected "
                       "AXIS=EXTENT,AXIS=EXTENT",
                       text,
                       at == 0                ? "at its beginning"
                       : comma == text.size() ? "at its end"
                                              : "too many");
    at = comma + 1;
    const size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0)
      throw usageError(
          "[PM9004] --mesh: '{}' is not AXIS=EXTENT; {}", item,
          names.empty()
              ? std::string("this program declares no mesh: add "
                            "'mesh ranks(row = 1)' and a layout to its spec")
              : fmt::format("write --mesh {}={}", names[0],
                            equals == std::string::npos ? item : "N"));
    const std::string name = trimmed(item.substr(0, equals));
    auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) {
      const int near = closest(name, names);
      throw usageError(
          "[PM9004] --mesh: this program has no mesh axis '{}'{}; {}", name,
          near >= 0 ? fmt::format(" (did you mean '{}'?)", names[size_t(near)])
                    : "",
          names.empty()
              ? std::string("it declares no mesh")
              : fmt::format("its axes are {}", fmt::join(names, ", ")));
    }
    const auto index = size_t(it - names.begin());
    if (seen[index])
      throw usageError("[PM9004] --mesh: axis '{}' is given twice", name);
    seen[index] = true;
    axes[index].extent =
        parseCount("mesh", trimmed(item.substr(equals + 1)), 1);
    if (axes[index].extent > (1 << 20))
      throw usageError("[PM9004] --mesh: {} ranks along '{}' are too many",
                       axes[index].extent, name);
  }
  return axes;
}
