//===- Ranks.cpp - Which ranks a program runs on --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Ranks.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Hash.h"
#include "runtime/IO/Formats/Source.h"
#include "runtime/Program/Flags/Formats.h"
#include "runtime/Program/Flags/Values.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sstream>

using namespace pmrt;

/// Ranks of one process; more are a mistake.
static constexpr int64_t mostThreadRanks = 1024;

static std::string count(int64_t number, const char *what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

static int64_t ranksOf(const std::vector<Axis> &axes) {
  int64_t ranks = 1;
  for (const Axis &axis : axes)
    ranks = std::min(ranks * axis.extent, int64_t(1) << 40);
  return ranks;
}

static std::string meshName(const std::vector<Axis> &axes) {
  return axes.empty() ? "this program, which declares no mesh,"
                      : fmt::format("the mesh {}", meshText(axes));
}

static void checkShards(const Descriptor &program,
                        const std::vector<Axis> &axes) {
  const Mesh mesh(axes, 0);
  for (const Dim &dim : program.dims) {
    const int64_t parts = mesh.parts(dim);
    const int64_t grain = shardGrain(dim);
    const int64_t pieces =
        dim.stored() % grain == 0 ? dim.stored() / grain : dim.stored();
    if (parts <= pieces)
      continue;
    throw usageError(
        "[PM9004] {} splits dim '{}'{} over {}, but it has {}{}: some ranks "
        "would have "
        "no cells",
        meshName(axes), dim.name,
        dim.of.empty() ? "" : fmt::format(" (of '{}')", dim.of),
        count(parts, "rank"), count(pieces, "cell"),
        grain > 1 ? fmt::format(" of the coarse dim, of {} each", grain) : "");
  }
}

/// Processes that meet by a file: every one has a rank of the mesh.
static void checkMeeting(const Launch &launch, const Launcher &launcher,
                         int64_t ranks) {
  const std::string &wanted = launch.settings.transport;
  if (!wanted.empty() && wanted != "tcp" && wanted != "nccl")
    throw usageError(
        "[PM9012] --rendezvous is for --transport tcp or nccl, not {}", wanted);
  if (launcher.size == 0)
    throw usageError("[PM9012] --rendezvous: the rank of this process is "
                     "unknown; set PMRT_RANK and "
                     "PMRT_RANKS, or start the processes with srun");
  if (ranks != launcher.size)
    throw usageError("[PM9012] {} has {}, but {} processes were started ({})",
                     meshName(launch.mesh), count(ranks, "rank"), launcher.size,
                     launcher.variable);
}

TransportKind pmrt::chooseTransport(const Descriptor &program,
                                    const Launch &launch,
                                    const Launcher &launcher) {
  const int64_t ranks = ranksOf(launch.mesh);
  const std::string &wanted = launch.settings.transport;
  if (!launch.settings.rendezvous.empty()) {
    checkMeeting(launch, launcher, ranks);
    checkShards(program, launch.mesh);
    return TransportKind::Tcp;
  }
  if (wanted == "tcp")
    throw usageError(
        "[PM9012] --transport tcp requires --rendezvous=FILE, through "
        "which the processes find each other");
  if (wanted.empty() && launcher.size == 0 && slurmTasks() > 1)
    throw usageError(
        "[PM9012] srun has started {} processes, and each would run the "
        "whole program: give --rendezvous=FILE (on a file system "
        "that all share), use srun --mpi or mpirun, or give "
        "--transport self or threads if this is intended",
        slurmTasks());
  if (wanted.empty() && launcher.size == 0 && requestedRanks() > 1)
    throw usageError(
        "[PM9012] PMRT_RANKS is {}, but without --rendezvous=FILE each process "
        "would run the whole program: give it, or unset PMRT_RANKS",
        requestedRanks());
  // NCCL is for what is on GPUs; the rest goes as without it.
  const TransportKind kind = wanted == "self"      ? TransportKind::Self
                             : wanted == "threads" ? TransportKind::Threads
                             : wanted == "mpi"     ? TransportKind::Mpi
                             : launcher.size > 0   ? TransportKind::Mpi
                             : ranks > 1           ? TransportKind::Threads
                                                   : TransportKind::Self;
  if (kind != TransportKind::Mpi && launcher.size > 1)
    throw usageError(
        "[PM9012] --transport {}: mpirun has started {} processes, and "
        "each would run the whole program",
        wanted, launcher.size);
  switch (kind) {
  case TransportKind::Self:
    if (ranks > 1)
      throw usageError(
          "[PM9004] --transport self supports one rank, but {} has {}",
          meshName(launch.mesh), ranks);
    break;
  case TransportKind::Threads:
    if (ranks > mostThreadRanks)
      throw usageError(
          "[PM9004] {} has {} ranks, too many for one process (at most {}); "
          "start the program with mpirun",
          meshName(launch.mesh), ranks, mostThreadRanks);
    break;
  case TransportKind::Tcp:
    break;
  case TransportKind::Mpi: {
    const int started = std::max(1, launcher.size);
    if (ranks != started)
      throw usageError(
          "[PM9004] {} has {}, but {}; {}", meshName(launch.mesh),
          count(ranks, "rank"),
          launcher.size ? fmt::format("mpirun has started {}", started)
                        : "the program was not started by mpirun",
          launch.mesh.empty()
              ? fmt::format("use mpirun -n {}", ranks)
              : fmt::format(
                    "give --mesh AXIS=EXTENT,... with {}, or use mpirun -n {}",
                    count(started, "rank"), ranks));
    break;
  }
  }
  checkShards(program, launch.mesh);
  return kind;
}

int pmrt::defaultThreads(Transport &transport) {
  const int cores = Threads::hardware();
  if (transport.size() == 1)
    return cores;
  // Ranks bound to cores of their own, as mpirun may do, share none.
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  const std::string bits(reinterpret_cast<const char *>(&mask), sizeof mask);
  const auto hash = int64_t(hashOf(bits).words[0] >> 1);
  Threads one(1);
  Group all(transport, one);
  int64_t least[] = {hash, -hash};
  all.reduce(PMRT_MIN, 2, least);
  const bool shared = least[0] == -least[1];
  int64_t threads = shared ? std::max(1, cores / transport.localSize()) : cores;
  all.reduce(PMRT_MIN, 1, &threads);
  return int(threads);
}

/// A hash of a file: of all of it, or of parts of a large one.
static std::string fingerprint(const std::string &spec) {
  const std::string path = sourceName(spec).path;
  // The rank that opens the input reports what is wrong with it.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return "none";
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    return "none";
  constexpr int64_t part = 1 << 20, parts = 64;
  const auto size = int64_t(file.tellg());
  std::string text(size_t(part), '\0');
  std::string hashes = fmt::format("{}", size);
  const int64_t stride = std::max(part, size / parts / part * part);
  for (int64_t at = 0; at < size; at += stride) {
    text.resize(size_t(std::min(part, size - at)));
    file.seekg(at);
    file.read(text.data(), std::streamsize(text.size()));
    hashes += ' ' + hashOf(text).text();
  }
  return hashes;
}

void pmrt::checkAlike(Context &context) {
  if (context.alone())
    return;
  const Descriptor &program = context.program;
  std::vector<std::string> names = {"the program", "--out, --format or --plan",
                                    "--mesh"};
  std::vector<std::string> texts = {
      fmt::format("{} {} {}", program.name, program.sourceHash,
                  program.compilerVersion),
      fmt::format("{} {} {}", context.settings.out,
                  formatsText(context.settings), int(context.settings.plan)),
      meshText(context.mesh.axes())};
  for (size_t i = 0; i < program.params.size(); ++i) {
    const LaunchValue &launch = context.params[i];
    names.push_back("--" + program.params[i].name);
    texts.push_back(fmt::format("{} {} {}", launch.value.real,
                                launch.value.bits, launch.given));
  }
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    names.push_back("--" + program.inputs[i].name);
    texts.push_back(context.inputFiles[i].empty()
                        ? ""
                        : context.inputFiles[i] +
                              fingerprint(context.inputFiles[i]));
  }
  std::vector<int64_t> least;
  for (const std::string &text : texts) {
    const auto hash = int64_t(hashOf(text).words[0] >> 1);
    least.push_back(hash);
    least.push_back(-hash);
  }
  context.world.reduce(PMRT_MIN, int64_t(least.size()), least.data());
  for (size_t i = 0; i < names.size(); ++i)
    if (least[2 * i] != -least[2 * i + 1])
      throw usageError(
          "[PM9012] the ranks were started with different settings: {} "
          "differs between them",
          names[i])
          .everywhere();
}
