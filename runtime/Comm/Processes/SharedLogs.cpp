//===- SharedLogs.cpp - Ranks read what others did last -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/Processes/SharedLogs.h"

#include "runtime/Comm/Sockets/PeerInfo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

using namespace pmrt;

void pmrt::shareLogs(Group &world, Recorder &recorder) {
  if (world.size() == 1)
    return;
  const PeerInfo self = introduce({});
  // Ranks that are threads of one process read each other's as they are.
  const auto process = int64_t(self.process);
  int64_t least[] = {process, -process};
  world.reduce(PMRT_MIN, 2, least);
  if (least[0] == -least[1])
    return;
  // A process of another kernel, or space of numbers, cannot be found.
  const std::string mine =
      fmt::format("{}\t{}\t{}", self.kernel, self.process, recorder.share());
  const std::string all =
      world.broadcast(fmt::format("{}", fmt::join(world.gather(mine), "\n")));
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kernel;
    int other = 0, descriptor = -1;
    if (std::getline(words, kernel, '\t') && words >> other >> descriptor &&
        kernel == self.kernel && other != self.process && descriptor >= 0)
      recorder.readOther(other, descriptor);
  }
  world.barrier(); // the descriptors are there until all have looked
}
