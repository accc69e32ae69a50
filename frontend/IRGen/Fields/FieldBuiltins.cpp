//===- FieldBuiltins.cpp - FFT, noise, paint, readout ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Fields/Fields.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

Value Generator::fourier(BuiltinCall &call, const Value &field) {
  bool forward = call.info.id == BuiltinId::FFT;
  if (field.isTuple()) {
    std::vector<Value> results;
    for (const Value &component : field.getElements())
      results.push_back(fourier(call, component));
    return field.withElements(std::move(results));
  }
  if (field.isPoison())
    return field;
  const auto positions = placeTransformed(rules(), forward, call[0].with(field),
                                          call.has(1) ? &call[1] : nullptr);
  if (!positions)
    return Value::poison();
  auto transform = [&](const Value &field, llvm::ArrayRef<unsigned> positions) {
    pm::FieldType type = lowerField(field);
    const Argument operand = call[0].with(field);
    std::vector<std::string> labels;
    for (unsigned position : positions)
      labels.push_back(getSpaceDim(type.getDims()[position]).getLabel());
    llvm::SmallVector<llvm::StringRef> over(labels.begin(), labels.end());
    std::string why;
    pm::FieldType result = forward ? pm::FFTOp::inferType(type, over, why)
                                   : pm::IFFTOp::inferType(type, over, why);
    const pm::FieldType halved = forward ? type : result;
    const bool isReal =
        result && llvm::isa<mlir::FloatType>(halved.getElementType());
    if (!checkTransform(rules(), forward, operand, why,
                        isReal ? dimsOf(halved.getDims()) : std::vector<Dim>()))
      return Value::poison();
    if (!checkLayout(result.getDims(), call.loc))
      return Value::poison();
    mlir::Location at = getLoc(call.loc);
    mlir::ArrayAttr overAttr = builder.getStrArrayAttr(over);
    mlir::Value ssa =
        forward
            ? pm::FFTOp::create(builder, at, result, getSSA(field), overAttr,
                                mlir::UnitAttr(), mlir::ValueRange())
                  .getResult()
            : pm::IFFTOp::create(builder, at, result, getSSA(field), overAttr,
                                 mlir::UnitAttr(), mlir::ValueRange())
                  .getResult();
    Value made = fieldOf(ssa, field.getUnit());
    return field.hasAnyUnit() ? made.withAnyUnit() : made;
  };
  // An inverse transform inverts the halved dim last. Therefore the dims behind
  // the halved dim are inverted before it.
  const pm::FieldType type = lowerField(field);
  llvm::SmallVector<unsigned> rest, behind;
  bool seen = false;
  for (unsigned position : llvm::seq(unsigned(type.getDims().size()))) {
    if (!llvm::is_contained(*positions, position))
      continue;
    (seen ? behind : rest).push_back(position);
    seen |= !forward && type.getDims()[position].isHalf();
  }
  const Value whole = behind.empty() ? field : transform(field, behind);
  return whole.isPoison() ? whole : transform(whole, rest);
}

Value Generator::callFourier(BuiltinCall &call) {
  if (!requireWholeFields(rules(), ("'" + call.info.name + "'").str(),
                          call.loc))
    return Value::poison();
  return accepts(call) ? fourier(call, call[0].value) : Value::poison();
}

Value Generator::callStored(BuiltinCall &call) {
  if (!requireWholeFields(rules(), "'stored'", call.loc))
    return Value::poison();
  const Value &field = call[0].value;
  if (field.isPoison() || call[1].value.isPoison())
    return Value::poison();
  if (!accepts(call))
    return Value::poison();
  const auto format = readChoice<StoredFormat>(rules(), call[1], storedOption);
  if (!format)
    return Value::poison();
  const mlir::Type type = *format == StoredFormat::BF16
                              ? mlir::Type(builder.getBF16Type())
                              : mlir::Type(builder.getF16Type());
  Value stored = fieldOf(
      pm::StoredOp::create(builder, getLoc(call.loc), getSSA(field), type),
      field.getUnit());
  return field.hasAnyUnit() ? stored.withAnyUnit() : stored;
}

//===----------------------------------------------------------------------===//
// Constant and random fields
//===----------------------------------------------------------------------===//

Value Generator::constantField(llvm::ArrayRef<pm::DimAttr> list,
                               const Value &value, llvm::SMLoc loc) {
  if (!fieldType(list, realType, loc))
    return Value::poison();
  return buildMap(list, loc, [&] { return value; });
}

Value Generator::callZeros(BuiltinCall &call) {
  Value zeros = constantField(call.dims, Value::integer(0), call.loc);
  return zeros.isPoison() ? zeros : zeros.withAnyUnit();
}

Value Generator::callConstant(BuiltinCall &call) {
  const Value &value = call[0].value;
  if (value.isPoison())
    return value;
  if (!accepts(call))
    return Value::poison();
  return constantField(call.dims, value, call.loc);
}

Value Generator::callWhiteNoise(BuiltinCall &call) {
  if (!requireWholeFields(rules(), "'white_noise'", call.loc))
    return Value::poison();
  const Argument &seed = call[0];
  if (seed.value.isPoison())
    return seed.value;
  if (!accepts(call))
    return Value::poison();
  pm::FieldType type = fieldType(call.dims, realType, call.loc);
  if (!type)
    return Value::poison();
  mlir::Location at = getLoc(call.loc);
  auto op = pm::WhiteNoiseOp::create(builder, at, type,
                                     materialize(seed.value, i64Type, at),
                                     mlir::ValueRange());
  return fieldOf(op.getResult());
}
