//===- Parallel.cpp - Parallel loops of the ABI ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Reduce.h"
#include "runtime/Core/Op.h"
#include "runtime/Core/Positions.h"

#include <cstring>

using namespace pmrt;

/// Below this traffic, waking the workers costs more than they save.
static constexpr int64_t smallLoop = 32 * 1024;

/// The bytes up to which a loop or copy takes about as long as reading the
/// clock.
static constexpr int64_t briefLoop = 1024;

static bool isBrief(int64_t bytes) { return bytes > 0 && bytes <= briefLoop; }

/// Whether one thread does the work. Unknown traffic is not small.
static bool isSmall(int64_t count, int64_t rowBytes) {
  return rowBytes > 0 && count * rowBytes < smallLoop;
}

void pmrt_parallel_for(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                       const char *name, pmrt_loop_body body, void *args,
                       int64_t count, int64_t row_bytes) {
  Op op(*ctx, loc, name, count * row_bytes, isBrief(count * row_bytes));
  if (count <= 0)
    return;
  runLoop(*ctx, loc, [&] {
    if (isSmall(count, row_bytes))
      return body(args, 0, count);
    ctx->threads.forRange(
        count, [=](int64_t begin, int64_t end) { body(args, begin, end); });
  });
}

void pmrt_parallel_reduce(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                          const char *name, pmrt_reduce_body body, void *args,
                          int64_t count, int64_t row_bytes, int64_t width,
                          pmrt_reduction kind, double *out) {
  Op op(*ctx, loc, name, count * row_bytes, isBrief(count * row_bytes));
  runLoop(*ctx, loc, [&] {
    reduce(
        ctx->threads, count, width, kind,
        [=](int64_t begin, int64_t end, double *partial) {
          body(args, begin, end, partial);
        },
        out, isSmall(count, row_bytes));
  });
}

void pmrt_refuse_position() { throw BadPosition(); }

void pmrt_zero(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
               const pmrt_array *array) {
  const int64_t bytes =
      ctx->elements(loc, *array) * elementSize(pmrt_element(array->element));
  Op op(*ctx, loc, "zero", bytes, isBrief(bytes));
  ctx->device->zero(array->data, bytes);
}

void pmrt_copy(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
               const pmrt_array *from, const pmrt_array *to) {
  const int64_t size = elementSize(pmrt_element(from->element));
  const int64_t bytes = ctx->elements(loc, *from) * size;
  Op op(*ctx, loc, "copy", 2 * bytes, isBrief(bytes));
  if (from->element != to->element || ctx->elements(loc, *to) * size != bytes)
    throw ctx->failure(loc, "internal error: copy between different arrays");
  ctx->device->copy(to->data, from->data, bytes);
}
