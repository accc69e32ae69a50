//===- CheckpointStore.cpp - Access to the states of a loop ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Autodiff/Reversal/CheckpointStore.h"

using namespace mlir;
using namespace pmc::pm;
using namespace pmc::passes;

/// The type that a checkpoint store keeps for a value.
static Type getKeptType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 64) : type;
}

FailureOr<CheckpointStore> CheckpointStore::create(OpBuilder &builder,
                                                   Location loc, Value slots,
                                                   ValueRange like) {
  CheckpointStore made;
  SmallVector<Attribute> kept;
  for (Type type : like.getTypes()) {
    if (!isa<FieldType, FloatType>(type) && !type.isInteger(1) &&
        !type.isInteger(64))
      return emitError(loc, "[PM0809] a loop that carries a ")
             << type << " has no adjoint, expected fields and numbers";
    made.types.push_back(type);
    kept.push_back(TypeAttr::get(getKeptType(type)));
  }
  made.store = CheckpointStoreOp::create(
      builder, loc, CheckpointStoreType::get(loc.getContext()), slots,
      builder.getArrayAttr(kept));
  return made;
}

void CheckpointStore::save(OpBuilder &builder, Value slot, ValueRange values) {
  Location loc = store.getLoc();
  SmallVector<Value> kept;
  for (Value value : values)
    kept.push_back(
        value.getType().isInteger(1)
            ? arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value)
            : value);
  SaveOp::create(builder, loc, store, slot, kept);
}

SmallVector<Value> CheckpointStore::restore(OpBuilder &builder, Value slot) {
  Location loc = store.getLoc();
  auto restore =
      RestoreOp::create(builder, loc, llvm::map_to_vector(types, getKeptType),
                        store, slot, ValueRange());
  SmallVector<Value> values;
  for (auto [value, type] : llvm::zip_equal(restore.getValues(), types)) {
    if (value.getType() == type)
      values.push_back(value);
    else
      values.push_back(arith::TruncIOp::create(builder, loc, type, value));
  }
  return values;
}

void CheckpointStore::free(OpBuilder &builder) {
  CheckpointStoreFreeOp::create(builder, store.getLoc(), store);
}

void CheckpointStore::drop() {
  BitVector used(types.size());
  for (Operation *user : store->getUsers())
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
  for (Operation *user : llvm::make_early_inc_range(store->getUsers())) {
    if (auto save = dyn_cast<SaveOp>(user)) {
      save.getValuesMutable().assign(select(save.getValues()));
    } else if (auto restore = dyn_cast<RestoreOp>(user)) {
      OpBuilder builder(restore);
      auto made = RestoreOp::create(
          builder, restore.getLoc(), select(restore.getResultTypes()),
          restore.getStore(), restore.getSlot(), restore.getOuts());
      for (auto [old, now] :
           llvm::zip_equal(select(restore.getValues()), made.getValues()))
        old.replaceAllUsesWith(now);
      restore.erase();
    }
  }
  store.setTypesAttr(
      ArrayAttr::get(store.getContext(), select(store.getTypes().getValue())));
  types = select(ArrayRef<Type>(types));
  if (!types.empty())
    return;
  for (Operation *user : llvm::make_early_inc_range(store->getUsers()))
    user->erase();
  store.erase();
}
