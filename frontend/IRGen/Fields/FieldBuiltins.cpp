//===- FieldBuiltins.cpp - FFT, noise, paint, readout ---------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/CallRules.h"

using namespace pmc;

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Positions in the field's dims of what `over = (x, y)` lists.
bool Generator::overDims(const Argument &arg, pm::FieldType type,
                         llvm::SmallVectorImpl<unsigned> &positions) {
  llvm::SmallVector<pm::DimAttr> wanted;
  if (!appendDims(arg.value, arg.loc, wanted))
    return false;
  std::string why = findOver(dimsOf(type.getDims()), dimsOf(wanted), positions);
  if (why.empty())
    return true;
  error(arg, why);
  return false;
}

/// The mode opposite to one of a half spectrum is that in all Fourier dims; so
/// half spectra are made of real fields without such dims, and the other way.
/// One that it has.
static pm::DimAttr findFourierDim(pm::FieldType real) {
  if (llvm::isa<mlir::FloatType>(real.getElementType()))
    for (pm::DimAttr dim : real.getDims())
      if (!dim.isSpace())
        return dim;
  return {};
}

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
  pm::FieldType type = lowerField(field);
  llvm::SmallVector<unsigned> positions;
  if (call.has(1)) {
    if (!overDims(call[1], type, positions))
      return Value::poison();
  } else {
    // ifft inverts what has been transformed.
    bool some = !forward && llvm::any_of(type.getDims(), [](pm::DimAttr dim) {
      return !dim.isSpace();
    });
    for (unsigned i = 0; i < type.getRank(); ++i)
      if (!some || !type.getDims()[i].isSpace())
        positions.push_back(i);
  }
  if (std::string why = checkTransformed(forward, field, positions);
      !why.empty())
    return error(call[0], why);
  std::vector<std::string> labels;
  for (unsigned position : positions)
    labels.push_back(getSpaceDim(type.getDims()[position]).getLabel());
  llvm::SmallVector<llvm::StringRef> over(labels.begin(), labels.end());
  std::string why;
  pm::FieldType result = forward ? pm::FFTOp::inferType(type, over, why)
                                 : pm::IFFTOp::inferType(type, over, why);
  if (!result)
    return error(call[0], "'" + call.info.name + "' of " +
                              field.describeType() + ": " + why);
  if (pm::DimAttr dim = findFourierDim(forward ? type : result))
    return error(call[0],
                 forward
                     ? "the transform of a real field that still has the "
                       "Fourier dim '" +
                           dim.getLabel() + "'; make it complex: fft(f + 0i)"
                     : "the halved dim is transformed last, or with the "
                       "others, but '" +
                           dim.getLabel() + "' would stay");
  if (!checkLayout(result.getDims(), call.loc))
    return Value::poison();
  mlir::Location at = getLoc(call.loc);
  mlir::ArrayAttr overAttr = builder.getStrArrayAttr(over);
  mlir::Value ssa =
      forward ? pm::FFTOp::create(builder, at, result, getSSA(field), overAttr,
                                  mlir::UnitAttr(), mlir::ValueRange())
                    .getResult()
              : pm::IFFTOp::create(builder, at, result, getSSA(field), overAttr,
                                   mlir::UnitAttr(), mlir::ValueRange())
                    .getResult();
  Value made = fieldOf(ssa, field.getUnit());
  return field.hasAnyUnit() ? made.withAnyUnit() : made;
}

Value Generator::callFourier(BuiltinCall &call) {
  if (!requireFields(("'" + call.info.name + "'").str(), call.loc))
    return Value::poison();
  return accepts(call) ? fourier(call, call[0].value) : Value::poison();
}

/// Of what `stored` keeps; null after an error.
mlir::Type Generator::storedFormat(const Argument &format) {
  mlir::Type type;
  if (format.value.is(Value::Kind::String))
    type = llvm::StringSwitch<mlir::Type>(format.value.getString())
               .Case("bf16", builder.getBF16Type())
               .Case("f16", builder.getF16Type())
               .Default({});
  if (!type)
    error(format, "'stored' requires \"bf16\" (8 bits of mantissa, the "
                  "range of f32) or \"f16\" (11 bits, up to 65504)");
  return type;
}

Value Generator::callStored(BuiltinCall &call) {
  if (!requireFields("'stored'", call.loc))
    return Value::poison();
  const Value &field = call[0].value, &format = call[1].value;
  if (field.isPoison() || format.isPoison())
    return Value::poison();
  if (!accepts(call))
    return Value::poison();
  mlir::Type type = storedFormat(call[1]);
  if (!type)
    return Value::poison();
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
  if (!requireFields("'white_noise'", call.loc))
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
