//===- FFT.cpp - Seconds of a transform over ranks ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Machine/FFT.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace pmc::machine;

static llvm::Expected<const Library *> findLibrary(const Machine &machine,
                                                   llvm::StringRef wanted) {
  if (const Library *library = machine.getLibrary(wanted))
    return library;
  std::vector<std::string> names;
  for (const auto &[name, library] : machine.libraries)
    names.push_back(name);
  return llvm::createStringError("'" + machine.name + "' has no library '" +
                                 wanted + "', only " + llvm::join(names, ", "));
}

llvm::Expected<FFTTime> pmc::machine::predictFFT(const Machine &machine,
                                                 const FFTTask &task) {
  for (int64_t extent : task.size)
    if (extent < 1)
      return llvm::createStringError("a transform needs numbers in each dim");
  for (size_t axis : {0, 1})
    // Each axis cuts two dims, one before and one behind its transpose.
    if (int64_t ranks = task.mesh[axis];
        ranks < 1 || ranks > task.size[axis] || ranks > task.size[axis + 1])
      return llvm::createStringError(
          "an axis of " + llvm::Twine(ranks) + " ranks cuts dims of " +
          llvm::Twine(task.size[axis]) + " and " +
          llvm::Twine(task.size[axis + 1]) + " numbers");
  llvm::Expected<const Library *> found = findLibrary(machine, task.library);
  if (!found)
    return found.takeError();
  const Library &library = **found;
  const int64_t ranks = task.mesh[0] * task.mesh[1];
  llvm::Expected<TimeModel> model = TimeModel::make(
      machine, ranks,
      task.transport.empty() ? library.transport : task.transport);
  if (!model)
    return model.takeError();

  // The numbers of a rank, in Fourier space, where there are about half as many
  // of a real field. The rank with the most is the one that is waited for.
  const int64_t kept = task.real ? task.size[2] / 2 + 1 : task.size[2];
  const auto last = double(kept);
  const double numbers =
      std::ceil(double(task.size[0]) / double(task.mesh[0])) *
      std::ceil(double(task.size[1]) / double(task.mesh[1])) * last;
  const double bytes = numbers * (task.precision == Precision::F32 ? 8 : 16);
  const double pass = model->memoryTime(2 * bytes);

  FFTTime time;
  int kernels = 0;
  for (size_t dim : {0, 1, 2}) {
    const bool real = task.real && dim == 2;
    const double length = dim == 2 ? last : double(task.size[dim]);
    time.transforms +=
        model->fftTime(numbers / length, task.size[dim], task.precision, real);
    ++kernels;
  }
  time.passes += pass * (library.transformPasses +
                         (task.inverse ? library.inversePasses : 0));
  bool both = true;
  for (size_t axis : {0, 1}) {
    const AxisRanks way = TimeModel::getAxis(task.mesh, axis);
    if (way.ranks == 1) {
      both = false;
      continue;
    }
    const double packing = library.transposePasses * pass;
    const double messages = model->allToAll(way, bytes, task.pipelined).seconds;
    const double hidden =
        task.pipelined ? model->getTransport().overlap * packing : 0;
    time.messages += std::max(messages - hidden, 0.0);
    time.passes += packing;
    kernels += 2;
  }
  if (both && model->getNodes() > 1)
    time.messages += library.axesLatency;
  if (both && task.inverse) {
    time.passes += pass * library.inverseAxesPasses;
    time.messages +=
        model->allToAll({ranks, 1}, bytes * library.inverseAxesTraffic).seconds;
  }
  if (ranks > 1 && task.mesh[task.inverse == task.contiguous ? 1 : 0] == 1)
    time.passes += pass * library.reorderPasses;
  time.launches = kernels * model->launchTime();
  return time;
}
