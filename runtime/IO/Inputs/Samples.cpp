//===- Samples.cpp - Samples that are read as they are needed -------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Inputs/Samples.h"

#include "runtime/Base/Interrupts.h"
#include "runtime/Core/Op.h"
#include "runtime/IO/Files/Finite.h"
#include "runtime/IO/Inputs/Inputs.h"

#include "pmrt/samples.h"

#include <chrono>
#include <cstring>

using namespace pmrt;

SampleStream::SampleStream(Context &context, const Input &input,
                           const std::string &spec)
    : context(context), input(input), files(context, input, spec) {
  const Box box = layoutOver(context, input.dims).box(context.mesh);
  shape = box.shape();
  cells = box.cells();
  for (const Shard &side : box.sides)
    start.push_back(side.offset);
}

SampleStream::~SampleStream() {
  {
    const std::unique_lock lock(mutex);
    ends = gaveUp = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

std::optional<int64_t>
SampleStream::firstMissing(const std::vector<int64_t> &numbers) const {
  for (const int64_t number : numbers)
    if (number < 0 || number >= files.count())
      return number;
  return std::nullopt;
}

int64_t SampleStream::bytes(const std::vector<int64_t> &numbers) const {
  return int64_t(numbers.size()) * cells * elementSize(input.element);
}

void SampleStream::load(const std::vector<int64_t> &numbers, char *out,
                        const std::function<void()> &between) {
  if (cells == 0)
    return;
  const int64_t size = cells * elementSize(input.element);
  for (size_t i = 0; i < numbers.size(); ++i) {
    between();
    if (gaveUp)
      return;
    files.read(numbers[i], input.element, start, shape,
               out + int64_t(i) * size);
  }
}

void SampleStream::check(const std::vector<int64_t> &numbers,
                         const char *data) {
  const int64_t bad = firstNonFinite(context.threads, input.element, data,
                                     int64_t(numbers.size()) * cells);
  if (bad < 0)
    return;
  std::vector<int64_t> place = start;
  int64_t cell = bad % cells;
  for (size_t d = place.size(); d-- > 0; cell /= shape[d])
    place[d] += cell % shape[d];
  throw std::runtime_error(fmt::format(
      "{} is not finite: element [{}] is {}",
      files.nameOf(numbers[size_t(bad / cells)]), fmt::join(place, ", "),
      elementText(input.element, data, bad)));
}

void SampleStream::look(int64_t number, char *memory) {
  load({number}, memory, [&] {
    checkInterrupt();
    context.transport->poll();
  });
  check({number}, memory);
}

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

void SampleStream::work() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return ends || isReading; });
    if (ends)
      return;
    const std::vector<int64_t> numbers = wanted;
    lock.unlock();
    std::string what;
    try {
      load(numbers, ahead, [] {});
    } catch (const std::exception &e) {
      what = e.what();
    }
    lock.lock();
    problem = what;
    isReading = false;
    changed.notify_all();
  }
}

void SampleStream::await(std::unique_lock<std::mutex> &lock) {
  // Ctrl-C and other ranks are looked after as in any work of this length.
  while (!changed.wait_for(lock, std::chrono::milliseconds(20),
                           [&] { return !isReading; })) {
    checkInterrupt();
    context.transport->poll();
  }
}

void SampleStream::prefetch(const std::vector<int64_t> &numbers, char *memory) {
  std::unique_lock lock(mutex);
  if (numbers.empty() || numbers == wanted || firstMissing(numbers))
    return;
  gaveUp = true;
  await(lock);
  gaveUp = false;
  if (!memory)
    own.resize(size_t(bytes(numbers)));
  wanted = numbers;
  ahead = memory ? memory : own.data();
  problem.clear();
  isReading = true;
  if (!thread.joinable())
    thread = std::thread([this] { work(); });
  changed.notify_all();
}

void SampleStream::read(const std::vector<int64_t> &numbers, void *out) {
  const int64_t size = bytes(numbers);
  ++all;
  bool isHere = false;
  {
    std::unique_lock lock(mutex);
    isHere = !numbers.empty() && wanted == numbers;
    await(lock);
    // What comes in between, as a check does, leaves the others to wait.
    if (isHere)
      wanted.clear();
    if (isHere && !problem.empty())
      throw std::runtime_error(problem);
  }
  early += isHere;
  context.device->fill(out, size, [&](char *to) {
    if (isHere)
      std::memcpy(to, ahead, size_t(size));
    else
      load(numbers, to, [&] {
        checkInterrupt();
        context.transport->poll();
      });
    check(numbers, to);
  });
}

//===----------------------------------------------------------------------===//
// ABI
//===----------------------------------------------------------------------===//

static SampleStream &streamAt(Context &ctx, pmrt_loc loc, int32_t index) {
  const Input &input = inputAt(ctx, loc, index, InputKind::Field);
  std::shared_ptr<SampleStream> &stream = ctx.streams[index];
  if (stream)
    return *stream;
  std::string problem;
  try {
    stream = std::make_shared<SampleStream>(ctx, input,
                                            ctx.inputFiles[size_t(index)]);
  } catch (const std::runtime_error &e) {
    problem = fmt::format("[PM9006] --{}: {}", input.name, e.what());
  }
  if (!stream)
    ctx.streams.erase(index);
  ctx.agree(loc, problem, Exit::Usage);
  return *stream;
}

/// The numbers of an array, or one.
static std::vector<int64_t> numbersOf(Context &ctx, pmrt_loc loc,
                                      int64_t sample, const pmrt_array *index) {
  if (!index)
    return {sample};
  const int64_t count = ctx.elements(loc, *index);
  std::vector<char> copy;
  const auto *data = static_cast<const int64_t *>(
      ctx.device->read(index->data, count * int64_t(sizeof(int64_t)), copy));
  return {data, data + count};
}

int64_t pmrt_sample_count(pmrt_context *ctx, pmrt_loc loc, int32_t input) {
  const size_t index = size_t(input);
  if (index < ctx->inputFiles.size() && ctx->inputFiles[index].empty() &&
      ctx->program.inputs[index].optional)
    return 0;
  return streamAt(*ctx, loc, input).set().count();
}

void pmrt_samples(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                  int64_t sample, const pmrt_array *index,
                  const pmrt_array *out) {
  SampleStream &stream = streamAt(*ctx, loc, input);
  const std::vector<int64_t> numbers = numbersOf(*ctx, loc, sample, index);
  const int64_t bytes = stream.bytes(numbers);
  Op op(*ctx, loc, "samples", bytes);
  std::string problem;
  if (const auto missing = stream.firstMissing(numbers))
    problem =
        fmt::format("sample {} of --{} is out of range: the stream has {}",
                    *missing, stream.name(), stream.set().count());
  else if (bytes !=
           ctx->elements(loc, *out) * elementSize(pmrt_element(out->element)))
    problem =
        fmt::format("internal error: array of samples of '{}'", stream.name());
  ctx->agree(loc, problem);
  try {
    stream.read(numbers, out->data);
  } catch (const Error &) {
    throw;
  } catch (const std::runtime_error &e) {
    problem = fmt::format("[PM9006] --{}: {}", stream.name(), e.what());
  }
  ctx->agree(loc, problem, Exit::Usage);
}

void pmrt_prefetch_samples(pmrt_context *ctx, pmrt_loc loc, int32_t input,
                           int64_t sample, const pmrt_array *index) {
  const int32_t buffer = ctx->program.inputs[size_t(input)].ahead;
  if (buffer < 0)
    return;
  auto *memory =
      ctx->gpu() ? nullptr : static_cast<char *>(ctx->buffer(buffer));
  streamAt(*ctx, loc, input)
      .prefetch(numbersOf(*ctx, loc, sample, index), memory);
}
