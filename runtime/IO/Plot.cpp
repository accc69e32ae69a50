//===- Plot.cpp - Plots of the ABI ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Format.h"
#include "runtime/Core/Op.h"
#include "runtime/IO/Chart.h"
#include "runtime/IO/Finite.h"
#include "runtime/IO/OutputFile.h"

#include <cmath>
#include <filesystem>
#include <numeric>

using namespace pmrt;

static std::vector<double> valuesOf(const pmrt_array &array, int64_t count) {
  std::vector<double> values{};
  values.resize(size_t(count));
  auto convert = [&](auto zero) {
    const auto *data = static_cast<const decltype(zero) *>(array.data);
    for (int64_t i = 0; i < count; ++i)
      values[size_t(i)] = double(data[i]);
  };
  auto modulus = [&](auto zero) {
    const auto *data = static_cast<const decltype(zero) *>(array.data);
    for (int64_t i = 0; i < count; ++i)
      values[size_t(i)] =
          std::hypot(double(data[2 * i]), double(data[2 * i + 1]));
  };
  switch (pmrt_element(array.element)) {
  case PMRT_F32:
    convert(float());
    break;
  case PMRT_F64:
    convert(double());
    break;
  case PMRT_C64:
    modulus(float());
    break;
  case PMRT_C128:
    modulus(double());
    break;
  case PMRT_I8:
    convert(int8_t());
    break;
  case PMRT_I64:
    convert(int64_t());
    break;
  }
  return values;
}

void pmrt_plot(pmrt_context *ctx, pmrt_loc loc, int32_t plot, int32_t parts,
               const pmrt_array *const *arrays) {
  if (plot < 0 || size_t(plot) >= ctx->program.plots.size() || parts < 1)
    throw ctx->failure(loc, fmt::format("internal error: plot {}", plot));
  const Plot &what = ctx->program.plots[size_t(plot)];
  Op op(*ctx, loc, "plot");
  const std::vector<int64_t> shape = ctx->shape(loc, *arrays[0]);
  const int64_t count = ctx->elements(loc, *arrays[0]);
  for (int32_t part = 0; part < parts; ++part) {
    if (ctx->shape(loc, *arrays[part]) != shape)
      throw ctx->failure(loc, "internal error: the parts of a plot differ");
    const auto element = pmrt_element(arrays[part]->element);
    const int64_t bad =
        firstNonFinite(ctx->threads, element, arrays[part]->data, count);
    if (bad >= 0)
      throw ctx->failure(
          loc, fmt::format("plot '{}' is not finite: element {} is {}",
                           what.name, indexText(shape, bad),
                           elementText(element, arrays[part]->data, bad)));
  }
  ChartStyle style;
  style.title = what.title.empty() ? what.name : what.title;
  style.colormap = isColormap(what.colormap) ? what.colormap : "viridis";
  style.logarithmic = what.logarithmic;

  auto axis = [&](int d) {
    const auto dim = size_t(arrays[0]->dims[d]);
    return PictureAxis{ctx->program.dims[dim].name, ctx->lengths[dim]};
  };
  std::string file;
  if (shape.size() == 2 && parts == 1) {
    const std::vector<double> values = valuesOf(*arrays[0], count);
    if (style.logarithmic && std::none_of(values.begin(), values.end(),
                                          [](double v) { return v > 0; }))
      ctx->progress.announce(fmt::format(
          "{}: warning: plot '{}' has no positive value, drawn on a linear "
          "scale",
          ctx->location(loc), what.name));
    file =
        drawPicture(values, shape[0], shape[1], axis(0), axis(1), style).png();
  } else if (shape.size() == 1) {
    std::vector<double> x(static_cast<size_t>(count));
    std::vector<std::vector<double>> curves;
    if (parts == 1)
      std::iota(x.begin(), x.end(), 0.0);
    else
      x = valuesOf(*arrays[0], count);
    for (int32_t part = parts > 1; part < parts; ++part)
      curves.push_back(valuesOf(*arrays[part], count));
    file = drawCurves(x, curves, style).png();
  } else {
    throw ctx->failure(
        loc, fmt::format("plot '{}' needs one 2-D field, or 1-D ones; it has "
                         "{} of {} dims",
                         what.name, parts, shape.size()));
  }
  const std::string path =
      (std::filesystem::path(ctx->settings.out) / (what.name + ".png"))
          .string();
  try {
    writeWholeFile(path, file);
  } catch (const std::runtime_error &e) {
    throw ctx->failure(loc, e.what());
  }
  ctx->written.push_back(path);
}
