//===- Contractions.h - Contractions to test --------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_RUNTIME_CONTRACTIONS_H
#define PMC_TEST_RUNTIME_CONTRACTIONS_H

#include "runtime/Base/ReducedPrecision.h"
#include "runtime/Core/WhiteNoise.h"
#include "test/runtime/Ranks.h"

#include <array>

namespace pmrt::test {

/// a and b over dims of these extents, by letters, and what of them is kept:
/// "ik,kj->ij".
struct ContractionCase {
  std::string a, b, c;
  std::map<char, int64_t> cells;

  static int64_t count(const std::string &dims,
                       const std::map<char, int64_t> &cells) {
    int64_t count = 1;
    for (char d : dims)
      count *= cells.at(d);
    return count;
  }
  static int64_t place(const std::string &dims,
                       const std::map<char, int64_t> &cells,
                       const std::map<char, int64_t> &at) {
    int64_t place = 0;
    for (char d : dims)
      place = place * cells.at(d) + at.at(d);
    return place;
  }
  /// Elements between neighbors along `d`; 0 if the array has no such dim.
  static int64_t stride(const std::string &dims,
                        const std::map<char, int64_t> &cells, char d) {
    const size_t position = dims.find(d);
    return position == std::string::npos
               ? 0
               : count(dims.substr(position + 1), cells);
  }
};

inline std::vector<ContractionCase> contractionCases() {
  return {
      {"ik", "kj", "ij", {{'i', 37}, {'k', 29}, {'j', 45}}},
      {"ik", "kj", "ij", {{'i', 64}, {'k', 1500}, {'j', 48}}},
      {"ik", "kj", "ij", {{'i', 530}, {'k', 70}, {'j', 600}}},
      {"ki", "kj", "ij", {{'i', 40}, {'k', 64}, {'j', 50}}},
      {"ik", "jk", "ij", {{'i', 40}, {'k', 64}, {'j', 50}}},
      {"ki", "jk", "ji", {{'i', 40}, {'k', 64}, {'j', 50}}},
      {"bik", "kj", "bij", {{'b', 3}, {'i', 20}, {'k', 30}, {'j', 17}}},
      {"bik", "bkj", "bij", {{'b', 5}, {'i', 20}, {'k', 30}, {'j', 17}}},
      {"ibk", "kbj", "ijb", {{'b', 5}, {'i', 20}, {'k', 30}, {'j', 17}}},
      {"kil", "ljk", "ij", {{'k', 9}, {'i', 21}, {'l', 40}, {'j', 18}}},
      {"bcik",
       "kcj",
       "ibjc",
       {{'b', 2}, {'c', 3}, {'i', 11}, {'k', 600}, {'j', 13}}},
      {"ik", "k", "i", {{'i', 33}, {'k', 700}}},
      {"k", "kj", "j", {{'j', 33}, {'k', 700}}},
      {"k", "k", "", {{'k', 5000}}},
      {"i", "j", "ij", {{'i', 7}, {'j', 9}}},
      {"xic", "xjc", "ij", {{'x', 1200}, {'i', 4}, {'j', 5}, {'c', 3}}},
  };
}

/// The sums, and those of absolute values, which errors are measured by.
struct Expected {
  std::vector<double> sums, sizes;
};

template <typename A, typename B>
Expected expectedOf(const ContractionCase &one, const std::vector<A> &a,
                    const std::vector<B> &b) {
  Expected result;
  const auto size = size_t(ContractionCase::count(one.c, one.cells));
  result.sums.resize(size);
  result.sizes.resize(size);
  // An odometer over all dims, and the offset in each array, because place()
  // takes minutes under sanitizers.
  struct Wheel {
    int64_t cells, position;
    std::array<int64_t, 3> strides; // of a, b and c
  };
  std::vector<Wheel> wheels;
  int64_t count = 1;
  for (const auto &[d, cells] : one.cells) {
    wheels.push_back({cells,
                      0,
                      {ContractionCase::stride(one.a, one.cells, d),
                       ContractionCase::stride(one.b, one.cells, d),
                       ContractionCase::stride(one.c, one.cells, d)}});
    count *= cells;
  }
  std::array<int64_t, 3> offsets = {};
  for (int64_t i = 0; i < count; ++i) {
    const double product =
        double(a[size_t(offsets[0])]) * double(b[size_t(offsets[1])]);
    result.sums[size_t(offsets[2])] += product;
    result.sizes[size_t(offsets[2])] += std::abs(product);
    for (Wheel &wheel : wheels) {
      const int64_t step = ++wheel.position < wheel.cells ? 1 : 1 - wheel.cells;
      for (size_t array = 0; array < offsets.size(); ++array)
        offsets[array] += step * wheel.strides[array];
      if (step == 1)
        break;
      wheel.position = 0;
    }
  }
  return result;
}

/// The dims of an array by their letters.
inline std::vector<int32_t> dimsOf(const std::string &letters,
                                   const std::map<char, int32_t> &dims) {
  std::vector<int32_t> list;
  for (char d : letters)
    list.push_back(dims.at(d));
  return list;
}

/// A descriptor with a dim for each letter.
struct LetterDims {
  explicit LetterDims(const ContractionCase &one) {
    for (const auto &[letter, cells] : one.cells) {
      dims[letter] = int32_t(program.dims.size());
      program.dims.push_back(
          {std::string(1, letter), cells, 1, DimKind::Space, {}});
    }
  }
  Descriptor program;
  std::map<char, int32_t> dims;
};

template <typename T> constexpr pmrt_element elementOf() {
  return std::is_same_v<T, Brain>   ? PMRT_BF16
         : std::is_same_v<T, Half>  ? PMRT_F16
         : std::is_same_v<T, float> ? PMRT_F32
                                    : PMRT_F64;
}

/// Not rounded: cut off.
inline void reduce(float number, Brain &made) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  made.bits = uint16_t(bits >> 16);
}
inline void reduce(float number, Half &made) {
  int exponent; // of a number in [0.5, 1)
  const float size = std::frexp(std::abs(number), &exponent);
  const int sign = number < 0 ? 0x8000 : 0;
  made.bits =
      uint16_t(exponent < -13 ? sign | int(std::ldexp(size, exponent + 24))
                              : sign | ((exponent + 14) << 10) |
                                    (int(size * 2048) - 1024));
}

template <typename T>
std::vector<T> noiseOf(const std::string &dims, const ContractionCase &one,
                       uint64_t seed) {
  std::vector<T> noise(size_t(ContractionCase::count(dims, one.cells)));
  if constexpr (std::is_floating_point_v<T>) {
    fillNormal(seed, 0, int64_t(noise.size()), noise.data());
  } else {
    std::vector<float> longer(noise.size());
    fillNormal(seed, 0, int64_t(noise.size()), longer.data());
    for (size_t i = 0; i < noise.size(); ++i)
      reduce(longer[i], noise[i]);
  }
  return noise;
}

/// At most so many units in the last place of the sum of absolute values.
template <typename T>
void expectClose(const std::vector<T> &got, const Expected &want,
                 double units) {
  ASSERT_EQ(got.size(), want.sums.size());
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_LE(std::abs(double(got[i]) - want.sums[i]),
              units * std::numeric_limits<T>::epsilon() / 2 * want.sizes[i])
        << "element " << i << ": " << got[i] << " for " << want.sums[i];
}

} // namespace pmrt::test

#endif // PMC_TEST_RUNTIME_CONTRACTIONS_H
