//===- Expand.cpp - Particle ops, transforms and lengths to loops ---------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Expand/Expand.h"
#include "passes/Optimize/Zeros.h"
#include "passes/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace pmc::passes {
#define GEN_PASS_DEF_EXPAND
#include "passes/Passes.h.inc"
} // namespace pmc::passes

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

/// The value of the dim's region, computed before the builder's point; null
/// with an error at `op` if the module declares no such dim.
static Value buildLength(OpBuilder &builder, Operation *op, StringRef name) {
  for (auto dim : op->getParentOfType<ModuleOp>().getOps<DimOp>()) {
    if (dim.getName() != name)
      continue;
    IRMapping mapping;
    Block &body = dim.getLength().front();
    for (Operation &inner : body.without_terminator())
      builder.clone(inner, mapping);
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  }
  op->emitOpError("needs the length of dim '")
      << name << "', which the module does not declare";
  return {};
}

namespace {

struct ExpandLength : OpRewritePattern<LengthOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LengthOp op,
                                PatternRewriter &rewriter) const override {
    Value length = buildLength(rewriter, op, op.getDim());
    if (!length)
      return failure();
    rewriter.replaceOp(op, length);
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Particles
//===----------------------------------------------------------------------===//

/// Mesh cells in a unit of length along each dim, in the particles' precision:
/// extent/length, divided in f64. Along Fourier dims positions count modes.
static FailureOr<SmallVector<Value>> buildCellsPerLength(OpBuilder &builder,
                                                         Operation *op,
                                                         ArrayRef<DimAttr> mesh,
                                                         Type element) {
  Location loc = op->getLoc();
  SmallVector<Value> scales;
  for (DimAttr dim : mesh) {
    if (!dim.isSpace()) {
      scales.push_back(arith::ConstantOp::create(
          builder, loc, builder.getFloatAttr(element, 1.0)));
      continue;
    }
    Value length = buildLength(builder, op, dim.getName());
    if (!length)
      return failure();
    Value cells = arith::ConstantOp::create(
        builder, loc, builder.getF64FloatAttr(double(dim.getExtent())));
    Value scale = arith::DivFOp::create(builder, loc, cells, length);
    if (element != scale.getType())
      scale = arith::TruncFOp::create(builder, loc, element, scale);
    scales.push_back(scale);
  }
  return scales;
}

/// Starts the body of a domain op: one argument an input.
static Block *startBody(OpBuilder &builder, Location loc, Region &region,
                        ValueRange inputs) {
  Block *body = builder.createBlock(&region);
  for (Value input : inputs)
    body->addArgument(cast<FieldType>(input.getType()).getElementType(), loc);
  return body;
}

static SmallVector<Value> buildOffsets(OpBuilder &builder, Location loc,
                                       ValueRange displacements,
                                       ArrayRef<Value> scales) {
  SmallVector<Value> offsets;
  for (auto [displacement, scale] : llvm::zip(displacements, scales))
    offsets.push_back(arith::MulFOp::create(builder, loc, displacement, scale));
  return offsets;
}

/// `value` times Π_d scale_d^{o_d}, o the i-th orders: what was differentiated
/// with respect to offsets, with respect to displacements.
static Value applyChainRule(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<Value> scales,
                            std::optional<ArrayRef<int64_t>> orders, size_t i) {
  if (!orders)
    return value;
  Value factor;
  for (auto [scale, order] :
       llvm::zip_equal(scales, orders->slice(i * scales.size(), scales.size())))
    for (int64_t n = 0; n < order; ++n)
      factor =
          factor ? arith::MulFOp::create(builder, loc, factor, scale) : scale;
  if (!factor)
    return value;
  Type type = value.getType();
  if (factor.getType() != type)
    factor =
        type.isF32()
            ? arith::TruncFOp::create(builder, loc, type, factor).getResult()
            : arith::ExtFOp::create(builder, loc, type, factor).getResult();
  return arith::MulFOp::create(builder, loc, value, factor);
}

/// What `build` gives where the condition holds, and zeros elsewhere.
static scf::IfOp
buildChoice(OpBuilder &builder, Location loc, Value condition,
            ArrayRef<Type> types,
            llvm::function_ref<SmallVector<Value>(OpBuilder &)> build) {
  return scf::IfOp::create(
      builder, loc, condition,
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, build(inner));
      },
      [&](OpBuilder &inner, Location) {
        SmallVector<Value> zeros;
        for (Type type : types)
          zeros.push_back(
              arith::ConstantOp::create(inner, loc, inner.getZeroAttr(type)));
        scf::YieldOp::create(inner, loc, zeros);
      });
}

namespace {

struct ExpandPaint : OpRewritePattern<PaintOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PaintOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto mesh = cast<FieldType>(op.getMeshes().front().getType());
    auto lattice = cast<FieldType>(op.getDisplacements().front().getType());
    Type element = lattice.getElementType();
    FailureOr<SmallVector<Value>> scales =
        buildCellsPerLength(rewriter, op, mesh.getDims(), element);
    if (failed(scales))
      return failure();
    SmallVector<Value> inputs(op.getDisplacements());
    llvm::append_range(inputs, op.getWeights());
    if (op.getWhere())
      inputs.push_back(op.getWhere());
    auto scatter = ScatterOp::create(
        rewriter, loc, op.getMeshes().getTypes(), op.getWindow(),
        DimsAttr::get(op.getContext(), lattice.getDims()), op.getFree(),
        op.getOrdersAttr(), inputs, ValueRange());
    Block *body = startBody(rewriter, loc, scatter.getBody(), inputs);
    ValueRange arguments = body->getArguments();
    size_t rank = scales->size();
    SmallVector<Value> yielded =
        buildOffsets(rewriter, loc, arguments.take_front(rank), *scales);
    SmallVector<Value> weights(arguments.slice(rank, op.getWeights().size()));
    if (weights.empty())
      weights.push_back(arith::ConstantOp::create(
          rewriter, loc, rewriter.getFloatAttr(element, 1.0)));
    for (auto [i, weight] : llvm::enumerate(weights))
      yielded.push_back(
          applyChainRule(rewriter, loc, weight, *scales, op.getOrders(), i));
    if (op.getWhere())
      yielded.push_back(arguments.back());
    YieldOp::create(rewriter, loc, yielded);
    rewriter.replaceOp(op, scatter.getResults());
    return success();
  }
};

struct ExpandReadout : OpRewritePattern<ReadoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReadoutOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto mesh = cast<FieldType>(op.getMeshes().front().getType());
    auto lattice = cast<FieldType>(op.getDisplacements().front().getType());
    FailureOr<SmallVector<Value>> scales = buildCellsPerLength(
        rewriter, op, mesh.getDims(), lattice.getElementType());
    if (failed(scales))
      return failure();
    SmallVector<Value> inputs(op.getDisplacements());
    if (op.getWhere())
      inputs.push_back(op.getWhere());
    auto map = MapOp::create(rewriter, loc, op.getResultTypes(),
                             DimsAttr::get(op.getContext(), lattice.getDims()),
                             inputs, ValueRange());
    Block *body = startBody(rewriter, loc, map.getBody(), inputs);
    SmallVector<Value> offsets =
        buildOffsets(rewriter, loc,
                     body->getArguments().take_front(scales->size()), *scales);
    SmallVector<Type> types;
    for (Type type : op.getResultTypes())
      types.push_back(cast<FieldType>(type).getElementType());
    auto read = [&](OpBuilder &builder) {
      auto values = InterpolateOp::create(builder, loc, types, op.getWindow(),
                                          op.getFree(), op.getOrdersAttr(),
                                          op.getMeshes(), offsets);
      SmallVector<Value> yielded;
      for (auto [j, value] : llvm::enumerate(values.getValues()))
        yielded.push_back(
            applyChainRule(builder, loc, value, *scales, op.getOrders(), j));
      return yielded;
    };
    SmallVector<Value> yielded;
    if (op.getWhere())
      llvm::append_range(
          yielded,
          buildChoice(rewriter, loc, body->getArguments().back(), types, read)
              .getResults());
    else
      yielded = read(rewriter);
    YieldOp::create(rewriter, loc, yielded);
    rewriter.replaceOp(op, map.getResults());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

struct ExpandFFT : OpRewritePattern<FFTOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FFTOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getRaw() || !op.getResult())
      return failure();
    Location loc = op.getLoc();
    auto type = cast<FieldType>(op.getResult().getType());
    auto input = cast<FieldType>(op.getInput().getType());
    // What is mapped over modes often begins with zeros.
    if (isZeroEverywhere(op.getInput()))
      return buildZeros(op, type, rewriter);
    double cells = 1;
    for (auto [from, to] : llvm::zip(input.getDims(), type.getDims()))
      if (from != to)
        cells *= double(from.getExtent());
    auto raw =
        FFTOp::create(rewriter, loc, type, op.getInput(), op.getOverAttr(),
                      rewriter.getUnitAttr(), ValueRange());
    auto map = MapOp::create(rewriter, loc, TypeRange(type),
                             DimsAttr::get(op.getContext(), type.getDims()),
                             ValueRange(raw.getResult()), ValueRange());
    Block *body =
        startBody(rewriter, loc, map.getBody(), ValueRange(raw.getResult()));
    Value mode = body->getArgument(0);
    Type real = cast<ComplexType>(mode.getType()).getElementType();
    Value factor = arith::ConstantOp::create(
        rewriter, loc, rewriter.getFloatAttr(real, 1.0 / cells));
    Value re = arith::MulFOp::create(
        rewriter, loc, complex::ReOp::create(rewriter, loc, real, mode),
        factor);
    Value im = arith::MulFOp::create(
        rewriter, loc, complex::ImOp::create(rewriter, loc, real, mode),
        factor);
    Value scaled =
        complex::CreateOp::create(rewriter, loc, mode.getType(), re, im);
    YieldOp::create(rewriter, loc, scaled);
    rewriter.replaceOp(op, map.getResults());
    return success();
  }

private:
  static LogicalResult buildZeros(FFTOp op, FieldType type,
                                  PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    auto map = MapOp::create(rewriter, loc, TypeRange(type),
                             DimsAttr::get(op.getContext(), type.getDims()),
                             ValueRange(), ValueRange());
    startBody(rewriter, loc, map.getBody(), {});
    auto element = cast<ComplexType>(type.getElementType());
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(element.getElementType()));
    Value number =
        complex::CreateOp::create(rewriter, loc, element, zero, zero);
    YieldOp::create(rewriter, loc, number);
    rewriter.replaceOp(op, map.getResults());
    return success();
  }
};

} // namespace

void pmc::passes::populateExpandLengthPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandLength>(patterns.getContext());
}

void pmc::passes::populateExpandParticlePatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandPaint, ExpandReadout>(patterns.getContext());
}

void pmc::passes::populateExpandFourierPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandFFT>(patterns.getContext());
}

namespace {

class ExpandPass : public pmc::passes::impl::ExpandBase<ExpandPass> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateExpandLengthPatterns(set);
    populateExpandParticlePatterns(set);
    populateExpandShiftPatterns(set);
    populateExpandStoredPatterns(set);
    populateExpandViewPatterns(set);
    populateExpandBinsPatterns(set);
    populateExpandFourierPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // A dim's region may use the length of another dim.
    for (auto dim : getOperation().getOps<DimOp>())
      walkAndApplyPatterns(dim, patterns);
    walkAndApplyPatterns(getOperation(), patterns);
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
