//===- OnDevice.h - Tests of contexts with a GPU ----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every test runs on the first GPU, or on the fake driver's (LD_LIBRARY_PATH),
// and is skipped, with the reason, where there is neither.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_RUNTIME_ONDEVICE_H
#define PMC_TEST_GPU_RUNTIME_ONDEVICE_H

#include "runtime/CUDA/CudaDevice.h"
#include "test/runtime/Ranks.h"

namespace pmrt::test {

/// The suite of tests that need a device.
class OnDevice : public testing::Test {
protected:
  void SetUp() override {
    try {
      (void)cuda::driver();
      (void)cuda::cufft();
    } catch (const std::exception &e) {
      GTEST_SKIP() << e.what();
    }
  }
};

/// Gives a context a device, as pmrt_main_cuda does.
inline cuda::CudaDevice &attach(pmrt_context &context,
                                const pmrt_device_code &code = {}) {
  auto device = std::make_unique<cuda::CudaDevice>(context, code);
  cuda::CudaDevice &made = *device;
  context.device = std::move(device);
  made.meetRanks();
  context.transport->attach(context);
  context.world.barrier();
  made.measureBudget();
  context.world.barrier();
  if (context.profile.enabled())
    context.profile.follow(made.clock());
  return made;
}

/// Whether the device is the fake driver's.
inline bool isFake(const pmrt_context &context) {
  return context.device->facts().name == "Fake GPU";
}

/// A copy of host data in device memory.
template <typename T> class OnGpu {
public:
  OnGpu(pmrt_context &context, const std::vector<T> &data)
      : device(*context.device), count(data.size()),
        pages(device.pages(int64_t(std::max<size_t>(1, count) * sizeof(T)))) {
    device.upload(pages.data(), data.data(), int64_t(count * sizeof(T)));
  }
  T *data() const { return reinterpret_cast<T *>(pages.data()); }
  std::vector<T> get() const {
    std::vector<T> copy(count);
    device.download(copy.data(), pages.data(), int64_t(count * sizeof(T)));
    return copy;
  }

private:
  Device &device;
  size_t count;
  Pages pages;
};

inline pmrt_array onGpu(void *data, pmrt_element element,
                        const std::vector<int32_t> &dims) {
  pmrt_array a = arrayOver(data, element, dims);
  a.space = PMRT_DEVICE;
  return a;
}

} // namespace pmrt::test

#endif // PMC_TEST_GPU_RUNTIME_ONDEVICE_H
