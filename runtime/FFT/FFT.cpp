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

#include <optional>
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
    input = in.data;
    output = out.data;
  }

  /// A transform of the descriptor, with arrays at these addresses.
  Distributed(Context &ctx, const Transform &transform, int64_t wholeCells,
              void *in, void *out)
      : ctx(ctx), loc(-1), forward(!transform.backward),
        single(transform.from == PMRT_F32 || transform.from == PMRT_C64),
        wholeCells(wholeCells), plans(ctx.device->ffts()),
        route(&FftRoutes::of(ctx).find(transform)), input(in), output(out) {}

  /// Makes the plans, on all ranks at once. `overwrite`: with the arrays' own
  /// memory.
  void plan(bool overwrite) {
    if (std::exchange(route->planned, true))
      return;
    for (size_t i = 0; i < stages(); ++i) {
      if (route->stages[i].mask == 0)
        continue;
      const int64_t count = route->piecesOf(i);
      for (int64_t k = 0; k < count; ++k) {
        const Step step = transformPiece(i, {k, count});
        plans.planTogether(loc, step.empty ? nullptr : &step.problem,
                           overwrite ? step.from : nullptr,
                           overwrite ? step.to : nullptr);
      }
    }
  }

  void run() { run(0, stages()); }

  /// Runs only some of the stages.
  void run(size_t begin, size_t end) {
    plan(false);
    for (size_t i = begin; i < end; ++i) {
      if (i + 1 < end && route->pairs[i]) {
        runPair(i);
        ++i;
      } else if (route->stages[i].mask == 0) {
        startTranspose(i, {})->wait();
      } else {
        runPiece(i, {});
      }
    }
  }

  struct Step {
    FftProblem problem;
    bool empty = false;
    void *from = nullptr, *to = nullptr;
  };

  size_t stages() const { return route->stages.size(); }
  /// A stage that transforms; nothing of one that transposes.
  std::optional<Step> transform(size_t i) const {
    const FftStage &stage = route->stages[i];
    if (stage.mask == 0)
      return std::nullopt;
    return transformPiece(i, {});
  }
  /// Where data lies before and after a stage.
  void *before(size_t i) const { return i == 0 ? input : after(i - 1); }
  void *after(size_t i) const {
    switch (route->places.after[i]) {
    case FftPlace::In:
      return input;
    case FftPlace::Out:
      return output;
    case FftPlace::WorkA:
      return FftRoutes::of(ctx).workA();
    case FftPlace::WorkB:
      return FftRoutes::of(ctx).workB();
    }
    return nullptr;
  }

private:
  pmrt_element element(bool real) const {
    if (real)
      return single ? PMRT_F32 : PMRT_F64;
    return single ? PMRT_C64 : PMRT_C128;
  }

  /// While the messages of one piece are sent, the next piece is transformed.
  void runPair(size_t i) {
    const bool sends = route->stages[i].mask != 0;
    std::vector<std::unique_ptr<Exchange>> underWay;
    for (int64_t k = 0; k < overlappedPieces; ++k) {
      const ReshardPiece piece{k, overlappedPieces, sends};
      if (sends)
        runPiece(i, piece);
      underWay.push_back(startTranspose(sends ? i + 1 : i, piece));
    }
    for (int64_t k = 0; k < overlappedPieces; ++k) {
      underWay[size_t(k)]->wait();
      if (!sends)
        runPiece(i + 1, {k, overlappedPieces, sends});
    }
  }

  void runPiece(size_t i, const ReshardPiece &piece) {
    const Step step = transformPiece(i, piece);
    if (!step.empty)
      plans.run(loc, step.problem, step.from, step.to);
  }

  /// One side of a piece of a transform.
  FftSide side(const Layout &layout, bool real, void *data,
               const ReshardPiece &piece) const {
    const Box whole = layout.box(ctx.mesh), part = piece.of(whole);
    int64_t offset = part.sides.front().offset - whole.sides.front().offset;
    for (size_t d = 1; d < whole.sides.size(); ++d)
      offset *= whole.sides[d].extent;
    return {element(real), part.shape(),
            static_cast<char *>(data) + offset * elementSize(element(real))};
  }

  Step transformPiece(size_t i, const ReshardPiece &piece) const {
    const FftStage &stage = route->stages[i];
    const FftSide in = side(stage.from, stage.realFrom, before(i), piece);
    const FftSide out = side(stage.to, stage.realTo, after(i), piece);
    Step step;
    step.from = in.data;
    step.to = out.data;
    step.empty = in.empty() || out.empty();
    if (!step.empty) {
      step.problem = fftProblem(ctx, loc, forward, stage.mask, in, out);
      step.problem.wholeCells = wholeCells;
    }
    return step;
  }

  std::unique_ptr<Exchange> startTranspose(size_t i,
                                           const ReshardPiece &piece) const {
    Op op(ctx, loc, "transpose");
    const FftStage &stage = route->stages[i];
    Messages messages =
        reshardMessages(ctx.mesh, elementSize(element(stage.realFrom)),
                        stage.from, before(i), stage.to, after(i), piece);
    messages.device = ctx.gpu();
    op.addBytes(messages.bytesFrom(ctx.transport->rank()));
    return ctx.transport->start(ctx.threads, nullptr, std::move(messages));
  }

  Context &ctx;
  pmrt_loc loc;
  bool forward, single = false;
  int64_t wholeCells;
  FftPlans &plans;
  FftRoute *route = nullptr;
  void *input, *output;
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

void pmrt::planTransforms(Context &context) {
  if (!context.gpu())
    return;
  // Nothing accesses the arrays while plans for GPUs are made.
  alignas(Placement::alignment) char places[2 * Placement::alignment];
  for (const Transform &transform : context.program.transforms) {
    auto array = [&](pmrt_element element, const std::vector<int32_t> &dims,
                     void *data) {
      pmrt_array made = context.withoutMemory(element, dims);
      made.data = data;
      return made;
    };
    void *const to =
        places + (transform.inPlace ? 0 : size_t(Placement::alignment));
    const FftProblem problem =
        wholeProblem(context, -1, !transform.backward, transform.mask,
                     array(transform.from, transform.in, places),
                     array(transform.to, transform.out, to));
    if (problem.bytesIn == 0 || problem.bytesOut == 0)
      continue;
    if (context.alone())
      context.device->ffts().plan(-1, problem, nullptr, nullptr);
    else
      Distributed(context, transform, problem.wholeCells, places, to)
          .plan(false);
  }
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

/// The whole array that a rank filters; 0 rows of an empty one.
static FftFilter filterOf(const Context &ctx, pmrt_loc loc,
                          pmrt_filter_body body, void *args,
                          const pmrt_array &spectrum) {
  const std::vector<int64_t> shape = ctx.shape(loc, spectrum);
  FftFilter filter{body, args, 1, shape.back(),
                   elementSize(pmrt_element(spectrum.element))};
  for (size_t d = 0; d + 1 < shape.size(); ++d)
    filter.rows *= shape[d];
  return filter;
}

/// A filter over ranks. The last stage of the one transform and the first stage
/// of the other one are local transforms, or transposes.
static void filterOverRanks(Context &ctx, pmrt_loc loc, Distributed &there,
                            Distributed &back, const FftFilter &filter,
                            void *spectrum) {
  const size_t last = there.stages() - 1;
  const auto forward = there.transform(last), backward = back.transform(0);
  if (!forward || !backward) {
    there.run();
    filterRows(ctx.threads, filter, spectrum);
    back.run();
    return;
  }
  there.run(0, last);
  if (!forward->empty && !backward->empty)
    ctx.device->ffts().filter(loc, ctx.threads, forward->problem,
                              backward->problem, filter, there.before(last),
                              spectrum, back.after(0));
  back.run(1, back.stages());
}

void pmrt_spectral_filter(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                          const char *name, pmrt_filter_body body, void *args,
                          uint32_t mask, const pmrt_array *in,
                          const pmrt_array *spectrum, const pmrt_array *out) {
  const FftProblem forward =
      wholeProblem(*ctx, loc, true, mask, *in, *spectrum);
  const FftProblem backward =
      wholeProblem(*ctx, loc, false, mask, *spectrum, *out);
  Op op(*ctx, loc, name,
        (forward.bytesIn + 2 * forward.bytesOut + backward.bytesOut) /
            ctx->transport->size());
  if (forward.bytesIn == 0 || forward.bytesOut == 0)
    return;
  const FftFilter filter = filterOf(*ctx, loc, body, args, *spectrum);
  if (ctx->alone())
    return ctx->device->ffts().filter(loc, ctx->threads, forward, backward,
                                      filter, in->data, spectrum->data,
                                      out->data);
  Distributed there(*ctx, loc, true, mask, *in, *spectrum, forward.wholeCells);
  Distributed back(*ctx, loc, false, mask, *spectrum, *out,
                   backward.wholeCells);
  there.plan(false);
  back.plan(false);
  filterOverRanks(*ctx, loc, there, back, filter, spectrum->data);
}
