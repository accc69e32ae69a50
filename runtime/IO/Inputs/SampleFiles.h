//===- SampleFiles.h - Samples in files -------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_INPUTS_SAMPLEFILES_H
#define PMRT_IO_INPUTS_SAMPLEFILES_H

#include "runtime/Dist/Layout.h"
#include "runtime/IO/Inputs/FieldFile.h"

#include <memory>
#include <string>
#include <vector>

namespace pmrt {

/// One file whose first axis counts samples, or a folder with a file for each.
/// Errors are std::runtime_error and name the file and the sample. One thread
/// at a time.
class SampleFiles {
public:
  SampleFiles(const Context &context, const Input &input,
              const std::string &spec);

  int64_t count() const { return samples; }
  /// What reading a sample takes besides its elements.
  int64_t workBytes() const { return work; }
  /// "boxes.h5:/maps, 256 samples of 32x32x32 float32".
  std::string text() const;
  /// As of a FieldFile; of a folder, that of the first file.
  const std::string &conversion() const { return converted; }
  /// "sample 7 of boxes.h5:/maps", "sample 7, boxes/7.npy".
  std::string nameOf(int64_t sample) const;
  /// A part of a sample: the box of `shape` cells from `start` on.
  void read(int64_t sample, pmrt_element element,
            const std::vector<int64_t> &start,
            const std::vector<int64_t> &shape, void *out);
  /// Identifies this set of files without reading it: their
  /// names, bytes and times of change.
  std::string fingerprint() const;

private:
  /// The file of a folder that has the sample, and its dataset.
  std::string pathOf(int64_t sample) const;
  void findFiles(const SourceName &place);
  void openOne(const Context &context, const std::string &spec);

  const Context &context;
  const Input &input;
  std::string name;               ///< the folder's or the file's
  std::vector<std::string> files; ///< of a folder
  std::string dataset;            ///< of each of these, if they are HDF5
  std::unique_ptr<Source> whole;  ///< of one file
  std::string type;               ///< of the elements: "float32"
  std::string converted;
  std::vector<int64_t> extents; ///< of a sample
  int64_t samples = 0, work = 0;
};

} // namespace pmrt

#endif // PMRT_IO_INPUTS_SAMPLEFILES_H
