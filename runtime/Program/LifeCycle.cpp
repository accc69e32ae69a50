//===- LifeCycle.cpp - From a program to its outcome ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/LifeCycle.h"

#include "runtime/Base/Interrupts.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Checkpoints/CheckpointStore.h"
#include "runtime/Core/Sorting/SortWorkspace.h"
#include "runtime/FFT/Routes.h"
#include "runtime/IO/Inputs/Inputs.h"
#include "runtime/Program/Failures.h"
#include "runtime/Program/Flags/Values.h"
#include "runtime/Program/Ranks.h"

using namespace pmrt;

void pmrt::checkVersion(const pmrt_program &program) {
  if (program.abi_version != PMRT_ABI_VERSION)
    throw usageError(
        "[PM9010] this program was compiled for runtime ABI {}, the "
        "runtime has {}; compile it again",
        program.abi_version, PMRT_ABI_VERSION);
}

void pmrt::openContext(std::optional<pmrt_context> &context,
                       const RunStart &start,
                       std::shared_ptr<Transport> transport,
                       const Surroundings &surroundings) {
  Settings settings = start.launch.settings;
  if (settings.threads == 0)
    settings.threads = defaultThreads(*transport);
  context.emplace(start.descriptor, settings, start.launch.params,
                  start.launch.files, start.launch.mesh, transport,
                  surroundings);
  if (transport->size() != context->mesh.ranks())
    throw usageError("[PM9004] the mesh {} has {} ranks, but {} were started",
                     meshText(context->mesh.axes()), context->mesh.ranks(),
                     transport->size())
        .everywhere();
}

void pmrt::takeDevice(pmrt_context &context, const DeviceKind &devices) {
  if (!devices.make)
    return;
  std::string problem;
  try {
    context.device = devices.make(context);
    if (context.profile.enabled())
      context.profile.follow(context.device->clock());
  } catch (const std::exception &e) {
    problem = e.what();
  }
  int64_t without = problem.empty() ? 0 : 1;
  context.world.reduce(PMRT_MAX, 1, &without);
  if (without == 0) {
    // Libraries of the transport take memory first. Then all ranks look before
    // one of them takes any.
    context.device->meetRanks();
    context.transport->attach(context);
    context.world.barrier();
    context.device->measureBudget();
    return context.world.barrier();
  }
  if (!context.settings.dryRun)
    return context.agree(-1, problem, Exit::Usage);
  context.device = makeHostDevice(context);
  context.deviceProblem =
      problem.empty() ? "another rank has no device" : problem;
}

/// Reports an error before the run if fields and the workspaces of calls on a
/// GPU exceed the memory limit.
static void checkWorkspaces(Context &context) {
  const int64_t workspaces = context.device->workspaces().total();
  const int64_t all =
      context.placement().total + context.borrowedBytes() + workspaces;
  if (workspaces > 0 && all > context.memoryLimit())
    throw usageError("[PM9009] the calls of this program need {} of memory, {} "
                     "with the fields, more than the {}",
                     bytesText(double(workspaces)), bytesText(double(all)),
                     context.memoryLimitText());
}

/// The memory of halos and messages that a dry run prints, for each distance.
/// Each number is the largest one of all ranks.
static std::vector<ExchangeMemory> exchangeNeeds(Context &context) {
  std::vector<ExchangeMemory> all;
  if (!context.settings.dryRun)
    return all;
  for (const int64_t distance : exchangeDistances(context)) {
    const ExchangeMemory mine = exchangeMemory(context, distance);
    int64_t most[] = {mine.halos, mine.rows, mine.messages};
    context.world.reduce(PMRT_MAX, 3, most);
    all.push_back({distance, most[0], most[1], most[2]});
  }
  return all;
}

MemoryNeeds pmrt::planMemory(pmrt_context &context, std::string &problem) {
  reserveForTransforms(context);
  // A dry run prints the plan of what does not fit, too, and fails then.
  onAll(context, [&] { problem = context.problemOfPlacement(); });
  const auto mustFit = [&](const auto &work) {
    try {
      work();
    } catch (const Error &e) { // on all ranks alike
      if (!context.settings.dryRun)
        throw usageError("{}", e.what()).everywhere();
      if (problem.empty())
        problem = e.what();
    }
  };
  mustFit([&] {
    onAll(context, [&] {
      checkCheckpointStores(context);
      checkReading(context);
    });
  });
  mustFit([&] {
    reserveTransforms(context);
    reserveSortWorkspace(context);
  });
  mustFit([&] {
    onAll(context, [&] {
      planTransforms(context);
      checkWorkspaces(context);
    });
  });
  // Shards may be uneven: what the rank with the most needs.
  int64_t most[] = {context.placement().total,
                    context.routes ? context.routes->workBytes() : 0,
                    context.sortWorkspace.size(), likelySortWorkspace(context)};
  context.world.reduce(PMRT_MAX, 4, most);
  WorkspaceNeeds gpu = context.device->workspaces();
  int64_t sizes[] = {gpu.transforms, gpu.matrices};
  context.world.reduce(PMRT_MAX, 2, sizes);
  gpu.transforms = sizes[0];
  gpu.matrices = sizes[1];
  return {most[0], most[1], most[2], most[3], gpu, exchangeNeeds(context)};
}

static Outcome interrupted(const pmrt_context *context, bool first) {
  Outcome outcome;
  outcome.code = Exit::Interrupted;
  outcome.status = "interrupted";
  outcome.reports = first;
  if (context)
    outcome.location = context->location(context->current);
  return outcome;
}

static Outcome stopped(const Stopped &by) {
  Outcome outcome;
  outcome.code = by.code();
  outcome.status = "failed";
  outcome.message = by.what();
  return outcome;
}

static Outcome failed(Transport &transport, Error error) {
  Outcome outcome;
  outcome.code = error.exit();
  outcome.status = outcome.code == Exit::Suspended ? "suspended" : "failed";
  const bool common = error.isEverywhere() || transport.size() == 1;
  if (!common)
    outcome.rank = fmt::format("rank {}: ", transport.rank());
  outcome.message = outcome.rank + error.what();
  if (!error.location().empty())
    outcome.message = fmt::format("{}: {}", error.location(), outcome.message);
  outcome.reports = common ? transport.rank() == 0
                           : transport.fail(outcome.code, outcome.message);
  outcome.error = std::move(error);
  return outcome;
}

Outcome pmrt::runEntry(pmrt_context &context, void (*entry)(pmrt_context *),
                       const std::function<void()> &finish) {
  const bool first = context.transport->rank() == 0;
  Outcome outcome;
  // The store may contain boxes of a previous run that failed.
  context.sharedBoxes.clear();
  try {
    entry(&context);
    checkInterrupt();
    context.device->wait();
    context.device->poll();
    if (finish)
      finish();
  } catch (const Interrupted &) {
    context.transport->fail(Exit::Interrupted, "interrupted");
    outcome = interrupted(&context, first);
  } catch (const Stopped &e) {
    outcome = e.code() == Exit::Interrupted ? interrupted(&context, first)
                                            : stopped(e);
  } catch (...) {
    outcome = failed(*context.transport, currentError(context));
  }
  context.recorder.end(outcome.code == Exit::Done ? RankLog::Done
                                                  : RankLog::Failed);
  return outcome;
}

Outcome pmrt::failedStart(Transport &transport) {
  try {
    throw;
  } catch (const Stopped &e) {
    return stopped(e);
  } catch (const Interrupted &) {
    transport.fail(Exit::Interrupted, "interrupted");
    return interrupted(nullptr, transport.rank() == 0);
  } catch (const Error &e) {
    return failed(transport, e);
  } catch (const RankLost &e) {
    return failed(transport, Error(Exit::Failure, "", e.what()));
  } catch (const std::exception &e) {
    return failed(transport, Error(Exit::Usage, "", e.what()));
  }
}
