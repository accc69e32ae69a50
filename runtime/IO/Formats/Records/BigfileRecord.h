//===- BigfileRecord.h - Records as blocks of bigfile -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of a snapshot of FastPM. Each field or vector of a record is a
// block: `PartType1 = {Position = …}` becomes the block `1/Position`, and
// `PartType1 = {Sub = {Position = …}}` becomes `1/Sub/Position`. The numbers of
// a group become the attributes of the group's block, which has no rows:
// `Header = {Time = a, …}` becomes the block `Header`.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_BIGFILERECORD_H
#define PMRT_IO_FORMATS_BIGFILERECORD_H

#include "runtime/Core/Context.h"
#include "runtime/IO/Formats/Stream.h"

#include <string>
#include <vector>

namespace pmrt {

/// The names of the blocks of a record, without the name of the output.
std::vector<std::string> blocksOfRecord(const Descriptor &program,
                                        const Output &output);

/// The reason why a record cannot be blocks; "" if it can.
std::string problemOfBlocks(const Descriptor &program, const Output &output);

/// Replaces the members of a record by its blocks. The name of each one is that
/// of its block. A block without rows has no columns.
void makeBlocks(std::vector<NamedArray> &members);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_BIGFILERECORD_H
