//===- CudaDevice.cpp - Memory and queue of a rank's NVIDIA GPU -----------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/CudaDevice.h"

#include "runtime/Base/Interrupts.h"
#include "runtime/Base/Text/Format.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <unistd.h>

using namespace pmrt;
using namespace pmrt::cuda;

/// For what a GPU still does after Ctrl-C, in seconds.
static constexpr double patienceAfterSignal = 5;

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

/// The image that fits best; null if none does.
static const pmrt_image *choose(const pmrt_device_code &code, int arch) {
  const pmrt_image *best = nullptr;
  auto rank = [&](const pmrt_image &image) {
    switch (pmrt_image_kind(image.kind)) {
    case PMRT_IMAGE_CUBIN: // runs on the same major version, from the minor on
      return image.arch / 10 == arch / 10 && image.arch <= arch
                 ? 3000 + image.arch
                 : 0;
    case PMRT_IMAGE_FATBIN:
      return 2000;
    case PMRT_IMAGE_PTX:
      return image.arch <= arch ? 1000 + image.arch : 0;
    }
    return 0;
  };
  int most = 0;
  for (int64_t i = 0; i < code.count; ++i)
    if (const int here = rank(code.images[i]); here > most) {
      most = here;
      best = &code.images[i];
    }
  return best;
}

CudaDevice::CudaDevice(Context &context, const pmrt_device_code &code)
    : context(context), cu(driver()), programCode(context, cu),
      ownCode(context, cu), fftPlans(context, *this) {
  takeGpu();
  const int major =
      told.architecture.empty()
          ? 0
          : int(std::strtol(told.architecture.c_str() + 3, nullptr, 10));
  if (code.count > 0) {
    const pmrt_image *image = choose(code, major);
    if (!image) {
      std::vector<std::string> has;
      for (int64_t i = 0; i < code.count; ++i)
        has.push_back(fmt::format("sm_{}", code.images[i].arch));
      throw usageError(
          "[PM9011] the program has kernels for {}, but {} is {}; compile "
          "it with --gpu-arch={}",
          fmt::join(has, ", "), told.name, told.architecture,
          told.architecture);
    }
    programCode.load(*image);
  }
  ownCode.load({PMRT_IMAGE_PTX, 80, 0, pmrt_kernel_text});
  watchCalls();
}

CudaDevice::~CudaDevice() {
  if (primary) { // this thread may differ from the one of the run
    currentCalls() = calls;
    (void)cu.setContext(primary);
  }
  // The stream may still work on what is freed below. Errors were told before.
  if (stream)
    (void)cu.streamWait(stream);
  for (Staging &one : staging) {
    if (one.done)
      (void)cu.eventDestroy(one.done);
    if (one.host)
      (void)cu.releaseHost(one.host);
  }
  for (Event event : {steps[0], steps[1], ordering, waiting})
    if (event)
      (void)cu.eventDestroy(event);
  for (const Mark &one : marks)
    if (one.event)
      (void)cu.eventDestroy(one.event);
  for (Event event : spareEvents)
    (void)cu.eventDestroy(event);
  if (lastMark.event)
    (void)cu.eventDestroy(lastMark.event);
  if (fault)
    (void)cu.releaseHost(fault);
  fftPlans.clear();
  dropSolver();
  dropBlas();
  for (Pages *pages : {&scratchMemory, &partialMemory, &laneMemory,
                       &smallMemory, &packMemory, &patchMemory})
    *pages = Pages();
  tables.clear();
  keepsMemory = false;
  for (const auto &[size, memory] : std::exchange(kept, {}))
    free(memory);
  for (char *memory : std::exchange(abandoned, {}))
    free(memory);
  programCode.unload();
  ownCode.unload();
  if (pool)
    (void)cu.poolDestroy(pool);
  if (stream)
    (void)cu.streamDestroy(stream);
  for (DeviceNumber peer : peers)
    (void)cu.releaseContext(peer);
  callWatch.reset();
  if (currentCalls() == calls)
    currentCalls().reset();
}

void CudaDevice::takeGpu() {
  int count = 0, version = 0;
  check(cu.deviceCount(&count), "count GPUs");
  if (count == 0)
    throw usageError(
        "[PM9011] this machine has no NVIDIA GPU, or CUDA_VISIBLE_DEVICES "
        "hides it");
  told.number =
      (context.settings.firstDevice + context.transport->localRank()) % count;
  check(cu.deviceGet(&number, told.number), "find the GPU");
  char name[256] = "";
  check(cu.deviceName(name, int(sizeof name - 1), number), "name the GPU");
  told.name = name;
  int major = 0, minor = 0;
  check(cu.deviceAttribute(&major, constant::attributeMajor, number),
        "query the properties of the GPU");
  check(cu.deviceAttribute(&minor, constant::attributeMinor, number),
        "query the properties of the GPU");
  check(cu.deviceAttribute(&processors, constant::attributeProcessors, number),
        "query the properties of the GPU");
  told.architecture = fmt::format("sm_{}{}", major, minor);
  check(cu.driverVersion(&version), "report its version");
  told.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  if (version < 12000)
    throw usageError(
        "[PM9011] the NVIDIA driver supports {}, but CUDA 12.0 is needed: "
        "install driver 525 or later",
        told.driver);
  int fftVersion = 0;
  (void)cufft().version(&fftVersion);
  told.fft = fmt::format("cuFFT {}.{}.{}", fftVersion / 1000,
                         fftVersion % 1000 / 100, fftVersion % 100);
  check(cu.retain(&primary, number), "open the GPU");
  retention.reset(primary, [&cu = cu, number = number](void *) {
    (void)cu.releaseContext(number);
  });
  enter();
  openPeers(count);
  check(cu.streamCreate(&stream, constant::streamNonBlocking),
        "create a stream");
  if (context.transport->name() == std::string_view("nccl")) {
    openPool(count);
    makeStaging(); // early, because pinning memory may wait for all GPUs
  }
  fftPlans.setStream(stream);
  void *word = nullptr;
  check(cu.allocateHost(&word, sizeof *fault, constant::hostMapped),
        "pin host memory");
  fault = static_cast<uint64_t *>(word);
  *fault = 0;
}

void CudaDevice::enter() {
  currentCalls() = calls;
  check(cu.setContext(primary), "open the GPU");
}

void CudaDevice::watchCalls() {
  // `watch` does not change while the rank is in a call of a library.
  auto tell = [this](const char *symbol, double seconds, bool isLast) {
    const Transport::Watch &watch = *context.transport->watch;
    const std::string line =
        watch.line ? watch.line(watch.location) : std::string();
    const std::string text = fmt::format(
        "'{}' has not returned from {} of {} for {:.0f} s: another rank has "
        "not reached it, or the GPU is still busy",
        watch.activity, symbol, told.name, seconds);
    const std::string place = line.empty() ? "" : line + ": ";
    if (!isLast || context.port) // an embedded program does not end its process
      return context.messages.message(
          codedWarning(place + "warning: [PM9202] " + text) + "\n");
    context.messages.message(codedWarning(place + "error: [PM9011] " + text) +
                             " (--watchdog-end)\n");
    // No thread can leave such a call, so end the process. The other processes
    // notice this.
    (void)std::fflush(nullptr);
    std::_Exit(int(Exit::Failure));
  };
  const Settings &settings = context.settings;
  callWatch = std::make_unique<CallWatch>(calls, settings.watchdog,
                                          settings.watchdogEnd, tell);
}

void CudaDevice::openPeers(int count) {
  const Transport &transport = *context.transport;
  if (transport.name() != std::string_view("threads"))
    return; // what others have on their GPUs comes by NCCL, or by the host
  for (int rank = 0; rank < std::min(count, transport.localSize()); ++rank) {
    const int other = (context.settings.firstDevice + rank) % count;
    if (other == told.number)
      continue;
    DeviceNumber peer = 0;
    DeviceContext theirs = nullptr;
    check(cu.deviceGet(&peer, other), "find the GPUs");
    check(cu.retain(&theirs, peer), "open the GPUs of other ranks");
    peers.push_back(peer);
    const int error = cu.peerAccess(theirs, 0);
    if (error == constant::peerUnsupported)
      allPeers = false;
    else if (error != constant::peerEnabled)
      check(error, "open the memory of other GPUs");
  }
}

void CudaDevice::openPool(int count) {
  int has = 0;
  check(cu.deviceAttribute(&has, constant::attributePools, number),
        "query the properties of the GPU");
  keepsMemory = !has;
  if (keepsMemory)
    return;
  PoolProperties properties;
  properties.location.device = number;
  check(cu.poolCreate(&pool, &properties), "create a memory pool");
  // The pool keeps freed memory for later allocations.
  uint64_t kept = ~uint64_t(0);
  check(cu.poolSet(pool, constant::poolReleaseThreshold, &kept),
        "create a memory pool");
  // NCCL may access the memory of ranks of this process directly.
  for (int other = 0; other < count; ++other) {
    int reaches = 0;
    if (other == told.number ||
        cu.canAccessPeer(&reaches, other, number) != constant::success ||
        !reaches)
      continue;
    PoolAccess access;
    access.location.device = other;
    check(cu.poolAccess(pool, &access, 1), "open the memory to other GPUs");
  }
}

std::string CudaDevice::budgetText() const {
  return fmt::format("that {} has free{}", told.name,
                     context.alone() ? "" : " for each rank");
}

void CudaDevice::meetRanks() {
  // CUDA_VISIBLE_DEVICES may differ between processes: numbers tell nothing.
  char id[17] = "";
  check(cu.deviceId(id, number), "identify the GPU");
  const auto mine = int64_t(std::hash<std::string>()(std::string(id, 16)) >> 1);
  const std::vector<int64_t> all = context.world.gather(mine);
  sharing = int(std::count(all.begin(), all.end(), mine));
  // A message is staged on both of its sides, or on none.
  int64_t isStaged = allPeers ? 0 : 1;
  context.world.reduce(PMRT_MAX, 1, &isStaged);
  allPeers = isStaged == 0;
}

CudaDevice &CudaDevice::of(Context &context, pmrt_loc loc) {
  auto *device = dynamic_cast<CudaDevice *>(context.device.get());
  if (!device)
    throw context.failure(
        loc, "internal error: a GPU call in a program that does not use a GPU");
  return *device;
}

void CudaDevice::check(int error, const char *action) const {
  if (error == constant::success)
    return;
  // Launches fail late: then all calls say so.
  const bool kernel = error >= 700 && error < 800;
  throw context.failure(
      context.current,
      fmt::format(
          "[PM9011] {}cannot {}: {}{}",
          told.name.empty() ? "CUDA " : told.name + " ", action, cu.text(error),
          kernel ? "; a kernel of this or an earlier call has failed (set "
                   "CUDA_LAUNCH_BLOCKING=1 to get the line of that kernel)"
                 : ""));
}

//===----------------------------------------------------------------------===//
// Waiting and time
//===----------------------------------------------------------------------===//

void CudaDevice::await(Event event, const char *action) {
  const auto start = Clock::now();
  std::optional<Clock::time_point> signal;
  for (;;) {
    const int error = cu.eventQuery(event);
    if (error == constant::success) // a call a wait, so that they are counted
      return check(cu.eventWait(event), action);
    if (error != constant::notReady)
      return check(error, action);
    // Spin first; what takes longer may never come.
    const double waited = secondsSince(start);
    if (waited < 1e-4)
      continue;
    if (watch)
      watch(waited);
    // Kernels cannot be ended. What was queued usually ends soon, and then all
    // goes its way; what does not is left to the end of the process.
    if (isInterrupted()) {
      if (!signal)
        signal = Clock::now();
      if (secondsSince(*signal) > patienceAfterSignal) {
        stuck = true;
        throw Interrupted();
      }
    }
    usleep(20);
  }
}

void CudaDevice::wait() {
  if (!waiting)
    waiting = newEvent();
  check(cu.eventRecord(waiting, stream), "finish the queued work");
  await(waiting, "finish the queued work");
}

std::shared_ptr<void> CudaDevice::queued() {
  if (!tail) {
    Event event = nullptr;
    check(cu.eventCreate(&event, constant::eventWithoutTime),
          "create an event");
    tail.reset(event, [&cu = cu, kept = retention](Event last) {
      (void)cu.eventDestroy(last);
    });
  }
  check(cu.eventRecord(static_cast<Event>(tail.get()), stream),
        "synchronize ranks");
  return tail;
}

void CudaDevice::follow(const std::shared_ptr<void> &queued) {
  check(cu.streamAfter(stream, static_cast<Event>(queued.get()), 0),
        "synchronize ranks");
}

void CudaDevice::followStream(void *other) {
  order(static_cast<Stream>(other), stream);
}

Stream CudaDevice::makeStream() {
  Stream made = nullptr;
  check(cu.streamCreate(&made, constant::streamNonBlocking), "create a stream");
  return made;
}

void CudaDevice::dropStream(Stream one) { (void)cu.streamDestroy(one); }

void CudaDevice::order(Stream earlier, Stream later) {
  if (!ordering)
    ordering = newEvent();
  check(cu.eventRecord(ordering, earlier), "synchronize streams");
  check(cu.streamAfter(later, ordering, 0), "synchronize streams");
}

Event CudaDevice::endOf(Stream one) {
  Event event = newEvent();
  check(cu.eventRecord(event, one), "synchronize streams");
  return event;
}

void CudaDevice::followAndGiveBack(Event event) {
  giveBack(event);
  check(cu.streamAfter(stream, event, 0), "synchronize streams");
}

void CudaDevice::poll() {
  const uint64_t found =
      std::atomic_ref<uint64_t>(*fault).load(std::memory_order_acquire);
  if (found == 0)
    return;
  std::atomic_ref<uint64_t>(*fault).store(0, std::memory_order_release);
  const auto loc = pmrt_loc(uint32_t(found));
  switch (found >> 32) {
  case PMRT_FAULT_POSITION:
    throw context.failure(loc, "[PM9103] position is not finite, or too large");
  case PMRT_FAULT_UNDEFINED:
    throw context.failure(loc, "[PM9102] undefined behavior in a kernel");
  default:
    throw context.failure(
        loc, fmt::format("internal error: fault {} of a kernel", found >> 32));
  }
}

Event CudaDevice::newEvent() {
  if (!spareEvents.empty()) {
    Event event = spareEvents.back();
    spareEvents.pop_back();
    return event;
  }
  Event event = nullptr;
  check(cu.eventCreate(&event, 0), "create an event");
  return event;
}

void CudaDevice::step() {
  // The step before the last one must be over: the progress bar shows the
  // truth, Ctrl-C is soon heard, and the GPU still has a step to work on.
  Event &event = steps[size_t(stepCount++ % 2)];
  if (event)
    await(event, "finish a step");
  else
    event = newEvent();
  check(cu.eventRecord(event, stream), "finish a step");
}

int64_t CudaDevice::mark() {
  // Called where nothing may be thrown: what fails is told by the next call.
  Event event = nullptr;
  if (!spareEvents.empty()) {
    event = spareEvents.back();
    spareEvents.pop_back();
  } else if (cu.eventCreate(&event, 0) != constant::success) {
    event = nullptr;
  }
  if (event)
    (void)cu.eventRecord(event, stream);
  marks.push_back({event, event ? -1 : 0});
  return forgotten + int64_t(marks.size()) - 1;
}

void CudaDevice::forgetMarks(int64_t before) {
  for (; forgotten < before; ++forgotten) {
    if (marks.front().event)
      spareEvents.push_back(marks.front().event);
    marks.pop_front();
  }
}

int64_t CudaDevice::nanoseconds(int64_t mark) {
  Mark &one = marks[size_t(mark - forgotten)];
  if (!one.event)
    return one.at;
  float milliseconds = 0;
  if (stuck)
    return 0;
  (void)cu.eventWait(one.event);
  // The driver counts milliseconds in f32. From the mark that was read before,
  // they are few, and therefore exact to nanoseconds in runs of any length.
  if (lastMark.event && cu.eventElapsed(&milliseconds, lastMark.event,
                                        one.event) != constant::success)
    milliseconds = 0;
  one.at = lastMark.at + std::llround(double(milliseconds) * 1e6);
  if (lastMark.event)
    spareEvents.push_back(lastMark.event);
  lastMark = {std::exchange(one.event, nullptr), one.at};
  return one.at;
}
