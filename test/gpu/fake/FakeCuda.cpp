//===- FakeCuda.cpp - A CUDA driver without a GPU -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/gpu/fake/FakeDevice.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace fakecuda;

int64_t fakecuda::environment(const char *name, int64_t fallback) {
  const char *text = std::getenv(name);
  return text && *text ? std::strtoll(text, nullptr, 10) : fallback;
}

Device &fakecuda::device() {
  static auto *only = new Device; // outlives static objects of programs
  return *only;
}

namespace {

/// FAKECUDA_DEVICES of them, or those that CUDA_VISIBLE_DEVICES lists.
std::vector<int> visibleDevices() {
  const auto count = int(environment("FAKECUDA_DEVICES", 1));
  std::vector<int> all;
  const char *list = std::getenv("CUDA_VISIBLE_DEVICES");
  for (int i = 0; !list && i < count; ++i)
    all.push_back(i);
  for (const char *at = list; at && *at; at += *at == ',')
    all.push_back(int(std::strtol(at, const_cast<char **>(&at), 10)));
  std::erase_if(all, [&](int one) { return one < 0 || one >= count; });
  return all;
}

/// FAKECUDA_HOURS: all events but the first happen so much later.
std::chrono::hours age() {
  static bool begun = false;
  const int64_t hours = environment("FAKECUDA_HOURS", 0);
  const bool isFirst = !std::exchange(begun, hours > 0);
  return std::chrono::hours(isFirst ? 0 : hours);
}

/// What draining a stream returns whose work waits for that of another one.
constexpr int blocked = -1;

} // namespace

int fakecuda::drain(FakeStream &stream, const FakeEvent *until, int64_t times,
                    int64_t steps) {
  Device &all = device();
  // Opened once, because this takes longer than the work.
  std::optional<Access> access;
  while (!stream.queue.empty() && (!until || until->reached < times) &&
         steps-- > 0) {
    if (const auto &first = stream.queue.front();
        first.ready && all.error == success && !first.ready())
      return blocked;
    const FakeStream::Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    if (work.run && all.error == success) {
      if (!access)
        access.emplace(stream.device);
      all.error = work.run();
    }
    if (work.event) {
      ++work.event->reached;
      work.event->when = Clock::now() + age();
    }
  }
  return all.error;
}

namespace {

/// FAKECUDA_PROGRESS=SEED: a stream, chosen at random, does some of its work.
void progress() {
  static const int64_t seed = environment("FAKECUDA_PROGRESS", -1);
  if (seed < 0)
    return;
  static std::minstd_rand random{uint32_t(seed) + 1};
  const auto &all = device().streams;
  if (all.empty() || random() % 2 == 0)
    return;
  (void)drain(**std::next(all.begin(), long(random() % all.size())), nullptr, 0,
              int64_t(random() % 3));
}

} // namespace

int fakecuda::drainWithOthers(FakeStream &stream, const FakeEvent *until,
                              int64_t times) {
  const std::lock_guard guard(device().lock);
  const int result = drain(stream, until, times);
  if (result != blocked)
    return result;
  const std::set<FakeStream *> others = device().streams;
  for (FakeStream *other : others)
    (void)drain(*other, nullptr, 0);
  return drain(stream, until, times);
}

namespace {

/// The same, for as long as it takes.
int finish(FakeStream &stream, const FakeEvent *until, int64_t times) {
  for (;;) {
    const int result = drainWithOthers(stream, until, times);
    if (result != blocked)
      return result;
    usleep(50);
  }
}

} // namespace

FakeContext *&fakecuda::currentContext() {
  static thread_local FakeContext *context = nullptr;
  return context;
}

FakeContext &fakecuda::contextOf(int number) {
  static auto *all = new std::map<int, FakeContext>; // as `device`
  const std::lock_guard guard(device().lock);
  FakeContext &context = (*all)[number];
  context.device = number;
  return context;
}

int fakecuda::contextError() {
  const FakeContext *context = currentContext();
  if (!context)
    return invalidContext;
  const std::lock_guard guard(device().lock);
  return context->retained > 0 ? success : contextDestroyed;
}

FakeStream *fakecuda::streamOf(void *stream) {
  if (stream)
    return static_cast<FakeStream *>(stream);
  static FakeStream *const standard = [] {
    auto *made = new FakeStream;
    const std::lock_guard guard(device().lock);
    device().streams.insert(made);
    return made;
  }();
  return standard;
}

void fakecuda::enqueue(void *stream, std::function<int()> work,
                       std::function<bool()> ready) {
  const std::lock_guard guard(device().lock);
  streamOf(stream)->queue.push_back(
      {std::move(work), std::move(ready), nullptr});
  progress();
}

void fakecuda::runQueued() {
  const std::lock_guard guard(device().lock);
  const std::set<FakeStream *> all = device().streams;
  for (FakeStream *stream : all)
    (void)drain(*stream, nullptr, 0);
}

extern "C" {

int cuInit(unsigned) { return visibleDevices().empty() ? noDevice : success; }

int cuDriverGetVersion(int *version) {
  *version = int(environment("FAKECUDA_VERSION", 13000));
  return success;
}

int cuGetErrorName(int error, const char **name) {
  static const std::map<int, const char *> names = {
      {success, "CUDA_SUCCESS"},
      {invalidValue, "CUDA_ERROR_INVALID_VALUE"},
      {outOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {noDevice, "CUDA_ERROR_NO_DEVICE"},
      {invalidImage, "CUDA_ERROR_INVALID_IMAGE"},
      {invalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
      {invalidPtx, "CUDA_ERROR_INVALID_PTX"},
      {invalidHandle, "CUDA_ERROR_INVALID_HANDLE"},
      {notFound, "CUDA_ERROR_NOT_FOUND"},
      {notReady, "CUDA_ERROR_NOT_READY"},
      {contextDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED"},
      {launchFailed, "CUDA_ERROR_LAUNCH_FAILED"}};
  auto it = names.find(error);
  *name = it == names.end() ? nullptr : it->second;
  return it == names.end() ? invalidValue : success;
}

int cuGetErrorString(int error, const char **text) {
  return cuGetErrorName(error, text);
}

int cuDeviceGetCount(int *count) {
  *count = int(visibleDevices().size());
  return success;
}

int cuDeviceGet(int *number, int ordinal) {
  *number = visibleDevices().at(size_t(ordinal));
  return success;
}

int cuDeviceGetName(char *name, int size, int) {
  std::snprintf(name, size_t(size), "Fake GPU");
  return success;
}

int cuDeviceGetUuid_v2(char *id, int number) {
  std::memset(id, 0, 16);
  std::snprintf(id, 16, "fake %d", number);
  return success;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == pmrt::cuda::constant::attributeProcessors
               ? int(environment("FAKECUDA_PROCESSORS", 4))
           : attribute == pmrt::cuda::constant::attributeMajor       ? 9
           : attribute == pmrt::cuda::constant::attributeSharedOptIn ? 232448
           : attribute == pmrt::cuda::constant::attributePools
               ? int(environment("FAKECUDA_POOLS", 1))
               : 0;
  return success;
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = Device::capacity();
  return success;
}

int cuDevicePrimaryCtxRetain(void **context, int number) {
  const std::lock_guard guard(device().lock);
  FakeContext &one = contextOf(number);
  ++one.retained;
  *context = &one;
  return success;
}
int cuDevicePrimaryCtxRelease_v2(int number) {
  const std::lock_guard guard(device().lock);
  FakeContext &one = contextOf(number);
  if (one.retained == 0)
    return invalidContext;
  if (--one.retained == 0)
    one.reachable.clear();
  return success;
}
int cuCtxSetCurrent(void *context) {
  fakecuda::currentContext() = static_cast<FakeContext *>(context);
  return context ? fakecuda::contextError() : success;
}
int cuCtxGetCurrent(void **context) {
  *context = fakecuda::currentContext();
  return success;
}
int cuCtxEnablePeerAccess(void *peer, unsigned) {
  CALLED;
  NEEDS_CONTEXT;
  if (!environment("FAKECUDA_PEERS", 1))
    return pmrt::cuda::constant::peerUnsupported;
  const std::lock_guard guard(device().lock);
  const int other = static_cast<FakeContext *>(peer)->device;
  return currentContext()->reachable.insert(other).second
             ? success
             : pmrt::cuda::constant::peerEnabled;
}

int cuStreamCreate(void **stream, unsigned) {
  CALLED;
  NEEDS_CONTEXT;
  const std::lock_guard guard(device().lock);
  auto *made = new FakeStream;
  made->device = currentContext()->device;
  device().streams.insert(made);
  *stream = made;
  return success;
}

int cuStreamSynchronize(void *stream) {
  CALLED;
  NEEDS_CONTEXT;
  return finish(*streamOf(stream), nullptr, 0);
}

int cuStreamWaitEvent(void *stream, void *event, unsigned) {
  CALLED;
  const std::lock_guard guard(device().lock);
  const auto one = static_cast<FakeEvent *>(event)->shared_from_this();
  fakecuda::enqueue(stream, {}, [one, times = one->recorded] {
    return one->reached >= times;
  });
  return device().error;
}

int cuStreamDestroy_v2(void *stream) {
  CALLED;
  (void)drainWithOthers(*streamOf(stream), nullptr, 0);
  const std::lock_guard guard(device().lock);
  // What was never possible is given up.
  for (const FakeStream::Work &work : streamOf(stream)->queue)
    if (work.event)
      ++work.event->reached;
  device().streams.erase(streamOf(stream));
  delete streamOf(stream);
  return success;
}

int cuEventCreate(void **event, unsigned) {
  CALLED;
  NEEDS_CONTEXT;
  const auto made = std::make_shared<FakeEvent>();
  made->device = currentContext()->device;
  const std::lock_guard guard(device().lock);
  device().events.emplace(made.get(), made);
  *event = made.get();
  return success;
}

int cuEventRecord(void *event, void *stream) {
  CALLED;
  const std::lock_guard guard(device().lock);
  auto *one = static_cast<FakeEvent *>(event);
  one->stream = streamOf(stream);
  ++one->recorded;
  one->stream->queue.push_back({nullptr, nullptr, one->shared_from_this()});
  return device().error;
}

int cuEventSynchronize(void *event) {
  CALLED;
  auto *one = static_cast<FakeEvent *>(event);
  return one->stream ? finish(*one->stream, one, one->recorded) : success;
}

int cuEventQuery(void *event) {
  CALLED;
  auto *one = static_cast<FakeEvent *>(event);
  if (!one->stream)
    return success;
  const int result = drainWithOthers(*one->stream, one, one->recorded);
  return result == blocked ? notReady : result;
}

int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  const std::lock_guard guard(device().lock);
  auto *a = static_cast<FakeEvent *>(from), *b = static_cast<FakeEvent *>(to);
  if (!a->stream || !b->stream)
    return invalidHandle;
  if (a->reached < a->recorded || b->reached < b->recorded)
    return notReady;
  *milliseconds =
      std::chrono::duration<float, std::milli>(b->when - a->when).count();
  return success;
}

int cuEventDestroy_v2(void *event) {
  CALLED;
  const std::lock_guard guard(device().lock);
  if (contextOf(static_cast<FakeEvent *>(event)->device).retained == 0) {
    std::fprintf(stderr, "fake CUDA: an event ends after its context\n");
    std::abort();
  }
  return device().events.erase(event) ? success : invalidHandle;
}

} // extern "C"
