//===- Mutate.h - Specs with mistakes ---------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes real specs apart along their syntax trees and puts them together
// wrongly: most results parse, and some still mean something.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_FUZZ_MUTATE_H
#define PMC_TEST_FUZZ_MUTATE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pmc::fuzz {

/// The same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// 0 <= result < n; 0 for n = 0.
  size_t below(size_t n) { return n ? next() % n : 0; }
  bool oneIn(size_t n) { return below(n) == 0; }
  template <typename T> const T &pick(const std::vector<T> &list) {
    return list[below(list.size())];
  }

private:
  uint64_t state;
};

/// Bytes [begin, end) of a text.
struct Span {
  size_t begin, end;
};

/// A spec and its parts.
struct Sample {
  std::string path, text;
  bool parses = false;
  std::vector<Span> names, numbers, strings, operators, keywords;
  std::vector<Span> exprs, statements;
  std::vector<std::vector<Span>> lists; // arguments, tuples, entries
};

class Corpus {
public:
  /// Reads every .pm file below `folder`, in order of their names.
  void add(llvm::StringRef folder);
  size_t size() const { return samples.size(); }

  /// The input of that number: a function of `seed` and `number`.
  std::string input(uint64_t seed, uint64_t number) const;

private:
  void analyse(Sample &sample);
  using Edit = std::pair<Span, std::string>;
  void edit(Random &random, const Sample &sample,
            std::vector<Edit> &edits) const;
  std::string otherName(Random &random, const Sample &sample) const;
  std::string otherExpr(Random &random, const Sample &sample) const;
  std::string otherStatement(Random &random, const Sample &sample) const;
  static void damage(Random &random, std::string &text);

  std::vector<Sample> samples;
  std::vector<size_t> good; // the samples that parse
};

/// The tokens of a text with other blanks, newlines and comments between them,
/// mostly where the grammar allows it.
std::string disturb(Random &random, llvm::StringRef text);

} // namespace pmc::fuzz

#endif // PMC_TEST_FUZZ_MUTATE_H
