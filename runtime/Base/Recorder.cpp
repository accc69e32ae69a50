//===- Recorder.cpp - What a rank did last --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Recorder.h"

#include "runtime/Base/Format.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

using namespace pmrt;

// Signals belong to the process, and so does the list of its ranks. A handler
// may read it at any time: places are taken and left, and never move.
static std::array<std::atomic<const Recorder *>, 4096> recorders;
static std::atomic<int> askedEnd{-1}; // of the teller's pipe

int64_t Recorder::now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

Recorder::Recorder(int rank, const std::vector<std::string> &locations)
    : rank(rank), locations(locations) {
  for (std::atomic<const Recorder *> &place : recorders) {
    const Recorder *none = nullptr;
    if (place.compare_exchange_strong(none, this))
      return;
  }
}

Recorder::~Recorder() {
  for (std::atomic<const Recorder *> &place : recorders) {
    const Recorder *self = this;
    if (place.compare_exchange_strong(self, nullptr))
      return;
  }
}

size_t Recorder::describe(char *to, size_t size) const {
  size_t length = 0;
  auto add = [&](const auto &format, const auto &...values) {
    const auto done = fmt::format_to_n(to + length, size - length,
                                       fmt::runtime(format), values...);
    length = size_t(done.out - to);
  };
  auto addCall = [&](const Call &call, int64_t until) {
    const char *name = call.name.load(std::memory_order_relaxed);
    const pmrt_loc loc = call.loc.load(std::memory_order_relaxed);
    add("'{}'", name ? name : "?");
    if (loc >= 0 && size_t(loc) < locations.size())
      add(" ({})", locations[size_t(loc)].c_str());
    add(" for {:.3g} s",
        1e-9 * double(until - call.begin.load(std::memory_order_relaxed)));
  };
  add("rank {}: ", rank);
  const uint64_t count = calls.load(std::memory_order_acquire);
  const int64_t time = now(), step = stepNow.load(std::memory_order_relaxed);
  if (count == 0) {
    add("has not begun");
    return length;
  }
  // Calls may be within others: all that run, the innermost first.
  constexpr uint64_t shown = 5;
  const uint64_t first = count - std::min<uint64_t>(count, ring.size());
  bool any = false;
  int64_t lastEnd = 0;
  for (uint64_t i = count; i-- > first;) {
    const Call &call = ring[i % ring.size()];
    const int64_t end = call.end.load(std::memory_order_relaxed);
    lastEnd = std::max(lastEnd, end);
    if (end != 0)
      continue;
    add(any ? ", within " : "in ");
    addCall(call, time);
    any = true;
  }
  if (!any)
    add("between calls for {:.3g} s", 1e-9 * double(time - lastEnd));
  if (step >= 0)
    add(", step {}", step + 1);
  uint64_t done = 0;
  for (uint64_t i = count; i-- > first && done < shown;) {
    const Call &call = ring[i % ring.size()];
    if (const int64_t end = call.end.load(std::memory_order_relaxed)) {
      add(done++ ? ", " : "; before that ");
      addCall(call, end);
    }
  }
  return length;
}

std::string Recorder::describeAll() {
  std::string text;
  std::array<char, 2048> line;
  for (const std::atomic<const Recorder *> &place : recorders)
    if (const Recorder *recorder = place.load())
      text += fmt::format(
          "{}\n", std::string_view(line.data(), recorder->describe(
                                                    line.data(), line.size())));
  return text;
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

static constexpr std::array<int, 5> crashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                                               SIGABRT};

extern "C" {
static void onReportSignal(int) {
  const int error = errno;
  const char letter = 'r';
  (void)!write(askedEnd.load(), &letter, 1);
  errno = error;
}

static void onCrash(int signal) {
  std::signal(signal, SIG_DFL); // also for a crash of what follows
  // On lines of their own, and in one piece where they fit: progress goes on
  // being written meanwhile.
  static constexpr std::string_view head =
      "\nthe program has crashed; what ranks did:\n";
  static std::array<char, 65536> text;
  constexpr size_t most = 2048; // a line
  size_t length =
      size_t(std::copy(head.begin(), head.end(), text.begin()) - text.begin());
  auto flush = [&] {
    (void)!write(STDERR_FILENO, text.data(), length);
    length = 0;
  };
  for (const std::atomic<const Recorder *> &place : recorders)
    if (const Recorder *recorder = place.load()) {
      if (length + most > text.size())
        flush();
      length += recorder->describe(text.data() + length, most - 1);
      text[length++] = '\n';
    }
  flush();
  std::raise(signal);
}
}

RecorderSignals::RecorderSignals() {
  if (pipe(ends) != 0)
    return;
  teller = std::thread([from = ends[0]] {
    char letter = 0;
    while (read(from, &letter, 1) == 1 && letter == 'r')
      printTo(stderr, "what ranks do (SIGUSR2):\n" + Recorder::describeAll());
  });
  askedEnd = ends[1];
  struct sigaction action = {}, old;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = onReportSignal;
  // As Signals.cpp: what is ignored remains so. Sanitizers have handlers of
  // their own for crashes.
  if (sigaction(SIGUSR2, nullptr, &old) == 0 && old.sa_handler == SIG_DFL)
    sigaction(SIGUSR2, &action, nullptr);
  action.sa_handler = onCrash;
  action.sa_flags = 0;
  for (const int crash : crashes)
    if (sigaction(crash, nullptr, &old) == 0 && old.sa_handler == SIG_DFL)
      sigaction(crash, &action, nullptr);
}

RecorderSignals::~RecorderSignals() {
  if (!teller.joinable())
    return;
  for (const int one : crashes)
    if (struct sigaction old;
        sigaction(one, nullptr, &old) == 0 && old.sa_handler == onCrash)
      std::signal(one, SIG_DFL);
  if (struct sigaction old; sigaction(SIGUSR2, nullptr, &old) == 0 &&
                            old.sa_handler == onReportSignal)
    std::signal(SIGUSR2, SIG_IGN); // one may still be on its way
  const char letter = 'q';
  (void)!write(ends[1], &letter, 1);
  teller.join();
  askedEnd = -1;
  for (const int end : ends)
    close(end);
}
