//===- Checkpoint.cpp - States that outlive the program -------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the folder --checkpoint, `NAME.ckpt` says which state is the newest, of
// which program, parameters, mesh and inputs; `NAME.SLOT.RANK.state` are the
// parts of it. All parts are on the disk before NAME.ckpt is replaced, in one
// step, so that a program killed at any time leaves one whole state. The older
// one is removed then.
//
//===----------------------------------------------------------------------===//

#include "pmrt/checkpoint.h"

#include "runtime/Core/Descriptor.h"
#include "runtime/Core/Op.h"
#include "runtime/Core/Tape.h"
#include "runtime/IO/Checksum.h"
#include "runtime/IO/Inputs.h"
#include "runtime/IO/OutputFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace pmrt;
namespace fs = std::filesystem;

namespace {

class Checkpoint : public StateStore {
public:
  Checkpoint(Context &ctx, std::string name, bool newest, int64_t numbers,
             size_t fields)
      : ctx(ctx), name(std::move(name)), newest(newest), numbers(numbers),
        fields(fields) {}

  /// Takes down what the run is, before its work begins: by the first save an
  /// input may be another file.
  void identify(pmrt_loc loc);
  void save(pmrt_loc loc, int64_t slot, const int64_t *values,
            const pmrt_array *const *arrays) override;
  void restore(pmrt_loc loc, int64_t slot, int64_t *values,
               const pmrt_array *const *arrays) override;

private:
  /// The slot of the newest state; 0: there is none.
  int64_t find(pmrt_loc loc);
  std::string path(const std::string &file) const {
    return (fs::path(ctx.settings.checkpoint) / file).string();
  }
  std::string head() const { return path(name + ".ckpt"); }
  std::string part(int64_t slot) const {
    return path(
        fmt::format("{}.{}.{}.state", name, slot, ctx.transport->rank()));
  }
  int64_t bytesOf(pmrt_loc loc, const pmrt_array &array) const {
    return ctx.elements(loc, array) * elementSize(pmrt_element(array.element));
  }

  Context &ctx;
  std::string name;
  bool newest;
  int64_t numbers;
  size_t fields;
  std::string identity;      ///< what runs that go on with it share
  std::vector<char> staging; ///< on the way from and to a device
};

} // namespace

void Checkpoint::identify(pmrt_loc loc) {
  std::vector<std::string> values;
  for (size_t i = 0; i < ctx.params.size(); ++i)
    values.push_back(fmt::format("{}={:a}/{}", ctx.program.params[i].name,
                                 ctx.params[i].value.real,
                                 ctx.params[i].value.bits));
  std::vector<std::string> axes;
  for (const Axis &axis : ctx.mesh.axes())
    axes.push_back(fmt::format("{}={}", axis.name, axis.extent));
  identity = fmt::format("program {}\nparameters {}\nmesh {}\ninputs {}\n",
                         ctx.program.sourceHash, fmt::join(values, " "),
                         fmt::join(axes, " "), describeContents(ctx, loc));
}

int64_t Checkpoint::find(pmrt_loc loc) {
  if (!ctx.settings.resume)
    return 0;
  std::string problem;
  int64_t slot = 0;
  std::ifstream file(head());
  if (file) {
    std::stringstream text;
    text << file.rdbuf();
    std::string word;
    const std::string found = text.str();
    if (!found.starts_with(identity)) {
      // The first line that differs.
      std::istringstream a(found), b(identity);
      std::string was, is;
      while (std::getline(a, was) && std::getline(b, is) && was == is)
        continue;
      problem = fmt::format("{} is of another run: there '{}', here '{}'",
                            head(), was, is);
    } else if (std::istringstream rest(found.substr(identity.size()));
               !(rest >> word >> slot) || word != "slot" || slot < 1) {
      problem = fmt::format("{} is damaged: expected 'slot N' in its last line",
                            head());
    }
  }
  ctx.agree(loc, problem, Exit::Usage);
  // All ranks see one folder, or nothing fits.
  int64_t least[2] = {slot, -slot};
  ctx.world.reduce(PMRT_MIN, 1, &least[0]);
  ctx.world.reduce(PMRT_MIN, 1, &least[1]);
  ctx.agree(loc,
            least[0] == -least[1]
                ? ""
                : fmt::format("{} holds state {} here, but {} on another rank",
                              head(), slot, least[0]),
            Exit::Usage);
  return slot;
}

void Checkpoint::save(pmrt_loc loc, int64_t slot, const int64_t *values,
                      const pmrt_array *const *arrays) {
  if (ctx.settings.checkpoint.empty())
    return;
  Op op(ctx, loc, "checkpoint");
  std::string problem;
  int64_t before = 0;
  try {
    if (ctx.transport->rank() == 0)
      prepareFolder(ctx.settings.checkpoint, /*create=*/true);
  } catch (const std::exception &error) {
    problem = error.what();
  }
  ctx.agree(loc, problem);
  try {
    OutputFile file(part(slot));
    Checksum sum;
    int64_t at = 0;
    auto write = [&](const void *data, int64_t bytes) {
      file.write(data, size_t(bytes), at);
      at += bytes;
    };
    for (size_t i = 0; i < fields; ++i) {
      const int64_t bytes = bytesOf(loc, *arrays[i]);
      const void *data = arrays[i]->data;
      if (ctx.device) {
        staging.resize(size_t(bytes));
        ctx.device->download(staging.data(), data, bytes);
        data = staging.data();
      }
      sum.add(data, bytes);
      write(data, bytes);
    }
    sum.add(values, numbers * 8);
    write(values, numbers * 8);
    const uint64_t check = sum.value();
    write(&check, 8);
    op.addBytes(at);
    file.commit();
    std::ifstream old(head());
    for (std::string word; old >> word;)
      if (word == "slot")
        old >> before;
  } catch (const std::exception &error) {
    problem = error.what();
  }
  ctx.agree(loc, problem); // so all parts are there
  try {
    if (ctx.transport->rank() == 0)
      writeWholeFile(head(), identity + fmt::format("slot {}\n", slot));
  } catch (const std::exception &error) {
    problem = error.what();
  }
  ctx.agree(loc, problem);
  std::error_code ignored;
  if (before != slot && before > 0)
    fs::remove(part(before), ignored);
}

void Checkpoint::restore(pmrt_loc loc, int64_t slot, int64_t *values,
                         const pmrt_array *const *arrays) {
  if (newest) {
    values[0] = find(loc);
    return;
  }
  Op op(ctx, loc, "resume");
  std::string problem;
  std::ifstream file(part(slot), std::ios::binary);
  Checksum sum;
  auto read = [&](void *data, int64_t bytes) {
    file.read(static_cast<char *>(data), bytes);
    sum.add(data, bytes);
    op.addBytes(bytes);
  };
  for (size_t i = 0; i < fields; ++i) {
    const int64_t bytes = bytesOf(loc, *arrays[i]);
    if (!ctx.device) {
      read(arrays[i]->data, bytes);
      continue;
    }
    staging.resize(size_t(bytes));
    read(staging.data(), bytes);
    ctx.device->upload(arrays[i]->data, staging.data(), bytes);
  }
  read(values, numbers * 8);
  uint64_t check = 0;
  file.read(reinterpret_cast<char *>(&check), 8);
  if (!file)
    problem = fmt::format("cannot read {}: it is {}", part(slot),
                          fs::exists(part(slot)) ? "too short" : "not there");
  else if (check != sum.value() || file.peek() != EOF)
    problem = fmt::format("{} is damaged: its checksum is {:016x}, expected "
                          "{:016x}",
                          part(slot), sum.value(), check);
  ctx.agree(loc, problem, Exit::Usage);
}

pmrt_tape *pmrt_checkpoint_open(pmrt_context *ctx, pmrt_queue *, pmrt_loc loc,
                                const char *name, int32_t newest,
                                int32_t numbers, int32_t fields,
                                const pmrt_array *const *) {
  auto tape = std::make_shared<pmrt_tape>();
  tape->numbers = numbers;
  auto store = std::make_unique<Checkpoint>(*ctx, name, newest != 0, numbers,
                                            size_t(fields));
  if (!ctx->settings.checkpoint.empty())
    store->identify(loc);
  tape->store = std::move(store);
  ctx->tapes.push_back(tape);
  return tape.get();
}
