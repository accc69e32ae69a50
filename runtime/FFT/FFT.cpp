//===- FFT.cpp - Fourier transforms of the ABI ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Op.h"
#include "runtime/Dist/Reshard.h"
#include "runtime/FFT/Plans.h"
#include "runtime/FFT/Routes.h"

#include <utility>

using namespace pmrt;

namespace {

/// A transform over ranks, ready to run: each step with its memory.
class Distributed {
public:
  Distributed(Context &ctx, pmrt_loc loc, bool forward, uint32_t mask,
              const pmrt_array &in, const pmrt_array &out, int64_t wholeCells)
      : ctx(ctx), loc(loc), forward(forward), wholeCells(wholeCells),
        plans(ctx.device->ffts()) {
    FftRoutes &routes = FftRoutes::of(ctx);
    const auto a = pmrt_element(in.element), b = pmrt_element(out.element);
    single = a == PMRT_F32 || a == PMRT_C64;
    FftTask task;
    task.type = !isComplex(a)   ? FftType::RealToComplex
                : !isComplex(b) ? FftType::ComplexToReal
                                : FftType::Complex;
    task.mask = mask;
    task.ordered = ctx.settings.plan == PlanRigor::Fixed;
    task.backward = !forward;
    task.in = layoutOf(ctx, in);
    task.out = layoutOf(ctx, out);
    const FftCapacities capacities = {ctx.capacity(in), ctx.capacity(out),
                                      in.data == out.data,
                                      ctx.kindOf(in) + ctx.kindOf(out)};
    route = &routes.find(loc, task, capacities, single ? 4 : 8);
    data[size_t(FftPlace::In)] = in.data;
    data[size_t(FftPlace::Out)] = out.data;
    data[size_t(FftPlace::WorkA)] = routes.workA();
    data[size_t(FftPlace::WorkB)] = routes.workB();
  }

  /// Makes the plans, on all ranks at once. `overwrite`: with the arrays' own
  /// memory.
  void plan(bool overwrite) {
    if (std::exchange(route->planned, true))
      return;
    forStages([&](const FftStage &stage, void *from, void *to) {
      if (stage.mask == 0)
        return;
      const Step step = transform(stage, from, to);
      plans.planTogether(loc, step.empty ? nullptr : &step.problem,
                         overwrite ? from : nullptr, overwrite ? to : nullptr);
    });
  }

  void run() {
    plan(false);
    forStages([&](const FftStage &stage, void *from, void *to) {
      if (stage.mask == 0)
        return transpose(stage, from, to);
      const Step step = transform(stage, from, to);
      if (!step.empty)
        plans.run(loc, step.problem, from, to);
    });
  }

private:
  struct Step {
    FftProblem problem;
    bool empty = false;
  };

  template <typename Body> void forStages(const Body &body) {
    void *from = data[size_t(FftPlace::In)];
    for (size_t i = 0; i < route->stages.size(); ++i) {
      void *to = data[size_t(route->places.after[i])];
      body(route->stages[i], from, to);
      from = to;
    }
  }

  pmrt_element element(bool real) const {
    if (real)
      return single ? PMRT_F32 : PMRT_F64;
    return single ? PMRT_C64 : PMRT_C128;
  }

  Step transform(const FftStage &stage, void *from, void *to) const {
    const FftSide in{element(stage.realFrom), stage.from.box(ctx.mesh).shape(),
                     from};
    const FftSide out{element(stage.realTo), stage.to.box(ctx.mesh).shape(),
                      to};
    Step step;
    step.empty = in.empty() || out.empty();
    if (!step.empty) {
      step.problem = fftProblem(ctx, loc, forward, stage.mask, in, out);
      step.problem.wholeCells = wholeCells;
    }
    return step;
  }

  void transpose(const FftStage &stage, const void *from, void *to) const {
    Op op(ctx, loc, "transpose");
    Messages messages =
        reshardMessages(ctx.mesh, elementSize(element(stage.realFrom)),
                        stage.from, from, stage.to, to);
    messages.device = ctx.gpu();
    op.addBytes(messages.bytesFrom(ctx.transport->rank()));
    ctx.transport->start(ctx.threads, nullptr, std::move(messages))->wait();
  }

  Context &ctx;
  pmrt_loc loc;
  bool forward, single = false;
  int64_t wholeCells;
  FftPlans &plans;
  FftRoute *route = nullptr;
  void *data[4] = {};
};

} // namespace

/// The problem of the whole arrays, over all ranks: checks that they fit.
static FftProblem wholeProblem(const Context &ctx, pmrt_loc loc, bool forward,
                               uint32_t mask, const pmrt_array &in,
                               const pmrt_array &out) {
  auto side = [&](const pmrt_array &array) {
    ctx.shape(loc, array); // checks dims and space
    return FftSide{pmrt_element(array.element), layoutOf(ctx, array).cells(),
                   array.data};
  };
  return fftProblem(ctx, loc, forward, mask, side(in), side(out));
}

void pmrt_plan_fft(pmrt_context *ctx, pmrt_loc loc, int32_t forward,
                   uint32_t mask, const pmrt_array *in, const pmrt_array *out) {
  Op op(*ctx, loc, "plan_fft");
  const FftProblem problem =
      wholeProblem(*ctx, loc, forward != 0, mask, *in, *out);
  if (problem.bytesIn == 0 || problem.bytesOut == 0)
    return;
  if (ctx->alone())
    ctx->device->ffts().plan(loc, problem, in->data, out->data);
  else
    Distributed(*ctx, loc, forward != 0, mask, *in, *out, problem.wholeCells)
        .plan(true);
}

void pmrt_fft(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc, int32_t forward,
              uint32_t mask, const pmrt_array *in, const pmrt_array *out) {
  const FftProblem problem =
      wholeProblem(*ctx, loc, forward != 0, mask, *in, *out);
  Op op(*ctx, loc, forward ? "fft" : "ifft",
        (problem.bytesIn + problem.bytesOut) / ctx->transport->size());
  if (problem.bytesIn == 0 || problem.bytesOut == 0)
    return;
  if (ctx->alone())
    ctx->device->ffts().run(loc, problem, in->data, out->data);
  else
    Distributed(*ctx, loc, forward != 0, mask, *in, *out, problem.wholeCells)
        .run();
}
