//===- Tails.h - What is behind the code of lines ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMC_FRONTEND_FORMAT_TAILS_H
#define PMC_FRONTEND_FORMAT_TAILS_H

#include "frontend/Format/Document.h"

#include <string>
#include <vector>

namespace pmc::format {

/// The text of lines. Documentation strings of neighboring declarations are
/// aligned, and so are comments behind them, or behind other neighboring lines.
std::string joinLines(std::vector<Line> lines);

} // namespace pmc::format

#endif // PMC_FRONTEND_FORMAT_TAILS_H
