//===- Attributes.cpp - What a file says of its numbers -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Outputs/Attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace pmrt;

std::vector<Attribute> pmrt::programAttributes(const Context &context) {
  const Descriptor &program = context.program;
  std::vector<Attribute> all = {
      {"program", program.name},
      {"source_hash", program.sourceHash},
      {"compiler_version", program.compilerVersion},
      {"precision", program.precision},
  };
  for (size_t i = 0; i < program.params.size(); ++i) {
    const Parameter &param = program.params[i];
    const LaunchValue &launch = context.params[i];
    if (!launch.given && !param.initial)
      continue; // optional, and not given
    const std::string name = "param." + param.name;
    switch (param.type) {
    case ParamType::F64:
      all.push_back({name, launch.value.real});
      break;
    case ParamType::Int:
      all.push_back({name, launch.value.bits});
      break;
    case ParamType::U64:
      all.push_back({name, uint64_t(launch.value.bits)});
      break;
    case ParamType::Bool:
      all.push_back({name, launch.value.bits != 0});
      break;
    }
  }
  return all;
}

DimNames pmrt::dimNamesOf(const Context &ctx, std::span<const int32_t> dims) {
  DimNames all;
  for (const int32_t number : dims) {
    const auto index = size_t(number);
    const Dim &dim = ctx.program.dims[index];
    all.names.push_back(dim.name);
    // A dim of bins or of a batch has as many cells as its "length".
    const bool isLength = dim.lengthUnit && ctx.lengths[index] > 0;
    all.lengths.push_back(isLength ? ctx.lengths[index] : 0);
    all.texts.push_back(isLength ? lengthText(ctx.lengths[index], dim) : "-");
  }
  return all;
}

std::vector<Attribute> pmrt::outputAttributes(const Context &context,
                                              const Output &output,
                                              const DimNames &dims) {
  std::vector<Attribute> all = programAttributes(context);
  all.push_back({"unit", output.unit});
  if (!output.doc.empty())
    all.push_back({"doc", output.doc});
  if (!output.columns.empty())
    all.push_back({"columns", output.columns});
  if (!dims.names.empty())
    all.push_back({"dimensions", dims.names});
  if (std::any_of(dims.lengths.begin(), dims.lengths.end(),
                  [](double length) { return length > 0; })) {
    all.push_back({"box", dims.lengths});
    all.push_back({"lengths", fmt::format("{}", fmt::join(dims.texts, ", "))});
  }
  return all;
}
