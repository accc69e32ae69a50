//===- Messages.cpp - Tables, loops, print and assert of the ABI ----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/args.h>

using namespace pmrt;

template <typename T> static T bitsAs(double value) {
  T bits;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The text of `format` with its values. `undefined` becomes the index of the
/// first floating-point value that is not a number, if there is one.
static std::string substitute(Context &ctx, pmrt_loc loc, const char *format,
                              int32_t count, const double *values,
                              int32_t *undefined = nullptr) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  std::string plain; // fmt has no {:u}
  int32_t next = 0;
  for (const char *at = format; *at; ++at) {
    plain += *at;
    if (*at != '{' && *at != '}')
      continue;
    if (at[1] == *at) {
      plain += *++at; // a brace
      continue;
    }
    if (*at == '}')
      continue;
    while (at[1] && at[1] != '}')
      plain += *++at;
    if (next == count)
      break; // told below
    const double &value = values[next++];
    if (plain.back() == 'u') {
      plain.back() = 'd';
      // What is unsigned has no sign to show.
      std::string spec = plain.substr(plain.rfind('{'));
      plain.resize(plain.size() - spec.size());
      std::erase_if(spec,
                    [](char c) { return c == '+' || c == '-' || c == ' '; });
      plain += spec;
      store.push_back(bitsAs<uint64_t>(value));
    } else if (plain.back() == 'd') {
      store.push_back(bitsAs<int64_t>(value));
    } else {
      if (undefined && *undefined < 0 && std::isnan(value))
        *undefined = next - 1;
      store.push_back(value);
    }
  }
  try {
    return fmt::vformat(plain, store);
  } catch (const fmt::format_error &e) {
    throw ctx.failure(loc, fmt::format("internal error: bad format '{}': {}",
                                       format, e.what()));
  }
}

static void printLine(pmrt_context &ctx, const std::string &line) {
  if (ctx.transport->rank() != 0)
    return;
  ctx.progress.clear();
  // No reason to stop: what the run computes is worth more. It ends as a
  // failure.
  if (const std::string problem = ctx.messages.print(line + '\n');
      !problem.empty())
    ctx.lostPrints = problem;
}

void pmrt_print(pmrt_context *ctx, pmrt_loc loc, const char *format,
                int32_t count, const double *values) {
  Op op(*ctx, loc, "print");
  int32_t undefined = -1;
  printLine(*ctx, substitute(*ctx, loc, format, count, values, &undefined));
  if (undefined >= 0 && ctx->transport->rank() == 0 &&
      ctx->warned.emplace(loc, format).second)
    ctx->progress.warn(fmt::format(
        "{}{}warning: [PM9211] value {} of this print is not a number; compile "
        "with --check-finite to find the first expression with such a value",
        ctx->location(loc), ctx->location(loc).empty() ? "" : ": ",
        undefined + 1));
}

void pmrt_tell(pmrt_context *ctx, pmrt_loc loc, const char *name,
               const char *format, int32_t count, const double *values) {
  Op op(*ctx, loc, "print");
  const std::string line = substitute(*ctx, loc, format, count, values);
  if (count >= 2) {
    ctx->losses[name].emplace_back(values[0], values[1]);
    ctx->progress.remark(fmt::format("loss {:.4g}", values[1]));
    if (ctx->lossesGrew)
      ctx->lossesGrew();
  }
  if (!ctx->settings.quiet)
    printLine(*ctx, line);
}

/// What each check of the program does before it looks at its condition.
static void beginCheck(Context &ctx, pmrt_loc loc) {
  ctx.current = loc;
  checkInterrupt();
  ctx.transport->poll();
}

/// Returns the error of a check of the program that fails.
static Error unmet(Context &ctx, pmrt_loc loc, const char *message,
                   int32_t count, const double *values) {
  return ctx.failure(loc, "[PM9101] " +
                              substitute(ctx, loc, message, count, values));
}

void pmrt_assert(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                 const char *message, int32_t count, const double *values) {
  beginCheck(*ctx, loc);
  // Scalars have the same bits on all ranks.
  if (!condition)
    throw unmet(*ctx, loc, message, count, values).everywhere();
}

void pmrt_assert_own(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                     const char *message, int32_t count, const double *values) {
  beginCheck(*ctx, loc);
  if (!condition)
    throw unmet(*ctx, loc, message, count, values);
}

void pmrt_assert_input(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                       int32_t condition, const char *message, int32_t count,
                       const double *values) {
  beginCheck(*ctx, loc);
  if (condition)
    return;
  if (input < 0 || size_t(input) >= ctx->program.inputs.size())
    throw ctx->failure(loc, fmt::format("internal error: input {}", input));
  std::string name = "--" + ctx->program.inputs[size_t(input)].flag();
  // A program that Python calls has arrays instead of files.
  if (!ctx->port)
    name += ": " + ctx->inputFiles[size_t(input)];
  // Each rank has the whole table.
  throw ctx
      ->failure(loc, "[PM9101] " + name + ": " +
                         substitute(*ctx, loc, message, count, values))
      .everywhere();
}

static void warnOnce(Context &ctx, pmrt_loc loc, const char *message,
                     int32_t count, const double *values) {
  if (!ctx.warned.emplace(loc, message).second)
    return;
  // Several calls of the library can give a warning for the same values. Their
  // text is not compared, because it is rounded.
  std::string key = message;
  for (int32_t i = 0; i < count; ++i)
    key += fmt::format(" {:a}", values[i]);
  if (ctx.isInLibrary(loc) && !ctx.warned.emplace(-1, key).second)
    return;
  const std::string where = ctx.location(loc);
  ctx.progress.warn(fmt::format("{}{}warning: [PM9201] {}", where,
                                where.empty() ? "" : ": ",
                                substitute(ctx, loc, message, count, values)));
}

void pmrt_warn(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
               const char *message, int32_t count, const double *values) {
  beginCheck(*ctx, loc);
  if (!condition && ctx->transport->rank() == 0)
    warnOnce(*ctx, loc, message, count, values);
}

void pmrt_warn_own(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                   const char *message, int32_t count, const double *values) {
  beginCheck(*ctx, loc);
  if (!condition)
    warnOnce(*ctx, loc, message, count, values);
}

void pmrt_require(pmrt_context *ctx, pmrt_loc loc, int32_t condition,
                  const char *message, int32_t count, const double *values) {
  ctx->current = loc;
  if (!condition)
    throw Error(Exit::Usage, ctx->location(loc),
                "[PM9101] " + substitute(*ctx, loc, message, count, values))
        .everywhere();
}

void pmrt_undefined(const char *location, const char *what) {
  throw Error(Exit::Failure, location,
              fmt::format("[PM9102] undefined behavior: {}", what));
}

void pmrt_loop_begin(pmrt_context *ctx, pmrt_loc loc, int64_t count) {
  ctx->current = loc;
  ctx->progress.begin(loc, count);
  if (ctx->progress.loops().size() == 1)
    ctx->timeLimit.loopBegins();
}

void pmrt_loop_step(pmrt_context *ctx, pmrt_loc loc, int64_t step) {
  beginCheck(*ctx, loc);
  ctx->device->poll();
  ctx->device->step();
  ctx->progress.step(step);
  ctx->recorder.step(step);
  ctx->timeLimit.step(*ctx, loc);
}

void pmrt_loop_skip(pmrt_context *ctx, pmrt_loc) { ctx->progress.skip(); }

void pmrt_loop_end(pmrt_context *ctx, pmrt_loc) {
  ctx->progress.end();
  const std::vector<Loop> &loops = ctx->progress.loops();
  ctx->recorder.step(loops.empty() ? -1 : loops.back().step);
}

pmrt_table *pmrt_table_create(pmrt_context *ctx, pmrt_loc loc, int64_t size) {
  ctx->current = loc;
  if (size < 2)
    throw ctx
        ->failure(
            loc, fmt::format("[PM9104] a table needs at least 2 rows, found {}",
                             size))
        .everywhere();
  return ctx->tables.emplace_back(std::make_unique<Table>(size)).get();
}

void pmrt_table_check(pmrt_context *ctx, pmrt_loc loc, pmrt_table *table) {
  ctx->current = loc;
  if (std::string problem = static_cast<Table *>(table)->finish();
      !problem.empty())
    throw ctx->failure(loc, "[PM9104] " + problem)
        .everywhere(); // tables are copies
}

int64_t pmrt_tables_mark(pmrt_context *ctx) {
  return int64_t(ctx->tables.size());
}

void pmrt_tables_release(pmrt_context *ctx, int64_t mark, int32_t count,
                         const pmrt_table *const *kept) {
  auto ends = [&](const std::unique_ptr<Table> &table) {
    if (std::find(kept, kept + count, table.get()) != kept + count)
      return false;
    ctx->device->forget(*table);
    return true;
  };
  auto &tables = ctx->tables;
  tables.erase(std::remove_if(tables.begin() + mark, tables.end(), ends),
               tables.end());
}
