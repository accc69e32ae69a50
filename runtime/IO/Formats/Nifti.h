//===- Nifti.h - Files of NIfTI ---------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_NIFTI_H
#define PMRT_IO_FORMATS_NIFTI_H

#include "runtime/Core/Context.h"
#include "runtime/FormatPlugins/NiftiPlugin.h"
#include "runtime/IO/Formats/Source.h"

#include <functional>
#include <memory>
#include <string>

namespace pmrt {

/// Whether a file is one, by its name and its first 352 bytes.
bool isNifti(const std::string &path, const std::string &bytes);

/// NAME.nii or NAME.nii.gz.
bool isNifti(FileFormat format);

/// NAME.nii, NAME.nii.gz, or the NAME.hdr of a pair.
std::unique_ptr<Source> openNifti(const std::string &path);

/// What a file has before its numbers.
std::string niftiHeader(const NiftiImage &image);

/// Compresses a file into another one. Calls `between` now and then.
void packNifti(const std::string &from, const std::string &to,
               const std::function<void()> &between);

/// Throws Exit::Usage if images cannot be written here.
void needNifti();

} // namespace pmrt

#endif // PMRT_IO_FORMATS_NIFTI_H
