//===- PMWindows.cpp - Windows
//---------------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/IR/PM.h"

using namespace mlir;
using namespace pmc::pm;

static constexpr StringLiteral splines[] = {"ngp", "cic", "tsc", "pcs"};

WindowAttr WindowAttr::getSpline(MLIRContext *context, StringRef name) {
  const auto *found = llvm::find(splines, name);
  return found == std::end(splines)
             ? WindowAttr()
             : getSpline(context, unsigned(found - splines) + 1);
}

SmallVector<SmallVector<double>> WindowAttr::getPolynomials() const {
  if (!isSpline()) {
    ArrayRef<double> all = getCoefficients();
    size_t each = all.size() / getWidth();
    SmallVector<SmallVector<double>> cells;
    for (unsigned k = 0; k < getWidth(); ++k)
      cells.emplace_back(all.slice(k * each, each));
    return cells;
  }
  switch (getWidth()) {
  case 1:
    return {{1}};
  case 2:
    return {{1, -1}, {0, 1}};
  case 3:
    return {{0.125, -0.5, 0.5}, {0.75, 0, -1}, {0.125, 0.5, 0.5}};
  default:
    return {{1. / 6, -0.5, 0.5, -1. / 6},
            {2. / 3, 0, -1, 0.5},
            {1. / 6, 0.5, 0.5, -0.5},
            {0, 0, 0, 1. / 6}};
  }
}

bool WindowAttr::isEven() const {
  if (isSpline())
    return false;
  SmallVector<SmallVector<double>> cells = getPolynomials();
  for (auto [one, other] : llvm::zip_equal(cells, llvm::reverse(cells)))
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(one, other)))
      if (std::get<0>(pair) != (i % 2 == 0 ? 1 : -1) * std::get<1>(pair))
        return false;
  return true;
}

double WindowAttr::getBound(int64_t order) const {
  double most = 0;
  for (ArrayRef<double> coefficients : getPolynomials()) {
    double sum = 0;
    // |distance| <= 1/2.
    for (auto [i, c] : llvm::enumerate(coefficients)) {
      double factor = std::ldexp(std::abs(c), -int(i));
      for (int64_t n = 0; n < order; ++n)
        factor *= 2 * double(int64_t(i) - n);
      sum += int64_t(i) < order ? 0 : factor;
    }
    most = std::max(most, sum);
  }
  return most;
}

LogicalResult WindowAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned width, DenseF64ArrayAttr coefficients,
                                 ArrayRef<int64_t> batch) {
  unsigned least = coefficients ? 2 : 1;
  unsigned most = coefficients ? WindowAttr::most : std::size(splines);
  if (width < least || width > most)
    return emitError() << "a window has the support " << width << ", expected "
                       << least << " to " << most;
  if (coefficients) {
    auto count = size_t(coefficients.size());
    if (count == 0 || count % width != 0 || count / width > mostCoefficients)
      return emitError() << "a window of support " << width << " has " << count
                         << " coefficients, expected as many for each cell, 1 "
                            "to "
                         << mostCoefficients;
  }
  if (!llvm::is_sorted(batch, std::less_equal<int64_t>()) ||
      (!batch.empty() && batch.front() < 0))
    return emitError() << "a window's batch dims are not in ascending order";
  return success();
}

void WindowAttr::print(AsmPrinter &printer) const {
  printer << ' ';
  if (isSpline())
    printer << splines[getWidth() - 1];
  else
    printer << "of<" << getWidth() << ", " << getCoefficients() << ">";
  if (getBatch().empty())
    return;
  printer << " batch [";
  llvm::interleaveComma(getBatch(), printer);
  printer << "]";
}

Attribute WindowAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return {};
  unsigned width = 0;
  DenseF64ArrayAttr coefficients;
  if (name == "of") {
    if (parser.parseLess() || parser.parseInteger(width) ||
        parser.parseComma() || parser.parseAttribute(coefficients) ||
        parser.parseGreater())
      return {};
  } else if (WindowAttr spline = getSpline(parser.getContext(), name)) {
    width = spline.getWidth();
  } else {
    parser.emitError(loc, "expected ngp, cic, tsc, pcs or of<support, "
                          "coefficients>, not ")
        << name;
    return {};
  }
  SmallVector<int64_t> batch;
  auto parseDim = [&] { return parser.parseInteger(batch.emplace_back()); };
  if (succeeded(parser.parseOptionalKeyword("batch")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim))
    return {};
  if (failed(WindowAttr::verify([&] { return parser.emitError(loc); }, width,
                                coefficients, batch)))
    return {};
  return WindowAttr::get(parser.getContext(), width, coefficients, batch);
}
