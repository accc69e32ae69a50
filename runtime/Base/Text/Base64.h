//===- Base64.h - Bytes as text ---------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_BASE_TEXT_BASE64_H
#define PMRT_BASE_TEXT_BASE64_H

#include <string>

namespace pmrt {

std::string base64(const std::string &bytes);

} // namespace pmrt

#endif // PMRT_BASE_TEXT_BASE64_H
