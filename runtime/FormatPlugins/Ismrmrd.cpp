//===- Ismrmrd.cpp - The plugin for ISMRMRD -------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/FormatPlugins/RawDataPlugin.h"
#include "runtime/IO/Files/GlobalHeap.h"

#include <algorithm>
#include <fmt/format.h>
#include <hdf5.h>
#include <ismrmrd/ismrmrd.h>
#include <ismrmrd/xml.h>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

using namespace pmrt;

namespace {

/// Axes that say which readout it is.
constexpr int lineAxes = RawCoil;

/// Noise, navigators and the like, which are not data of the image.
bool isImaging(uint64_t flags) {
  using namespace ISMRMRD;
  const auto isSet = [&](uint64_t flag) {
    return (flags & uint64_t(1) << (flag - 1)) != 0;
  };
  for (const uint64_t flag :
       {ISMRMRD_ACQ_IS_NOISE_MEASUREMENT, ISMRMRD_ACQ_IS_NAVIGATION_DATA,
        ISMRMRD_ACQ_IS_PHASECORR_DATA, ISMRMRD_ACQ_IS_HPFEEDBACK_DATA,
        ISMRMRD_ACQ_IS_DUMMYSCAN_DATA, ISMRMRD_ACQ_IS_RTFEEDBACK_DATA,
        ISMRMRD_ACQ_IS_SURFACECOILCORRECTIONSCAN_DATA})
    if (isSet(flag))
      return false;
  return !isSet(ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION) ||
         isSet(ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING);
}

/// A handle of HDF5 that closes itself. Throws where there is none.
class Handle {
public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string &problem)
      : id(id), close(close) {
    if (id < 0)
      throw std::runtime_error(problem);
  }
  ~Handle() { close(id); }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  operator hid_t() const { return id; }

private:
  hid_t id;
  herr_t (*close)(hid_t);
};

/// The counters of a readout that are used, as HDF5 reads them.
struct Counters {
  uint16_t kspace_encode_step_1, kspace_encode_step_2, slice, contrast, phase,
      repetition, set;
  bool operator==(const Counters &) const = default;
};

/// The numbers of a readout's header that are used.
struct Head {
  uint64_t flags;
  uint16_t number_of_samples, active_channels, discard_pre, discard_post,
      center_sample, encoding_space_ref, trajectory_dimensions;
  Counters idx;
  bool operator==(const Head &) const = default;
  /// Samples that are not to be discarded.
  int64_t kept() const {
    return int64_t(number_of_samples) - discard_pre - discard_post;
  }
};

struct Readout {
  Head head = {};
  std::vector<float> traj, data;

  int64_t samples() const { return head.number_of_samples; }
};

struct Line {
  uint32_t number; ///< in the file
  Head head;
  std::array<int64_t, lineAxes> place;
};

/// The datasets of a group. The library's own functions copy as many numbers as
/// a header promises, whether the file has them or not, so HDF5 reads here.
/// Datasets are opened for each call, because HDF5 shares one that is open
/// among all ranks of a process, with the file of the rank that opened it
/// first, which may end before the others do.
class File {
public:
  File(const std::string &path, const std::string &group)
      : file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
             "cannot be opened"),
        group(group), heap(path, file),
        number(H5Tvlen_create(H5T_NATIVE_FLOAT), H5Tclose,
               "HDF5 cannot create its types"),
        type(makeType(), H5Tclose, "HDF5 cannot create its types") {
    const Handle readouts = open("data");
    const Handle stored(H5Dget_type(readouts), H5Tclose, notReadouts);
    checkOffsets(stored);
    checkMembers(type, stored);
    for (const char *name : {"traj", "data"})
      lists.push_back(H5Tget_member_offset(
          stored, unsigned(H5Tget_member_index(stored, name))));
    const Handle space(H5Dget_space(readouts), H5Sclose, notReadouts);
    extents.resize(size_t(std::max(0, H5Sget_simple_extent_ndims(space))));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    if (extents.empty() ||
        H5Sget_simple_extent_npoints(space) != hssize_t(extents[0]) ||
        extents[0] > std::numeric_limits<uint32_t>::max())
      throw std::runtime_error(notReadouts);
  }

  std::string header() const {
    const std::string problem = "has no text in its dataset 'xml'";
    const Handle texts = open("xml");
    const Handle stored(H5Dget_type(texts), H5Tclose, problem);
    const Handle space(H5Dget_space(texts), H5Sclose, problem);
    char *text = nullptr;
    if (!GlobalHeap::isTextType(stored) ||
        H5Sget_simple_extent_npoints(space) != 1 ||
        !heap.isWhole(texts, 0, {0}, 1) ||
        H5Dread(texts, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                static_cast<void *>(&text)) < 0 ||
        !text)
      throw std::runtime_error(problem);
    const std::unique_ptr<char, decltype(&H5free_memory)> held(text,
                                                               &H5free_memory);
    return text;
  }
  uint32_t count() const { return uint32_t(extents[0]); }

  void read(uint32_t index, Readout &out) const {
    const std::string problem =
        fmt::format("is damaged: readout {} cannot be read", index);
    const Handle readouts = open("data");
    const Handle space(H5Dget_space(readouts), H5Sclose, problem);
    std::vector<hsize_t> start(extents.size(), 0), size(extents.size(), 1);
    start[0] = index;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr,
                        size.data(), nullptr);
    const Handle one(H5Screate(H5S_SCALAR), H5Sclose, problem);
    if (!heap.isWhole(readouts, index, lists, sizeof(float)))
      throw std::runtime_error(problem);
    Stored stored = {};
    const herr_t status =
        H5Dread(readouts, type, one, space, H5P_DEFAULT, &stored);
    if (status >= 0) {
      out.head = stored.head;
      take(stored.traj, out.traj);
      take(stored.data, out.data);
    }
    H5Dvlen_reclaim(type, one, H5P_DEFAULT, &stored);
    if (status < 0)
      throw std::runtime_error(problem);
  }

private:
  static constexpr const char *notReadouts =
      "has a dataset 'data' that is not a list of readouts";

  Handle open(const char *name) const {
    return {
        H5Dopen2(file, fmt::format("{}/{}", group, name).c_str(), H5P_DEFAULT),
        H5Dclose, fmt::format("has no readable dataset '{}'", name)};
  }

  struct Stored {
    Head head;
    hvl_t traj, data;
  };

  static void take(const hvl_t &from, std::vector<float> &to) {
    const auto *numbers = static_cast<const float *>(from.p);
    to.assign(numbers, numbers + (numbers ? from.len : 0));
  }

  /// HDF5 converts from what the file has by the names of members.
  hid_t makeType() const {
    const Handle counters(H5Tcreate(H5T_COMPOUND, sizeof(Counters)), H5Tclose,
                          notReadouts);
    const Handle head(H5Tcreate(H5T_COMPOUND, sizeof(Head)), H5Tclose,
                      notReadouts);
#define MEMBER(type, of, name, element)                                        \
  H5Tinsert(type, #name, HOFFSET(of, name), element)
    MEMBER(counters, Counters, kspace_encode_step_1, H5T_NATIVE_UINT16);
    MEMBER(counters, Counters, kspace_encode_step_2, H5T_NATIVE_UINT16);
    MEMBER(counters, Counters, slice, H5T_NATIVE_UINT16);
    MEMBER(counters, Counters, contrast, H5T_NATIVE_UINT16);
    MEMBER(counters, Counters, phase, H5T_NATIVE_UINT16);
    MEMBER(counters, Counters, repetition, H5T_NATIVE_UINT16);
    MEMBER(counters, Counters, set, H5T_NATIVE_UINT16);
    MEMBER(head, Head, flags, H5T_NATIVE_UINT64);
    MEMBER(head, Head, number_of_samples, H5T_NATIVE_UINT16);
    MEMBER(head, Head, active_channels, H5T_NATIVE_UINT16);
    MEMBER(head, Head, discard_pre, H5T_NATIVE_UINT16);
    MEMBER(head, Head, discard_post, H5T_NATIVE_UINT16);
    MEMBER(head, Head, center_sample, H5T_NATIVE_UINT16);
    MEMBER(head, Head, encoding_space_ref, H5T_NATIVE_UINT16);
    MEMBER(head, Head, trajectory_dimensions, H5T_NATIVE_UINT16);
    MEMBER(head, Head, idx, counters);
    const hid_t made = H5Tcreate(H5T_COMPOUND, sizeof(Stored));
    MEMBER(made, Stored, head, head);
    MEMBER(made, Stored, traj, number);
    MEMBER(made, Stored, data, number);
#undef MEMBER
    return made;
  }

  /// Throws where a member is beyond the end of its compound: HDF5 would copy
  /// from there.
  static void checkOffsets(hid_t stored) {
    if (H5Tget_class(stored) != H5T_COMPOUND)
      return;
    for (int m = 0; m < H5Tget_nmembers(stored); ++m) {
      const Handle member(H5Tget_member_type(stored, unsigned(m)), H5Tclose,
                          notReadouts);
      const size_t all = H5Tget_size(stored), size = H5Tget_size(member),
                   at = H5Tget_member_offset(stored, unsigned(m));
      if (size > all || at > all - size)
        throw std::runtime_error(notReadouts);
      checkOffsets(member);
    }
  }

  /// Throws where a file lacks a member: HDF5 would leave it as it is.
  static void checkMembers(hid_t wanted, hid_t stored) {
    for (int m = 0; m < H5Tget_nmembers(wanted); ++m) {
      const std::unique_ptr<char, decltype(&H5free_memory)> name(
          H5Tget_member_name(wanted, unsigned(m)), &H5free_memory);
      const int there = H5Tget_class(stored) == H5T_COMPOUND
                            ? H5Tget_member_index(stored, name.get())
                            : -1;
      if (there < 0)
        throw std::runtime_error(
            fmt::format("{}: it has no '{}'", notReadouts, name.get()));
      const Handle inside(H5Tget_member_type(wanted, unsigned(m)), H5Tclose,
                          notReadouts);
      if (H5Tget_class(inside) != H5T_COMPOUND)
        continue;
      const Handle other(H5Tget_member_type(stored, unsigned(there)), H5Tclose,
                         notReadouts);
      checkMembers(inside, other);
    }
  }

  Handle file;
  std::string group;
  GlobalHeap heap;
  std::vector<size_t> lists; ///< where the lists of a readout are in it
  Handle number, type;
  std::vector<hsize_t> extents;
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
      throw std::runtime_error("does not exist: according to the header, "
                               "readouts are lines of a Cartesian grid");
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
    readChecked(line.number);
    if (one.head != line.head)
      throw std::runtime_error(
          fmt::format("changed while it was read (readout {})", line.number));
    if (isTrajectory)
      return addPlaces(line, start, count, part == 1.0F, out);
    const int64_t first = firstCell(one);
    const int64_t begin =
        std::max<int64_t>(one.head.discard_pre, start[RawSample] - first);
    const int64_t end = std::min(one.samples() - one.head.discard_post,
                                 start[RawSample] + count[RawSample] - first);
    for (int64_t c = 0; c < count[RawCoil]; ++c) {
      const float *from =
          one.data.data() + 2 * (start[RawCoil] + c) * one.samples();
      float *to = out + 2 * c * count[RawSample];
      for (int64_t s = begin; s < end; ++s) {
        float *value = to + 2 * (first + s - start[RawSample]);
        value[0] += part * (from[2 * s] - value[0]);
        value[1] += part * (from[2 * s + 1] - value[1]);
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
        const float place = one.traj[size_t(
            (start[RawSample] + s) * cells[RawCoil] + start[RawCoil] + c)];
        float &found = out[c * count[RawSample] + s];
        if (!isFirst && found != place)
          throw std::runtime_error(
              fmt::format("has two readouts with the same counters but "
                          "different trajectories: sample {} of readout {} is "
                          "at {}, in an earlier readout at {}",
                          start[RawSample] + s, line.number, place, found));
        found = place;
      }
  }

  /// Throws where it is not told for all samples: a zero would be a place.
  void checkTrajectory() {
    int64_t places = 1, found = 0;
    for (int a = 0; a < lineAxes; ++a)
      places = int64_t(std::min<__int128>(__int128(places) * cells[size_t(a)],
                                          std::numeric_limits<int64_t>::max()));
    for (size_t i = 0; i < lines.size(); ++i)
      found += i == 0 || lines[i].place != lines[i - 1].place;
    if (found != places)
      throw std::runtime_error(fmt::format(
          "is incomplete: only {} of {} values of the counters have readouts, "
          "so that the positions of the other samples are unknown",
          found, places));
    cells[RawCoil] = 0;
    for (const Line &line : lines) {
      if (!cells[RawCoil])
        cells[RawCoil] = line.head.trajectory_dimensions;
      if (line.head.trajectory_dimensions == 0 ||
          line.head.trajectory_dimensions != cells[RawCoil])
        throw std::runtime_error(fmt::format(
            "is incomplete: readout {} has {} components of the trajectory{}",
            line.number, line.head.trajectory_dimensions,
            line.head.trajectory_dimensions
                ? fmt::format(", other readouts have {}", cells[RawCoil])
                : ""));
      if (line.head.kept() != cells[RawSample])
        throw std::runtime_error(
            fmt::format("is incomplete: without discarded samples, readout {} "
                        "has {} samples, the longest readout has {}",
                        line.number, line.head.kept(), cells[RawSample]));
    }
  }

  /// Where sample 0 of a readout is.
  int64_t firstCell(const Readout &line) const {
    return isCartesian ? cells[RawSample] / 2 - int64_t(line.head.center_sample)
                       : 0;
  }

  /// Reads a readout of the image into `one`. Throws where the header promises
  /// other numbers than there are, or leaves no sample.
  void readChecked(uint32_t number) {
    data.read(number, one);
    if (!isImaging(one.head.flags))
      return;
    const Head &head = one.head;
    if (one.head.kept() <= 0)
      throw std::runtime_error(fmt::format(
          "is damaged: readout {} has no samples: according to its header, it "
          "has {} samples, of which {} + {} are discarded",
          number, one.samples(), head.discard_pre, head.discard_post));
    const int64_t each =
        isTrajectory ? head.trajectory_dimensions : 2 * head.active_channels;
    const auto found = int64_t((isTrajectory ? one.traj : one.data).size());
    if (found == each * one.samples())
      return;
    throw std::runtime_error(fmt::format(
        "is damaged: readout {} has {} numbers in '{}', expected {} for {} "
        "samples of {} {}",
        number, found, isTrajectory ? "traj" : "data", each * one.samples(),
        one.samples(),
        isTrajectory ? head.trajectory_dimensions : head.active_channels,
        isTrajectory ? "components" : "coils"));
  }

  /// Throws where readouts do not fit.
  void findLines() {
    const uint32_t all = data.count();
    int64_t coils = 0;
    for (uint32_t i = 0; i < all; ++i) {
      readChecked(i);
      const Head &head = one.head;
      if (!isImaging(head.flags))
        continue;
      if (head.encoding_space_ref != 0)
        throw std::runtime_error(
            fmt::format("has several encodings (readout {} belongs to encoding "
                        "{}), but only the first is supported",
                        i, head.encoding_space_ref));
      if (head.flags & uint64_t(1) << (ISMRMRD::ISMRMRD_ACQ_IS_REVERSE - 1))
        throw std::runtime_error(fmt::format(
            "has reversed readouts (readout {}), which are not supported", i));
      if (!coils)
        coils = head.active_channels;
      if (coils != head.active_channels)
        throw std::runtime_error(
            fmt::format("has readouts with different numbers of coils: readout "
                        "{} has {}, earlier ones have {}",
                        i, head.active_channels, coils));
      const int64_t samples = one.samples();
      if (!isCartesian)
        cells[RawSample] = std::max(cells[RawSample], samples);
      const int64_t first = firstCell(one);
      if (first + head.discard_pre < 0 ||
          first + samples - head.discard_post > cells[RawSample])
        throw std::runtime_error(fmt::format(
            "has a readout that does not fit: readout {} has {} samples with "
            "its center at sample {}, the encoded matrix has {}",
            i, samples, head.center_sample, cells[RawSample]));
      const auto &index = head.idx;
      Line line{i,
                head,
                {index.repetition, index.set, index.phase, index.contrast,
                 index.slice, index.kspace_encode_step_2 + shift2,
                 index.kspace_encode_step_1 + shift1}};
      for (int a = 0; a < lineAxes; ++a) {
        const auto axis = size_t(a);
        const bool encoded = isCartesian && (a == RawStep1 || a == RawStep2);
        if (!encoded)
          cells[axis] = std::max(cells[axis], line.place[axis] + 1);
        else if (line.place[axis] < 0 || line.place[axis] >= cells[axis])
          throw std::runtime_error(
              fmt::format("has a readout outside of its encoded matrix: "
                          "readout {} is at step {} of {}",
                          i, line.place[axis], cells[axis]));
      }
      lines.push_back(line);
    }
    if (lines.empty())
      throw std::runtime_error(
          fmt::format("has no imaging readouts among its {}", all));
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
