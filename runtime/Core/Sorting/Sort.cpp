//===- Sort.cpp - Fields sorted along a dim -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every line of a field along the dim is sorted on its own: long lines one
// after the other, by all threads, and the others in parallel. Lines that are
// not dense are copied a few at a time, because their elements share cache
// lines. A GPU's fields are sorted on the host.
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Op.h"
#include "runtime/Core/Sorting/RadixSort.h"

#include <memory>

using namespace pmrt;

namespace {

/// The lines of an array: element i of line (o, k) is (o * cells + i) * inner +
/// k.
struct Lines {
  int64_t outer = 1, cells = 1, inner = 1;

  int64_t place(int64_t o, int64_t i, int64_t k) const {
    return (o * cells + i) * inner + k;
  }
};

/// One call of the runtime, with its fields on the host.
struct Sorting {
  Context &context;
  pmrt_loc loc;
  Lines lines;
  pmrt_sort_kind kind;
  bool descending;
  pmrt_element element;
  const void *in;
  pmrt_element keyElement; ///< of `within`
  const void *within;      ///< null: there is none

  void run(void *out);

private:
  template <typename T> void sortValues(T *out);
  void sortEntries(int64_t *out);
  template <typename Item, typename Load, typename Sort>
  void forLines(const Load &load, const Sort &sort);
};

/// Lines of at least so many elements are sorted by all threads.
constexpr int64_t longLine = 1 << 17;
/// Lines that are copied at a time.
constexpr int64_t together = 8;

} // namespace

static void forRange(Threads *threads, int64_t count, const auto &body) {
  if (threads)
    threads->forRange(count, body);
  else
    body(int64_t(0), count);
}

/// 0 and -0 are one value.
static uint64_t keyAt(pmrt_element element, const void *data, int64_t place,
                      bool descending) {
  switch (element) {
  case PMRT_F32:
    return SortKey<double>::of(
        double(static_cast<const float *>(data)[place]) + 0.0, descending);
  case PMRT_F64:
    return SortKey<double>::of(static_cast<const double *>(data)[place] + 0.0,
                               descending);
  default:
    return SortKey<int64_t>::of(static_cast<const int64_t *>(data)[place],
                                descending);
  }
}

/// load(place, i) makes the item of an element. sort(items, spare, o, k,
/// threads) takes those of one line, and memory for as many.
template <typename Item, typename Load, typename Sort>
void Sorting::forLines(const Load &load, const Sort &sort) {
  Threads &threads = context.threads;
  const int64_t tile = std::min(together, lines.inner);
  const int64_t tiles = (lines.inner + tile - 1) / tile;
  const int64_t jobs = lines.outer * tiles;
  const bool isLong = lines.cells >= longLine;
  const int64_t parts =
      isLong ? 1 : std::min<int64_t>(jobs, int64_t(threads.count()));
  const int64_t each = (tile + 1) * lines.cells;
  const auto bytes = parts * each * int64_t(sizeof(Item));
  // A GPU's context lends the memory of the GPU.
  std::unique_ptr<char[]> own;
  Pages pages;
  if (context.device->isHost())
    pages = context.borrow(loc, bytes, "a sort");
  else
    own.reset(new char[size_t(bytes)]);
  auto *memory = reinterpret_cast<Item *>(own ? own.get() : pages.data());
  const auto work = [&](int64_t part) {
    Threads *helpers = isLong ? &threads : nullptr;
    Item *items = memory + part * each;
    for (int64_t job = part * jobs / parts; job < (part + 1) * jobs / parts;
         ++job) {
      const int64_t o = job / tiles, first = job % tiles * tile;
      const int64_t count = std::min(tile, lines.inner - first);
      forRange(helpers, lines.cells, [&](int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i)
          for (int64_t t = 0; t < count; ++t)
            items[t * lines.cells + i] = load(lines.place(o, i, first + t), i);
      });
      for (int64_t t = 0; t < count; ++t)
        sort(items + t * lines.cells, items + tile * lines.cells, o, first + t,
             helpers);
    }
  };
  if (parts == 1)
    work(0);
  else
    threads.team(parts, work);
  if (!own)
    context.giveBack(std::move(pages));
}

template <typename T> void Sorting::sortValues(T *out) {
  using Key = SortKey<T>::Key;
  const auto *values = static_cast<const T *>(in);
  forLines<Key>(
      [&](int64_t place, int64_t) {
        return SortKey<T>::of(values[place], descending);
      },
      [&](Key *keys, Key *spare, int64_t o, int64_t k, Threads *helpers) {
        const Key *sorted = radixSort(helpers, keys, spare, lines.cells);
        forRange(helpers, lines.cells, [&](int64_t from, int64_t to) {
          for (int64_t i = from; i < to; ++i)
            out[lines.place(o, i, k)] =
                SortKey<T>::value(sorted[i], descending);
        });
      });
}

void Sorting::sortEntries(int64_t *out) {
  forLines<SortEntry>(
      [&](int64_t place, int64_t i) {
        return SortEntry{keyAt(element, in, place, descending), i};
      },
      [&](SortEntry *entries, SortEntry *spare, int64_t o, int64_t k,
          Threads *helpers) {
        SortEntry *sorted = radixSort(helpers, entries, spare, lines.cells);
        if (within) {
          forRange(helpers, lines.cells, [&](int64_t from, int64_t to) {
            for (int64_t i = from; i < to; ++i)
              sorted[i].key = keyAt(keyElement, within,
                                    lines.place(o, sorted[i].place, k), false);
          });
          sorted = radixSort(helpers, sorted,
                             sorted == entries ? spare : entries, lines.cells);
        }
        int64_t first = 0; // of those with the same key of `within`
        for (int64_t i = 0; i < lines.cells; ++i) {
          if (kind == PMRT_SORT_ORDER) {
            out[lines.place(o, i, k)] = sorted[i].place;
            continue;
          }
          if (within && sorted[i].key != sorted[first].key)
            first = i;
          out[lines.place(o, sorted[i].place, k)] = i - first;
        }
      });
}

void Sorting::run(void *out) {
  if (kind != PMRT_SORT_VALUES)
    sortEntries(static_cast<int64_t *>(out));
  else if (element == PMRT_F32)
    sortValues(static_cast<float *>(out));
  else if (element == PMRT_F64)
    sortValues(static_cast<double *>(out));
  else
    sortValues(static_cast<int64_t *>(out));
}

void pmrt_sort(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
               const pmrt_array *in, const pmrt_array *within,
               const pmrt_array *out, int32_t dim, pmrt_sort_kind kind,
               int32_t descending) {
  const std::vector<int64_t> shape = ctx->shape(loc, *in);
  Lines lines;
  for (size_t d = 0; d < shape.size(); ++d)
    (d < size_t(dim)   ? lines.outer
     : d > size_t(dim) ? lines.inner
                       : lines.cells) *= shape[d];
  for (const pmrt_array *array : {in, within})
    if (array && array->element != PMRT_F32 && array->element != PMRT_F64 &&
        array->element != PMRT_I64)
      throw ctx->failure(
          loc, fmt::format("internal error: a sort of {}",
                           elementName(pmrt_element(array->element))));
  const int64_t read = ctx->bytes(loc, *in),
                readWithin = within ? ctx->bytes(loc, *within) : 0,
                made = ctx->bytes(loc, *out);
  Op op(*ctx, loc, "sort", read + readWithin + made);
  if (made == 0)
    return;
  std::vector<char> copy, copyWithin;
  Sorting sorting{.context = *ctx,
                  .loc = loc,
                  .lines = lines,
                  .kind = kind,
                  .descending = descending != 0,
                  .element = pmrt_element(in->element),
                  .in = ctx->device->read(in->data, read, copy),
                  .keyElement = PMRT_F64,
                  .within = nullptr};
  if (within) {
    sorting.keyElement = pmrt_element(within->element);
    sorting.within = ctx->device->read(within->data, readWithin, copyWithin);
  }
  ctx->device->fill(out->data, made, [&](char *to) { sorting.run(to); });
}
