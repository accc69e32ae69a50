//===- RowLoop.h - Kernels over rows of a domain ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_CODEGEN_CPU_ROWLOOP_H
#define PMC_CODEGEN_CPU_ROWLOOP_H

#include "codegen/CPU/Launch.h"
#include "codegen/Elements/Schedule.h"

namespace pmc::codegen {

/// Elements of a loop that is not worth vector code.
inline constexpr int64_t shortLoop = 16384;

/// A kernel that the runtime calls with parts of the domain: rows, or elements
/// of a domain of one dim.
template <typename Loop> class RowLoop : public Loop {
public:
  RowLoop(pm::DomainOpInterface op, LoweringContext &context,
          mlir::OpBuilder &host, llvm::StringRef title)
      : Loop(op, context, host), title(title),
        kernel(context, host, op.getLoc(), title),
        part(op, this->extents, host) {
    Body::capture(op, kernel, this->extents);
    part.capture(kernel);
  }

  Kernel &getKernel() override { return kernel; }
  Body::Reading getReading() const override { return Body::Reading::InChunks; }

protected:
  /// Creates the function, which gets a part and maybe accumulators.
  void create(bool accumulates) {
    mlir::Type i64 = this->host.getI64Type();
    llvm::SmallVector<mlir::Type> types{i64, i64};
    if (accumulates)
      types.push_back(pmk::SpanType::get(this->host.getF64Type()));
    kernel.create(types);
  }
  void setChunk(int64_t size) {
    kernel.setSchedule(pmk::RowsAttr::get(this->host.getContext(), size));
  }
  llvm::SmallVector<mlir::Value>
  forOwnRows(Body &body, mlir::ValueRange carried, RowBody row) {
    return forParts(
        kernel.body(), this->loc, body.getDims(), part, body.getExtents(),
        kernel, kernel.extra(0), kernel.extra(1), carried,
        [&](mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> outer,
            mlir::Value from, mlir::Value to, mlir::ValueRange values) {
          body.enterRow(builder, outer);
          return row(builder, outer, from, to, values);
        });
  }
  Parts getParts() {
    return pmc::codegen::getParts(this->host, this->extents, this->op, part);
  }

  llvm::StringRef title;
  Kernel kernel;
  DomainPart part;
};

class Elements : public RowLoop<ElementLoop> {
public:
  Elements(pm::DomainOpInterface op, LoweringContext &context,
           mlir::OpBuilder &host, llvm::StringRef title)
      : RowLoop(op, context, host, title) {
    // Tables over an axis: programs have many of them, and run them in no time.
    llvm::ArrayRef<pm::DimAttr> dims = op.getDomainDims();
    if (dims.size() == 1 && dims.front().getExtent() <= shortLoop)
      kernel.preferSize();
    create(/*accumulates=*/false);
  }

  void forElements(Body &body, Element element) override {
    setChunk(body.needsChunks() ? context.getTarget().sizes.chunk : 1);
    forOwnRows(body, {},
               [&](mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value>,
                   mlir::Value from, mlir::Value to, mlir::ValueRange) {
                 if (!body.needsChunks()) {
                   body.forEach(builder, from, to, element);
                   return llvm::SmallVector<mlir::Value>();
                 }
                 return forChunks(builder, loc, from, to, body.getChunk(), {},
                                  [&](mlir::OpBuilder &inner, mlir::Value first,
                                      mlir::Value size, mlir::ValueRange) {
                                    body.enterChunk(inner, first, size);
                                    body.forEach(inner,
                                                 Emit(inner, loc).index(0),
                                                 size, element);
                                    return llvm::SmallVector<mlir::Value>();
                                  });
               });
  }
  void launch() override {
    Launch(context, host, loc, title).loop(kernel, getParts());
  }
};

} // namespace pmc::codegen

#endif // PMC_CODEGEN_CPU_ROWLOOP_H
