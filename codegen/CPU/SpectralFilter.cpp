//===- SpectralFilter.cpp - Modes between two transforms ------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime keeps the modes of some lines in a block of memory. The kernel
// gets the block, and the rows of the spectrum that the modes belong to
// (`pmrt_filter_body`).
//
//===----------------------------------------------------------------------===//

#include "codegen/CPU/CPU.h"
#include "codegen/Lowering/Fourier.h"

using namespace mlir;
using namespace pmc;
using namespace pmc::pm;
using namespace pmc::codegen;

/// The arguments of the kernel after the captured values.
enum Argument : unsigned { First, Step, Count, From, To, Modes, Next };

/// The modes of `count` rows. Inputs of the map but the last one are read where
/// they are.
static void emitRows(Kernel &kernel, Body &body, MapOp map) {
  Location loc = map.getLoc();
  ArrayRef<DimAttr> outerDims = body.getDims().drop_back();
  auto spectrum = unsigned(map.getInputs().size()) - 1;
  Value yield =
      Body::getYields(cast<DomainOpInterface>(map.getOperation())).front();
  forLoop(kernel.body(), loc, Emit(kernel.body(), loc).index(0),
          kernel.extra(Count), [&](OpBuilder &builder, Value j) {
            Emit emit(builder, loc);
            Value row =
                emit.add(kernel.extra(First), emit.mul(j, kernel.extra(Step)));
            SmallVector<Value> outer;
            if (!outerDims.empty())
              outer = body.getExtents().split(emit, outerDims, row);
            body.enterRow(builder, outer);
            Value modes =
                emit.at(kernel.extra(Modes), emit.mul(j, kernel.extra(Next)));
            body.readFrom(spectrum, modes);
            Value size = emit.sub(kernel.extra(To), kernel.extra(From));
            body.enterChunk(builder, kernel.extra(From), size);
            body.forEach(
                builder, emit.index(0), size, [&](OpBuilder &inner, Value i) {
                  SmallVector<Value> mode = body.evaluate(inner, i, yield);
                  Emit(inner, loc).store(mode.front(), modes, i);
                });
          });
}

void pmc::codegen::filterByLines(SpectralFilterOp filter, MapOp map,
                                 LoweringContext &context) {
  Location loc = filter.getLoc();
  OpBuilder host(map);
  Extents extents(context, host, loc);
  auto domain = cast<DomainOpInterface>(map.getOperation());
  Kernel kernel(context, host, loc, "spectral_filter");
  Body::capture(domain, kernel, extents);
  Type i64 = host.getI64Type();
  kernel.create({i64, i64, i64, i64, i64,
                 pmk::SpanType::get(filter.getSpectrumType().getElementType()),
                 i64});
  kernel.setSchedule(pmk::RowsAttr::get(host.getContext(), /*chunk=*/1));
  SmallVector<Value> yields(Body::getYields(domain));
  Body body(domain, kernel, extents, yields);
  emitRows(kernel, body, map);

  Value in = filter.getInput(), out = filter.getOuts()[0],
        spectrum = filter.getOuts()[1];
  uint32_t over =
      getTransformedDims(cast<BufferType>(in.getType()), filter.getOver());
  context.planTransform(loc, /*forward=*/true, over, in, spectrum);
  context.planTransform(loc, /*forward=*/false, over, spectrum, out);
  pmk::SpectralFilterOp::create(
      host, loc, kernel.getSymbol(), kernel.getCaptures(),
      context.array(host, in), context.array(host, spectrum),
      context.array(host, out), over, "spectral_filter",
      context.getTables().location(loc));
}
