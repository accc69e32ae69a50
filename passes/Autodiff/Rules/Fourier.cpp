//===- Fourier.cpp - Derivatives of transforms ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transforms are linear. With F_k = Σ_x f(x) e^{−ikx}, Hermitian pairs counted
// twice and a complex number taken for two reals, the adjoint of the raw
// transform is the inverse one (to reals: it projects on the Hermitian part),
// and the other way round; the 1/N of pm.fft stays.
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Build.h"
#include "passes/Autodiff/Models.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// The real field or the spectrum times a number.
static Value buildScaled(OpBuilder &builder, Location loc, Value field,
                         double factor) {
  auto type = cast<FieldType>(field.getType());
  return buildMap(
      builder, loc, type, field,
      [&](OpBuilder &inner, ValueRange elements) -> Value {
        auto complex = dyn_cast<ComplexType>(type.getElementType());
        Type real = complex ? complex.getElementType() : type.getElementType();
        Value constant = buildConstant(inner, loc, real, factor);
        auto scale = [&](Value number) -> Value {
          return arith::MulFOp::create(inner, loc, number, constant);
        };
        Value element = elements.front();
        if (!complex)
          return scale(element);
        Value re = scale(buildPart(inner, loc, element, /*imaginary=*/false));
        Value im = scale(buildPart(inner, loc, element, /*imaginary=*/true));
        return complex::CreateOp::create(inner, loc, complex, re, im);
      });
}

namespace {

struct FFTDerivative
    : DifferentiableOpInterface::ExternalModel<FFTDerivative, FFTOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto fft = cast<FFTOp>(op);
    if (Value tangent = tangents.get(fft.getInput()))
      tangents.set(fft.getResult(),
                   FFTOp::create(builder, op->getLoc(),
                                 fft.getResult().getType(), tangent,
                                 fft.getOverAttr(), fft.getRawAttr(),
                                 ValueRange())
                       .getResult());
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto fft = cast<FFTOp>(op);
    Value cotangent = cotangents.get(fft.getResult());
    if (!cotangent || !cotangents.needs(fft.getInput()))
      return success();
    Location loc = op->getLoc();
    auto type = cast<FieldType>(fft.getInput().getType());
    Value back = IFFTOp::create(builder, loc, type, cotangent,
                                fft.getOverAttr(), UnitAttr(), ValueRange())
                     .getResult();
    if (!fft.getRaw())
      back = buildScaled(builder, loc, back, 1 / countCells(fft));
    cotangents.add(builder, fft.getInput(), back);
    return success();
  }

private:
  /// Cells that one mode is a sum of.
  static double countCells(FFTOp fft) {
    auto input = cast<FieldType>(fft.getInput().getType());
    auto result = cast<FieldType>(fft.getResult().getType());
    double cells = 1;
    for (auto [from, to] : llvm::zip(input.getDims(), result.getDims()))
      if (from != to)
        cells *= double(from.getExtent());
    return cells;
  }
};

struct IFFTDerivative
    : DifferentiableOpInterface::ExternalModel<IFFTDerivative, IFFTOp> {
  LogicalResult buildTangent(Operation *op, OpBuilder &builder,
                             Tangents &tangents) const {
    auto ifft = cast<IFFTOp>(op);
    if (Value tangent = tangents.get(ifft.getInput()))
      tangents.set(ifft.getResult(),
                   IFFTOp::create(builder, op->getLoc(),
                                  ifft.getResult().getType(), tangent,
                                  ifft.getOverAttr(), ifft.getRawAttr(),
                                  ValueRange())
                       .getResult());
    return success();
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &builder,
                             Cotangents &cotangents) const {
    auto ifft = cast<IFFTOp>(op);
    Value cotangent = cotangents.get(ifft.getResult());
    if (!cotangent || !cotangents.needs(ifft.getInput()))
      return success();
    cotangents.add(builder, ifft.getInput(),
                   FFTOp::create(builder, op->getLoc(),
                                 ifft.getInput().getType(), cotangent,
                                 ifft.getOverAttr(), builder.getUnitAttr(),
                                 ValueRange())
                       .getResult());
    return success();
  }
};

} // namespace

void pmc::passes::registerFourierDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PMDialect *) {
    FFTOp::attachInterface<FFTDerivative>(*context);
    IFFTOp::attachInterface<IFFTDerivative>(*context);
  });
}
