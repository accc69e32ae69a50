//===- Ismrmrd.cpp - The plugin for ISMRMRD -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/IO/RawDataFormat.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <ismrmrd/dataset.h>
#include <ismrmrd/ismrmrd.h>
#include <ismrmrd/xml.h>
#include <limits>
#include <memory>
#include <stdexcept>

using namespace pmrt;

namespace {

/// Axes that say which readout it is.
constexpr int lineAxes = RawCoil;

struct Line {
  uint32_t number;    ///< in the file
  int64_t kept;       ///< samples that are not to be discarded
  int64_t components; ///< of where they are
  std::array<int64_t, lineAxes> place;
};

/// Noise, navigators and the like, which are no part of the image's data.
bool isImaging(ISMRMRD::Acquisition &line) {
  using namespace ISMRMRD;
  for (const uint64_t flag :
       {ISMRMRD_ACQ_IS_NOISE_MEASUREMENT, ISMRMRD_ACQ_IS_NAVIGATION_DATA,
        ISMRMRD_ACQ_IS_PHASECORR_DATA, ISMRMRD_ACQ_IS_HPFEEDBACK_DATA,
        ISMRMRD_ACQ_IS_DUMMYSCAN_DATA, ISMRMRD_ACQ_IS_RTFEEDBACK_DATA,
        ISMRMRD_ACQ_IS_SURFACECOILCORRECTIONSCAN_DATA})
    if (line.isFlagSet(flag))
      return false;
  return !line.isFlagSet(ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION) ||
         line.isFlagSet(ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING);
}

/// A readout whose numbers the library's C functions fill.
struct Readout : ISMRMRD::Acquisition {
  ISMRMRD::ISMRMRD_Acquisition *numbers() { return &acq; }
};

/// The library's own class opens files for writing, which locks them against
/// the other ranks, and fails where nobody may write.
class File {
public:
  File(const std::string &path, const std::string &group) {
    check(ISMRMRD::ismrmrd_init_dataset(&set, path.c_str(), group.c_str()));
    set.fileid = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (set.fileid < 0)
      throw std::runtime_error("cannot be opened");
  }
  ~File() { ISMRMRD::ismrmrd_close_dataset(&set); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  std::string header() const {
    const std::unique_ptr<char, decltype(&std::free)> text(
        ISMRMRD::ismrmrd_read_header(&set), &std::free);
    if (!text)
      fail();
    return text.get();
  }
  uint32_t count() const {
    return ISMRMRD::ismrmrd_get_number_of_acquisitions(&set);
  }
  void read(uint32_t number, Readout &out) const {
    check(ISMRMRD::ismrmrd_read_acquisition(&set, number, out.numbers()));
  }

private:
  static void check(int status) {
    if (status != ISMRMRD::ISMRMRD_NOERROR)
      fail();
  }
  /// Throws with all that the library says.
  [[noreturn]] static void fail() {
    std::string text = "cannot be read";
    char *file = nullptr, *function = nullptr, *message = nullptr;
    int line = 0, code = 0;
    for (bool first = true;
         ISMRMRD::ismrmrd_pop_error(&file, &line, &function, &code, &message);
         first = false)
      text += fmt::format("{}{}", first ? ": " : "; ", message);
    throw std::runtime_error(text);
  }

  ISMRMRD::ISMRMRD_Dataset set = {};
};

class Reader : public RawData {
public:
  Reader(const std::string &path, const std::string &group, bool isTrajectory)
      : data(path, group), isTrajectory(isTrajectory) {
    ISMRMRD::IsmrmrdHeader header;
    ISMRMRD::deserialize(data.header().c_str(), header);
    if (header.encoding.empty())
      throw std::runtime_error("has no encoding in its header");
    const ISMRMRD::Encoding &encoding = header.encoding.front();
    isCartesian = encoding.trajectory == ISMRMRD::TrajectoryType::CARTESIAN;
    const auto &matrix = encoding.encodedSpace.matrixSize;
    const auto &extent = encoding.encodedSpace.fieldOfView_mm;
    if (isTrajectory && isCartesian)
      throw std::runtime_error("is not there: the header says that readouts "
                               "are lines of a Cartesian grid");
    view = {1e-3 * double(extent.x), 1e-3 * double(extent.y),
            1e-3 * double(extent.z)};
    cells.fill(1);
    if (isCartesian) {
      cells[RawSample] = matrix.x;
      cells[RawStep1] = matrix.y;
      cells[RawStep2] = matrix.z;
      const auto middle = [](const auto &limit, int64_t size) {
        return limit ? size / 2 - int64_t(limit->center) : int64_t(0);
      };
      shift1 = middle(encoding.encodingLimits.kspace_encoding_step_1, matrix.y);
      shift2 = middle(encoding.encodingLimits.kspace_encoding_step_2, matrix.z);
    } else {
      view = {0, 0, 0};
    }
    findLines();
    if (isTrajectory)
      checkTrajectory();
  }

  void read(const std::array<int64_t, RawAxes> &start,
            const std::array<int64_t, RawAxes> &count, float *out) override {
    int64_t all = numbers();
    for (const int64_t extent : count)
      all *= extent;
    std::fill(out, out + all, 0.0F);
    const Line *last = nullptr;
    int64_t times = 0;
    for (const Line &line : lines) {
      bool inside = true;
      int64_t at = 0;
      for (int a = 0; a < lineAxes; ++a) {
        const auto axis = size_t(a);
        const int64_t i = line.place[axis] - start[axis];
        inside = inside && i >= 0 && i < count[axis];
        at = at * count[axis] + i;
      }
      if (!inside)
        continue;
      times = last && last->place == line.place ? times + 1 : 1;
      last = &line;
      add(line, start, count, float(1.0 / double(times)),
          out + numbers() * at * count[RawCoil] * count[RawSample]);
    }
  }

private:
  /// Of an element.
  int64_t numbers() const { return isTrajectory ? 1 : 2; }

  /// The mean of `times` lines from that of those before.
  void add(const Line &line, const std::array<int64_t, RawAxes> &start,
           const std::array<int64_t, RawAxes> &count, float part, float *out) {
    data.read(line.number, one);
    if (isTrajectory)
      return addPlaces(line, start, count, part == 1.0F, out);
    const int64_t first = firstCell(one);
    const int64_t begin =
        std::max<int64_t>(one.discard_pre(), start[RawSample] - first);
    const int64_t end =
        std::min(int64_t(one.number_of_samples()) - one.discard_post(),
                 start[RawSample] + count[RawSample] - first);
    for (int64_t c = 0; c < count[RawCoil]; ++c) {
      const complex_float_t *from =
          one.getDataPtr() + (start[RawCoil] + c) * one.number_of_samples();
      float *to = out + 2 * c * count[RawSample];
      for (int64_t s = begin; s < end; ++s) {
        float *value = to + 2 * (first + s - start[RawSample]);
        value[0] += part * (from[s].real() - value[0]);
        value[1] += part * (from[s].imag() - value[1]);
      }
    }
  }

  /// The places of a line's samples. Those of lines that are averaged must be
  /// the same.
  void addPlaces(const Line &line, const std::array<int64_t, RawAxes> &start,
                 const std::array<int64_t, RawAxes> &count, bool isFirst,
                 float *out) {
    for (int64_t c = 0; c < count[RawCoil]; ++c)
      for (int64_t s = 0; s < count[RawSample]; ++s) {
        const float place =
            one.getTrajPtr()[(start[RawSample] + s) * cells[RawCoil] +
                             start[RawCoil] + c];
        float &found = out[c * count[RawSample] + s];
        if (!isFirst && found != place)
          throw std::runtime_error(fmt::format(
              "has two readouts of the same counters along different ways: "
              "sample {} of number {} is at {}, of one before at {}",
              start[RawSample] + s, line.number, place, found));
        found = place;
      }
  }

  /// Throws where it is not told for all samples: a zero would be a place.
  void checkTrajectory() {
    int64_t places = 1, found = 0;
    for (int a = 0; a < lineAxes; ++a)
      places *= cells[size_t(a)];
    for (size_t i = 0; i < lines.size(); ++i)
      found += i == 0 || lines[i].place != lines[i - 1].place;
    if (found != places)
      throw std::runtime_error(fmt::format(
          "is not whole: there are readouts for {} of {} values of the "
          "counters, and the samples of the others are nowhere",
          found, places));
    cells[RawCoil] = 0;
    for (const Line &line : lines) {
      if (!cells[RawCoil])
        cells[RawCoil] = line.components;
      if (line.components == 0 || line.components != cells[RawCoil])
        throw std::runtime_error(fmt::format(
            "is not whole: number {} of its readouts tells {} components of "
            "where its samples are{}",
            line.number, line.components,
            line.components ? fmt::format(", others {}", cells[RawCoil]) : ""));
      if (line.kept != cells[RawSample])
        throw std::runtime_error(fmt::format(
            "is not whole: number {} of its readouts has {} samples that are "
            "not to be discarded, the longest one has {}",
            line.number, line.kept, cells[RawSample]));
    }
  }

  /// Where sample 0 of a readout is.
  int64_t firstCell(ISMRMRD::Acquisition &line) const {
    return isCartesian ? cells[RawSample] / 2 - int64_t(line.center_sample())
                       : 0;
  }

  /// Throws where readouts do not fit.
  void findLines() {
    const uint32_t all = data.count();
    int64_t coils = 0;
    for (uint32_t i = 0; i < all; ++i) {
      data.read(i, one);
      if (!isImaging(one))
        continue;
      if (one.encoding_space_ref() != 0)
        throw std::runtime_error(fmt::format(
            "has several encodings (readout {} is of number {}), of "
            "which only the first is read",
            i, one.encoding_space_ref()));
      if (one.isFlagSet(ISMRMRD::ISMRMRD_ACQ_IS_REVERSE))
        throw std::runtime_error(fmt::format(
            "has reversed readouts (number {}), which are not read", i));
      if (!coils)
        coils = one.active_channels();
      if (coils != one.active_channels())
        throw std::runtime_error(
            fmt::format("has readouts of different coils: number {} has {}, "
                        "those before have {}",
                        i, one.active_channels(), coils));
      const int64_t samples = one.number_of_samples();
      if (!isCartesian)
        cells[RawSample] = std::max(cells[RawSample], samples);
      const int64_t first = firstCell(one);
      if (first + one.discard_pre() < 0 ||
          first + samples - one.discard_post() > cells[RawSample])
        throw std::runtime_error(
            fmt::format("has a readout that does not fit: number {} has {} "
                        "samples around its sample {}, the encoded matrix has "
                        "{}",
                        i, samples, one.center_sample(), cells[RawSample]));
      const auto &index = one.idx();
      Line line{i,
                samples - one.discard_pre() - one.discard_post(),
                one.trajectory_dimensions(),
                {index.repetition, index.set, index.phase, index.contrast,
                 index.slice, index.kspace_encode_step_2 + shift2,
                 index.kspace_encode_step_1 + shift1}};
      for (int a = 0; a < lineAxes; ++a) {
        const auto axis = size_t(a);
        const bool encoded = isCartesian && (a == RawStep1 || a == RawStep2);
        if (!encoded)
          cells[axis] = std::max(cells[axis], line.place[axis] + 1);
        else if (line.place[axis] < 0 || line.place[axis] >= cells[axis])
          throw std::runtime_error(fmt::format(
              "has a readout beyond its encoded matrix: number {} is at step "
              "{} of {}",
              i, line.place[axis], cells[axis]));
      }
      lines.push_back(line);
    }
    if (lines.empty())
      throw std::runtime_error(
          fmt::format("has no readouts of an image among its {}", all));
    cells[RawCoil] = coils;
    std::stable_sort(
        lines.begin(), lines.end(),
        [](const Line &a, const Line &b) { return a.place < b.place; });
  }

  File data;
  bool isTrajectory;
  Readout one;
  int64_t shift1 = 0, shift2 = 0;
  std::vector<Line> lines; ///< by place
};

} // namespace

int pmrt_ismrmrd_plugin_version() { return PMRT_ISMRMRD_PLUGIN_VERSION; }

RawData *pmrt_ismrmrd_plugin_open(const std::string &path,
                                  const std::string &group, bool isTrajectory) {
  return new Reader(path, group, isTrajectory);
}
