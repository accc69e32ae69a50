//===- EmbedTest.cpp - Programs as functions of a process -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pmrt/embed.h"
#include "pmrt/signals.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int64_t rows = 6, columns = 4, cells = rows * columns;

/// out = factor * field, `steps` times added; `sum` of it.
const char *const descriptor = R"json({
  "name": "embedded", "doc": "a test", "precision": "f32", "target": "cpu",
  "params": [
    {"name": "factor", "type": "f64", "unit": "Mpc", "default": 2.0, "min": 0,
     "min_open": true, "max": 10},
    {"name": "steps", "type": "int", "default": 1, "min": 0},
    {"name": "endless", "type": "bool", "default": false},
    {"name": "fail_at", "type": "int", "default": -1},
    {"name": "rank", "type": "int", "default": 0}
  ],
  "inputs": [
    {"name": "field", "kind": "field", "dims": [0, 1], "element": "f32"},
    {"name": "curve", "kind": "table", "optional": true}
  ],
  "outputs": [
    {"name": "scaled", "kind": "field", "unit": "Mpc", "dims": [0, 1],
     "parts": [{"element": "f32", "dims": [0, 1]}]},
    {"name": "pair", "kind": "field", "columns": ["a", "b"], "dims": [0, 1],
     "parts": [{"element": "f32", "dims": [0, 1]},
               {"element": "f32", "dims": [0, 1]}]},
    {"name": "sum", "kind": "scalars", "count": 1},
    {"name": "step", "kind": "scalars", "count": 1, "loops": 1,
     "element": "i64"}
  ],
  "dims": [
    {"name": "x", "extent": 6, "axes": ["row"], "length": "Mpc"},
    {"name": "y", "extent": 4}
  ],
  "mesh": [{"axis": "row", "extent": 1}],
  "locations": ["embed.pm:1:1", "embed.pm:3:5", "embed.pm:7:9"],
  "buffers": [
    {"element": "f32", "dims": [0, 1], "start": 0, "end": 9, "name": "in"},
    {"element": "f32", "dims": [0, 1], "start": 0, "end": 9, "name": "out"}
  ]
})json";

enum Param { Factor, Steps, Endless, FailAt, RankThatFails };
enum Where { Start, Loop, End };

pmrt_array fieldAt(pmrt_context *ctx, int32_t buffer) {
  pmrt_array a;
  std::memset(&a, 0, sizeof a);
  a.data = pmrt_buffer(ctx, buffer);
  a.element = PMRT_F32;
  a.rank = 2;
  a.dims[1] = 1;
  return a;
}

void spin(void *, int64_t, int64_t) {
  const int32_t *flag = pmrt_interrupts();
  while (!__atomic_load_n(flag, __ATOMIC_RELAXED))
    std::this_thread::yield();
  pmrt_stop();
}

void entry(pmrt_context *ctx) {
  const double factor = pmrt_param_f64(ctx, Factor);
  pmrt_set_length(ctx, 0, factor);
  pmrt_array in = fieldAt(ctx, 0), out = fieldAt(ctx, 1);
  pmrt_input_field(ctx, Start, 0, &in);
  double more = 0;
  if (pmrt_input_given(ctx, 1))
    more = pmrt_table_lookup(pmrt_input_table(ctx, Start, 1), 0.5);
  const int64_t local = pmrt_local_extent(ctx, 0) * columns;
  auto *to = static_cast<float *>(out.data);
  for (int64_t i = 0; i < local; ++i)
    to[i] = 0;
  const int64_t steps = pmrt_param_i64(ctx, Steps);
  pmrt_loop_begin(ctx, Loop, steps);
  for (int64_t step = 0; step < steps; ++step) {
    pmrt_loop_step(ctx, Loop, step);
    const double number = double(step);
    pmrt_print(ctx, Loop, "step {:.0f}", 1, &number);
    const bool mine = pmrt_local_offset(ctx, 0) ==
                      pmrt_param_i64(ctx, RankThatFails) * rows / 2;
    if (step == pmrt_param_i64(ctx, FailAt) && mine)
      pmrt_undefined("embed.pm:5:7", "a test");
    pmrt_assert(ctx, End, step != pmrt_param_i64(ctx, FailAt),
                "step {:.0f} fails", 1, &number);
    for (int64_t i = 0; i < local; ++i)
      to[i] += float(factor + more) * static_cast<float *>(in.data)[i];
    pmrt_iterations(ctx, 1, &step);
    double bits = 0;
    std::memcpy(&bits, &step, sizeof bits);
    pmrt_output_scalars(ctx, Loop, 3, 1, &bits);
  }
  pmrt_loop_end(ctx, Loop);
  if (pmrt_param_i64(ctx, Endless))
    pmrt_parallel_for(ctx, nullptr, End, "spin", spin, nullptr, 2, 1 << 20);
  double sum = 0;
  for (int64_t i = 0; i < local; ++i)
    sum += to[i];
  pmrt_all_reduce(ctx, nullptr, End, 1, PMRT_SUM, 1, &sum);
  const pmrt_array *one[] = {&out}, *two[] = {&in, &out};
  pmrt_output_field(ctx, End, 0, 1, one);
  pmrt_output_field(ctx, End, 1, 2, two);
  pmrt_output_scalars(ctx, End, 2, 1, &sum);
}

const pmrt_program program = {PMRT_ABI_VERSION, descriptor, entry};

template <typename T> constexpr pmrt_element elementOf = PMRT_F32;
template <> constexpr pmrt_element elementOf<double> = PMRT_F64;

template <typename T>
pmrt_tensor tensorOf(std::vector<T> &data, std::vector<int64_t> shape) {
  pmrt_tensor t = {};
  t.data = data.data();
  t.element = elementOf<T>;
  t.rank = int32_t(shape.size());
  int64_t stride = sizeof(T);
  for (size_t d = shape.size(); d-- > 0;) {
    t.shape[d] = shape[d];
    t.strides[d] = stride;
    stride *= shape[d];
  }
  return t;
}

/// A session of the program above, with its input bound.
class Embed : public testing::Test {
protected:
  explicit Embed() : library(pmrt_open_program(&program, nullptr)) {
    for (int64_t i = 0; i < cells; ++i)
      field.push_back(float(i) + 0.5f);
  }
  ~Embed() override {
    for (pmrt_session *session : sessions)
      pmrt_session_free(session);
    pmrt_close(library);
  }

  pmrt_session *open(std::vector<const char *> options = {"threads=2"}) {
    pmrt_error *error = nullptr;
    pmrt_session *session = pmrt_session_create(
        library, int32_t(options.size()), options.data(), &error);
    if (error) {
      ADD_FAILURE() << error->message;
      pmrt_error_free(error);
      return nullptr;
    }
    sessions.push_back(session);
    const pmrt_tensor in = tensorOf(field, {rows, columns});
    EXPECT_EQ(pmrt_bind_input(session, 0, &in), 0);
    return session;
  }

  static std::string messageOf(const pmrt_session *session) {
    const pmrt_error *error = pmrt_session_error(session);
    return error ? error->message : "";
  }

  static std::vector<float> resultOf(pmrt_session *session, int32_t output,
                                     int64_t count = cells) {
    pmrt_tensor tensor = {};
    EXPECT_EQ(pmrt_get_output(session, output, 0, &tensor), 0);
    std::vector<float> values(static_cast<size_t>(count));
    std::memcpy(values.data(), tensor.data, values.size() * sizeof(float));
    return values;
  }

  void expectScaled(const std::vector<float> &values, double factor) const {
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(values[i], float(factor) * field[i]) << i;
  }

  pmrt_library *library;
  std::vector<pmrt_session *> sessions;
  std::vector<float> field;
};

} // namespace

TEST_F(Embed, SignatureNamesShapesRangesAndUnits) {
  const auto all = nlohmann::json::parse(pmrt_signature(library));
  EXPECT_EQ(all["name"], "embedded");
  EXPECT_EQ(all["params"][0]["unit"], "Mpc");
  EXPECT_EQ(all["params"][0]["max"], 10);
  EXPECT_EQ(all["params"][0]["min_open"], true);
  EXPECT_EQ(all["inputs"][0]["shape"], (std::vector<int>{rows, columns}));
  EXPECT_EQ(all["inputs"][1]["kind"], "table");
  EXPECT_EQ(all["outputs"][1]["shape"], (std::vector<int>{rows, columns, 2}));
  EXPECT_EQ(all["outputs"][2]["shape"], std::vector<int>{});
  EXPECT_EQ(all["outputs"][2]["element"], "f64");
}

TEST_F(Embed, RunsWithParametersAndGivesTheSameBitsAgain) {
  pmrt_session *session = open();
  ASSERT_EQ(pmrt_set_f64(session, Factor, 3), 0);
  ASSERT_EQ(pmrt_run(session), 0) << messageOf(session);
  const std::vector<float> first = resultOf(session, 0);
  expectScaled(first, 3);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(pmrt_run(session), 0);
    EXPECT_EQ(resultOf(session, 0), first);
  }
  ASSERT_EQ(pmrt_unset(session, Factor), 0);
  ASSERT_EQ(pmrt_run(session), 0);
  expectScaled(resultOf(session, 0), 2);
  const auto attributes =
      nlohmann::json::parse(pmrt_output_attributes(session, 0, 0));
  EXPECT_EQ(attributes["unit"], "Mpc");
  EXPECT_EQ(attributes["dimensions"], (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(attributes["box"], (std::vector<double>{2, 0}));
  EXPECT_EQ(attributes["param.factor"], 2);
}

TEST_F(Embed, ReadsAndWritesStridedMemoryOfOtherPrecision) {
  pmrt_session *session = open();
  // f64, transposed, every second element.
  std::vector<double> wide(size_t(2 * cells), -1);
  pmrt_tensor in = tensorOf(wide, {rows, columns});
  in.strides[0] = 2 * sizeof(double);
  in.strides[1] = 2 * rows * sizeof(double);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      wide[size_t(2 * (j * rows + i))] = field[size_t(i * columns + j)];
  ASSERT_EQ(pmrt_bind_input(session, 0, &in), 0) << messageOf(session);
  std::vector<float> out(static_cast<size_t>(2 * cells), -1);
  pmrt_tensor pair = tensorOf(out, {rows, columns, 2});
  pair.strides[0] = 4;
  pair.strides[1] = rows * 4;
  pair.strides[2] = cells * 4;
  ASSERT_EQ(pmrt_bind_output(session, 1, &pair), 0) << messageOf(session);
  ASSERT_EQ(pmrt_run(session), 0) << messageOf(session);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      const float value = field[size_t(i * columns + j)];
      EXPECT_EQ(out[size_t(j * rows + i)], value);
      EXPECT_EQ(out[size_t(cells + j * rows + i)], 2 * value);
    }
}

TEST_F(Embed, ReadsATable) {
  pmrt_session *session = open();
  std::vector<double> curve = {0, 1, 1, 3};
  const pmrt_tensor table = tensorOf(curve, {2, 2});
  ASSERT_EQ(pmrt_bind_input(session, 1, &table), 0) << messageOf(session);
  ASSERT_EQ(pmrt_run(session), 0) << messageOf(session);
  expectScaled(resultOf(session, 0), 4); // 2 + the curve at 0.5
  curve = {0, 1, 0, 3};
  EXPECT_EQ(pmrt_run(session), 1);
  EXPECT_NE(messageOf(session).find("curve"), std::string::npos);
}

TEST_F(Embed, WrongUseIsAnErrorOfCode1) {
  pmrt_session *session = open();
  EXPECT_EQ(pmrt_set_f64(session, Factor, 11), 1);
  EXPECT_EQ(messageOf(session), "factor: 11 is out of range, expected a number "
                                "in (0, 10] (in Mpc) [PM9002]");
  EXPECT_EQ(pmrt_set_f64(session, Factor, NAN), 1);
  EXPECT_EQ(pmrt_set_i64(session, Steps, -1), 1);
  EXPECT_EQ(pmrt_set_f64(session, 77, 1), 1);
  const pmrt_tensor flat = tensorOf(field, {cells});
  EXPECT_EQ(pmrt_bind_input(session, 0, &flat), 1);
  EXPECT_EQ(messageOf(session),
            "input 'field' has shape 24, expected 6x4 (x, y) [PM9108]");
  EXPECT_EQ(pmrt_bind_output(session, 3, &flat), 1);
  EXPECT_NE(messageOf(session).find("in a loop"), std::string::npos);
  EXPECT_EQ(pmrt_bind_input(session, 0, nullptr), 0);
  EXPECT_EQ(pmrt_run(session), 1);
  EXPECT_EQ(messageOf(session), "input 'field' must be given [PM9108]");
  field[7] = NAN;
  const pmrt_tensor bad = tensorOf(field, {rows, columns});
  EXPECT_EQ(pmrt_bind_input(session, 0, &bad), 0);
  EXPECT_EQ(pmrt_run(session), 1);
  EXPECT_NE(messageOf(session).find("element [1, 3] is nan"), std::string::npos)
      << messageOf(session);
  const char *option = "mesh=col=2";
  pmrt_error *error = nullptr;
  EXPECT_EQ(pmrt_session_create(library, 1, &option, &error), nullptr);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->code, 1);
  pmrt_error_free(error);
}

TEST_F(Embed, AFailureNamesItsPlaceAndStepAndTheNextRunWorks) {
  pmrt_session *session = open();
  ASSERT_EQ(pmrt_set_i64(session, Steps, 5), 0);
  ASSERT_EQ(pmrt_set_i64(session, RankThatFails, 7), 0); // the assertion fails
  ASSERT_EQ(pmrt_set_i64(session, FailAt, 3), 0);
  EXPECT_EQ(pmrt_run(session), 2);
  const pmrt_error *error = pmrt_session_error(session);
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(error->location, "embed.pm:7:9");
  EXPECT_STREQ(error->message, "step 3 fails (in step 4 of 5) [PM9101]");
  EXPECT_EQ(error->step, 3);
  EXPECT_EQ(error->steps, 5);
  EXPECT_EQ(error->rank, -1);
  ASSERT_EQ(error->note_count, 1);
  EXPECT_STREQ(error->notes[0].location, "embed.pm:3:5");
  ASSERT_EQ(pmrt_set_i64(session, FailAt, -1), 0);
  EXPECT_EQ(pmrt_session_error(session), nullptr);
  EXPECT_EQ(pmrt_run(session), 0) << messageOf(session);
  EXPECT_EQ(pmrt_output_count(session, 3), 5);
  pmrt_tensor last = {};
  ASSERT_EQ(pmrt_get_output(session, 3, 4, &last), 0);
  EXPECT_EQ(last.element, PMRT_I64);
  EXPECT_EQ(*static_cast<int64_t *>(last.data), 4);
}

TEST_F(Embed, RanksShareArraysAndOneOfThemMayFail) {
  pmrt_session *session = open({"mesh=row=2", "threads=1"});
  ASSERT_EQ(pmrt_run(session), 0) << messageOf(session);
  expectScaled(resultOf(session, 0), 2);
  ASSERT_EQ(pmrt_run(session), 0) << messageOf(session);
  expectScaled(resultOf(session, 0), 2);
  ASSERT_EQ(pmrt_set_i64(session, FailAt, 0), 0);
  ASSERT_EQ(pmrt_set_i64(session, RankThatFails, 1), 0);
  EXPECT_EQ(pmrt_run(session), 2);
  EXPECT_STREQ(pmrt_session_error(session)->location, "embed.pm:7:9");
  ASSERT_EQ(pmrt_unset(session, FailAt), 0);
  ASSERT_EQ(pmrt_run(session), 0) << messageOf(session);
  expectScaled(resultOf(session, 0), 2);
}

namespace {

struct Heard {
  std::string printed;
  std::vector<std::array<double, 3>> progress;
  std::atomic<int> asked = 0;
  int patience = 1 << 30;
};

pmrt_callbacks listen(Heard &heard) {
  pmrt_callbacks callbacks = {};
  callbacks.user = &heard;
  callbacks.print = [](void *user, const char *text) {
    static_cast<Heard *>(user)->printed += text;
  };
  callbacks.progress = [](void *user, const pmrt_progress *p) {
    static_cast<Heard *>(user)->progress.push_back(
        {double(p->step), double(p->steps), p->fraction});
  };
  callbacks.ask = [](void *user) {
    auto &heard = *static_cast<Heard *>(user);
    return int32_t(++heard.asked > heard.patience);
  };
  return callbacks;
}

} // namespace

TEST_F(Embed, CallbacksGetPrintsAndProgress) {
  pmrt_session *session = open();
  Heard heard;
  const pmrt_callbacks callbacks = listen(heard);
  pmrt_set_callbacks(session, &callbacks);
  ASSERT_EQ(pmrt_set_i64(session, Steps, 3), 0);
  testing::internal::CaptureStdout();
  ASSERT_EQ(pmrt_run(session), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(heard.printed, "step 0\nstep 1\nstep 2\n");
  ASSERT_GE(heard.progress.size(), 2u);
  EXPECT_EQ(heard.progress.back()[1], 3);
  EXPECT_EQ(heard.progress.back()[2], 1);
  EXPECT_GT(heard.asked, 0);
  heard.patience = heard.asked;
  EXPECT_EQ(pmrt_run(session), 130);
  EXPECT_EQ(messageOf(session), "interrupted");
}

TEST_F(Embed, AnInterruptEndsOneSessionAlone) {
  pmrt_session *endless = open(), *other = open();
  ASSERT_EQ(pmrt_set_i64(endless, Endless, 1), 0);
  for (int i = 0; i < 2; ++i) {
    int32_t code = -1;
    std::thread runner([&] { code = pmrt_run(endless); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(pmrt_run(other), 0) << messageOf(other);
    const auto begin = std::chrono::steady_clock::now();
    pmrt_session_interrupt(endless);
    runner.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begin,
              std::chrono::seconds(2)); // on a busy machine
    EXPECT_EQ(code, 130);
    EXPECT_STREQ(pmrt_session_error(endless)->location, "embed.pm:7:9");
  }
  ASSERT_EQ(pmrt_set_i64(endless, Endless, 0), 0);
  EXPECT_EQ(pmrt_run(endless), 0) << messageOf(endless);
  expectScaled(resultOf(endless, 0), 2);
}

TEST_F(Embed, SessionsInThreadsDoNotMeet) {
  // Errors and interrupts of one session while the other one runs.
  struct Endlessly {
    pmrt_session *session;
    std::mutex lock;
    bool runs = false;

    void set(bool on) {
      const std::lock_guard guard(lock);
      runs = on;
      EXPECT_EQ(pmrt_set_i64(session, Endless, on), 0);
    }
    void interrupt() {
      const std::lock_guard guard(lock);
      if (runs)
        pmrt_session_interrupt(session);
    }
  };
  std::array<Endlessly, 2> mine;
  mine[0].session = open({"threads=1"});
  mine[1].session = open({"threads=2"});
  const auto use = [&](size_t t) {
    pmrt_session *session = mine[t].session;
    for (int i = 0; i < 50; ++i) {
      const bool fails = (i + int(t)) % 3 == 0;
      const bool endless = !fails && i % 5 == 0;
      EXPECT_EQ(pmrt_set_f64(session, Factor, double(t + 1)), 0);
      EXPECT_EQ(pmrt_set_i64(session, RankThatFails, 7), 0);
      EXPECT_EQ(pmrt_set_i64(session, FailAt, fails ? 0 : -1), 0);
      mine[t].set(endless);
      EXPECT_EQ(pmrt_run(session), fails     ? 2
                                   : endless ? 130
                                             : 0)
          << messageOf(session);
      if (!fails && !endless)
        expectScaled(resultOf(session, 0), double(t + 1));
      mine[t].set(false);
    }
  };
  std::atomic<bool> over = false;
  std::thread interrupter([&] {
    while (!over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      for (Endlessly &one : mine)
        one.interrupt();
    }
  });
  std::thread other([&] { use(1); });
  use(0);
  other.join();
  over = true;
  interrupter.join();
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PMRT_TEST_KEEPS_MEMORY
#endif
#endif

TEST_F(Embed, ManyRunsTakeNoMoreMemory) {
#ifdef PMRT_TEST_KEEPS_MEMORY
  GTEST_SKIP() << "a sanitizer keeps memory that was freed";
#endif
  pmrt_session *session = open({"threads=1"});
  const auto resident = [] {
    long all = 0, pages = 0;
    std::ifstream file("/proc/self/statm");
    file >> all >> pages;
    EXPECT_TRUE(file);
    return pages * sysconf(_SC_PAGESIZE);
  };
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(pmrt_run(session), 0);
  const long before = resident();
  for (int i = 0; i < 10000; ++i)
    ASSERT_EQ(pmrt_run(session), 0);
  EXPECT_LT(resident() - before, 1 << 20);
}
