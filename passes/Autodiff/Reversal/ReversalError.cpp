//===- ReversalError.cpp - How well a loop's state was recovered ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Reversal/ReversalError.h"
#include "passes/Autodiff/Build.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// Numbers in a sketch: 2^6.
static constexpr int64_t sketchBits = 6;

//===----------------------------------------------------------------------===//
// Sketches
//===----------------------------------------------------------------------===//

/// Random bits of an element, the same on every layout: of its global index,
/// the high bits are the best. (Its golden-ratio multiple alone would be
/// regular along a dim.)
static Value buildHash(OpBuilder &builder, Location loc,
                       ArrayRef<DimAttr> dims) {
  Type i64 = builder.getI64Type();
  auto constant = [&](uint64_t bits) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(int64_t(bits)));
  };
  Value hash;
  for (DimAttr dim : dims) {
    Value index = CoordinateOp::create(builder, loc, dim.getLabel());
    index = arith::FPToSIOp::create(builder, loc, i64, index);
    if (hash)
      index = arith::AddIOp::create(
          builder, loc,
          arith::MulIOp::create(builder, loc, hash, constant(dim.getExtent())),
          index);
    hash = index;
  }
  hash = arith::AddIOp::create(builder, loc, hash, constant(1));
  for (uint64_t factor : {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u}) {
    hash = arith::MulIOp::create(builder, loc, hash, constant(factor));
    Value high = arith::ShRUIOp::create(builder, loc, hash, constant(32));
    hash = arith::XOrIOp::create(builder, loc, hash, high);
  }
  return arith::MulIOp::create(builder, loc, hash,
                               constant(0x94d049bb133111ebu));
}

/// Yields where an element of each field goes, and the element with its sign.
static void buildSketchBody(OpBuilder &builder, Location loc,
                            ArrayRef<DimAttr> dims, ValueRange elements) {
  Value hash = buildHash(builder, loc, dims);
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(number));
  };
  Value bin =
      arith::ShRUIOp::create(builder, loc, hash, constant(64 - sketchBits));
  Value shifted =
      arith::ShLIOp::create(builder, loc, hash, constant(sketchBits));
  Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, shifted, constant(0));
  SmallVector<Value> yields{bin};
  auto add = [&](Value number) {
    Value negative = arith::NegFOp::create(builder, loc, number);
    yields.push_back(
        arith::SelectOp::create(builder, loc, isNegative, negative, number));
  };
  for (Value element : elements) {
    if (!isa<ComplexType>(element.getType())) {
      add(element);
      continue;
    }
    add(buildPart(builder, loc, element, /*imaginary=*/false));
    add(buildPart(builder, loc, element, /*imaginary=*/true));
  }
  YieldOp::create(builder, loc, yields);
}

/// A dim of its own, which no layout splits.
FieldType ReversalError::getSketchType() {
  std::string name = "sketch";
  auto module = loop->getParentOfType<ModuleOp>();
  while (llvm::any_of(module.getOps<DimOp>(),
                      [&](DimOp dim) { return dim.getName() == name; }))
    name += "_";
  MLIRContext *context = loop.getContext();
  DimAttr dim = DimAttr::get(context, name, int64_t(1) << sketchBits);
  return FieldType::get(context, {dim}, Float64Type::get(context));
}

SmallVector<Value> ReversalError::sketch(OpBuilder &builder,
                                         ValueRange values) {
  Location loc = loop.getLoc();
  llvm::MapVector<DimsAttr, SmallVector<Value>> byDims;
  for (unsigned i : positions) {
    ArrayRef<DimAttr> dims = cast<FieldType>(values[i].getType()).getDims();
    byDims[DimsAttr::get(loop.getContext(), dims)].push_back(values[i]);
  }
  llvm::DenseMap<Value, SmallVector<Value, 2>> made;
  for (const auto &[dims, fields] : byDims) {
    SmallVector<Type> elements;
    SmallVector<Location> locs(fields.size(), loc);
    size_t sketches = 0;
    for (Value field : fields) {
      elements.push_back(cast<FieldType>(field.getType()).getElementType());
      sketches += isa<ComplexType>(elements.back()) ? 2 : 1;
    }
    auto bins = BinsOp::create(builder, loc,
                               SmallVector<Type>(sketches, getSketchType()),
                               dims, fields, ValueRange());
    OpBuilder inside(builder.getContext());
    Block *body = inside.createBlock(&bins.getBody(), {}, elements, locs);
    buildSketchBody(inside, loc, dims.getDims(), body->getArguments());
    auto result = bins.getResults().begin();
    for (auto [field, element] : llvm::zip_equal(fields, elements)) {
      SmallVector<Value, 2> ofField{*result++};
      if (isa<ComplexType>(element))
        ofField.push_back(*result++);
      made[field] = ofField;
    }
  }
  SmallVector<Value> sketches;
  for (unsigned i : positions)
    llvm::append_range(sketches, made[values[i]]);
  return sketches;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

ReversalError::ReversalError(OpBuilder &builder, scf::ForOp loop,
                             ArrayRef<unsigned> fields)
    : loop(loop), fields(fields) {
  for (unsigned i : fields)
    if (loop.getYieldedValues()[i] != loop.getRegionIterArg(i))
      positions.push_back(i);
  first = sketch(builder, loop.getInitArgs());
}

void ReversalError::atEnd(OpBuilder &builder, ValueRange results) {
  last = sketch(builder, results);
}

std::string pmc::passes::getCarriedName(scf::ForOp loop, unsigned position) {
  Location loc = loop.getRegionIterArg(position).getLoc();
  if (auto name = dyn_cast<NameLoc>(loc);
      name && !name.getName().empty() && !name.getName().strref().contains(','))
    return name.getName().str();
  return std::to_string(position);
}

/// sqrt(Σ (a − b)²/Σ a²) of sketches a of the first state, b of the recovered
/// one; Σ c² of the last one instead, if Σ a² is 0.
static Value buildError(OpBuilder &builder, Location loc, FieldType type,
                        ArrayRef<Value> a, ArrayRef<Value> b,
                        ArrayRef<Value> c) {
  Type f64 = builder.getF64Type();
  SmallVector<Value> inputs(a);
  llvm::append_range(inputs, b);
  llvm::append_range(inputs, c);
  auto sums = ReduceOp::create(
      builder, loc, SmallVector<Type>(3, f64), TypeRange(), Reduction::Sum,
      DimsAttr::get(builder.getContext(), type.getDims()), inputs,
      ValueRange());
  OpBuilder inside(builder.getContext());
  Block *body = inside.createBlock(&sums.getBody(), {},
                                   SmallVector<Type>(inputs.size(), f64),
                                   SmallVector<Location>(inputs.size(), loc));
  Value difference, start, end;
  auto addSquare = [&](Value &sum, Value number) {
    sum = buildSum(inside, loc, sum, buildInner(inside, loc, number, number));
  };
  size_t count = a.size();
  for (size_t i = 0; i < count; ++i) {
    Value before = body->getArgument(i);
    Value recovered = body->getArgument(count + i);
    addSquare(difference,
              arith::SubFOp::create(inside, loc, before, recovered));
    addSquare(start, before);
    addSquare(end, body->getArgument(2 * count + i));
  }
  YieldOp::create(inside, loc, ValueRange{difference, start, end});

  Value zero = buildConstant(builder, loc, f64, 0);
  auto isZero = [&](Value number) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                 number, zero);
  };
  ValueRange found = sums.getScalars();
  Value scale = arith::SelectOp::create(builder, loc, isZero(found[1]),
                                        found[2], found[1]);
  Value error = math::SqrtOp::create(
      builder, loc, arith::DivFOp::create(builder, loc, found[0], scale));
  return arith::SelectOp::create(builder, loc, isZero(found[0]), zero, error);
}

void ReversalError::report(OpBuilder &builder, ValueRange recovered) {
  if (positions.empty())
    return;
  SmallVector<Value> state(loop.getInitArgs());
  for (auto [i, field] : llvm::zip_equal(fields, recovered))
    state[i] = field;
  SmallVector<Value> again = sketch(builder, state);
  // The components of a vector have one name and one error.
  struct Sketches {
    SmallVector<Value> first, recovered, last;
  };
  llvm::MapVector<StringAttr, Sketches> byName;
  size_t place = 0;
  for (unsigned i : positions) {
    Sketches &sketches = byName[builder.getStringAttr(getCarriedName(loop, i))];
    auto field = cast<FieldType>(state[i].getType());
    for (int part = isa<ComplexType>(field.getElementType()) ? 2 : 1; part > 0;
         --part, ++place) {
      sketches.first.push_back(first[place]);
      sketches.recovered.push_back(again[place]);
      sketches.last.push_back(last[place]);
    }
  }
  SmallVector<Attribute> names;
  SmallVector<Value> errors;
  auto type = cast<FieldType>(first.front().getType());
  for (const auto &[name, sketches] : byName) {
    names.push_back(name);
    errors.push_back(buildError(builder, loop.getLoc(), type, sketches.first,
                                sketches.recovered, sketches.last));
  }
  ReversalOp::create(builder, loop.getLoc(), builder.getArrayAttr(names),
                     errors);
}
