//===- Descriptor.cpp - The compiler's description of a program -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Descriptor.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace pmrt;
using Json = nlohmann::json;

namespace {

template <typename T, typename Parse>
std::vector<T> parseAll(const Json &json, const char *key, Parse parse) {
  std::vector<T> all;
  if (auto it = json.find(key); it != json.end())
    for (const Json &one : *it)
      all.push_back(parse(one));
  return all;
}

pmrt_element parseElement(const std::string &text) {
  for (pmrt_element e : {PMRT_F32, PMRT_F64, PMRT_C64, PMRT_C128, PMRT_I8,
                         PMRT_I64, PMRT_U64, PMRT_BF16, PMRT_F16})
    if (text == elementName(e))
      return e;
  throw std::runtime_error(fmt::format("unknown element '{}'", text));
}

ParamType parseType(const std::string &text) {
  for (ParamType t :
       {ParamType::F64, ParamType::Int, ParamType::U64, ParamType::Bool})
    if (text == typeName(t))
      return t;
  throw std::runtime_error(fmt::format("unknown parameter type '{}'", text));
}

std::string text(const Json &json, const char *key, std::string fallback = "") {
  return json.value(key, std::move(fallback));
}

std::optional<double> number(const Json &json, const char *key) {
  auto it = json.find(key);
  if (it == json.end() || it->is_null())
    return std::nullopt;
  return it->get<double>();
}

std::optional<ParamValue> defaultValue(const Json &json, ParamType type) {
  auto it = json.find("default");
  if (it == json.end() || it->is_null())
    return std::nullopt;
  ParamValue value;
  switch (type) {
  case ParamType::F64:
    value.real = it->get<double>();
    break;
  case ParamType::Int:
    value.bits = it->get<int64_t>();
    break;
  case ParamType::U64:
    value.bits = int64_t(it->get<uint64_t>());
    break;
  case ParamType::Bool:
    value.bits = it->is_boolean() ? it->get<bool>() : it->get<int>() != 0;
    break;
  }
  if (type != ParamType::F64)
    value.real = type == ParamType::U64 ? double(uint64_t(value.bits))
                                        : double(value.bits);
  return value;
}

Parameter parseParam(const Json &json) {
  Parameter p;
  p.name = json.at("name").get<std::string>();
  p.type = parseType(json.at("type").get<std::string>());
  p.unit = text(json, "unit");
  p.doc = text(json, "doc");
  p.initial = defaultValue(json, p.type);
  p.optional = json.value("optional", false);
  p.min = number(json, "min");
  p.max = number(json, "max");
  p.minOpen = json.value("min_open", false);
  p.maxOpen = json.value("max_open", false);
  return p;
}

Input parseInput(const Json &json) {
  Input i;
  i.name = json.at("name").get<std::string>();
  const auto kind = json.at("kind").get<std::string>();
  if (kind != "field" && kind != "table")
    throw std::runtime_error(fmt::format("unknown input kind '{}'", kind));
  i.kind = kind == "field" ? InputKind::Field : InputKind::Table;
  i.optional = json.value("optional", false);
  i.dims = json.value("dims", std::vector<int32_t>{});
  i.element = parseElement(text(json, "element", "f64"));
  i.unit = text(json, "unit");
  i.doc = text(json, "doc");
  i.streamed = json.value("streamed", false);
  i.samples = json.value("samples", int64_t(0));
  i.ahead = json.value("ahead", int32_t(-1));
  i.columns = json.value("columns", std::vector<std::string>{});
  return i;
}

Output parseOutput(const Json &json) {
  Output o;
  o.name = json.at("name").get<std::string>();
  const auto kind = text(json, "kind", "field");
  if (kind != "field" && kind != "scalars")
    throw std::runtime_error(fmt::format("unknown output kind '{}'", kind));
  o.kind = kind == "field" ? OutputKind::Field : OutputKind::Scalars;
  o.unit = text(json, "unit");
  o.columns = json.value("columns", std::vector<std::string>{});
  o.flatten = json.value("flatten", false);
  o.element = parseElement(text(json, "element", "f64"));
  o.dims = json.value("dims", std::vector<int32_t>{});
  o.doc = text(json, "doc");
  o.loops = json.value("loops", int64_t(0));
  o.count = json.value("count", int64_t(0));
  for (const Json &part : json.value("parts", Json::array()))
    o.parts.push_back({parseElement(part.at("element").get<std::string>()),
                       part.at("dims").get<std::vector<int32_t>>()});
  return o;
}

Plot parsePlot(const Json &json) {
  Plot p;
  p.name = json.at("name").get<std::string>();
  p.title = text(json, "title");
  p.subtitle = text(json, "subtitle");
  p.xlabel = text(json, "xlabel");
  p.ylabel = text(json, "ylabel");
  p.clabel = text(json, "clabel");
  p.labels = json.value("labels", std::vector<std::string>{});
  p.units = json.value("units", std::vector<std::string>{});
  p.axes = json.value("axes", std::vector<std::string>{});
  p.slices = json.value("slices", std::vector<std::string>{});
  p.log = text(json, "scale", "linear") == "log";
  p.xlog = text(json, "xscale", "linear") == "log";
  for (auto [key, range] : {std::pair("xrange", &p.xrange),
                            {"yrange", &p.yrange},
                            {"crange", &p.crange}})
    for (const auto &end : json.value(key, std::vector<std::string>{}))
      range->push_back(std::stod(end));
  p.xunitSize = std::stod(text(json, "xunit_size", "1"));
  p.yunitSize = std::stod(text(json, "yunit_size", "1"));
  p.asked = json.value("asked", std::vector<std::string>{});
  p.colormap = text(json, "colormap");
  p.styles = json.value("styles", std::vector<std::string>{});
  p.histogram = json.contains("histogram");
  p.bins = json.contains("bins");
  p.heading = text(json, "heading");
  p.shared = json.contains("shared");
  for (const auto &count : json.value("rows", std::vector<std::string>{}))
    p.rows.push_back(std::stoll(count));
  p.loops = json.value("loops", int64_t(0));
  p.projection = text(json, "projection");
  p.figure = p.name;
  if (!p.rows.empty()) {
    const size_t dot = p.name.rfind('.');
    p.panel = size_t(std::stoull(p.name.substr(dot + 1))) - 1;
    p.figure.resize(dot);
  }
  return p;
}

Dim parseDim(const Json &json) {
  Dim d;
  d.name = json.at("name").get<std::string>();
  d.extent = json.at("extent").get<int64_t>();
  d.refine = json.value("refine", int64_t(1));
  const auto kind = text(json, "kind", "space");
  if (kind != "space" && kind != "dual" && kind != "half")
    throw std::runtime_error(fmt::format("unknown dim kind '{}'", kind));
  d.kind = kind == "space"  ? DimKind::Space
           : kind == "dual" ? DimKind::Dual
                            : DimKind::Half;
  d.axes = json.value("axes", std::vector<std::string>{});
  d.of = text(json, "of");
  if (json.contains("length"))
    d.lengthUnit = text(json, "length");
  if (d.extent < 0 || d.refine < 1)
    throw std::runtime_error(fmt::format("dim '{}' has extent {}, refine {}",
                                         d.name, d.extent, d.refine));
  return d;
}

Buffer parseBuffer(const Json &json) {
  Buffer b;
  b.element = parseElement(json.at("element").get<std::string>());
  b.dims = json.at("dims").get<std::vector<int32_t>>();
  b.start = json.at("start").get<int64_t>();
  b.end = json.at("end").get<int64_t>();
  b.name = text(json, "name");
  b.input = text(json, "input");
  b.output = text(json, "output");
  return b;
}

Transform parseTransform(const Json &json) {
  Transform t;
  t.from = parseElement(json.at("from").get<std::string>());
  t.to = parseElement(json.at("to").get<std::string>());
  t.in = json.at("in").get<std::vector<int32_t>>();
  t.out = json.at("out").get<std::vector<int32_t>>();
  t.mask = json.at("mask").get<uint32_t>();
  t.inPlace = json.value("in_place", false);
  t.backward = json.value("backward", false);
  return t;
}

/// 3, {"param": 0}, or {"min": [a, b]}.
Count parseCount(const Json &json) {
  static const std::pair<const char *, Count::Kind> operations[] = {
      {"add", Count::Kind::Add}, {"sub", Count::Kind::Sub},
      {"mul", Count::Kind::Mul}, {"div", Count::Kind::Div},
      {"min", Count::Kind::Min}, {"max", Count::Kind::Max}};
  if (json.is_number_integer())
    return {Count::Kind::Constant, json.get<int64_t>(), {}};
  if (auto param = json.find("param"); param != json.end())
    return {Count::Kind::Param, param->get<int64_t>(), {}};
  for (auto [name, kind] : operations)
    if (auto operands = json.find(name); operands != json.end())
      return {
          kind, 0, {parseCount(operands->at(0)), parseCount(operands->at(1))}};
  throw std::runtime_error("unknown count " + json.dump());
}

CheckpointStore parseCheckpointStore(const Json &json) {
  CheckpointStore t;
  for (const Json &field : json.at("fields"))
    t.fields.push_back({parseElement(field.at("element").get<std::string>()),
                        field.at("dims").get<std::vector<int32_t>>()});
  t.numbers = json.at("numbers").get<int64_t>();
  t.location = json.at("location").get<int32_t>();
  if (auto slots = json.find("slots"); slots != json.end())
    t.slots = parseCount(*slots);
  return t;
}

HaloMesh parseHalo(const Json &json) {
  return {parseElement(json.at("element").get<std::string>()),
          json.at("dims").get<std::vector<int32_t>>()};
}

ExchangeStep parseExchange(const Json &json) {
  using Kind = ExchangeStep::Kind;
  ExchangeStep step;
  const auto has = [&](const char *key, Kind kind) {
    const auto number = json.find(key);
    if (number == json.end())
      return false;
    step.kind = kind;
    step.number = number->get<int64_t>();
    return true;
  };
  if (has("wait", Kind::Wait) || has("close", Kind::Close) ||
      has("reduce", Kind::Reduce))
    return step;
  step.element = parseElement(json.at("element").get<std::string>());
  step.dims = json.at("dims").get<std::vector<int32_t>>();
  if (has("reshard", Kind::Reshard)) {
    step.to = json.at("to").get<std::vector<int32_t>>();
    return step;
  }
  const auto how = json.at("how").get<std::string>();
  step.kind = how == "started"   ? Kind::Start
              : how == "painted" ? Kind::Paint
                                 : Kind::Exchange;
  step.number = json.at("open").get<int64_t>();
  step.below = json.at("below").get<std::vector<int64_t>>();
  step.above = json.at("above").get<std::vector<int64_t>>();
  step.moves = json.at("moves").get<bool>();
  if (step.below.size() != step.dims.size() ||
      step.above.size() != step.dims.size())
    throw std::runtime_error("a halo needs a width for each dim");
  return step;
}

ArrayShape parseArray(const Json &json) {
  return {parseElement(json.at("element").get<std::string>()),
          json.at("dims").get<std::vector<int32_t>>()};
}

MatrixShapes parseMatrices(const Json &json) {
  MatrixShapes shapes;
  shapes.kind = json.at("kind").get<int32_t>();
  shapes.flags = json.at("flags").get<int32_t>();
  shapes.batch = json.at("batch").get<int32_t>();
  shapes.in = parseAll<ArrayShape>(json, "in", parseArray);
  shapes.out = parseAll<ArrayShape>(json, "out", parseArray);
  return shapes;
}

ProductShapes parseProduct(const Json &json) {
  return {parseArray(json.at("a")), parseArray(json.at("b")),
          parseArray(json.at("c")), json.value("plan", std::vector<int64_t>{})};
}

Reduction parseReduction(const Json &json) {
  return {json.value("items", int64_t(0)), json.value("rows", int64_t(0)),
          json.at("width").get<int64_t>()};
}

PaintShape parsePaint(const Json &json) {
  return {json.at("particles").get<std::vector<int32_t>>(),
          json.at("mesh").get<std::vector<int32_t>>(),
          json.at("lattice").get<bool>(),
          json.value("cell_blocks", json.value("bricks", false))};
}

LoopMoves parseLoop(const Json &json) {
  LoopMoves l;
  l.location = json.at("location").get<int32_t>();
  if (auto steps = json.find("steps"); steps != json.end())
    l.steps = parseCount(*steps);
  for (const Json &move : json.at("moves"))
    l.moves.push_back({move.at("dims").get<std::vector<int32_t>>(),
                       move.at("bytes").get<int64_t>(),
                       parseCount(move.at("times"))});
  return l;
}

void checkDims(const Descriptor &d, const std::vector<int32_t> &dims,
               const std::string &what) {
  if (dims.size() > PMRT_MAX_RANK)
    throw std::runtime_error(fmt::format("{} has {} dims, at most {}", what,
                                         dims.size(), PMRT_MAX_RANK));
  for (int32_t dim : dims)
    if (dim < 0 || size_t(dim) >= d.dims.size())
      throw std::runtime_error(
          fmt::format("{} uses dim {} of {}", what, dim, d.dims.size()));
}

} // namespace

Descriptor Descriptor::parse(const std::string &source) {
  try {
    const Json json = Json::parse(source);
    Descriptor d;
    d.name = json.at("name").get<std::string>();
    d.doc = text(json, "doc");
    d.source = text(json, "source");
    d.sourceHash = text(json, "source_hash");
    d.spec = text(json, "spec", "spec=" + d.sourceHash);
    d.built = text(json, "built");
    d.compilerVersion = text(json, "compiler_version");
    d.target = text(json, "target", "cpu");
    d.precision = text(json, "precision", "f32");
    d.params = parseAll<Parameter>(json, "params", parseParam);
    d.inputs = parseAll<Input>(json, "inputs", parseInput);
    d.outputs = parseAll<Output>(json, "outputs", parseOutput);
    d.plots = parseAll<Plot>(json, "plots", parsePlot);
    d.dims = parseAll<Dim>(json, "dims", parseDim);
    d.mesh = parseAll<Axis>(json, "mesh", [](const Json &axis) {
      return Axis{axis.at("axis").get<std::string>(),
                  axis.value("extent", int64_t(1))};
    });
    d.locations = json.value("locations", std::vector<std::string>{});
    d.buffers = parseAll<Buffer>(json, "buffers", parseBuffer);
    d.transforms = parseAll<Transform>(json, "transforms", parseTransform);
    d.stores = parseAll<CheckpointStore>(
        json,
        json.contains("checkpoint_stores") ? "checkpoint_stores" : "tapes",
        parseCheckpointStore);
    for (const CheckpointStore &store : d.stores)
      for (const CheckpointStore::Field &field : store.fields)
        checkDims(d, field.dims, "a checkpoint store");
    for (const Transform &transform : d.transforms) {
      checkDims(d, transform.in, "a transform");
      checkDims(d, transform.out, "a transform");
    }
    d.deterministic = json.value("deterministic", false);
    d.checkpoints = json.value("checkpoints", std::vector<std::string>{});
    d.tableRows = json.value("table_rows", int64_t(0));
    d.sums = json.value("sums", int64_t(0));
    d.reductions = parseAll<Reduction>(json, "reductions", parseReduction);
    d.contracts = json.value("contracts", false);
    d.halos = parseAll<HaloMesh>(json, "halos", parseHalo);
    for (const HaloMesh &halo : d.halos)
      checkDims(d, halo.dims, "a halo");
    d.exchanges = parseAll<ExchangeStep>(json, "exchanges", parseExchange);
    for (const ExchangeStep &step : d.exchanges) {
      checkDims(d, step.dims, "an exchange");
      checkDims(d, step.to, "an exchange");
    }
    d.matrices = parseAll<MatrixShapes>(json, "matrices", parseMatrices);
    for (const MatrixShapes &shapes : d.matrices)
      for (const auto *list : {&shapes.in, &shapes.out})
        for (const ArrayShape &array : *list)
          checkDims(d, array.dims, "matrices");
    d.contractions =
        parseAll<ProductShapes>(json, "contractions", parseProduct);
    d.convolutions =
        parseAll<ProductShapes>(json, "convolutions", parseProduct);
    for (const auto *list : {&d.contractions, &d.convolutions})
      for (const ProductShapes &shapes : *list) {
        for (const ArrayShape *array : {&shapes.a, &shapes.b, &shapes.c})
          checkDims(d, array->dims, "a product");
        if (list == &d.convolutions &&
            shapes.plan.size() != 7 * shapes.a.dims.size())
          throw std::runtime_error("a convolution needs a plan for each dim");
      }
    d.paints = parseAll<PaintShape>(json, "paints", parsePaint);
    for (const PaintShape &paint : d.paints) {
      checkDims(d, paint.particles, "the particles of a paint");
      checkDims(d, paint.mesh, "the mesh of a paint");
      if (paint.particles.empty() || (paint.mesh.empty() && !paint.cellBlocks))
        throw std::runtime_error("a paint has no dims");
    }
    d.loops = parseAll<LoopMoves>(json, "loops", parseLoop);
    for (const LoopMoves &loop : d.loops)
      for (const LoopMoves::Move &move : loop.moves)
        checkDims(d, move.dims, "a loop");
    for (const Input &input : d.inputs) {
      checkDims(d, input.dims, fmt::format("input '{}'", input.name));
      if (input.ahead >= int32_t(d.buffers.size()))
        throw std::runtime_error(fmt::format("input '{}' has buffer {} of {}",
                                             input.name, input.ahead,
                                             d.buffers.size()));
    }
    for (const Output &output : d.outputs) {
      checkDims(d, output.dims, fmt::format("output '{}'", output.name));
      for (const Output::Part &part : output.parts)
        checkDims(d, part.dims, fmt::format("output '{}'", output.name));
    }
    for (const Buffer &buffer : d.buffers) {
      checkDims(d, buffer.dims, fmt::format("buffer '{}'", buffer.name));
      if (buffer.end < buffer.start)
        throw std::runtime_error(fmt::format("buffer '{}' is live on [{}, {}]",
                                             buffer.name, buffer.start,
                                             buffer.end));
    }
    return d;
  } catch (const std::exception &e) {
    throw std::runtime_error(
        fmt::format("internal error: bad program descriptor: {}", e.what()));
  }
}
