//===- Plot.cpp - Plots of the ABI ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Core/Op.h"
#include "runtime/Dist/Layout.h"
#include "runtime/IO/Chart.h"
#include "runtime/IO/OutputFile.h"
#include "runtime/IO/Outputs.h"

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
  case PMRT_U64:
    convert(uint64_t());
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
  ctx->shape(loc, *arrays[0]); // checks dims and space
  const std::vector<int64_t> shape = layoutOf(*ctx, *arrays[0]).cells();
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (shape.empty() || shape.size() > 2 || (shape.size() == 2 && parts > 1))
    throw ctx->failure(
        loc, fmt::format("plot '{}' needs one 2-D field, or 1-D ones; it has "
                         "{} of {} dims",
                         what.name, parts, shape.size()));
  // The first rank draws what all have.
  const bool first = ctx->transport->rank() == 0;
  std::vector<std::vector<double>> fields(static_cast<size_t>(parts));
  for (int32_t part = 0; part < parts; ++part) {
    ctx->shape(loc, *arrays[part]);
    if (layoutOf(*ctx, *arrays[part]).cells() != shape)
      throw ctx->failure(loc, "internal error: the parts of a plot differ");
    checkFinite(*ctx, loc, *arrays[part], fmt::format("plot '{}'", what.name));
    std::vector<char> data = gatherToFirst(*ctx, *arrays[part]);
    pmrt_array whole = *arrays[part];
    whole.data = data.data();
    if (first)
      fields[size_t(part)] = valuesOf(whole, count);
  }
  ChartStyle style;
  style.title = what.title.empty() ? what.name : what.title;
  style.colormap = isColormap(what.colormap) ? what.colormap : "viridis";
  style.logarithmic = what.logarithmic;

  auto axis = [&](int d) {
    const auto dim = size_t(arrays[0]->dims[d]);
    return PictureAxis{ctx->program.dims[dim].name, ctx->lengths[dim]};
  };
  const std::string path =
      (std::filesystem::path(ctx->settings.out) / (what.name + ".png"))
          .string();
  std::string problem;
  if (first) {
    std::string file;
    if (shape.size() == 2) {
      const std::vector<double> &values = fields[0];
      if (style.logarithmic && std::none_of(values.begin(), values.end(),
                                            [](double v) { return v > 0; }))
        ctx->progress.announce(fmt::format(
            "{}: warning: plot '{}' has no positive value, drawn on a linear "
            "scale",
            ctx->location(loc), what.name));
      file = drawPicture(values, shape[0], shape[1], axis(0), axis(1), style)
                 .png();
    } else {
      std::vector<double> x(static_cast<size_t>(count));
      if (parts == 1) {
        std::iota(x.begin(), x.end(), 0.0);
      } else {
        x = fields[0];
        fields.erase(fields.begin());
      }
      file = drawCurves(x, fields, style).png();
    }
    try {
      writeWholeFile(path, file, ctx->token);
    } catch (const std::runtime_error &e) {
      problem = e.what();
    }
  }
  ctx->agree(loc, problem);
  ctx->written.push_back(path);
}
