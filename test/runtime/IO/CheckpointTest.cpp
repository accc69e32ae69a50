//===- CheckpointTest.cpp - States that outlive the program ---------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pmrt/checkpoint.h"
#include "runtime/IO/States/StateHead.h"
#include "test/runtime/Support.h"

#include <array>
#include <cmath>

using namespace pmrt;
using namespace pmrt::test;
namespace fs = std::filesystem;

namespace {

/// A run with one field of 64 numbers in its state.
class Fit {
public:
  explicit Fit(const std::string &folder, double seed = 1, bool resume = false,
               PlanRigor plan = PlanRigor::Estimate) {
    Descriptor descriptor;
    descriptor.sourceHash = "0123";
    Parameter parameter;
    parameter.name = "seed";
    descriptor.params = {parameter};
    Dim dim;
    dim.name = "x";
    dim.extent = 64;
    descriptor.dims = {dim};
    descriptor.locations = {"l.pm:1:1"};
    descriptor.name = "fit";
    Settings settings;
    settings.checkpoint = folder;
    settings.resume = resume;
    settings.plan = plan;
    settings.threads = 1;
    settings.progress = ProgressMode::Never;
    LaunchValue value;
    value.value.real = seed;
    context = std::make_unique<pmrt_context>(
        descriptor, settings, std::vector<LaunchValue>{value},
        std::vector<std::string>{}, std::vector<Axis>{});
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = std::sin(double(i) + seed);
  }

  /// A transform of the field, which has a plan.
  void transform() {
    std::vector<double> complex(128);
    const pmrt_array all = array(complex, PMRT_C128, 0, 1);
    pmrt_plan_fft(context.get(), 0, 1, 1, &all, &all);
  }

  void save(int64_t slot) {
    const int64_t number = 7 * slot;
    const pmrt_array field = array(data, PMRT_F64, 0, 1);
    const pmrt_array *fields[] = {&field};
    pmrt_checkpoint_store_save(context.get(), nullptr, 0, open(false), slot,
                               &number, fields);
  }

  /// The slot of the newest state.
  int64_t newest() {
    int64_t slot = -1;
    pmrt_checkpoint_store_restore(context.get(), nullptr, 0, open(true), 0,
                                  &slot, nullptr);
    return slot;
  }

  int64_t restore(int64_t slot) {
    int64_t number = -1;
    const pmrt_array field = array(data, PMRT_F64, 0, 1);
    const pmrt_array *fields[] = {&field};
    pmrt_checkpoint_store_restore(context.get(), nullptr, 0, open(false), slot,
                                  &number, fields);
    return number;
  }

  std::vector<double> data = std::vector<double>(64);

private:
  pmrt_checkpoint_store *open(bool newest) {
    pmrt_checkpoint_store *&store = stores[newest];
    const pmrt_array field = array(data, PMRT_F64, 0, 1);
    const pmrt_array *fields[] = {&field};
    if (!store)
      store = pmrt_checkpoint_open(context.get(), nullptr, 0, "s", newest,
                                   /*every=*/1, /*total=*/0, 1, newest ? 0 : 1,
                                   fields);
    return store;
  }

  std::unique_ptr<pmrt_context> context;
  pmrt_checkpoint_store *stores[2] = {};
};

/// The parts in a folder.
std::vector<std::string> parts(const Folder &folder) {
  std::vector<std::string> names = folder.list();
  std::erase_if(
      names, [](const std::string &name) { return !name.ends_with(".state"); });
  return names;
}

} // namespace

TEST(Checkpoint, ComesBackAndKeepsTwoStates) {
  const Folder folder;
  Fit first(folder.path());
  first.save(1);
  first.save(2);
  first.save(3);
  ASSERT_EQ(parts(folder).size(), 2u);
  Fit second(folder.path(), 1, /*resume=*/true);
  std::fill(second.data.begin(), second.data.end(), 0);
  EXPECT_EQ(second.newest(), 3);
  EXPECT_EQ(second.restore(3), 21);
  EXPECT_EQ(second.data, first.data);
  // Without --resume nothing is there to go on from.
  EXPECT_EQ(Fit(folder.path()).newest(), 0);
}

TEST(Checkpoint, RefusesPartsOfAnotherRun) {
  const Folder mine, theirs;
  Fit(mine.path(), 1).save(5);
  Fit(theirs.path(), 2).save(5);
  ASSERT_EQ(parts(mine).size(), 1u);
  // As if it had been written under this run's name.
  fs::copy_file(theirs / parts(theirs)[0], mine / parts(mine)[0],
                fs::copy_options::overwrite_existing);
  Fit resumed(mine.path(), 1, /*resume=*/true);
  EXPECT_CONTAINS(messageOf([&] { resumed.newest(); }),
                  "belongs to the state of another run");
  // The same run's, of a state that is no longer the newest: also refused.
  Fit(theirs.path(), 1).save(5);
  fs::copy_file(theirs / parts(theirs)[0], mine / parts(mine)[0],
                fs::copy_options::overwrite_existing);
  EXPECT_CONTAINS(messageOf([&] { resumed.restore(5); }),
                  "belongs to the state of another run");
  EXPECT_CONTAINS(
      messageOf([&] { Fit(mine.path(), 2, /*resume=*/true).newest(); }),
      "belongs to a different run: there 'parameters seed=1', here");
}

TEST(Checkpoint, FindsEveryDamage) {
  const Folder folder;
  Fit(folder.path()).save(1);
  const std::string path = folder / parts(folder)[0];
  const std::string whole = slurp(path);
  auto refused = [&](const std::string &text) {
    spill(path, text);
    Fit run(folder.path(), 1, /*resume=*/true);
    return messageOf([&] { run.restore(1); });
  };
  // Two signs of the field, which the old words' high bits were.
  const size_t begin = whole.size() - 16 - 8 - 64 * 8;
  for (size_t i = 0; i < 8; ++i)
    for (size_t j = i + 1; j < 8; ++j) {
      std::string text = whole;
      text[begin + 8 * i + 7] = char(text[begin + 8 * i + 7] ^ 0x80);
      text[begin + 8 * j + 7] = char(text[begin + 8 * j + 7] ^ 0x80);
      EXPECT_CONTAINS(refused(text), "is damaged: its checksum is ");
    }
  EXPECT_CONTAINS(refused(whole.substr(0, whole.size() - 1)), "is damaged");
  EXPECT_CONTAINS(refused(whole + "x"), "is damaged");
  EXPECT_CONTAINS(refused(""), "too short");
  EXPECT_CONTAINS(refused(std::string(whole.size(), '\0')),
                  "is not a part of a state");
  fs::remove(path);
  Fit run(folder.path(), 1, /*resume=*/true);
  EXPECT_CONTAINS(messageOf([&] { run.restore(1); }), "it does not exist");
}

TEST(Checkpoint, RefusesWhatIsNoHead) {
  const Folder folder;
  Fit(folder.path()).save(1);
  const std::string head = folder / "s.ckpt", text = slurp(head);
  auto refused = [&] {
    Fit run(folder.path(), 1, /*resume=*/true);
    return messageOf([&] { run.newest(); });
  };
  spill(head, "");
  EXPECT_CONTAINS(refused(),
                  "is damaged: expected 'spec ...' in its first line");
  // Every bit of it counts, the last line's, too.
  for (size_t byte = 0; byte < text.size(); ++byte) {
    std::string other = text;
    other[byte] = char(other[byte] ^ 1);
    spill(head, other);
    EXPECT_CONTAINS(refused(), "s.ckpt is damaged: ");
  }
  spill(head, text.substr(0, text.size() - 1));
  EXPECT_CONTAINS(refused(), "s.ckpt is damaged: its checksum is ");
  // What no run writes, with the right hash.
  auto checked = [](std::string lines) {
    return lines + "checksum " + hashOf(lines).text() + "\n";
  };
  const std::string begin =
      "spec 0123\nbuilt \nparameters \ninputs \nmesh row=0\n"
      "transforms none\n";
  const std::string state = "state 1 " + std::string(32, 'a') + "\n";
  spill(head, checked(begin + "fields f64[x=64]\nnumbers 1\n" + state));
  EXPECT_CONTAINS(refused(), "'row=0' is not a mesh");
  spill(head, checked(begin + "fields f16[x=64]\nnumbers 1\n" + state));
  EXPECT_CONTAINS(refused(), "'f16[x=64]' is not a field");
  spill(head, checked(begin + "fields f64[x=0]\nnumbers 1\n" + state));
  EXPECT_CONTAINS(refused(), "'f64[x=0]' is not a field");
  spill(head, checked(begin + "fields\nnumbers -1\n" + state));
  EXPECT_CONTAINS(refused(), "expected 'numbers COUNT'");
  spill(head, checked(begin + "fields\nnumbers 1\nstate 1 abc\n"));
  EXPECT_CONTAINS(refused(), "expected 'state NUMBER TOKEN'");
  spill(head, checked("spec 0123\nbuilt \nmesh \n" + state));
  EXPECT_CONTAINS(refused(), "expected 'parameters', found 'mesh '");
  spill(head, checked("program 0123\nmesh \n" + state));
  EXPECT_CONTAINS(refused(), "was written by an earlier version of pmc");
  fs::remove(head);
  fs::create_directory(head);
  EXPECT_CONTAINS(refused(), "s.ckpt cannot be read");
}

TEST(Checkpoint, TakesTheStateBeforeADamagedOne) {
  const Folder folder;
  {
    Fit run(folder.path());
    run.save(1);
    run.data[5] = 55;
    run.save(2);
  }
  std::string last;
  for (const std::string &name : parts(folder))
    if (name.starts_with("s.2."))
      last = folder / name;
  std::string text = slurp(last);
  text[100] = char(text[100] ^ 1);
  spill(last, text);
  Fit run(folder.path(), 1, /*resume=*/true);
  const auto original = run.data;
  testing::internal::CaptureStderr();
  EXPECT_EQ(run.newest(), 1);
  EXPECT_CONTAINS(testing::internal::GetCapturedStderr(),
                  "continues from the state before it [PM9205]");
  run.data.assign(64, 0);
  EXPECT_EQ(run.restore(1), 7);
  EXPECT_EQ(run.data, original);
  // What is written next takes the damaged one's place.
  run.save(2);
  EXPECT_EQ(parts(folder).size(), 2u);
  EXPECT_EQ(Fit(folder.path(), 1, /*resume=*/true).newest(), 2);
}

// What runs have left that were killed before they could name it, and nothing
// that only has such a name.
TEST(Checkpoint, RemovesOrphans) {
  const Folder folder, other;
  Fit(other.path(), 3).save(9);
  const std::string orphan = parts(other)[0];
  fs::copy_file(other / orphan, folder / orphan);
  const std::string alike = "s.9.0123456789abcdef0123456789abcdef.0.state";
  for (const std::string &name :
       {alike, std::string("s.notes.state"), std::string("t.1.state")})
    spill(folder / name, "mine");
  Fit(folder.path()).save(1);
  EXPECT_FALSE(fs::exists(folder / orphan));
  EXPECT_EQ(parts(folder).size(), 4u);
  EXPECT_EQ(slurp(folder / alike), "mine");
}

// Only FFTW's transforms depend on how they are planned.
TEST(Checkpoint, RefusesOtherPlansOfFftw) {
  const Folder folder;
  {
    Fit run(folder.path());
    run.transform();
    run.save(1);
  }
  {
    Fit run(folder.path(), 1, /*resume=*/true);
    run.transform();
    EXPECT_EQ(run.newest(), 1);
  }
  Fit run(folder.path(), 1, /*resume=*/true, PlanRigor::Measure);
  run.transform();
#ifdef PMRT_FFTW
  const std::string message = messageOf([&] { run.newest(); });
  EXPECT_CONTAINS(message, "there 'transforms --plan estimate --threads 1");
  EXPECT_CONTAINS(message, "here 'transforms --plan measure --threads 1");
#else
  EXPECT_EQ(run.newest(), 1);
#endif
}

TEST(Checkpoint, NamesFieldsAsText) {
  StateHead head;
  head.identity = "spec 1\nbuilt \nparameters \ninputs \nmesh row=2 "
                  "col=3\ntransforms none\n";
  StateField field;
  field.element = PMRT_C64;
  Dim x, y, z;
  x.name = "x";
  x.extent = 20;
  x.refine = 2;
  x.axes = {"row", "col"};
  y.name = "y";
  y.extent = 9;
  z.name = "kz";
  z.extent = 9;
  z.kind = DimKind::Half;
  z.axes = {"col"};
  field.dims = {x, y, z};
  EXPECT_EQ(describeField(field), "c64[x=20/2:row+col,y=9,kz=5:col]");
  StateField scalar;
  head.fields = {field, scalar};
  head.numbers = 3;
  head.states = {{7, std::string(32, 'b')}, {5, std::string(32, 'c')}};
  const StateHead back = parseHead("s.ckpt", textOf(head));
  EXPECT_EQ(textOf(back), textOf(head));
  EXPECT_EQ(back.fields[0].dims[0].axes, x.axes);
  EXPECT_EQ(back.fields[0].dims[2].stored(), 5);
  EXPECT_EQ(back.mesh().size(), 2u);
  EXPECT_EQ(back.states[1].slot, 5);
}
