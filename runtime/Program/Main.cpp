//===- Main.cpp - A generated program as a command -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Main.h"
#include "runtime/Base/Files/TemporaryFile.h"
#include "runtime/Base/Signals.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Comm/Processes/Processes.h"
#include "runtime/Comm/Processes/SharedLogs.h"
#include "runtime/Comm/ThreadRanks.h"
#include "runtime/IO/Figures/Animation.h"
#include "runtime/IO/Figures/Plot.h"
#include "runtime/IO/Files/DiskReserve.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Inputs/Checksums.h"
#include "runtime/IO/Inputs/Inputs.h"
#include "runtime/IO/Outputs/Geometries.h"
#include "runtime/IO/States/Checkpoint.h"
#include "runtime/IO/States/FolderLock.h"
#include "runtime/Program/EarlierOutputs.h"
#include "runtime/Program/Failures.h"
#include "runtime/Program/Flags/Help.h"
#include "runtime/Program/Flags/Targets.h"
#include "runtime/Program/Flags/Values.h"
#include "runtime/Program/LifeCycle.h"
#include "runtime/Program/Ranks.h"
#include "runtime/Program/Report/LossPicture.h"
#include "runtime/Program/Report/Report.h"
#include "runtime/Program/Report/ReportPage.h"
#include "runtime/Program/Report/Trace.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace pmrt;

namespace {

/// What all ranks of a process share.
struct Start : RunStart {
  std::string command;
};

} // namespace

static void writeRecord(pmrt_context &context, const std::string &record,
                        const std::string &events, bool done) {
  const std::filesystem::path out(context.settings.out);
  writeWholeFile((out / "run.json").string(), record, context.token);
  // A run that fails leaves its record alone; but what another has left there
  // says nothing of this one.
  const std::filesystem::path page = out / "report.html";
  if (done || std::filesystem::exists(page))
    writeWholeFile(page.string(), reportPage(context, record, events),
                   context.token);
}

namespace {

/// What the first rank keeps in the folder of the outputs while the program
/// runs.
struct Kept {
  std::optional<EarlierOutputs> earlier;
  /// Disk space for the record of a run that has filled the disk.
  std::optional<DiskReserve> reserve;
};

} // namespace

/// The first file that is not there any more.
static std::string lostOutput(const pmrt_context &context) {
  for (const std::string &path : context.written)
    if (!context.checksums.contains(path))
      return fmt::format("{} was removed or replaced while the program ran",
                         path);
  return "";
}

/// A launcher interrupts the others when a process has died: they tell what it
/// did last, one of them for all.
static void tellOfLosses(const pmrt_context &context) {
  if (context.alone())
    return;
  const std::string table = Recorder::table();
  if (table.find("has ended") != std::string::npos && Recorder::isFirstToTell())
    printMessage("a rank has ended; last operations of the ranks:\n" + table);
}

/// Prints how a run has ended, if it is for this rank to print.
static void report(const Start &start, const Outcome &outcome) {
  if (!outcome.reports)
    return;
  if (outcome.error)
    printError(start.command, *outcome.error, outcome.rank);
  else if (outcome.code == Exit::Interrupted)
    printMessage(fmt::format("{}: interrupted{}{}\n", start.command,
                             outcome.location.empty() ? "" : " at ",
                             outcome.location));
}

/// Runs the checked program on this rank. Returns the exit code.
static Exit compute(pmrt_context &context, const Start &start, Kept &kept) {
  const auto begin = Clock::now();
  const bool first = context.transport->rank() == 0;
  std::string events;
  const auto finish = [&] {
    lastPicture(context);
    animateFrames(context);
    context.world.barrier(); // no rank ends before all are done
    if (context.profile.enabled())
      events = gatherEvents(context);
    context.checksums = sha256OfFiles(
        context, {context.written.begin(), context.written.end()});
  };
  watchLosses(context);
  const Outcome outcome = runEntry(context, start.program.entry, finish);
  Exit code = outcome.code;
  std::string status = outcome.status, message = outcome.message;
  if (code != Exit::Done)
    context.progress.clear();
  report(start, outcome);
  if (code == Exit::Interrupted)
    tellOfLosses(context);
  if (!first)
    return code;
  const double seconds = secondsSince(begin);
  if (!context.lostPrints.empty() && code == Exit::Done) {
    code = Exit::Failure;
    status = "failed";
    message = coded("[PM9007] " + context.lostPrints +
                    "; printed text is lost, outputs are complete");
    printMessage(fmt::format("{}: error: {}\n", start.command, message));
  }
  const auto fail = [&](const std::string &problem) {
    if (problem.empty() || code != Exit::Done)
      return;
    code = Exit::Failure;
    status = "failed";
    message = coded("[PM9007] " + problem);
    printMessage(fmt::format("{}: error: {}\n", start.command, message));
  };
  if (code == Exit::Done)
    fail(lostOutput(context));
  const auto record = [&] {
    return runRecord(context, status, message, seconds);
  };
  if (context.profile.enabled())
    fail(whatFails([&] {
      writeNamedFile(context.settings.profile,
                     traceText(context, events, record()), context.token);
    }));
  const auto write = [&] {
    writeRecord(context, record(), events, /*done=*/status == "done");
  };
  if (const std::string problem = whatFails(write); !problem.empty()) {
    fail(problem);
    kept.reserve.reset();
    if (const std::string again = whatFails(write); !again.empty())
      printMessage(fmt::format("{}: error: {}\n", start.command,
                               coded("[PM9007] " + again)));
  }
  if (kept.earlier && code == Exit::Done)
    kept.earlier->giveBack();
  if (kept.earlier && !kept.earlier->folder().empty())
    printMessage(fmt::format("{}: note: outputs of an earlier run are in {}\n",
                             start.command, kept.earlier->folder()));
  if (context.profile.enabled() && !context.settings.quiet) {
    context.progress.clear();
    if (!context.alone())
      printMessage(fmt::format("the first of {} ranks, transport {}:\n",
                               context.transport->size(),
                               context.transport->name()));
    printMessage(context.profile.table(context.program.locations, seconds));
  }
  if (code == Exit::Done)
    context.progress.announce(
        fmt::format("{}: done in {}, outputs in {}", context.program.name,
                    secondsText(seconds), context.settings.out));
  return code;
}

/// Makes the folders that the first rank writes to, and takes the program's own
/// for this run alone, as long as the locks live.
static void takeFolders(pmrt_context &context,
                        std::vector<std::unique_ptr<FolderLock>> &locks,
                        Kept &kept) {
  namespace fs = std::filesystem;
  const Settings &settings = context.settings;
  prepareFolder(settings.out, !settings.dryRun);
  if (context.profile.enabled() && !isDevice(settings.profile))
    if (const auto folder = fs::path(settings.profile).parent_path();
        !folder.empty())
      prepareFolder(folder.string(), !settings.dryRun);
  if (settings.dryRun)
    return;
  auto lock = [&](const std::string &folder, const std::string &flag) {
    locks.push_back(std::make_unique<FolderLock>(
        folder, flag, context.program.name, context.token));
    if (const std::string &problem = locks.back()->problem(); !problem.empty())
      context.progress.warn(fmt::format(
          "warning: [PM9210] {}: cannot lock {}: {}; make sure that no other "
          "run writes there",
          flag, folder, problem));
  };
  lock(settings.out, "--out");
  if (!settings.checkpoint.empty()) {
    prepareFolder(settings.checkpoint, /*create=*/true, "folder of states");
    if (!fs::equivalent(settings.checkpoint, settings.out))
      lock(settings.checkpoint, "--checkpoint");
  }
  if (!settings.resume)
    kept.earlier.emplace(context);
  kept.reserve.emplace(settings.out, int64_t(1) << 20);
  // What an earlier run has left there says nothing of this one.
  writeRecord(context, runRecord(context, "running", "", 0), "",
              /*done=*/false);
}

/// Checks inputs against the checksum files beside them.
static void verifyAll(pmrt_context &context) {
  std::string mine;
  onAll(context, [&] {
    for (const auto &[what, digits] : verifyInputs(context))
      mine += fmt::format("{} {}\n", digits, what);
  });
  for (const std::string &part : context.world.gather(mine)) {
    std::istringstream lines(part);
    for (std::string line; std::getline(lines, line);)
      context.verified[line.substr(line.find(' ') + 1)] =
          line.substr(0, line.find(' '));
  }
}

/// Checks what can be checked before anything runs, and runs.
static Exit checkAndRun(pmrt_context &context, const Start &start) {
  const bool first = context.transport->rank() == 0;
  const bool dryRun = context.settings.dryRun;
  checkAlike(context);
  takeDevice(context, start.devices);
  std::vector<std::string> inputs;
  onAll(context, [&] {
    inputs = checkInputs(context, dryRun);
    chooseGeometries(context);
  });
  verifyAll(context);
  std::string unfit;
  const MemoryNeeds needs = planMemory(context, unfit);
  context.token = context.world.broadcast(first ? randomToken() : "");
  std::vector<std::unique_ptr<FolderLock>> locks;
  Kept kept;
  onAll(context, [&] {
    if (!first)
      return;
    checkTargets(context);
    checkDisk(context);
    checkResume(context);
    if (!context.program.plots.empty() &&
        (context.settings.plots != PlotFormat::None ||
         !context.settings.plotsInTerminal.empty()))
      (void)drawingFunction(); // now, not after hours
    for (const Output &output : context.program.outputs)
      formatOf(context.settings, output.name).require();
    takeFolders(context, locks, kept);
  });
  if (!context.settings.checkpoint.empty())
    installStateSignal();
  if (!dryRun) {
    shareLogs(context.world, context.recorder);
    return compute(context, start, kept);
  }
  if (first)
    printOrFail(planText(context, inputs, needs));
  if (const std::string times = timeText(context); first)
    printOrFail(times);
  context.agree(-1, unfit, Exit::Usage);
  return Exit::Done;
}

/// The whole life of one rank. Returns its exit code.
static Exit runRank(const Start &start, std::shared_ptr<Transport> transport) {
  Exit code = Exit::Done;
  std::optional<pmrt_context> context; // others may still read its memory
  try {
    const Settings &settings = start.launch.settings;
    if (settings.transport == "nccl" && transport->size() > 1 &&
        !settings.dryRun)
      transport = start.devices.nccl(transport);
    openContext(context, start, transport);
    code = checkAndRun(*context, start);
  } catch (...) {
    const Outcome outcome = failedStart(*transport);
    report(start, outcome);
    code = outcome.code;
  }
  transport->leave(code);
  // All ranks have told and written what they had to.
  if (context && context->device->isStuck()) {
    (void)std::fflush(nullptr);
    std::_Exit(int(code));
  }
  return code;
}

static Exit runThreads(const Start &start, int ranks) {
  Hub hub(ranks);
  std::vector<Exit> codes(size_t(ranks), Exit::Done);
  runRanks(ranks, [&](int rank) {
    codes[size_t(rank)] = runRank(start, hub.connect(rank));
  });
  // The same on all ranks, unless the first one could not write its records.
  return codes[0];
}

/// One of several processes.
static Exit runProcess(const Start &start, TransportKind kind,
                       const Launcher &launcher) {
  const Settings &settings = start.launch.settings;
  std::shared_ptr<Transport> transport;
  if (kind == TransportKind::Mpi) {
    transport = makeMpiTransport();
    installSignalHandlers(); // MPI may have handlers of its own
    return runRank(start, transport);
  }
  try {
    transport =
        makeTcpTransport(settings.rendezvous, launcher.rank, launcher.size,
                         std::min(settings.watchdogEnd, 1e8), launcher.ways);
  } catch (const Stopped &e) {
    return e.code();
  } catch (const Interrupted &) {
    if (launcher.rank == 0)
      printMessage(fmt::format("{}: interrupted\n", start.command));
    return Exit::Interrupted;
  } catch (const std::exception &e) { // other ranks do not know
    const auto *error = dynamic_cast<const Error *>(&e);
    const Error told = error ? *error : Error(Exit::Failure, "", e.what());
    printError(start.command, told);
    return told.exit();
  }
  return runRank(start, transport);
}

static Exit run(int argc, char **argv, const pmrt_program &program,
                const std::string &command, const Launcher &launcher,
                const DeviceKind &devices) {
  checkVersion(program);
  const Descriptor descriptor = Descriptor::parse(program.descriptor);
  const Launch launch = parseCommandLine(descriptor, argc, argv);
  const std::string text =
      launch.action == Launch::Action::Help      ? helpText(descriptor, command)
      : launch.action == Launch::Action::Version ? versionText(descriptor)
                                                 : "";
  if (launch.action != Launch::Action::Run) {
    if (launcher.rank == 0)
      printOrFail(text);
    return Exit::Done;
  }
  const Start start{{program, descriptor, launch, devices}, command};
  const TransportKind kind = chooseTransport(descriptor, launch, launcher);
  if (!launch.settings.dryRun)
    installSignalHandlers();
  // A dry run opens input files, too, on which libraries may crash.
  const RecorderSignals recorded;
  switch (kind) {
  case TransportKind::Self:
    return runRank(start, makeSelfTransport());
  case TransportKind::Threads:
    return runThreads(start, int(Mesh(launch.mesh, 0).ranks()));
  case TransportKind::Mpi:
  case TransportKind::Tcp:
    break;
  }
  return runProcess(start, kind, launcher);
}

/// What was started with closed standard streams would open its first files or
/// sockets in their place, and print into them.
static void openStandardStreams() {
  int file = 0;
  do
    file = open("/dev/null", O_RDWR);
  while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0)
    close(file);
}

/// A process that ends with a failure makes mpirun end all others at once, so
/// the ones that say nothing leave the telling to the first, and are ended when
/// it has told.
static void letTell() { std::this_thread::sleep_for(std::chrono::seconds(5)); }

int pmrt::runProgram(int argc, char **argv, const pmrt_program &program,
                     const DeviceKind &devices) {
  openStandardStreams();
  const std::string command =
      argc > 0 && argv[0] && *argv[0]
          ? std::filesystem::path(argv[0]).filename().string()
          : "program";
  const bool meets = std::any_of(argv, argv + argc, [](const char *flag) {
    const std::string_view text = flag;
    return text == "--rendezvous" || text.starts_with("--rendezvous=");
  });
  bool reports = true;
  try {
    // Processes find the same mistakes in the flags; one reports them.
    const Launcher started = meets ? plainLauncher() : launcher();
    reports = started.rank == 0;
    return int(run(argc, argv, program, command, started, devices));
  } catch (const Error &e) {
    if (reports)
      printError(command, e);
    else
      letTell();
    return int(e.exit());
  } catch (const std::bad_alloc &) {
    printMessage(fmt::format("{}: error: out of memory [PM9009]\n", command));
  } catch (const std::exception &e) {
    if (reports)
      printMessage(fmt::format("{}: error: {}\n", command, coded(e.what())));
    else
      letTell();
  }
  return int(Exit::Usage);
}

int pmrt_main(int argc, char **argv, const pmrt_program *program) {
  return runProgram(argc, argv, *program, {});
}
