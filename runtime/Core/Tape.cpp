//===- Tape.cpp - States of loops that are reversed
//----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Tape.h"

#include "runtime/Base/Format.h"
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

std::vector<TapePlan> pmrt::planTapes(const Context &ctx) {
  std::vector<TapePlan> plans;
  for (const Tape &tape : ctx.program.tapes) {
    std::vector<int64_t> fieldBytes;
    for (const Tape::Field &field : tape.fields) {
      int64_t bytes = elementSize(field.element);
      for (int32_t dim : field.dims)
        bytes *= ctx.shards[size_t(dim)].extent;
      fieldBytes.push_back(bytes);
    }
    plans.push_back({tape.location, stateBytes(fieldBytes),
                     tape.slots ? evaluate(ctx, *tape.slots) : std::nullopt});
  }
  return plans;
}

void pmrt::checkTapes(Context &ctx) {
  const double fields = double(ctx.placement().total);
  for (const TapePlan &plan : planTapes(ctx))
    if (fields + plan.bytes() > double(ctx.memoryLimit()))
      throw Error(
          Exit::Usage, ctx.location(plan.location),
          fmt::format("a tape of {} states of {} each needs {} of memory{}, {} "
                      "with the fields, more than the {}",
                      *plan.slots, bytesText(double(plan.stateBytes)),
                      bytesText(plan.bytes()), ctx.alone() ? "" : " a rank",
                      bytesText(fields + plan.bytes()), ctx.memoryLimitText()));
}

static int64_t bytesOf(const Context &ctx, pmrt_loc loc,
                       const pmrt_array &array) {
  return ctx.bytes(loc, array);
}

pmrt_tape *pmrt_tape_create(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                            int64_t slots, int32_t numbers, int32_t fields,
                            const pmrt_array *const *shapes) {
  Op op(*ctx, loc, "tape");
  if (slots < 0)
    throw ctx
        ->failure(loc, fmt::format("a tape of {} states, expected 0 or "
                                   "more",
                                   slots))
        .everywhere();
  auto tape = std::make_shared<pmrt_tape>();
  tape->slots = slots;
  tape->numbers = numbers;
  for (int32_t i = 0; i < fields; ++i)
    tape->fieldBytes.push_back(bytesOf(*ctx, loc, *shapes[i]));
  tape->stateBytes = stateBytes(tape->fieldBytes);
  tape->saved.assign(size_t(slots), 0);
  tape->savedNumbers.assign(size_t(slots) * size_t(numbers), 0);
  const __int128 bytes = __int128(slots) * tape->stateBytes;
  // What no machine has is refused as what this one does not have.
  const auto most = std::numeric_limits<int64_t>::max() / 4;
  tape->pages = ctx->borrow(loc, int64_t(std::min<__int128>(bytes, most)),
                            fmt::format("a tape of {} states of {} each", slots,
                                        bytesText(double(tape->stateBytes)))
                                .c_str(),
                            Loan::Tape);
  ctx->tapes.push_back(tape);
  return tape.get();
}

static void checkSlot(Context &ctx, pmrt_loc loc, const pmrt_tape &tape,
                      int64_t slot) {
  if (slot < 0 || slot >= tape.slots)
    throw ctx
        .failure(loc, fmt::format("slot {} of a tape of {} states", slot,
                                  tape.slots))
        .everywhere();
}

/// Calls `copy(field, place in the slot, bytes)` for every field.
template <typename Copy>
static void forFields(Context &ctx, pmrt_loc loc, pmrt_tape &tape, int64_t slot,
                      const pmrt_array *const *fields, const Copy &copy) {
  char *place = tape.state(slot);
  for (size_t i = 0; i < tape.fieldBytes.size(); ++i) {
    const int64_t bytes = tape.fieldBytes[i];
    if (bytesOf(ctx, loc, *fields[i]) != bytes)
      throw ctx.failure(loc, fmt::format("internal error: a field of {} bytes, "
                                         "the tape's has {}",
                                         bytesOf(ctx, loc, *fields[i]), bytes));
    copy(fields[i]->data, place, bytes);
    place += roundUp(bytes);
  }
}

void pmrt_tape_save(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                    pmrt_tape *tape, int64_t slot, const int64_t *numbers,
                    const pmrt_array *const *fields) {
  if (tape->store)
    return tape->store->save(loc, slot, numbers, fields);
  Op op(*ctx, loc, "save", 2 * tape->stateBytes);
  checkSlot(*ctx, loc, *tape, slot);
  forFields(*ctx, loc, *tape, slot, fields,
            [&](void *field, char *place, int64_t bytes) {
              ctx->device->copy(place, field, bytes);
            });
  std::copy_n(numbers, tape->numbers,
              tape->savedNumbers.begin() + slot * tape->numbers);
  tape->saved[size_t(slot)] = 1;
}

void pmrt_tape_restore(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                       pmrt_tape *tape, int64_t slot, int64_t *numbers,
                       const pmrt_array *const *fields) {
  if (tape->store)
    return tape->store->restore(loc, slot, numbers, fields);
  Op op(*ctx, loc, "restore", 2 * tape->stateBytes);
  checkSlot(*ctx, loc, *tape, slot);
  if (!tape->saved[size_t(slot)])
    throw ctx
        ->failure(loc, fmt::format("nothing was saved in slot {} of a tape of "
                                   "{} states",
                                   slot, tape->slots))
        .everywhere();
  forFields(*ctx, loc, *tape, slot, fields,
            [&](void *field, const char *place, int64_t bytes) {
              ctx->device->copy(field, place, bytes);
            });
  std::copy_n(tape->savedNumbers.begin() + slot * tape->numbers, tape->numbers,
              numbers);
}

void pmrt_tape_free(pmrt_context *ctx, pmrt_loc loc, pmrt_tape *tape) {
  auto found =
      std::find_if(ctx->tapes.begin(), ctx->tapes.end(),
                   [&](const auto &open) { return open.get() == tape; });
  if (found == ctx->tapes.end())
    throw ctx->failure(loc, "internal error: a tape that is not open");
  ctx->giveBack(std::move(tape->pages), Loan::Tape);
  ctx->tapes.erase(found);
}
