//===- CheckpointStore.cpp - States of loops that are reversed ------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Checkpoints/CheckpointStore.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace pmrt;

static int64_t roundUp(int64_t bytes) {
  constexpr int64_t to = Placement::alignment;
  return (bytes + to - 1) / to * to;
}

static int64_t stateBytes(const std::vector<int64_t> &fieldBytes) {
  int64_t bytes = 0;
  for (int64_t field : fieldBytes)
    bytes += roundUp(field);
  return bytes;
}

std::optional<int64_t> pmrt::evaluate(const Context &ctx, const Count &count) {
  using Kind = Count::Kind;
  if (count.kind == Kind::Constant)
    return count.value;
  if (count.kind == Kind::Param) {
    if (count.value < 0 || size_t(count.value) >= ctx.params.size())
      return std::nullopt;
    const auto i = size_t(count.value);
    if (!ctx.params[i].given && !ctx.program.params[i].initial)
      return std::nullopt;
    return ctx.params[i].value.bits;
  }
  const auto a = evaluate(ctx, count.operands[0]);
  const auto b = evaluate(ctx, count.operands[1]);
  if (!a || !b)
    return std::nullopt;
  int64_t result = 0;
  switch (count.kind) {
  case Kind::Add:
    return __builtin_add_overflow(*a, *b, &result) ? std::nullopt
                                                   : std::optional(result);
  case Kind::Sub:
    return __builtin_sub_overflow(*a, *b, &result) ? std::nullopt
                                                   : std::optional(result);
  case Kind::Mul:
    return __builtin_mul_overflow(*a, *b, &result) ? std::nullopt
                                                   : std::optional(result);
  case Kind::Div:
    return *b > 0 ? std::optional(*a / *b) : std::nullopt;
  case Kind::Min:
    return std::min(*a, *b);
  case Kind::Max:
    return std::max(*a, *b);
  default:
    return std::nullopt;
  }
}

std::vector<CheckpointStorePlan>
pmrt::planCheckpointStores(const Context &ctx) {
  std::vector<CheckpointStorePlan> plans;
  for (const CheckpointStore &store : ctx.program.stores) {
    std::vector<int64_t> fieldBytes;
    for (const CheckpointStore::Field &field : store.fields) {
      int64_t bytes = elementSize(field.element);
      for (int32_t dim : field.dims)
        bytes *= ctx.shards[size_t(dim)].extent;
      fieldBytes.push_back(bytes);
    }
    plans.push_back({store.location, stateBytes(fieldBytes),
                     store.slots ? evaluate(ctx, *store.slots) : std::nullopt});
  }
  return plans;
}

void pmrt::checkCheckpointStores(Context &ctx) {
  const double fields = double(ctx.placement().total);
  for (const CheckpointStorePlan &plan : planCheckpointStores(ctx))
    if (fields + plan.bytes() > double(ctx.memoryLimit()))
      throw Error(
          Exit::Usage, ctx.location(plan.location),
          fmt::format(
              "[PM9009] a checkpoint store of {} states of {} each needs {} of "
              "memory{}, {} "
              "with the fields, more than the {}",
              *plan.slots, bytesText(double(plan.stateBytes)),
              bytesText(plan.bytes()), ctx.alone() ? "" : " a rank",
              bytesText(fields + plan.bytes()), ctx.memoryLimitText()));
}

static int64_t bytesOf(const Context &ctx, pmrt_loc loc,
                       const pmrt_array &array) {
  return ctx.bytes(loc, array);
}

pmrt_checkpoint_store *
pmrt_checkpoint_store_create(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                             int64_t slots, int32_t numbers, int32_t fields,
                             const pmrt_array *const *shapes) {
  Op op(*ctx, loc, "store");
  if (slots < 0)
    throw ctx
        ->failure(loc,
                  fmt::format(
                      "[PM9104] a checkpoint store of {} states, expected 0 or "
                      "more",
                      slots))
        .everywhere();
  auto store = std::make_shared<pmrt_checkpoint_store>();
  store->slots = slots;
  store->numbers = numbers;
  for (int32_t i = 0; i < fields; ++i)
    store->fieldBytes.push_back(bytesOf(*ctx, loc, *shapes[i]));
  store->stateBytes = stateBytes(store->fieldBytes);
  store->saved.assign(size_t(slots), 0);
  store->savedNumbers.assign(size_t(slots) * size_t(numbers), 0);
  const __int128 bytes = __int128(slots) * store->stateBytes;
  // What no machine has is refused as what this one does not have.
  const auto most = std::numeric_limits<int64_t>::max() / 4;
  store->pages =
      ctx->borrow(loc, int64_t(std::min<__int128>(bytes, most)),
                  fmt::format("a checkpoint store of {} states of {} each",
                              slots, bytesText(double(store->stateBytes)))
                      .c_str(),
                  Loan::CheckpointStore);
  ctx->stores.push_back(store);
  return store.get();
}

static void checkSlot(Context &ctx, pmrt_loc loc,
                      const pmrt_checkpoint_store &store, int64_t slot) {
  if (slot < 0 || slot >= store.slots)
    throw ctx
        .failure(loc, fmt::format("[PM9104] slot {} is out of range for a "
                                  "checkpoint store of {} states",
                                  slot, store.slots))
        .everywhere();
}

/// Calls `copy(field, place in the slot, bytes)` for every field.
template <typename Copy>
static void forFields(Context &ctx, pmrt_loc loc, pmrt_checkpoint_store &store,
                      int64_t slot, const pmrt_array *const *fields,
                      const Copy &copy) {
  char *place = store.state(slot);
  for (size_t i = 0; i < store.fieldBytes.size(); ++i) {
    const int64_t bytes = store.fieldBytes[i];
    if (bytesOf(ctx, loc, *fields[i]) != bytes)
      throw ctx.failure(loc, fmt::format("internal error: a field of {} bytes, "
                                         "the checkpoint store's has {}",
                                         bytesOf(ctx, loc, *fields[i]), bytes));
    copy(fields[i]->data, place, bytes);
    place += roundUp(bytes);
  }
}

void pmrt_checkpoint_store_save(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                                pmrt_checkpoint_store *store, int64_t slot,
                                const int64_t *numbers,
                                const pmrt_array *const *fields) {
  if (store->store)
    return store->store->save(loc, slot, numbers, fields);
  Op op(*ctx, loc, "save", 2 * store->stateBytes);
  checkSlot(*ctx, loc, *store, slot);
  forFields(*ctx, loc, *store, slot, fields,
            [&](void *field, char *place, int64_t bytes) {
              ctx->device->copy(place, field, bytes);
            });
  std::copy_n(numbers, store->numbers,
              store->savedNumbers.begin() + slot * store->numbers);
  store->saved[size_t(slot)] = 1;
}

void pmrt_checkpoint_store_restore(pmrt_context *ctx, pmrt_queue *,
                                   pmrt_loc loc, pmrt_checkpoint_store *store,
                                   int64_t slot, int64_t *numbers,
                                   const pmrt_array *const *fields) {
  if (store->store)
    return store->store->restore(loc, slot, numbers, fields);
  Op op(*ctx, loc, "restore", 2 * store->stateBytes);
  checkSlot(*ctx, loc, *store, slot);
  if (!store->saved[size_t(slot)])
    throw ctx
        ->failure(loc, fmt::format("[PM9104] nothing was saved in slot {} of a "
                                   "checkpoint store of "
                                   "{} states",
                                   slot, store->slots))
        .everywhere();
  forFields(*ctx, loc, *store, slot, fields,
            [&](void *field, const char *place, int64_t bytes) {
              ctx->device->copy(field, place, bytes);
            });
  std::copy_n(store->savedNumbers.begin() + slot * store->numbers,
              store->numbers, numbers);
}

void pmrt_checkpoint_store_free(pmrt_context *ctx, pmrt_loc loc,
                                pmrt_checkpoint_store *store) {
  auto found =
      std::find_if(ctx->stores.begin(), ctx->stores.end(),
                   [&](const auto &open) { return open.get() == store; });
  if (found == ctx->stores.end())
    throw ctx->failure(loc,
                       "internal error: a checkpoint store that is not open");
  ctx->giveBack(std::move(store->pages), Loan::CheckpointStore);
  ctx->stores.erase(found);
}
