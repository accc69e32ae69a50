//===- Checkpoint.cpp - States that outlive the program -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the folder --checkpoint, `NAME.ckpt` names the two newest states, the last
// one first, and says of which program, parameters, inputs, mesh and plans of
// transforms they are. Another mesh may go on with them.
// `NAME.SLOT.TOKEN.RANK.state` are the parts of one. The token is another one
// for every state, and what a part begins with says whose part it is, so that
// no other run's is taken for it, whatever its name. All parts are on the disk
// before NAME.ckpt is replaced, in one step, so that a program killed at any
// time leaves a whole state. All other parts are removed then. Where the last
// state is damaged, the one before it is taken.
//
// `PROGRAM.PRECISION.wisdom` is what FFTW knew, where it transforms: for the
// same plans later.
//
//===----------------------------------------------------------------------===//

#include "pmrt/checkpoint.h"

#include "runtime/IO/States/Checkpoint.h"

#include "runtime/Base/Files/TemporaryFile.h"
#include "runtime/Base/Files/WholeFile.h"
#include "runtime/Base/Interrupts.h"
#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Hash.h"
#include "runtime/Core/Checkpoints/CheckpointStore.h"
#include "runtime/Core/Descriptor.h"
#include "runtime/Core/Op.h"
#include "runtime/FFT/Plans.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Inputs/Inputs.h"
#include "runtime/IO/States/StateHead.h"
#include "runtime/IO/States/StateParts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>
#include <tuple>
#include <unistd.h>

using namespace pmrt;
namespace fs = std::filesystem;

namespace {

/// What runs that go on with a state share; the mesh and the plans of
/// transforms of the run that wrote it.
struct Written {
  std::string identity;
  std::vector<Axis> axes;
  std::string fields; ///< and how many numbers
  std::vector<StateField> shapes;
  int64_t numbers = 0;
};

class Checkpoint : public StateStore {
public:
  Checkpoint(Context &ctx, std::string name, bool newest, int64_t numbers,
             size_t fields, int64_t every, int64_t total)
      : ctx(ctx), name(std::move(name)), newest(newest), numbers(numbers),
        fields(fields), every(every), total(total) {
    if (!newest && !ctx.settings.checkpoint.empty())
      stops.emplace();
  }

  /// Takes down what the run is, before its work begins: by the first save an
  /// input may be another file.
  void identify(pmrt_loc loc);
  /// The disk has space for as many states as there are at one time.
  void checkDiskSpace(pmrt_loc loc, const pmrt_array *const *shapes);
  void save(pmrt_loc loc, int64_t slot, const int64_t *values,
            const pmrt_array *const *arrays) override;
  void restore(pmrt_loc loc, int64_t slot, int64_t *values,
               const pmrt_array *const *arrays) override;

private:
  /// Whether to write the state after so many iterations, and whether to end
  /// then. The same on all ranks.
  struct Due {
    bool write = false, end = false, isLate = false;
  };
  Due isDue(int64_t slot);
  /// The newest states, the last one first. On all ranks.
  std::vector<State> find(pmrt_loc loc);
  /// The last one that is whole, on all ranks. Warns of others.
  State findWhole(pmrt_loc loc);
  /// Takes down who wrote the states; throws if it was another run.
  void recognize(const StateHead &from);
  /// What is wrong with the parts that this rank looks at, or "".
  std::string problemOfParts(const State &state) const;
  void write(pmrt_loc loc, int64_t slot, const int64_t *values,
             const pmrt_array *const *arrays);
  void writePart(pmrt_loc loc, const State &state, const int64_t *values,
                 const pmrt_array *const *arrays, Op &op);
  void readPart(pmrt_loc loc, const State &state, int64_t *values,
                const pmrt_array *const *arrays, Op &op);
  /// The same of a state that another mesh wrote.
  void readParts(pmrt_loc loc, const State &state, int64_t *values,
                 const pmrt_array *const *arrays, Op &op);
  std::vector<StateField>
  shapes(std::span<const pmrt_array *const> arrays) const;
  std::string describe(const pmrt_array *const *arrays) const {
    return describeFields(shapes({arrays, fields}), numbers);
  }
  void saveWisdom();
  void removeOthers(const std::string &of, const std::vector<State> &kept);
  void removeOtherRuns();

  std::string path(const std::string &file) const {
    return (fs::path(ctx.settings.checkpoint) / file).string();
  }
  std::string head() const { return path(headName(name)); }
  std::string part(const State &state, int rank) const {
    return path(partName(name, state, rank));
  }
  Digest ownerOf(const State &state, int rank, const std::string &run) const {
    return pmrt::ownerOf(run, name, state, rank);
  }
  /// Whether the existing states come from another mesh.
  bool isFromOtherMesh() const {
    return describeMesh(written.axes) != describeMesh(ctx.mesh.axes());
  }
  int64_t bytesOf(pmrt_loc loc, const pmrt_array &array) const {
    return ctx.bytes(loc, array);
  }

  Context &ctx;
  std::string name;
  bool newest;
  int64_t numbers;
  size_t fields;
  int64_t every, total; ///< iterations
  Clock::time_point last =
      Clock::now();                  ///< when the loop began, or a state was
  std::optional<StopsAtState> stops; ///< while the loop runs
  std::vector<State> named;          ///< that NAME.ckpt names
  std::string identity;              ///< what runs that go on with it share
  Written written;                   ///< by whom the states in the folder are
  bool warned = false;               ///< of how the program was built
  std::string knownWisdom;           ///< that has been written
  std::vector<char> staging;         ///< on the way from and to a device
  std::future<void> freeing;         ///< of the disk's blocks; ends with this
};

/// What `work` throws, as a text; "" if nothing.
template <typename Work> std::string problemOf(const Work &work) {
  try {
    work();
    return "";
  } catch (const Interrupted &) {
    throw;
  } catch (const Stopped &) {
    throw;
  } catch (const std::exception &error) {
    return std::string("[PM9008] ") + error.what();
  }
}

} // namespace

static bool isSingle(const Context &ctx) {
  return ctx.program.precision != "f64";
}

void Checkpoint::identify(pmrt_loc loc) {
  std::vector<std::string> values;
  for (size_t i = 0; i < ctx.params.size(); ++i)
    values.push_back(
        fmt::format("{}={}", ctx.program.params[i].name,
                    valueText(ctx.program.params[i], ctx.params[i].value)));
  identity = fmt::format(
      "spec {}\nbuilt {}\nparameters {}\ninputs {}\nmesh {}\ntransforms {}\n",
      ctx.program.spec, ctx.program.built, fmt::join(values, " "),
      describeContents(ctx, loc), describeMesh(ctx.mesh.axes()),
      describePlans(ctx));
}

void Checkpoint::checkDiskSpace(pmrt_loc loc, const pmrt_array *const *shapes) {
  int64_t bytes = numbers * 8 + int64_t(sizeof(PartHead) + sizeof(Digest));
  for (size_t i = 0; i < fields; ++i)
    bytes += bytesOf(loc, *shapes[i]);
  ctx.world.reduce(PMRT_SUM, 1, &bytes);
  std::string problem;
  if (ctx.transport->rank() == 0) {
    // Two are kept while the next one is written. What is there already, of
    // this loop, frees space for that.
    int64_t there = 0;
    std::error_code error;
    for (const fs::directory_entry &entry :
         fs::directory_iterator(ctx.settings.checkpoint, error))
      if (const std::string file = entry.path().filename().string();
          file.starts_with(name + ".") && file.ends_with(".state") &&
          entry.is_regular_file(error))
        there += int64_t(entry.file_size(error));
    const int64_t kept = total == 1 ? 1 : 3,
                  free = freeSpace(ctx.settings.checkpoint);
    const int64_t need = std::max(bytes, kept * bytes - there);
    if (free >= 0 && need > free)
      problem =
          fmt::format("[PM9007] a state has {}, and {} are kept at a time: "
                      "--checkpoint={} needs {} more, but the disk has {} left",
                      bytesText(double(bytes)), kept, ctx.settings.checkpoint,
                      bytesText(double(need)), bytesText(double(free)));
  }
  problem = ctx.world.broadcast(problem);
  ctx.agree(loc, problem, Exit::Usage);
}

void Checkpoint::recognize(const StateHead &from) {
  written = {from.identity, from.mesh(),
             describeFields(from.fields, from.numbers), from.fields,
             from.numbers};
  const std::string mesh = describeMesh(ctx.mesh.axes());
  // Line by line; on another mesh transforms have other plans.
  std::istringstream there(from.identity), here(identity);
  for (std::string was, is;
       std::getline(there, was) && std::getline(here, is);) {
    const bool isSpec = is.starts_with("spec ");
    const bool isParameters = is.starts_with("parameters ");
    if (was != is && (isSpec || isParameters))
      std::tie(was, is) = differingWords(was, is);
    if (was != is && is.starts_with("built ")) {
      std::tie(was, is) = differingWords(was, is);
      if (!std::exchange(warned, true) && ctx.transport->rank() == 0)
        ctx.transport->watch->warn(fmt::format(
            "[PM9204] {} was written by a program compiled from the same "
            "spec with other options: there '{}', here '{}': the "
            "results agree up to rounding",
            head(), was, is));
      continue;
    }
    const bool mayDiffer =
        !written.axes.empty() &&
        (is.starts_with("mesh ") ||
         (is.starts_with("transforms ") && from.value("mesh") != mesh));
    if (was != is && !mayDiffer)
      throw std::runtime_error(
          fmt::format("{} belongs to a different {}: there '{}', here '{}'{}",
                      head(), isSpec ? "spec" : "run", was, is,
                      is.starts_with("transforms")
                          ? "; the results would not be bitwise the same"
                      : isParameters ? "; give the same values, or omit "
                                       "--resume to start from the beginning"
                                     : ""));
  }
}

std::vector<State> Checkpoint::find(pmrt_loc loc) {
  if (!ctx.settings.resume)
    return {};
  std::vector<State> states;
  std::string text;
  ctx.agree(loc, problemOf([&] {
              if (!fs::exists(head()))
                return;
              if (!fs::is_regular_file(head()))
                throw std::runtime_error(
                    fmt::format("[PM9008] {} cannot be read", head()));
              text = readWholeFile(head());
              const StateHead all = parseHead(head(), text);
              recognize(all);
              states = all.states;
            }),
            Exit::Usage);
  // All ranks see one folder, or nothing fits.
  const auto mine = int64_t(hashOf(text).words[0] >> 1);
  int64_t least[] = {mine, -mine};
  ctx.world.reduce(PMRT_MIN, 2, least);
  ctx.agree(loc,
            least[0] == -least[1]
                ? ""
                : fmt::format(
                      "[PM9008] {} differs between ranks; --checkpoint must be "
                      "a folder that all ranks share",
                      head()),
            Exit::Usage);
  return states;
}

State Checkpoint::findWhole(pmrt_loc loc) {
  const std::vector<State> states = find(loc);
  for (const State &state : states) {
    const std::string problem = problemOfParts(state);
    const int ranks = ctx.transport->size();
    int64_t bad = problem.empty() ? ranks : ctx.transport->rank();
    ctx.world.reduce(PMRT_MIN, 1, &bad);
    if (bad == ranks)
      return state;
    if (state.token == states.back().token)
      ctx.agree(loc, problem, Exit::Usage); // throws
    const std::string text = ctx.world.broadcast(problem, int(bad));
    if (ctx.transport->rank() == 0)
      ctx.transport->watch->warn(
          "[PM9205] " + text + "; the run continues from the state before it");
  }
  return {};
}

std::string Checkpoint::problemOfParts(const State &state) const {
  return problemOf([&] {
    // Of another mesh, each looks at some of all parts.
    const int own = ctx.transport->rank(), ranks = ctx.transport->size();
    const Mesh mesh(written.axes, 0);
    const ForeignParts all(ctx.threads, mesh, written.shapes, written.numbers,
                           [&](int rank) { return part(state, rank); });
    const auto parts = isFromOtherMesh() ? int(mesh.ranks()) : ranks;
    for (int rank = own; rank < parts; rank += ranks)
      PartReader(part(state, rank), ownerOf(state, rank, written.identity))
          .readAll(all.bytesOfPart(rank));
  });
}

void Checkpoint::writePart(pmrt_loc loc, const State &state,
                           const int64_t *values,
                           const pmrt_array *const *arrays, Op &op) {
  const int rank = ctx.transport->rank();
  const Waiting waiting(ctx.progress, "writing a state");
  OutputFile file(part(state, rank), ctx.token);
  OutputStream stream(file);
  Hash hash;
  int64_t at = 0;
  auto write = [&](const void *data, int64_t bytes) {
    // Pieces that stay in a core's cache from the hash to the copy.
    constexpr int64_t piece = 128 << 10;
    for (int64_t done = 0; done < bytes; done += piece) {
      const char *part = static_cast<const char *>(data) + done;
      const int64_t count = std::min(piece, bytes - done);
      hash.add(part, count);
      stream.write(part, count);
    }
    at += bytes;
  };
  PartHead begin;
  begin.owner = ownerOf(state, rank, identity);
  write(&begin, sizeof begin);
  for (size_t i = 0; i < fields; ++i) {
    const int64_t bytes = bytesOf(loc, *arrays[i]);
    write(ctx.device->read(arrays[i]->data, bytes, staging), bytes);
  }
  write(values, numbers * 8);
  const Digest check = hash.value();
  write(&check, sizeof check);
  stream.finish();
  op.addBytes(at);
  file.commit();
}

/// Of one optimization after the other they are the same.
void Checkpoint::saveWisdom() {
  if (ctx.device->ffts().hash().empty())
    return;
  const std::string text = ctx.device->ffts().knowledge(isSingle(ctx));
  if (text.empty() || text == knownWisdom)
    return;
  writeWholeFile(keptPlansPath(ctx, isSingle(ctx)), text, ctx.token);
  knownWisdom = text;
}

/// A run that does not go on with an earlier one replaces its states. Those of
/// loops that come later must not be in the way when this run is resumed.
void Checkpoint::removeOtherRuns() {
  for (const std::string &other : ctx.program.checkpoints) {
    std::error_code error;
    const std::string file = path(headName(other));
    if (other == name || !fs::is_regular_file(file, error))
      continue;
    std::string owner;
    try {
      owner = parseHead(file, readWholeFile(file)).identity;
    } catch (const std::runtime_error &) {
      owner.clear(); // damaged: no run goes on with it
    }
    if (owner == identity)
      continue;
    fs::remove(file, error);
    removeOthers(other, {});
  }
}

void Checkpoint::removeOthers(const std::string &of,
                              const std::vector<State> &kept) {
  if (freeing.valid())
    freeing.get();
  std::vector<int> files = removeParts(ctx.settings.checkpoint, of, kept);
  if (files.empty())
    return;
  // The names are gone. With the last handle the disk gets its blocks back,
  // which takes it a while; the run need not wait for that.
  auto close = [files] { std::ranges::for_each(files, ::close); };
  try {
    freeing = std::async(std::launch::async, close);
  } catch (const std::system_error &) { // no more threads
    close();
  }
}

void Checkpoint::save(pmrt_loc loc, int64_t slot, const int64_t *values,
                      const pmrt_array *const *arrays) {
  if (ctx.settings.checkpoint.empty())
    return;
  const Due due = isDue(slot);
  if (due.write)
    write(loc, slot, values, arrays);
  if (due.end)
    throw Error(
        Exit::Suspended, ctx.location(loc),
        fmt::format("[PM9107] stopped by {} after iteration {}{}; the state is "
                    "in {}; continue with --resume",
                    due.isLate ? "--time-limit" : "a signal", slot,
                    total ? fmt::format(" of {}", total) : "",
                    ctx.settings.checkpoint))
        .everywhere();
}

Checkpoint::Due Checkpoint::isDue(int64_t slot) {
  // Clocks differ, and a signal may come to some ranks later, or not at all.
  int64_t word = 0;
  const double patience = ctx.settings.checkpointEvery;
  if (patience > 0 && secondsSince(last) >= patience)
    word = 1;
  if (isAskedToStop())
    word = ctx.timeLimit.isOver() ? 3 : 2;
  ctx.world.reduce(PMRT_MAX, 1, &word);
  Due due;
  due.end = word >= 2;
  due.isLate = word == 3;
  due.write = word > 0 || slot == total || (patience <= 0 && slot % every == 0);
  return due;
}

std::vector<StateField>
Checkpoint::shapes(std::span<const pmrt_array *const> arrays) const {
  std::vector<StateField> all;
  for (const pmrt_array *array : arrays) {
    StateField &field = all.emplace_back();
    field.element = pmrt_element(array->element);
    for (int32_t d = 0; d < array->rank; ++d)
      field.dims.push_back(ctx.program.dims[size_t(array->dims[d])]);
  }
  return all;
}

void Checkpoint::write(pmrt_loc loc, int64_t slot, const int64_t *values,
                       const pmrt_array *const *arrays) {
  Op op(ctx, loc, "checkpoint");
  const bool first = ctx.transport->rank() == 0;
  if (freeing.valid())
    freeing.get(); // there is space for three
  const State state = {slot, ctx.world.broadcast(first ? randomToken() : "")};
  const bool isFirst = named.empty();
  // When all agree, all parts are there.
  ctx.agree(loc, problemOf([&] { writePart(loc, state, values, arrays, op); }));
  std::erase_if(named, [&](const State &one) { return one.slot == slot; });
  named.insert(named.begin(), state);
  if (named.size() > 2)
    named.pop_back();
  ctx.agree(loc, problemOf([&] {
              if (!first)
                return;
              saveWisdom();
              const StateHead all = {identity, shapes({arrays, fields}),
                                     numbers, named};
              writeWholeFile(head(), textOf(all), ctx.token);
            }));
  if (first && isFirst && !ctx.settings.resume)
    removeOtherRuns();
  if (first)
    removeOthers(name, named);
  last = Clock::now();
}

void Checkpoint::readPart(pmrt_loc loc, const State &state, int64_t *values,
                          const pmrt_array *const *arrays, Op &op) {
  const int rank = ctx.transport->rank();
  PartReader reader(part(state, rank), ownerOf(state, rank, written.identity));
  int64_t bytes = numbers * 8;
  for (size_t i = 0; i < fields; ++i)
    bytes += bytesOf(loc, *arrays[i]);
  if (reader.left() != bytes)
    throw std::runtime_error(
        fmt::format("{} is damaged: it has {} bytes of numbers, expected {}",
                    part(state, rank), reader.left(), bytes));
  for (size_t i = 0; i < fields; ++i) {
    const int64_t count = bytesOf(loc, *arrays[i]);
    ctx.device->fill(arrays[i]->data, count,
                     [&](char *host) { reader.read(host, count); });
  }
  reader.read(values, numbers * 8);
  reader.finish();
  op.addBytes(bytes);
}

void Checkpoint::readParts(pmrt_loc loc, const State &state, int64_t *values,
                           const pmrt_array *const *arrays, Op &op) {
  const Mesh mesh(written.axes, 0);
  const ForeignParts parts(ctx.threads, mesh, shapes({arrays, fields}), numbers,
                           [&](int rank) { return part(state, rank); });
  for (size_t i = 0; i < fields; ++i) {
    const int64_t count = bytesOf(loc, *arrays[i]);
    ctx.device->fill(arrays[i]->data, count, [&](char *host) {
      parts.readField(i, layoutOf(ctx, *arrays[i]).box(ctx.mesh), host);
    });
    op.addBytes(count);
  }
  parts.readNumbers(values);
}

void Checkpoint::restore(pmrt_loc loc, int64_t slot, int64_t *values,
                         const pmrt_array *const *arrays) {
  if (newest) {
    values[0] = findWhole(loc).slot;
    return;
  }
  const std::vector<State> states = find(loc);
  Op op(ctx, loc, "resume");
  ctx.agree(loc, problemOf([&] {
              const auto state =
                  std::find_if(states.begin(), states.end(),
                               [&](const State &s) { return s.slot == slot; });
              if (state == states.end())
                throw std::runtime_error(fmt::format(
                    "[PM9008] {} no longer contains state {}", head(), slot));
              if (written.fields != describe(arrays))
                throw std::runtime_error(
                    fmt::format("{} has the fields {}, but this program has {}",
                                head(), written.fields, describe(arrays)));
              if (isFromOtherMesh()) {
                readParts(loc, *state, values, arrays, op);
                return;
              }
              readPart(loc, *state, values, arrays, op);
              if (written.identity == identity) // else parts have other heads
                named = {*state};
            }),
            Exit::Usage);
  if (isFromOtherMesh() && ctx.transport->rank() == 0)
    ctx.transport->watch->warn(fmt::format(
        "[PM9204] {} was written on the mesh {}, and this run has {}: the "
        "results {}",
        head(), describeMesh(written.axes), describeMesh(ctx.mesh.axes()),
        ctx.program.deterministic ? "have the same bits"
                                  : "agree up to rounding"));
}

void pmrt::checkResume(const Context &context) {
  const fs::path folder(context.settings.checkpoint);
  if (!context.settings.resume)
    return;
  if (!fs::is_directory(folder))
    throw usageError(
        "[PM9008] --checkpoint: the folder {} for --resume does not exist; "
        "omit --resume to start from the beginning",
        folder.string());
  for (const std::string &name : context.program.checkpoints)
    if (fs::exists(folder / headName(name)))
      return;
  throw usageError(
      "[PM9008] --checkpoint: {} has no state of this program ({}) for "
      "--resume; omit --resume to start from the beginning",
      folder.string(), headName(context.program.checkpoints.front()));
}

pmrt_checkpoint_store *pmrt_checkpoint_open(pmrt_context *ctx, pmrt_queue *,
                                            pmrt_loc loc, const char *name,
                                            int32_t newest, int64_t every,
                                            int64_t total, int32_t numbers,
                                            int32_t fields,
                                            const pmrt_array *const *shapes) {
  auto checkpointStore = std::make_shared<pmrt_checkpoint_store>();
  checkpointStore->numbers = numbers;
  auto store = std::make_unique<Checkpoint>(*ctx, name, newest != 0, numbers,
                                            size_t(fields), every, total);
  if (!ctx->settings.checkpoint.empty())
    store->identify(loc);
  if (!ctx->settings.checkpoint.empty() && !newest)
    store->checkDiskSpace(loc, shapes);
  checkpointStore->store = std::move(store);
  ctx->stores.push_back(checkpointStore);
  return checkpointStore.get();
}
