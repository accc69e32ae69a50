//===- ArrangedField.h - Fields whose format chooses the axes ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_OUTPUTS_ARRANGEDFIELD_H
#define PMRT_IO_OUTPUTS_ARRANGEDFIELD_H

#include "runtime/Dist/Layout.h"
#include "runtime/IO/Formats/FileAxes.h"

#include <vector>

namespace pmrt {

/// Writes the components of a field, all of one layout, with the axes that its
/// format has chosen. A collective. Throws on all ranks.
void writeArranged(Context &context, pmrt_loc loc, const Output &output,
                   const Layout &layout, const FileAxes &axes,
                   const std::vector<const pmrt_array *> &components);

} // namespace pmrt

#endif // PMRT_IO_OUTPUTS_ARRANGEDFIELD_H
