//===- RawData.cpp - Files of ISMRMRD -------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/Formats/RawData.h"

#include "runtime/Base/Files/LibraryReading.h"
#include "runtime/Base/Plugin.h"
#include "runtime/FormatPlugins/RawDataPlugin.h"
#include "runtime/IO/Files/InputFile.h"
#include "runtime/IO/Formats/Format.h"
#include "runtime/IO/Formats/Hdf5/Hdf5.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>

using namespace pmrt;

namespace {

class RawDataSource : public Source {
public:
  RawDataSource(const std::string &path, const std::string &group,
                bool isTrajectory)
      : path(path), group(group), isTrajectory(isTrajectory) {
    const Plugin plugin("libpmrt_ismrmrd.so", "pmrt_ismrmrd_plugin_version",
                        PMRT_ISMRMRD_PLUGIN_VERSION, /*global=*/false);
    if (!plugin.problem().empty())
      throw std::runtime_error(fmt::format(
          "{} is an ISMRMRD file, which requires a pmc that was built with the "
          "library libismrmrd (package libismrmrd-dev){}",
          path, plugin.problem()));
    attempt([&] {
      data.reset(plugin.find<decltype(pmrt_ismrmrd_plugin_open)>(
          "pmrt_ismrmrd_plugin_open")(path, group, isTrajectory));
    });
  }
  ~RawDataSource() override {
    const Hdf5Lock lock;
    data.reset();
  }
  RawDataSource(const RawDataSource &) = delete;
  RawDataSource &operator=(const RawDataSource &) = delete;

  std::string name() const override {
    return path + ":/" + group + (isTrajectory ? "/traj" : "");
  }
  std::vector<int64_t> shape() const override {
    return {data->cells.begin(), data->cells.end()};
  }
  Kind kind() const override {
    return isTrajectory ? Kind::Real : Kind::Complex;
  }
  std::string type() const override {
    return isTrajectory ? "float32" : "complex64";
  }
  AxisOrder order() const override { return AxisOrder::Lines; }
  /// A batch, coils or components, then samples and steps: the directions of
  /// the image.
  std::vector<size_t> axes() const override {
    return {RawRepetition, RawSet,    RawPhase, RawContrast, RawSlice,
            RawCoil,       RawSample, RawStep1, RawStep2};
  }
  bool hasModes() const override { return data->isCartesian; }
  double spacing(size_t axis) const override {
    const size_t d = axis == RawSample  ? 0
                     : axis == RawStep1 ? 1
                     : axis == RawStep2 ? 2
                                        : 3;
    return d < 3 ? data->view[d] / double(data->cells[axis]) : 0;
  }

  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override {
    std::array<int64_t, RawAxes> from = {}, size = {};
    std::copy(start.begin(), start.end(), from.begin());
    std::copy(count.begin(), count.end(), size.begin());
    if (element == PMRT_C64 || element == PMRT_F32)
      return attempt(
          [&] { data->read(from, size, static_cast<float *>(out)); });
    int64_t numbers = isTrajectory ? 1 : 2;
    for (const int64_t extent : count)
      numbers *= extent;
    parts.resize(size_t(numbers));
    attempt([&] { data->read(from, size, parts.data()); });
    std::copy(parts.begin(), parts.end(), static_cast<double *>(out));
  }

private:
  template <typename Work> void attempt(const Work &work) const {
    const Hdf5Lock lock;
    const LibraryReading reading(path.c_str(), damagedHdf5Advice);
    try {
      work();
    } catch (const std::exception &e) {
      std::string text = e.what();
      std::replace(text.begin(), text.end(), '\n', ' ');
      throw std::runtime_error(fmt::format("{} {}", name(), text));
    }
  }

  std::string path, group;
  bool isTrajectory;
  std::unique_ptr<RawData> data;
  std::vector<float> parts;
};

} // namespace

std::optional<RawDataName> pmrt::rawDataName(const SourceName &name) {
  if (std::string group = rawDataGroup(name.path, name.dataset); !group.empty())
    return RawDataName{std::move(group), false};
  constexpr std::string_view places = "/traj";
  if (!name.dataset.ends_with(places))
    return std::nullopt;
  std::string group = rawDataGroup(
      name.path, name.dataset.substr(0, name.dataset.size() - places.size()));
  if (group.empty())
    return std::nullopt;
  return RawDataName{std::move(group), true};
}

namespace {

/// Raw data in a group of an HDF5 file, or the trajectory of its samples. Lines
/// are read when they are asked for.
class RawDataFormat : public Format {
public:
  std::string_view name() const override { return "ismrmrd"; }
  std::string_view suffix() const override { return "h5"; }
  std::string_view summary() const override { return "raw data of ISMRMRD"; }

  bool isRead() const override { return true; }
  bool probe(const FileStart &file) const override {
    return (!file.part.empty() || file.bytes.starts_with("\x89HDF")) &&
           rawDataName({file.path, file.part, {}});
  }
  std::unique_ptr<Source> open(const std::string &path,
                               const std::string &part) const override {
    const auto raw = rawDataName({path, part, {}});
    return std::make_unique<RawDataSource>(path, raw.value().group,
                                           raw.value().isTrajectory);
  }
  bool hasParts() const override { return true; }
  bool isWritten() const override { return false; }
};

} // namespace

PMRT_FORMATS(RawData, RawDataFormat);
