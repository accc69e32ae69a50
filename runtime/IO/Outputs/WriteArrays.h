//===- WriteArrays.h - Arrays of all ranks in one file ----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_OUTPUTS_WRITEARRAYS_H
#define PMRT_IO_OUTPUTS_WRITEARRAYS_H

#include "runtime/Core/Context.h"
#include "runtime/IO/Formats/Stream.h"

#include <string>
#include <vector>

namespace pmrt {

/// An error if this run has written that file.
void refuseTwice(const Context &context, pmrt_loc loc, const std::string &path);

/// Writes arrays to `DIR/NAME.h5`, or to a file of the format that --format
/// chooses. A collective: the first rank makes the file, and every rank writes
/// its own part. Throws on all ranks.
void writeArrays(Context &context, pmrt_loc loc, const std::string &name,
                 const std::vector<NamedArray> &arrays);

/// Writes what this rank owns of an array to a file of its own, and the file
/// that names those of all ranks. A collective. Throws on all ranks.
void writePieces(Context &context, pmrt_loc loc, const NamedArray &whole,
                 const Stream &mine);

/// Writes each member of a record to a file of its own, `DIR/NAME/MEMBER`. A
/// collective. Throws on all ranks.
void writeRecordFiles(Context &context, pmrt_loc loc, const std::string &name,
                      const std::vector<NamedArray> &members);

/// Writes what this rank owns of the members of a record to a file of its own.
/// A collective. Throws on all ranks.
void writeRecordPieces(Context &context, pmrt_loc loc, const std::string &name,
                       const std::vector<NamedArray> &whole);

} // namespace pmrt

#endif // PMRT_IO_OUTPUTS_WRITEARRAYS_H
