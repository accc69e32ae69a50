//===- Checksums.h - SHA-256 of files ---------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By OpenSSL's libcrypto, as `sha256sum` prints them: others can check them
// with what they have.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_INPUTS_CHECKSUMS_H
#define PMRT_IO_INPUTS_CHECKSUMS_H

#include "runtime/Core/Context.h"

#include <map>
#include <string>
#include <vector>

namespace pmrt {

/// 64 hexadecimal digits. Throws std::runtime_error that names the file.
std::string sha256OfFile(const std::string &path);

/// Of these files, which rank 0 names; each rank reads some of them. A
/// collective; on rank 0 by path, elsewhere empty. Files that cannot be read
/// are left out.
std::map<std::string, std::string>
sha256OfFiles(Context &context, const std::vector<std::string> &paths);

/// If NAME.sha256 is beside an input, as `sha256sum NAME > NAME.sha256`
/// writes it, or a dataset has an attribute `sha256` of its bytes, the input
/// must have that checksum. Each rank looks at some inputs, and throws
/// Exit::Usage with the file's name. Returns those that it has looked at.
std::map<std::string, std::string> verifyInputs(Context &context);

} // namespace pmrt

#endif // PMRT_IO_INPUTS_CHECKSUMS_H
