//===- RecorderTable.cpp - What all ranks did last, as text ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Recorder/RecorderTable.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace pmrt;

namespace {

/// A call's name.
struct Name {
  std::array<char, RankLog::nameWords * 8> letters = {};
  explicit Name(const RankLog::Call &call) {
    for (size_t i = 0; i < call.name.size(); ++i) {
      const uint64_t word = call.name[i].load(std::memory_order_relaxed);
      std::memcpy(letters.data() + 8 * i, &word, 8);
    }
    letters.back() = '\0';
  }
  const char *text() const { return letters.data(); }
};

} // namespace

/// The process has ended, is a zombie, or is on its way there: its connections
/// close before the kernel calls it a zombie.
static bool hasEnded(int process) {
  std::array<char, 64> path = {};
  std::array<char, 160> text = {};
  *fmt::format_to_n(path.data(), path.size() - 1, "/proc/{}/stat", process)
       .out = '\0';
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return errno == ENOENT;
  const ssize_t size = read(file, text.data(), text.size() - 1);
  close(file);
  const char *at = size > 0 ? std::strrchr(text.data(), ')') : nullptr;
  if (size <= 0 || !at || !at[1])
    return size <= 0;
  if (at[2] == 'Z' || at[2] == 'X')
    return true;
  // After the state: parent, group, session, terminal, its group, flags.
  constexpr unsigned long exiting = 0x4; // PF_EXITING of the kernel
  for (int field = 0; at && field < 7; ++field)
    at = std::strchr(at + 1, ' ');
  return at && (std::strtoul(at, nullptr, 10) & exiting) != 0;
}

/// Why it makes no calls any more; "" if it may.
static const char *endOf(const LogRow &row, int self) {
  switch (row.log->state.load(std::memory_order_relaxed)) {
  case RankLog::Done:
    return "is done";
  case RankLog::Failed:
    return "has failed";
  case RankLog::Crashed:
    return "has crashed";
  default:
    break;
  }
  const int process = row.log->process.load(std::memory_order_relaxed);
  return !row.log->copied && process != self && hasEnded(process) ? "has ended"
                                                                  : "";
}

/// "rank 2", "ranks 0, 1, 3", at most so many.
class RankList {
public:
  explicit RankList(RecorderText &to) : to(to) {}
  void add(int rank) {
    constexpr int most = 16;
    if (count < most)
      to.add("{}{}", count ? ", " : "", rank);
    ++count;
    if (count == most + 1)
      to.add(", ...");
  }

private:
  RecorderText &to;
  int count = 0;
};

static void writeRow(RecorderText &to, const LogRow &row, int64_t now,
                     int self) {
  auto seconds = [](int64_t from, int64_t until) {
    return 1e-9 * double(std::max<int64_t>(0, until - from));
  };
  const RankLog &log = *row.log;
  const int64_t time = row.time(now);
  const char *end = endOf(row, self);
  const RankLog::Call *running = row.running();
  int64_t last = 0, bytes = 0;
  pmrt_loc loc = -1;
  const uint64_t count = log.calls.load(std::memory_order_acquire),
                 first = row.first();
  for (uint64_t i = first; i < count; ++i)
    // Brief calls that follow each other end at the same time.
    if (const int64_t done = row.call(i).end.load(); done >= last) {
      last = done;
      loc = row.call(i).loc.load();
      bytes = row.call(i).bytes.load();
    }
  if (running) {
    last = running->begin.load();
    loc = running->loc.load();
    bytes = running->bytes.load();
  }
  const Name name = running ? Name(*running) : Name(row.call(0));
  to.add("{:>5}  {:<16}  ", row.rank(),
         running      ? name.text()
         : *end       ? end
         : count == 0 ? "has not begun"
                      : "between calls");
  if (count == 0)
    to.add("{:>10}", "-");
  else
    to.add("{:>8.3g} s", seconds(last, time));
  if (const int64_t step = log.step.load(); step >= 0)
    to.add("{:>9}", step + 1);
  else
    to.add("{:>9}", "-");
  if (bytes > 0)
    to.add("{:>13}", bytes);
  else
    to.add("{:>13}", "-");
  to.add("  {:<20.60}  ", row.lineOf(loc));
  // Calls may be within others.
  if (running && *end)
    to.add("{}; ", end);
  for (uint64_t i = count; running && i-- > first;)
    if (&row.call(i) != running && row.call(i).end.load() == 0)
      to.add("within {}; ", Name(row.call(i)).text());
  if (row.waits()) {
    to.add("waits {:.3g} s for ", seconds(log.waitsSince.load(), time));
    for (size_t i = 0; i < row.awaited(); ++i) {
      const int64_t size = log.awaited[i].bytes.load();
      to.add("{}{} ({} {} B)", i ? ", " : "", log.awaited[i].rank.load(),
             size < 0 ? "receives" : "sends", size < 0 ? -size : size);
    }
    if (size_t(log.waits.load()) > row.awaited())
      to.add(" and {} more", size_t(log.waits.load()) - row.awaited());
    to.add("; ");
  }
  int done = 0;
  for (uint64_t i = count; i-- > first && done < 5;) {
    const RankLog::Call &call = row.call(i);
    if (const int64_t until = call.end.load())
      to.add("{}{} {:.3g} s", done++ ? ", " : "before: ", Name(call).text(),
             seconds(call.begin.load(), until));
  }
  to.add("\n");
}

/// Who is waited for and does not wait: the others are held up by them.
static bool writeCauses(RecorderText &to, const LogRows &rows, int self) {
  std::array<uint64_t, knownLogs.size() / 64> told = {}; // by places
  bool any = false;
  for (const LogRow &row : rows)
    for (size_t i = 0; i < row.awaited(); ++i) {
      const int rank = row.log->awaited[i].rank.load();
      const LogRow *other = rows.find(rank);
      if (other && other->waits() && !*endOf(*other, self))
        continue;
      any = true;
      const size_t place = other ? size_t(other - rows.begin()) : 0;
      if (other && (told[place / 64] >> place % 64 & 1))
        continue;
      if (other)
        told[place / 64] |= uint64_t(1) << place % 64;
      to.add("waited for: rank {}, which {}\n", rank,
             !other ? "is on another machine and has not responded"
             : *endOf(*other, self) ? endOf(*other, self)
                                    : "does not wait");
    }
  return any;
}

/// If all wait for each other, some make other calls than the others, or the
/// same with other arguments.
static void writeDifferences(RecorderText &to, const LogRows &rows) {
  auto alike = [](const LogRow &a, const LogRow &b) {
    const RankLog::Call *one = a.running(), *two = b.running();
    return one && two && one->loc.load() == two->loc.load() &&
           Name(*one).letters == Name(*two).letters &&
           a.log->iterations.load() == b.log->iterations.load();
  };
  auto isFirst = [&](const LogRow &row) {
    return std::none_of(rows.begin(), &row, [&](const LogRow &before) {
      return before.waits() && alike(before, row);
    });
  };
  int groups = 0;
  for (const LogRow &row : rows)
    groups += row.waits() && row.running() && isFirst(row);
  if (groups > 1)
    for (const LogRow &row : rows) {
      const RankLog::Call *call = row.running();
      if (!row.waits() || !call || !isFirst(row))
        continue;
      to.add("calls differ: {} ({}) in step {} of ranks ", Name(*call).text(),
             row.lineOf(call->loc.load()), row.log->step.load() + 1);
      RankList list(to);
      for (const LogRow &other : rows)
        if (&other == &row || (other.waits() && alike(row, other)))
          list.add(other.rank());
      to.add("\n");
    }
  for (const LogRow &row : rows)
    for (size_t i = 0; i < row.awaited(); ++i) {
      const int64_t mine = row.log->awaited[i].bytes.load();
      const LogRow *other = rows.find(row.log->awaited[i].rank.load());
      for (size_t j = 0; mine < 0 && other && j < other->awaited(); ++j)
        if (const int64_t theirs = other->log->awaited[j].bytes.load();
            other->log->awaited[j].rank.load() == row.rank() && theirs >= 0 &&
            theirs != -mine)
          to.add("arguments differ: rank {} expects {} B from rank {}, which "
                 "sends {} B\n",
                 row.rank(), -mine, other->rank(), theirs);
    }
}

void pmrt::writeTable(RecorderText &to, LogRows &rows) {
  rows.sort();
  const int64_t now =
      std::chrono::steady_clock::now().time_since_epoch().count();
  const int self = int(getpid());
  to.add("{:>5}  {:<16}  {:>10}{:>9}{:>13}  {:<20}\n", "rank", "call", "for",
         "step", "bytes", "line");
  for (const LogRow &row : rows)
    writeRow(to, row, now, self);
  if (std::any_of(rows.begin(), rows.end(),
                  [](const LogRow &row) { return row.waits(); }) &&
      !writeCauses(to, rows, self))
    writeDifferences(to, rows);
}

void pmrt::addKnownLogs(LogRows &rows) {
  for (const KnownLog &place : knownLogs)
    if (const RankLog *log = place.log.load())
      rows.add(log, place.locations.load());
}

std::string Recorder::table(const std::vector<const RankLog *> &more) {
  auto rows = std::make_unique<LogRows>();
  addKnownLogs(*rows);
  const size_t here = rows->count;
  const auto *locations = here ? rows->rows[0].locations : nullptr;
  for (const RankLog *log : more)
    if (std::none_of(
            rows->begin(), rows->begin() + here,
            [&](const LogRow &row) { return row.rank() == log->rank.load(); }))
      rows->add(log, locations);
  std::string text;
  {
    RecorderText to(
        [](void *all, const char *part, size_t size) {
          static_cast<std::string *>(all)->append(part, size);
        },
        &text);
    writeTable(to, *rows);
  }
  return text;
}
