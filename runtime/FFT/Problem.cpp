//===- Problem.cpp - A transform of local arrays -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FFT/Problem.h"

#include "runtime/Base/Text/Format.h"

using namespace pmrt;

std::string FftProblem::key() const {
  std::string text = fmt::format("{} {} {} {} {}", int(kind), single, inPlace,
                                 alignmentIn, alignmentOut);
  for (const auto *list : {&dims, &batches}) {
    text += " |";
    for (const FftDim &d : *list)
      text += fmt::format(" {}:{}:{}", d.n, d.is, d.os);
  }
  return text;
}

std::string FftProblem::describe() const {
  std::vector<int64_t> shape;
  for (const FftDim &d : dims)
    shape.push_back(d.n);
  const bool real = kind == Kind::RealToComplex || kind == Kind::ComplexToReal;
  return fmt::format("{} {} {}", real ? "real" : "complex", shapeText(shape),
                     single ? "f32" : "f64");
}

FftProblem pmrt::fftProblem(const Context &context, pmrt_loc loc, bool forward,
                            uint32_t mask, const FftSide &in,
                            const FftSide &out) {
  const std::vector<int64_t> &from = in.shape, &to = out.shape;
  auto fail = [&](const char *what) {
    return context.failure(
        loc, fmt::format("internal error: FFT {} to {} {}, mask {}: {}",
                         elementName(pmrt_element(in.element)), shapeText(to),
                         elementName(pmrt_element(out.element)), mask, what));
  };
  if (from.size() != to.size())
    throw fail("ranks differ");
  if (mask == 0 || (mask >> from.size()) != 0)
    throw fail("no such dims");

  const auto a = pmrt_element(in.element), b = pmrt_element(out.element);
  FftProblem p;
  using Kind = FftProblem::Kind;
  p.single = a == PMRT_F32 || a == PMRT_C64;
  const pmrt_element real = p.single ? PMRT_F32 : PMRT_F64;
  const pmrt_element complex = p.single ? PMRT_C64 : PMRT_C128;
  if (a == real && b == complex && forward)
    p.kind = Kind::RealToComplex;
  else if (a == complex && b == real && !forward)
    p.kind = Kind::ComplexToReal;
  else if (a == complex && b == complex)
    p.kind = forward ? Kind::Forward : Kind::Backward;
  else
    throw fail("no such transform");

  // The transform of a real field halves the last transformed dim.
  int halved = -1;
  if (p.kind == Kind::RealToComplex || p.kind == Kind::ComplexToReal)
    for (size_t d = 0; d < from.size(); ++d)
      if (mask >> d & 1)
        halved = int(d);
  int64_t strideIn = 1, strideOut = 1;
  p.wholeCells = 1;
  for (size_t d = from.size(); d-- > 0;) {
    const bool transformed = mask >> d & 1;
    const int64_t n = p.kind == Kind::ComplexToReal ? to[d] : from[d];
    const int64_t half = n / 2 + 1;
    p.wholeCells *= n;
    const int64_t wantIn =
        int(d) == halved && p.kind == Kind::ComplexToReal ? half : n;
    const int64_t wantOut =
        int(d) == halved && p.kind == Kind::RealToComplex ? half : n;
    if (from[d] != wantIn || to[d] != wantOut)
      throw fail("extents do not fit");
    (transformed ? p.dims : p.batches).push_back({n, strideIn, strideOut});
    strideIn *= from[d];
    strideOut *= to[d];
  }
  // The last dim of a real transform is the halved one.
  std::reverse(p.dims.begin(), p.dims.end());
  std::reverse(p.batches.begin(), p.batches.end());
  p.bytesIn = strideIn * elementSize(a);
  p.bytesOut = strideOut * elementSize(b);
  p.inPlace = in.data == out.data;
  if (p.inPlace && a != b)
    throw fail("in place needs complex to complex");
  auto alignment = [](const void *data) {
    return int(reinterpret_cast<uintptr_t>(data) % 64);
  };
  p.alignmentIn = alignment(in.data);
  p.alignmentOut = alignment(out.data);
  return p;
}
