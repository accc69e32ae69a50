//===- Progress.cpp - Loops, the progress bar, messages -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Progress.h"

#include "runtime/Base/Error.h"
#include "runtime/Base/Text/Format.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

using namespace pmrt;

void Progress::setMode(ProgressMode mode, bool quiet) {
  terminal = isatty(STDERR_FILENO);
  silent = quiet;
  enabled = mode == ProgressMode::Always ||
            (mode == ProgressMode::Auto && terminal && !quiet);
}

void Progress::begin(pmrt_loc loc, int64_t count) {
  if (stack.empty()) {
    started = Clock::now();
    lastDraw = {};
  }
  Loop loop;
  loop.loc = loc;
  loop.count = count;
  stack.push_back(loop);
}

void Progress::step(int64_t step) {
  if (stack.empty())
    return;
  stack.back().step = std::max<int64_t>(step, 0);
  stack.back().started = true;
  draw(false);
  if (whenStepped)
    whenStepped();
}

void Progress::skip() {
  if (!stack.empty())
    ++stack.back().skipped;
}

void Progress::end() {
  if (stack.empty())
    return;
  if (stack.size() == 1) {
    Loop &outer = stack.back();
    if (outer.count > 0) {
      outer.step = outer.count - outer.skipped;
      hasEnded = true;
    }
    draw(true);
    if (whenStepped)
      whenStepped();
    hasEnded = false;
    if (enabled && terminal && drawn)
      std::fputc('\n', stderr);
    drawn = false;
    remarked.clear();
  }
  stack.pop_back();
}

double Progress::fraction() const {
  if (hasEnded)
    return 1;
  double done = 0, weight = 1;
  for (const Loop &loop : stack) {
    if (loop.count <= 0)
      break;
    done +=
        weight * double(std::min(loop.step, loop.count)) / double(loop.count);
    weight /= double(loop.count);
  }
  return std::min(done, 1.0);
}

/// Steadier to look at than secondsText, which has milliseconds too.
static std::string barTime(double seconds) {
  return seconds < 1 ? fmt::format("{:.1f} s", seconds) : secondsText(seconds);
}

std::string Progress::bar(double fraction, const Loop &outer, double elapsed,
                          int width) {
  if (outer.count <= 0)
    return fmt::format("iteration {}, {} so far", outer.step + 1,
                       barTime(elapsed));
  const int full = int(fraction * width + 1e-9);
  std::string cells(size_t(width), ' ');
  std::fill_n(cells.begin(), full, '=');
  if (full < width && full > 0)
    cells[size_t(full)] = '>';
  std::string text =
      fmt::format("[{}] {:3.0f}%  {}/{} iterations", cells, fraction * 100,
                  std::min(outer.step, outer.count), outer.count);
  text += fmt::format("  {}", barTime(elapsed));
  if (fraction > 0 && fraction < 1)
    text +=
        fmt::format(", {} left", barTime(elapsed / fraction * (1 - fraction)));
  return text;
}

bool Progress::isDue(bool force) {
  const double since =
      std::chrono::duration<double>(Clock::now() - lastDraw).count();
  // Ten times a second on a terminal; in a log file, a line every two seconds.
  if (!force && since < (terminal ? 0.1 : 2.0))
    return false;
  lastDraw = Clock::now();
  return true;
}

void Progress::draw(bool force) {
  if (enabled && !stack.empty() && isDue(force))
    show(bar(fraction(), stack.front(), secondsSince(started), 30) +
         (remarked.empty() ? "" : ", " + remarked));
}

void Progress::phase(const std::string &what, double fraction) {
  if (!enabled || !isDue(false))
    return;
  show(fmt::format("{} {:.0f}%", what, 100 * fraction));
}

void Progress::show(const std::string &text) {
  if (terminal)
    printTo(stderr, fmt::format("\r{}\033[K", printable(text)));
  else
    printMessage(text + "\n");
  std::fflush(stderr);
  drawn = true;
}

void Progress::clear() {
  if (!drawn || !terminal)
    return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn = false;
}

Waiting::Waiting(Progress &progress, const std::string &what)
    : progress(progress) {
  if (!progress.isEnabled())
    return;
  // Signals are for the threads that compute.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  clock = std::thread([this, what] { tell(what); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Waiting::tell(const std::string &what) {
  const auto began = Clock::now();
  std::unique_lock lock(mutex);
  // Nothing flickers for what is over soon.
  auto pause = std::chrono::milliseconds(500);
  while (!ended.wait_for(lock, pause, [this] { return over; })) {
    pause = std::chrono::milliseconds(100);
    if (progress.isDue(false))
      progress.show(
          fmt::format("{}, {} so far", what, barTime(secondsSince(began))));
  }
}

Waiting::~Waiting() {
  if (!clock.joinable())
    return;
  {
    const std::lock_guard lock(mutex);
    over = true;
  }
  ended.notify_one();
  clock.join();
  progress.clear();
}

void Progress::announce(const std::string &line) {
  if (silent)
    return;
  clear();
  sink->message(line + "\n");
}

void Progress::warn(const std::string &line) {
  warned.push_back(codedWarning(line));
  announce(warned.back());
}
