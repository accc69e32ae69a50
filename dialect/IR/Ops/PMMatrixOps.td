//===- PMMatrixOps.td - Dense matrices over dims -----------*- tablegen -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A field is a batch of matrices: its first `batch` dims are those of the batch,
// which all fields of an op share. Then follow the rows, and then the columns,
// which are one dim of a matrix that is factored, and none (a vector) or several
// dims of right-hand sides and in products. Only their numbers of elements matter, not their
// names. A* is the adjoint, the transpose of a real matrix.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_DIALECT_PMMATRIXOPS_TD
#define PMC_DIALECT_PMMATRIXOPS_TD

include "dialect/IR/PMFieldOp.td"

/// Constraints of all: 1. elements are f32, f64, or complex ones of these, the same
/// everywhere, but that logarithms, eigenvalues and singular values are real;
/// 2. space dims; fields share their first `batch` dims, and no axis splits others;
/// 3. the numbers of rows and columns go together.
class PM_MatrixOp<string mnemonic, dag inputs>
    : PM_FieldOp<mnemonic, [PM_PureOnFields, PM_PlaceableOpInterface]> {
  let arguments = !con(inputs, (ins I64Attr:$batch, Variadic<PM_Buffer>:$outs));
  let results = (outs Variadic<PM_Field>:$results);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of a result, in either form.
    GridType getTargetType(unsigned number) {
      return ::llvm::cast<GridType>(
          (getResults().empty() ? ::mlir::ValueRange(getOuts())
                                : ::mlir::ValueRange(getResults()))[number]
              .getType());
    }
  }];
}

class PM_FactorOp<string mnemonic> : PM_MatrixOp<mnemonic, (ins PM_Grid:$matrix)> {
  let assemblyFormat = [{
    $matrix `batch` $batch (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:`
    type($matrix) (`->` type($results)^)?
  }];
}

def PM_MatrixProductOp : PM_MatrixOp<"matrix_product", (ins PM_Grid:$lhs, PM_Grid:$rhs,
    UnitAttr:$adjointLhs, UnitAttr:$adjointRhs)> {
  let summary = "the product of matrices";
  let description = [{
    C = A B, with A* in the place of A (`adjoint`), and B* in that of B. The columns
    of B may be several dims, over which A B* sums.

    ```mlir
    %c = pm.matrix_product adjoint %a, %b batch 1
         : !pm.field<[x=9, i=4, j=3], f64>, !pm.field<[x=9, i=4], f64> -> !pm.field<[x=9, j=3], f64>
    ```
  }];
  let assemblyFormat = [{
    (`adjoint` $adjointLhs^)? $lhs `,` (`adjoint` $adjointRhs^)? $rhs `batch` $batch
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:` type($lhs) `,` type($rhs)
    (`->` type($results)^)?
  }];
}

def PM_SolveOp : PM_MatrixOp<"solve", (ins PM_Grid:$matrix, PM_Grid:$rhs,
    UnitAttr:$adjoint, UnitAttr:$lower)> {
  let summary = "the solution of linear systems";
  let description = [{
    The X with A X = B, or A* X = B (`adjoint`). `lower`: A is lower triangular, and
    elements above the diagonal are not read. X is NaN where A is singular.
  }];
  let assemblyFormat = [{
    (`adjoint` $adjoint^)? (`lower` $lower^)? $matrix `,` $rhs `batch` $batch
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:` type($matrix) `,` type($rhs)
    (`->` type($results)^)?
  }];
}

def PM_LeastSquaresOp : PM_MatrixOp<"least_squares", (ins PM_Grid:$matrix, PM_Grid:$rhs,
    UnitAttr:$adjoint)> {
  let summary = "the solution of least squares";
  let description = [{
    The X with the least |A X - B|, or |A* X - B| (`adjoint`), and of these the one with
    the least |X|. Singular values below the largest one times the rounding error and
    the larger number of rows or columns count as 0.
  }];
  let assemblyFormat = [{
    (`adjoint` $adjoint^)? $matrix `,` $rhs `batch` $batch
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict `:` type($matrix) `,` type($rhs)
    (`->` type($results)^)?
  }];
}

def PM_CholeskyOp : PM_FactorOp<"cholesky"> {
  let summary = "the Cholesky factor";
  let description = [{
    The lower triangular L with L L* = (A + A*) / 2. NaN where this is not positive
    definite.
  }];
}

def PM_LogDetOp : PM_MatrixOp<"log_det", (ins PM_Grid:$matrix, UnitAttr:$sign)> {
  let summary = "the logarithm or the sign of the determinant";
  let description = [{
    log |det A|, repeated for each column, because the result is a field, which has at least one
    dim. With `sign`, the result is the sign of the determinant of real matrices: 1 or -1, and 0 if
    A is singular.

    ```mlir
    %s = pm.log_det sign %a batch 1
         : !pm.field<[x=9, i=4, j=4], f64> -> !pm.field<[x=9, j=4], f64>
    ```
  }];
  let assemblyFormat = [{
    (`sign` $sign^)? $matrix `batch` $batch (`outs` `(` $outs^ `:` type($outs) `)`)?
    attr-dict `:` type($matrix) (`->` type($results)^)?
  }];
}

def PM_EighOp : PM_FactorOp<"eigh"> {
  let summary = "eigenvalues and eigenvectors of Hermitian matrices";
  let description = [{
    The eigenvalues of (A + A*) / 2 in ascending order, over the columns, and a matrix
    with the eigenvectors as columns.
  }];
}

def PM_SvdOp : PM_FactorOp<"svd"> {
  let summary = "singular values and vectors";
  let description = [{
    u, values and v with A = u diag(values) v*, for the smaller number of rows and
    columns, in descending order.
  }];
}

#endif // PMC_DIALECT_PMMATRIXOPS_TD
