//===- Signature.cpp - What a program takes and gives ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Embed/Signature.h"

#include "runtime/IO/Formats/Format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

using namespace pmrt;
using Json = nlohmann::ordered_json;

static std::vector<int64_t> shapeOver(const Descriptor &program,
                                      const std::vector<int32_t> &dims) {
  std::vector<int64_t> shape;
  for (const int32_t dim : dims)
    shape.push_back(program.dims[size_t(dim)].stored());
  return shape;
}

std::vector<std::string> pmrt::dimNames(const Descriptor &program,
                                        const std::vector<int32_t> &dims) {
  std::vector<std::string> names;
  for (const int32_t dim : dims)
    names.push_back(program.dims[size_t(dim)].name);
  return names;
}

std::vector<int64_t> pmrt::inputShape(const Descriptor &program,
                                      const Input &input) {
  return shapeOver(program, input.dims);
}

static OutputArray memberOf(const Descriptor &program, const Output &output,
                            size_t member) {
  OutputArray array;
  array.name = output.name + output.columns[member];
  array.of = &output;
  array.unit = splitUnits(output.unit, output.columns.size())[member];
  if (member < output.parts.size()) {
    const Output::Part &part = output.parts[member];
    array.element = part.element;
    array.shape = shapeOver(program, part.dims);
    array.dims = dimNames(program, part.dims);
    array.indices = array.fieldDims = part.dims;
  }
  return array;
}

static OutputArray fieldOf(const Descriptor &program, const Output &output) {
  OutputArray array;
  array.name = output.name;
  array.of = &output;
  array.unit = output.unit;
  array.columns = output.columns;
  if (output.parts.empty())
    return array;
  const std::vector<int32_t> &dims = output.parts[0].dims;
  array.element = output.parts[0].element;
  array.shape = shapeOver(program, dims);
  array.dims = dimNames(program, dims);
  array.indices = array.fieldDims = dims;
  if (output.flatten && dims.size() > 1) {
    int64_t cells = 1;
    for (const int64_t extent : *array.shape)
      cells *= extent;
    array.shape = {{cells}};
    array.dims = {fmt::format("{}", fmt::join(array.dims, "*"))};
    array.indices = {-1};
  }
  if (output.parts.size() > 1) {
    array.shape->push_back(int64_t(output.parts.size()));
    array.dims.emplace_back(output.columns.empty() ? "component" : "column");
    array.indices.push_back(-1);
  }
  return array;
}

static OutputArray scalarsOf(const Output &output) {
  OutputArray array;
  array.name = output.name;
  array.of = &output;
  array.unit = output.unit;
  array.columns = output.columns;
  array.element = output.element;
  const auto columns = int64_t(output.columns.size());
  if (output.count == 1)
    array.shape.emplace();
  else if (columns > 1 && output.count > columns && output.count % columns == 0)
    array.shape = {{output.count / columns, columns}};
  else if (output.count > 1)
    array.shape = {{output.count}};
  return array;
}

std::vector<OutputArray> pmrt::outputArrays(const Descriptor &program) {
  std::vector<OutputArray> arrays;
  for (const Output &output : program.outputs) {
    if (output.isRecord())
      for (size_t member = 0; member < output.columns.size(); ++member)
        arrays.push_back(memberOf(program, output, member));
    else if (output.kind == OutputKind::Field)
      arrays.push_back(fieldOf(program, output));
    else
      arrays.push_back(scalarsOf(output));
  }
  return arrays;
}

static Json valueOf(const Parameter &param, const ParamValue &value) {
  switch (param.type) {
  case ParamType::F64:
    return value.real;
  case ParamType::Int:
    return value.bits;
  case ParamType::U64:
    return uint64_t(value.bits);
  case ParamType::Bool:
    return value.bits != 0;
  }
  return {};
}

static Json describe(const Parameter &param) {
  Json row = {{"name", param.name},
              {"type", typeName(param.type)},
              {"unit", param.unit},
              {"doc", param.doc},
              {"optional", param.optional}};
  if (param.initial)
    row["default"] = valueOf(param, *param.initial);
  if (param.min)
    row["min"] = *param.min;
  if (param.max)
    row["max"] = *param.max;
  row["min_open"] = param.minOpen;
  row["max_open"] = param.maxOpen;
  return row;
}

/// Adds the axis with half of a spectrum, if there is one, and the extent of
/// the whole along it.
static void addHalf(Json &row, const Descriptor &program,
                    const std::vector<int32_t> &dims) {
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] < 0)
      continue;
    const Dim &dim = program.dims[size_t(dims[axis])];
    if (dim.kind == DimKind::Half)
      row["half"] = {axis, dim.extent};
  }
}

/// Adds the mesh axes that split each dimension, if there are any. `joined`:
/// dimensions that the first one of the array is made of.
static void addAxes(Json &row, const Descriptor &program,
                    const std::vector<int32_t> &dims,
                    const std::vector<int32_t> &joined = {}) {
  Json all = Json::array();
  bool isSplit = false;
  for (size_t d = 0; d < dims.size(); ++d) {
    Json axes = Json::array();
    const std::vector<int32_t> one = dims[d] >= 0 ? std::vector{dims[d]}
                                     : d == 0     ? joined
                                                  : std::vector<int32_t>();
    for (const int32_t dim : one)
      for (const std::string &axis : program.dims[size_t(dim)].axes)
        axes.push_back(axis);
    isSplit = isSplit || !axes.empty();
    all.push_back(axes);
  }
  if (isSplit)
    row["axes"] = all;
}

static Json describe(const Descriptor &program, const Input &input) {
  Json row = {{"name", input.name},
              {"kind", input.kind == InputKind::Table ? "table" : "field"},
              {"unit", input.unit},
              {"doc", input.doc},
              {"optional", input.optional},
              {"streamed", input.streamed}};
  if (input.kind == InputKind::Table) {
    row["element"] = "f64";
    return row;
  }
  row["element"] = elementName(input.element);
  row["shape"] = inputShape(program, input);
  row["dims"] = dimNames(program, input.dims);
  addHalf(row, program, input.dims);
  addAxes(row, program, input.dims);
  return row;
}

static Json describe(const Descriptor &program, const OutputArray &array) {
  Json row = {{"name", array.name},   {"unit", array.unit},
              {"doc", array.of->doc}, {"element", elementName(array.element)},
              {"dims", array.dims},   {"loops", array.of->loops}};
  row["shape"] = array.shape ? Json(*array.shape) : Json();
  if (!array.columns.empty())
    row["columns"] = array.columns;
  addHalf(row, program, array.indices);
  addAxes(row, program, array.indices, array.fieldDims);
  return row;
}

std::string pmrt::signatureText(const Descriptor &program,
                                const std::vector<OutputArray> &outputs) {
  Json all = {{"name", program.name},
              {"doc", program.doc},
              {"source_hash", program.sourceHash},
              {"compiler_version", program.compilerVersion},
              {"precision", program.precision},
              {"target", program.target},
              {"deterministic", program.deterministic},
              {"params", Json::array()},
              {"inputs", Json::array()},
              {"outputs", Json::array()},
              {"mesh", Json::array()}};
  for (const Parameter &param : program.params)
    all["params"].push_back(describe(param));
  for (const Input &input : program.inputs)
    all["inputs"].push_back(describe(program, input));
  for (const OutputArray &array : outputs)
    all["outputs"].push_back(describe(program, array));
  for (const Axis &axis : program.mesh)
    all["mesh"].push_back({{"axis", axis.name}, {"extent", axis.extent}});
  return all.dump();
}
