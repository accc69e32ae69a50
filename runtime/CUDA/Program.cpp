//===- Program.cpp - What programs for GPUs call --------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Program.h"

#include "runtime/CUDA/CudaDevice.h"
#include "runtime/CUDA/Libraries/Nccl.h"
#include "runtime/Core/Op.h"
#include "runtime/Program/Main.h"

#include <algorithm>

using namespace pmrt;
using namespace pmrt::cuda;

/// Restores the context that a thread of the caller has had.
static std::shared_ptr<void> keepContext() {
  const Driver &cu = driver();
  DeviceContext current = nullptr;
  if (cu.currentContext(&current) != constant::success)
    throw Error(Exit::Failure, "",
                "[PM9011] cannot query the current CUDA context");
  return {current, [&cu](void *context) {
            (void)cu.setContext(static_cast<DeviceContext>(context));
          }};
}

static void copyForCaller(void *to, const void *from, size_t bytes,
                          bool toDevice, void *stream) {
  const Driver &cu = driver();
  const std::shared_ptr<void> kept = keepContext();
  // A thread without a context has not chosen a GPU, so use the first one.
  DeviceNumber device = 0;
  DeviceContext context = static_cast<DeviceContext>(kept.get());
  const bool isRetained = !context;
  int failed = constant::success;
  if (isRetained) {
    failed = cu.deviceGet(&device, 0);
    if (!failed)
      failed = cu.retain(&context, device);
    if (!failed)
      failed = cu.setContext(context);
  }
  auto *const queue = static_cast<Stream>(stream);
  if (!failed)
    failed = toDevice ? cu.toDevice(Address(uintptr_t(to)), from, bytes, queue)
                      : cu.toHost(to, Address(uintptr_t(from)), bytes, queue);
  if (!failed)
    failed = cu.streamWait(queue);
  if (isRetained && context)
    (void)cu.releaseContext(device);
  if (failed)
    throw Error(Exit::Failure, "",
                "[PM9011] cannot copy an array between the host and the GPU");
}

DeviceKind pmrt::cuda::devicesFor(const pmrt_device_code &code) {
  DeviceKind kind;
  kind.make = [&code](Context &context) {
    return std::make_unique<CudaDevice>(context, code);
  };
  kind.nccl = makeNcclTransport;
  kind.keepThread = keepContext;
  kind.copyForCaller = copyForCaller;
  return kind;
}

int pmrt_main_cuda(int argc, char **argv, const pmrt_program *program,
                   const pmrt_device_code *code) {
  return runProgram(argc, argv, *program, devicesFor(*code));
}

void pmrt_launch(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                 const char *name, const char *kernel, int64_t items,
                 int32_t threads, int32_t shared, void **args, int64_t bytes) {
  Op op(*ctx, loc, name, bytes);
  if (items <= 0)
    return;
  CudaDevice &device = CudaDevice::of(*ctx, loc);
  Code::Kernel &known = device.program().kernel(kernel);
  device.launch(kernel, known, device.blocksFor(known, items, threads, shared),
                threads, shared, args);
}

void pmrt_launch_blocks(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                        const char *name, const char *kernel, int64_t blocks,
                        int32_t threads, int32_t shared, void **args,
                        int64_t bytes) {
  Op op(*ctx, loc, name, bytes);
  if (blocks <= 0)
    return;
  CudaDevice &device = CudaDevice::of(*ctx, loc);
  device.launch(kernel, device.program().kernel(kernel), blocks, threads,
                shared, args);
}

uint64_t *pmrt_fault_word(pmrt_context *ctx) {
  return CudaDevice::of(*ctx, -1).faultWord();
}

int64_t pmrt_reduction_blocks(int64_t count, int64_t width) {
  // Enough for any GPU; fewer if the partial results would be many.
  constexpr int64_t most = 1024, items = 1024, accumulators = int64_t(1) << 22;
  const int64_t affordable =
      std::max<int64_t>(1, accumulators / std::max<int64_t>(1, width));
  return std::min({(count + items - 1) / items, most, affordable});
}

double *pmrt_partials(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                      pmrt_reduction kind, int64_t blocks, int64_t width) {
  Op op(*ctx, loc, "partials", blocks * width * 8);
  return CudaDevice::of(*ctx, loc).partials(kind, blocks, width);
}

void pmrt_reduce_scalars(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                         const char *name, pmrt_reduction kind, int64_t blocks,
                         int64_t width, const double *partials, double *out) {
  Op op(*ctx, loc, name, blocks * width * 8);
  CudaDevice &device = CudaDevice::of(*ctx, loc);
  int64_t rows = 0;
  const double *left = device.combineRows(kind, blocks, width, partials, rows);
  auto *result = static_cast<double *>(device.results(width * 8));
  device.combineColumns(kind, rows, width, 0, width, left, PMRT_F64, result);
  device.download(out, result, width * 8);
  device.poll();
}

void pmrt_finish_fields(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                        const char *name, pmrt_reduction kind, int64_t blocks,
                        const double *partials, int32_t parts,
                        const pmrt_array *const *outs) {
  if (parts < 1)
    throw ctx->failure(loc, "internal error: a reduction to no fields");
  const int64_t cells = ctx->elements(loc, *outs[0]);
  const int64_t width = parts * cells;
  Op op(*ctx, loc, name, blocks * width * 8);
  CudaDevice &device = CudaDevice::of(*ctx, loc);
  int64_t rows = 0;
  const double *left = device.combineRows(kind, blocks, width, partials, rows);
  for (int32_t part = 0; part < parts; ++part) {
    if (ctx->elements(loc, *outs[part]) != cells)
      throw ctx->failure(
          loc, "internal error: the fields of a reduction differ in shape");
    device.combineColumns(kind, rows, width, part * cells, cells, left,
                          pmrt_element(outs[part]->element), outs[part]->data);
  }
}

void pmrt_table_device(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                       const pmrt_table *table, pmrt_table *device) {
  ctx->current = loc;
  *device = CudaDevice::of(*ctx, loc).table(*table);
}
