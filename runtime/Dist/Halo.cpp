//===- Halo.cpp - Views beyond what a rank owns ---------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Dist/Halo.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/HaloRows.h"
#include "runtime/Dist/HaloShape.h"

#include <algorithm>
#include <cmath>

using namespace pmrt;

namespace {

/// A view and what belongs to it.
struct HaloView : pmrt_halo {
  HaloView(const pmrt_array &mesh, Layout layout, HaloShape shape,
           std::vector<int64_t> lo, std::vector<int64_t> hi)
      : pmrt_halo(), mesh(mesh), layout(std::move(layout)),
        shape(std::move(shape)), lo(std::move(lo)), hi(std::move(hi)) {}

  pmrt_array mesh;
  Layout layout;
  HaloShape shape;
  std::vector<int64_t> lo, hi;
  Pages side;
  std::vector<void *> table;
  Pages deviceTable;
  std::unique_ptr<Exchange> exchange;

  int64_t elementBytes() const {
    return elementSize(pmrt_element(mesh.element));
  }

  /// visit(peer, piece, mine): the boxes of this rank's view that a peer owns,
  /// and then, not `mine`, the boxes of the peer's view that this rank owns.
  template <typename Visit>
  void forPieces(const Mesh &ranks, const Visit &visit) const {
    forPeers(ranks, layout.axes(), [&](int peer, const auto &place) {
      if (peer == ranks.rank() && !shape.dense())
        return; // in place
      const Box theirs = layout.box(ranks, place);
      for (const HaloPiece &piece : shape.pieces(theirs))
        visit(peer, piece, true);
      const HaloShape other(theirs, layout.cells(), lo, hi);
      for (const HaloPiece &piece : other.pieces(shape.own()))
        visit(peer, piece, false);
    });
  }

  Region viewRegion(const HaloPiece &piece) {
    return shape.region(mesh.data, side.data(), elementBytes(), piece.inView);
  }
  Region meshRegion(const HaloPiece &piece) const {
    return regionOf(mesh.data, elementBytes(), shape.own(), piece.inMesh);
  }

  Messages messages(const Context &ctx, bool reduce) {
    const Mesh &ranks = ctx.mesh;
    Messages all;
    all.device = ctx.gpu();
    all.combine = reduce ? Combine::Add : Combine::Replace;
    all.element = pmrt_element(mesh.element);
    forPieces(ranks, [&](int peer, const HaloPiece &piece, bool mine) {
      if (mine)
        (reduce ? all.sends : all.receives)
            .push_back({peer, viewRegion(piece)});
      else
        (reduce ? all.receives : all.sends)
            .push_back({peer, meshRegion(piece)});
    });
    return all;
  }

  int64_t sideBytes() const { return shape.sideCells() * elementBytes(); }
  size_t tableRows() const {
    return pmrt_halo::rank > 1 ? size_t(stride[0] * extent[0]) : 1;
  }
  HaloRows rowTable() const;
  void describe();
};

} // namespace

void HaloView::describe() {
  const size_t dims = shape.view().sides.size();
  pmrt_halo::rank = int32_t(dims);
  int64_t count = 1;
  for (size_t d = dims; d-- > 0;) {
    origin[d] = shape.view().sides[d].offset;
    extent[d] = shape.view().sides[d].extent;
    cells[d] = layout.dims[d].cells;
    if (d + 1 < dims) {
      stride[d] = count;
      count *= extent[d];
    }
  }
  whole = layout.axes() == 0;
  // Generated code finds own rows by the length of the whole dim.
  bool planes = !whole && !shape.dense() && dims > 1 &&
                extent[dims - 1] == cells[dims - 1];
  for (size_t d = 1; d < dims; ++d)
    planes = planes && extent[d] == shape.own().sides[d].extent;
  if (planes) {
    own_begin = shape.below(0) * stride[0];
    own_end = own_begin + shape.own().sides[0].extent * stride[0];
  }
}

HaloRows HaloView::rowTable() const {
  HaloRows made = {};
  made.outer = int32_t(shape.view().sides.size()) - 1;
  made.mesh = static_cast<char *>(mesh.data);
  made.side = side.data();
  made.isCopy = shape.dense();
  made.rowBytes = elementBytes() * shape.view().sides.back().extent;
  for (int32_t d = 0; d < made.outer; ++d) {
    made.extent[d] = shape.view().sides[size_t(d)].extent;
    made.below[d] = shape.below(size_t(d));
    made.own[d] = shape.own().sides[size_t(d)].extent;
  }
  return made;
}

/// A view without memory.
static std::shared_ptr<HaloView> makeView(const Context &ctx, pmrt_loc loc,
                                          const pmrt_array &mesh,
                                          const int64_t *lo,
                                          const int64_t *hi) {
  ctx.shape(loc, mesh); // checks dims and space
  Layout layout = layoutOf(ctx, mesh);
  std::vector<int64_t> below, above;
  for (size_t d = 0; d < layout.dims.size(); ++d) {
    const bool split = !layout.dims[d].axes.empty();
    if (lo[d] < 0 || hi[d] < 0)
      throw ctx.failure(
          loc, fmt::format("internal error: a halo of {} cells below and {} "
                           "above along dim {}",
                           lo[d], hi[d], d));
    below.push_back(split ? lo[d] : 0);
    above.push_back(split ? hi[d] : 0);
  }
  HaloShape shape(layout.box(ctx.mesh), layout.cells(), below, above);
  auto view =
      std::make_shared<HaloView>(mesh, std::move(layout), std::move(shape),
                                 std::move(below), std::move(above));
  view->describe();
  return view;
}

/// Opens a view; `name` is for the profile.
static HaloView &openView(Context &ctx, pmrt_loc loc, const pmrt_array &mesh,
                          const int64_t *lo, const int64_t *hi) {
  std::shared_ptr<HaloView> view = makeView(ctx, loc, mesh, lo, hi);
  if (!view->whole) {
    view->side =
        ctx.borrow(loc, view->sideBytes(),
                   fmt::format("a halo of {} cells below and {} above",
                               shapeText(view->lo), shapeText(view->hi))
                       .c_str());
    const auto bytes = int64_t(view->tableRows() * sizeof(void *));
    if (ctx.gpu())
      view->deviceTable = ctx.borrow(loc, bytes, "the rows of a halo");
    else
      view->table.resize(view->tableRows());
    view->rows = ctx.gpu() ? reinterpret_cast<void **>(view->deviceTable.data())
                           : view->table.data();
    ctx.device->fillRows(view->rowTable(), view->rows);
  }
  ctx.halos.push_back(view);
  return *view;
}

HaloNeeds pmrt::haloNeeds(const Context &context, pmrt_element element,
                          const std::vector<int32_t> &dims, const int64_t *lo,
                          const int64_t *hi) {
  static char place; // nothing accesses the cells
  pmrt_array mesh = context.withoutMemory(element, dims);
  mesh.data = &place;
  const std::shared_ptr<HaloView> view = makeView(context, -1, mesh, lo, hi);
  HaloNeeds needs;
  if (view->whole)
    return needs;
  needs.side = view->sideBytes();
  needs.rows = int64_t(view->tableRows() * sizeof(void *));
  needs.exchange = view->messages(context, false);
  needs.reduce = view->messages(context, true);
  return needs;
}

static pmrt_halo *startExchange(Context &ctx, pmrt_queue *queue, Op &op,
                                pmrt_loc loc, const pmrt_array &mesh,
                                const int64_t *lo, const int64_t *hi) {
  HaloView &view = openView(ctx, loc, mesh, lo, hi);
  if (view.whole)
    return &view;
  Messages messages = view.messages(ctx, false);
  op.addBytes(messages.bytesFrom(ctx.transport->rank()));
  view.exchange = ctx.transport->start(ctx.threads, queue, std::move(messages));
  return &view;
}

//===----------------------------------------------------------------------===//
// ABI
//===----------------------------------------------------------------------===//

void pmrt_displacement_bound(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                             const pmrt_array *mesh, const double *lowest,
                             const double *highest, int32_t support,
                             int64_t *lo, int64_t *hi) {
  Op op(*ctx, loc, "displacement_bound");
  const Layout layout = layoutOf(*ctx, *mesh);
  const Box own = layout.box(ctx->mesh);
  const size_t rank = layout.dims.size();
  // Widths below and above, and whether something is not finite.
  std::vector<int64_t> widths(2 * rank + 1, 0);
  for (size_t d = 0; d < rank; ++d) {
    const Shard &side = own.sides[d];
    const double most = double(layout.dims[d].cells);
    const bool none = lowest[d] > highest[d];
    if (!none && !(std::isfinite(lowest[d]) && std::isfinite(highest[d])))
      widths[2 * rank] = 1;
    if (std::isnan(lowest[d]) || std::isnan(highest[d]))
      widths[2 * rank] = 1;
    if (none || widths[2 * rank] || layout.dims[d].axes.empty())
      continue;
    const double below = double(side.offset) - lowest[d];
    const double above =
        highest[d] + support - double(side.offset + side.extent);
    widths[d] = int64_t(std::clamp(below, 0.0, most));
    widths[rank + d] = int64_t(std::clamp(above, 0.0, most));
  }
  ctx->world.reduce(PMRT_MAX, int64_t(widths.size()), widths.data());
  if (widths[2 * rank])
    throw ctx->failure(loc, "[PM9103] position is not finite, or too large")
        .everywhere();
  ctx->widestHalo = std::max(ctx->widestHalo,
                             *std::max_element(widths.begin(), widths.end()));
  std::copy_n(widths.begin(), rank, lo);
  std::copy_n(widths.begin() + ptrdiff_t(rank), rank, hi);
}

int64_t pmrt_margin(pmrt_context *ctx, int32_t dim, int64_t blocks,
                    int64_t meeting, int64_t apart) {
  const int64_t parts = ctx->mesh.parts(ctx->program.dims.at(size_t(dim)));
  return blocks % parts == 0 ? meeting : apart;
}

pmrt_halo *pmrt_halo_exchange_start(pmrt_context *ctx, pmrt_queue *queue,
                                    pmrt_loc loc, const pmrt_array *mesh,
                                    const int64_t *lo, const int64_t *hi) {
  Op op(*ctx, loc, "halo_exchange");
  return startExchange(*ctx, queue, op, loc, *mesh, lo, hi);
}

void pmrt_halo_wait(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                    pmrt_halo *halo) {
  Op op(*ctx, loc, "halo_exchange");
  auto &view = *static_cast<HaloView *>(halo);
  if (view.exchange)
    view.exchange->wait();
  view.exchange.reset();
}

pmrt_halo *pmrt_halo_exchange(pmrt_context *ctx, pmrt_queue *queue,
                              pmrt_loc loc, const pmrt_array *mesh,
                              const int64_t *lo, const int64_t *hi) {
  Op op(*ctx, loc, "halo_exchange");
  pmrt_halo *halo = startExchange(*ctx, queue, op, loc, *mesh, lo, hi);
  auto &view = *static_cast<HaloView *>(halo);
  if (view.exchange)
    view.exchange->wait();
  view.exchange.reset();
  return halo;
}

pmrt_halo *pmrt_halo_open(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                          const pmrt_array *mesh, const int64_t *lo,
                          const int64_t *hi) {
  Op op(*ctx, loc, "halo_open");
  HaloView &view = openView(*ctx, loc, *mesh, lo, hi);
  // Memory that was lent before is not zero any more.
  const int64_t bytes =
      view.side.data() ? view.shape.sideCells() * view.elementBytes() : 0;
  ctx->clear(view.side, bytes);
  return &view;
}

void pmrt_halo_reduce(pmrt_context *ctx, pmrt_queue *queue, pmrt_loc loc,
                      pmrt_halo *halo) {
  Op op(*ctx, loc, "halo_reduce");
  auto &view = *static_cast<HaloView *>(halo);
  if (!view.whole) {
    Messages messages = view.messages(*ctx, true);
    op.addBytes(messages.bytesFrom(ctx->transport->rank()));
    ctx->transport->start(ctx->threads, queue, std::move(messages))->wait();
  }
  pmrt_halo_close(ctx, loc, halo);
}

void pmrt_halo_close(pmrt_context *ctx, pmrt_loc, pmrt_halo *halo) {
  auto &view = *static_cast<HaloView *>(halo);
  ctx->giveBack(std::move(view.side));
  ctx->giveBack(std::move(view.deviceTable));
  std::erase_if(ctx->halos, [&](const auto &one) { return one.get() == halo; });
}
