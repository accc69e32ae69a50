//===- ForeignOutput.h - Outputs as files of other programs -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_OUTPUTS_FOREIGNOUTPUT_H
#define PMRT_IO_OUTPUTS_FOREIGNOUTPUT_H

#include "runtime/Dist/Layout.h"

#include <vector>

namespace pmrt {

/// Whether files of that kind count their axes from the fastest one on.
bool isForeign(FileFormat format);

/// What the first three axes of an output's NIfTI file count: dims of the
/// program or -1, and cells.
struct ImageAxes {
  std::array<int32_t, 3> dims;
  std::array<int64_t, 3> cells;
};
ImageAxes imageAxesOf(const Context &context, const Output &output);

/// Writes the parts of an output, all of one layout, to NIfTI or BART's files.
/// A collective. Throws on all ranks.
void writeForeign(Context &context, pmrt_loc loc, const Output &output,
                  const Layout &layout,
                  const std::vector<const pmrt_array *> &parts);

} // namespace pmrt

#endif // PMRT_IO_OUTPUTS_FOREIGNOUTPUT_H
