//===- Functions.cpp - Mathematical functions for kernels -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For kernels where the CUDA toolkit's libdevice is not at hand: f64 within a
// few units in the last place, f32 by way of f64. Freestanding; compiled for
// GPUs, and for the CPU by its test.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

namespace {

constexpr double infinity = __builtin_inf();
constexpr double notANumber = __builtin_nan("");
constexpr double ln2High = 0x1.62e42fee00000p-1, ln2Low = 0x1.a39ef35793c76p-33;
constexpr double halfPi[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c06p-54,
                              0x1.c1cd129024e09p-107};
constexpr double pi = 3.14159265358979323846;

inline double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
inline double fabs(double x) { return __builtin_fabs(x); }
inline uint64_t toBits(double x) { return __builtin_bit_cast(uint64_t, x); }
inline double fromBits(uint64_t x) { return __builtin_bit_cast(double, x); }
/// 2^n for normal results.
inline double power2(int64_t n) { return fromBits(uint64_t(n + 1023) << 52); }
inline bool isNaN(double x) { return x != x; }

/// high + low, |low| much less than |high|.
struct Double2 {
  double high, low;
};

inline Double2 sumOrdered(double large, double small) {
  const double sum = large + small;
  return {sum, small - (sum - large)};
}

inline Double2 product(double a, double b) {
  const double high = a * b;
  return {high, fma(a, b, -high)};
}

/// exp(x + low).
double exponential(double x, double low) {
  if (isNaN(x))
    return x;
  if (x > 709.79)
    return infinity;
  if (x < -745.2)
    return 0;
  const double n = __builtin_rint(x * 1.4426950408889634074);
  const double r = fma(-n, ln2Low, fma(-n, ln2High, x)) + low;
  // Taylor: |r| < 0.35, r^14/14! < 5e-18.
  double sum = 1.0 / 6227020800;
  const double inverse[] = {1.0 / 479001600,
                            1.0 / 39916800,
                            1.0 / 3628800,
                            1.0 / 362880,
                            1.0 / 40320,
                            1.0 / 5040,
                            1.0 / 720,
                            1.0 / 120,
                            1.0 / 24,
                            1.0 / 6,
                            0.5};
  for (double c : inverse)
    sum = fma(sum, r, c);
  const double result = 1 + fma(sum * r, r, r);
  // In two steps: the result may be subnormal.
  const auto k = int64_t(n), half = k / 2;
  return result * power2(half) * power2(k - half);
}

/// log(x) for finite x > 0.
Double2 logarithm(double x) {
  int64_t k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  uint64_t bits = toBits(x);
  k += int64_t(bits >> 52) - 1023;
  double m = fromBits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++k;
  }
  // s = (m - 1)/(m + 1), |s| < 0.172; log m = 2 atanh s.
  const double above = m - 1; // exact
  const Double2 below = sumOrdered(m > 1 ? m : 1, m > 1 ? 1 : m);
  const double s = above / below.high;
  const double rest = fma(-s, below.low, fma(-s, below.high, above));
  const double sLow = rest / below.high;
  const double z = s * s;
  double sum = 2.0 / 25;
  for (int i = 23; i >= 5; i -= 2)
    sum = fma(sum, z, 2.0 / i);
  // 2 s^3/3 + 2 s^5/5 + ...: the first to more than a double's precision.
  const Double2 third = product(s * z, 2.0 / 3);
  const double thirdLow =
      fma(s * z, 2.0 / 3 - 0x1.5555555555555p-1, third.low) +
      2.0 / 3 * (fma(s, z, -(s * z)) + s * fma(s, s, -z)) +
      s * z * 3.7007434154171886e-17;
  const double tail = sum * z * z * s;
  // k ln2 + 2 s + ...
  const double kHigh = double(k) * ln2High; // exact
  const Double2 first = k != 0 ? sumOrdered(kHigh, 2 * s) : Double2{2 * s, 0};
  const Double2 second = sumOrdered(first.high, third.high);
  const double low = second.low + first.low + tail + thirdLow + 2 * sLow +
                     2 * sLow * z + double(k) * ln2Low;
  return sumOrdered(second.high, low);
}

/// The upper half of a product.
inline uint64_t multiplyHigh(uint64_t a, uint64_t b) {
#ifdef __NVPTX__
  return __nvvm_mulhi_ull(a, b);
#else
  return uint64_t((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

/// x - n pi/2, |result| <= pi/4 about; n modulo 4.
struct Reduced {
  Double2 angle;
  int quadrant;
};

/// 2/pi: a word before the point, and the bits behind it.
constexpr uint64_t twoOverPi[] = {0,
                                  0xa2f9836e4e441529u,
                                  0xfc2757d1f534ddc0u,
                                  0xdb6295993c439041u,
                                  0xfe5163abdebbc561u,
                                  0xb7246e3a424dd2e0u,
                                  0x06492eea09d1921cu,
                                  0xfe1deb1cb129a73eu,
                                  0xe88235f52ebb4484u,
                                  0xe99c7026b45f7e41u,
                                  0x3991d639835339f4u,
                                  0x9c845f8bbdf9283bu,
                                  0x1ff897ffde05980fu,
                                  0xef2f118b5a0a6d1fu,
                                  0x6d367ecf27cb09b7u,
                                  0x4f463f669e5fea2du,
                                  0x7527bac7ebe5f17bu,
                                  0x3d0739f78a5292eau,
                                  0x6bfb5fb11f8d5d08u,
                                  0x56033046fc7b6babu,
                                  0xf0cfbc209af4361du};

/// Payne and Hanek: of x * 2/pi, only the bits around the point count.
Reduced reduceLarge(double x) {
  const uint64_t bits = toBits(fabs(x));
  const int exponent = int(bits >> 52) - 1075; // x = mantissa 2^exponent
  const uint64_t mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  // Bits of 2/pi that give multiples of 4 are left out.
  const int first = 64 + exponent - 2;
  const int word = first / 64, shift = first % 64;
  uint64_t window[3];
  for (int i = 0; i < 3; ++i)
    window[i] = shift ? (twoOverPi[word + i] << shift) |
                            (twoOverPi[word + i + 1] >> (64 - shift))
                      : twoOverPi[word + i];
  // mantissa * window, modulo 2^192, without the lowest 64 bits.
  uint64_t low = mantissa * window[1] + multiplyHigh(mantissa, window[2]);
  uint64_t top = mantissa * window[0] + multiplyHigh(mantissa, window[1]) +
                 (low < mantissa * window[1]);
  // Two bits count quarters of a turn; then comes the fraction.
  int quadrant = int(top >> 62);
  top = (top << 2) | (low >> 62);
  low <<= 2;
  bool isNegative = false;
  if (top >> 63) {
    quadrant = (quadrant + 1) & 3;
    top = ~top + (low == 0);
    low = -low;
    isNegative = true;
  }
  const double high = double(top) * 0x1p-64;
  const double rest = double(int64_t(top - uint64_t(high * 0x1p64))) * 0x1p-64 +
                      double(low) * 0x1p-128;
  double sign = isNegative ? -1 : 1;
  if (x < 0) {
    sign = -sign;
    quadrant = (4 - quadrant) & 3;
  }
  Double2 angle = product(high, halfPi[0]);
  angle.low += high * halfPi[1] + rest * halfPi[0];
  return {{sign * angle.high, sign * angle.low}, quadrant};
}

Reduced reduce(double x) {
  if (fabs(x) > 0x1p28)
    return reduceLarge(x);
  const double n = __builtin_rint(x * (2 / pi));
  // n times the first part is exact in the fused operation.
  const double a = fma(-n, halfPi[0], x);
  const Double2 b = product(n, halfPi[1]);
  const double high = a - b.high;
  const double low = ((a - high) - b.high) - b.low - n * halfPi[2];
  return {{high, low}, int(int64_t(n) & 3)};
}

/// For |x| <= pi/4.
double sine(Double2 x) {
  const double z = x.high * x.high;
  double sum = -1.0 / 121645100408832000;
  const double inverse[] = {1.0 / 355687428096000,
                            -1.0 / 1307674368000,
                            1.0 / 6227020800,
                            -1.0 / 39916800,
                            1.0 / 362880,
                            -1.0 / 5040,
                            1.0 / 120,
                            -1.0 / 6};
  for (double c : inverse)
    sum = fma(sum, z, c);
  return x.high + fma(sum * z, x.high, x.low * (1 - 0.5 * z));
}

double cosine(Double2 x) {
  const double z = x.high * x.high;
  double sum = -1.0 / 6402373705728000;
  const double inverse[] = {
      1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
      1.0 / 40320,          -1.0 / 720,         1.0 / 24};
  for (double c : inverse)
    sum = fma(sum, z, c);
  const double half = 0.5 * z, whole = 1 - half;
  return whole + ((1 - whole) - half + fma(sum * z, z, -x.high * x.low));
}

double trigonometric(double x, int shift) {
  if (!(fabs(x) < infinity))
    return notANumber;
  const Reduced reduced = reduce(x);
  const int quadrant = (reduced.quadrant + shift) & 3;
  const double value =
      quadrant & 1 ? cosine(reduced.angle) : sine(reduced.angle);
  return quadrant & 2 ? -value : value;
}

/// For 0 <= x <= 1.
double arcTangent(double x) {
  // atan x = pi/4 + atan((x - 1)/(x + 1)); atan t = 2 atan(t/(1 + sqrt(1 +
  // t^2))): |t| < 0.21.
  const bool isUpper = x > 0.41421356237309504880;
  double t = isUpper ? (x - 1) / (x + 1) : x;
  t = t / (1 + __builtin_sqrt(fma(t, t, 1)));
  const double z = t * t;
  double sum = 1.0 / 25;
  for (int i = 23; i >= 3; i -= 2)
    sum = fma(sum, -z, 1.0 / i);
  const double result = 2 * fma(-sum * z, t, t);
  return isUpper ? pi / 4 + result : result;
}

bool isInteger(double y) { return __builtin_floor(y) == y; }
bool isOdd(double y) {
  return fabs(y) < 0x1p53 && isInteger(y) && (int64_t(y) & 1);
}

/// erfc(x) for x > 3, by its continued fraction.
double tail(double x) {
  double fraction = x;
  for (int i = 40; i > 0; --i)
    fraction = x + 0.5 * i / fraction;
  const Double2 z = product(x, x);
  return exponential(-z.high, -z.low) / (fraction * 1.77245385090551602730);
}

/// erfc(x) for 0.5 <= x <= 3: exp(-x^2) times a polynomial, the interpolation
/// of exp(x^2) erfc(x) in Chebyshev nodes.
double middle(double x) {
  const double u = (x - 1.75) / 1.25;
  double sum = 1.355765323918686e-11;
  const double coefficients[] = {
      -4.940669293058982e-11,  9.268326040227135e-11,  -3.187162898960864e-10,
      1.309037855317925e-09,   -4.412254545497559e-09, 1.4238350313340063e-08,
      -4.6131178211601365e-08, 1.4690057601922569e-07, -4.571860861927127e-07,
      1.391997126466972e-06,   -4.142946974163862e-06, 1.2036356698124286e-05,
      -3.4085695028798914e-05, 9.393955857672874e-05,  -0.0002514969929286404,
      0.0006527023820821659,   -0.0016380946804171106, 0.003964250650191233,
      -0.009219282993833662,   0.020518357439767848,   -0.04347655320583715,
      0.08713067201107386,     -0.1637204318931065,    0.2849722347374364};
  for (double c : coefficients)
    sum = fma(sum, u, c);
  const Double2 z = product(x, x);
  return exponential(-z.high, -z.low) * sum;
}

/// sqrt(1 - x^2).
double complement(double x) { return __builtin_sqrt((1 - x) * (1 + x)); }

} // namespace

extern "C" {

double pmc_exp(double x) { return exponential(x, 0); }

double pmc_log(double x) {
  if (isNaN(x) || x == infinity)
    return x;
  if (x <= 0)
    return x == 0 ? -infinity : notANumber;
  return logarithm(x).high;
}

double pmc_log10(double x) {
  if (!(x > 0 && x < infinity))
    return pmc_log(x);
  const Double2 l = logarithm(x);
  const Double2 p = product(l.high, 0.43429448190325182765);
  return p.high + (p.low + l.high * 1.0983196502167650794e-17 +
                   l.low * 0.43429448190325182765);
}

/// log(1 + x), corrected for what 1 + x loses by rounding.
double pmc_log1p(double x) {
  if (!(x > -1 && x < infinity))
    return pmc_log(1 + x);
  const double sum = 1 + x;
  return sum == 1 ? x : pmc_log(sum) + (x - (sum - 1)) / sum;
}

double pmc_expm1(double x) {
  if (!(fabs(x) < 0.35))
    return exponential(x, 0) - 1;
  // Taylor: x^15/15! < 2e-19.
  double sum = 1.0 / 87178291200;
  const double inverse[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800,
                            1.0 / 3628800,    1.0 / 362880,    1.0 / 40320,
                            1.0 / 5040,       1.0 / 720,       1.0 / 120,
                            1.0 / 24,         1.0 / 6,         0.5};
  for (double c : inverse)
    sum = fma(sum, x, c);
  return fma(sum * x, x, x);
}

double pmc_pow(double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  if (isNaN(x) || isNaN(y))
    return notANumber;
  const double size = fabs(x);
  if (fabs(y) == infinity)
    return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity : 0;
  if (x < 0 && size < infinity && !isInteger(y))
    return notANumber;
  const double sign = x < 0 || (x == 0 && 1 / x < 0) ? (isOdd(y) ? -1 : 1) : 1;
  if (size == 0 || size == infinity)
    return sign * ((size == 0) == (y < 0) ? infinity : 0);
  const Double2 l = logarithm(size);
  const Double2 p = product(y, l.high);
  if (fabs(p.high) > 800)
    return sign * exponential(p.high, 0);
  return sign * exponential(p.high, p.low + y * l.low);
}

double pmc_sin(double x) { return trigonometric(x, 0); }
double pmc_cos(double x) { return trigonometric(x, 1); }
double pmc_tan(double x) { return pmc_sin(x) / pmc_cos(x); }

double pmc_atan(double x) {
  if (isNaN(x))
    return x;
  const double size = fabs(x);
  const double angle =
      size > 1 ? pi / 2 - (arcTangent(1 / size) - halfPi[1]) : arcTangent(size);
  return x < 0 ? -angle : x == 0 ? x : angle;
}

double pmc_atan2(double y, double x) {
  if (isNaN(x) || isNaN(y))
    return notANumber;
  double a = fabs(x), b = fabs(y);
  double angle = 0;
  if (a == infinity && b == infinity)
    angle = pi / 4;
  else if (b != 0)
    angle = b > a ? pi / 2 - arcTangent(a / b) : arcTangent(b / a);
  const bool isLeft = (toBits(x) >> 63) != 0;
  if (isLeft)
    angle = pi - angle;
  return (toBits(y) >> 63) != 0 ? -angle : angle;
}

double pmc_asin(double x) { return pmc_atan2(x, complement(x)); }
double pmc_acos(double x) { return pmc_atan2(complement(x), x); }

double pmc_asinh(double x) {
  const double size = fabs(x);
  double result = 0;
  if (size > 0x1p28) {
    result = pmc_log(size) + 0.69314718055994530942;
  } else {
    const double square = size * size;
    result = pmc_log1p(size + square / (1 + __builtin_sqrt(1 + square)));
  }
  return x < 0 ? -result : isNaN(x) || x == 0 ? x : result;
}

double pmc_acosh(double x) {
  if (x < 1)
    return notANumber;
  if (x > 0x1p28)
    return pmc_log(x) + 0.69314718055994530942;
  const double above = x - 1;
  return pmc_log1p(above + __builtin_sqrt(above * (x + 1)));
}

double pmc_atanh(double x) {
  const double size = fabs(x);
  const double result = 0.5 * pmc_log1p(2 * size / (1 - size));
  return x < 0 ? -result : isNaN(x) || x == 0 ? x : result;
}

double pmc_sinh(double x) {
  const double size = fabs(x);
  if (size < 1) {
    const double z = x * x;
    double sum = 1.0 / 355687428096000;
    const double inverse[] = {
        1.0 / 1307674368000, 1.0 / 6227020800, 1.0 / 39916800, 1.0 / 362880,
        1.0 / 5040,          1.0 / 120,        1.0 / 6};
    for (double c : inverse)
      sum = fma(sum, z, c);
    return fma(sum * z, x, x);
  }
  // e^x overflows before sinh does.
  const double half = exponential(0.5 * size, 0);
  const double result =
      size > 40 ? 0.5 * half * half : 0.5 * (half * half - 1 / (half * half));
  return x < 0 ? -result : isNaN(x) ? x : result;
}

double pmc_cosh(double x) {
  const double half = exponential(0.5 * fabs(x), 0);
  const double e = 0.5 * half;
  return fabs(x) > 40 ? e * half : e * half + 0.5 / (half * half);
}

double pmc_tanh(double x) {
  const double size = fabs(x);
  if (size > 22)
    return x > 0 ? 1 : -1;
  return pmc_sinh(x) / pmc_cosh(x);
}

double pmc_erf(double x) {
  const double size = fabs(x);
  if (size > 6)
    return x > 0 ? 1 : -1;
  if (size > 3)
    return x > 0 ? 1 - tail(size) : tail(size) - 1;
  // 2/sqrt(pi) exp(-x^2) x (1 + 2x^2/3 + (2x^2)^2/(3 5) + ...): all positive.
  const Double2 square = product(x, x);
  const double z = 2 * square.high;
  double sum = 1, term = 1;
  for (int i = 3; i < 160; i += 2) {
    term *= z / i;
    sum += term;
  }
  return 1.12837916709551257390 * exponential(-square.high, -square.low) * x *
         sum;
}

double pmc_erfc(double x) {
  if (isNaN(x))
    return x;
  if (x < 0.5)
    return 1 - pmc_erf(x);
  if (x > 27)
    return 0;
  return x > 3 ? tail(x) : middle(x);
}

#define PMC_SINGLE(name)                                                       \
  float name##f(float x) { return float(name(double(x))); }
PMC_SINGLE(pmc_exp)
PMC_SINGLE(pmc_log)
PMC_SINGLE(pmc_sin)
PMC_SINGLE(pmc_cos)
PMC_SINGLE(pmc_tan)
PMC_SINGLE(pmc_atan)
PMC_SINGLE(pmc_sinh)
PMC_SINGLE(pmc_cosh)
PMC_SINGLE(pmc_tanh)
PMC_SINGLE(pmc_erf)
PMC_SINGLE(pmc_erfc)
PMC_SINGLE(pmc_log10)
PMC_SINGLE(pmc_log1p)
PMC_SINGLE(pmc_expm1)
PMC_SINGLE(pmc_asin)
PMC_SINGLE(pmc_acos)
PMC_SINGLE(pmc_asinh)
PMC_SINGLE(pmc_acosh)
PMC_SINGLE(pmc_atanh)
float pmc_powf(float x, float y) { return float(pmc_pow(x, y)); }
float pmc_atan2f(float y, float x) { return float(pmc_atan2(y, x)); }

} // extern "C"
