//===- Reduce.cpp - Reductions become parallel reductions -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/FieldReduce.h"
#include "codegen/CPU/Launch.h"
#include "codegen/CPU/Register.h"
#include "codegen/Common/Body.h"
#include "codegen/Common/KernelInterfaces.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

namespace {

struct ReduceLowering
    : CPUKernelOpInterface::ExternalModel<ReduceLowering, ReduceOp> {
  LogicalResult lowerToKernel(Operation *op, LoweringContext &context) const {
    auto reduce = cast<ReduceOp>(op);
    if (reduce.getScalars().empty())
      return lowerFieldReduce(reduce, context);
    auto domain = cast<DomainOpInterface>(op);
    Location loc = op->getLoc();
    OpBuilder host(op);
    Extents extents(context, host, loc);
    StringRef title = stringifyReduction(reduce.getKind());
    Kernel kernel(context, host, loc, title);
    Body::capture(domain, kernel, extents);
    Type i64 = host.getI64Type();
    kernel.create({i64, i64, pmk::ViewType::get(host.getF64Type())});
    emitKernel(reduce, context, kernel, extents);

    int64_t width = int64_t(reduce.getScalars().size());
    Value out = context.frame(host, host.getF64Type(), width);
    Launch(context, host, loc, title)
        .reduce(kernel, getParts(host, extents, domain), width,
                reduce.getKind(), out);
    Emit emit(host, loc);
    Value results = emit.view(out, host.getF64Type());
    for (auto [j, scalar] : llvm::enumerate(reduce.getScalars()))
      scalar.replaceAllUsesWith(emit.load(results, emit.index(int64_t(j))));
    return success();
  }

private:
  static void emitKernel(ReduceOp reduce, LoweringContext &context,
                         Kernel &kernel, Extents &extents) {
    Location loc = reduce.getLoc();
    auto domain = cast<DomainOpInterface>(reduce.getOperation());
    SmallVector<Value> yields(Body::getYields(domain));
    Body body(domain, kernel, extents, yields);
    OpBuilder &builder = kernel.body();
    ChunkedReduction chunks(builder, reduce, body);
    Emit emit(builder, loc);
    SmallVector<Value> lanes = chunks.initial(emit);
    lanes = forParts(builder, loc, body.getDims(), body.getExtents(),
                     kernel.extra(0), kernel.extra(1), lanes,
                     [&](OpBuilder &inner, ArrayRef<Value> outer, Value from,
                         Value to, ValueRange carried) {
                       body.enterRow(inner, outer);
                       return chunks.add(inner, from, to, carried);
                     });
    Value partial = kernel.extra(2);
    for (auto [j, value] : llvm::enumerate(chunks.finish(emit, lanes))) {
      Value at = emit.index(int64_t(j));
      Value before = emit.load(partial, at);
      emit.store(chunks.getLanes().combine(emit, before, value), partial, at);
    }
  }
};

} // namespace

void pmc::codegen::registerReduceLowering(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    ReduceOp::attachInterface<ReduceLowering>(*context);
  });
}
