//===- CheckFinite.h - Outputs that are not finite --------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_OUTPUTS_CHECKFINITE_H
#define PMRT_IO_OUTPUTS_CHECKFINITE_H

#include "runtime/Core/Context.h"

#include <functional>
#include <string>

namespace pmrt {

/// Throws on all ranks if a value is not finite in some rank. `name`: the
/// array, for the message.
void checkFinite(Context &context, pmrt_loc loc, const pmrt_array &array,
                 const std::function<std::string()> &name);

} // namespace pmrt

#endif // PMRT_IO_OUTPUTS_CHECKFINITE_H
