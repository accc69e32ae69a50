//===- Friends.cpp - Friends of friends over ranks ------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ranks divide the box into slabs with about equal numbers of points.
//
// 1. Each rank sends each of its points to the rank of the point's slab. That
//    rank sends copies of the point (ghosts) to the ranks of the slabs below it
//    that may contain friends of the point.
// 2. Each rank finds the groups of its points and ghosts.
// 3. For each ghost, the two ranks exchange the labels of the groups of the
//    ghost and of its original. Both groups get the lower label. This step is
//    repeated until no label changes. The number of rounds is at most about the
//    number of slabs that a group crosses.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"
#include "runtime/Particles/FriendGroups.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

using namespace pmrt;

namespace {

/// Temporary memory of the host. In a program for CPUs, the context provides
/// it, so that the memory limit includes it. In a program for GPUs, it is
/// allocated directly, because the context provides memory of the GPU.
class HostMemory {
public:
  HostMemory(Context &ctx, pmrt_loc loc, int64_t bytes) : ctx(ctx) {
    if (ctx.device->isHost())
      pages = ctx.borrow(loc, bytes, "friends of friends");
    else
      own.reset(new char[size_t(bytes)]);
  }
  ~HostMemory() {
    if (!own)
      ctx.giveBack(std::move(pages));
  }
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;

  char *data() const { return own ? own.get() : pages.data(); }
  template <typename T> T *as() const { return reinterpret_cast<T *>(data()); }

private:
  Context &ctx;
  Pages pages;
  std::unique_ptr<char[]> own;
};

/// The sum of `counts`, which has one count for each member of a group.
int64_t sumOf(const std::vector<int64_t> &counts) {
  return std::accumulate(counts.begin(), counts.end(), int64_t(0));
}
/// The index of each member's first item if the items of all members are stored
/// one after another.
std::vector<int64_t> startsOf(const std::vector<int64_t> &counts) {
  std::vector<int64_t> first(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), first.begin(), int64_t(0));
  return first;
}

/// The numbers of items that this rank sends to, and receives from, each member
/// of a group. Items are stored in the order of the members.
struct Parcels {
  std::vector<int64_t> sent, received; ///< one count for each member
};

/// The slabs of a box, one for each member of a group.
class Slabs {
public:
  /// Divides the box such that the numbers of points in the slabs are as equal
  /// as bins of coordinates allow.
  Slabs(Group &group, const FriendBox &box, const FriendPoint *points,
        int64_t count);

  size_t axis() const { return along; }
  size_t slabOf(const FriendPoint &point) const { return slabs[binOf(point)]; }
  /// Calls visit(slab, isLifted) for each slab that requires a ghost of this
  /// point: the slab is below the point, and may contain friends of it. If
  /// isLifted is true, this holds for the image of the point one period above.
  template <typename Visit>
  void forGhosts(const FriendPoint &point, const Visit &visit) const;

private:
  size_t binOf(const FriendPoint &point) const {
    if (width == 0)
      return 0;
    const double place = (point.at[along] - low) / width * double(slabs.size());
    return size_t(std::clamp<double>(place, 0, double(slabs.size() - 1)));
  }

  size_t along = 0; ///< the axis that the slabs divide
  double low = 0, width = 0, period = 0, reach = 0;
  std::vector<size_t> slabs;   ///< the slab of each bin
  std::vector<double> ends;    ///< the upper end of each slab
  std::vector<bool> hasPoints; ///< whether each slab has bins
};

/// Finds friends of friends over the ranks of a group.
class FriendSearch {
public:
  FriendSearch(Context &ctx, pmrt_loc loc, Op &op, const FriendBox &box,
               Group &group, const FriendPoint *points, int64_t count)
      : ctx(ctx), loc(loc), op(op), box(box), group(group),
        slabs(group, box, points, count), points(points), count(count) {}

  /// Stores the label of point i in labels[i].
  void run(int64_t *labels);

private:
  /// Points that were received, and what is necessary to send values back.
  struct Moved {
    std::unique_ptr<HostMemory> points;
    /// For each point that this rank sent, in the order of sending: its index
    /// on this rank.
    std::unique_ptr<HostMemory> origins;
    std::array<Parcels, 2> parcels; ///< of other points; of lifted points
    int64_t received() const {
      return sumOf(parcels[0].received) + sumOf(parcels[1].received);
    }
  };

  /// Sends points. `targets(point, visit)` calls visit(member, isLifted) for
  /// each member that gets the point. The value contains the first `kept`
  /// points of `from`, and then the points that were received.
  template <typename Targets>
  Moved move(const FriendPoint *from, int64_t number, int64_t kept,
             const Targets &targets);
  template <typename T>
  void exchange(const T *out, const std::vector<int64_t> &sent, T *in,
                const std::vector<int64_t> &received);
  void mergeLabels(const Moved &ghosts, const int64_t *groups, int64_t owned,
                   int64_t *labels);
  std::unique_ptr<HostMemory> take(int64_t bytes) {
    return std::make_unique<HostMemory>(ctx, loc, bytes);
  }

  Context &ctx;
  pmrt_loc loc;
  Op &op;
  const FriendBox &box;
  Group &group;
  const Slabs slabs;
  const FriendPoint *points;
  const int64_t count;
};

/// The coordinates of points.
class PointPositions : public FriendPositions {
public:
  explicit PointPositions(const FriendPoint *points) : points(points) {}

  void read(int64_t first, int64_t count, Block &to) const override {
    for (int64_t i = 0; i < count; ++i)
      for (size_t d = 0; d < to.size(); ++d)
        to[d][size_t(i)] = points[first + i].at[d];
  }

private:
  const FriendPoint *points;
};

std::array<bool, 3> periodicAxes(const FriendBox &box) {
  std::array<bool, 3> are;
  for (size_t d = 0; d < 3; ++d)
    are[d] = box.period[d] != FriendBox::open;
  return are;
}

} // namespace

Slabs::Slabs(Group &group, const FriendBox &box, const FriendPoint *points,
             int64_t count) {
  for (size_t d = 1; d < 3; ++d)
    if (box.high[d] - box.low[d] > box.high[along] - box.low[along])
      along = d;
  low = box.low[along];
  width = box.high[along] - low;
  period = box.period[along];
  // The reach is slightly more than the linking length, because coordinates are
  // rounded.
  reach = box.length * (1 + 1e-6) + 1e-12 * width;
  constexpr int64_t leastBins = 4096, binsOfMember = 64;
  const int64_t members = group.size();
  const int64_t bins = std::max(leastBins, binsOfMember * members);
  slabs.assign(size_t(bins), 0);
  std::vector<int64_t> counts(slabs.size(), 0);
  for (int64_t i = 0; i < count; ++i)
    ++counts[binOf(points[i])];
  group.reduce(PMRT_SUM, bins, counts.data());
  const int64_t all = std::max<int64_t>(1, sumOf(counts));
  ends.assign(size_t(members), low);
  hasPoints.assign(size_t(members), false);
  int64_t below = 0;
  for (size_t bin = 0; bin < counts.size(); ++bin) {
    const auto slab = size_t(std::min(members - 1, below * members / all));
    slabs[bin] = slab;
    hasPoints[slab] = true;
    ends[slab] = low + double(bin + 1) / double(bins) * width;
    below += counts[bin];
  }
  for (size_t slab = 1; slab < ends.size(); ++slab)
    ends[slab] = std::max(ends[slab], ends[slab - 1]);
}

template <typename Visit>
void Slabs::forGhosts(const FriendPoint &point, const Visit &visit) const {
  const auto down = [&](size_t from, double at, bool isLifted) {
    for (size_t above = from; above > 0; --above) {
      const size_t slab = above - 1;
      if (at > ends[slab] + reach)
        break;
      if (hasPoints[slab])
        visit(slab, isLifted);
    }
  };
  const double at = point.at[along];
  down(slabOf(point), at, false);
  if (period != FriendBox::open)
    down(ends.size(), at + period, true);
}

template <typename T>
void FriendSearch::exchange(const T *out, const std::vector<int64_t> &sent,
                            T *in, const std::vector<int64_t> &received) {
  Messages messages;
  const auto add = [](std::vector<Message> &list, int peer, const T *&data,
                      int64_t items) {
    if (items > 0)
      list.push_back({peer, Region::flat(data, items * int64_t(sizeof(T)))});
    data += items;
  };
  const T *to = in;
  for (size_t i = 0; i < group.ranks().size(); ++i) {
    add(messages.sends, group.ranks()[i], out, sent[i]);
    add(messages.receives, group.ranks()[i], to, received[i]);
  }
  op.addBytes(messages.bytesFrom(ctx.transport->rank()));
  ctx.transport->start(ctx.threads, nullptr, std::move(messages))->wait();
}

template <typename Targets>
FriendSearch::Moved FriendSearch::move(const FriendPoint *from, int64_t number,
                                       int64_t kept, const Targets &targets) {
  Moved moved;
  const auto members = size_t(group.size());
  const std::vector<int64_t> one(members, 1);
  for (Parcels &parcels : moved.parcels)
    parcels.sent.assign(members, 0);
  for (int64_t i = 0; i < number; ++i)
    targets(from[i], [&](size_t member, bool isLifted) {
      ++moved.parcels[isLifted].sent[member];
    });
  std::array<std::vector<int64_t>, 2> next;
  int64_t sent = 0;
  for (size_t kind : {0, 1}) {
    Parcels &parcels = moved.parcels[kind];
    next[kind] = startsOf(parcels.sent);
    for (int64_t &first : next[kind])
      first += sent;
    sent += sumOf(parcels.sent);
    parcels.received.resize(members);
    exchange(parcels.sent.data(), one, parcels.received.data(), one);
  }
  const auto packed = take(sent * int64_t(sizeof(FriendPoint)));
  moved.origins = take(sent * int64_t(sizeof(int64_t)));
  moved.points = take((kept + moved.received()) * int64_t(sizeof(FriendPoint)));
  for (int64_t i = 0; i < number; ++i)
    targets(from[i], [&](size_t member, bool isLifted) {
      const int64_t place = next[isLifted][member]++;
      packed->as<FriendPoint>()[place] = from[i];
      moved.origins->as<int64_t>()[place] = i;
    });
  const FriendPoint *out = packed->as<FriendPoint>();
  FriendPoint *in = std::copy_n(from, kept, moved.points->as<FriendPoint>());
  for (const Parcels &parcels : moved.parcels) {
    exchange(out, parcels.sent, in, parcels.received);
    out += sumOf(parcels.sent);
    in += sumOf(parcels.received);
  }
  return moved;
}

/// Gives the groups of each ghost and of its original the lower one of their
/// labels, until no label changes. groups[i]: the index of the group of point i
/// in `labels`.
void FriendSearch::mergeLabels(const Moved &ghosts, const int64_t *groups,
                               int64_t owned, int64_t *labels) {
  int64_t changes = 1;
  const auto lower = [&](int64_t one, int64_t label) {
    if (label >= labels[one])
      return;
    labels[one] = label;
    changes = 1;
  };
  while (changes) {
    changes = 0;
    const int64_t *original = ghosts.origins->as<int64_t>();
    const int64_t *ghost = groups + owned;
    for (const Parcels &parcels : ghosts.parcels) {
      const int64_t sent = sumOf(parcels.sent),
                    received = sumOf(parcels.received);
      std::vector<int64_t> ofOriginals(static_cast<size_t>(sent)),
          ofGhosts(static_cast<size_t>(received));
      for (int64_t i = 0; i < sent; ++i)
        ofOriginals[size_t(i)] = labels[groups[original[i]]];
      exchange(ofOriginals.data(), parcels.sent, ofGhosts.data(),
               parcels.received);
      for (int64_t i = 0; i < received; ++i)
        lower(ghost[i], ofGhosts[size_t(i)]);
      for (int64_t i = 0; i < received; ++i)
        ofGhosts[size_t(i)] = labels[ghost[i]];
      exchange(ofGhosts.data(), parcels.received, ofOriginals.data(),
               parcels.sent);
      for (int64_t i = 0; i < sent; ++i)
        lower(groups[original[i]], ofOriginals[size_t(i)]);
      original += sent;
      ghost += received;
    }
    group.reduce(PMRT_MAX, 1, &changes);
  }
}

void FriendSearch::run(int64_t *labels) {
  Moved home =
      move(points, count, 0, [&](const FriendPoint &point, const auto &visit) {
        visit(slabs.slabOf(point), false);
      });
  const int64_t owned = home.received();
  const Moved ghosts = move(home.points->as<FriendPoint>(), owned, owned,
                            [&](const FriendPoint &point, const auto &visit) {
                              slabs.forGhosts(point, visit);
                            });
  home.points.reset();
  const int64_t all = owned + ghosts.received();
  std::array<bool, 3> hasImages = periodicAxes(box);
  hasImages[slabs.axis()] = false;
  const auto groupMemory = take(all * int64_t(sizeof(int64_t)));
  const auto labelMemory = take(all * int64_t(sizeof(int64_t)));
  auto *groups = groupMemory->as<int64_t>();
  auto *least = labelMemory->as<int64_t>();
  const auto *grouped = ghosts.points->as<FriendPoint>();
  const PointPositions positions(grouped);
  FriendGroups found(ctx.threads, box, hasImages, positions, all, groups,
                     sumOf(ghosts.parcels[1].received), slabs.axis());
  const auto work = take(found.bytes());
  found.run(work->data());
  std::fill_n(least, all, std::numeric_limits<int64_t>::max());
  for (int64_t i = 0; i < all; ++i)
    least[groups[i]] = std::min(least[groups[i]], grouped[i].number);
  mergeLabels(ghosts, groups, owned, least);

  const auto back = take(owned * int64_t(sizeof(int64_t)));
  const auto come = take(count * int64_t(sizeof(int64_t)));
  for (int64_t i = 0; i < owned; ++i)
    back->as<int64_t>()[i] = least[groups[i]];
  const Parcels &parcels = home.parcels[0];
  exchange(back->as<int64_t>(), parcels.received, come->as<int64_t>(),
           parcels.sent);
  for (int64_t i = 0; i < count; ++i)
    labels[home.origins->as<int64_t>()[i]] = come->as<int64_t>()[i];
}

/// Finds the labels of all points if a single rank has them. In this case, the
/// number of a point is its index.
static void findAlone(Context &ctx, pmrt_loc loc, const FriendBox &box,
                      const FriendPositions &positions, int64_t count,
                      int64_t *labels) {
  FriendGroups groups(ctx.threads, box, periodicAxes(box), positions, count,
                      labels);
  const HostMemory work(ctx, loc, groups.bytes());
  groups.run(work.data());
}

namespace {

/// The positions of the elements of this rank, wrapped into the box.
template <typename T> class FieldPositions : public FriendPositions {
public:
  FieldPositions(const FriendBox &box, const std::vector<const void *> &data)
      : box(box) {
    for (size_t d = 0; d < data.size(); ++d)
      axes[d] = static_cast<const T *>(data[d]);
  }

  void read(int64_t first, int64_t count, Block &to) const override {
    for (size_t d = 0; d < axes.size(); ++d) {
      if (!axes[d]) {
        std::fill_n(to[d].begin(), count, 0.0);
        continue;
      }
      const T *from = axes[d] + first;
      const double period = box.period[d];
      int64_t inside = 0;
      for (int64_t i = 0; i < count; ++i) {
        const auto at = double(from[i]);
        to[d][size_t(i)] = at;
        inside += int64_t((at >= 0) & (at < period));
      }
      if (inside < count && period != FriendBox::open)
        for (int64_t i = 0; i < count; ++i)
          to[d][size_t(i)] = wrapped(to[d][size_t(i)], period);
    }
  }

private:
  static double wrapped(double at, double period) {
    at -= period * std::floor(at / period);
    return at < period ? at : 0; // rounding may give `period`
  }

  const FriendBox &box;
  std::array<const T *, 3> axes = {};
};

} // namespace

/// The index of the first element of this rank with a coordinate that is not
/// finite, or `count`.
template <typename T>
static int64_t firstBad(Threads &threads, const std::vector<const void *> &data,
                        int64_t count) {
  std::atomic<int64_t> found = count;
  threads.forRange(count, [&](int64_t from, int64_t to) {
    constexpr int64_t block = FriendPositions::blockSize;
    const auto isFinite = [](T x) {
      return std::abs(x) <= std::numeric_limits<T>::max();
    };
    int64_t first = to;
    for (const void *axis : data) {
      const T *at = static_cast<const T *>(axis);
      for (int64_t i = from; i < first; i += block) {
        const int64_t end = std::min(i + block, first);
        int finite = 0; // no branches, so that the compiler uses vectors
        for (int64_t k = i; k < end; ++k)
          finite += int(isFinite(at[k]));
        if (finite < end - i)
          first = std::find_if_not(at + i, at + end, isFinite) - at;
      }
    }
    for (int64_t lowest = found; first < to && first < lowest &&
                                 !found.compare_exchange_weak(lowest, first);) {
    }
  });
  return found;
}

/// Calls visit(first, size, coordinates) for blocks of points.
template <typename Visit>
static void forBlocks(const FriendPositions &positions, int64_t count,
                      const Visit &visit) {
  FriendPositions::Block at;
  for (int64_t first = 0; first < count;) {
    const int64_t size = std::min(FriendPositions::blockSize, count - first);
    positions.read(first, size, at);
    visit(first, size, at);
    first += size;
  }
}

void pmrt_friends(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc, int32_t axes,
                  const pmrt_array *const *positions, const double *numbers,
                  const pmrt_array *out) {
  const int64_t count = ctx->elements(loc, *out);
  const int64_t made = ctx->bytes(loc, *out);
  int64_t read = 0;
  for (int32_t d = 0; d < axes; ++d)
    read += ctx->bytes(loc, *positions[d]);
  Op op(*ctx, loc, "friends_of_friends", read + made);
  FriendBox box;
  box.length = numbers[0];
  const auto fail = [&](const std::string &text) {
    throw ctx->failure(loc, "[PM9101] friends_of_friends: " + text)
        .everywhere();
  };
  if (!(box.length > 0) || !std::isfinite(box.length))
    fail(fmt::format("the linking length is {:g}, expected a number above 0",
                     box.length));
  for (int32_t d = 0; d < axes; ++d) {
    const double side = numbers[1 + d];
    if (!(side >= 0) || !std::isfinite(side))
      fail(fmt::format("a side of the box is {:g}, expected a number above 0, "
                       "or 0 where positions are not periodic",
                       side));
    if (side > 0)
      box.period[size_t(d)] = side;
  }

  std::vector<std::vector<char>> copies(static_cast<size_t>(axes));
  std::vector<const void *> data;
  for (size_t d = 0; d < copies.size(); ++d)
    data.push_back(ctx->device->read(
        positions[d]->data, ctx->bytes(loc, *positions[d]), copies[d]));
  const bool isSingle = positions[0]->element == PMRT_F32;
  const int64_t bad = isSingle ? firstBad<float>(ctx->threads, data, count)
                               : firstBad<double>(ctx->threads, data, count);
  const Layout layout = layoutOf(*ctx, *out);
  const Runs runs(layout, ctx->mesh);
  ctx->agree(loc,
             bad == count
                 ? ""
                 : fmt::format("[PM9103] friends_of_friends: the position of "
                               "element {} is not finite",
                               runs.global(bad)));

  std::unique_ptr<FriendPositions> here;
  if (isSingle)
    here = std::make_unique<FieldPositions<float>>(box, data);
  else
    here = std::make_unique<FieldPositions<double>>(box, data);
  Group group = ctx->group(layout.axes());
  for (size_t d = 0; d < size_t(axes); ++d) {
    if (box.period[d] != FriendBox::open) {
      box.high[d] = box.period[d];
      continue;
    }
    constexpr double most = std::numeric_limits<double>::max();
    double low = most, high = -most;
    forBlocks(*here, count,
              [&](int64_t, int64_t size, const FriendPositions::Block &at) {
                const auto [least, largest] =
                    std::minmax_element(at[d].begin(), at[d].begin() + size);
                low = std::min(low, *least);
                high = std::max(high, *largest);
              });
    group.reduce(PMRT_MIN, 1, &low);
    group.reduce(PMRT_MAX, 1, &high);
    box.low[d] = low;
    box.high[d] = high;
  }
  if (!FriendGroups::hasCells(box))
    fail(fmt::format("the linking length {:g} is too short for positions from "
                     "{:g} to {:g}",
                     box.length, *std::ranges::min_element(box.low),
                     *std::ranges::max_element(box.high)));
  ctx->device->fill(out->data, made, [&](char *to) {
    auto *labels = reinterpret_cast<int64_t *>(to);
    if (group.size() == 1)
      return findAlone(*ctx, loc, box, *here, count, labels);
    const HostMemory memory(*ctx, loc, count * int64_t(sizeof(FriendPoint)));
    auto *points = memory.as<FriendPoint>();
    forBlocks(
        *here, count,
        [&](int64_t first, int64_t size, const FriendPositions::Block &at) {
          for (int64_t i = first; i < first + size; ++i) {
            const auto k = size_t(i - first);
            points[i] = {{at[0][k], at[1][k], at[2][k]}, runs.global(i)};
          }
        });
    FriendSearch(*ctx, loc, op, box, group, points, count).run(labels);
  });
}
