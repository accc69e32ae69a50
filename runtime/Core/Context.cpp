//===- Context.cpp - One rank's state -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Context.h"

#include "runtime/Core/Format.h"

#include <algorithm>
#include <limits>

using namespace pmrt;

static std::vector<Shard> shardsOf(const Mesh &mesh,
                                   const std::vector<Dim> &dims) {
  std::vector<Shard> shards;
  for (const Dim &dim : dims)
    shards.push_back(mesh.local(dim));
  return shards;
}

Context::Context(Descriptor descriptor, Settings chosen,
                 std::vector<LaunchValue> values,
                 std::vector<std::string> files, std::vector<Axis> axes)
    : program(std::move(descriptor)), settings(std::move(chosen)),
      params(std::move(values)), inputFiles(std::move(files)),
      mesh(std::move(axes), 0), shards(shardsOf(mesh, program.dims)),
      threads(settings.threads), lengths(program.dims.size(), 0.0) {
  progress.setMode(settings.progress, settings.quiet);
  if (!settings.profile.empty())
    profile.enable();
}

Context::~Context() = default;

std::string Context::location(pmrt_loc loc) const {
  return loc >= 0 && size_t(loc) < program.locations.size()
             ? program.locations[size_t(loc)]
             : std::string();
}

Error Context::failure(pmrt_loc loc, const std::string &message) const {
  auto stepText = [](const Loop &loop) {
    return loop.count > 0
               ? fmt::format("in step {} of {}", loop.step + 1, loop.count)
               : fmt::format("in step {}", loop.step + 1);
  };
  const std::vector<Loop> &loops = progress.loops();
  std::string full = message;
  if (!loops.empty() && loops.back().started)
    full += fmt::format(" ({})", stepText(loops.back()));
  Error error(Exit::Failure, location(loc), full);
  for (size_t i = loops.size(); i-- > 0;)
    if (loops[i].started && !location(loops[i].loc).empty())
      error.note(location(loops[i].loc),
                 fmt::format("{} of this loop", stepText(loops[i])));
  return error;
}

std::vector<int64_t> Context::bufferBytes() const {
  std::vector<int64_t> bytes;
  for (const Buffer &buffer : program.buffers) {
    __int128 size = elementSize(buffer.element);
    for (int32_t dim : buffer.dims) {
      size *= shards[size_t(dim)].extent;
      if (size > std::numeric_limits<int64_t>::max() / 4)
        throw usageError("buffer '{}' has more bytes than any machine",
                         buffer.name);
    }
    bytes.push_back(int64_t(size));
  }
  return bytes;
}

int64_t Context::memoryLimit() const {
  return settings.memoryLimit ? settings.memoryLimit : physicalMemory();
}

const Placement &Context::placement() {
  if (placed)
    return *placed;
  const std::vector<int64_t> bytes = bufferBytes();
  std::vector<Lifetime> lifetimes;
  for (size_t i = 0; i < bytes.size(); ++i)
    lifetimes.push_back(
        {bytes[i], program.buffers[i].start, program.buffers[i].end});
  Placement plan = place(lifetimes);
  if (plan.total > memoryLimit())
    throw usageError(
        "the fields of this program need {} of memory, more than "
        "the {} {} (--dry-run prints the plan)",
        bytesText(double(plan.total)), bytesText(double(memoryLimit())),
        settings.memoryLimit ? "of --memory-limit" : "this machine has");
  return placed.emplace(std::move(plan));
}

void *Context::buffer(int32_t index) {
  if (index < 0 || size_t(index) >= program.buffers.size())
    throw std::runtime_error(fmt::format("internal error: buffer {} of {}",
                                         index, program.buffers.size()));
  const Placement &plan = placement();
  if (!memory.data() && plan.total > 0)
    memory = Pages(plan.total);
  return memory.data() + plan.offsets[size_t(index)];
}

std::vector<int64_t> Context::shape(pmrt_loc loc,
                                    const pmrt_array &array) const {
  if (array.space != PMRT_HOST)
    throw failure(loc, "internal error: an array in device memory reached a "
                       "runtime without a device");
  if (array.rank < 0 || array.rank > PMRT_MAX_RANK)
    throw failure(loc,
                  fmt::format("internal error: array of rank {}", array.rank));
  std::vector<int64_t> extents;
  for (int32_t d = 0; d < array.rank; ++d) {
    const int32_t dim = array.dims[d];
    if (dim < 0 || size_t(dim) >= shards.size())
      throw failure(
          loc, fmt::format("internal error: dim {} of {}", dim, shards.size()));
    extents.push_back(shards[size_t(dim)].extent);
  }
  return extents;
}

int64_t Context::elements(pmrt_loc loc, const pmrt_array &array) const {
  int64_t product = 1;
  for (int64_t extent : shape(loc, array))
    product *= extent;
  return product;
}

//===----------------------------------------------------------------------===//
// ABI
//===----------------------------------------------------------------------===//

template <typename T>
static const T &at(const std::vector<T> &all, int32_t index, const char *what) {
  if (index < 0 || size_t(index) >= all.size())
    throw std::runtime_error(
        fmt::format("internal error: {} {} of {}", what, index, all.size()));
  return all[size_t(index)];
}

double pmrt_param_f64(pmrt_context *ctx, int32_t param) {
  return at(ctx->params, param, "parameter").value.real;
}

int64_t pmrt_param_i64(pmrt_context *ctx, int32_t param) {
  return at(ctx->params, param, "parameter").value.bits;
}

int32_t pmrt_param_given(pmrt_context *ctx, int32_t param) {
  return at(ctx->params, param, "parameter").given;
}

int32_t pmrt_input_given(pmrt_context *ctx, int32_t input) {
  return !at(ctx->inputFiles, input, "input").empty();
}

int64_t pmrt_local_extent(pmrt_context *ctx, int32_t dim) {
  return at(ctx->shards, dim, "dim").extent;
}

int64_t pmrt_local_offset(pmrt_context *ctx, int32_t dim) {
  return at(ctx->shards, dim, "dim").offset;
}

void pmrt_set_length(pmrt_context *ctx, int32_t dim, double length) {
  at(ctx->shards, dim, "dim");
  ctx->lengths[size_t(dim)] = length;
}

void *pmrt_buffer(pmrt_context *ctx, int32_t buffer) {
  return ctx->buffer(buffer);
}
