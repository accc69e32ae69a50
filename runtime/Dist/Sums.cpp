//===- Sums.cpp - Reductions over ranks -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Memory/Device.h"
#include "runtime/Base/Reduce.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Reshard.h"

#include <algorithm>

using namespace pmrt;

/// The axes of `axes` that the mesh has.
static uint32_t knownAxes(const Context &ctx, uint32_t axes) {
  return axes & uint32_t((uint64_t(1) << ctx.mesh.axes().size()) - 1);
}

void pmrt_all_reduce(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                     uint32_t axes, pmrt_reduction kind, int64_t count,
                     double *values) {
  const int64_t bytes = count * int64_t(sizeof(double));
  Op op(*ctx, loc, "all_reduce", ctx->alone() ? 0 : bytes);
  if (ctx->alone())
    return;
  // One group computes, and its bits are everybody's: copies stay copies.
  const uint32_t along = knownAxes(*ctx, axes);
  if (isFirstCopy(ctx->mesh, along))
    ctx->group(along).reduce(kind, count, values);
  ctx->world.broadcast(values, bytes);
}

namespace {

Combine combineOf(pmrt_reduction kind) {
  return kind == PMRT_SUM   ? Combine::Add
         : kind == PMRT_MIN ? Combine::Min
                            : Combine::Max;
}

template <typename T>
void fillNeutral(pmrt_reduction kind, char *data, int64_t count) {
  std::fill_n(reinterpret_cast<T *>(data), count, T(neutral(kind)));
}

/// What combines to the other operand.
void fillNeutral(pmrt_reduction kind, pmrt_element element, char *data,
                 int64_t count) {
  if (element == PMRT_F32)
    fillNeutral<float>(kind, data, count);
  else
    fillNeutral<double>(kind, data, count);
}

/// The same, wherever the context has its fields.
void fillNeutral(Context &ctx, pmrt_reduction kind, pmrt_element element,
                 void *data, int64_t count) {
  const int64_t bytes = count * elementSize(element);
  if (kind == PMRT_SUM)
    return ctx.device->zero(data, bytes);
  ctx.device->fill(data, bytes, [&](char *host) {
    fillNeutral(kind, element, host, count);
  });
}

/// Fields that are reduced over the ranks along `along`, in two exchanges: of
/// partial results, and, for those that everybody is to have, of whole ones.
class FieldReduction : public Exchange {
public:
  FieldReduction(pmrt_context *ctx, pmrt_queue *queue, uint32_t along,
                 pmrt_reduction kind, pmrt_element element)
      : ctx(ctx), queue(queue), along(along), kind(kind), element(element),
        size(elementSize(element)), group(ctx->group(along)) {
    partials.combine = combineOf(kind);
    partials.element = element;
    partials.device = totals.device = ctx->gpu();
  }

  bool isAlone() const { return group.size() == 1; }

  /// Everybody reduces what it will own.
  void scatter(const pmrt_array &in, const pmrt_array &out) {
    const Layout from = layoutOf(*ctx, in), to = layoutOf(*ctx, out);
    const Box have = from.box(ctx->mesh), want = to.box(ctx->mesh);
    fillNeutral(*ctx, kind, element, out.data, want.cells());
    forPeers(ctx->mesh, along | from.axes(), [&](int peer, const auto &place) {
      const Box send = intersect(have, to.box(ctx->mesh, place));
      const Box receive = intersect(want, from.box(ctx->mesh, place));
      if (send.cells() > 0)
        partials.sends.push_back({peer, regionOf(in.data, size, have, send)});
      if (receive.cells() > 0)
        partials.receives.push_back(
            {peer, regionOf(out.data, size, want, receive)});
    });
  }

  /// Every rank of the group reduces its part of the arrays, laid one behind
  /// the other, then all exchange the parts: each byte travels twice, whatever
  /// the number of ranks.
  void reduceInPlace(pmrt_loc loc, const std::vector<const pmrt_array *> &all) {
    everywhere = true;
    int64_t count = 0, most = 0;
    for (const pmrt_array *array : all) {
      count += ctx->elements(loc, *array);
      most += mostElements(*array);
    }
    const Shard mine = shardOf(count, 1, group.index(), group.size());
    whole = ctx->borrow(loc, (most + group.size() - 1) / group.size() * size,
                        "the reduction of fields", Loan::Reduction);
    fillNeutral(*ctx, kind, element, whole.data(), mine.extent);
    for (int member = 0; member < group.size(); ++member) {
      const int peer = group.ranks()[size_t(member)];
      const Shard theirs = shardOf(count, 1, member, group.size());
      int64_t first = 0;
      for (const pmrt_array *array : all) {
        const int64_t cells = ctx->elements(loc, *array);
        auto *data = static_cast<char *>(array->data);
        forOverlap(theirs, first, cells, [&](int64_t begin, int64_t extent) {
          const Region place = run(data + (begin - first) * size, extent);
          partials.sends.push_back({peer, place});
          totals.receives.push_back({peer, place});
        });
        forOverlap(mine, first, cells, [&](int64_t begin, int64_t extent) {
          const Region place =
              run(whole.data() + (begin - mine.offset) * size, extent);
          partials.receives.push_back({peer, place});
          totals.sends.push_back({peer, place});
        });
        first += cells;
      }
    }
  }

  /// The partial results leave. Bytes that are sent, in both exchanges.
  int64_t begin() {
    const int self = ctx->transport->rank();
    const int64_t bytes = partials.bytesFrom(self) + totals.bytesFrom(self);
    first = ctx->transport->start(ctx->threads, queue, std::move(partials));
    return bytes;
  }

  /// One step further: sums what has come and sends that on; gets the sums; and
  /// lets the memory go, when no rank reads it any more. A rank that calls this
  /// when it begins another reduction waits for what others have sent before
  /// they came there, not for them to come.
  void goOn() {
    switch (steps++) {
    case 0:
      first->receive();
      if (everywhere)
        second = ctx->transport->start(ctx->threads, queue, std::move(totals));
      return;
    case 1:
      if (second)
        second->receive();
      return;
    case 2:
      first->wait();
      if (second)
        second->wait();
      ctx->giveBack(std::move(whole), Loan::Reduction);
      return;
    default:
      return;
    }
  }

  void wait() override {
    while (steps < 3)
      goOn();
  }

private:
  /// The largest number of elements that a rank has of it.
  int64_t mostElements(const pmrt_array &array) const {
    int64_t product = 1;
    for (const Split &dim : layoutOf(*ctx, array).dims) {
      int64_t parts = 1, most = 0;
      for (int axis : dim.axes)
        parts *= ctx->mesh.axes()[size_t(axis)].extent;
      for (int64_t part = 0; part < parts; ++part)
        most =
            std::max(most, shardOf(dim.cells, dim.grain, part, parts).extent);
      product *= most;
    }
    return product;
  }

  Region run(char *base, int64_t elements) const {
    return Region{base, size, {elements}, {size}};
  }

  /// body(first, count) for what a shard has of [first, first + cells).
  template <typename Body>
  static void forOverlap(const Shard &shard, int64_t first, int64_t cells,
                         const Body &body) {
    const int64_t begin = std::max(shard.offset, first);
    const int64_t end = std::min(shard.offset + shard.extent, first + cells);
    if (begin < end)
      body(begin, end - begin);
  }

  pmrt_context *ctx;
  pmrt_queue *queue;
  uint32_t along;
  pmrt_reduction kind;
  pmrt_element element;
  int64_t size;
  Group group;
  Messages partials, totals;
  bool everywhere = false;
  int steps = 0;
  Pages whole; ///< this rank's part of what everybody is to have
  std::unique_ptr<Exchange> first, second; // go first: they use the memory
};

} // namespace

/// Whether the field keeps its layout; throws if it cannot be reduced.
static bool checkReduced(pmrt_context *ctx, pmrt_loc loc, uint32_t along,
                         pmrt_reduction kind, const pmrt_array &in,
                         const pmrt_array &out) {
  ctx->shape(loc, in); // checks dims and space
  ctx->shape(loc, out);
  const Layout from = layoutOf(*ctx, in), to = layoutOf(*ctx, out);
  const auto element = pmrt_element(in.element);
  const bool real = element == PMRT_F32 || element == PMRT_F64;
  if (in.element != out.element || from.cells() != to.cells() ||
      (from.axes() & along) || (kind != PMRT_SUM && !real))
    throw ctx->failure(
        loc,
        fmt::format("internal error: the reduction {} over axes {:#x} of {} of "
                    "{}, split by axes {:#x}, as {} of {}",
                    int(kind), along, shapeText(from.cells()),
                    elementName(element), from.axes(), shapeText(to.cells()),
                    elementName(pmrt_element(out.element))));
  return from == to;
}

/// Starts a reduction, and completes it unless it goes on as `isStarted`.
static std::shared_ptr<pmrt_pending>
reduce(bool isStarted, pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
       uint32_t axes, pmrt_reduction kind, int32_t count,
       const pmrt_array *const *in, const pmrt_array *const *out) {
  const uint32_t along = knownAxes(*ctx, axes);
  std::vector<bool> keeps;
  std::vector<const pmrt_array *> same;
  for (int32_t i = 0; i < count; ++i) {
    keeps.push_back(checkReduced(ctx, loc, along, kind, *in[i], *out[i]));
    if (keeps.back())
      same.push_back(out[i]);
  }
  auto pending = std::make_shared<pmrt_pending>();
  pending->name = same.empty() ? "reduce_scatter" : "all_reduce";
  Op op(*ctx, loc, pending->name);
  for (const auto &other : ctx->pending)
    other->goOn();
  auto made = std::make_unique<FieldReduction>(ctx, queue, along, kind,
                                               pmrt_element(in[0]->element));
  FieldReduction &reduction = *made;
  for (int32_t i = 0; i < count; ++i)
    if (!keeps[size_t(i)])
      reduction.scatter(*in[i], *out[i]);
    else if (in[i]->data != out[i]->data)
      pmrt_copy(ctx, queue, loc, in[i], out[i]);
  if (!same.empty() && !reduction.isAlone())
    reduction.reduceInPlace(loc, same);
  op.addBytes(reduction.begin());
  pending->exchange = std::move(made);
  pending->goOn = [&reduction] { reduction.goOn(); };
  if (!isStarted)
    reduction.wait();
  return pending;
}

void pmrt_reduce_fields(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                        uint32_t axes, pmrt_reduction kind, int32_t count,
                        const pmrt_array *const *in,
                        const pmrt_array *const *out) {
  (void)reduce(false, ctx, queue, loc, axes, kind, count, in, out);
}

pmrt_pending *pmrt_reduce_fields_start(pmrt_context *ctx, pmrt_queue *queue,
                                       pmrt_loc loc, uint32_t axes,
                                       pmrt_reduction kind, int32_t count,
                                       const pmrt_array *const *in,
                                       const pmrt_array *const *out) {
  return ctx->pending
      .emplace_back(reduce(true, ctx, queue, loc, axes, kind, count, in, out))
      .get();
}
