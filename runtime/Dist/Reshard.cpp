//===- Reshard.cpp - From one layout to another ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Dist/Reshard.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"

using namespace pmrt;

Box ReshardPiece::of(Box box) const {
  if (count == 1 || box.sides.empty())
    return box;
  Shard &side = box.sides.front();
  const int64_t begin = side.extent * index / count,
                end = side.extent * (index + 1) / count;
  side = {side.offset + begin, end - begin};
  return box;
}

Messages pmrt::reshardMessages(const Mesh &mesh, int64_t size,
                               const Layout &from, const void *in,
                               const Layout &to, void *out,
                               const ReshardPiece &piece) {
  Messages messages;
  const Box have = from.box(mesh), want = to.box(mesh);
  const auto sent = [&](const Box &box) {
    return piece.ofSource ? piece.of(box) : box;
  };
  const auto taken = [&](const Box &box) {
    return piece.ofSource ? box : piece.of(box);
  };
  auto add = [&](std::vector<Message> &list, int peer, const void *data,
                 const Box &whole, const Box &part) {
    if (part.cells() > 0)
      list.push_back({peer, regionOf(data, size, whole, part)});
  };
  forPeers(mesh, from.axes(), [&](int peer, const auto &place) {
    add(messages.sends, peer, in, have,
        intersect(sent(have), taken(to.box(mesh, place))));
    add(messages.receives, peer, out, want,
        intersect(taken(want), sent(from.box(mesh, place))));
  });
  return messages;
}

static Messages checkedMessages(Context &ctx, pmrt_loc loc,
                                const pmrt_array *in, const pmrt_array *out) {
  ctx.shape(loc, *in); // checks dims and space
  ctx.shape(loc, *out);
  const Layout from = layoutOf(ctx, *in), to = layoutOf(ctx, *out);
  if (in->element != out->element || from.cells() != to.cells())
    throw ctx.failure(
        loc, fmt::format("internal error: reshard {} of {} to {} of {}",
                         shapeText(from.cells()),
                         elementName(pmrt_element(in->element)),
                         shapeText(to.cells()),
                         elementName(pmrt_element(out->element))));
  Messages messages =
      reshardMessages(ctx.mesh, elementSize(pmrt_element(in->element)), from,
                      in->data, to, out->data);
  messages.device = ctx.gpu();
  return messages;
}

pmrt_pending *pmrt_reshard_start(pmrt_context *ctx, pmrt_queue *queue,
                                 pmrt_loc loc, const pmrt_array *in,
                                 const pmrt_array *out) {
  Op op(*ctx, loc, "reshard");
  Messages messages = checkedMessages(*ctx, loc, in, out);
  op.addBytes(messages.bytesFrom(ctx->transport->rank()));
  auto pending = std::make_shared<pmrt_pending>();
  pending->name = "reshard";
  pending->exchange =
      ctx->transport->start(ctx->threads, queue, std::move(messages));
  return ctx->pending.emplace_back(std::move(pending)).get();
}

void pmrt_wait(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
               pmrt_pending *pending) {
  Op op(*ctx, loc, pending->name);
  pending->exchange->wait();
  std::erase_if(ctx->pending,
                [&](const auto &one) { return one.get() == pending; });
}

void pmrt_reshard(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                  const pmrt_array *in, const pmrt_array *out) {
  Op op(*ctx, loc, "reshard");
  Messages messages = checkedMessages(*ctx, loc, in, out);
  op.addBytes(messages.bytesFrom(ctx->transport->rank()));
  ctx->transport->start(ctx->threads, queue, std::move(messages))->wait();
}
