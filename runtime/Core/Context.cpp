//===- Context.cpp - One rank's state -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Context.h"

#include "runtime/Base/Text/Format.h"

#include <algorithm>
#include <cstring>
#include <functional>
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
                 std::vector<std::string> files, std::vector<Axis> axes,
                 std::shared_ptr<Transport> wires,
                 const Surroundings &surroundings)
    : program(std::move(descriptor)), settings(std::move(chosen)),
      params(std::move(values)), inputFiles(std::move(files)),
      transport(std::move(wires)), messages(*surroundings.messages),
      port(surroundings.port), mesh(std::move(axes), transport->rank()),
      shards(shardsOf(mesh, program.dims)), threads(settings.threads),
      world(*transport, threads),
      recorder(transport->rank(), program.locations),
      lengths(program.dims.size(), 0.0) {
  device = makeHostDevice(*this);
  transport->watch->report = settings.watchdog;
  transport->watch->end = settings.watchdogEnd;
  transport->watch->recorder = &recorder;
  transport->watch->line = [this](pmrt_loc loc) { return location(loc); };
  transport->watch->warn = [this](const std::string &text) {
    progress.warn(fmt::format("{}: warning: {}", location(current), text));
  };
  progress.setSink(messages);
  // Progress is the first rank's.
  progress.setMode(transport->rank() == 0 ? settings.progress
                                          : ProgressMode::Never,
                   settings.quiet);
  if (!settings.profile.empty())
    profile.enable();
}

void Context::endCalls() {
  // Their threads write to the fields' memory.
  streams.clear();
  // After an error these are still under way. To give one up is to copy what
  // it sends from the fields' memory, and to give back what it has borrowed.
  pending.clear();
  halos.clear();
  stores.clear();
}

Context::~Context() {
  endCalls();
  // The transport may live longer.
  *transport->watch = {};
}

void Context::startAgain(std::vector<LaunchValue> values) {
  params = std::move(values);
  endCalls();
  takeCallers();
  for (const std::unique_ptr<Table> &table : tables)
    device->forget(*table);
  tables.clear();
  std::fill(lengths.begin(), lengths.end(), 0.0);
  written = {};
  outputs.clear();
  checksums.clear();
  lostPrints.clear();
  reversals.clear();
  losses.clear();
  warned.clear();
  frames.clear();
  panels.clear();
  iterations.clear();
  current = -1;
  timeLimit = {};
  recorder.end(RankLog::Running);
}

void Context::takeCallers() {
  if (!port || !alone() || !device->isHost())
    return;
  std::vector<void *> next;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer &buffer = program.buffers[i];
    int64_t cells = 1;
    for (const int32_t dim : buffer.dims)
      cells *= shards[size_t(dim)].extent;
    // A padded buffer stays in the plan, because ops use its padding.
    const int64_t bytes = bytesOf(buffer.element, buffer.dims);
    const bool isPadded = bytes != cells * elementSize(buffer.element);
    next.push_back(isPadded ? nullptr : port->memoryOf(i, bytes));
  }
  const bool isSame =
      std::equal(next.begin(), next.end(), callers.begin(), callers.end(),
                 [](const void *a, const void *b) { return !a == !b; });
  callers = std::move(next);
  if (!isSame) {
    placed.reset();
    memory = Pages();
  }
}

std::string Context::location(pmrt_loc loc) const {
  if (loc < 0 || size_t(loc) >= program.locations.size())
    return "";
  // The line of the library behind it is for the profile.
  const std::string &text = program.locations[size_t(loc)];
  return text.ends_with(')') ? text.substr(0, text.rfind(" (")) : text;
}

bool Context::isInLibrary(pmrt_loc loc) const {
  return loc >= 0 && size_t(loc) < program.locations.size() &&
         program.locations[size_t(loc)].ends_with(')');
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
  if (!loops.empty() && loops.back().started)
    error.inStep(loops.back().step, std::max<int64_t>(0, loops.back().count));
  for (size_t i = loops.size(); i-- > 0;)
    if (loops[i].started && !location(loops[i].loc).empty())
      error.note(location(loops[i].loc),
                 fmt::format("{} of this loop", stepText(loops[i])));
  return error;
}

static constexpr int64_t tooMuch = std::numeric_limits<int64_t>::max() / 4;

int64_t Context::bytesOf(pmrt_element element,
                         const std::vector<int32_t> &dims) const {
  __int128 size = elementSize(element);
  for (int32_t dim : dims) {
    size *= shards[size_t(dim)].extent;
    if (size > tooMuch)
      return tooMuch;
  }
  auto bytes = int64_t(size);
  for (const Capacity &capacity : capacities)
    if (capacity.element == element && capacity.dims == dims)
      bytes = std::max(bytes, capacity.bytes);
  return bytes;
}

std::vector<int64_t> Context::bufferBytes() const {
  std::vector<int64_t> bytes;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer &buffer = program.buffers[i];
    bytes.push_back(bytesOf(buffer.element, buffer.dims));
    if (bytes.back() == tooMuch)
      throw usageError(
          "[PM9009] buffer '{}' has more bytes than a program can address",
          buffer.name);
    if (i < callers.size() && callers[i])
      bytes.back() = 0;
  }
  // Prefetched data is in the host's memory, which files are read into.
  if (gpu())
    for (const Input &input : program.inputs)
      if (input.ahead >= 0)
        bytes[size_t(input.ahead)] = 0;
  return bytes;
}

void Context::reserve(pmrt_element element, const std::vector<int32_t> &dims,
                      int64_t bytes) {
  capacities.push_back({element, dims, bytes});
}

static std::vector<int32_t> dimsOf(const pmrt_array &array) {
  return {array.dims, array.dims + array.rank};
}

bool Context::isPlanned(const pmrt_array &array) const {
  if (!placed)
    return false;
  const auto addressOf = [&](size_t i) -> const void * {
    if (i < callers.size() && callers[i])
      return callers[i];
    return memory.data() ? memory.data() + placed->offsets[i] : nullptr;
  };
  for (size_t i = 0; i < program.buffers.size(); ++i)
    if (array.data && addressOf(i) == array.data &&
        program.buffers[i].element == pmrt_element(array.element) &&
        program.buffers[i].dims == dimsOf(array))
      return true;
  return false;
}

int64_t Context::capacity(const pmrt_array &array) const {
  const auto element = pmrt_element(array.element);
  if (isPlanned(array))
    return bytesOf(element, dimsOf(array));
  int64_t bytes = elementSize(element);
  for (int32_t dim : dimsOf(array))
    bytes *= shards[size_t(dim)].extent;
  return bytes;
}

std::string Context::kindText(bool planned, pmrt_element element,
                              const std::vector<int32_t> &dims) {
  return fmt::format("{}{}[{}]", planned ? "buffer " : "", int(element),
                     fmt::join(dims, " "));
}

std::string Context::kindOf(const pmrt_array &array) const {
  return kindText(isPlanned(array), pmrt_element(array.element), dimsOf(array));
}

int64_t Context::memoryLimit() const {
  if (settings.memoryLimit)
    return settings.memoryLimit;
  if (!deviceProblem.empty()) // a dry run: unknown
    return std::numeric_limits<int64_t>::max();
  return device->budget();
}

std::string Context::memoryLimitText() const {
  const std::string bytes = bytesText(double(memoryLimit()));
  if (settings.memoryLimit)
    return bytes + " of --memory-limit";
  return fmt::format("{} {}", bytes, device->budgetText());
}

void Context::clear(const Pages &pages, int64_t bytes) {
  if (bytes > 0)
    device->zero(pages.data(), bytes);
}

Group Context::group(uint32_t axes) {
  std::vector<int64_t> at = mesh.coordinates(mesh.rank());
  std::vector<int> members;
  // An odometer over the axes of the group, the last one fastest.
  for (size_t i = 0; i < at.size(); ++i)
    if (axes >> i & 1)
      at[i] = 0;
  for (;;) {
    members.push_back(int(mesh.rankAt(at)));
    size_t i = at.size();
    while (i-- > 0) {
      if (!(axes >> i & 1))
        continue;
      if (++at[i] < mesh.axes()[i].extent)
        break;
      at[i] = 0;
    }
    if (i == size_t(-1))
      break;
  }
  return Group(*transport, threads, std::move(members));
}

void Context::agree(pmrt_loc loc, const std::string &problem, Exit code) {
  const bool bad = !problem.empty();
  if (alone() && !bad)
    return;
  const auto ranks = int64_t(transport->size());
  int64_t found[2] = {bad ? transport->rank() : ranks, bad ? 0 : 1};
  world.reduce(PMRT_MIN, 1, &found[0]);
  world.reduce(PMRT_SUM, 1, &found[1]); // ranks without a problem
  if (found[0] == ranks)
    return;
  std::string text = world.broadcast(problem, int(found[0]));
  if (found[1] > 0)
    text = fmt::format("rank {}: {}", found[0], text);
  Error error = failure(loc, text);
  if (code == Exit::Usage) // found late, but what is wrong is the input
    error = Error(Exit::Usage, location(loc), text);
  throw std::move(error).everywhere();
}

Pages Context::borrow(pmrt_loc loc, int64_t bytes, const char *what,
                      Loan kind) {
  // The smallest that is large enough; sizes and so the choice may differ
  // between ranks, but the verdict is common.
  auto best = spare.end();
  for (auto it = spare.begin(); it != spare.end(); ++it)
    if (it->kind == kind && it->pages.size() >= bytes &&
        (best == spare.end() || it->pages.size() < best->pages.size()))
      best = it;
  const bool found = best != spare.end() || bytes <= 0;
  Pages pages;
  if (best != spare.end()) {
    pages = std::move(best->pages);
    spare.erase(best);
  }
  const auto isCommon = [](const Spare &one) {
    return one.kind == Loan::Reduction;
  };
  if (found && kind == Loan::Reduction)
    return pages;
  // What lies around unused goes before anything is refused; but all ranks have
  // the same pages for reductions.
  int64_t unused = 0;
  for (const Spare &one : spare)
    unused += isCommon(one) ? 0 : one.pages.size();
  int64_t need[2] = {found ? 0 : bytes, 0};
  const int64_t besides = placement().total + workspaceBytes();
  need[1] = found ? 0 : besides + borrowed - unused + bytes;
  world.reduce(PMRT_MAX, 2, need);
  if (need[1] > memoryLimit())
    throw failure(
        loc, fmt::format("[PM9009] {} needs {} of memory a rank, {} with the "
                         "fields, more than the {}",
                         what, bytesText(double(need[0])),
                         bytesText(double(need[1])), memoryLimitText()))
        .everywhere();
  if (found)
    return pages;
  // Halos grow from step to step. One of the kind goes for each that comes, so
  // there are never more than were in use at one time.
  const bool isTight = besides + borrowed + bytes > memoryLimit();
  if (isTight) {
    std::erase_if(spare, std::not_fn(isCommon));
    borrowed -= unused;
  }
  if (!isTight || kind == Loan::Reduction) {
    auto largest = spare.end();
    for (auto it = spare.begin(); it != spare.end(); ++it)
      if (it->kind == kind &&
          (largest == spare.end() || it->pages.size() > largest->pages.size()))
        largest = it;
    if (largest != spare.end()) {
      borrowed -= largest->pages.size();
      spare.erase(largest);
    }
  }
  pages = device->pages(bytes);
  borrowed += pages.size();
  mostBorrowed = std::max(mostBorrowed, borrowed);
  return pages;
}

int64_t Context::workspaceBytes() const {
  return std::max<int64_t>(0,
                           device->allocatedBytes() - borrowed - memory.size());
}

void Context::giveBack(Pages pages, Loan kind) {
  if (pages.data())
    spare.push_back({std::move(pages), kind});
}

const Placement &Context::placement() {
  if (placed)
    return *placed;
  if (callers.empty())
    takeCallers();
  const std::vector<int64_t> bytes = bufferBytes();
  std::vector<Lifetime> lifetimes;
  for (size_t i = 0; i < bytes.size(); ++i)
    lifetimes.push_back(
        {bytes[i], program.buffers[i].start, program.buffers[i].end});
  placed = place(lifetimes);
  if (placed->total > memoryLimit() && !settings.dryRun)
    throw usageError("[PM9009] {} (--dry-run prints the plan)",
                     problemOfPlacement());
  return *placed;
}

std::string Context::problemOfPlacement() {
  const int64_t total = placement().total;
  if (total <= memoryLimit())
    return "";
  return fmt::format("the fields of this program need {} of memory{}, more "
                     "than the {}",
                     bytesText(double(total)), alone() ? "" : " a rank",
                     memoryLimitText());
}

void *Context::buffer(int32_t index) {
  if (index < 0 || size_t(index) >= program.buffers.size())
    throw std::runtime_error(fmt::format("internal error: buffer {} of {}",
                                         index, program.buffers.size()));
  const Placement &plan = placement();
  if (size_t(index) < callers.size() && callers[size_t(index)])
    return callers[size_t(index)];
  if (!memory.data() && plan.total > 0)
    memory = device->pages(plan.total);
  return memory.data() + plan.offsets[size_t(index)];
}

pmrt_array Context::withoutMemory(pmrt_element element,
                                  const std::vector<int32_t> &dims) const {
  pmrt_array made = {};
  made.element = element;
  made.space = space();
  made.rank = int32_t(dims.size());
  std::copy(dims.begin(), dims.end(), made.dims);
  return made;
}

void Context::check(pmrt_loc loc, const pmrt_array &array) const {
  if (array.space != space())
    throw failure(loc, fmt::format("internal error: an array in {} memory in "
                                   "a program whose fields are in {} memory",
                                   array.space == PMRT_HOST ? "host" : "device",
                                   device->isHost() ? "host" : "device"));
  if (array.rank < 0 || array.rank > PMRT_MAX_RANK)
    throw failure(loc,
                  fmt::format("internal error: array of rank {}", array.rank));
  for (int32_t d = 0; d < array.rank; ++d)
    if (const int32_t dim = array.dims[d];
        dim < 0 || size_t(dim) >= shards.size())
      throw failure(
          loc, fmt::format("internal error: dim {} of {}", dim, shards.size()));
}

std::vector<int64_t> Context::shape(pmrt_loc loc,
                                    const pmrt_array &array) const {
  check(loc, array);
  std::vector<int64_t> extents;
  for (int32_t d = 0; d < array.rank; ++d)
    extents.push_back(shards[size_t(array.dims[d])].extent);
  return extents;
}

int64_t Context::elements(pmrt_loc loc, const pmrt_array &array) const {
  check(loc, array);
  int64_t product = 1;
  for (int32_t d = 0; d < array.rank; ++d)
    product *= shards[size_t(array.dims[d])].extent;
  return product;
}

int64_t Context::bytes(pmrt_loc loc, const pmrt_array &array) const {
  return elements(loc, array) * elementSize(pmrt_element(array.element));
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
  const bool hasFile = !at(ctx->inputFiles, input, "input").empty();
  return ctx->port ? ctx->port->isGiven(size_t(input)) : hasFile;
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
