//===- Footprint.cpp - Memory of a process besides its fields -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Footprint.h"

#include "runtime/FFT/Plans.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Inputs/Checksums.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 // Linux 5.14
#endif

using namespace pmrt;

int64_t pmrt::peakResident() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmHWM:"))
      return std::stoll(line.substr(6)) * 1024;
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

/// The program's own code, of which a run uses most.
static void useCode() {
  const auto own = std::filesystem::read_symlink("/proc/self/exe");
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode, path;
    words >> range >> rights >> offset >> device >> inode >> path;
    if (path != own.string() || rights[0] != 'r')
      continue;
    const size_t dash = range.find('-');
    const uint64_t begin = std::stoull(range.substr(0, dash), nullptr, 16),
                   end = std::stoull(range.substr(dash + 1), nullptr, 16);
    // Older kernels refuse it, and the program's pages are not counted then.
    (void)madvise(reinterpret_cast<void *>(begin), end - begin,
                  MADV_POPULATE_READ);
  }
}

Footprint pmrt::measureFootprint(Context &context) {
  bool hasSingle = false, hasDouble = false;
  for (const Transform &transform : context.program.transforms)
    (transform.from == PMRT_F32 || transform.from == PMRT_C64 ? hasSingle
                                                              : hasDouble) =
        true;
  FftPlans &ffts = context.device->ffts();
  if (hasSingle)
    ffts.warmUp(true);
  if (hasDouble)
    ffts.warmUp(false);
  std::set<const Format *> formats;
  for (const Output &output : context.program.outputs)
    formats.insert(&formatOf(context.settings, output.name));
  for (const Format *format : formats)
    format->warmUp();
  useCode();
  context.threads.forRange(1 << 16, [](int64_t, int64_t) {});
  const int64_t computing = peakResident();
  (void)sha256OfFile("/proc/self/cmdline");
  const int64_t atEnd = peakResident();
  // Inputs that are verified are so before anything else.
  return {context.verified.empty() ? computing : atEnd, atEnd};
}
