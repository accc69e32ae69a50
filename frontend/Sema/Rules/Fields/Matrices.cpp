//===- Matrices.cpp - What are matrices over dims -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Sema/Rules/Fields/Matrices.h"

#include "frontend/Sema/Rules/Fields/Fields.h"
#include "frontend/Sema/Types/DimMessages.h"

#include "llvm/ADT/STLExtras.h"

using namespace pmc;

static const llvm::StringRef functionNames[] = {
    "solve",   "solve_lower", "least_squares", "cholesky",
    "log_det", "eigh",        "svd",           "det_sign"};

std::optional<MatrixFunction>
pmc::readMatrixFunction(const RuleContext &context, const Argument &name,
                        bool hasKept, bool hasRight, llvm::SMLoc loc) {
  const llvm::StringRef found = name.value.getString();
  const auto *known = llvm::find(functionNames, found);
  if (known == std::end(functionNames)) {
    context.error(name, "[PM0521] 'lapack' has no function \"" + found + "\"" +
                            suggest(found, functionNames));
    return std::nullopt;
  }
  const auto function = MatrixFunction(known - std::begin(functionNames));
  auto check = [&](bool isRequired, bool isGiven, const char *argument) {
    return isRequired == isGiven ||
           context.refuse(loc, "[PM0521] 'lapack' of \"" + found + "\" " +
                                   (isRequired ? "requires" : "has no") + " '" +
                                   argument + "'");
  };
  if (!check(function == MatrixFunction::Svd, hasKept, "kept") ||
      !check(hasRightHandSide(function), hasRight, "b"))
    return std::nullopt;
  return function;
}

bool pmc::requireReal(const RuleContext &context, const Argument &matrix,
                      bool isComplex) {
  return !isComplex ||
         context.refuse(matrix,
                        "[PM0521] the sign of a determinant requires real "
                        "matrices, not " +
                            matrix.value.describeType());
}

/// The dim of an argument, which the matrix has unless `isNew`.
static std::optional<Dim> readMatrixDim(const RuleContext &context,
                                        DimList dims, const Argument &arg,
                                        bool isNew) {
  const auto list = readDims(context, arg.value, arg.loc);
  if (!list)
    return std::nullopt;
  if (list->size() != 1) {
    context.error(arg,
                  "[PM0521] the rows and the columns of a matrix are one dim "
                  "each, not " +
                      llvm::Twine(list->size()));
    return std::nullopt;
  }
  const Dim &dim = list->front();
  const bool has = llvm::is_contained(dims, dim);
  if (has == isNew)
    context.error(arg, isNew ? "[PM0521] the matrix has the dim '" +
                                   dim.getLabel() + "' already"
                             : "[PM0521] the matrix has no dim '" +
                                   dim.getLabel() + "'; its dims are " +
                                   describeDims(dims));
  else if (isNew && !dim.isSpace())
    context.error(arg, "[PM0521] '" + dim.getLabel() + "' is a Fourier dim");
  else
    return dim;
  return std::nullopt;
}

std::optional<MatrixDims>
pmc::readMatrixDims(const RuleContext &context, MatrixFunction function,
                    const Argument &matrix, const Argument &rows,
                    const Argument &columns, const Argument *kept) {
  const DimList all = matrix.value.getDims();
  const auto i = readMatrixDim(context, all, rows, /*isNew=*/false);
  const auto j = readMatrixDim(context, all, columns, /*isNew=*/false);
  if (!i || !j)
    return std::nullopt;
  if (*i == *j) {
    context.error(
        columns,
        "[PM0521] the rows and the columns of a matrix are two dims, not '" +
            i->getLabel() + "' twice");
    return std::nullopt;
  }
  MatrixDims dims = {*i, *j, std::nullopt, {}};
  for (const Dim &dim : all) {
    if (!dim.isSpace()) {
      context.error(matrix,
                    "[PM0521] a batch of matrices has space dims, but '" +
                        dim.getLabel() + "' is a Fourier dim");
      return std::nullopt;
    }
    if (dim != *i && dim != *j)
      dims.batch.push_back(dim);
  }
  const bool isSquare = i->extent == j->extent;
  if (!isSquare && function != MatrixFunction::Svd &&
      function != MatrixFunction::LeastSquares) {
    context.error(matrix, "[PM0521] the matrix is not square: '" +
                              i->getLabel() + "' has " +
                              llvm::Twine(i->extent) + " cells and '" +
                              j->getLabel() + "' " + llvm::Twine(j->extent));
    return std::nullopt;
  }
  if (!kept)
    return dims;
  dims.kept = readMatrixDim(context, all, *kept, /*isNew=*/true);
  if (!dims.kept)
    return std::nullopt;
  const int64_t few = std::min(i->extent, j->extent);
  if (dims.kept->extent == few)
    return dims;
  context.error(*kept, "[PM0521] the matrix has " + llvm::Twine(few) +
                           " singular values, but '" + dims.kept->getLabel() +
                           "' has " + llvm::Twine(dims.kept->extent) +
                           " cells");
  return std::nullopt;
}

std::optional<Unit> pmc::rootOfMatrix(const RuleContext &context,
                                      const Argument &matrix) {
  const Unit unit = matrix.value.getUnit();
  const std::optional<Unit> root = unit.power(1, 2);
  if (!root)
    context.error(matrix, "[PM0521] the unit " + unit.str() +
                              " of the matrix has no square root");
  return root;
}

std::optional<std::vector<Dim>>
pmc::placeRightHandSide(const RuleContext &context, const MatrixDims &dims,
                        const Argument &right) {
  const DimList all = right.value.getDims();
  if (!llvm::is_contained(all, dims.rows)) {
    context.error(right, "[PM0521] the right-hand side has no dim '" +
                             dims.rows.getLabel() + "'; its dims are " +
                             describeDims(all));
    return std::nullopt;
  }
  std::vector<Dim> others;
  for (const Dim &dim : all) {
    if (dim == dims.rows || llvm::is_contained(dims.batch, dim))
      continue;
    if (dim == dims.columns) {
      context.error(right, "[PM0521] the right-hand side has the dim '" +
                               dim.getLabel() +
                               "' of the unknowns; give it another one");
      return std::nullopt;
    }
    if (!dim.isSpace()) {
      context.error(right,
                    "[PM0521] '" + dim.getLabel() + "' is a Fourier dim");
      return std::nullopt;
    }
    others.push_back(dim);
  }
  return others;
}
