//===- RecorderSignals.cpp - The recorder's table by a signal -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Files/LibraryReading.h"
#include "runtime/Base/Recorder/RecorderTable.h"
#include "runtime/Base/Text/Format.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

using namespace pmrt;

static std::atomic<int> askedEnd{-1}; // of the teller's pipe

thread_local const LibraryReading *LibraryReading::current = nullptr;

static constexpr std::array<int, 5> crashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                                               SIGABRT};

extern "C" {
static void onReportSignal(int) {
  const int error = errno;
  const char letter = 'r';
  (void)!write(askedEnd.load(), &letter, 1);
  errno = error;
}

static void writeError(void *, const char *text, size_t size) {
  (void)!write(STDERR_FILENO, text, size);
}

static void onCrash(int signal) {
  std::signal(signal, SIG_DFL); // also for a crash of what follows
  if (const LibraryReading *reading = LibraryReading::get()) {
    RecorderText(writeError, nullptr)
        .add("\nerror: {}: the library that reads this file crashed, because "
             "the file is damaged; {}\n",
             reading->getFile(), reading->getAdvice());
    _exit(1);
  }
  const int self = int(getpid());
  static LogRows rows;
  addKnownLogs(rows);
  for (const KnownLog &place : knownLogs)
    if (RankLog *log = place.log.load(); log && log->process == self)
      log->state = RankLog::Crashed;
  {
    RecorderText to(writeError, nullptr);
    // On lines of their own: progress goes on being written meanwhile.
    to.add("\nthe program has crashed (signal {}); last operations of the "
           "ranks:\n",
           signal);
    writeTable(to, rows);
  }
  std::raise(signal);
}
}

RecorderSignals::RecorderSignals() {
  if (pipe(ends) != 0)
    return;
  teller = std::thread([from = ends[0]] {
    char letter = 0;
    while (read(from, &letter, 1) == 1 && letter == 'r')
      if (Recorder::isFirstToTell())
        printTo(stderr, "current operations of the ranks (SIGUSR2):\n" +
                            Recorder::table());
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
