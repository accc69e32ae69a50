//===- DeviceMemory.cpp - Memory of a rank's NVIDIA GPU -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations and their budget, and copies between the host and the GPU.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/CudaDevice.h"
#include "runtime/CUDA/Libraries/CuBlas.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Matrices/Contraction.h"
#include "runtime/Core/Matrices/Convolution.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>

using namespace pmrt;
using namespace pmrt::cuda;

/// The fraction of the free memory that is left to the driver and libraries.
static constexpr double freeMargin = 0.03;
/// The size of a staging buffer in pinned memory.
static constexpr int64_t stagingBytes = int64_t(8) << 20;

static Address address(const void *memory) {
  return Address(reinterpret_cast<uintptr_t>(memory));
}

//===----------------------------------------------------------------------===//
// The budget
//===----------------------------------------------------------------------===//

void CudaDevice::measureBudget() {
  size_t free = 0, total = 0;
  check(cu.memoryInfo(&free, &total), "query the free memory");
  told.memory = int64_t(total);
  // The driver and the libraries allocate memory later, too.
  const auto margin = int64_t(double(free) * freeMargin);
  available = (int64_t(free) - margin) / sharing;
}

WorkspaceNeeds CudaDevice::workspaces() {
  const Descriptor &program = context.program;
  constexpr auto number = int64_t(sizeof(double));
  WorkspaceNeeds needs;
  needs.transforms = fftPlans.workBytes();
  needs.tables = 2 * number * program.tableRows;
  needs.matrices = matrixBytes();
  bool usesBlas = program.contracts || matrixSolver;
  bool isZero = false;
  const auto array = [&](const ArrayShape &shape) {
    return context.withoutMemory(shape.element, shape.dims);
  };
  for (const ProductShapes &shapes : program.contractions)
    if (const auto work =
            makeContraction(context, -1, array(shapes.a), array(shapes.b),
                            array(shapes.c), isZero))
      needs.contractions = std::max(needs.contractions, packBytes(*work));
  for (const ProductShapes &shapes : program.convolutions)
    if (const auto work = makeConvolution(
            context, -1, array(shapes.a), /*halo=*/nullptr, array(shapes.b),
            array(shapes.c), shapes.plan.data(), isZero)) {
      const auto [patches, packed] = convolutionBytes(*work);
      needs.convolutions = std::max(needs.convolutions, patches);
      needs.contractions = std::max(needs.contractions, packed);
      usesBlas |= patches > 0;
    }
  needs.blas = usesBlas ? blasWorkspace : 0;
  int64_t rows = 0, lanes = 0, results = 0; // the memory of each kind is kept
  for (const Reduction &one : program.reductions) {
    const int64_t count =
        one.items > 0 ? pmrt_reduction_blocks(one.items, one.width) : one.rows;
    rows = std::max(rows, count * one.width);
    lanes = std::max(lanes, lanesFor(count) * one.width);
    results = std::max(results, one.width);
  }
  needs.reductions = number * (rows + lanes + results);
  return needs;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Error CudaDevice::outOfMemory(int64_t bytes) const {
  size_t free = 0, total = 0;
  check(cu.memoryInfo(&free, &total), "query the free memory");
  return context.failure(
      context.current,
      fmt::format("[PM9009] out of memory on {}: {} are needed, {} of {} are "
                  "free, and the limit is the {} (allocated {}: fields {}, "
                  "borrowed {}, FFT workspace {})",
                  told.name, bytesText(double(bytes)), bytesText(double(free)),
                  bytesText(double(total)), context.memoryLimitText(),
                  bytesText(double(allocated)),
                  bytesText(double(context.placement().total)),
                  bytesText(double(context.borrowedBytes())),
                  bytesText(double(fftPlans.workBytes()))));
}

char *CudaDevice::allocate(int64_t bytes) {
  if (char *const old = takeKept(bytes)) {
    zero(old, bytes);
    return old;
  }
  // Workspaces count, too, because another rank may share the GPU.
  if (available > 0 && allocated + bytes > context.memoryLimit())
    throw outOfMemory(bytes);
  Address memory = 0;
  const int error =
      pool ? cu.allocateQueued(&memory, size_t(bytes), pool, stream)
           : cu.allocate(&memory, size_t(bytes));
  if (error == constant::outOfMemory)
    throw outOfMemory(bytes);
  check(error, "allocate memory");
  auto *data = reinterpret_cast<char *>(uintptr_t(memory));
  allocations[data] = bytes;
  allocated += bytes;
  mostAllocated = std::max(mostAllocated, allocated);
  try {
    zero(data, bytes);
  } catch (...) {
    release(data);
    throw;
  }
  return data;
}

char *CudaDevice::takeKept(int64_t bytes) {
  const auto best = kept.lower_bound(bytes);
  if (best == kept.end())
    return nullptr;
  char *const memory = best->second;
  kept.erase(best);
  return memory;
}

void CudaDevice::free(char *memory) noexcept {
  if (keepsMemory) {
    kept.emplace(allocations[memory], memory);
    return;
  }
  if (const auto it = allocations.find(memory); it != allocations.end()) {
    allocated -= it->second;
    allocations.erase(it);
  }
  if (pool)
    (void)cu.releaseQueued(address(memory), stream);
  else
    (void)cu.release(address(memory));
}

void CudaDevice::release(char *memory) noexcept {
  // To free memory, the driver waits for all queued work. After an error, this
  // work may wait forever for another rank.
  if (std::uncaught_exceptions() == 0 && !stuck)
    free(memory);
  else
    abandoned.push_back(memory);
}

void CudaDevice::zero(void *data, int64_t bytes) {
  if (bytes > 0)
    check(cu.set8(address(data), 0, size_t(bytes), stream), "clear memory");
}

void CudaDevice::copy(void *to, const void *from, int64_t bytes) {
  if (bytes > 0 && to != from)
    check(cu.within(address(to), address(from), size_t(bytes), stream),
          "copy memory");
}

void CudaDevice::makeStaging() {
  for (Staging &one : staging) {
    if (one.host)
      continue;
    void *host = nullptr;
    check(cu.allocateHost(&host, size_t(stagingBytes), 0), "pin host memory");
    one.host = static_cast<char *>(host);
    one.done = newEvent();
  }
}

void CudaDevice::upload(void *to, const void *from, int64_t bytes) {
  makeStaging();
  // The two buffers alternate. Therefore a piece waits only for the copy of the
  // piece before the previous one.
  for (int64_t at = 0; at < bytes; at += stagingBytes) {
    Staging &stage = staging[size_t(uploads++ % 2)];
    const int64_t size = std::min(stagingBytes, bytes - at);
    if (std::exchange(stage.busy, false))
      await(stage.done, "copy to the GPU");
    copyHost(stage.host, static_cast<const char *>(from) + at, size);
    check(cu.toDevice(address(to) + Address(at), stage.host, size_t(size),
                      stream),
          "copy to the GPU");
    check(cu.eventRecord(stage.done, stream), "copy to the GPU");
    stage.busy = true;
  }
}

const void *CudaDevice::read(const void *data, int64_t bytes,
                             std::vector<char> &copy) {
  copy.resize(size_t(bytes));
  download(copy.data(), data, bytes);
  return copy.data();
}

void CudaDevice::fill(void *to, int64_t bytes,
                      const std::function<void(char *)> &write) {
  std::vector<char> host(static_cast<size_t>(bytes));
  write(host.data());
  upload(to, host.data(), bytes);
}

void CudaDevice::download(void *to, const void *from, int64_t bytes) {
  makeStaging();
  // While the host copies one piece, the next one is transferred.
  auto start = [&](int64_t at) {
    Staging &stage = staging[size_t(at / stagingBytes % 2)];
    if (std::exchange(stage.busy, false))
      await(stage.done, "copy from the GPU");
    check(cu.toHost(stage.host, address(from) + Address(at),
                    size_t(std::min(stagingBytes, bytes - at)), stream),
          "copy from the GPU");
    check(cu.eventRecord(stage.done, stream), "copy from the GPU");
    stage.busy = true;
  };
  if (bytes > 0)
    start(0);
  for (int64_t at = 0; at < bytes; at += stagingBytes) {
    if (at + stagingBytes < bytes)
      start(at + stagingBytes);
    Staging &stage = staging[size_t(at / stagingBytes % 2)];
    await(stage.done, "copy from the GPU");
    stage.busy = false;
    copyHost(static_cast<char *>(to) + at, stage.host,
             std::min(stagingBytes, bytes - at));
  }
}

void CudaDevice::copyHost(char *to, const char *from, int64_t bytes) const {
  constexpr int64_t piece = int64_t(1) << 18;
  context.threads.forRange(
      (bytes + piece - 1) / piece, [=](int64_t begin, int64_t end) {
        std::memcpy(to + begin * piece, from + begin * piece,
                    size_t(std::min(end * piece, bytes) - begin * piece));
      });
}

char *CudaDevice::grown(Pages &pages, int64_t bytes) {
  if (bytes > pages.size()) {
    pages = Pages();
    pages = Pages(bytes, this);
  }
  return pages.data();
}
