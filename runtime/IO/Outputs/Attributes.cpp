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
#include <numbers>

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

/// The distance between the wavenumbers along a dim of Fourier space; 0 for
/// other dims, and if the length of the space dim is unknown.
static double wavenumberOf(const Context &ctx, const Dim &dim) {
  if (dim.kind == DimKind::Space)
    return 0;
  for (size_t i = 0; i < ctx.program.dims.size(); ++i) {
    const Dim &space = ctx.program.dims[i];
    if (space.kind == DimKind::Space && space.name == dim.of &&
        space.lengthUnit && ctx.lengths[i] > 0)
      return 2 * std::numbers::pi / ctx.lengths[i];
  }
  return 0;
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
    all.wavenumbers.push_back(wavenumberOf(ctx, dim));
    if (dim.kind == DimKind::Half)
      all.half = dim.name;
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
  if (std::any_of(dims.wavenumbers.begin(), dims.wavenumbers.end(),
                  [](double step) { return step > 0; })) {
    all.push_back({"wavenumber_steps", dims.wavenumbers});
    if (!dims.half.empty())
      all.push_back({"half_dimension", dims.half});
  }
  return all;
}
