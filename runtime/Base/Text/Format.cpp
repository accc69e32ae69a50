//===- Format.cpp - Sizes and times for people ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Format.h"

#include "runtime/Base/Text/MessageSink.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fmt/format.h>

using namespace pmrt;

std::string pmrt::bytesText(double bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes)
                   : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string pmrt::secondsText(double seconds) {
  if (seconds < 1e-3)
    return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1)
    return fmt::format("{:.2f} ms", seconds * 1e3);
  if (seconds < 99.95)
    return fmt::format("{:.1f} s", seconds);
  const auto whole = int64_t(std::llround(seconds));
  if (whole < 3600)
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string pmrt::shapeText(const std::vector<int64_t> &shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

std::string pmrt::indexText(const std::vector<int64_t> &shape, int64_t linear) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = shape[d] ? linear % shape[d] : 0;
    linear = shape[d] ? linear / shape[d] : 0;
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

std::string pmrt::utcNow() {
  const std::time_t time = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string pmrt::printTo(std::FILE *stream, const std::string &text) {
  std::clearerr(stream);
  errno = 0;
  const bool good =
      std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
      std::fflush(stream) == 0;
  if (good || errno == EPIPE || errno == EBADF)
    return "";
  return fmt::format("cannot write to standard {}: {}",
                     stream == stderr ? "error" : "output",
                     std::strerror(errno));
}

void pmrt::printMessage(const std::string &text) {
  printTo(stderr, printable(text));
}

namespace {

class StandardStreams : public MessageSink {
public:
  std::string print(const std::string &text) override {
    return printTo(stdout, text);
  }
  void message(const std::string &text) override { printMessage(text); }
};

} // namespace

MessageSink &pmrt::standardStreams() {
  static StandardStreams streams;
  return streams;
}

static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> previous2, previous(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1,
                         previous[j - 1] + (a[i - 1] != b[j - 1])});
      // Two neighboring letters swapped are one mistake.
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], previous2[j - 2] + 1);
    }
    previous2 = previous;
    previous = row;
  }
  return previous[b.size()];
}

int pmrt::closest(const std::string &word,
                  const std::vector<std::string> &candidates) {
  int best = -1;
  if (word.size() < 2)
    return best; // everything is close to it
  size_t bestDistance = std::max<size_t>(1, (word.size() + 1) / 3) + 1;
  for (size_t i = 0; i < candidates.size(); ++i) {
    size_t distance = editDistance(word, candidates[i]);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = int(i);
    }
  }
  return best;
}
