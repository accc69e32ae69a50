//===- Scale.h - The range of an axis and its ticks -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_TEXT_SCALE_H
#define PMRT_BASE_TEXT_SCALE_H

#include <string>
#include <vector>

namespace pmrt {

class Scale {
public:
  /// The range of the values that can be shown (all finite ones, or on a
  /// logarithmic axis the positive ones), never empty.
  Scale(const std::vector<double> &values, bool logarithmic);
  Scale(double low, double high, bool logarithmic = false);

  /// Where a value lies, 0 to 1 inside the range.
  double position(double value) const;
  bool shows(double value) const;
  bool logarithmic() const { return log; }
  double low() const { return lo; }
  double high() const { return hi; }
  /// A part of the range more at both ends.
  Scale widened(double part) const;
  /// The power of ten that labels are best read in.
  int exponent() const;

  struct Tick {
    double value;
    std::string label; ///< "": a minor one
  };
  /// Round numbers inside the range with labels in units of 10^exponent, and
  /// minor ticks: about `wanted` labels, on a logarithmic axis at most so many.
  std::vector<Tick> ticks(int wanted, int exponent) const;
  std::vector<Tick> ticks(int wanted) const {
    return ticks(wanted, exponent());
  }

private:
  double lo, hi;
  bool log = false;
};

/// "10⁻³" for ("10", -3).
std::string raised(const std::string &base, int exponent);

} // namespace pmrt

#endif // PMRT_BASE_TEXT_SCALE_H
