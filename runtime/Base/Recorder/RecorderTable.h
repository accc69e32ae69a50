//===- RecorderTable.h - What all ranks did last, as text -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the recorder's own files. Nothing here takes memory or a lock: the handler
// of a crash calls it.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_RECORDER_RECORDERTABLE_H
#define PMRT_BASE_RECORDER_RECORDERTABLE_H

#include "runtime/Base/Recorder/Recorder.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace pmrt {

/// A log that this process can read, and the lines of its program.
struct KnownLog {
  std::atomic<RankLog *> log;
  std::atomic<const std::vector<std::string> *> locations;
};

/// Signals belong to the process, and so does the list of what it can read. A
/// handler may read it at any time: places are taken and left, and never move.
extern std::array<KnownLog, 4096> knownLogs;

/// Text that goes on as soon as there is enough of it.
class RecorderText {
public:
  using Sink = void (*)(void *to, const char *text, size_t size);
  RecorderText(Sink sink, void *to) : sink(sink), to(to) {}
  ~RecorderText() { flush(); }
  RecorderText(const RecorderText &) = delete;
  RecorderText &operator=(const RecorderText &) = delete;

  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values &&...values) {
    constexpr size_t most = 512; // what one piece may have
    if (length + most > text.size())
      flush();
    const auto done =
        fmt::format_to_n(text.data() + length, text.size() - length, format,
                         std::forward<Values>(values)...);
    length = size_t(done.out - text.data());
  }
  void flush() {
    sink(to, text.data(), length);
    length = 0;
  }

private:
  Sink sink;
  void *to;
  std::array<char, 8192> text;
  size_t length = 0;
};

/// A log, as far as it can be read while it is written.
struct LogRow {
  const RankLog *log;
  const std::vector<std::string> *locations;

  int rank() const { return log->rank.load(std::memory_order_relaxed); }
  int64_t time(int64_t now) const { return log->copied ? log->copied : now; }
  /// Without the folders of its file.
  std::string_view lineOf(pmrt_loc loc) const {
    if (!locations || loc < 0 || size_t(loc) >= locations->size())
      return "-";
    std::string_view text = (*locations)[size_t(loc)];
    const size_t slash = text.substr(0, text.find(" (")).rfind('/');
    return slash == std::string_view::npos ? text : text.substr(slash + 1);
  }
  uint64_t first() const {
    const uint64_t count = log->calls.load(std::memory_order_acquire);
    return count - std::min<uint64_t>(count, log->ring.size());
  }
  const RankLog::Call &call(uint64_t number) const {
    return log->ring[number % log->ring.size()];
  }
  /// The innermost call that runs; null: none.
  const RankLog::Call *running() const {
    for (uint64_t i = log->calls.load(std::memory_order_acquire), end = first();
         i-- > end;)
      if (call(i).end.load(std::memory_order_relaxed) == 0)
        return &call(i);
    return nullptr;
  }
  bool waits() const {
    return log->waitsSince.load(std::memory_order_acquire) != 0;
  }
  size_t awaited() const {
    return waits() ? std::min(size_t(std::max(0, log->waits.load())),
                              log->awaited.size())
                   : 0;
  }
};

/// Of all ranks, in order. No more than there are places for.
struct LogRows {
  std::array<LogRow, knownLogs.size()> rows;
  size_t count = 0;

  void add(const RankLog *log, const std::vector<std::string> *locations) {
    if (count < rows.size())
      rows[count++] = {log, locations};
  }
  const LogRow *begin() const { return rows.data(); }
  const LogRow *end() const { return rows.data() + count; }
  void sort() {
    std::sort(
        rows.data(), rows.data() + count,
        [](const LogRow &a, const LogRow &b) { return a.rank() < b.rank(); });
  }
  const LogRow *find(int rank) const {
    const LogRow *row =
        std::lower_bound(begin(), end(), rank,
                         [](const LogRow &a, int b) { return a.rank() < b; });
    return row != end() && row->rank() == rank ? row : nullptr;
  }
};

/// Those that this process can read.
void addKnownLogs(LogRows &rows);

/// A line a rank, then who waits for whom, and whose calls differ.
void writeTable(RecorderText &to, LogRows &rows);

} // namespace pmrt

#endif // PMRT_BASE_RECORDER_RECORDERTABLE_H
