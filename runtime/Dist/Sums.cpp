//===- Sums.cpp - Reductions over ranks -----------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"

using namespace pmrt;

/// The axes of `axes` that the mesh has.
static uint32_t knownAxes(const Context &ctx, uint32_t axes) {
  return axes & uint32_t((uint64_t(1) << ctx.mesh.axes().size()) - 1);
}

template <typename T>
static void reduceScalars(pmrt_context *ctx, pmrt_loc loc, uint32_t axes,
                          pmrt_reduction kind, int64_t count, T *values) {
  const int64_t bytes = count * int64_t(sizeof(T));
  Op op(*ctx, loc, "all_reduce", ctx->alone() ? 0 : bytes);
  if (ctx->alone())
    return;
  // One group computes, and its bits are everybody's: copies stay copies.
  const uint32_t along = knownAxes(*ctx, axes);
  if (isFirstCopy(ctx->mesh, along))
    ctx->group(along).reduce(kind, count, values);
  ctx->world.broadcast(values, bytes);
}

void pmrt_all_reduce(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                     uint32_t axes, pmrt_reduction kind, int64_t count,
                     double *values) {
  reduceScalars(ctx, loc, axes, kind, count, values);
}

void pmrt_all_reduce_i64(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                         uint32_t axes, pmrt_reduction kind, int64_t count,
                         int64_t *values) {
  reduceScalars(ctx, loc, axes, kind, count, values);
}

/// Every rank of the group sums its part of the array, then all exchange the
/// parts: each byte travels twice, whatever the number of ranks.
static int64_t sumInPlace(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                          const Group &group, const pmrt_array &array) {
  const auto element = pmrt_element(array.element);
  const int64_t size = elementSize(element);
  const int64_t count = ctx->elements(loc, array);
  auto *data = static_cast<char *>(array.data);
  auto part = [&](int member) {
    return shardOf(count, 1, member, group.size());
  };
  auto region = [&](char *base, int64_t elements) {
    return Region{base, size, {elements}, {size}};
  };
  const Shard mine = part(group.index());
  Pages sum = ctx->borrow(loc, mine.extent * size, "the sum of a field");
  ctx->clear(sum, mine.extent * size);

  Messages partials;
  partials.device = ctx->device.get();
  partials.combine = Combine::Add;
  partials.element = element;
  Messages totals;
  totals.device = ctx->device.get();
  for (int member = 0; member < group.size(); ++member) {
    const int peer = group.ranks()[size_t(member)];
    const Shard theirs = part(member);
    char *place = data + theirs.offset * size;
    partials.sends.push_back({peer, region(place, theirs.extent)});
    partials.receives.push_back({peer, region(sum.data(), mine.extent)});
    totals.sends.push_back({peer, region(sum.data(), mine.extent)});
    totals.receives.push_back({peer, region(place, theirs.extent)});
  }
  const int self = ctx->transport->rank();
  const int64_t bytes = partials.bytesFrom(self) + totals.bytesFrom(self);
  ctx->transport->start(ctx->threads, queue, std::move(partials))->wait();
  ctx->transport->start(ctx->threads, queue, std::move(totals))->wait();
  ctx->giveBack(std::move(sum));
  return bytes;
}

/// Everybody adds up what it will own.
static int64_t sumScattered(pmrt_context *ctx, pmrt_queue *queue,
                            uint32_t along, const pmrt_array &in,
                            const pmrt_array &out) {
  const auto element = pmrt_element(in.element);
  const int64_t size = elementSize(element);
  const Layout from = layoutOf(*ctx, in), to = layoutOf(*ctx, out);
  const Box have = from.box(ctx->mesh), want = to.box(ctx->mesh);
  if (ctx->device)
    ctx->device->zero(out.data, want.cells() * size);
  else
    std::fill_n(static_cast<char *>(out.data), want.cells() * size, char(0));
  Messages messages;
  messages.device = ctx->device.get();
  messages.combine = Combine::Add;
  messages.element = element;
  forPeers(ctx->mesh, along | from.axes(), [&](int peer, const auto &place) {
    const Box send = intersect(have, to.box(ctx->mesh, place));
    const Box receive = intersect(want, from.box(ctx->mesh, place));
    if (send.cells() > 0)
      messages.sends.push_back({peer, regionOf(in.data, size, have, send)});
    if (receive.cells() > 0)
      messages.receives.push_back(
          {peer, regionOf(out.data, size, want, receive)});
  });
  const int64_t bytes = messages.bytesFrom(ctx->transport->rank());
  ctx->transport->start(ctx->threads, queue, std::move(messages))->wait();
  return bytes;
}

void pmrt_sum_field(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                    uint32_t axes, const pmrt_array *in,
                    const pmrt_array *out) {
  ctx->shape(loc, *in); // checks dims and space
  ctx->shape(loc, *out);
  const Layout from = layoutOf(*ctx, *in), to = layoutOf(*ctx, *out);
  const uint32_t along = knownAxes(*ctx, axes);
  if (in->element != out->element || from.cells() != to.cells() ||
      (from.axes() & along))
    throw ctx->failure(
        loc, fmt::format("internal error: the sum over axes {:#x} of {} of {}, "
                         "split by axes {:#x}, as {} of {}",
                         along, shapeText(from.cells()),
                         elementName(pmrt_element(in->element)), from.axes(),
                         shapeText(to.cells()),
                         elementName(pmrt_element(out->element))));
  const bool same = from == to;
  Op op(*ctx, loc, same ? "all_reduce" : "reduce_scatter");
  Group group = ctx->group(along);
  if (!same) {
    op.addBytes(sumScattered(ctx, queue, along, *in, *out));
    return;
  }
  if (in->data != out->data)
    pmrt_copy(ctx, queue, loc, in, out);
  if (group.size() > 1)
    op.addBytes(sumInPlace(ctx, queue, loc, group, *out));
}
