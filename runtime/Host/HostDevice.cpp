//===- HostDevice.cpp - Fields in the host's memory -----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Context.h"
#include "runtime/Core/Matrices/Contraction.h"
#include "runtime/Core/Matrices/Convolution.h"
#include "runtime/Core/Noise.h"
#include "runtime/Dist/HaloRows.h"
#include "runtime/FFT/Plans.h"
#include "runtime/Host/Blas.h"
#include "runtime/IO/Files/Finite.h"

#include <cstring>

using namespace pmrt;

namespace {

/// What is queued is done: whoever waits need not.
class HostDevice : public Device {
public:
  explicit HostDevice(Context &context)
      : context(context), plans(makeHostPlans(context)) {}

  void enter() override {}
  void followStream(void *) override {}
  pmrt_space space() const override { return PMRT_HOST; }
  const DeviceFacts &facts() const override { return none; }
  int64_t budget() const override {
    return physicalMemory() / context.transport->localSize();
  }
  std::string budgetText() const override {
    return context.alone() ? "this machine has"
                           : "this machine has for each of its ranks";
  }
  void meetRanks() override {}
  void measureBudget() override {}
  int64_t allocatedBytes() const override { return 0; }
  int64_t mostAllocatedBytes() const override { return 0; }
  WorkspaceNeeds workspaces() override { return {}; }
  Pages pages(int64_t bytes) override { return Pages(bytes); }
  DeviceClock *clock() override { return nullptr; }

  void zero(void *data, int64_t bytes) override {
    forPages(bytes, [=](int64_t begin, int64_t count) {
      std::memset(static_cast<char *>(data) + begin, 0, size_t(count));
    });
  }
  void copy(void *to, const void *from, int64_t bytes) override {
    forPages(bytes, [=](int64_t begin, int64_t count) {
      std::memmove(static_cast<char *>(to) + begin,
                   static_cast<const char *>(from) + begin, size_t(count));
    });
  }
  void upload(void *to, const void *from, int64_t bytes) override {
    copy(to, from, bytes);
  }
  void download(void *to, const void *from, int64_t bytes) override {
    copy(to, from, bytes);
  }
  const void *read(const void *data, int64_t, std::vector<char> &) override {
    return data;
  }
  void fill(void *to, int64_t,
            const std::function<void(char *)> &write) override {
    write(static_cast<char *>(to));
  }
  void wait() override {}
  std::shared_ptr<void> queued() override { return nullptr; }
  void follow(const std::shared_ptr<void> &) override {}
  void poll() override {}
  bool isStuck() const override { return false; }
  bool isOpenToRanks() const override { return true; }
  void step() override {}

  void fillRows(const HaloRows &rows, void **table) override {
    int64_t count = 1;
    for (int d = 0; d < rows.outer; ++d)
      count *= rows.extent[d];
    context.threads.forRange(count, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        table[row] = rowAddress(rows, row);
    });
  }
  void whiteNoise(uint64_t seed, pmrt_element element, const Placed &where,
                  void *out) override {
    fillNoise(context.threads, seed, element, where, out);
  }
  void forget(const pmrt_table &) override {}
  FftPlans &ffts() override { return *plans; }
  void contract(const Contraction &work) override {
    if (!pmrt::contract(context.threads, work) || toldMissing)
      return;
    toldMissing = true;
    if (context.transport->rank() == 0)
      context.progress.warn("warning: [PM9208] " + missingBlas());
  }
  void convolve(const Convolution &work) override {
    pmrt::convolve(context.threads, work);
  }
  bool matrices(const MatrixCall &) override { return false; }
  int64_t firstNonFinite(pmrt_element element, const void *data,
                         int64_t count) override {
    return pmrt::firstNonFinite(context.threads, element, data, count);
  }
  void transfer(const Region &from, const Region &to, Combine combine,
                pmrt_element element) override {
    pmrt::transfer(context.threads, from, to, combine, element);
  }
  void gather(const Region &from, char *to) override {
    transfer(from, from.denseAt(to), Combine::Replace, PMRT_I8);
  }
  void scatter(const char *from, const Region &to, Combine combine,
               pmrt_element element) override {
    transfer(to.denseAt(const_cast<char *>(from)), to, combine, element);
  }

private:
  /// In parallel; pages as the unit, so that threads share no line.
  template <typename Body> void forPages(int64_t bytes, const Body &body) {
    constexpr int64_t page = 4096;
    context.threads.forRange(
        (bytes + page - 1) / page, [&](int64_t begin, int64_t end) {
          body(begin * page, std::min(end * page, bytes) - begin * page);
        });
  }

  Context &context;
  DeviceFacts none;
  bool toldMissing = false; ///< that OpenBLAS is not here
  std::unique_ptr<FftPlans> plans;
};

} // namespace

std::unique_ptr<Device> pmrt::makeHostDevice(Context &context) {
  return std::make_unique<HostDevice>(context);
}
