//===- Recorder.cpp - What a rank did last --------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the handler of a crash calls takes no memory and no lock.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Recorder.h"

#include "runtime/Base/Format.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pmrt;

namespace {

/// A log that this process can read, and the lines of its program.
struct Known {
  std::atomic<RankLog *> log;
  std::atomic<const std::vector<std::string> *> locations;
};

} // namespace

// Signals belong to the process, and so does the list of what it can read. A
// handler may read it at any time: places are taken and left, and never move.
static std::array<Known, 4096> known;
static std::atomic<int> askedEnd{-1}; // of the teller's pipe

int64_t Recorder::now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

static void remember(RankLog *log, const std::vector<std::string> &locations) {
  for (Known &place : known) {
    RankLog *none = nullptr;
    if (!place.log.compare_exchange_strong(none, log))
      continue;
    place.locations = &locations;
    return;
  }
}

static void replace(RankLog *log, RankLog *by) {
  for (Known &place : known) {
    RankLog *old = log;
    if (place.log.compare_exchange_strong(old, by))
      return;
  }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Memory of a log, shared or not.
struct Recorder::Mapping {
  explicit Mapping(int file, int own = -1) : own(own) {
    memory = mmap(nullptr, sizeof(RankLog), PROT_READ | PROT_WRITE,
                  file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
  }
  ~Mapping() {
    if (log)
      replace(log, nullptr);
    if (memory != MAP_FAILED)
      munmap(memory, sizeof(RankLog));
    if (own >= 0)
      close(own);
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  bool there() const { return memory != MAP_FAILED; }

  void *memory;
  RankLog *log = nullptr; ///< in it, if it is known
  int own;                ///< the descriptor that others open
};

Recorder::Recorder(int rank, const std::vector<std::string> &locations)
    : locations(locations) {
  auto mapping = std::make_unique<Mapping>(-1);
  if (!mapping->there())
    throw std::bad_alloc();
  log = mapping->log = new (mapping->memory) RankLog();
  log->rank = rank;
  log->process = int(getpid());
  log->step = -1;
  remember(log, locations);
  mappings.push_back(std::move(mapping));
}

Recorder::~Recorder() = default;

uint64_t Recorder::enter(const char *name, pmrt_loc loc, int64_t bytes) {
  const uint64_t number = log->calls.load(std::memory_order_relaxed);
  RankLog::Call &call = log->ring[number % log->ring.size()];
  std::array<uint64_t, RankLog::nameWords> words = {};
  std::memcpy(words.data(), name, strnlen(name, sizeof words - 1));
  call.end.store(0, std::memory_order_relaxed);
  for (size_t i = 0; i < words.size(); ++i)
    call.name[i].store(words[i], std::memory_order_relaxed);
  call.loc.store(loc, std::memory_order_relaxed);
  call.bytes.store(bytes, std::memory_order_relaxed);
  call.begin.store(now(), std::memory_order_relaxed);
  log->calls.store(number + 1, std::memory_order_release);
  return number;
}

void Recorder::waits(const std::vector<Awaited> &others) {
  const size_t shown = std::min(others.size(), log->awaited.size());
  for (size_t i = 0; i < shown; ++i) {
    const int64_t bytes = others[i].bytes;
    log->awaited[i].rank.store(others[i].rank, std::memory_order_relaxed);
    log->awaited[i].bytes.store(others[i].receives ? -bytes : bytes,
                                std::memory_order_relaxed);
  }
  log->waits.store(int32_t(others.size()), std::memory_order_relaxed);
  if (log->waitsSince.load(std::memory_order_relaxed) == 0)
    log->waitsSince.store(now(), std::memory_order_release);
}

int Recorder::share() {
  const int file = memfd_create("pmrt-recorder", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  auto mapping = std::unique_ptr<Mapping>();
  if (ftruncate(file, sizeof(RankLog)) == 0)
    mapping = std::make_unique<Mapping>(file, file);
  if (!mapping || !mapping->there()) {
    if (!mapping)
      close(file);
    return -1;
  }
  std::memcpy(mapping->memory, static_cast<const void *>(log), sizeof(RankLog));
  auto *moved = std::launder(static_cast<RankLog *>(mapping->memory));
  replace(log, moved);
  mappings.front()->log = nullptr; // stays: a handler may just read it
  log = mapping->log = moved;
  mappings.push_back(std::move(mapping));
  return file;
}

bool Recorder::readOther(int process, int descriptor) {
  const int file =
      open(fmt::format("/proc/{}/fd/{}", process, descriptor).c_str(),
           O_RDWR | O_CLOEXEC);
  if (file < 0)
    return false;
  struct stat facts = {};
  const bool fits =
      fstat(file, &facts) == 0 && facts.st_size == off_t(sizeof(RankLog));
  auto mapping = std::make_unique<Mapping>(file);
  close(file);
  if (!fits || !mapping->there())
    return false;
  mapping->log = std::launder(static_cast<RankLog *>(mapping->memory));
  remember(mapping->log, locations);
  mappings.push_back(std::move(mapping));
  return true;
}

std::string Recorder::bytes() const {
  std::string copy(sizeof(RankLog), '\0');
  std::memcpy(copy.data(), static_cast<const void *>(log), sizeof(RankLog));
  const int64_t time = now();
  std::memcpy(copy.data() + offsetof(RankLog, copied), &time, sizeof time);
  return copy;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Text that goes on as soon as there is enough of it.
class Writer {
public:
  using Sink = void (*)(void *to, const char *text, size_t size);
  Writer(Sink sink, void *to) : sink(sink), to(to) {}
  ~Writer() { flush(); }
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;

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

/// A log, as far as it can be read while it is written.
struct Row {
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
struct Rows {
  std::array<Row, known.size()> rows;
  size_t count = 0;

  void add(const RankLog *log, const std::vector<std::string> *locations) {
    if (count < rows.size())
      rows[count++] = {log, locations};
  }
  const Row *begin() const { return rows.data(); }
  const Row *end() const { return rows.data() + count; }
  void sort() {
    std::sort(rows.data(), rows.data() + count,
              [](const Row &a, const Row &b) { return a.rank() < b.rank(); });
  }
  const Row *find(int rank) const {
    const Row *row = std::lower_bound(
        begin(), end(), rank, [](const Row &a, int b) { return a.rank() < b; });
    return row != end() && row->rank() == rank ? row : nullptr;
  }
};

} // namespace

/// The process has ended, or is a zombie.
static bool hasEnded(int process) {
  std::array<char, 64> path = {}, text = {};
  *fmt::format_to_n(path.data(), path.size() - 1, "/proc/{}/stat", process)
       .out = '\0';
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return errno == ENOENT;
  const ssize_t size = read(file, text.data(), text.size() - 1);
  close(file);
  const char *end = size > 0 ? std::strrchr(text.data(), ')') : nullptr;
  return size <= 0 || (end && end[1] && (end[2] == 'Z' || end[2] == 'X'));
}

/// Why it makes no calls any more; "" if it may.
static const char *endOf(const Row &row, int self) {
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
  explicit RankList(Writer &to) : to(to) {}
  void add(int rank) {
    constexpr int most = 16;
    if (count < most)
      to.add("{}{}", count ? ", " : "", rank);
    ++count;
    if (count == most + 1)
      to.add(", ...");
  }

private:
  Writer &to;
  int count = 0;
};

static void writeRow(Writer &to, const Row &row, int64_t now, int self) {
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
    if (const int64_t done = row.call(i).end.load(); done > last) {
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
static bool writeCauses(Writer &to, const Rows &rows, int self) {
  std::array<uint64_t, known.size() / 64> told = {}; // by places
  bool any = false;
  for (const Row &row : rows)
    for (size_t i = 0; i < row.awaited(); ++i) {
      const int rank = row.log->awaited[i].rank.load();
      const Row *other = rows.find(rank);
      if (other && other->waits() && !*endOf(*other, self))
        continue;
      any = true;
      const size_t place = other ? size_t(other - rows.begin()) : 0;
      if (other && (told[place / 64] >> place % 64 & 1))
        continue;
      if (other)
        told[place / 64] |= uint64_t(1) << place % 64;
      to.add("waited for: rank {}, which {}\n", rank,
             !other ? "is of another machine and has not answered"
             : *endOf(*other, self) ? endOf(*other, self)
                                    : "waits for nobody");
    }
  return any;
}

/// If all wait for each other, some make other calls than the others, or the
/// same with other arguments.
static void writeDifferences(Writer &to, const Rows &rows) {
  auto alike = [](const Row &a, const Row &b) {
    const RankLog::Call *one = a.running(), *two = b.running();
    return one && two && one->loc.load() == two->loc.load() &&
           Name(*one).letters == Name(*two).letters &&
           a.log->iterations.load() == b.log->iterations.load();
  };
  auto isFirst = [&](const Row &row) {
    return std::none_of(rows.begin(), &row, [&](const Row &before) {
      return before.waits() && alike(before, row);
    });
  };
  int groups = 0;
  for (const Row &row : rows)
    groups += row.waits() && row.running() && isFirst(row);
  if (groups > 1)
    for (const Row &row : rows) {
      const RankLog::Call *call = row.running();
      if (!row.waits() || !call || !isFirst(row))
        continue;
      to.add("calls differ: {} ({}) in step {} of ranks ", Name(*call).text(),
             row.lineOf(call->loc.load()), row.log->step.load() + 1);
      RankList list(to);
      for (const Row &other : rows)
        if (&other == &row || (other.waits() && alike(row, other)))
          list.add(other.rank());
      to.add("\n");
    }
  for (const Row &row : rows)
    for (size_t i = 0; i < row.awaited(); ++i) {
      const int64_t mine = row.log->awaited[i].bytes.load();
      const Row *other = rows.find(row.log->awaited[i].rank.load());
      for (size_t j = 0; mine < 0 && other && j < other->awaited(); ++j)
        if (const int64_t theirs = other->log->awaited[j].bytes.load();
            other->log->awaited[j].rank.load() == row.rank() && theirs >= 0 &&
            theirs != -mine)
          to.add("arguments differ: rank {} receives {} B of rank {}, which "
                 "sends {} B\n",
                 row.rank(), -mine, other->rank(), theirs);
    }
}

static void writeTable(Writer &to, Rows &rows) {
  rows.sort();
  const int64_t now =
      std::chrono::steady_clock::now().time_since_epoch().count();
  const int self = int(getpid());
  to.add("{:>5}  {:<16}  {:>10}{:>9}{:>13}  {:<20}\n", "rank", "call", "for",
         "step", "bytes", "line");
  for (const Row &row : rows)
    writeRow(to, row, now, self);
  if (std::any_of(rows.begin(), rows.end(),
                  [](const Row &row) { return row.waits(); }) &&
      !writeCauses(to, rows, self))
    writeDifferences(to, rows);
}

static void addKnown(Rows &rows) {
  for (const Known &place : known)
    if (const RankLog *log = place.log.load())
      rows.add(log, place.locations.load());
}

std::string Recorder::table(const std::vector<const RankLog *> &more) {
  auto rows = std::make_unique<Rows>();
  addKnown(*rows);
  const size_t here = rows->count;
  const auto *locations = here ? rows->rows[0].locations : nullptr;
  for (const RankLog *log : more)
    if (std::none_of(rows->begin(), rows->begin() + here, [&](const Row &row) {
          return row.rank() == log->rank.load();
        }))
      rows->add(log, locations);
  std::string text;
  {
    Writer to(
        [](void *all, const char *part, size_t size) {
          static_cast<std::string *>(all)->append(part, size);
        },
        &text);
    writeTable(to, *rows);
  }
  return text;
}

std::shared_ptr<const RankLog> Recorder::fromBytes(const std::string &bytes) {
  if (bytes.size() != sizeof(RankLog))
    return nullptr;
  auto log = std::make_shared<RankLog>();
  std::memcpy(static_cast<void *>(log.get()), bytes.data(), bytes.size());
  return log;
}

bool Recorder::isFirstToTell() {
  // Of all processes of the machine, as a launcher hands the signal to all.
  RankLog *least = nullptr;
  for (const Known &place : known)
    if (RankLog *log = place.log.load();
        log && (!least || log->rank < least->rank))
      least = log;
  if (!least)
    return true;
  constexpr int64_t pause = 1'000'000'000;
  const int64_t time = now();
  int64_t before = least->told.load();
  return time - before > pause &&
         least->told.compare_exchange_strong(before, time);
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
  const int self = int(getpid());
  static Rows rows;
  addKnown(rows);
  for (const Known &place : known)
    if (RankLog *log = place.log.load(); log && log->process == self)
      log->state = RankLog::Crashed;
  {
    Writer to([](void *, const char *text,
                 size_t size) { (void)!write(STDERR_FILENO, text, size); },
              nullptr);
    // On lines of their own: progress goes on being written meanwhile.
    to.add("\nthe program has crashed (signal {}); what ranks did:\n", signal);
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
        printTo(stderr, "what ranks do (SIGUSR2):\n" + Recorder::table());
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
