//===- Matrices.cpp - Dense matrices over dims ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Calls/Register.h"
#include "codegen/Lowering/LoweringContext.h"
#include "dialect/IR/PMMatrixOps.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::codegen;

static int getFlags(MatrixProductOp op) {
  return (op.getAdjointLhs() ? PMRT_MATRIX_ADJOINT_A : 0) |
         (op.getAdjointRhs() ? PMRT_MATRIX_ADJOINT_B : 0);
}
static int getFlags(SolveOp op) {
  return (op.getAdjoint() ? PMRT_MATRIX_ADJOINT_A : 0) |
         (op.getLower() ? PMRT_MATRIX_LOWER : 0);
}
static int getFlags(LeastSquaresOp op) {
  return op.getAdjoint() ? PMRT_MATRIX_ADJOINT_A : 0;
}
static int getFlags(LogDetOp op) { return op.getSign() ? PMRT_MATRIX_SIGN : 0; }
template <class Op> static int getFlags(Op) { return 0; }

namespace {

template <class Op, pmrt_matrix_kind kind>
struct MatrixLowering
    : LowerableOpInterface::ExternalModel<MatrixLowering<Op, kind>, Op> {
  LogicalResult lower(Operation *op, LoweringContext &context) const {
    auto matrices = cast<Op>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto pack = [&](ValueRange buffers) {
      SmallVector<Value> addresses;
      for (Value buffer : buffers)
        addresses.push_back(context.array(builder, buffer));
      return context.pack(builder, addresses,
                          LLVM::LLVMPointerType::get(op->getContext()));
    };
    size_t outs = matrices.getOuts().size();
    context.getTables().addMatrices(
        int32_t(kind), getFlags(matrices), int64_t(matrices.getBatch()),
        op->getOperands().drop_back(outs), matrices.getOuts());
    context.call(builder, loc, PMRT_FUNCTION(pmrt_matrices),
                 {context.getContext(builder), context.null(builder),
                  context.location(builder, loc),
                  context.constant(builder, int64_t(kind), 32),
                  context.constant(builder, int64_t(getFlags(matrices)), 32),
                  context.constant(builder, int64_t(matrices.getBatch()), 32),
                  pack(op->getOperands().drop_back(outs)),
                  pack(matrices.getOuts())});
    return success();
  }
};

} // namespace

void pmc::codegen::registerMatrixLowerings(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    MatrixProductOp::attachInterface<
        MatrixLowering<MatrixProductOp, PMRT_MATRIX_PRODUCT>>(*context);
    SolveOp::attachInterface<MatrixLowering<SolveOp, PMRT_MATRIX_SOLVE>>(
        *context);
    CholeskyOp::attachInterface<
        MatrixLowering<CholeskyOp, PMRT_MATRIX_CHOLESKY>>(*context);
    LogDetOp::attachInterface<MatrixLowering<LogDetOp, PMRT_MATRIX_LOG_DET>>(
        *context);
    EighOp::attachInterface<MatrixLowering<EighOp, PMRT_MATRIX_EIGH>>(*context);
    SvdOp::attachInterface<MatrixLowering<SvdOp, PMRT_MATRIX_SVD>>(*context);
    LeastSquaresOp::attachInterface<
        MatrixLowering<LeastSquaresOp, PMRT_MATRIX_LEAST_SQUARES>>(*context);
  });
}
