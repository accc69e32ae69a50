//===- Source.h - Arrays in files -------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_SOURCE_H
#define PMRT_IO_FORMATS_SOURCE_H

#include "runtime/IO/Files/ImageGeometry.h"

#include "pmrt/pmrt.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pmrt {

/// How the dims of a field and the axes of a file belong together, if the user
/// does not say.
enum class AxisOrder {
  Rows,    ///< in their order: the last one is the fastest
  Columns, ///< from the fastest axis on, as `columnDims` (FileOrder.h) has them
  Lines,   ///< of raw data: the file says (`Source::axes`)
};

/// An array in a file. Errors are std::runtime_error whose text begins with the
/// file's name.
class Source {
public:
  enum class Kind { Real, Complex, Integer, Other };

  virtual ~Source() = default;
  /// The file, and the dataset if it is an HDF5 file.
  virtual std::string name() const = 0;
  /// In the order of the file: the last axis is the fastest.
  virtual std::vector<int64_t> shape() const = 0;
  virtual Kind kind() const = 0;
  /// "float32", ...
  virtual std::string type() const = 0;
  /// Whether it can be read as such elements: what converts without a loss.
  virtual bool fits(pmrt_element element) const;
  /// The unit of what a program of pmc wrote, if this is such a file.
  virtual std::optional<std::string> unit() const { return std::nullopt; }
  /// The lengths of its dims, as such a program writes them: "4 km, 100 Mpc/h".
  virtual std::string lengths() const { return ""; }
  /// The box of `count` cells from `start` on, dense, converted to `element`,
  /// which `fits`. Throws where a number cannot be converted exactly.
  void load(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out);
  /// The same, where complex elements come from complex numbers.
  virtual void read(pmrt_element element, const std::vector<int64_t> &start,
                    const std::vector<int64_t> &count, void *out) = 0;

  /// Bytes that reading any part takes besides its elements.
  virtual int64_t workBytes() const { return 0; }

  virtual AxisOrder order() const { return AxisOrder::Rows; }
  /// The axes in the order in which dims are counted. Where `order` is not
  /// Rows, those of one cell do not count, and modes along dual dims have the
  /// mode 0 in the middle.
  virtual std::vector<size_t> axes() const;
  /// Whether axes may count modes.
  virtual bool hasModes() const { return true; }
  /// What the file may have in the place of a missing value, which is read as
  /// NaN: " (missing: NaN or BLANK)", for a message.
  virtual std::string missing() const { return ""; }
  /// How far cells are apart along an axis, in meters; 0: not told.
  virtual double spacing(size_t axis) const;
  /// Where its cells are; null: not told.
  virtual const ImageGeometry *geometry() const { return nullptr; }
};

/// What the user says of an input: "FILE", "FILE:/DATASET", and behind it
/// perhaps ":x,y,z", the dims in the order of the file's axes.
struct SourceName {
  std::string path, dataset;
  std::vector<std::string> dims;
};
SourceName sourceName(const std::string &spec);
/// The same for an input, whose dims are known: "FILE.h5:NAME" is a dataset if
/// NAME is not a dim.
SourceName sourceName(const std::string &spec,
                      const std::function<bool(const std::string &)> &isDim);

/// An array in a file of any format that can be read.
std::unique_ptr<Source> openSource(const SourceName &name);

/// Whether a file holds several arrays with names.
bool hasParts(const std::string &path);

/// Whether the file has a format that can be read.
bool isArrayFile(const std::string &spec);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_SOURCE_H
