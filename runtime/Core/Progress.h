//===- Progress.h - Loops, the progress bar, messages -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_PROGRESS_H
#define PMRT_CORE_PROGRESS_H

#include "pmrt/pmrt.h"
#include "runtime/Base/Recorder/Profile.h"
#include "runtime/Base/Text/MessageSink.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace pmrt {

enum class ProgressMode { Auto, Always, Never };

/// A loop that the program is in.
struct Loop {
  pmrt_loc loc = -1;
  int64_t count = 0;   ///< 0 or less: not known
  int64_t step = 0;    ///< the current one, from 0; of one that ended, how many
                       ///< iterations there were
  int64_t skipped = 0; ///< iterations that did nothing
  bool started = false;
};

/// Draws "3/10 iterations" with the time left on stderr; knows the loops the
/// program is in.
class Progress {
public:
  void setMode(ProgressMode mode, bool quiet);

  /// Where messages go; the standard error, if not set.
  void setSink(MessageSink &to) { sink = &to; }
  /// Called when an iteration begins and when a loop ends, if set.
  std::function<void()> whenStepped;

  void begin(pmrt_loc loc, int64_t count);
  /// `step` is -1 in an iteration that is not counted.
  void step(int64_t step);
  /// The current iteration does nothing: the loop has ended before its count.
  void skip();
  void end();
  /// Outermost first.
  const std::vector<Loop> &loops() const { return stack; }

  /// Removes the bar, if any, so that something else can be printed.
  void clear();
  /// A line on stderr, unless quiet.
  void announce(const std::string &line);
  /// The same for a warning, which the report lists, too. The line contains a
  /// code, such as `[PM9201] `, which is moved to the end.
  void warn(const std::string &line);
  const std::vector<std::string> &warnings() const { return warned; }
  /// The text behind the bar of this loop from now on.
  void remark(const std::string &text) { remarked = text; }
  /// Shows how far something is that takes long outside of loops.
  void phase(const std::string &what, double fraction);

  /// Part of the outermost loop that is done, 0 when not known.
  double fraction() const;
  /// The bar's text (exposed for tests).
  static std::string bar(double fraction, const Loop &outer, double elapsed,
                         int width);

  /// Whether phases are shown.
  bool isEnabled() const { return enabled; }

private:
  friend class Waiting;
  void draw(bool force);
  /// Whether it is time to, and keeps when it was.
  bool isDue(bool force);
  void show(const std::string &text);

  MessageSink *sink = &standardStreams();
  bool enabled = false;
  bool terminal = false;
  bool silent = false;
  bool drawn = false;
  bool hasEnded = false; ///< the outermost loop, which is drawn once more
  std::vector<Loop> stack;
  std::string remarked;
  std::vector<std::string> warned;
  Clock::time_point started;
  Clock::time_point lastDraw;
};

/// Shows, as long as it lives, that something takes long which reports nothing
/// meanwhile: a call of a library. Nothing else may be shown until then.
class Waiting {
public:
  Waiting(Progress &progress, const std::string &what);
  ~Waiting();

private:
  void tell(const std::string &what);

  Progress &progress;
  std::mutex mutex;
  std::condition_variable ended;
  bool over = false;
  std::thread clock;
};

} // namespace pmrt

#endif // PMRT_CORE_PROGRESS_H
