//===- Races.h - Finds races between threads of a kernel ------ -*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses to the same memory are in order if one thread makes them, or two
// threads of a block with a barrier between them. Others are a race if one of
// them writes, unless both are atomic. What was accessed is enough to know
// that; the order in which threads happened to run hides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_FAKE_RACES_H
#define PMC_TEST_GPU_FAKE_RACES_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace fakecuda {

enum class Access { Read, Write, Atomic };

/// Of one launch, whose blocks run one after the other.
class Races {
public:
  struct Thread {
    int block = -1, thread = -1;
    int barriers = 0; ///< that it has passed
  };

  /// Of `isShared` memory every block has its own. Accesses of less than a word
  /// of 4 bytes are not compared with those of the word.
  void add(uint64_t at, int bytes, Access access, Thread by, bool isShared);

  /// What is nobody's memory is a mistake, too.
  void addOutside(uint64_t at, Thread by);

  /// The first one, in words; empty: none.
  const std::string &getFirst() const { return first; }

private:
  /// Those that made accesses which are no race with one another: of any number
  /// the last ones of two threads and of two blocks say enough.
  struct Last {
    Thread one, other, outside;
    void add(Thread by);
  };
  struct Word {
    Thread writer;
    Last readers, changers; ///< changers: atomically
  };
  void check(uint64_t at, const Thread &before, const Thread &now,
             bool isShared, const char *what);
  void check(uint64_t at, const Last &before, const Thread &now, bool isShared,
             const char *what);

  /// Neighbors lie together: most accesses find theirs without a search.
  static constexpr uint64_t pageWords = 64;
  using Page = std::array<Word, pageWords>;
  struct Recent {
    uint64_t number = ~uint64_t(0);
    Page *page = nullptr;
  };
  Word &getWord(uint64_t at, int bytes);

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  std::array<Recent, 256> recent;
  /// What is smaller than a word, or lies across two.
  std::unordered_map<uint64_t, Word> parts;
  std::string first;
};

} // namespace fakecuda

#endif // PMC_TEST_GPU_FAKE_RACES_H
