//===- LineKernels.h - Transforms of lines in vector lanes ------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One-dimensional transforms of as many lines at a time as a vector of the
// processor has lanes: each lane holds one line. The arithmetic is ducc0's.
// The bits of a line follow from the line, the length and the instructions,
// and not from the lane or from the other lines.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FFT_LINEKERNELS_H
#define PMRT_FFT_LINEKERNELS_H

#include <cstddef>
#include <cstdint>

namespace pmrt {

enum class LineKind : uint8_t {
  RealToComplex,
  ComplexToReal,
  Forward,
  Backward
};

/// Lines of equal length. Strides count elements of the array in question: real
/// or complex numbers.
struct LineGroup {
  const void *in;
  void *out;
  int64_t lines;            ///< from 1 to lanes()
  int64_t from, to;         ///< along a line
  int64_t nextFrom, nextTo; ///< from a line to the next one
  /// For lines of a half spectrum in blocks (ColumnBlocks.h), and otherwise 0:
  /// the number of columns of a block, the distance of two blocks, and the
  /// distance of two columns behind all blocks. `rest`: the first of these
  /// columns, in the first line.
  int64_t width = 0, blockStep = 0, restStep = 0;
  void *rest = nullptr;
};

/// The transform of one length, unnormalized. A line that is transformed
/// between complex numbers may be replaced where it lies.
class LineTransform {
public:
  virtual ~LineTransform() = default;
  virtual int64_t lanes() const = 0;
  /// Of the memory that `run` needs, aligned to 64 bytes.
  virtual size_t workspaceBytes() const = 0;
  virtual void run(const LineGroup &group, void *workspace) const = 0;
};

/// What a set of instructions offers.
struct LineInstructions {
  const char *name;
  int lanesSingle, lanesDouble;
  /// `single`: f32, else f64. `alone`: one line at a time, for arrays that have
  /// fewer lines than a vector has lanes. Throws if there is no memory.
  LineTransform *(*make)(LineKind kind, bool single, int64_t n, bool alone);
};

// The file LineKernels.cpp compiled for each of them.
extern "C" const LineInstructions pmrt_lines_baseline;
#if defined(__x86_64__) && !defined(PMRT_NO_CLONES)
extern "C" const LineInstructions pmrt_lines_avx2;
extern "C" const LineInstructions pmrt_lines_avx512;
#endif

} // namespace pmrt

#endif // PMRT_FFT_LINEKERNELS_H
