//===- ProgramTables.cpp - Tables of a program for the runtime ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Program/ProgramTables.h"

#include "dialect/IR/Markers/PMDeterministic.h"
#include "dialect/IR/Markers/PMPlaces.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;
namespace json = llvm::json;

static StringRef elementName(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() ? "c64" : "c128";
  if (type.isF32())
    return "f32";
  if (type.isF64())
    return "f64";
  if (type.isBF16())
    return "bf16";
  if (type.isF16())
    return "f16";
  return type.isInteger(1) ? "i8" : "i64";
}

static void setText(json::Object &row, StringRef key,
                    std::optional<StringRef> text) {
  if (text)
    row[key] = text->str();
}

static json::Value number(Attribute attr, StringRef kind) {
  if (auto real = dyn_cast<FloatAttr>(attr))
    return real.getValueAsDouble();
  if (auto boolean = dyn_cast<BoolAttr>(attr))
    return boolean.getValue();
  APInt bits = cast<IntegerAttr>(attr).getValue();
  if (kind == "u64")
    return bits.getZExtValue();
  return bits.getSExtValue();
}

static json::Array strings(ArrayAttr attr) {
  json::Array list;
  for (StringRef text : attr.getAsValueRange<StringAttr>())
    list.push_back(text.str());
  return list;
}

static json::Object describeParam(ParamOp op) {
  json::Object row{{"name", op.getName()}, {"type", op.getKind()}};
  if (Attribute value = op.getDefaultValueAttr())
    row["default"] = number(value, op.getKind());
  if (op.getMinimum())
    row["min"] = op.getMinimum()->convertToDouble();
  if (op.getMaximum())
    row["max"] = op.getMaximum()->convertToDouble();
  row["min_open"] = op.getMinOpen();
  row["max_open"] = op.getMaxOpen();
  setText(row, "unit", op.getUnit());
  setText(row, "doc", op.getDoc());
  return row;
}

/// On the module: the names of the states that the program keeps in files.
static constexpr StringLiteral checkpointsAttr = "pm.checkpoints";

ProgramTables::ProgramTables(ModuleOp module) : module(module) {
  llvm::SetVector<Attribute> checkpoints;
  module.walk([&](CheckpointStoreOp op) {
    if (auto name = op->getAttrOfType<StringAttr>("checkpoint"))
      checkpoints.insert(name);
  });
  if (!checkpoints.empty())
    module->setAttr(checkpointsAttr, ArrayAttr::get(module.getContext(),
                                                    checkpoints.getArrayRef()));
  for (Operation &op : *module.getBody()) {
    if (auto param = dyn_cast<ParamOp>(op)) {
      params[param.getName()] = param;
      paramRows.push_back(describeParam(param));
    } else if (auto input = dyn_cast<InputOp>(op)) {
      inputs[input.getName()] = input;
      json::Object row{{"name", input.getName()},
                       {"kind", "table"},
                       {"optional", input.getOptional()}};
      if (auto field = dyn_cast<FieldType>(input.getType())) {
        row["kind"] = "field";
        row["element"] = elementName(field.getElementType());
        row["dims"] = describeDims(field.getDims());
        // A file of modes may tell the cells of their space dims.
        for (DimAttr dim : field.getDims())
          if (!dim.isSpace())
            (void)describeDims(dim.withKind(DimKind::Space).withoutAxes());
      }
      if (input.getStreamed()) {
        row["streamed"] = true;
        row["samples"] = int64_t(input.getSamples().value_or(0));
        row["ahead"] = input.getAhead() ? int64_t(*input.getAhead()) : -1;
      }
      setText(row, "unit", input.getUnit());
      setText(row, "doc", input.getDoc());
      if (auto columns = input->getAttrOfType<ArrayAttr>("columns"))
        row["columns"] = strings(columns);
      inputRows.push_back(std::move(row));
    } else if (auto mesh = dyn_cast<MeshOp>(op)) {
      for (auto [axis, extent] :
           llvm::zip(mesh.getAxes().getAsValueRange<StringAttr>(),
                     mesh.getExtents())) {
        axes.push_back(axis);
        meshRows.push_back(json::Object{{"axis", axis}, {"extent", extent}});
      }
    } else if (auto plan = dyn_cast<PlanOp>(op)) {
      auto callers = plan->getAttrOfType<ArrayAttr>("caller");
      for (auto [type, start, end] :
           llvm::zip(plan.getTypes().getAsValueRange<TypeAttr>(),
                     plan.getStarts(), plan.getEnds())) {
        auto buffer = cast<BufferType>(type);
        json::Object row{{"element", elementName(buffer.getElementType())},
                         {"dims", describeDims(buffer.getDims())},
                         {"start", start},
                         {"end", end}};
        if (callers && bufferRows.size() < callers.size()) {
          auto [kind, name] = cast<StringAttr>(callers[bufferRows.size()])
                                  .getValue()
                                  .split(' ');
          if (!kind.empty())
            row[kind] = name.str();
        }
        bufferRows.push_back(std::move(row));
      }
    }
  }
  module.walk([&](OutputOp op) {
    if (!outputs.insert({op.getName(), op}).second)
      return;
    auto field = dyn_cast<GridType>(op.getValues()[0].getType());
    json::Object row{{"name", op.getName()},
                     {"kind", field ? "field" : "scalars"},
                     {"flatten", op.getFlatten()}};
    if (field) {
      row["dims"] = describeDims(field.getDims());
      if (isa<ComplexType>(field.getElementType()))
        row["element"] = elementName(field.getElementType());
      json::Array parts;
      for (Value value : op.getValues()) {
        auto part = cast<GridType>(value.getType());
        parts.push_back(
            json::Object{{"element", elementName(part.getElementType())},
                         {"dims", describeDims(part.getDims())}});
      }
      row["parts"] = std::move(parts);
    } else {
      row["count"] = int64_t(op.getValues().size());
    }
    setText(row, "unit", op.getUnit());
    if (auto element = op->getAttrOfType<StringAttr>("element"))
      row["element"] = element.getValue().str();
    if (op.getColumns())
      row["columns"] = strings(*op.getColumns());
    if (auto loops = op->getAttrOfType<IntegerAttr>("loops"))
      row["loops"] = loops.getInt();
    outputRows.push_back(std::move(row));
  });
  module.walk([&](PlotOp op) {
    if (!plots.insert({op.getName(), op}).second)
      return;
    json::Object row{{"name", op.getName()},
                     {"scale", op.getLog() ? "log" : "linear"}};
    if (auto loops = op->getAttrOfType<IntegerAttr>("loops"))
      row["loops"] = loops.getInt();
    if (auto figure = op->getAttrOfType<DictionaryAttr>("figure"))
      for (NamedAttribute said : figure) {
        StringRef key = said.getName().getValue();
        if (auto list = dyn_cast<ArrayAttr>(said.getValue()))
          row[key] = strings(list);
        else
          row[key] = cast<StringAttr>(said.getValue()).getValue();
      }
    plotRows.push_back(std::move(row));
  });
}

json::Array ProgramTables::describeDims(ArrayRef<DimAttr> list) {
  json::Array indices;
  for (DimAttr one : list)
    indices.push_back(dim(one));
  return indices;
}

int32_t ProgramTables::axis(StringRef name) const {
  const auto *found = llvm::find(axes, name);
  return found == axes.end() ? -1 : int32_t(found - axes.begin());
}

void ProgramTables::addTransform(BufferType in, BufferType out, uint32_t mask,
                                 bool inPlace, bool backward) {
  if (transforms.insert({in, out, mask, uint32_t(inPlace) | backward << 1}))
    transformRows.push_back(
        json::Object{{"from", elementName(in.getElementType())},
                     {"to", elementName(out.getElementType())},
                     {"in", describeDims(in.getDims())},
                     {"out", describeDims(out.getDims())},
                     {"mask", mask},
                     {"in_place", inPlace},
                     {"backward", backward}});
}

void ProgramTables::addCheckpointStore(Location loc, TypeRange types,
                                       json::Value slots) {
  json::Array fields;
  for (Type type : types)
    if (auto grid = dyn_cast<GridType>(type))
      fields.push_back(
          json::Object{{"element", elementName(grid.getElementType())},
                       {"dims", describeDims(grid.getDims())}});
  json::Object row{{"numbers", int64_t(types.size() - fields.size())},
                   {"location", location(loc)}};
  row["fields"] = std::move(fields);
  if (slots.kind() != json::Value::Null)
    row["slots"] = std::move(slots);
  storeRows.push_back(std::move(row));
}

json::Object ProgramTables::describeGrid(GridType grid) {
  return json::Object{{"element", elementName(grid.getElementType())},
                      {"dims", describeDims(grid.getDims())}};
}

void ProgramTables::addHalo(BufferType mesh) {
  if (halos.insert(mesh))
    haloRows.push_back(describeGrid(cast<GridType>(Type(mesh))));
}

static void addOnce(json::Array &rows, json::Value row) {
  if (!llvm::is_contained(rows, row))
    rows.push_back(std::move(row));
}

void ProgramTables::addMatrices(int32_t kind, int32_t flags, int64_t batch,
                                ValueRange in, ValueRange out) {
  auto describeAll = [&](ValueRange buffers) {
    json::Array list;
    for (Value buffer : buffers)
      list.push_back(describeGrid(cast<GridType>(buffer.getType())));
    return list;
  };
  addOnce(matrixRows, json::Object{{"kind", kind},
                                   {"flags", flags},
                                   {"batch", batch},
                                   {"in", describeAll(in)},
                                   {"out", describeAll(out)}});
}

void ProgramTables::addContraction(GridType a, GridType b, GridType c) {
  contracts = true;
  addOnce(contractionRows, json::Object{{"a", describeGrid(a)},
                                        {"b", describeGrid(b)},
                                        {"c", describeGrid(c)}});
}

void ProgramTables::addConvolution(GridType field, GridType weights,
                                   GridType result, ArrayRef<int64_t> plan) {
  addOnce(convolutionRows, json::Object{{"a", describeGrid(field)},
                                        {"b", describeGrid(weights)},
                                        {"c", describeGrid(result)},
                                        {"plan", json::Array(plan)}});
}

void ProgramTables::addPaint(ArrayRef<DimAttr> particles,
                             ArrayRef<DimAttr> mesh, bool lattice,
                             bool cellBlocks) {
  json::Object described{{"particles", describeDims(particles)},
                         {"mesh", describeDims(mesh)},
                         {"lattice", lattice}};
  if (cellBlocks)
    described["cell_blocks"] = true;
  json::Value row = std::move(described);
  if (!llvm::is_contained(paintRows, row))
    paintRows.push_back(std::move(row));
}

int32_t ProgramTables::location(Location loc) {
  LocationAttr place = findPlace(loc);
  if (!place)
    return -1;
  return locations.insert({place, int32_t(locations.size())}).first->second;
}

json::Value ProgramTables::describe() {
  json::Array dimRows, locationRows, checkpoints;
  if (auto names = module->getAttrOfType<ArrayAttr>(checkpointsAttr))
    checkpoints = strings(names);
  // Those of a spec (frontend), for files of its fields.
  auto lengths = module->getAttrOfType<DictionaryAttr>("pm.lengths");
  for (auto [dim, index] : dims) {
    json::Object row{{"name", dim.getLabel()},
                     {"extent", dim.getExtent()},
                     {"refine", std::max<int64_t>(dim.getRefine(), 1)},
                     {"kind", stringifyDimKind(dim.getKind())}};
    if (lengths)
      if (auto unit = lengths.getAs<StringAttr>(dim.getName()))
        row["length"] = unit.getValue().str();
    if (!dim.isSpace())
      row["of"] = dim.withKind(DimKind::Space).getLabel();
    json::Array axes;
    for (StringAttr axis : dim.getAxes())
      axes.push_back(axis.getValue().str());
    if (!axes.empty())
      row["axes"] = std::move(axes);
    dimRows.push_back(std::move(row));
  }
  for (auto [line, index] : locations)
    locationRows.push_back(toText(cast<LocationAttr>(line)));
  json::Array reductionRows;
  for (auto [items, rows, width] : reductions)
    reductionRows.push_back(
        json::Object{{items > 0 ? "items" : "rows", items > 0 ? items : rows},
                     {"width", width}});
  return json::Object{{"params", json::Array(paramRows)},
                      {"inputs", json::Array(inputRows)},
                      {"outputs", json::Array(outputRows)},
                      {"plots", json::Array(plotRows)},
                      {"mesh", json::Array(meshRows)},
                      {"buffers", json::Array(bufferRows)},
                      {"transforms", json::Array(transformRows)},
                      {"checkpoint_stores", json::Array(storeRows)},
                      {"halos", json::Array(haloRows)},
                      {"paints", json::Array(paintRows)},
                      {"loops", json::Array(loopRows)},
                      {"exchanges", json::Array(exchangeRows)},
                      {"matrices", json::Array(matrixRows)},
                      {"contractions", json::Array(contractionRows)},
                      {"convolutions", json::Array(convolutionRows)},
                      {"table_rows", tableRows},
                      {"sums", widestSums},
                      {"reductions", std::move(reductionRows)},
                      {"contracts", contracts},
                      {"checkpoints", std::move(checkpoints)},
                      {"deterministic", pm::isDeterministic(module)},
                      {"dims", std::move(dimRows)},
                      {"locations", std::move(locationRows)}};
}

void ProgramTables::attachTo(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << describe();
  module->setAttr(descriptorAttribute,
                  StringAttr::get(module.getContext(), text));
}
