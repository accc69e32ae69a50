//===- Layout.cpp - Which rank owns what of an array ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Dist/Layout.h"

#include <algorithm>

using namespace pmrt;

int64_t Box::cells() const {
  int64_t product = 1;
  for (const Shard &side : sides)
    product *= side.extent;
  return product;
}

std::vector<int64_t> Box::shape() const {
  std::vector<int64_t> extents;
  for (const Shard &side : sides)
    extents.push_back(side.extent);
  return extents;
}

Box pmrt::intersect(const Box &a, const Box &b) {
  Box common;
  for (size_t d = 0; d < a.sides.size(); ++d) {
    const Shard &x = a.sides[d], &y = b.sides[d];
    const int64_t begin = std::max(x.offset, y.offset);
    const int64_t end = std::min(x.offset + x.extent, y.offset + y.extent);
    common.sides.push_back({begin, std::max<int64_t>(0, end - begin)});
  }
  return common;
}

Box Layout::box(const Mesh &mesh, const std::vector<int64_t> &place) const {
  Box owned;
  for (const Split &dim : dims) {
    int64_t index = 0, parts = 1;
    for (int axis : dim.axes) {
      const int64_t extent = mesh.axes()[size_t(axis)].extent;
      index = index * extent + place[size_t(axis)];
      parts *= extent;
    }
    owned.sides.push_back(shardOf(dim.cells, dim.grain, index, parts));
  }
  return owned;
}

Box Layout::box(const Mesh &mesh) const {
  return box(mesh, mesh.coordinates(mesh.rank()));
}

std::vector<int64_t> Layout::cells() const {
  std::vector<int64_t> all;
  for (const Split &dim : dims)
    all.push_back(dim.cells);
  return all;
}

uint32_t Layout::axes() const {
  uint32_t bits = 0;
  for (const Split &dim : dims)
    for (int axis : dim.axes)
      bits |= 1u << axis;
  return bits;
}

Split pmrt::splitOf(const Mesh &mesh, const Dim &dim) {
  Split split{dim.stored(), shardGrain(dim), mesh.axesOf(dim)};
  std::erase_if(split.axes, [&](int axis) {
    return mesh.axes()[size_t(axis)].extent == 1;
  });
  return split;
}

Layout pmrt::layoutOf(const Context &context, const pmrt_array &array) {
  Layout layout;
  for (int32_t d = 0; d < array.rank; ++d)
    layout.dims.push_back(
        splitOf(context.mesh, context.program.dims[size_t(array.dims[d])]));
  return layout;
}

void pmrt::forPeers(
    const Mesh &mesh, uint32_t axes,
    const std::function<void(int, const std::vector<int64_t> &)> &visit) {
  std::vector<int64_t> place = mesh.coordinates(mesh.rank());
  for (size_t i = 0; i < place.size(); ++i)
    if (axes >> i & 1)
      place[i] = 0;
  for (;;) {
    visit(int(mesh.rankAt(place)), place);
    size_t i = place.size();
    bool next = false;
    while (!next && i-- > 0) {
      if (!(axes >> i & 1))
        continue;
      next = ++place[i] < mesh.axes()[i].extent;
      if (!next)
        place[i] = 0;
    }
    if (!next)
      return;
  }
}

Region pmrt::regionOf(const void *data, int64_t size, const Box &whole,
                      const Box &part) {
  Region region;
  region.size = size;
  region.counts.resize(whole.sides.size());
  region.strides.resize(whole.sides.size());
  int64_t stride = size, offset = 0;
  for (size_t d = whole.sides.size(); d-- > 0;) {
    region.counts[d] = part.sides[d].extent;
    region.strides[d] = stride;
    offset += (part.sides[d].offset - whole.sides[d].offset) * stride;
    stride *= whole.sides[d].extent;
  }
  // Only receivers write through it.
  region.base = const_cast<char *>(static_cast<const char *>(data)) + offset;
  return region;
}

bool pmrt::isFirstCopy(const Mesh &mesh, uint32_t axes) {
  const std::vector<int64_t> place = mesh.coordinates(mesh.rank());
  for (size_t i = 0; i < place.size(); ++i)
    if (!(axes >> i & 1) && place[i] != 0)
      return false;
  return true;
}

Runs::Runs(const Layout &layout, const Mesh &mesh)
    : box(layout.box(mesh)), cells(layout.cells()) {
  const int64_t all = box.cells();
  for (size_t d = cells.size(); d-- > 0;) {
    each *= box.sides[d].extent;
    if (box.sides[d].extent != cells[d])
      break;
  }
  number = all ? all / each : 0;
}

int64_t Runs::start(int64_t run) const {
  int64_t rest = run * each, index = 0, stride = 1;
  for (size_t d = cells.size(); d-- > 0;) {
    index += (rest % box.sides[d].extent + box.sides[d].offset) * stride;
    rest /= box.sides[d].extent;
    stride *= cells[d];
  }
  return index;
}

std::vector<char> pmrt::gatherToFirst(Context &context,
                                      const pmrt_array &array) {
  const int64_t size = elementSize(pmrt_element(array.element));
  const Layout layout = layoutOf(context, array);
  const Box mine = layout.box(context.mesh);
  Box whole;
  for (int64_t extent : layout.cells())
    whole.sides.push_back({0, extent});
  const bool first = context.transport->rank() == 0;
  std::vector<char> data(first ? size_t(whole.cells() * size) : 0);
  std::vector<char> local; // files and pictures are the host's
  Messages messages;
  if (isFirstCopy(context.mesh, layout.axes()) && mine.cells() > 0) {
    const void *here =
        context.device->read(array.data, mine.cells() * size, local);
    messages.sends.push_back({0, regionOf(here, size, mine, mine)});
  }
  if (first)
    forPeers(context.mesh, layout.axes(), [&](int peer, const auto &place) {
      const Box theirs = layout.box(context.mesh, place);
      if (theirs.cells() > 0)
        messages.receives.push_back(
            {peer, regionOf(data.data(), size, whole, theirs)});
    });
  context.transport->start(context.threads, nullptr, std::move(messages))
      ->wait();
  return data;
}
