//===- WhiteNoise.h - Counter-based Gaussian numbers ------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Number g of seed s is a pure function of (g, s), with the same bits on every
// machine, in vector and in scalar code, on the CPU and on a GPU: Philox4x32-10
// gives two 52-bit uniform numbers, Box-Muller makes two normal ones of them.
// Only +, -, *, / and sqrt of IEEE doubles are used, without branches, and
// logarithm, sine and cosine are polynomials of our own.
//
// Compile every user of this header with -ffp-contract=off: a fused
// multiply-add rounds once instead of twice. It includes no library header, so
// that it can be compiled for a GPU by any clang.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_WHITENOISE_H
#define PMRT_CORE_WHITENOISE_H

#include <stdint.h>

#define PMRT_INLINE inline __attribute__((always_inline))

namespace pmrt {

/// Four random words of a counter.
struct PhiloxBlock {
  uint32_t word[4];
};

/// Philox4x32 with ten rounds (Salmon et al. 2011).
PMRT_INLINE PhiloxBlock philox(uint32_t c0, uint32_t c1, uint32_t c2,
                               uint32_t c3, uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t(0xD2511F53u) * c0;
    const uint64_t p1 = uint64_t(0xCD9E8D57u) * c2;
    const uint32_t n0 = uint32_t(p1 >> 32) ^ c1 ^ k0;
    const uint32_t n2 = uint32_t(p0 >> 32) ^ c3 ^ k1;
    c1 = uint32_t(p1);
    c3 = uint32_t(p0);
    c0 = n0;
    c2 = n2;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

PMRT_INLINE double bitsToDouble(uint64_t bits) {
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

PMRT_INLINE uint64_t doubleToBits(double value) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Uniform in [1, 2), from the top 52 bits.
PMRT_INLINE double uniformFromOne(uint32_t high, uint32_t low) {
  const uint64_t bits = (uint64_t(high) << 32) | low;
  return bitsToDouble((bits >> 12) | 0x3FF0000000000000u);
}

/// log(u) for normal positive u; error below 1 ulp (the fdlibm scheme).
PMRT_INLINE double noiseLog(double u) {
  // u = 2^k m, m in [sqrt(1/2), sqrt(2)): move the cut to sqrt(1/2), then the
  // exponent field is k and the rest is m.
  const uint64_t cut = 0x3FE6A09E00000000u;
  const uint64_t moved = doubleToBits(u) - cut;
  const uint64_t exponent = moved & 0xFFF0000000000000u;
  const double m = bitsToDouble(doubleToBits(u) - exponent);
  // k + 2048 >= 0 as the low bits of a double near 2^52.
  const uint64_t biased = ((exponent >> 52) + 0x800u) & 0xFFFu;
  const double k = bitsToDouble(0x4330000000000000u | biased) -
                   (4503599627370496.0 + 2048.0);
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  double r = 1.479819860511658591e-01;
  r = r * z + 1.531383769920937332e-01;
  r = r * z + 1.818357216161805012e-01;
  r = r * z + 2.222219843214978396e-01;
  r = r * z + 2.857142874366239149e-01;
  r = r * z + 3.999999999940941908e-01;
  r = r * z + 6.666666666666735130e-01;
  r = r * z;
  const double half = 0.5 * f * f;
  const double ln2High = 6.93147180369123816490e-01;
  const double ln2Low = 1.90821492927058770002e-10;
  return k * ln2High - ((half - (s * (half + r) + k * ln2Low)) - f);
}

/// sin and cos of 2 pi u for u in [0, 1); error of about 1 ulp.
PMRT_INLINE void noiseSinCos(double u, double &sine, double &cosine) {
  const double quarter = u * 4.0; // exact
  // Round to nearest through the last bit of a large number.
  const double shifter = 6755399441055744.0; // 1.5 * 2^52
  const double shifted = quarter + shifter;
  const uint64_t quadrant = doubleToBits(shifted);
  const double t = quarter - (shifted - shifter); // in [-1/2, 1/2], exact
  const double x = t * 1.57079632679489661923;
  const double z = x * x;
  double s = 1.58969099521155010221e-10;
  s = s * z + -2.50507602534068634195e-08;
  s = s * z + 2.75573137070700676789e-06;
  s = s * z + -1.98412698298579493134e-04;
  s = s * z + 8.33333333332248946124e-03;
  s = s * z + -1.66666666666666324348e-01;
  s = x + x * (z * s);
  double c = -1.13596475577881948265e-11;
  c = c * z + 2.08757232129817482790e-09;
  c = c * z + -2.75573143513906633035e-07;
  c = c * z + 2.48015872894767294178e-05;
  c = c * z + -1.38888888888741095749e-03;
  c = c * z + 4.16666666666666019037e-02;
  c = (1.0 - 0.5 * z) + z * z * c;
  // Quadrants 1 and 3 swap; sine is negative in 2 and 3, cosine in 1 and 2.
  const uint64_t swap = uint64_t(0) - (quadrant & 1);
  const uint64_t sb = doubleToBits(s), cb = doubleToBits(c);
  const uint64_t difference = (sb ^ cb) & swap;
  const uint64_t sineSign = (quadrant & 2) << 62;
  const uint64_t cosineSign = ((quadrant + 1) & 2) << 62;
  sine = bitsToDouble(sb ^ difference ^ sineSign);
  cosine = bitsToDouble(cb ^ difference ^ cosineSign);
}

/// Normal numbers 2 * pair and 2 * pair + 1 of `seed`.
PMRT_INLINE void normalPair(uint64_t seed, uint64_t pair, double &even,
                            double &odd) {
  const PhiloxBlock r = philox(uint32_t(pair), uint32_t(pair >> 32), 0, 0,
                               uint32_t(seed), uint32_t(seed >> 32));
  const double u = 2.0 - uniformFromOne(r.word[0], r.word[1]); // (0, 1]
  const double v = uniformFromOne(r.word[2], r.word[3]) - 1.0; // [0, 1)
  const double radius = __builtin_sqrt(-2.0 * noiseLog(u));
  double s, c;
  noiseSinCos(v, s, c);
  even = radius * c;
  odd = radius * s;
}

/// Normal number `index` of `seed`.
PMRT_INLINE double normal(uint64_t seed, uint64_t index) {
  double even, odd;
  normalPair(seed, index / 2, even, odd);
  return index % 2 ? odd : even;
}

/// Numbers [first, first + count) of `seed`, rounded to the type of `out`.
void fillNormal(uint64_t seed, uint64_t first, int64_t count, float *out);
void fillNormal(uint64_t seed, uint64_t first, int64_t count, double *out);

} // namespace pmrt

#endif // PMRT_CORE_WHITENOISE_H
