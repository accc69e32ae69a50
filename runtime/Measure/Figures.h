//===- Figures.h - Repeated measurements ------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_MEASURE_FIGURES_H
#define PMRT_MEASURE_FIGURES_H

#include "runtime/Comm/Transport.h"

#include <functional>
#include <string>
#include <vector>

namespace pmrt::measure {

/// What several turns took.
struct Seconds {
  double median = 0, least = 0, most = 0;

  /// The figures amount / seconds; the most of them took the least time.
  Seconds rate(double amount) const {
    return {amount / median, amount / most, amount / least};
  }
  Seconds times(double factor) const {
    return {median * factor, least * factor, most * factor};
  }
};

/// How much is done for a figure.
struct Effort {
  double seconds = 0.4; ///< about, of the turns of one
  /// Of transforms whose data fits in caches, and of others.
  std::vector<int64_t> numbers{int64_t(1) << 17, int64_t(1) << 22};
  int64_t bytes = int64_t(1) << 28;        ///< of two arrays that are copied
  int64_t messageBytes = int64_t(1) << 25; ///< that a rank sends at once
  int64_t longest = 2048;                  ///< length of a transform
  bool searches = true;                    ///< for fast plans of transforms

  /// Little, and the figures are rough.
  static Effort quick() {
    return {0.02, {1 << 15, 1 << 18}, 1 << 24, 1 << 21, 256, false};
  }
};

/// Runs `turn` once, and then for about `budget` seconds, at least five times.
Seconds time(const std::function<void()> &turn, double budget);

/// "12.3 # 11.9 to 12.4": a value of a machine file, and its spread.
std::string text(const Seconds &figure);

/// Of the processors of this machine together.
struct HostFigures {
  Seconds memory;        ///< bytes/s read and written
  Seconds single, exact; ///< operations/s in f32 and f64
  Seconds launch;        ///< seconds until all threads work
};
HostFigures measureHost(const Effort &effort);

/// Shares of `bandwidth` that transforms of these lengths use, if they read and
/// write so many bytes.
struct TransformFigures {
  double bytes = 0;
  std::vector<int64_t> lengths;
  std::vector<Seconds> single, exact;
};
/// For each of the effort's numbers.
std::vector<TransformFigures> measureTransforms(const Effort &effort,
                                                double bandwidth);

/// Of a transport, as one of its ranks sees it; a collective of all. Only the
/// first rank's are to be used.
struct MessageFigures {
  Seconds latency;   ///< seconds of a small message
  Seconds bandwidth; ///< bytes/s of all ranks together, in an all-to-all
  Seconds allReduce; ///< seconds of a number
  int64_t ranks = 0;
};
MessageFigures measureMessages(const Effort &effort, Transport &transport);
/// The same between ranks that are threads of this process.
MessageFigures measureThreads(const Effort &effort, int ranks);

} // namespace pmrt::measure

#endif // PMRT_MEASURE_FIGURES_H
