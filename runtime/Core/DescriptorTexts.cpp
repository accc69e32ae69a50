//===- DescriptorTexts.cpp - Elements, values and ranges as text ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Descriptor.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

using namespace pmrt;

int64_t pmrt::elementSize(pmrt_element element) {
  switch (element) {
  case PMRT_F32:
    return 4;
  case PMRT_F64:
    return 8;
  case PMRT_C64:
    return 8;
  case PMRT_C128:
    return 16;
  case PMRT_I8:
    return 1;
  case PMRT_BF16:
  case PMRT_F16:
    return 2;
  case PMRT_I64:
  case PMRT_U64:
    return 8;
  }
  throw std::runtime_error(
      fmt::format("internal error: unknown element {}", int(element)));
}

std::string pmrt::lengthText(double length, const Dim &dim) {
  const std::string unit = dim.lengthUnit.value_or("");
  return fmt::format("{}{}{}", length, unit.empty() ? "" : " ", unit);
}

const char *pmrt::elementName(pmrt_element element) {
  switch (element) {
  case PMRT_F32:
    return "f32";
  case PMRT_F64:
    return "f64";
  case PMRT_C64:
    return "c64";
  case PMRT_C128:
    return "c128";
  case PMRT_I8:
    return "i8";
  case PMRT_I64:
    return "i64";
  case PMRT_U64:
    return "u64";
  case PMRT_BF16:
    return "bf16";
  case PMRT_F16:
    return "f16";
  }
  return "?";
}

void pmrt::refuseReducedPrecision(pmrt_element element) {
  throw std::runtime_error(
      fmt::format("internal error: {} is a format of fields in memory",
                  elementName(element)));
}

bool pmrt::isComplex(pmrt_element element) {
  return element == PMRT_C64 || element == PMRT_C128;
}

bool pmrt::isFloat(pmrt_element element) {
  return element == PMRT_F32 || element == PMRT_F64 || isComplex(element);
}

const char *pmrt::typeName(ParamType type) {
  switch (type) {
  case ParamType::F64:
    return "f64";
  case ParamType::Int:
    return "int";
  case ParamType::U64:
    return "u64";
  case ParamType::Bool:
    return "bool";
  }
  return "?";
}

std::string pmrt::valueText(const Parameter &param, const ParamValue &value) {
  switch (param.type) {
  case ParamType::F64:
    return fmt::format("{}", value.real);
  case ParamType::Int:
    return fmt::format("{}", value.bits);
  case ParamType::U64:
    return fmt::format("{}", uint64_t(value.bits));
  case ParamType::Bool:
    return value.bits ? "true" : "false";
  }
  return "";
}

/// A bound as a user would write it. Bounds of ints have no exponent.
static std::string boundText(const Parameter &param, double bound) {
  const bool whole = param.type != ParamType::F64 && bound == std::floor(bound);
  return whole ? fmt::format("{:.0f}", bound) : fmt::format("{}", bound);
}

std::string pmrt::rangeText(const Parameter &param) {
  if (param.type == ParamType::Bool)
    return "";
  const bool bothOpen = param.min && param.max;
  if (bothOpen)
    return fmt::format("{}{}, {}{}", param.minOpen ? '(' : '[',
                       boundText(param, *param.min),
                       boundText(param, *param.max), param.maxOpen ? ')' : ']');
  if (param.min)
    return fmt::format("{} {}", param.minOpen ? "above" : "at least",
                       boundText(param, *param.min));
  if (param.max)
    return fmt::format("{} {}", param.maxOpen ? "below" : "at most",
                       boundText(param, *param.max));
  return "";
}

bool pmrt::inRange(const Parameter &param, const ParamValue &value) {
  // In 64 bits of mantissa, ints beyond 2^53 are not rounded.
  static_assert(std::numeric_limits<long double>::digits >= 64);
  long double number = value.real;
  if (param.type == ParamType::Int)
    number = value.bits;
  else if (param.type == ParamType::U64)
    number = uint64_t(value.bits);
  else if (param.type == ParamType::Bool)
    return true;
  if (!std::isfinite(number))
    return false;
  if (param.min && (param.minOpen ? number <= *param.min : number < *param.min))
    return false;
  if (param.max && (param.maxOpen ? number >= *param.max : number > *param.max))
    return false;
  return true;
}

TablePart pmrt::tablePart(const std::vector<Input> &inputs, size_t index) {
  TablePart part;
  const std::string flag = inputs[index].flag();
  if (inputs[index].name == flag)
    return part;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].flag() != flag)
      continue;
    if (i == index)
      part.axis = part.axes.size();
    part.axes.push_back(inputs[i].name.substr(flag.size() + 1));
    part.units.push_back(inputs[i].unit);
  }
  part.values = std::move(part.axes.back());
  part.axes.pop_back();
  return part;
}
