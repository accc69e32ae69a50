//===- Messages.cpp - Tables, loops, print and assert of the ABI ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Op.h"

#include <algorithm>
#include <cstdio>
#include <fmt/args.h>

using namespace pmrt;

static std::string substitute(Context &ctx, pmrt_loc loc, const char *format,
                              int32_t count, const double *values) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (int32_t i = 0; i < count; ++i)
    store.push_back(values[i]);
  try {
    return fmt::vformat(format, store);
  } catch (const fmt::format_error &e) {
    throw ctx.failure(loc, fmt::format("internal error: bad format '{}': {}",
                                       format, e.what()));
  }
}

void pmrt_print(pmrt_context *ctx, pmrt_loc loc, const char *format,
                int32_t count, const double *values) {
  Op op(*ctx, loc, "print");
  std::string line = substitute(*ctx, loc, format, count, values);
  if (ctx->transport->rank() != 0)
    return;
  ctx->progress.clear();
  line += '\n';
  // A closed pipe is no reason to stop.
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

void pmrt_assert(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                 const char *message, int32_t count, const double *values) {
  ctx->current = loc;
  checkInterrupt();
  ctx->transport->poll();
  // Scalars have the same bits on all ranks.
  if (!condition)
    throw ctx->failure(loc, substitute(*ctx, loc, message, count, values))
        .everywhere();
}

void pmrt_require(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                  const char *message, int32_t count, const double *values) {
  ctx->current = loc;
  if (!condition)
    throw Error(Exit::Usage, ctx->location(loc),
                substitute(*ctx, loc, message, count, values));
}

void pmrt_undefined(const char *location, const char *what) {
  throw Error(Exit::Failure, location,
              fmt::format("undefined behaviour: {}", what));
}

void pmrt_loop_begin(pmrt_context *ctx, pmrt_loc loc, int64_t count) {
  ctx->current = loc;
  ctx->progress.begin(loc, count);
}

void pmrt_loop_step(pmrt_context *ctx, pmrt_loc loc, int64_t step) {
  ctx->current = loc;
  checkInterrupt();
  ctx->transport->poll();
  if (ctx->device) {
    ctx->device->poll();
    ctx->device->step();
  }
  ctx->progress.step(step);
}

void pmrt_loop_end(pmrt_context *ctx, pmrt_loc) { ctx->progress.end(); }

pmrt_table *pmrt_table_create(pmrt_context *ctx, pmrt_loc loc, int64_t size) {
  ctx->current = loc;
  if (size < 2)
    throw ctx
        ->failure(loc,
                  fmt::format("a table needs at least 2 rows, not {}", size))
        .everywhere();
  return ctx->tables.emplace_back(std::make_unique<Table>(size)).get();
}

void pmrt_table_check(pmrt_context *ctx, pmrt_loc loc, pmrt_table *table) {
  ctx->current = loc;
  if (std::string problem = static_cast<Table *>(table)->problem();
      !problem.empty())
    throw ctx->failure(loc, problem).everywhere(); // tables are copies
}

int64_t pmrt_tables_mark(pmrt_context *ctx) {
  return int64_t(ctx->tables.size());
}

void pmrt_tables_release(pmrt_context *ctx, int64_t mark, int32_t count,
                         const pmrt_table *const *kept) {
  auto ends = [&](const std::unique_ptr<Table> &table) {
    if (std::find(kept, kept + count, table.get()) != kept + count)
      return false;
    if (ctx->device)
      ctx->device->forget(*table);
    return true;
  };
  auto &tables = ctx->tables;
  tables.erase(std::remove_if(tables.begin() + mark, tables.end(), ends),
               tables.end());
}
