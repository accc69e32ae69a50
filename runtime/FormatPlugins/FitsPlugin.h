//===- FitsPlugin.h - Interface of the plugin for FITS ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CFITSIO reads images, compressed ones too, and columns of tables, and makes
// the headers of what is written. The numbers of outputs are written by the
// runtime. Programs that have no such file do not load it.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_FORMATPLUGINS_FITSPLUGIN_H
#define PMRT_FORMATPLUGINS_FITSPLUGIN_H

#include "pmrt/pmrt.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pmrt {

/// An open image or column.
class FitsArray {
public:
  virtual ~FitsArray() = default;
  std::vector<int64_t> shape; ///< the last axis is the fastest
  char kind = 0;              ///< f, i or u; 0: another one
  std::string type;           ///< "float32", ...
  /// Elements that follow each other along the last axis, converted.
  virtual void read(pmrt_element element, const std::vector<int64_t> &start,
                    int64_t count, void *out) = 0;
  /// Throws if its bytes are not those of which CHECKSUM and DATASUM are, where
  /// it has them. Reads all of it.
  virtual void verify() = 0;
};

/// An image, or a table of one row with the pixels of a map in each column.
struct FitsHeader {
  pmrt_element element = PMRT_F64;
  std::vector<int64_t> shape; ///< of a column; the last axis is the fastest
  std::vector<std::string> dims;
  std::vector<double> spacing; ///< of each dim; 0: not told
  std::vector<std::string> spacingUnits;
  std::vector<std::string> columns; ///< names of components; empty: there is
                                    ///< one, named as the output
  std::string name, unit, program;
  int64_t nside = 0; ///< above 0: a map of HEALPix, else an image
};

} // namespace pmrt

/// What the plugin exports. The version first: the rest may have changed. They
/// throw std::runtime_error, whose text goes behind the file's name.
#define PMRT_FITS_PLUGIN_VERSION 2
extern "C" {
int pmrt_fits_plugin_version();
/// `part`: the name or number of an extension, or the name of a column; "": the
/// first that has numbers.
void pmrt_fits_plugin_open(const std::string &path, const std::string &part,
                           std::unique_ptr<pmrt::FitsArray> &array);
/// The bytes of a file before the numbers, with space for its checksums.
void pmrt_fits_plugin_header(const pmrt::FitsHeader &header,
                             std::string &bytes);
/// Fills in the checksums of a file with such headers.
void pmrt_fits_plugin_sum(const std::string &path);
}

#endif // PMRT_FORMATPLUGINS_FITSPLUGIN_H
