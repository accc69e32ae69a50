//===- Matrices.cpp - Derivatives of dense matrices -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formulas of Giles (2008) and Townsend (2016), for complex matrices too. They
// consist of matrix ops and maps, which have derivatives again. An eigenvector
// or a singular vector has a derivative where its value differs from the
// others; that of a complex one leaves its phase as it is.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Models.h"
#include "passes/Autodiff/Rules/MatrixBuilder.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

namespace {

struct MatrixProductDerivative
    : DifferentiableOpInterface::ExternalModel<MatrixProductDerivative,
                                               MatrixProductOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto product = cast<MatrixProductOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(product.getBatch()));
    Value a = product.getLhs(), b = product.getRhs(), sum;
    Type type = op->getResult(0).getType();
    bool isA = product.getAdjointLhs(), isB = product.getAdjointRhs();
    if (Value tangent = tangents.get(a))
      sum = m.multiply(type, tangent, b, isA, isB);
    if (Value tangent = tangents.get(b))
      sum = m.add(sum, m.multiply(type, a, tangent, isA, isB));
    if (sum)
      tangents.set(op->getResult(0), sum);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto product = cast<MatrixProductOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(product.getBatch()));
    Value bar = cotangents.get(op->getResult(0));
    if (!bar)
      return success();
    Value a = product.getLhs(), b = product.getRhs();
    bool isA = product.getAdjointLhs(), isB = product.getAdjointRhs();
    if (cotangents.needs(a))
      cotangents.add(builder, a,
                     isA ? m.multiply(a.getType(), b, bar, isB, true)
                         : m.multiply(a.getType(), bar, b, false, !isB));
    if (cotangents.needs(b))
      cotangents.add(builder, b,
                     isB ? m.multiply(b.getType(), bar, a, true, isA)
                         : m.multiply(b.getType(), a, bar, !isA, false));
    return success();
  }
};

/// dX = A^-1 (dB - dA X).
struct SolveDerivative
    : DifferentiableOpInterface::ExternalModel<SolveDerivative, SolveOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto solve = cast<SolveOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(solve.getBatch()));
    Value a = solve.getMatrix(), b = solve.getRhs(), x = op->getResult(0);
    Value right = tangents.get(b);
    if (Value tangent = tangents.get(a)) {
      Value read = solve.getLower() ? m.lowerPart(tangent, 1) : tangent;
      Value moved =
          m.negate(m.multiply(b.getType(), read, x, solve.getAdjoint()));
      right = right ? m.add(right, moved) : moved;
    }
    if (right)
      tangents.set(x, m.solve(x.getType(), a, right, solve.getAdjoint(),
                              solve.getLower()));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto solve = cast<SolveOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(solve.getBatch()));
    Value a = solve.getMatrix(), b = solve.getRhs(), x = op->getResult(0);
    Value bar = cotangents.get(x);
    if (!bar || (!cotangents.needs(a) && !cotangents.needs(b)))
      return success();
    Value right =
        m.solve(b.getType(), a, bar, !solve.getAdjoint(), solve.getLower());
    if (cotangents.needs(b))
      cotangents.add(builder, b, right);
    if (!cotangents.needs(a))
      return success();
    Value product = solve.getAdjoint()
                        ? m.multiply(a.getType(), x, right, false, true)
                        : m.multiply(a.getType(), right, x, false, true);
    Value made = m.negate(product);
    cotangents.add(builder, a, solve.getLower() ? m.lowerPart(made, 1) : made);
    return success();
  }
};

/// With the pseudoinverse A^+ of a matrix of full rank (Golub & Pereyra 1973):
/// dX = A^+ (dB - dA X), and A^+ A^+* dA* (B - A X) of more rows than columns,
/// or (1 - A^+ A) dA* A^+* X of more columns.
struct LeastSquaresDerivative
    : DifferentiableOpInterface::ExternalModel<LeastSquaresDerivative,
                                               LeastSquaresOp> {
  struct Parts {
    Parts(LeastSquaresOp op, OpBuilder &builder)
        : m(builder, op.getLoc(), int64_t(op.getBatch())), a(op.getMatrix()),
          b(op.getRhs()), x(op->getResult(0)), isAdjoint(op.getAdjoint()) {
      MatrixShape shape(cast<GridType>(a.getType()), int64_t(op.getBatch()));
      if (isAdjoint)
        shape = shape.getAdjoint();
      isTall = shape.rows > shape.columns;
      isWide = shape.rows < shape.columns;
    }
    Value inverse(Value v) {
      return m.leastSquares(x.getType(), a, v, isAdjoint);
    }
    Value adjointInverse(Value v) {
      return m.leastSquares(b.getType(), a, v, !isAdjoint);
    }
    Value times(Value matrix, Value v) {
      return m.multiply(b.getType(), matrix, v, isAdjoint);
    }
    Value adjointTimes(Value matrix, Value v) {
      return m.multiply(x.getType(), matrix, v, !isAdjoint);
    }
    /// p q*, as a change of A.
    Value outer(Value p, Value q) {
      return isAdjoint ? m.multiply(a.getType(), q, p, false, true)
                       : m.multiply(a.getType(), p, q, false, true);
    }
    /// (1 - A^+ A) v.
    Value outside(Value v) { return m.subtract(v, inverse(times(a, v))); }

    MatrixBuilder m;
    Value a, b, x;
    bool isAdjoint, isTall = false, isWide = false;
  };

  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    Parts p(cast<LeastSquaresOp>(op), builder);
    Value right = tangents.get(p.b), tangent = tangents.get(p.a), sum;
    if (tangent) {
      Value moved = p.m.negate(p.times(tangent, p.x));
      right = right ? p.m.add(right, moved) : moved;
    }
    if (!right)
      return success();
    sum = p.inverse(right);
    if (tangent && p.isTall) {
      Value rest = p.m.subtract(p.b, p.times(p.a, p.x));
      sum = p.m.add(sum,
                    p.inverse(p.adjointInverse(p.adjointTimes(tangent, rest))));
    } else if (tangent && p.isWide) {
      sum = p.m.add(sum,
                    p.outside(p.adjointTimes(tangent, p.adjointInverse(p.x))));
    }
    tangents.set(p.x, sum);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Parts p(cast<LeastSquaresOp>(op), builder);
    Value bar = cotangents.get(p.x);
    if (!bar || (!cotangents.needs(p.a) && !cotangents.needs(p.b)))
      return success();
    Value right = p.adjointInverse(bar);
    if (cotangents.needs(p.b))
      cotangents.add(builder, p.b, right);
    if (!cotangents.needs(p.a))
      return success();
    Value sum = p.m.negate(p.outer(right, p.x));
    if (p.isTall) {
      Value rest = p.m.subtract(p.b, p.times(p.a, p.x));
      sum = p.m.add(sum, p.outer(rest, p.inverse(right)));
    } else if (p.isWide) {
      sum = p.m.add(sum, p.outer(p.adjointInverse(p.x), p.outside(bar)));
    }
    cotangents.add(builder, p.a, sum);
    return success();
  }
};

/// dL = L Φ(L^-1 dA L^-*), where Φ takes the lower part and half the diagonal.
struct CholeskyDerivative
    : DifferentiableOpInterface::ExternalModel<CholeskyDerivative, CholeskyOp> {
  /// L^-1 A L^-*, or L^-* A L^-1, of a Hermitian matrix.
  static Value divide(MatrixBuilder &m, Value factor, Value a, bool isAdjoint) {
    return m.solve(
        factor.getType(), factor,
        m.adjoint(m.solve(factor.getType(), factor, a, isAdjoint, true)),
        isAdjoint, true);
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto cholesky = cast<CholeskyOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(cholesky.getBatch()));
    Value factor = op->getResult(0);
    Value tangent = tangents.get(cholesky.getMatrix());
    if (!tangent)
      return success();
    Value inner = divide(m, factor, m.hermitian(tangent), false);
    tangents.set(factor,
                 m.multiply(factor.getType(), factor, m.lowerPart(inner, 0.5)));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto cholesky = cast<CholeskyOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(cholesky.getBatch()));
    Value factor = op->getResult(0), bar = cotangents.get(factor);
    if (!bar || !cotangents.needs(cholesky.getMatrix()))
      return success();
    Value inner = m.lowerPart(
        m.multiply(factor.getType(), factor, bar, true, false), 0.5);
    cotangents.add(builder, cholesky.getMatrix(),
                   divide(m, factor, m.hermitian(inner), true));
    return success();
  }
};

/// d log |det A| = Re tr(A^-1 dA).
struct LogDetDerivative
    : DifferentiableOpInterface::ExternalModel<LogDetDerivative, LogDetOp> {
  /// The type of a real matrix like A.
  static Type getRealMatrix(LogDetOp op) {
    auto type = cast<FieldType>(op.getMatrix().getType());
    return FieldType::get(op.getContext(), type.getDims(),
                          op.getTargetType(0).getElementType());
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto det = cast<LogDetOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(det.getBatch()));
    Value tangent = tangents.get(det.getMatrix());
    if (!tangent || det.getSign())
      return success();
    Type type = op->getResult(0).getType();
    Value diagonal = m.realDiagonal(
        type, m.solve(tangent.getType(), det.getMatrix(), tangent, false));
    tangents.set(op->getResult(0),
                 m.multiply(type, m.ones(getRealMatrix(det)), diagonal));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto det = cast<LogDetOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(det.getBatch()));
    Value a = det.getMatrix(), bar = cotangents.get(op->getResult(0));
    if (!bar || !cotangents.needs(a) || det.getSign())
      return success();
    Value sum = m.multiply(bar.getType(), m.ones(getRealMatrix(det)), bar);
    Value inverse = m.solve(a.getType(), a, m.identity(a.getType()), true);
    cotangents.add(builder, a, m.scaleColumns(inverse, sum, false));
    return success();
  }
};

/// With M = V* dA V: dw is the diagonal of M, and dV = V (M_ij / (w_j - w_i)).
struct EighDerivative
    : DifferentiableOpInterface::ExternalModel<EighDerivative, EighOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto eigh = cast<EighOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(eigh.getBatch()));
    Value tangent = tangents.get(eigh.getMatrix());
    if (!tangent)
      return success();
    Value values = op->getResult(0), vectors = op->getResult(1);
    Type type = vectors.getType();
    Value inner = m.multiply(
        type, vectors, m.multiply(type, m.hermitian(tangent), vectors), true);
    tangents.set(values, m.realDiagonal(values.getType(), inner));
    tangents.set(vectors,
                 m.multiply(type, vectors, m.divideByGaps(inner, values)));
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto eigh = cast<EighOp>(op);
    MatrixBuilder m(builder, op->getLoc(), int64_t(eigh.getBatch()));
    Value values = op->getResult(0), vectors = op->getResult(1);
    Value valuesBar = cotangents.get(values),
          vectorsBar = cotangents.get(vectors);
    Value a = eigh.getMatrix();
    if ((!valuesBar && !vectorsBar) || !cotangents.needs(a))
      return success();
    Type type = vectors.getType();
    Value inner =
        vectorsBar ? m.divideByGaps(m.multiply(type, vectors, vectorsBar, true),
                                    values)
                   : buildZero(builder, op->getLoc(), type);
    if (valuesBar)
      inner = m.addDiagonal(inner, valuesBar);
    Value made = m.multiply(type, m.multiply(type, vectors, inner), vectors,
                            false, true);
    cotangents.add(builder, a, m.hermitian(made));
    return success();
  }
};

/// Townsend (2016), with P = u* dA v: du = u (S_ij / (s_j - s_i) + N_ij / (s_j
/// + s_i)) for the Hermitian part S of P and the rest N, and dv has -N.
struct SvdDerivative
    : DifferentiableOpInterface::ExternalModel<SvdDerivative, SvdOp> {
  struct Parts {
    Parts(SvdOp op, OpBuilder &builder)
        : m(builder, op.getLoc(), int64_t(op.getBatch())), a(op.getMatrix()),
          u(op->getResult(0)), s(op->getResult(1)), v(op->getResult(2)) {
      MatrixShape shape(cast<GridType>(a.getType()), int64_t(op.getBatch()));
      // The one of u and v that is square has a type for the square matrices.
      square = shape.rows <= shape.columns ? u.getType() : v.getType();
      isTall = shape.rows > shape.columns;
      isWide = shape.rows < shape.columns;
      isComplex =
          isa<ComplexType>(cast<FieldType>(a.getType()).getElementType());
    }
    /// (1 - u u*) z, or with v.
    Value outside(Value vectors, Value z) {
      return m.subtract(z, m.multiply(z.getType(), vectors,
                                      m.multiply(square, vectors, z, true)));
    }

    MatrixBuilder m;
    Value a, u, s, v;
    Type square;
    bool isTall = false, isWide = false, isComplex = false;
  };

  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    Parts p(cast<SvdOp>(op), builder);
    MatrixBuilder &m = p.m;
    Value tangent = tangents.get(p.a);
    if (!tangent)
      return success();
    Value right = m.multiply(p.u.getType(), tangent, p.v);
    Value left = m.multiply(p.v.getType(), tangent, p.u, true);
    Value inner = m.multiply(p.square, p.u, right, true);
    tangents.set(p.s, m.realDiagonal(p.s.getType(), inner));
    // Both parts turn u, and opposite ways v. Equal values leave out the first.
    Value even = m.hermitian(inner);
    Value byGaps = m.divideByGaps(even, p.s);
    Value bySums = m.divideBySums(m.subtract(inner, even), p.s);
    auto turned = [&](bool isOfU) {
      Value made = isOfU ? m.add(byGaps, bySums) : m.subtract(byGaps, bySums);
      if (!p.isComplex)
        return made;
      Value turns = m.turns(inner, p.s);
      return isOfU ? m.add(made, turns) : m.subtract(made, turns);
    };
    Value du = m.multiply(p.u.getType(), p.u, turned(true));
    Value dv = m.multiply(p.v.getType(), p.v, turned(false));
    if (p.isTall)
      du = m.add(du, m.scaleColumns(p.outside(p.u, right), p.s, true));
    if (p.isWide)
      dv = m.add(dv, m.scaleColumns(p.outside(p.v, left), p.s, true));
    tangents.set(p.u, du);
    tangents.set(p.v, dv);
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    Parts p(cast<SvdOp>(op), builder);
    MatrixBuilder &m = p.m;
    Value uBar = cotangents.get(p.u), sBar = cotangents.get(p.s),
          vBar = cotangents.get(p.v);
    if ((!uBar && !sBar && !vBar) || !cotangents.needs(p.a))
      return success();
    Value inner;
    auto add = [&](Value part) { inner = inner ? m.add(inner, part) : part; };
    if (uBar) {
      Value product = m.multiply(p.square, p.u, uBar, true);
      add(m.hermitian(m.divideByGaps(product, p.s)));
      Value bySums = m.divideBySums(product, p.s);
      add(m.subtract(bySums, m.hermitian(bySums)));
      if (p.isComplex)
        add(m.turns(product, p.s));
    }
    if (vBar) {
      Value product = m.multiply(p.square, p.v, vBar, true);
      add(m.hermitian(m.divideByGaps(product, p.s)));
      Value bySums = m.divideBySums(product, p.s);
      add(m.subtract(m.hermitian(bySums), bySums));
      if (p.isComplex)
        add(m.negate(m.turns(product, p.s)));
    }
    if (!inner)
      inner = buildZero(builder, op->getLoc(), p.square);
    if (sBar)
      inner = m.addDiagonal(inner, sBar);
    Type type = p.a.getType();
    Value sum = m.multiply(type, m.multiply(p.u.getType(), p.u, inner), p.v,
                           false, true);
    if (uBar && p.isTall)
      sum = m.add(
          sum, m.multiply(type, m.scaleColumns(p.outside(p.u, uBar), p.s, true),
                          p.v, false, true));
    if (vBar && p.isWide)
      sum =
          m.add(sum, m.multiply(type, p.u,
                                m.scaleColumns(p.outside(p.v, vBar), p.s, true),
                                false, true));
    cotangents.add(builder, p.a, sum);
    return success();
  }
};

} // namespace

void pmc::passes::registerMatrixDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MatrixProductOp::attachInterface<MatrixProductDerivative>(*context);
    SolveOp::attachInterface<SolveDerivative>(*context);
    LeastSquaresOp::attachInterface<LeastSquaresDerivative>(*context);
    CholeskyOp::attachInterface<CholeskyDerivative>(*context);
    LogDetOp::attachInterface<LogDetDerivative>(*context);
    EighOp::attachInterface<EighDerivative>(*context);
    SvdOp::attachInterface<SvdDerivative>(*context);
  });
}
