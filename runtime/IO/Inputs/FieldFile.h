//===- FieldFile.h - A field in a file --------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_INPUTS_FIELDFILE_H
#define PMRT_IO_INPUTS_FIELDFILE_H

#include "runtime/Base/Text/Units.h"
#include "runtime/IO/Files/FileOrder.h"
#include "runtime/IO/Formats/Source.h"

#include <memory>
#include <optional>
#include <string>

namespace pmrt {

/// A file that fits an input: its cells, elements and unit.
class FieldFile {
public:
  /// Throws std::runtime_error.
  FieldFile(const Context &context, const Input &input,
            const std::string &spec);

  Source &source() const { return *file; }
  /// The shape as the user counts it.
  const std::vector<int64_t> &shape() const { return counted; }
  const FileOrder &order() const { return how; }
  /// "from mm to km" if numbers are converted; or empty.
  const std::string &conversion() const { return converted; }

  /// Where its cells are, and which dims its axes count, if the file says so.
  std::optional<FileGeometry> geometry() const;

  /// Throws if the file says that its cells, or dims, have another size than
  /// the program's, whose lengths are known by now.
  void checkLengths(const Context &context) const;

private:
  void checkSpacing(const Context &context) const;
  void checkBox(const Context &context) const;
  void findAxes(const Context &context);
  std::vector<int> dimsInOrder(const Context &context) const;

  const Input &input;
  SourceName spec;
  std::unique_ptr<Source> file;
  std::string converted;
  std::vector<int64_t> counted;
  FileOrder how;
};

/// Where an input is. "FILE.h5:NAME" is a dataset if NAME is not a dim.
SourceName inputSource(const Context &context, const Input &input,
                       const std::string &spec);

/// Throws std::runtime_error if a file has other elements, or a unit of another
/// kind. Converts numbers in another unit of the same kind; `note`, if it is
/// not null, then becomes "from mm to km".
std::unique_ptr<Source> checkNumbers(std::unique_ptr<Source> source,
                                     const Input &input,
                                     std::string *note = nullptr);
/// The conversion of numbers that are in `unit`, where `expected` is declared.
/// `what` names them in the error.
UnitConversion conversionFrom(std::string unit, std::string expected,
                              const std::string &what);

/// How the program cuts an input that it reads into `dims`.
Layout layoutOver(const Context &context, const std::vector<int32_t> &dims);

} // namespace pmrt

#endif // PMRT_IO_INPUTS_FIELDFILE_H
