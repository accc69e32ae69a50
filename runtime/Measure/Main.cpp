//===- Main.cpp - Measures this machine -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `pmrt_measure` prints a machine file (codegen/Machine/README.md) of the
// machine that it runs on. `mpirun -n 2 pmrt_measure mpi` prints the table of
// the transport mpi, for such a file. `pmc machine measure` starts both. With
// "quick" both take a second, and the figures are rough.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Threads.h"
#include "runtime/Comm/Processes/Processes.h"
#include "runtime/Measure/Figures.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <unistd.h>

using namespace pmrt;
using namespace pmrt::measure;

namespace {

/// Bytes of available memory.
double getMemory() {
  return double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE));
}

/// A list for each size, each with its spread before it.
void printLists(const char *key, const std::vector<TransformFigures> &sizes,
                std::vector<Seconds> TransformFigures::*member) {
  fmt::print("{} = [\n", key);
  for (const TransformFigures &size : sizes) {
    std::string values, spread;
    for (const Seconds &figure : size.*member) {
      const char *comma = values.empty() ? "" : ", ";
      values += fmt::format("{}{:.3g}", comma, figure.median);
      spread +=
          fmt::format("{}{:.3g} to {:.3g}", comma, figure.least, figure.most);
    }
    fmt::print("  # {}\n  [{}],\n", spread, values);
  }
  fmt::print("]\n");
}

void printTransport(const char *name, const MessageFigures &figures) {
  fmt::print(
      "\n# {} ranks. A number summed over all of them: {:.3g} us, {:.3g} "
      "to {:.3g}.\n[transports.{}.inside]\nlatency_us = {}\ngbs = {}\n",
      figures.ranks, 1e6 * figures.allReduce.median,
      1e6 * figures.allReduce.least, 1e6 * figures.allReduce.most, name,
      text(figures.latency.times(1e6)), text(figures.bandwidth.times(1e-9)));
}

/// Threads that do not run at the same time would measure how they are
/// scheduled: as many ranks as processors, but two at least.
void printHost(const Effort &effort) {
  const int processors = Threads::hardware();
  const HostFigures host = measureHost(effort);
  double load[1] = {};
  (void)!getloadavg(load, 1);
  char host_name[256] = "", day[64] = "";
  gethostname(host_name, sizeof host_name - 1);
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  std::strftime(day, sizeof day, "%d %B %Y", &utc);
  const double memory = getMemory() * 1e-9;
  fmt::print("# Made by pmc machine measure, {}; the load was {:.1f}. Behind\n"
             "# each figure, a median: the least and the most of its turns.\n"
             "description = \"{}, {} processors\"\n"
             "ranks_per_node = {} # they share the processors\nnodes = 1\n\n"
             "[device]\nkind = \"cpu\"\nper_node = 1\nmemory_gb = {:.4g}\n"
             "memory_gbs = {}\nf32_gflops = {}\nf64_gflops = {}\n"
             "launch_us = {}\n\n[host]\nmemory_gb = {:.4g}\nmemory_gbs = "
             "{:.4g}\n\n",
             day, load[0], host_name, processors, std::max(64, processors),
             memory, text(host.memory.times(1e-9)),
             text(host.single.times(1e-9)), text(host.exact.times(1e-9)),
             text(host.launch.times(1e6)), memory, host.memory.median * 1e-9);
  const std::vector<TransformFigures> transforms =
      measureTransforms(effort, host.memory.median);
  std::vector<double> sizes;
  for (const TransformFigures &size : transforms)
    sizes.push_back(size.bytes * 1e-6);
  fmt::print("[fft]\nlengths = [{}]\nsizes_mb = [{:.3g}]\n",
             fmt::join(transforms.front().lengths, ", "),
             fmt::join(sizes, ", "));
  printLists("f32", transforms, &TransformFigures::single);
  printLists("f64", transforms, &TransformFigures::exact);
  printTransport("threads",
                 measureThreads(effort, std::clamp(processors, 2, 16)));
  fmt::print("\n# Messages are strided: what carries them packs them, too.\n"
             "[libraries.pmc]\ntransport = \"threads\"\n"
             "transpose_passes = 0\n");
}

int measureProcesses(const Effort &effort) {
  const auto transport = makeMpiTransport();
  if (transport->size() < 2 || transport->localSize() < transport->size()) {
    if (transport->rank() == 0)
      fmt::print(stderr, "pmrt_measure: error: two processes or more of one "
                         "machine are needed\n");
    transport->leave(Exit::Usage);
    return int(Exit::Usage);
  }
  const MessageFigures figures = measureMessages(effort, *transport);
  if (transport->rank() == 0)
    printTransport("mpi", figures);
  transport->leave(Exit::Done);
  return 0;
}

} // namespace

extern "C" int pmrt_measure(int argc, char **argv) {
  try {
    Effort effort;
    bool processes = false;
    for (int i = 1; i < argc; ++i) {
      const std::string flag = argv[i];
      if (flag == "quick") {
        effort = Effort::quick();
      } else if (flag == "mpi") {
        processes = true;
      } else {
        fmt::print(stderr, "usage: pmrt_measure [quick] [mpi]\n");
        return 1;
      }
    }
    if (processes)
      return measureProcesses(effort);
    printHost(effort);
  } catch (const std::exception &e) {
    printMessage(fmt::format("pmrt_measure: error: {}\n", e.what()));
    return 1;
  }
  return std::fflush(stdout) ? 1 : 0;
}
