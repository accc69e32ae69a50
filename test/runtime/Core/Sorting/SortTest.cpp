//===- SortTest.cpp - Fields sorted along a dim ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Sorting/RadixSort.h"
#include "test/runtime/Host/Contractions.h"

#include <numeric>
#include <random>

using namespace pmrt;
using namespace pmrt::test;

namespace {

struct SortCase {
  int64_t outer, cells, inner;
  bool descending = false;

  size_t size() const { return size_t(outer * cells * inner); }
};

template <typename T> pmrt_element sortedElement() {
  return std::is_same_v<T, float>    ? PMRT_F32
         : std::is_same_v<T, double> ? PMRT_F64
                                     : PMRT_I64;
}

/// Some equal, some not finite.
template <typename T> std::vector<T> numbers(size_t size) {
  std::mt19937_64 random(7);
  std::vector<T> values(size);
  for (T &value : values) {
    const auto bits = random();
    if constexpr (std::is_integral_v<T>) {
      value = T(bits) >> (bits % 64);
      continue;
    }
    const double number =
        std::ldexp(double(int64_t(bits)), int(bits % 90) - 90);
    value = bits % 3 == 0 ? T(std::round(number * 1e-12)) : T(number);
    if (bits % 17 == 0)
      value = bits % 5 == 0   ? std::numeric_limits<T>::quiet_NaN()
              : bits % 5 == 1 ? -std::numeric_limits<T>::quiet_NaN()
              : bits % 5 == 2 ? std::numeric_limits<T>::infinity()
              : bits % 5 == 3 ? -std::numeric_limits<T>::infinity()
                              : T(-0.0);
  }
  return values;
}

template <typename T> bool isBefore(T a, T b, bool descending) {
  if (a != a || b != b)
    return a == a;
  return descending ? b < a : a < b;
}

template <typename T, typename Out>
std::vector<Out> made(const SortCase &one, pmrt_sort_kind kind,
                      std::vector<T> values, std::vector<int64_t> within,
                      int threads) {
  LetterDims letters(
      {"oci", "", "", {{'o', one.outer}, {'c', one.cells}, {'i', one.inner}}});
  std::vector<Out> out(one.size());
  Settings settings;
  settings.threads = threads;
  onRanks({}, letters.program, settings, [&](pmrt_context &ctx) {
    const auto dims = dimsOf("oci", letters.dims);
    const pmrt_array in = arrayOver(values.data(), sortedElement<T>(), dims),
                     by = arrayOver(within.data(), PMRT_I64, dims),
                     to = arrayOver(out.data(), sortedElement<Out>(), dims);
    pmrt_sort(&ctx, nullptr, 0, &in, within.empty() ? nullptr : &by, &to, 1,
              kind, one.descending);
  });
  return out;
}

template <typename T> void check(const SortCase &one, int threads) {
  SCOPED_TRACE(fmt::format("{} x {} x {}, {} threads", one.outer, one.cells,
                           one.inner, threads));
  const std::vector<T> values = numbers<T>(one.size());
  std::vector<int64_t> within(one.size());
  for (size_t i = 0; i < one.size(); ++i)
    within[i] = int64_t(i * i % 5) - 2;
  const auto sorted = made<T, T>(one, PMRT_SORT_VALUES, values, {}, threads);
  for (const bool isWithin : {false, true}) {
    const std::vector<int64_t> by = isWithin ? within : std::vector<int64_t>();
    const auto order =
        made<T, int64_t>(one, PMRT_SORT_ORDER, values, by, threads);
    const auto ranks =
        made<T, int64_t>(one, PMRT_SORT_RANKS, values, by, threads);
    std::vector<int64_t> expected(static_cast<size_t>(one.cells));
    for (int64_t line = 0; line < one.outer * one.inner; ++line) {
      const auto place = [&](int64_t i) {
        return size_t((line / one.inner * one.cells + i) * one.inner +
                      line % one.inner);
      };
      std::iota(expected.begin(), expected.end(), 0);
      std::stable_sort(
          expected.begin(), expected.end(), [&](int64_t a, int64_t b) {
            if (isWithin && within[place(a)] != within[place(b)])
              return within[place(a)] < within[place(b)];
            return isBefore(values[place(a)], values[place(b)], one.descending);
          });
      int64_t first = 0;
      for (int64_t i = 0; i < one.cells; ++i) {
        const int64_t at = expected[size_t(i)];
        ASSERT_EQ(order[place(i)], at);
        if (isWithin &&
            within[place(at)] != within[place(expected[size_t(first)])])
          first = i;
        ASSERT_EQ(ranks[place(at)], i - first);
        if (isWithin)
          continue;
        const T value = values[place(at)], found = sorted[place(i)];
        ASSERT_TRUE(found == value || (found != found && value != value));
      }
    }
  }
}

template <typename T> void checkAll() {
  for (const int threads : {1, 3})
    for (const SortCase &one :
         {SortCase{1, 1, 1}, SortCase{5, 1, 3}, SortCase{2, 2, 2},
          SortCase{3, 40, 11}, SortCase{3, 40, 11, true}, SortCase{7, 601, 1},
          SortCase{2, 700, 9, true}, SortCase{1, 131073, 1},
          SortCase{1, 140003, 2, true}})
      check<T>(one, threads);
}

} // namespace

TEST(Sort, Floats) { checkAll<float>(); }
TEST(Sort, Doubles) { checkAll<double>(); }
TEST(Sort, Ints) { checkAll<int64_t>(); }

TEST(Sort, KeysKeepValues) {
  for (const double value : {-0.0, 0.0, 1.5, -3e300, 5e-324, HUGE_VAL})
    for (const bool descending : {false, true}) {
      const double found = SortKey<double>::value(
          SortKey<double>::of(value, descending), descending);
      EXPECT_EQ(found, value);
      EXPECT_EQ(std::signbit(found), std::signbit(value));
    }
}
