//===- RandomKeys.cpp - Seeds of random streams, and their numbers --------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `split` makes a seed of a seed, a name and a number, and `random` makes a
// number of a seed. Both are arithmetic on 64-bit integers, so that every
// machine and mesh gets the same bits.
//
//===----------------------------------------------------------------------===//

#include "frontend/IRGen/Generator.h"
#include "frontend/Sema/Rules/Numbers.h"

using namespace pmc;
namespace arith = mlir::arith;

namespace {

/// Builds 64-bit arithmetic at one place.
struct BitBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::Value constant(uint64_t bits) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(int64_t(bits)));
  }
  mlir::Value add(mlir::Value a, uint64_t b) {
    return arith::AddIOp::create(builder, loc, a, constant(b));
  }
  mlir::Value shiftRight(mlir::Value a, uint64_t bits) {
    return arith::ShRUIOp::create(builder, loc, a, constant(bits));
  }
  mlir::Value flipBy(mlir::Value a, uint64_t bits) {
    return arith::XOrIOp::create(builder, loc, a, shiftRight(a, bits));
  }
  mlir::Value times(mlir::Value a, uint64_t factor) {
    return arith::MulIOp::create(builder, loc, a, constant(factor));
  }

  /// The finalizer of SplitMix64 (Steele, Lea & Flood 2014, with the constants
  /// of Stafford's 13th variant). It is a permutation, and each bit of the
  /// result depends on all bits of x.
  mlir::Value mix(mlir::Value x) {
    x = times(flipBy(x, 30), 0xbf58476d1ce4e5b9);
    x = times(flipBy(x, 27), 0x94d049bb133111eb);
    return flipBy(x, 31);
  }

  /// The seed of stream `number` of a seed. The number is mixed first, so that
  /// streams of close seeds are no shifted copies of each other.
  mlir::Value split(mlir::Value seed, mlir::Value number) {
    mlir::Value mixed = mix(add(number, golden));
    return mix(
        arith::AddIOp::create(builder, loc, mix(add(seed, silver)), mixed));
  }

  /// The middle of one of 2^bits intervals of equal length from 0 to 1.
  mlir::Value toUnitInterval(mlir::Value x, mlir::FloatType type) {
    const unsigned bits = type.getWidth() == 32 ? 23 : 52;
    mlir::Value whole =
        arith::SIToFPOp::create(builder, loc, type, shiftRight(x, 64 - bits));
    auto number = [&](double value) -> mlir::Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getFloatAttr(type, value));
    };
    mlir::Value middle =
        arith::AddFOp::create(builder, loc, whole, number(0.5));
    return arith::MulFOp::create(builder, loc, middle,
                                 number(std::ldexp(1., -int(bits))));
  }

  /// Fractions of the golden ratio and of sqrt(2).
  static constexpr uint64_t golden = 0x9e3779b97f4a7c15;
  static constexpr uint64_t silver = 0x6a09e667f3bcc909;
};

} // namespace

/// FNV-1a of the name's bytes.
static uint64_t hashName(llvm::StringRef name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : name.bytes())
    hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

/// The number of a cell: its indices as the digits of a number in a base that
/// is not a simple fraction of 2^64, so that it does not depend on extents.
Value Generator::numberOfCell(const Argument &cell) {
  mlir::Location at = getLoc(cell.loc);
  BitBuilder bits{builder, at};
  mlir::Value number;
  // A copy: a coordinate may be taken from around the map.
  llvm::SmallVector<pm::DimAttr> domain(frame->element->domain);
  for (pm::DimAttr dim : domain) {
    Value index = coordinateOf(cell.value, dim, cell.loc, /*indexOnly=*/true);
    if (index.isPoison())
      return index;
    // Indices are coordinates, which are always ints.
    mlir::Value digit = materialize(*asInt(index, cell.loc), i64Type, at);
    number =
        number ? arith::AddIOp::create(
                     builder, at, bits.times(number, BitBuilder::golden), digit)
               : digit;
  }
  return scalarOf(number);
}

Value Generator::callSplit(BuiltinCall &call) {
  if (call[1].value.is(Value::Kind::Coordinate)) {
    Value number = numberOfCell(call[1]);
    if (number.isPoison())
      return number;
    call.args[1]->value = number;
  }
  const bool isNamed = call[1].value.is(Value::Kind::String);
  llvm::SmallVector<unsigned, 3> numbers{0};
  if (!isNamed)
    numbers.push_back(1);
  if (call.has(2))
    numbers.push_back(2);
  llvm::SmallVector<Value> values;
  for (unsigned i : numbers)
    values.push_back(call[i].value);
  return lift("'split'", values, call.loc, [&](Elements v) -> Value {
    mlir::Location at = getLoc(call.loc);
    BitBuilder bits{builder, at};
    mlir::Value seed;
    for (auto [place, argument] : llvm::enumerate(numbers)) {
      std::optional<Value> number = asInt(v[place], call[argument].loc);
      if (!requireSplit(rules(), call[argument], v[place], number.has_value(),
                        argument == 1))
        return Value::poison();
      if (number->isPoison())
        return *number;
      mlir::Value found = materialize(*number, i64Type, at);
      seed = place == 0 ? found : bits.split(seed, found);
      if (place == 0 && isNamed)
        seed = bits.split(seed,
                          bits.constant(hashName(call[1].value.getString())));
    }
    return scalarOf(seed).asUnsigned();
  });
}

Value Generator::callRandom(BuiltinCall &call) {
  return lift("'random'", call[0].value, call.loc, [&](Elements v) -> Value {
    std::optional<Value> seed = asInt(v[0], call[0].loc);
    if (!requireSeed(rules(), call[0], v[0], seed.has_value()))
      return Value::poison();
    if (seed->isPoison())
      return *seed;
    const bool isNarrow = frame->element && !frame->element->wide;
    mlir::Location at = getLoc(call.loc);
    BitBuilder bits{builder, at};
    mlir::Value mixed =
        bits.mix(bits.add(materialize(*seed, i64Type, at), BitBuilder::golden));
    return scalarOf(bits.toUnitInterval(
        mixed, llvm::cast<mlir::FloatType>(isNarrow ? realType : f64Type)));
  });
}
