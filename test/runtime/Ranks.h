//===- Ranks.h - Tests on several ranks -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_RUNTIME_RANKS_H
#define PMC_TEST_RUNTIME_RANKS_H

#include "runtime/Comm/ThreadRanks.h"
#include "runtime/Dist/Layout.h"
#include "test/runtime/Support.h"

#include <mutex>

namespace pmrt::test {

using Extents = std::vector<int64_t>;

/// "2x3": the extents of axes named row, col, and so on.
inline std::vector<Axis> meshOf(const Extents &extents) {
  static const char *const names[] = {"row", "col", "dep"};
  std::vector<Axis> axes;
  for (size_t i = 0; i < extents.size(); ++i)
    axes.push_back({names[i], extents[i]});
  return axes;
}

inline int64_t ranksOf(const Extents &mesh) {
  int64_t product = 1;
  for (int64_t extent : mesh)
    product *= extent;
  return product;
}

/// Runs `body(context)` on every rank of a mesh, each a thread with a context
/// of its own. What the first failing rank throws is thrown here; the others
/// must then stop, too.
/// `wrap`: puts something around a rank's transport.
template <typename Body>
void onRanks(
    const Extents &mesh, const Descriptor &program, Settings settings,
    const Body &body,
    const std::function<std::shared_ptr<Transport>(std::shared_ptr<Transport>)>
        &wrap = {}) {
  settings.quiet = true;
  settings.progress = ProgressMode::Never;
  if (settings.threads == 0)
    settings.threads = 1;
  const int ranks = int(ranksOf(mesh));
  Hub hub(ranks);
  std::exception_ptr failure;
  std::mutex lock;
  runRanks(ranks, [&](int rank) {
    std::shared_ptr<Transport> transport =
        ranks == 1 ? makeSelfTransport() : hub.connect(rank);
    if (wrap)
      transport = wrap(transport);
    Exit code = Exit::Done;
    pmrt_context context(program, settings,
                         std::vector<LaunchValue>(program.params.size()),
                         std::vector<std::string>(program.inputs.size()),
                         meshOf(mesh), transport);
    try {
      body(context);
      context.world.barrier();
    } catch (const Stopped &e) {
      code = e.code();
    } catch (const std::exception &e) {
      code = Exit::Failure;
      std::lock_guard guard(lock);
      if (transport->fail(code, e.what()))
        failure = std::current_exception();
    }
    transport->leave(code);
  });
  if (failure)
    std::rethrow_exception(failure);
}

/// A descriptor with a dim for each layout of each extent: dims are looked up
/// by `dim`.
class Dims {
public:
  /// The index of a dim of that extent, kind and axes, made if need be.
  int32_t dim(int64_t extent, const std::vector<std::string> &axes,
              DimKind kind = DimKind::Space, int64_t refine = 1) {
    for (size_t i = 0; i < program.dims.size(); ++i) {
      const Dim &d = program.dims[i];
      if (d.extent == extent && d.axes == axes && d.kind == kind &&
          d.refine == refine)
        return int32_t(i);
    }
    program.dims.push_back(
        {fmt::format("d{}", program.dims.size()), extent, refine, kind, axes});
    return int32_t(program.dims.size()) - 1;
  }

  Descriptor program;
};

/// What a rank owns of a global array.
template <typename T>
std::vector<T> part(const Context &context, const std::vector<T> &whole,
                    const pmrt_array &array) {
  const Layout layout = layoutOf(context, array);
  const Box box = layout.box(context.mesh);
  std::vector<T> local(static_cast<size_t>(box.cells()));
  for (int64_t i = 0; i < box.cells(); ++i) {
    int64_t rest = i, index = 0, stride = 1;
    for (size_t d = box.sides.size(); d-- > 0;) {
      index += (rest % box.sides[d].extent + box.sides[d].offset) * stride;
      rest /= box.sides[d].extent;
      stride *= layout.dims[d].cells;
    }
    local[size_t(i)] = whole[size_t(index)];
  }
  return local;
}

inline pmrt_array arrayOver(void *data, pmrt_element element,
                            const std::vector<int32_t> &dims) {
  pmrt_array a = {};
  a.data = data;
  a.element = element;
  a.rank = int32_t(dims.size());
  std::copy(dims.begin(), dims.end(), a.dims);
  return a;
}

/// The ways to cut an array of `rank` dims along row and col: no axis, one or
/// both on every dim.
inline std::vector<std::vector<std::vector<std::string>>> layouts(size_t rank) {
  std::vector<std::vector<std::vector<std::string>>> all;
  for (size_t row = 0; row <= rank; ++row)
    for (size_t col = 0; col <= rank; ++col) {
      std::vector<std::vector<std::string>> cut(rank);
      if (row < rank)
        cut[row].push_back("row");
      if (col < rank)
        cut[col].push_back("col");
      all.push_back(cut);
      if (row == col && row < rank) {
        cut[row] = {"col", "row"};
        all.push_back(cut);
      }
    }
  return all;
}

} // namespace pmrt::test

#endif // PMC_TEST_RUNTIME_RANKS_H
