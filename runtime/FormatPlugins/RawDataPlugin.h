//===- RawDataPlugin.h - Interface of the plugin for ISMRMRD ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ISMRMRD file is a list of readouts, each with its place among the encoding
// steps. The plugin finds the place of each and fills an array with them; lines
// that were not measured are zero, and lines that were measured several times
// are averaged. Readouts along other trajectories tell where in k-space their
// samples are: that is an array of its own, with components in the place of
// coils.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FORMATPLUGINS_RAWDATAPLUGIN_H
#define PMRT_FORMATPLUGINS_RAWDATAPLUGIN_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pmrt {

/// The axes of raw data in the order of a file, the slowest first.
enum RawAxis {
  RawRepetition,
  RawSet,
  RawPhase,
  RawContrast,
  RawSlice,
  RawStep2,
  RawStep1,
  RawCoil,
  RawSample,
  RawAxes
};

/// Raw data opened for reading; made and destroyed by the plugin.
class RawData {
public:
  virtual ~RawData() = default;
  std::array<int64_t, RawAxes> cells = {};
  /// Field of view along samples and both steps, in meters; 0: not told.
  std::array<double, 3> view = {};
  /// Whether samples and steps count modes: readouts are lines of a grid.
  bool isCartesian = false;
  /// The box of `count` cells from `start` on: pairs of floats, of a trajectory
  /// floats.
  virtual void read(const std::array<int64_t, RawAxes> &start,
                    const std::array<int64_t, RawAxes> &count, float *out) = 0;
};

} // namespace pmrt

/// What the plugin exports. The version first: the rest may have changed. They
/// throw std::runtime_error, whose text goes behind the file's name. The
/// library uses HDF5: who calls holds the lock (Hdf5.h).
#define PMRT_ISMRMRD_PLUGIN_VERSION 3
extern "C" {
int pmrt_ismrmrd_plugin_version();
pmrt::RawData *pmrt_ismrmrd_plugin_open(const std::string &path,
                                        const std::string &group,
                                        bool isTrajectory);
}

#endif // PMRT_FORMATPLUGINS_RAWDATAPLUGIN_H
