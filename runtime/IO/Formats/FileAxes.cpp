//===- FileAxes.cpp - The axes of a field in a file -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/FileAxes.h"

#include "runtime/Base/Text/Units.h"
#include "runtime/Core/Context.h"
#include "runtime/IO/Files/FileOrder.h"

#include <fmt/format.h>

using namespace pmrt;

FileAxes pmrt::axesInRows(const Context &context, std::span<const int32_t> dims,
                          int64_t components) {
  FileAxes axes;
  for (size_t d = dims.size(); d-- > 0;)
    axes.add(context.program.dims[size_t(dims[d])].stored(), int(d));
  if (components > 1)
    axes.add(components);
  return axes;
}

static std::vector<bool> batchDims(const Context &context,
                                   std::span<const int32_t> dims) {
  std::vector<bool> batch;
  for (const int32_t index : dims) {
    const Dim &dim = context.program.dims[size_t(index)];
    batch.push_back(dim.kind == DimKind::Space && !dim.lengthUnit);
  }
  return batch;
}

std::vector<int> pmrt::columnOrder(const Context &context,
                                   std::span<const int32_t> dims) {
  return columnDims(batchDims(context, dims));
}

FileAxes pmrt::axesInColumns(const Context &context,
                             std::span<const int32_t> dims, int64_t components,
                             size_t componentAxis) {
  const std::vector<bool> batch = batchDims(context, dims);
  const std::vector<int> order = columnDims(batch);
  FileAxes axes;
  bool isBatch = false;
  for (const int d : order) {
    const auto index = size_t(dims[size_t(d)]);
    const Dim &dim = context.program.dims[index];
    if (batch[size_t(d)] != batch[size_t(order[0])] && !isBatch) {
      isBatch = true;
      axes.padTo(3);
    }
    const double meters =
        dim.kind == DimKind::Space ? metersOf(dim.lengthUnit.value_or("")) : 0;
    axes.add(dim.stored(), d, dim.kind == DimKind::Dual ? dim.extent / 2 : 0,
             meters * context.lengths[index] / double(dim.extent));
  }
  if (components > 1) {
    axes.padTo(componentAxis);
    axes.add(components);
  }
  return axes;
}

std::string pmrt::problemOfAxes(const Descriptor &program,
                                const Output &output) {
  if (output.kind == OutputKind::Scalars)
    return "it is a list of numbers, and this format stores only fields";
  if (output.flatten)
    return "its dims are joined by 'flatten'";
  for (const int32_t dim : output.dims)
    if (program.dims[size_t(dim)].kind == DimKind::Half)
      return fmt::format(
          "'{}' is a half dim, and this format requires all modes",
          program.dims[size_t(dim)].name);
  return "";
}
