//===- ConvertedSource.h - A file in another unit ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_INPUTS_CONVERTEDSOURCE_H
#define PMRT_IO_INPUTS_CONVERTEDSOURCE_H

#include "runtime/Base/Text/Units.h"
#include "runtime/IO/Formats/Source.h"

namespace pmrt {

/// An array whose numbers are in a unit of the same kind as the input's. They
/// are converted in f64, and rounded once.
class ConvertedSource : public Source {
public:
  ConvertedSource(std::unique_ptr<Source> file, UnitConversion conversion)
      : file(std::move(file)), conversion(conversion) {}

  std::string name() const override { return file->name(); }
  std::vector<int64_t> shape() const override { return file->shape(); }
  Kind kind() const override { return file->kind(); }
  std::string type() const override { return file->type(); }
  bool fits(pmrt_element element) const override { return file->fits(element); }
  std::optional<std::string> unit() const override { return file->unit(); }
  std::string lengths() const override { return file->lengths(); }
  void read(pmrt_element element, const std::vector<int64_t> &start,
            const std::vector<int64_t> &count, void *out) override;
  int64_t workBytes() const override { return file->workBytes(); }
  AxisOrder order() const override { return file->order(); }
  std::vector<size_t> axes() const override { return file->axes(); }
  bool hasModes() const override { return file->hasModes(); }
  std::string missing() const override { return file->missing(); }
  double spacing(size_t axis) const override { return file->spacing(axis); }
  const ImageGeometry *geometry() const override { return file->geometry(); }

private:
  std::unique_ptr<Source> file;
  UnitConversion conversion;
};

} // namespace pmrt

#endif // PMRT_IO_INPUTS_CONVERTEDSOURCE_H
