//===- Session.cpp - Runs of a program within a process -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Embed/Session.h"

#include "runtime/CUDA/Program.h"
#include "runtime/Comm/Processes/Launcher.h"
#include "runtime/Comm/Processes/Processes.h"
#include "runtime/FFT/Fftw.h"
#include "runtime/IO/Outputs/Attributes.h"
#include "runtime/Program/Flags/Values.h"
#include "runtime/Program/Ranks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <dlfcn.h>
#include <limits>
#include <utility>

using namespace pmrt;

//===----------------------------------------------------------------------===//
// ErrorRecord
//===----------------------------------------------------------------------===//

Error pmrt::currentError() {
  try {
    throw;
  } catch (const Error &e) {
    return e;
  } catch (const std::bad_alloc &) {
    return Error(Exit::Failure, "", "[PM9009] out of memory");
  } catch (const std::exception &e) {
    return Error(Exit::Failure, "", e.what());
  } catch (...) {
    return Error(Exit::Failure, "", "internal error: unknown exception");
  }
}

ErrorRecord::ErrorRecord(const Error &error, int rank) : kept(error) {
  for (const Error::Note &note : kept.notes())
    notes.push_back({note.location.c_str(), note.message.c_str()});
  record = {int32_t(kept.exit()),  rank,        kept.location().c_str(),
            kept.what(),           kept.step(), kept.steps(),
            int32_t(notes.size()), notes.data()};
}

//===----------------------------------------------------------------------===//
// Library
//===----------------------------------------------------------------------===//

static const pmrt_program &checked(const pmrt_program *program) {
  checkVersion(*program);
  return *program;
}

static DeviceKind devicesOf(const Descriptor &program,
                            const pmrt_device_code *code) {
  if (program.target != "cuda")
    return {};
  if (!code)
    throw usageError(
        "[PM9108] {} is a program for GPUs, but its kernels are missing; "
        "compile it with pmc --emit=shared",
        program.name);
  return cuda::devicesFor(*code);
}

Library::Library(const pmrt_program &program, const pmrt_device_code *code,
                 Handle handle)
    : handle(std::move(handle)), program(checked(&program)),
      descriptor(Descriptor::parse(program.descriptor)),
      outputs(outputArrays(descriptor)),
      signature(signatureText(descriptor, outputs)),
      devices(devicesOf(descriptor, code)) {}

Library::Handle Library::open(const char *path) {
  Handle handle(dlopen(path, RTLD_NOW | RTLD_LOCAL), dlclose);
  if (!handle)
    throw usageError("{}", dlerror());
  if (!dlsym(handle.get(), "pmc_program"))
    throw usageError(
        "[PM9108] {} has no program that can be embedded; compile it with "
        "pmc --emit=shared",
        path);
  return handle;
}

Library::Library(Handle handle)
    : Library(*static_cast<const pmrt_program *>(
                  dlsym(handle.get(), "pmc_program")),
              static_cast<const pmrt_device_code *>(
                  dlsym(handle.get(), "pmc.device_code")),
              std::move(handle)) {}

//===----------------------------------------------------------------------===//
// Session
//===----------------------------------------------------------------------===//

/// Hands the run's text to the callbacks, one at a time.
class Session::Sink : public MessageSink {
public:
  explicit Sink(Session &session) : session(session) {}

  std::string print(const std::string &text) override {
    call(session.callbacks.print, text);
    return "";
  }
  void message(const std::string &text) override {
    call(session.callbacks.message, text);
  }

private:
  void call(void (*callback)(void *, const char *), const std::string &text) {
    if (!callback)
      return;
    const std::lock_guard guard(session.calling);
    callback(session.callbacks.user, text.c_str());
  }

  Session &session;
};

static PlanRigor parsePlan(const std::string &text) {
  for (const PlanRigor rigor : {PlanRigor::Estimate, PlanRigor::Measure,
                                PlanRigor::Patient, PlanRigor::Fixed})
    if (text == rigorText(rigor))
      return rigor;
  throw usageError("[PM9108] option plan: '{}' is not one of estimate, "
                   "measure, patient, fixed",
                   text);
}

static PlotFormat parsePlots(const std::string &text) {
  for (const auto &[name, format] : {std::pair("none", PlotFormat::None),
                                     {"png", PlotFormat::Png},
                                     {"svg", PlotFormat::Svg},
                                     {"pdf", PlotFormat::Pdf}})
    if (text == name)
      return format;
  throw usageError(
      "[PM9108] option plots: '{}' is not one of none, png, svg, pdf", text);
}

static const void *parseAddress(const std::string &text) {
  uintptr_t address = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), address);
  if (error != std::errc() || end != text.data() + text.size() || address == 0)
    throw usageError(
        "[PM9108] option comm: '{}' is not the address of an MPI_Comm", text);
  return reinterpret_cast<const void *>(address);
}

static void applyOption(const Descriptor &program, const std::string &option,
                        Launch &launch, const void *&comm) {
  const size_t equals = option.find('=');
  const std::string name = option.substr(0, equals);
  const std::string value =
      equals == std::string::npos ? "" : option.substr(equals + 1);
  if (value.empty())
    throw usageError("[PM9108] option '{}' is not NAME=VALUE", option);
  Settings &settings = launch.settings;
  if (name == "threads")
    settings.threads =
        int(std::min<int64_t>(4096, parseCount("threads", value, 1)));
  else if (name == "mesh")
    launch.mesh = parseMesh(launch.mesh, value);
  else if (name == "plan")
    settings.plan = parsePlan(value);
  else if (name == "memory-limit")
    settings.memoryLimit = parseBytes("memory-limit", value);
  else if (name == "time-limit")
    settings.timeLimit = parseDuration("time-limit", value);
  else if (name == "plots")
    settings.plots = parsePlots(value);
  else if (name == "comm")
    comm = parseAddress(value);
  else if (name == "device" && program.target == "cuda")
    settings.firstDevice =
        int(std::min<int64_t>(4096, parseCount("device", value, 0)));
  else
    throw usageError("[PM9108] option '{}' is not one of threads, mesh, plan, "
                     "memory-limit, time-limit, plots, comm{}",
                     name, program.target == "cuda" ? ", device" : "");
  if (program.deterministic && settings.plan != PlanRigor::Fixed)
    throw usageError("[PM9108] option plan: the program was compiled with "
                     "--deterministic, which is plan=fixed");
}

static LaunchValue defaultOf(const Parameter &param) {
  LaunchValue value;
  if (param.initial)
    value.value = *param.initial;
  else // NaN shows up if the program does not ask whether it is given
    value.value.real = std::numeric_limits<double>::quiet_NaN();
  return value;
}

Session::Session(Library &library, const std::vector<std::string> &options)
    : library(library), arrays(library.descriptor, library.outputs),
      sink(std::make_unique<Sink>(*this)) {
  const Descriptor &program = library.descriptor;
  Settings &settings = launch.settings;
  settings.plots = PlotFormat::None;
  settings.progress = ProgressMode::Never;
  if (program.deterministic)
    settings.plan = PlanRigor::Fixed;
  arrays.whenDrawn = [this](const std::string &name, const std::string &file) {
    if (!callbacks.figure)
      return;
    const std::lock_guard guard(calling);
    callbacks.figure(callbacks.user, name.c_str(), file.data(),
                     int64_t(file.size()));
  };
  launch.mesh = program.mesh;
  launch.files.resize(program.inputs.size());
  for (const Parameter &param : program.params)
    launch.params.push_back(defaultOf(param));
  for (const std::string &option : options)
    applyOption(program, option, launch, comm);
  const int64_t count = Mesh(launch.mesh, 0).ranks();
  settings.transport = comm ? "mpi" : count > 1 ? "threads" : "self";
  Launcher launcher;
  launcher.size = comm ? int(count) : 0;
  (void)chooseTransport(program, launch, launcher); // checks the mesh
  if (comm) {
    attachRank();
    arrays.holdParts(Mesh(launch.mesh, ranks[0].transport->rank()));
  }
}

size_t Session::rankCount() const {
  return size_t(Mesh(launch.mesh, 0).ranks());
}

void Session::holdParts() {
  for (size_t rank = 0; rank < rankCount(); ++rank)
    parts.emplace_back(library.descriptor, library.outputs)
        .holdParts(Mesh(launch.mesh, int64_t(rank)));
}

void Session::attachRank() {
  std::shared_ptr<Transport> transport = attachMpiTransport(comm);
  const int64_t count = Mesh(launch.mesh, 0).ranks();
  if (transport->size() != count)
    throw usageError(
        "[PM9108] the mesh {} has {} ranks, but the communicator has {}",
        meshText(launch.mesh), count, transport->size());
  ranks.emplace_back().transport = std::move(transport);
}

std::shared_ptr<void> Session::keepThread() const {
  return library.devices.keepThread ? library.devices.keepThread() : nullptr;
}

void Session::dropRanks() {
  std::shared_ptr<void> kept;
  try {
    kept = keepThread();
  } catch (const Error &) {
    kept = nullptr; // no rank has got a device
  }
  for (Rank &rank : ranks)
    // A kernel that does not end never frees its memory.
    if (rank.context && rank.context->device->isStuck())
      (void)rank.context->device.release();
  ranks.clear();
  hub.reset();
}

Session::~Session() {
  const InterruptScope scope(requests);
  dropRanks();
}

const Parameter &Session::paramAt(int32_t param) const {
  const auto &params = library.descriptor.params;
  if (param < 0 || size_t(param) >= params.size())
    throw usageError("[PM9108] the program has no parameter {}, only {}", param,
                     params.size());
  return params[size_t(param)];
}

void Session::setReal(int32_t index, double value) {
  const Parameter &param = paramAt(index);
  if (param.type != ParamType::F64)
    throw usageError("[PM9108] {}: has type {}, found a value of type f64",
                     param.name, typeName(param.type));
  const ParamValue set{value, 0};
  if (!std::isfinite(value) || !inRange(param, set))
    checkParam(param, set, param.name, fmt::format("{}", value)); // throws
  launch.params[size_t(index)] = {set, true};
}

void Session::setBits(int32_t index, int64_t value) {
  const Parameter &param = paramAt(index);
  if (param.type == ParamType::F64)
    throw usageError("[PM9108] {}: has type f64, found an integer", param.name);
  ParamValue set;
  set.bits = value;
  set.real =
      param.type == ParamType::U64 ? double(uint64_t(value)) : double(value);
  if (param.type == ParamType::Bool && value != 0 && value != 1)
    throw usageError("[PM9108] {}: {} is not 0 or 1", param.name, value);
  checkParam(param, set, param.name, valueText(param, set));
  launch.params[size_t(index)] = {set, true};
}

void Session::unset(int32_t index) {
  const Parameter &param = paramAt(index);
  launch.params[size_t(index)] = defaultOf(param);
}

std::vector<Attribute> Session::attributesOf(size_t output) const {
  if (ranks.empty() || !ranks[0].context)
    return {}; // the run has failed
  const pmrt_context &context = *ranks[0].context;
  const OutputArray &array = library.outputs[output];
  Output described = *array.of;
  described.unit = array.unit;
  described.columns = array.columns;
  DimNames dims;
  if (!array.fieldDims.empty())
    dims = dimNamesOf(context, array.fieldDims);
  dims.names = array.dims;
  return outputAttributes(context, described, dims);
}

int64_t Session::plannedBytes() {
  int64_t bytes = 0;
  for (Rank &rank : ranks)
    if (rank.context)
      bytes += rank.context->placement().total;
  return bytes;
}

void Session::openRanks() {
  if (comm)
    return attachRank();
  const int64_t count = Mesh(launch.mesh, 0).ranks();
  if (count > 1)
    hub = std::make_unique<Hub>(int(count));
  for (int rank = 0; rank < count; ++rank)
    ranks.emplace_back().transport =
        hub ? std::shared_ptr<Transport>(hub->connect(rank))
            : std::shared_ptr<Transport>(makeSelfTransport());
}

void Session::tellProgress() {
  const Progress &progress = ranks[0].context->progress;
  const std::vector<Loop> &loops = progress.loops();
  if (!callbacks.progress || loops.empty())
    return;
  const Loop &outer = loops.front();
  const bool isLast = loops.size() == 1 && progress.fraction() >= 1;
  const auto time = std::chrono::steady_clock::now();
  if (time < nextProgress && !isLast)
    return;
  nextProgress = time + std::chrono::milliseconds(100);
  const std::string location = ranks[0].context->location(outer.loc);
  const pmrt_progress told = {location.c_str(), outer.step,
                              std::max<int64_t>(0, outer.count),
                              progress.fraction(), int32_t(loops.size())};
  const std::lock_guard guard(calling);
  callbacks.progress(callbacks.user, &told);
}

void Session::openRank(Rank &rank, const RunStart &start) {
  openContext(rank.context, start, rank.transport,
              {sink.get(), &arraysOf(size_t(rank.transport->rank()))});
  if (rank.transport->rank() == 0)
    rank.context->progress.whenStepped = [this] { tellProgress(); };
  takeDevice(*rank.context, library.devices);
  std::string problem; // of a dry run, which this is not
  (void)planMemory(*rank.context, problem);
}

/// The run on one rank, which a thread of its own works for.
Outcome Session::runRank(Rank &rank, const std::string &problem) {
  const RunStart start{library.program, library.descriptor, launch,
                       library.devices};
  std::shared_ptr<void> kept;
  try {
    kept = keepThread();
    if (rank.context) {
      rank.context->device->enter();
      rank.context->startAgain(launch.params);
    } else {
      openRank(rank, start);
    }
    if (comm) // other processes may lack values that this one has
      rank.context->agree(-1, problem, Exit::Usage);
    return runEntry(*rank.context, library.program.entry,
                    [&] { rank.context->world.barrier(); });
  } catch (...) {
    return failedStart(*rank.transport);
  }
}

/// The parameters and inputs without a value, for a message; or "".
static std::string missingText(const Descriptor &program, const Launch &launch,
                               const SessionArrays &arrays) {
  std::vector<std::string> missing;
  for (size_t i = 0; i < program.params.size(); ++i) {
    const Parameter &param = program.params[i];
    if (!launch.params[i].given && !param.initial && !param.optional)
      missing.push_back(fmt::format("parameter '{}'", param.name));
  }
  for (const std::string &name : arrays.missing())
    missing.push_back(fmt::format("input '{}'", name));
  return missing.empty() ? ""
                         : fmt::format("[PM9108] {} must be given",
                                       fmt::join(missing, ", "));
}

void Session::run() {
  arrays.clear();
  for (SessionArrays &one : parts)
    one.clear();
  failedRank = -1;
  const std::string problem =
      missingText(library.descriptor, launch, arraysOf(0));
  if (!problem.empty() && !comm)
    throw usageError("{}", problem);
  requests.interrupted.store(0, std::memory_order_relaxed);
  requests.askedToStop.store(0, std::memory_order_relaxed);
  requests.nextAsk = {};
  requests.ask = nullptr;
  if (callbacks.ask) {
    requests.asked = this;
    requests.ask = [](void *session) {
      auto &self = *static_cast<Session *>(session);
      return self.callbacks.ask(self.callbacks.user) != 0;
    };
  }
  nextProgress = {};
  const InterruptScope scope(requests, /*starts=*/true);
  if (ranks.empty())
    openRanks();
  std::vector<Outcome> outcomes(ranks.size());
  if (ranks.size() == 1)
    outcomes[0] = runRank(ranks[0], problem);
  else
    runRanks(int(ranks.size()), [&](int rank) {
      // The first rank is the thread that has started the run.
      const InterruptScope own(requests, /*starts=*/rank == 0);
      outcomes[size_t(rank)] = runRank(ranks[size_t(rank)], problem);
    });
  const auto isBad = [](const Outcome &one) { return one.code != Exit::Done; };
  auto bad = std::find_if(outcomes.begin(), outcomes.end(),
                          [&](auto &one) { return isBad(one) && one.reports; });
  if (bad == outcomes.end())
    bad = std::find_if(outcomes.begin(), outcomes.end(), isBad);
  if (bad == outcomes.end())
    return;
  if (!bad->rank.empty())
    failedRank =
        comm ? ranks[0].transport->rank() : int(bad - outcomes.begin());
  // What a failed run has left is of no use to another one.
  if (comm)
    abandoned.push_back(ranks[0].transport);
  dropRanks();
  if (bad->error)
    throw Error(*bad->error);
  throw Error(bad->code, bad->location,
              bad->code == Exit::Interrupted ? "interrupted" : bad->message);
}
