//===- GuardTest.cpp - Crashes that the language server survives ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LanguageServer/Documents/Guard.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

int main() {
  auto report = [](const char *what, bool finished) {
    std::printf("%s: %s\n", what, finished ? "finished" : "crashed");
    std::fflush(stdout);
  };
  int done = 0;
  report("work", pmc::lsp::runGuarded([&] { ++done; }));
  report("segfault", pmc::lsp::runGuarded([] { std::raise(SIGSEGV); }));
  report("abort", pmc::lsp::runGuarded([] { std::abort(); }));
  // As the evaluation does, on another thread than that of the server.
  std::thread([&] {
    report("thread", pmc::lsp::runGuarded([] { std::raise(SIGBUS); }));
  }).join();
  report("work", pmc::lsp::runGuarded([&] { ++done; }));
  std::printf("done: %d\n", done);
}
