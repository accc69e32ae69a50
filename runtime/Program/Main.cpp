//===- Main.cpp - The life of a generated program -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Format.h"
#include "runtime/Core/Signals.h"
#include "runtime/IO/Inputs.h"
#include "runtime/IO/OutputFile.h"
#include "runtime/Program/CommandLine.h"
#include "runtime/Program/Report.h"

#include <cstdio>
#include <filesystem>

using namespace pmrt;

static void printError(const std::string &command, const Error &error) {
  const std::string &where =
      error.location().empty() ? command : error.location();
  printTo(stderr, fmt::format("{}: error: {}\n", where, error.what()));
  for (const Error::Note &note : error.notes())
    printTo(stderr, fmt::format("{}: note: {}\n", note.location, note.message));
}

/// Whatever was thrown, as an Error at the call that ran.
static Error currentError(const pmrt_context &context) {
  try {
    throw;
  } catch (const Error &e) {
    return e;
  } catch (const std::bad_alloc &) {
    return context.failure(context.current, "out of memory");
  } catch (const std::exception &e) {
    return context.failure(context.current, e.what());
  } catch (...) {
    return context.failure(context.current,
                           "internal error: unknown exception");
  }
}

/// Writes run.json and the profile. Returns what went wrong, or "".
static std::string writeRecords(pmrt_context &context,
                                const std::string &status,
                                const std::string &error, double seconds) {
  try {
    if (context.profile.enabled())
      writeWholeFile(context.settings.profile,
                     context.profile.trace(context.program.locations,
                                           context.program.name));
    writeWholeFile(
        (std::filesystem::path(context.settings.out) / "run.json").string(),
        runRecord(context, status, error, seconds));
    return "";
  } catch (const std::exception &e) {
    return e.what();
  }
}

/// Runs the checked program. Returns the exit code.
static Exit compute(pmrt_context &context, const pmrt_program &program,
                    const std::string &command) {
  const auto start = Clock::now();
  Exit code = Exit::Done;
  std::string status = "done", message;
  try {
    installSignalHandlers();
    program.entry(&context);
    checkInterrupt();
  } catch (const Interrupted &) {
    code = Exit::Interrupted;
    status = "interrupted";
    context.progress.clear();
    printTo(stderr, fmt::format("{}: interrupted\n", command));
  } catch (...) {
    const Error error = currentError(context);
    code = error.exit();
    status = "failed";
    message = error.location().empty()
                  ? error.what()
                  : fmt::format("{}: {}", error.location(), error.what());
    context.progress.clear();
    printError(command, error);
  }
  const double seconds = secondsSince(start);
  const std::string problem = writeRecords(context, status, message, seconds);
  if (!problem.empty() && code == Exit::Done) {
    printTo(stderr, fmt::format("{}: error: {}\n", command, problem));
    code = Exit::Failure;
  }
  if (context.profile.enabled()) {
    context.progress.clear();
    printTo(stderr, context.profile.table(context.program.locations, seconds));
  }
  if (code == Exit::Done)
    context.progress.announce(
        fmt::format("{}: done in {}, outputs in {}", context.program.name,
                    secondsText(seconds), context.settings.out));
  return code;
}

static Exit run(int argc, char **argv, const pmrt_program &program,
                const std::string &command) {
  if (program.abi_version != PMRT_ABI_VERSION)
    throw usageError("this program was compiled for runtime ABI {}, the "
                     "runtime has {}; compile it again",
                     program.abi_version, PMRT_ABI_VERSION);
  Descriptor descriptor = Descriptor::parse(program.descriptor);
  Launch launch = parseCommandLine(descriptor, argc, argv);
  switch (launch.action) {
  case Launch::Action::Help:
    printTo(stdout, fmt::format("{}", helpText(descriptor, command)));
    return Exit::Done;
  case Launch::Action::Version:
    printTo(stdout, fmt::format("{}", versionText(descriptor)));
    return Exit::Done;
  case Launch::Action::Run:
    break;
  }
  const bool dryRun = launch.settings.dryRun;
  pmrt_context context(std::move(descriptor), std::move(launch.settings),
                       std::move(launch.params), std::move(launch.files),
                       std::move(launch.mesh));
  const std::vector<std::string> inputs = checkInputs(context, dryRun);
  context.placement(); // refuses what does not fit
  prepareFolder(context.settings.out, !dryRun);
  if (context.profile.enabled())
    if (const auto folder =
            std::filesystem::path(context.settings.profile).parent_path();
        !folder.empty())
      prepareFolder(folder.string(), !dryRun);
  if (dryRun) {
    printTo(stdout, fmt::format("{}", planText(context, inputs)));
    return Exit::Done;
  }
  return compute(context, program, command);
}

int pmrt_main(int argc, char **argv, const pmrt_program *program) {
  const std::string command =
      argc > 0 && argv[0] && *argv[0]
          ? std::filesystem::path(argv[0]).filename().string()
          : "program";
  try {
    return int(run(argc, argv, *program, command));
  } catch (const Interrupted &) {
    printTo(stderr, fmt::format("{}: interrupted\n", command));
    return int(Exit::Interrupted);
  } catch (const Error &e) {
    printError(command, e);
    return int(e.exit());
  } catch (const std::bad_alloc &) {
    printTo(stderr, fmt::format("{}: error: out of memory\n", command));
  } catch (const std::exception &e) {
    printTo(stderr, fmt::format("{}: error: {}\n", command, e.what()));
  }
  return int(Exit::Usage);
}
