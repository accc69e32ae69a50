//===- NiftiPlugin.h - Interface of the plugin for NIfTI --------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library of NIfTI knows headers and compressed files; the numbers are read
// and written by the runtime. Programs that have no such file do not load it.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FORMATPLUGINS_NIFTIPLUGIN_H
#define PMRT_FORMATPLUGINS_NIFTIPLUGIN_H

#include "runtime/IO/Files/ImageGeometry.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pmrt {

struct NiftiImage {
  std::vector<int64_t> shape;  ///< the fastest first
  std::vector<double> spacing; ///< in meters, of each dim; 0: not told
  char kind = 0;               ///< f, c, i or u; 0: another one
  int size = 0;                ///< bytes of an element
  std::string type;            ///< the library's name of it
  bool swap = false;           ///< not in this machine's byte order
  ImageGeometry geometry;

  /// Of an image that is read.
  std::string numbers; ///< the file that has them
  int64_t offset = 0;  ///< there
  double slope = 0;    ///< values are slope * number + intercept, if not 0
  double intercept = 0;
  bool compressed = false;

  /// Of one that is written.
  std::string description;
  bool isVector = false; ///< the fifth dim counts components
};

} // namespace pmrt

/// What the plugin exports. The version first: the rest may have changed. They
/// throw std::runtime_error, whose text goes behind the file's name.
#define PMRT_NIFTI_PLUGIN_VERSION 3
extern "C" {
int pmrt_nifti_plugin_version();
void pmrt_nifti_plugin_open(const std::string &path, pmrt::NiftiImage &image);
/// Writes the numbers of a compressed image to a descriptor.
void pmrt_nifti_plugin_unpack(const pmrt::NiftiImage &image, int to);
/// Compresses a file into another one. Calls `between` now and then.
void pmrt_nifti_plugin_pack(const std::string &from, const std::string &to,
                            const std::function<void()> &between);
/// The bytes of a file before the numbers.
void pmrt_nifti_plugin_header(const pmrt::NiftiImage &image,
                              std::string &bytes);
}

#endif // PMRT_FORMATPLUGINS_NIFTIPLUGIN_H
