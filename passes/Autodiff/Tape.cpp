//===- Tape.cpp - A tape and what goes through it -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Tape.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// The type that a tape keeps for a value.
static Type getKeptType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 64) : type;
}

FailureOr<Tape> Tape::create(OpBuilder &builder, Location loc, Value slots,
                             ValueRange like) {
  Tape made;
  SmallVector<Attribute> kept;
  for (Type type : like.getTypes()) {
    if (!isa<FieldType, FloatType>(type) && !type.isInteger(1) &&
        !type.isInteger(64))
      return emitError(loc, "a loop that carries a ")
             << type << " has no adjoint, expected fields and numbers";
    made.types.push_back(type);
    kept.push_back(TypeAttr::get(getKeptType(type)));
  }
  made.tape = TapeOp::create(builder, loc, TapeType::get(loc.getContext()),
                             slots, builder.getArrayAttr(kept));
  return made;
}

void Tape::save(OpBuilder &builder, Value slot, ValueRange values) {
  Location loc = tape.getLoc();
  SmallVector<Value> kept;
  for (Value value : values)
    kept.push_back(
        value.getType().isInteger(1)
            ? arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value)
            : value);
  SaveOp::create(builder, loc, tape, slot, kept);
}

SmallVector<Value> Tape::restore(OpBuilder &builder, Value slot) {
  Location loc = tape.getLoc();
  auto restore =
      RestoreOp::create(builder, loc, llvm::map_to_vector(types, getKeptType),
                        tape, slot, ValueRange());
  SmallVector<Value> values;
  for (auto [value, type] : llvm::zip_equal(restore.getValues(), types)) {
    if (value.getType() == type)
      values.push_back(value);
    else
      values.push_back(arith::TruncIOp::create(builder, loc, type, value));
  }
  return values;
}

void Tape::free(OpBuilder &builder) {
  TapeFreeOp::create(builder, tape.getLoc(), tape);
}

void Tape::drop() {
  BitVector used(types.size());
  for (Operation *user : tape->getUsers())
    if (auto restore = dyn_cast<RestoreOp>(user))
      for (OpResult value : restore.getValues())
        if (!value.use_empty())
          used.set(value.getResultNumber());
  if (!types.empty() && used.all())
    return;
  auto select = [&](auto range) {
    SmallVector<std::decay_t<decltype(*range.begin())>> selected;
    for (auto [i, element] : llvm::enumerate(range))
      if (used[i])
        selected.push_back(element);
    return selected;
  };
  for (Operation *user : llvm::make_early_inc_range(tape->getUsers())) {
    if (auto save = dyn_cast<SaveOp>(user)) {
      save.getValuesMutable().assign(select(save.getValues()));
    } else if (auto restore = dyn_cast<RestoreOp>(user)) {
      OpBuilder builder(restore);
      auto made = RestoreOp::create(
          builder, restore.getLoc(), select(restore.getResultTypes()),
          restore.getTape(), restore.getSlot(), restore.getOuts());
      for (auto [old, now] :
           llvm::zip_equal(select(restore.getValues()), made.getValues()))
        old.replaceAllUsesWith(now);
      restore.erase();
    }
  }
  tape.setTypesAttr(
      ArrayAttr::get(tape.getContext(), select(tape.getTypes().getValue())));
  types = select(ArrayRef<Type>(types));
  if (!types.empty())
    return;
  for (Operation *user : llvm::make_early_inc_range(tape->getUsers()))
    user->erase();
  tape.erase();
}
