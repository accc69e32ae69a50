//===- Toy.cpp - A program as the compiler would make one -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses every part of the ABI on 16^3 cells, written by hand.
//
//===----------------------------------------------------------------------===//

#include "pmrt/particles.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

namespace {

constexpr int64_t n = 16, cells = n * n * n, bins = n / 2;

const char *const descriptor = R"json({
  "name": "toy", "doc": "a program that uses every part of the runtime",
  "source_hash": "0123abcd", "compiler_version": "0.1.0", "target": "cpu",
  "precision": "f32",
  "params": [
    {"name": "box", "type": "f64", "unit": "Mpc/h", "default": 100.0,
     "min": 0, "min_open": true, "doc": "side of the box"},
    {"name": "omega_m", "type": "f64", "default": 0.3, "min": 0, "max": 1,
     "min_open": true, "max_open": true, "doc": "matter density"},
    {"name": "h", "type": "f64", "default": 0.7},
    {"name": "seed", "type": "u64", "default": 42},
    {"name": "steps", "type": "int", "default": 3, "min": 1},
    {"name": "shift", "type": "f64", "default": 0.25},
    {"name": "wait", "type": "int", "default": 0, "min": 0,
     "doc": "milliseconds a step"},
    {"name": "nan_step", "type": "int", "default": -1},
    {"name": "fail", "type": "bool", "default": false},
    {"name": "poison", "type": "bool", "default": false},
    {"name": "sigma8", "type": "f64", "optional": true}
  ],
  "inputs": [
    {"name": "delta_lin", "kind": "field", "optional": true, "dims": [0, 1, 2],
     "element": "f32", "doc": "the initial field"},
    {"name": "pk", "kind": "table", "optional": true, "doc": "k, P(k)"}
  ],
  "outputs": [
    {"name": "density", "kind": "field", "unit": "1", "doc": "overdensity"},
    {"name": "position", "kind": "field", "unit": "Mpc/h", "flatten": true,
     "columns": ["x", "y", "z"]},
    {"name": "power", "kind": "field", "columns": ["k", "P", "modes"]},
    {"name": "total", "kind": "scalars"},
    {"name": "moments", "kind": "scalars", "columns": ["mean", "min", "max"]}
  ],
  "plots": [
    {"name": "slice", "scale": "log", "colormap": "inferno", "title": "a slice",
     "labels": ["density"], "units": [""], "axes": ["Mpc/h", "Mpc/h"]},
    {"name": "curve", "scale": "log", "xscale": "log", "labels": ["k", "P"],
     "units": ["h/Mpc", "(Mpc/h)^3"]}
  ],
  "dims": [
    {"name": "x", "extent": 16, "axes": ["row"]},
    {"name": "y", "extent": 16, "axes": ["col"]},
    {"name": "z", "extent": 16},
    {"name": "kx", "extent": 16, "kind": "dual"},
    {"name": "ky", "extent": 16, "kind": "dual"},
    {"name": "kz", "extent": 16, "kind": "half"},
    {"name": "bin", "extent": 8}
  ],
  "mesh": [{"axis": "row", "extent": 1}, {"axis": "col", "extent": 1}],
  "locations": ["toy.pm:1:1", "toy.pm:5:9", "toy.pm:7:3", "toy.pm:9:1"],
  "buffers": [
    {"element": "f32", "dims": [0, 1, 2], "start": 0, "end": 9, "name": "ux"},
    {"element": "f32", "dims": [0, 1, 2], "start": 0, "end": 9, "name": "uy"},
    {"element": "f32", "dims": [0, 1, 2], "start": 0, "end": 9, "name": "uz"},
    {"element": "f32", "dims": [0, 1, 2], "start": 2, "end": 9, "name": "mesh"},
    {"element": "c64", "dims": [3, 4, 5], "start": 0, "end": 1, "name": "modes"},
    {"element": "f64", "dims": [6], "start": 8, "end": 9, "name": "k"},
    {"element": "f64", "dims": [6], "start": 8, "end": 9, "name": "P"},
    {"element": "f64", "dims": [6], "start": 8, "end": 9, "name": "modes_in"}
  ]
})json";

enum Param { Box, OmegaM, H, Seed, Steps, Shift, Wait, NanStep, Fail, Poison };
enum Where { Start, Input, Paint, End };

pmrt_array field(pmrt_context *ctx, int buffer, int element, int first,
                 int rank) {
  pmrt_array a;
  std::memset(&a, 0, sizeof a);
  a.data = pmrt_buffer(ctx, buffer);
  a.element = element;
  a.space = PMRT_HOST;
  a.rank = rank;
  for (int d = 0; d < rank; ++d)
    a.dims[d] = first + d;
  return a;
}

struct Particles {
  const float *u[3]; ///< displacements in cells
  float *mesh;
};

void deposit(const Particles &p, int64_t i) {
  int64_t cell[3][2];
  float weight[3][2];
  const int64_t site[3] = {i / (n * n), i / n % n, i % n};
  for (int d = 0; d < 3; ++d) {
    const float floor = std::floor(p.u[d][i]), t = p.u[d][i] - floor;
    const int64_t c = ((site[d] + int64_t(floor)) % n + n) % n;
    cell[d][0] = c;
    cell[d][1] = (c + 1) % n;
    weight[d][0] = 1 - t;
    weight[d][1] = t;
  }
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 2; ++z)
        p.mesh[(cell[0][x] * n + cell[1][y]) * n + cell[2][z]] +=
            weight[0][x] * weight[1][y] * weight[2][z];
}

void bounds(void *args, int64_t begin, int64_t end, double *partial) {
  auto &p = *static_cast<Particles *>(args);
  for (int64_t i = begin * n; i < end * n; ++i) {
    for (int d = 0; d < 2; ++d) {
      const double low = std::floor(p.u[d][i]);
      partial[2 * d] = std::fmin(partial[2 * d], low);
      partial[2 * d + 1] = std::fmin(partial[2 * d + 1], -low);
    }
    for (const float *u : p.u)
      partial[4] = std::isfinite(u[i]) && !std::isnan(partial[4]) ? 0.0 : NAN;
  }
}

void block(void *args, int64_t b0, int64_t e0, int64_t b1, int64_t e1) {
  for (int64_t i = b0; i < e0; ++i)
    for (int64_t j = b1; j < e1; ++j)
      for (int64_t k = 0; k < n; ++k)
        deposit(*static_cast<Particles *>(args), (i * n + j) * n + k);
}

void planes(void *args, int64_t begin, int64_t end, int32_t *plane) {
  auto &p = *static_cast<Particles *>(args);
  for (int64_t i = begin * n; i < end * n; ++i)
    plane[i] =
        int32_t(((i / (n * n) + int64_t(std::floor(p.u[0][i]))) % n + n) % n);
}

void list(void *args, const int64_t *particles, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    deposit(*static_cast<Particles *>(args), particles[i]);
}

struct Scale {
  float *data;
  float factor;
};

void scale(void *args, int64_t begin, int64_t end) {
  auto &s = *static_cast<Scale *>(args);
  for (int64_t i = begin * n; i < end * n; ++i)
    s.data[i] *= s.factor;
}

void sum(void *args, int64_t begin, int64_t end, double *partial) {
  const auto *data = static_cast<const float *>(args);
  for (int64_t i = begin * n; i < end * n; ++i)
    partial[0] += data[i];
}

void entry(pmrt_context *ctx) {
  const double box = pmrt_param_f64(ctx, Box);
  for (int d = 0; d < 3; ++d)
    pmrt_set_length(ctx, d, box);
  pmrt_array u[3] = {field(ctx, 0, PMRT_F32, 0, 3),
                     field(ctx, 1, PMRT_F32, 0, 3),
                     field(ctx, 2, PMRT_F32, 0, 3)};
  pmrt_array mesh = field(ctx, 3, PMRT_F32, 0, 3);
  pmrt_array modes = field(ctx, 4, PMRT_C64, 3, 3);
  pmrt_plan_fft(ctx, Start, 1, 7, &u[0], &modes);
  pmrt_plan_fft(ctx, Start, 0, 7, &modes, &u[0]);

  const auto seed = uint64_t(pmrt_param_i64(ctx, Seed));
  for (int d = 0; d < 3; ++d)
    pmrt_white_noise(ctx, nullptr, Start, seed + uint64_t(d), &u[d]);
  if (pmrt_input_given(ctx, 0))
    pmrt_input_field(ctx, Input, 0, &u[0]);
  double amplitude = 1;
  if (pmrt_input_given(ctx, 1)) {
    pmrt_table *table = pmrt_input_table(ctx, Input, 1);
    amplitude = pmrt_table_lookup(table, 1.5);
  }
  // There and back again.
  pmrt_fft(ctx, nullptr, Start, 1, 7, &u[0], &modes);
  pmrt_fft(ctx, nullptr, Start, 0, 7, &modes, &u[0]);
  Scale back{static_cast<float *>(u[0].data), float(amplitude / cells)};
  pmrt_parallel_for(ctx, nullptr, Start, "scale", scale, &back, n * n, 8 * n);
  const double told[] = {box, double(pmrt_param_i64(ctx, Steps))};
  pmrt_print(ctx, Start, "box {:.1f}, steps {}", 2, told);

  Particles particles{{static_cast<float *>(u[0].data),
                       static_cast<float *>(u[1].data),
                       static_cast<float *>(u[2].data)},
                      static_cast<float *>(mesh.data)};
  const pmrt_scatter_bodies bodies = {bounds,  block,   planes, list,
                                      nullptr, nullptr, nullptr};
  const pmrt_array *meshes[] = {&mesh};
  const double ratio[2] = {1, 1};
  const int64_t steps = pmrt_param_i64(ctx, Steps);
  pmrt_loop_begin(ctx, Input, steps);
  for (int64_t step = 0; step < steps; ++step) {
    pmrt_loop_step(ctx, Input, step);
    if (step == pmrt_param_i64(ctx, NanStep))
      static_cast<float *>(u[1].data)[77] = NAN;
    pmrt_zero(ctx, nullptr, Paint, &mesh);
    pmrt_scatter(ctx, nullptr, Paint, "paint", &bodies, &particles, 1, meshes,
                 n, n, n, 2, ratio, 1);
    if (int64_t wait = pmrt_param_i64(ctx, Wait))
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
  }
  pmrt_loop_end(ctx, Input);
  double total = 0;
  pmrt_parallel_reduce(ctx, nullptr, End, "sum", sum, mesh.data, n * n, 4 * n,
                       1, PMRT_SUM, &total);
  pmrt_assert(ctx, End, pmrt_param_i64(ctx, Fail) == 0,
              "the sum is {:.0f}, which is too much", 1, &total);
  if (pmrt_param_i64(ctx, Poison))
    static_cast<float *>(mesh.data)[n * n + 2 * n + 3] = NAN;

  pmrt_array spectrum[3] = {field(ctx, 5, PMRT_F64, 6, 1),
                            field(ctx, 6, PMRT_F64, 6, 1),
                            field(ctx, 7, PMRT_F64, 6, 1)};
  for (int64_t b = 0; b < bins; ++b) {
    static_cast<double *>(spectrum[0].data)[b] = double(b);
    static_cast<double *>(spectrum[1].data)[b] = 1000.0 / double(b + 1);
    static_cast<double *>(spectrum[2].data)[b] = double(3 * b);
  }
  const pmrt_array *one[] = {&mesh};
  const pmrt_array *three[] = {&u[0], &u[1], &u[2]};
  const pmrt_array *power[] = {&spectrum[0], &spectrum[1], &spectrum[2]};
  pmrt_output_field(ctx, End, 0, 1, one);
  pmrt_output_field(ctx, End, 1, 3, three);
  pmrt_output_field(ctx, End, 2, 3, power);
  pmrt_output_scalars(ctx, End, 3, 1, &total);
  pmrt_output_scalars(ctx, End, 4, 3, (const double[]){1, 2, 3});
  pmrt_array slice = mesh; // the first plane
  slice.rank = 2;
  const pmrt_array *slices[] = {&slice};
  pmrt_plot(ctx, End, 0, 1, slices);
  pmrt_plot(ctx, End, 1, 2, power);
}

} // namespace

int main(int argc, char **argv) {
  const pmrt_program program = {PMRT_ABI_VERSION, descriptor, entry};
  return pmrt_main(argc, argv, &program);
}
