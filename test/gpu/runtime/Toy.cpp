//===- Toy.cpp - A program for GPUs as the compiler would make one --------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Noise, transforms, kernels, tables, reductions, files on 16^3 cells, on one
// rank or several.
//
//===----------------------------------------------------------------------===//

#include "pmrt/pmrt_cuda.h"

#include <cmath>
#include <cstring>

extern "C" const char toy_kernel_text[];

namespace {

constexpr int64_t n = 16, cells = n * n * n, bins = 8;

const char *const descriptor = R"json({
  "name": "cuda-toy", "doc": "a program on GPUs",
  "source_hash": "0123abcd", "compiler_version": "0.1.0", "target": "cuda",
  "precision": "f32",
  "params": [
    {"name": "seed", "type": "u64", "default": 42},
    {"name": "steps", "type": "int", "default": 4, "min": 1},
    {"name": "poison", "type": "bool", "default": false},
    {"name": "stuck", "type": "bool", "default": false},
    {"name": "missing", "type": "bool", "default": false},
    {"name": "arch", "type": "int", "default": 80}
  ],
  "inputs": [
    {"name": "initial", "kind": "field", "optional": true, "dims": [0, 1, 2],
     "element": "f32", "doc": "instead of noise"},
    {"name": "curve", "kind": "table", "optional": true, "doc": "x, y"}
  ],
  "outputs": [
    {"name": "noise", "kind": "field"},
    {"name": "parts", "kind": "field", "flatten": true,
     "columns": ["a", "b", "c"]},
    {"name": "counts", "kind": "field"},
    {"name": "sums", "kind": "scalars", "columns": ["sum", "squares"]}
  ],
  "plots": [{"name": "plane", "scale": "linear"}],
  "dims": [
    {"name": "x", "extent": 16, "axes": ["row"]},
    {"name": "y", "extent": 16, "axes": ["col"]},
    {"name": "z", "extent": 16},
    {"name": "kx", "extent": 16, "kind": "dual"},
    {"name": "ky", "extent": 16, "kind": "dual", "axes": ["row"]},
    {"name": "kz", "extent": 16, "kind": "half", "axes": ["col"]},
    {"name": "bin", "extent": 8}
  ],
  "mesh": [{"axis": "row", "extent": 1}, {"axis": "col", "extent": 1}],
  "locations": ["toy.pm:1:1", "toy.pm:5:9", "toy.pm:7:3", "toy.pm:9:1"],
  "buffers": [
    {"element": "f32", "dims": [0, 1, 2], "start": 0, "end": 9, "name": "a"},
    {"element": "f32", "dims": [0, 1, 2], "start": 0, "end": 9, "name": "b"},
    {"element": "c64", "dims": [3, 4, 5], "start": 0, "end": 5, "name": "modes"},
    {"element": "f32", "dims": [6], "start": 6, "end": 9, "name": "counts"}
  ],
  "transforms": [
    {"from": "f32", "to": "c64", "in": [0, 1, 2], "out": [3, 4, 5], "mask": 7,
     "in_place": false}
  ]
})json";

enum Param { Seed, Steps, Poison, Stuck, Missing };
enum Where { Start, Input, Kernel, End };

pmrt_array field(pmrt_context *ctx, int buffer, int element, int first,
                 int rank) {
  pmrt_array a;
  std::memset(&a, 0, sizeof a);
  a.data = pmrt_buffer(ctx, buffer);
  a.element = element;
  a.space = PMRT_DEVICE;
  a.rank = rank;
  for (int d = 0; d < rank; ++d)
    a.dims[d] = first + d;
  return a;
}

void launch(pmrt_context *ctx, const char *kernel, int64_t items, void **args) {
  pmrt_launch(ctx, nullptr, Kernel, kernel, kernel, items, 128, 0, args,
              8 * items);
}

void scale(pmrt_context *ctx, pmrt_array field, int64_t count, double factor) {
  void *args[] = {&field.data, &count, &factor};
  launch(ctx, "toy_scale", count, args);
}

void entry(pmrt_context *ctx) {
  pmrt_array a = field(ctx, 0, PMRT_F32, 0, 3);
  pmrt_array b = field(ctx, 1, PMRT_F32, 0, 3);
  pmrt_array modes = field(ctx, 2, PMRT_C64, 3, 3);
  pmrt_array counts = field(ctx, 3, PMRT_F32, 6, 1);
  int64_t local = 1;
  for (int d = 0; d < 3; ++d)
    local *= pmrt_local_extent(ctx, d);
  pmrt_plan_fft(ctx, Start, 1, 7, &a, &modes);
  pmrt_plan_fft(ctx, Start, 0, 7, &modes, &b);
  pmrt_white_noise(ctx, nullptr, Start, uint64_t(pmrt_param_i64(ctx, Seed)),
                   &a);
  if (pmrt_input_given(ctx, 0))
    pmrt_input_field(ctx, Input, 0, &a);
  pmrt_fft(ctx, nullptr, Start, 1, 7, &a, &modes);
  pmrt_fft(ctx, nullptr, Start, 0, 7, &modes, &b);
  scale(ctx, b, local, 1.0 / double(cells));

  const int64_t steps = pmrt_param_i64(ctx, Steps);
  pmrt_loop_begin(ctx, Input, steps);
  for (int64_t step = 0; step < steps; ++step) {
    pmrt_loop_step(ctx, Input, step);
    scale(ctx, b, local, 2);
    if (step == 1 && pmrt_param_i64(ctx, Poison))
      scale(ctx, b, local, HUGE_VAL);
  }
  pmrt_loop_end(ctx, Input);
  scale(ctx, b, local, std::pow(0.5, double(steps)));
  if (pmrt_param_i64(ctx, Stuck)) {
    void *args[] = {&b.data};
    pmrt_launch_blocks(ctx, nullptr, Kernel, "stuck", "toy_stuck", 1, 128, 0,
                       args, 0);
  }
  if (pmrt_param_i64(ctx, Missing))
    pmrt_launch(ctx, nullptr, Kernel, "missing", "toy_missing", 1, 128, 0,
                nullptr, 0);

  pmrt_table *curve = nullptr;
  if (pmrt_input_given(ctx, 1)) {
    curve = pmrt_input_table(ctx, Input, 1);
  } else {
    curve = pmrt_table_create(ctx, Input, 2);
    curve->x[0] = curve->y[0] = 0;
    curve->x[1] = curve->y[1] = 1;
    pmrt_table_check(ctx, Input, curve);
  }
  pmrt_table there;
  pmrt_table_device(ctx, nullptr, Kernel, curve, &there);
  uint64_t *fault = pmrt_fault_word(ctx);
  int32_t line = Kernel;
  void *lookup[] = {&b.data,  &local, &there.size, &there.x,
                    &there.y, &fault, &line};
  launch(ctx, "toy_lookup", local, lookup);

  // The same blocks whatever the GPU.
  const int64_t blocks = pmrt_reduction_blocks(local, 2);
  double *partials = pmrt_partials(ctx, nullptr, End, PMRT_SUM, blocks, 2);
  void *sum[] = {&b.data, &local, &partials};
  pmrt_launch_blocks(ctx, nullptr, End, "sum", "toy_sum", blocks, 128,
                     2 * 128 * 8, sum, 4 * local);
  double sums[2];
  pmrt_reduce_scalars(ctx, nullptr, End, "sum", PMRT_SUM, blocks, 2, partials,
                      sums);
  pmrt_all_reduce(ctx, nullptr, End, 3, PMRT_SUM, 2, sums);
  pmrt_print(ctx, End, "squares {:.3f}", 1, &sums[1]);
  int64_t width = bins;
  partials = pmrt_partials(ctx, nullptr, End, PMRT_SUM, blocks, bins);
  void *bin[] = {&b.data, &local, &width, &partials};
  pmrt_launch_blocks(ctx, nullptr, End, "bins", "toy_bins", blocks, 32, 0, bin,
                     4 * local);
  const pmrt_array *outs[] = {&counts};
  pmrt_finish_fields(ctx, nullptr, End, "bins", PMRT_SUM, blocks, partials, 1,
                     outs);
  pmrt_reduce_fields(ctx, nullptr, End, 3, PMRT_SUM, 1, outs, outs);

  const pmrt_array *one[] = {&a};
  const pmrt_array *three[] = {&a, &b, &a};
  pmrt_output_field(ctx, End, 0, 1, one);
  pmrt_output_field(ctx, End, 1, 3, three);
  pmrt_output_field(ctx, End, 2, 1, outs);
  pmrt_output_scalars(ctx, End, 3, 2, sums);
  pmrt_plot(ctx, End, 0, 1, outs);
}

} // namespace

int main(int argc, char **argv) {
  // --arch=75 as the first flag: a program for another GPU.
  const bool other = argc > 1 && std::strcmp(argv[1], "--arch=75") == 0;
  const pmrt_image images[] = {
      {other ? PMRT_IMAGE_CUBIN : PMRT_IMAGE_PTX, other ? 75 : 80,
       int64_t(std::strlen(toy_kernel_text)) + 1, toy_kernel_text}};
  const pmrt_device_code code = {1, images};
  const pmrt_program program = {PMRT_ABI_VERSION, descriptor, entry};
  return pmrt_main_cuda(argc, argv, &program, &code);
}
