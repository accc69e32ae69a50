//===- Windows.cpp - Windows of paints and readouts -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A window is one of four splines, by name, or a record with a support and a
// function that gives a cell's weight. Of the function, polynomials are made,
// one for each cell: its interpolants at Chebyshev nodes, of the lowest degree
// that is accurate enough. Kernels evaluate these, and their derivatives are
// those by positions.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Particles/Windows.h"

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Particles.h"
#include "frontend/Sema/ValueKey.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>
#include <numbers>

using namespace pmc;

/// Null after an error.
pm::WindowAttr Windows::of(BuiltinCall &call, unsigned index) {
  mlir::MLIRContext *context = g.builder.getContext();
  if (!call.has(index))
    return pm::WindowAttr::getSpline(context, "cic");
  const Argument &arg = call[index];
  if (arg.value.isPoison())
    return {};
  if (arg.value.isRecord())
    return fitWindow(arg);
  if (!readChoice(g.rules(), arg, splineOption))
    return {};
  return pm::WindowAttr::getSpline(context, arg.value.getString());
}

//===----------------------------------------------------------------------===//
// Weights as polynomials
//===----------------------------------------------------------------------===//

/// Chebyshev nodes of a cell; the last coefficients tell whether they suffice.
static constexpr int nodeCount = pm::WindowAttr::mostCoefficients;
static constexpr int spareNodes = 6;

/// The coefficients of Σ_j c_j T_j(2 s), s in [-1/2, 1/2], from the values at
/// the nodes.
static std::vector<double> toChebyshev(llvm::ArrayRef<double> values) {
  size_t n = values.size();
  std::vector<double> coefficients(n);
  for (size_t j = 0; j < n; ++j) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i)
      sum += values[i] * std::cos(std::numbers::pi * double(j) *
                                  (double(i) + 0.5) / double(n));
    coefficients[j] = (j == 0 ? 1 : 2) * sum / double(n);
  }
  return coefficients;
}

/// The same polynomial's coefficients of s^i.
static std::vector<double> toPowers(llvm::ArrayRef<double> chebyshev) {
  size_t n = chebyshev.size();
  // T_{j+1}(2s) = 4 s T_j - T_{j-1}.
  std::vector<double> before(n), now(n), powers(n);
  now[0] = 1;
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i)
      powers[i] += chebyshev[j] * now[i];
    std::vector<double> next(n);
    for (size_t i = 0; i < n; ++i)
      next[i] = (i > 0 ? (j == 0 ? 2 : 4) * now[i - 1] : 0) - before[i];
    before = now;
    now = next;
  }
  return powers;
}

/// Where all cells' polynomials may end.
static size_t findLength(llvm::ArrayRef<std::vector<double>> cells,
                         double tolerance) {
  size_t length = 1;
  for (const std::vector<double> &cell : cells) {
    double rest = 0;
    for (size_t j = cell.size(); j-- > length;) {
      rest += std::abs(cell[j]);
      if (rest > tolerance)
        length = j + 1;
    }
  }
  return length;
}

/// The mean of both halves where they are mirror images but for rounding: then
/// they are so exactly, and kernels compute them together.
static void makeEven(std::vector<std::vector<double>> &cells, double most) {
  size_t n = cells.size();
  auto mirrored = [&](size_t k, size_t j) {
    return (j % 2 == 0 ? 1 : -1) * cells[n - 1 - k][j];
  };
  for (size_t k = 0; k < n; ++k)
    for (size_t j = 0; j < cells[k].size(); ++j)
      if (std::abs(cells[k][j] - mirrored(k, j)) > 1e-12 * most)
        return;
  auto before = cells;
  for (size_t k = 0; k < n; ++k)
    for (size_t j = 0; j < cells[k].size(); ++j)
      cells[k][j] =
          0.5 * (before[k][j] + (j % 2 == 0 ? 1 : -1) * before[n - 1 - k][j]);
}

std::optional<double> Windows::weightAt(const Argument &arg,
                                        const Value &weight, double x) {
  Argument at;
  at.value = Value::real(x);
  at.loc = arg.loc;
  at.range = arg.range;
  // What leaves nothing in the program does not count.
  llvm::SaveAndRestore<uint64_t> counted(g.unrolled), worked(g.work);
  Value value = g.apply(weight, {at, arg.loc});
  if (value.isPoison())
    return std::nullopt;
  return readWindowWeight(g.rules(), arg, value, x);
}

pm::WindowAttr Windows::fitWindow(const Argument &arg) {
  if (!checkWindow(g.rules(), arg, pm::WindowAttr::most))
    return {};
  const int64_t support = *arg.value.findMember("support")->getConstInt();
  const Value &weight = *arg.value.findMember("weight");
  double accuracy = g.realType == g.f64Type ? 1e-14 : 1e-7;
  if (const Value *given = arg.value.findMember("accuracy"))
    accuracy = std::max(*given->getConstReal(), 1e-15);
  // Cached, because it takes long to evaluate the weight, and a spec uses the
  // same window many times.
  std::string key = llvm::formatv("{0} {1:e17} ", support, accuracy);
  llvm::SmallVector<mlir::Value> leaves;
  appendKey(key, weight);
  g.flatten(weight, leaves);
  if (!leaves.empty())
    return fitWeight(arg, weight, support, accuracy);
  pm::WindowAttr fitted = g.fittedWindows.lookup(key);
  if (!fitted) {
    fitted = fitWeight(arg, weight, support, accuracy);
    g.fittedWindows[key] = fitted;
  }
  return fitted;
}

/// Null after an error.
pm::WindowAttr Windows::fitWeight(const Argument &arg, const Value &weight,
                                  int64_t support, double accuracy) {
  // As with constants: nothing is left in the program.
  mlir::OpBuilder::InsertionGuard guard(g.builder);
  mlir::Block scratch;
  g.builder.setInsertionPointToEnd(&scratch);
  llvm::SaveAndRestore<bool> inlined(g.frame->inlineCalls, true);
  std::vector<std::vector<double>> cells;
  double most = 0;
  bool isGood = true;
  int64_t before = (support - 1) / 2;
  double middle = support % 2 == 0 ? 0.5 : 0;
  for (int64_t k = 0; k < support && isGood; ++k) {
    std::vector<double> values;
    for (int i = 0; i < nodeCount && isGood; ++i) {
      double s = 0.5 * std::cos(std::numbers::pi * (i + 0.5) / nodeCount);
      // From the particle to the cell.
      std::optional<double> value =
          weightAt(arg, weight, double(k - before) - (s + middle));
      isGood = value.has_value();
      values.push_back(value.value_or(0));
      most = std::max(most, std::abs(values.back()));
    }
    cells.push_back(toChebyshev(values));
  }
  scratch.dropAllReferences();
  scratch.dropAllDefinedValueUses();
  if (!isGood)
    return {};
  size_t length = findLength(cells, accuracy * most);
  const bool isSmooth = length <= size_t(nodeCount - spareNodes);
  double rest = 0;
  if (!isSmooth)
    for (const std::vector<double> &cell : cells)
      rest = std::max(rest, std::abs(cell[nodeCount - spareNodes]) +
                                std::abs(cell[nodeCount - spareNodes - 1]));
  if (!requireSmoothWindow(g.rules(), arg, rest / most, accuracy, isSmooth))
    return {};
  for (std::vector<double> &cell : cells) {
    cell.resize(length);
    cell = toPowers(cell);
  }
  makeEven(cells, most);
  std::vector<double> all;
  for (const std::vector<double> &cell : cells)
    all.insert(all.end(), cell.begin(), cell.end());
  return pm::WindowAttr::get(g.builder.getContext(), unsigned(support),
                             g.builder.getDenseF64ArrayAttr(all), {});
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// The mesh's dims that a vector's components belong to: those that they name;
/// else those with a length; else, if none has one, the last. None if that does
/// not say which.
llvm::SmallVector<bool> Windows::findAddressed(llvm::ArrayRef<pm::DimAttr> mesh,
                                               const Value &vector,
                                               size_t count) {
  DimList tags;
  if (vector.isTuple())
    tags = vector.getTags();
  llvm::SmallVector<bool> named(mesh.size(), false),
      measured(mesh.size(), false), last(mesh.size(), false);
  size_t next = 0;
  for (auto [d, dim] : llvm::enumerate(mesh)) {
    if (next < tags.size() && tags[next].name == dim.getName()) {
      named[d] = true;
      ++next;
    }
    auto it = g.dims.find(dim.getName());
    measured[d] = it != g.dims.end() && !it->second.lengthIsCells;
    last[d] = d + count >= mesh.size();
  }
  if (tags.size() == count && next == count)
    return named;
  auto lengths = size_t(llvm::count(measured, true));
  if (lengths == count)
    return measured;
  return lengths == 0 ? last : llvm::SmallVector<bool>();
}

/// Where a mesh has more dims than the positions have components, the others
/// count a batch: components for them are added, which say the element's own
/// index (of displacements: 0), and all are fields over these dims, too.
bool Windows::addBatch(llvm::ArrayRef<pm::DimAttr> mesh, const Argument &arg,
                       bool free, llvm::SmallVectorImpl<mlir::Value> &fields,
                       pm::WindowAttr &window) {
  if (fields.size() >= mesh.size())
    return true;
  auto lattice = llvm::cast<pm::FieldType>(fields[0].getType());
  llvm::SmallVector<bool> addressed =
      findAddressed(mesh, arg.value, fields.size());
  if (addressed.empty())
    return true; // and is told so
  llvm::SmallVector<pm::DimAttr> domain;
  llvm::SmallVector<int64_t> batch;
  for (auto [d, dim] : llvm::enumerate(mesh)) {
    if (addressed[d])
      continue;
    batch.push_back(int64_t(d));
    if (!llvm::is_contained(lattice.getDims(), dim))
      domain.push_back(dim);
  }
  domain.append(lattice.getDims().begin(), lattice.getDims().end());
  pm::FieldType type = g.fieldType(domain, g.realType, arg.loc);
  if (!type)
    return false;
  llvm::SmallVector<mlir::Value> spacings;
  for (int64_t d : batch)
    spacings.push_back(
        g.materialize(mesh[size_t(d)].isSpace()
                          ? g.dimSpacing(mesh[size_t(d)], arg.loc).withUnit({})
                          : Value::real(1),
                      g.f64Type, g.getLoc(arg.loc)));
  mlir::Location at = g.getLoc(arg.loc);
  llvm::SmallVector<mlir::Type> types(mesh.size(), type);
  auto map = pm::MapOp::create(
      g.builder, at, types, pm::DimsAttr::get(g.builder.getContext(), domain),
      fields, mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(g.builder);
  mlir::Block *body = g.builder.createBlock(&map.getBody());
  for (size_t i = 0; i < fields.size(); ++i)
    body->addArgument(g.realType, at);
  llvm::SmallVector<mlir::Value> yielded;
  size_t next = 0, nextBatch = 0;
  for (auto [d, dim] : llvm::enumerate(mesh)) {
    if (addressed[d]) {
      yielded.push_back(body->getArgument(next++));
      continue;
    }
    mlir::Value place = mlir::arith::ConstantOp::create(
        g.builder, at, g.builder.getF64FloatAttr(0));
    if (free)
      place = mlir::arith::MulFOp::create(
          g.builder, at,
          pm::CoordinateOp::create(g.builder, at,
                                   g.builder.getStringAttr(dim.getLabel())),
          spacings[nextBatch]);
    ++nextBatch;
    if (g.realType != g.f64Type)
      place = mlir::arith::TruncFOp::create(g.builder, at, g.realType, place);
    yielded.push_back(place);
  }
  pm::YieldOp::create(g.builder, at, yielded);
  fields.assign(map.getResults().begin(), map.getResults().end());
  window = window.withBatch(batch);
  return true;
}
