//===- Calls.cpp - How often the driver was called ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeCuda.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

void fakecuda::called(const char *function) {
  static const char *const file = std::getenv("FAKECUDA_CALLS");
  if (!file)
    return;
  static auto *calls = new std::map<std::string, int64_t>;
  static std::mutex lock;
  const std::lock_guard guard(lock);
  if (calls->empty())
    std::atexit([] {
      std::ofstream out(file);
      for (const auto &[name, count] : *calls)
        out << name << ' ' << count << '\n';
    });
  ++(*calls)[function];
}
