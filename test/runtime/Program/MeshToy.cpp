//===- MeshToy.cpp - A program over a mesh, as the compiler would make one ===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Noise over x, y, z on a mesh of row and col, transforms, outputs, and ways to
// fail on one rank: the one that owns cell (`at`, 0) of x and y.
//
//===----------------------------------------------------------------------===//

#include "pmrt/pmrt.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>

namespace {

constexpr int64_t n = 12;

const char *const descriptor = R"json({
  "name": "mesh_toy", "precision": "f32",
  "params": [
    {"name": "seed", "type": "u64", "default": 42},
    {"name": "steps", "type": "int", "default": 2, "min": 1},
    {"name": "wait", "type": "int", "default": 0, "min": 0},
    {"name": "at", "type": "int", "default": 0},
    {"name": "throw", "type": "bool", "default": false},
    {"name": "kill", "type": "bool", "default": false},
    {"name": "hang", "type": "bool", "default": false},
    {"name": "nan", "type": "bool", "default": false},
    {"name": "full", "type": "bool", "default": false},
    {"name": "refuse", "type": "bool", "default": false},
    {"name": "late", "type": "int", "default": 0},
    {"name": "die", "type": "bool", "default": false}
  ],
  "inputs": [
    {"name": "field", "kind": "field", "optional": true, "dims": [0, 1, 2],
     "element": "f32"},
    {"name": "table", "kind": "table", "optional": true}
  ],
  "outputs": [
    {"name": "noise", "kind": "field", "unit": "1"},
    {"name": "twice", "kind": "field", "flatten": true, "columns": ["a", "b"]},
    {"name": "spectrum", "kind": "field"},
    {"name": "total", "kind": "scalars"}
  ],
  "plots": [{"name": "map"}],
  "dims": [
    {"name": "x", "extent": 12, "axes": ["row"]},
    {"name": "y", "extent": 12, "axes": ["col"]},
    {"name": "z", "extent": 12},
    {"name": "kx", "extent": 12, "kind": "dual", "of": "x"},
    {"name": "ky", "extent": 12, "kind": "dual", "of": "y", "axes": ["row"]},
    {"name": "kz", "extent": 12, "kind": "half", "of": "z", "axes": ["col"]}
  ],
  "mesh": [{"axis": "row", "extent": 1}, {"axis": "col", "extent": 1}],
  "locations": ["mesh.pm:1:1", "mesh.pm:5:9", "mesh.pm:7:3"],
  "buffers": [
    {"element": "f32", "dims": [0, 1, 2], "start": 0, "end": 9, "name": "u"},
    {"element": "f32", "dims": [0, 1, 2], "start": 0, "end": 9, "name": "v"},
    {"element": "c64", "dims": [3, 4, 5], "start": 0, "end": 9, "name": "k"},
    {"element": "f32", "dims": [0, 1], "start": 0, "end": 9, "name": "map"}
  ],
  "transforms": [
    {"from": "f32", "to": "c64", "in": [0, 1, 2], "out": [3, 4, 5], "mask": 7}
  ]
})json";

enum Param {
  Seed,
  Steps,
  Wait,
  At,
  Throw,
  Kill,
  Hang,
  Nan,
  Full,
  Refuse,
  Late,
  Die
};

pmrt_array field(pmrt_context *ctx, int buffer, int element, int first,
                 int rank) {
  pmrt_array a;
  std::memset(&a, 0, sizeof a);
  a.data = pmrt_buffer(ctx, buffer);
  a.element = element;
  a.rank = rank;
  for (int d = 0; d < rank; ++d)
    a.dims[d] = first + d;
  return a;
}

void entry(pmrt_context *ctx) {
  const int64_t rows = pmrt_local_extent(ctx, 0);
  const int64_t cols = pmrt_local_extent(ctx, 1), cells = rows * cols * n;
  const int64_t firstRow = pmrt_local_offset(ctx, 0);
  const int64_t at = pmrt_param_i64(ctx, At);
  const bool chosen =
      at >= firstRow && at < firstRow + rows && pmrt_local_offset(ctx, 1) == 0;
  const pmrt_array u = field(ctx, 0, PMRT_F32, 0, 3);
  const pmrt_array v = field(ctx, 1, PMRT_F32, 0, 3);
  const pmrt_array k = field(ctx, 2, PMRT_C64, 3, 3);
  const pmrt_array map = field(ctx, 3, PMRT_F32, 0, 2);
  auto *values = static_cast<float *>(u.data);

  pmrt_plan_fft(ctx, 0, 1, 7, &u, &k);
  pmrt_white_noise(ctx, nullptr, 0, uint64_t(pmrt_param_i64(ctx, Seed)), &u);
  if (pmrt_input_given(ctx, 0))
    pmrt_input_field(ctx, 1, 0, &u);
  if (pmrt_input_given(ctx, 1))
    pmrt_input_table(ctx, 1, 1);
  pmrt_print(ctx, 0, "{:.0f} steps", 1,
             (const double[]){double(pmrt_param_i64(ctx, Steps))});

  double least = 0;
  pmrt_loop_begin(ctx, 1, pmrt_param_i64(ctx, Steps));
  for (int64_t step = 0; step < pmrt_param_i64(ctx, Steps); ++step) {
    pmrt_loop_step(ctx, 1, step);
    if (chosen && step == 1) {
      if (pmrt_param_i64(ctx, Throw))
        throw std::runtime_error("the kernel has failed");
      if (pmrt_param_i64(ctx, Kill))
        std::raise(SIGKILL);
      if (pmrt_param_i64(ctx, Hang))
        std::fputs("hangs\n", stderr);
      while (pmrt_param_i64(ctx, Hang))
        std::this_thread::sleep_for(std::chrono::seconds(1));
      if (pmrt_param_i64(ctx, Nan))
        values[5] = std::numeric_limits<float>::quiet_NaN();
      std::this_thread::sleep_for(
          std::chrono::milliseconds(pmrt_param_i64(ctx, Late)));
      if (pmrt_param_i64(ctx, Full) || pmrt_param_i64(ctx, Die)) {
        const struct rlimit none = {1024, 1024};
        setrlimit(RLIMIT_FSIZE, &none);
      }
      if (pmrt_param_i64(ctx, Die)) { // in the middle of a write
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        std::signal(SIGXFSZ, SIG_DFL);
      }
    }
    least = values[0];
    for (int64_t i = 0; i < cells; ++i)
      least = std::fmin(least, values[i]);
    pmrt_all_reduce(ctx, nullptr, 2, 3, PMRT_MIN, 1, &least);
    if (int64_t wait = pmrt_param_i64(ctx, Wait))
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
  }
  pmrt_loop_end(ctx, 1);
  pmrt_assert(ctx, 2, !pmrt_param_i64(ctx, Refuse), "the least is {:.3f}", 1,
              &least);

  pmrt_copy(ctx, nullptr, 2, &u, &v);
  pmrt_fft(ctx, nullptr, 2, 1, 7, &u, &k);
  for (int64_t i = 0; i < rows * cols; ++i)
    static_cast<float *>(map.data)[i] = values[i * n];
  const pmrt_array *one[] = {&u}, *two[] = {&u, &v}, *modes[] = {&k},
                   *plane[] = {&map};
  pmrt_output_field(ctx, 2, 0, 1, one);
  pmrt_output_field(ctx, 2, 1, 2, two);
  pmrt_output_field(ctx, 2, 2, 1, modes);
  pmrt_output_scalars(ctx, 2, 3, 1, &least);
  pmrt_plot(ctx, 2, 0, 1, plane);
}

} // namespace

int main(int argc, char **argv) {
  const pmrt_program program = {PMRT_ABI_VERSION, descriptor, entry};
  return pmrt_main(argc, argv, &program);
}
