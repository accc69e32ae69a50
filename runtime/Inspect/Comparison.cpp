//===- Comparison.cpp - How far two states are apart ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Inspect/Comparison.h"

#include "runtime/Core/Mesh.h"
#include "runtime/IO/States/StateParts.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <set>

using namespace pmrt;
using namespace pmrt::inspect;

bool Comparison::isSame() const {
  return problem.empty() && numbersDiffer == 0 &&
         std::all_of(
             fields.begin(), fields.end(),
             [](const FieldDifference &one) { return one.differ == 0; });
}

/// Calls `visit` with a value of the type that the element is.
template <typename Visit>
static void withType(pmrt_element element, const Visit &visit) {
  switch (element) {
  case PMRT_F32:
    return visit(float());
  case PMRT_F64:
    return visit(double());
  case PMRT_C64:
    return visit(std::complex<float>());
  case PMRT_C128:
    return visit(std::complex<double>());
  case PMRT_I8:
    return visit(int8_t());
  case PMRT_I64:
    return visit(int64_t());
  case PMRT_U64:
    return visit(uint64_t());
  case PMRT_BF16:
  case PMRT_F16:
    refuseReducedPrecision(element);
  }
}

template <typename T> static std::complex<double> valueOf(T value) {
  return double(value);
}
template <typename T>
static std::complex<double> valueOf(std::complex<T> value) {
  return {double(value.real()), double(value.imag())};
}

static void add(FieldDifference &sum, pmrt_element element,
                const std::vector<char> &a, const std::vector<char> &b) {
  withType(element, [&](auto type) {
    auto x = type, y = type;
    for (size_t at = 0; at < a.size(); at += sizeof type) {
      std::memcpy(&x, a.data() + at, sizeof type);
      std::memcpy(&y, b.data() + at, sizeof type);
      const double here = std::abs(valueOf(x)), there = std::abs(valueOf(y));
      for (const double modulus : {here, there})
        if (modulus > sum.scale)
          sum.scale = modulus;
      if (std::memcmp(a.data() + at, b.data() + at, sizeof type) == 0)
        continue;
      ++sum.differ;
      const double apart = std::abs(valueOf(x) - valueOf(y));
      if (std::isnan(apart) || apart > sum.most)
        sum.most = apart; // once NaN, nothing is larger
    }
    sum.elements += int64_t(a.size() / sizeof type);
  });
}

static FieldDifference compareField(const Checkpoint &a,
                                    const ForeignParts &here,
                                    const ForeignParts &there, size_t field) {
  const pmrt_element element = a.head.fields[field].element;
  FieldDifference sum;
  sum.field = describeField(a.head.fields[field]);
  std::set<std::vector<int64_t>> seen; // several ranks may have the same cells
  std::vector<char> x, y;
  for (int rank = 0; rank < a.ranks(); ++rank) {
    const Box box = here.boxOf(field, rank);
    std::vector<int64_t> corner;
    for (const Shard &side : box.sides)
      corner.push_back(side.offset);
    if (box.cells() == 0 || !seen.insert(corner).second)
      continue;
    x.assign(size_t(box.cells() * elementSize(element)), 0);
    y.assign(x.size(), 0);
    here.readField(field, box, x.data());
    there.readField(field, box, y.data());
    add(sum, element, x, y);
  }
  return sum;
}

/// Names, elements and cells of fields, whichever axes split them.
static std::string shapesOf(const StateHead &head) {
  std::string text = fmt::format("numbers {}", head.numbers);
  for (StateField field : head.fields) {
    for (Dim &dim : field.dims) {
      dim.axes.clear();
      dim.refine = 1;
    }
    text += " " + describeField(field);
  }
  return text;
}

/// The newest iteration of which both have a whole state, as indices; none: -1.
static std::pair<int, int> findCommon(const Checkpoint &a,
                                      const Checkpoint &b) {
  // The newest state of each comes first.
  for (size_t i = 0; i < a.states.size(); ++i)
    for (size_t j = 0; j < b.states.size(); ++j)
      if (a.states[i].state.slot == b.states[j].state.slot &&
          a.states[i].problem.empty() && b.states[j].problem.empty())
        return {int(i), int(j)};
  return {-1, -1};
}

Comparison pmrt::inspect::compare(const Checkpoint &a, const Checkpoint &b) {
  Comparison result;
  result.name = a.name;
  for (const Checkpoint *one : {&a, &b})
    if (!one->problem.empty()) {
      result.problem = one->problem;
      return result;
    }
  for (const char *key : StateHead::keys)
    if (a.head.value(key) != b.head.value(key))
      result.lines.push_back({key, a.head.value(key), b.head.value(key)});
  const std::string mine = shapesOf(a.head), theirs = shapesOf(b.head);
  if (mine != theirs) {
    result.problem = fmt::format("the states have different fields: {} and {}",
                                 mine, theirs);
    return result;
  }
  const auto [first, second] = findCommon(a, b);
  if (first < 0) {
    result.problem = "the folders have no complete state of the same iteration";
    return result;
  }
  const State &x = a.states[size_t(first)].state;
  const State &y = b.states[size_t(second)].state;
  result.iteration = x.slot;
  Threads threads(1);
  const Mesh meshOfA(a.head.mesh(), 0), meshOfB(b.head.mesh(), 0);
  const ForeignParts here(threads, meshOfA, a.head.fields, a.head.numbers,
                          [&](int rank) { return a.part(x, rank); });
  const ForeignParts there(threads, meshOfB, b.head.fields, b.head.numbers,
                           [&](int rank) { return b.part(y, rank); });
  for (size_t i = 0; i < a.head.fields.size(); ++i)
    result.fields.push_back(compareField(a, here, there, i));
  result.numbers = a.head.numbers;
  std::vector<int64_t> p(static_cast<size_t>(a.head.numbers)), q(p.size());
  here.readNumbers(p.data());
  there.readNumbers(q.data());
  for (size_t i = 0; i < p.size(); ++i)
    result.numbersDiffer += p[i] != q[i];
  return result;
}
