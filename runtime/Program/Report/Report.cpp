//===- Report.cpp - The plan before a run, the record after it ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Report/Report.h"

#include "runtime/Program/Footprint.h"
#include "runtime/Program/Report/LossPicture.h"

#include "runtime/Base/Reduce.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Checkpoints/CheckpointStore.h"
#include "runtime/Core/Checkpoints/StepBound.h"
#include "runtime/FFT/Plans.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Inputs/Samples.h"
#include "runtime/Program/Flags/Targets.h"
#include "runtime/Program/HaloCost.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unistd.h>

using namespace pmrt;
using Json = nlohmann::ordered_json;

/// "device: NVIDIA H200 (sm_90, 139.7 GiB), CUDA 13.0, cuFFT 12.0.0".
static std::string deviceLine(const Context &context) {
  if (!context.deviceProblem.empty())
    return fmt::format(
        "device: none; the program cannot run on this machine: {}\n",
        context.deviceProblem);
  if (!context.gpu())
    return "";
  const DeviceFacts &facts = context.device->facts();
  return fmt::format("device: {} ({}, {}), {}, {}\n", facts.name,
                     facts.architecture, bytesText(double(facts.memory)),
                     facts.driver, facts.fft);
}

static Json deviceRecord(const Context &context) {
  if (!context.gpu())
    return nullptr;
  const DeviceFacts &facts = context.device->facts();
  return {{"name", facts.name},     {"architecture", facts.architecture},
          {"number", facts.number}, {"memory_bytes", facts.memory},
          {"driver", facts.driver}, {"fft", facts.fft}};
}

static std::string meshLine(const Mesh &mesh) {
  std::vector<std::string> items;
  for (const Axis &axis : mesh.axes())
    items.push_back(fmt::format("{}={}", axis.name, axis.extent));
  return fmt::format("{}{}{} rank{}", fmt::join(items, ","),
                     items.empty() ? "" : ", ", mesh.ranks(),
                     mesh.ranks() == 1 ? "" : "s");
}

/// "x = 128 over row,col: 16 cells a rank".
static std::string layoutText(const Context &context) {
  std::string out = "layout:\n";
  for (const Dim &dim : context.program.dims) {
    const int64_t parts = context.mesh.parts(dim), cells = dim.stored();
    out += fmt::format("  {} = {}", dim.name, cells);
    if (!dim.axes.empty())
      out += fmt::format(" over {}", fmt::join(dim.axes, ","));
    if (parts > 1)
      out += fmt::format(
          ", {}{} a rank", cells / parts,
          cells % parts ? fmt::format(" or {}", cells / parts + 1) : "");
    out += "\n";
  }
  return out;
}

/// The bytes that calls of the runtime allocate for tables and sums.
static double bytesAside(const Context &context) {
  const Descriptor &program = context.program;
  const auto numbers = double(sizeof(double));
  double bytes = 2 * numbers * double(program.tableRows);
  if (program.sums > 0)
    bytes += numbers * double(program.sums) *
             double(reductionChunks(std::numeric_limits<int64_t>::max(),
                                    program.sums));
  return bytes;
}

/// Besides what a dry run does, too: plans of transforms, records, the report.
/// Measured on programs with few fields (test/bench).
static constexpr double ownHeap = 1.25 * 1024 * 1024;

/// What is known of the most memory that the process will have: besides the
/// fields what is borrowed or taken aside, and the program with its libraries,
/// as it is now.
static std::string peakLine(Context &context, const MemoryNeeds &most) {
  if (!context.deviceProblem.empty())
    return "";
  const ExchangeMemory exchange =
      most.exchanges.empty() ? ExchangeMemory() : most.exchanges.front();
  double bytes = double(most.fields) + double(most.transforms) +
                 double(most.likely) + double(exchange.halos) +
                 double(exchange.messages);
  bool known = true;
  for (const CheckpointStorePlan &store : planCheckpointStores(context)) {
    bytes += store.bytes();
    known = known && store.slots;
  }
  if (context.gpu())
    return fmt::format("  {}{} at the peak on the GPU{}, besides the driver's "
                       "own memory\n",
                       known ? "" : "at least ",
                       bytesText(bytes + double(most.gpu.total())),
                       context.alone() ? "" : " of the rank with the most");
  // What was taken aside is gone when all outputs get their checksums.
  const Footprint footprint = measureFootprint(context);
  const double aside = bytesAside(context) + double(exchange.rows);
  const bool atEnd = double(footprint.atEnd - footprint.computing) > aside;
  bytes += atEnd ? 0 : aside;
  const double process =
      double(atEnd ? footprint.atEnd : footprint.computing) + ownHeap;
  return fmt::format("  {}{} at the peak{}, {} of it for the program and its "
                     "libraries\n",
                     known ? "" : "at least ", bytesText(bytes + process),
                     context.alone() ? "" : " on the rank with the most",
                     bytesText(process));
}

/// A table of the memory of halos and messages by the distance that particles
/// move.
static std::string exchangeText(const std::vector<ExchangeMemory> &all) {
  if (all.size() < 2)
    return "";
  const ExchangeMemory &least = all.front();
  std::string out = fmt::format(
      "memory of all halos and messages at one time, by the same width:\n"
      "  {:>10} {:>12} {:>12} {:>26}\n",
      "width", "halos", "messages", "added to the peak above");
  for (const ExchangeMemory &one : all)
    out += fmt::format("  {:>10} {:>12} {:>12} {:>26}\n", one.distance,
                       bytesText(double(one.halos)),
                       bytesText(double(one.messages)),
                       bytesText(double(one.halos + one.messages - least.halos -
                                        least.messages)));
  return out;
}

static std::string memoryText(Context &context, const MemoryNeeds &most) {
  const Placement &plan = context.placement();
  const std::vector<int64_t> bytes = context.bufferBytes();
  std::string out = fmt::format(
      "memory: {} for fields (at least {} live at one time), limit {}\n",
      bytesText(double(plan.total)), bytesText(double(plan.lowerBound)),
      context.deviceProblem.empty() || context.settings.memoryLimit
          ? bytesText(double(context.memoryLimit()))
          : "not known");
  if (!context.alone())
    out += fmt::format(
        "  these figures are for the first rank; the rank with the most has {} "
        "of fields\n",
        bytesText(double(most.fields)));
  if (most.transforms > 0)
    out += fmt::format("  {} for transposes of FFTs, on the rank with the "
                       "most\n",
                       bytesText(double(most.transforms)));
  if (most.sorting > 0)
    out += fmt::format(
        "  {} to sort particles{}{}\n", bytesText(double(most.sorting)),
        context.alone() ? "" : ", on the rank with the most",
        most.likely < most.sorting ? ", if they are far from their lattice"
                                   : "");
  for (const CheckpointStorePlan &store : planCheckpointStores(context)) {
    const std::string where = context.location(store.location);
    out += fmt::format("  {} for {} states of {} each that a loop{}{} keeps\n",
                       store.slots ? bytesText(store.bytes()) : "?",
                       store.slots ? std::to_string(*store.slots)
                                   : "an unknown number of",
                       bytesText(double(store.stateBytes)),
                       where.empty() ? "" : " at ", where);
  }
  for (const auto &[size, what] :
       {std::pair{most.gpu.transforms, "FFTs"},
        std::pair{most.gpu.reductions, "reductions"},
        std::pair{most.gpu.tables, "tables"},
        std::pair{most.gpu.contractions, "contractions"},
        std::pair{most.gpu.convolutions, "convolutions, which cuBLAS computes"},
        std::pair{most.gpu.matrices, "matrices"},
        std::pair{most.gpu.blas, "cuBLAS"}})
    if (size > 0)
      out += fmt::format("  {} for workspaces of {}\n", bytesText(double(size)),
                         what);
  if (!most.exchanges.empty()) {
    const ExchangeMemory &least = most.exchanges.front();
    const char *const where =
        most.exchanges.size() > 1 ? ", if particles stay with their rank" : "";
    if (least.halos > 0)
      out += fmt::format("  {} for halos{}\n", bytesText(double(least.halos)),
                         where);
    if (least.messages > 0)
      out += fmt::format("  {} for messages{}\n",
                         bytesText(double(least.messages)), where);
  }
  out += peakLine(context, most);
  if (bytes.empty())
    return out;
  std::vector<size_t> order(bytes.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return plan.offsets[a] < plan.offsets[b];
  });
  out += fmt::format("  {:>14} {:>10} {:>13}  {:<6} {}\n", "offset", "size",
                     "live", "type", "buffer");
  for (size_t i : order) {
    const Buffer &buffer = context.program.buffers[i];
    std::vector<int64_t> extents;
    for (int32_t dim : buffer.dims)
      extents.push_back(context.shards[size_t(dim)].extent);
    out += fmt::format("  {:>14} {:>10} {:>13}  {:<6} {} {}\n", plan.offsets[i],
                       bytesText(double(bytes[i])),
                       fmt::format("{}..{}", buffer.start, buffer.end),
                       elementName(buffer.element),
                       buffer.name.empty() ? "-" : buffer.name,
                       shapeText(extents));
  }
  return out;
}

std::string pmrt::timeText(Context &context) {
  std::string out;
  if (context.gpu() || !context.deviceProblem.empty())
    return out;
  for (const LoopMoves &loop : context.program.loops) {
    const StepBound bound = boundStep(context, loop);
    if (bound.seconds <= 0)
      continue;
    const auto steps = loop.steps && !context.settings.resume
                           ? evaluate(context, *loop.steps)
                           : std::nullopt;
    out += fmt::format(
        "time: a step of the loop at {} {}{}\n",
        context.location(loop.location), bound.text(),
        steps ? fmt::format("; {} for {} steps",
                            secondsText(bound.seconds * double(*steps)), *steps)
              : "");
  }
  return out;
}

std::string pmrt::planText(Context &context,
                           const std::vector<std::string> &inputs,
                           const MemoryNeeds &most) {
  const Descriptor &program = context.program;
  std::string out =
      fmt::format("{}: nothing is computed, this is the plan\n", program.name);
  const bool alone = context.alone();
  out += fmt::format("mesh: {}; {} thread{}{}; transport {}\n",
                     meshLine(context.mesh), context.threads.count(),
                     context.threads.count() == 1 ? "" : "s",
                     alone ? "" : " a rank", context.transport->name());
  out += deviceLine(context);
  if (!alone)
    out += layoutText(context);
  if (!program.params.empty())
    out += "parameters:\n";
  for (size_t i = 0; i < program.params.size(); ++i) {
    const Parameter &param = program.params[i];
    const LaunchValue &launch = context.params[i];
    const bool set = launch.given || param.initial;
    out += fmt::format("  {} = {}{}{} ({})\n", param.name,
                       set ? valueText(param, launch.value) : "not given",
                       param.unit.empty() || !set ? "" : " ",
                       set ? param.unit : "",
                       launch.given ? "flag"
                       : set        ? "default"
                                    : "optional");
  }
  if (!inputs.empty())
    out += "inputs:\n";
  for (const std::string &line : inputs)
    out += "  " + line + "\n";
  if (!program.outputs.empty() || !program.plots.empty()) {
    std::vector<std::string> names;
    for (const Output &output : program.outputs) {
      const Format &format = formatOf(context.settings, output.name);
      const std::string stem = output.name + iterationsMark(output.loops);
      if (format.inPieces(context))
        names.push_back(format.fileOf(stem, true));
      else
        std::ranges::copy(format.outputFiles(program, output, stem),
                          std::back_inserter(names));
    }
    if (context.settings.plots != PlotFormat::None)
      for (const Plot &plot : program.plots)
        if (plot.panel == 0)
          names.push_back(pictureFile(plot.figure + iterationsMark(plot.loops),
                                      context.settings.plots));
    names.push_back("run.json");
    names.push_back("report.html");
    const int64_t free = freeSpace(context.settings.out);
    out += fmt::format("outputs in {}: {} (at least {}, {} free on the "
                       "disk)\n",
                       context.settings.out, fmt::join(names, ", "),
                       bytesText(double(leastOutputBytes(context))),
                       free < 0 ? "?" : bytesText(double(free)));
  }
  out += memoryText(context, most);
  out += haloText(context);
  out += exchangeText(most.exchanges);
  if (context.gpu() || !context.deviceProblem.empty())
    return out;
  out +=
      fmt::format("FFT plans: {}\n",
                  context.device->ffts().forecast(program.precision == "f32"));
  return out;
}

/// How well loops were reversed: the worst errors of the run.
static Json reversalRecord(const Context &context) {
  Json loops = Json::array();
  for (const Reversal &reversal : context.reversals) {
    Json errors = Json::object();
    for (size_t i = 0; i < reversal.names().size(); ++i)
      errors[reversal.names()[i]] = reversal.errors()[i];
    loops.push_back(
        {{"where", context.location(reversal.location())}, {"errors", errors}});
  }
  return loops;
}

/// How often samples were read, and how often that had begun before.
static Json streamRecord(const Context &context) {
  Json streams = Json::object();
  for (const auto &[index, stream] : context.streams)
    streams[stream->name()] = {{"samples", stream->set().count()},
                               {"reads", stream->reads()},
                               {"ahead", stream->foreseen()}};
  return streams;
}

std::string pmrt::runRecord(Context &context, const std::string &status,
                            const std::string &error, double seconds) {
  const Descriptor &program = context.program;
  Json record;
  record["program"] = program.name;
  record["status"] = status;
  if (!error.empty())
    record["error"] = error;
  record["source_hash"] = program.sourceHash;
  record["compiler_version"] = program.compilerVersion;
  record["target"] = program.target;
  record["precision"] = program.precision;
  Json params = Json::object();
  for (size_t i = 0; i < program.params.size(); ++i) {
    const Parameter &param = program.params[i];
    const LaunchValue &launch = context.params[i];
    Json value;
    if (launch.given || param.initial) {
      switch (param.type) {
      case ParamType::F64:
        value = launch.value.real;
        break;
      case ParamType::Int:
        value = launch.value.bits;
        break;
      case ParamType::U64:
        value = uint64_t(launch.value.bits);
        break;
      case ParamType::Bool:
        value = launch.value.bits != 0;
        break;
      }
    }
    Json entry = {{"value", value},
                  {"origin", launch.given    ? "flag"
                             : param.initial ? "default"
                                             : "not given"}};
    if (!param.unit.empty())
      entry["unit"] = param.unit;
    params[param.name] = entry;
  }
  record["params"] = params;
  Json inputs = Json::object();
  for (size_t i = 0; i < program.inputs.size(); ++i)
    inputs[program.inputs[i].name] =
        context.inputFiles[i].empty() ? Json() : Json(context.inputFiles[i]);
  record["inputs"] = inputs;
  if (!context.conversions.empty())
    record["conversions"] = context.conversions;
  Json outputs = Json::array();
  for (const std::string &path : context.written)
    outputs.push_back(std::filesystem::path(path).filename().string());
  record["outputs"] = outputs;
  Json checksums = Json::object();
  for (const auto &[path, digits] : context.checksums)
    checksums[std::filesystem::path(path).filename().string()] = digits;
  record["outputs_sha256"] = checksums;
  Json verified = Json::object();
  for (const auto &[path, digits] : context.verified)
    verified[path] = digits;
  record["inputs_sha256"] = verified;
  if (!context.losses.empty()) {
    Json losses = Json::object();
    for (const auto &[name, all] : context.losses)
      losses[name] = thinnedLosses(all);
    record["losses"] = losses;
  }
  Json mesh = Json::object();
  for (const Axis &axis : context.mesh.axes())
    mesh[axis.name] = axis.extent;
  record["mesh"] = mesh;
  record["ranks"] = context.mesh.ranks();
  record["transport"] = context.transport->name();
  record["threads"] = context.threads.count();
  record["device"] = deviceRecord(context);
  record["plan"] = rigorText(context.settings.plan);
  const std::string plans = context.device->ffts().hash();
  record["wisdom_hash"] = plans.empty() ? Json() : Json(plans);
  record["reversals"] = reversalRecord(context);
  if (!context.streams.empty())
    record["streams"] = streamRecord(context);
  record["versions"] = {{"runtime", PMRT_VERSION},
                        {"abi", PMRT_ABI_VERSION},
                        {"fft", context.device->ffts().method()}};
  if (context.convolutionsByBlas + context.convolutionsByKernel > 0)
    record["convolutions"] = {{"cublas", context.convolutionsByBlas},
                              {"kernel", context.convolutionsByKernel}};
  Json timing = {{"seconds", seconds}};
  timing[status == "running" ? "started" : "finished"] = utcNow();
  record["timing"] = timing;
  record["memory"] = {{"fields_bytes", context.placement().total},
                      {"borrowed_bytes", context.borrowedBytes()},
                      {"halo_cells", context.widestHalo},
                      {"device_bytes", context.device->mostAllocatedBytes()},
                      {"peak_resident_bytes", peakResident()}};
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  record["host"] = host;
  record["process"] = int64_t(getpid());
  return record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
