//===- WorkingUnits.h - In which units a spec stores numbers ----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_SEMA_WORKINGUNITS_H
#define PMC_FRONTEND_SEMA_WORKINGUNITS_H

#include "frontend/Sema/Names/Modules.h"

namespace pmc {

/// The units of the statement `units`. Without it, metric lengths are in the
/// unit of the first dim with a metric length: um for `dim x = 32 over 8 um`.
/// `spec` was parsed with base units.
WorkingUnits findWorkingUnits(const ModuleInfo &spec);

} // namespace pmc

#endif // PMC_FRONTEND_SEMA_WORKINGUNITS_H
