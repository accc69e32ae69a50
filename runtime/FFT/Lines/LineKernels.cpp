//===- LineKernels.cpp - Transforms of lines in vector lanes -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once for each set of instructions, with PMRT_LINES as its name (see
// runtime/CMakeLists.txt). Everything but that name is local to the object, so
// that no function for newer processors is linked into other code.
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Lines/LineKernels.h"

#include "ducc0/fft/fft1d_impl.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

using namespace pmrt;
namespace ducc = DUCC0_NAMESPACE;

// ducc0's own threads are not used. Its transforms name them all the same.
namespace DUCC0_NAMESPACE::detail_threading {
void thread_pool::parallel_for(size_t threads,
                               std::function<void(size_t)> work) {
  for (size_t i = 0; i < threads; ++i)
    work(i);
}
size_t adjust_nthreads(size_t) { return 1; }
size_t max_threads() { return 1; }
namespace {
class OneThread : public Scheduler {
public:
  size_t num_threads() const override { return 1; }
  size_t thread_num() const override { return 0; }
  Range getNext() override { return {}; }
};
} // namespace
void execParallel(size_t, std::function<void(Scheduler &)> work) {
  OneThread one;
  work(one);
}
void execStatic(size_t, size_t, size_t, std::function<void(Scheduler &)>) {
  MR_fail("a transform uses threads of its own");
}
} // namespace DUCC0_NAMESPACE::detail_threading

namespace {

/// Vectors of the elements T, and how lines get into their lanes.
template <typename T> struct Lanes {
  using Simd = ducc::native_simd<T>;
  static constexpr int count = int(Simd::size());
  static constexpr size_t bytes = count * sizeof(T);
  using Vector [[gnu::vector_size(bytes)]] = T;
  /// The same at any address.
  using Unaligned [[gnu::vector_size(bytes), gnu::aligned(sizeof(T))]] = T;
  using All = std::make_integer_sequence<int, count>;

  static Vector load(const T *at) {
    return *reinterpret_cast<const Unaligned *>(at);
  }
  static void store(const Vector &value, T *at) {
    *reinterpret_cast<Unaligned *>(at) = value;
  }

  /// Exchanges what lies `half` from the diagonal of 2 half x 2 half squares.
  template <int half, int... lane>
  static void exchange(Vector &a, Vector &b,
                       std::integer_sequence<int, lane...>) {
    const Vector upper = __builtin_shufflevector(
        a, b, (lane & half ? count + lane - half : lane)...);
    b = __builtin_shufflevector(a, b,
                                (lane & half ? count + lane : lane + half)...);
    a = upper;
  }
  template <int half, int... row>
  static void exchangeRows(Vector *square, std::integer_sequence<int, row...>) {
    ((row & half ? void()
                 : exchange<half>(square[row], square[row | half], All())),
     ...);
  }
  template <int half = 1> static void transpose(Vector *square) {
    if constexpr (half < count) {
      exchangeRows<half>(square, All());
      transpose<2 * half>(square);
    }
  }
  template <int... row>
  static void loadRows(const T *const *rows, int64_t at, Vector *square,
                       std::integer_sequence<int, row...>) {
    ((square[row] = load(rows[row] + at)), ...);
  }
  template <int... row>
  static void storeRows(const Vector *square, T *const *rows, int64_t at,
                        std::integer_sequence<int, row...>) {
    (store(square[row], rows[row] + at), ...);
  }
  template <int... i>
  static void copy(const Vector *from, Vector *to,
                   std::integer_sequence<int, i...>) {
    ((to[i] = from[i]), ...);
  }

  /// Reads `numbers` dense numbers of each line, `next` apart.
  static void readRows(const T *in, int64_t next, int64_t numbers,
                       int64_t lines, Vector *to) {
    const T *rows[count];
    for (int i = 0; i < count; ++i)
      rows[i] = in + std::min<int64_t>(i, lines - 1) * next;
    if (numbers < count) {
      for (int64_t j = 0; j < numbers; ++j)
        for (int i = 0; i < count; ++i)
          to[j][i] = rows[i][j];
      return;
    }
    // The last square may overlap the one before it.
    for (int64_t j = 0; j < numbers; j += count) {
      const int64_t at = std::min(j, numbers - count);
      Vector square[count];
      loadRows(rows, at, square, All());
      transpose(square);
      copy(square, to + at, All());
    }
  }
  static void writeRows(const Vector *from, T *out, int64_t next,
                        int64_t numbers, int64_t lines) {
    if (numbers < count) {
      for (int64_t j = 0; j < numbers; ++j)
        for (int64_t i = 0; i < lines; ++i)
          out[i * next + j] = from[j][i];
      return;
    }
    T *rows[count];
    for (int i = 0; i < count; ++i)
      rows[i] = out + i * next;
    for (int64_t j = 0; j < numbers; j += count) {
      const int64_t at = std::min(j, numbers - count);
      Vector square[count];
      copy(from + at, square, All());
      transpose(square);
      if (lines == count)
        storeRows(square, rows, at, All());
      else
        for (int64_t i = 0; i < lines; ++i)
          store(square[i], rows[i] + at);
    }
  }

  template <int... lane>
  static void split(const T *at, Vector *parts,
                    std::integer_sequence<int, lane...>) {
    const Vector a = load(at), b = load(at + count);
    parts[0] = __builtin_shufflevector(a, b, (2 * lane)...);
    parts[1] = __builtin_shufflevector(a, b, (2 * lane + 1)...);
  }
  template <int... lane>
  static void merge(const Vector *parts, T *at,
                    std::integer_sequence<int, lane...>) {
    store(__builtin_shufflevector(parts[0], parts[1],
                                  (lane % 2 * count + lane / 2)...),
          at);
    store(__builtin_shufflevector(parts[0], parts[1],
                                  (lane % 2 * count + (count + lane) / 2)...),
          at + count);
  }

  /// Asks for the numbers behind those of a vector of lines: they are of the
  /// next lines, and no hardware prefetcher follows such short pieces.
  static void prefetchNext(const T *at) {
    constexpr size_t line = 64;
    const auto *next = reinterpret_cast<const char *>(at) + 2 * bytes;
    for (size_t i = line; i <= std::max(line, 2 * bytes); i += line)
      __builtin_prefetch(next + i - 1);
  }

  /// Reads complex numbers of lines that lie side by side.
  static void readColumns(const T *in, int64_t stride, int64_t cells,
                          int64_t lines, Vector *to) {
    if (lines == count) {
      for (int64_t j = 0; j < cells; ++j) {
        split(in + 2 * j * stride, to + 2 * j, All());
        prefetchNext(in + 2 * j * stride);
      }
      return;
    }
    T numbers[2 * count] = {};
    for (int64_t j = 0; j < cells; ++j) {
      std::memcpy(numbers, in + 2 * j * stride, size_t(lines) * 2 * sizeof(T));
      split(numbers, to + 2 * j, All());
    }
  }
  static void writeColumns(const Vector *from, T *out, int64_t stride,
                           int64_t cells, int64_t lines) {
    if (lines == count) {
      for (int64_t j = 0; j < cells; ++j)
        merge(from + 2 * j, out + 2 * j * stride, All());
      return;
    }
    T numbers[2 * count];
    for (int64_t j = 0; j < cells; ++j) {
      merge(from + 2 * j, numbers, All());
      std::memcpy(out + 2 * j * stride, numbers, size_t(lines) * 2 * sizeof(T));
    }
  }

  /// Reads elements of `parts` numbers each, wherever they lie.
  static void readAny(const T *in, int64_t stride, int64_t next, int64_t cells,
                      int parts, int64_t lines, Vector *to) {
    for (int64_t j = 0; j < cells; ++j)
      for (int p = 0; p < parts; ++p) {
        Vector value = {};
        for (int64_t i = 0; i < lines; ++i)
          value[i] = in[(j * stride + i * next) * parts + p];
        to[j * parts + p] = value;
      }
  }
  static void writeAny(const Vector *from, T *out, int64_t stride, int64_t next,
                       int64_t cells, int parts, int64_t lines) {
    for (int64_t j = 0; j < cells; ++j)
      for (int p = 0; p < parts; ++p)
        for (int64_t i = 0; i < lines; ++i)
          out[(j * stride + i * next) * parts + p] = from[j * parts + p][i];
  }

  /// The place of number j of a row of a half spectrum in blocks, relative to
  /// the first number of the row.
  static int64_t inBlocks(const LineGroup &group, int64_t j) {
    const int64_t numbers = 2 * group.width;
    return j / numbers * 2 * group.blockStep + j % numbers;
  }

  static void readBlocks(const LineGroup &group, int64_t cells, Vector *to) {
    const T *rows[count];
    for (int i = 0; i < count; ++i)
      rows[i] = static_cast<const T *>(group.in) +
                std::min<int64_t>(i, group.lines - 1) * 2 * group.nextFrom;
    const int64_t whole = cells / group.width * group.width;
    for (int64_t j = 0; j < 2 * whole; j += count) {
      Vector square[count];
      loadRows(rows, inBlocks(group, j), square, All());
      transpose(square);
      copy(square, to + j, All());
    }
    const auto *rest = static_cast<const T *>(group.rest);
    T numbers[2 * count] = {};
    for (int64_t c = whole; c < cells; ++c, rest += 2 * group.restStep) {
      std::memcpy(numbers, rest, size_t(group.lines) * 2 * sizeof(T));
      split(numbers, to + 2 * c, All());
    }
  }
  static void writeBlocks(const Vector *from, const LineGroup &group,
                          int64_t cells) {
    T *rows[count];
    for (int i = 0; i < count; ++i)
      rows[i] = static_cast<T *>(group.out) + i * 2 * group.nextTo;
    const int64_t whole = cells / group.width * group.width;
    for (int64_t j = 0; j < 2 * whole; j += count) {
      const int64_t at = inBlocks(group, j);
      Vector square[count];
      copy(from + j, square, All());
      transpose(square);
      if (group.lines == count)
        storeRows(square, rows, at, All());
      else
        for (int64_t i = 0; i < group.lines; ++i)
          store(square[i], rows[i] + at);
    }
    auto *rest = static_cast<T *>(group.rest);
    T numbers[2 * count];
    for (int64_t c = whole; c < cells; ++c, rest += 2 * group.restStep) {
      merge(from + 2 * c, numbers, All());
      std::memcpy(rest, numbers, size_t(group.lines) * 2 * sizeof(T));
    }
  }

  static void read(const LineGroup &group, int64_t cells, int parts,
                   Vector *to) {
    const auto *in = static_cast<const T *>(group.in);
    if (group.width > 0 && parts == 2)
      readBlocks(group, cells, to);
    else if (group.from == 1)
      readRows(in, group.nextFrom * parts, cells * parts, group.lines, to);
    else if (parts == 2 && group.nextFrom == 1)
      readColumns(in, group.from, cells, group.lines, to);
    else
      readAny(in, group.from, group.nextFrom, cells, parts, group.lines, to);
  }
  static void write(const Vector *from, const LineGroup &group, int64_t cells,
                    int parts) {
    auto *out = static_cast<T *>(group.out);
    if (group.width > 0 && parts == 2)
      writeBlocks(from, group, cells);
    else if (group.to == 1)
      writeRows(from, out, group.nextTo * parts, cells * parts, group.lines);
    else if (parts == 2 && group.nextTo == 1)
      writeColumns(from, out, group.to, cells, group.lines);
    else
      writeAny(from, out, group.to, group.nextTo, cells, parts, group.lines);
  }
};

/// One line at a time.
template <typename T> struct Single {
  using Simd = T;
  using Vector = T;
  static constexpr int count = 1;

  static void read(const LineGroup &group, int64_t cells, int parts, T *to) {
    const auto *in = static_cast<const T *>(group.in);
    for (int64_t j = 0; j < cells; ++j)
      for (int p = 0; p < parts; ++p)
        to[j * parts + p] = in[j * group.from * parts + p];
  }
  static void write(const T *from, const LineGroup &group, int64_t cells,
                    int parts) {
    auto *out = static_cast<T *>(group.out);
    for (int64_t j = 0; j < cells; ++j)
      for (int p = 0; p < parts; ++p)
        out[j * group.to * parts + p] = from[j * parts + p];
  }
};

/// The transform of T with the lanes of L: those of vectors, or one.
template <typename T, typename L> class Transform final : public LineTransform {
  using Simd = typename L::Simd;
  using Vector = typename L::Vector;
  using Complex = ducc::Cmplx<Simd>;

public:
  Transform(LineKind kind, int64_t n) : kind(kind), n(n) {
    constexpr bool withinLines = L::count == 1;
    const auto roots =
        std::make_shared<const ducc::UnityRoots<T, ducc::Cmplx<T>>>(size_t(n));
    if (isReal()) {
      real = ducc::detail_fft::rfftpass<T>::make_pass(1, 1, size_t(n), roots,
                                                      withinLines);
      scratch = real->bufsize();
    } else {
      complex = ducc::detail_fft::cfftpass<T>::make_pass(1, 1, size_t(n), roots,
                                                         withinLines);
      scratch = 2 * complex->bufsize();
    }
  }

  int64_t lanes() const override { return L::count; }
  size_t workspaceBytes() const override {
    return (2 * lineVectors() + scratch + 64 / sizeof(Vector) + 1) *
           sizeof(Vector);
  }

  void run(const LineGroup &group, void *workspace) const override {
    auto *a = static_cast<Vector *>(workspace) + margin;
    Vector *b = a + lineVectors(), *rest = b + lineVectors() - margin;
    if (kind == LineKind::RealToComplex) {
      L::read(group, n, 1, a);
      // The real part at frequency 0, then pairs of real and imaginary parts,
      // and for an even length the real part of the highest frequency.
      Vector *half = execute(a, b, rest);
      half[-1] = half[0];
      half[0] = Vector{};
      half[n] = Vector{};
      L::write(half - 1, group, n / 2 + 1, 2);
    } else if (kind == LineKind::ComplexToReal) {
      L::read(group, n / 2 + 1, 2, a - 1);
      a[0] = a[-1];
      L::write(execute(a, b, rest), group, n, 1);
    } else {
      L::read(group, n, 2, a);
      L::write(execute(a, b, rest), group, n, 2);
    }
  }

private:
  /// Vectors before and after a line that `run` overwrites. As many as keep
  /// single numbers aligned to 64 bytes.
  static constexpr int64_t margin = std::max<int64_t>(1, 64 / sizeof(Vector));

  bool isReal() const {
    return kind == LineKind::RealToComplex || kind == LineKind::ComplexToReal;
  }
  size_t lineVectors() const {
    const auto unit = size_t(margin);
    const size_t least = size_t(isReal() ? n : 2 * n) + 2 * unit;
    return (least + unit - 1) / unit * unit;
  }
  Vector *execute(Vector *a, Vector *b, Vector *rest) const {
    const bool forward =
        kind == LineKind::Forward || kind == LineKind::RealToComplex;
    return static_cast<Vector *>(
        isReal() ? real->exec(ducc::detail_fft::tidx<Simd *>(), a, b, rest,
                              forward, 1)
                 : complex->exec(ducc::detail_fft::tidx<Complex *>(), a, b,
                                 rest, forward, 1));
  }

  LineKind kind;
  int64_t n;
  size_t scratch = 0; ///< vectors
  ducc::detail_fft::Trpass<T> real;
  ducc::detail_fft::Tcpass<T> complex;
};

template <typename T>
LineTransform *makeTyped(LineKind kind, int64_t n, bool alone) {
  if constexpr (Lanes<T>::count > 1)
    if (!alone)
      return new Transform<T, Lanes<T>>(kind, n);
  return new Transform<T, Single<T>>(kind, n);
}

LineTransform *make(LineKind kind, bool single, int64_t n, bool alone) {
  return single ? makeTyped<float>(kind, n, alone)
                : makeTyped<double>(kind, n, alone);
}

} // namespace

#define PMRT_NAME_OF(SET) pmrt_lines_##SET
#define PMRT_NAME(SET) PMRT_NAME_OF(SET)
#define PMRT_TEXT_OF(SET) #SET
#define PMRT_TEXT(SET) PMRT_TEXT_OF(SET)

const LineInstructions pmrt::PMRT_NAME(PMRT_LINES) = {
    "ducc0 0.42.0, " PMRT_TEXT(PMRT_LINES), Lanes<float>::count,
    Lanes<double>::count, make};
