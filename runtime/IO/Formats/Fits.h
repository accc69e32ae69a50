//===- Fits.h - Files of FITS -----------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_FITS_H
#define PMRT_IO_FORMATS_FITS_H

#include "runtime/Core/Context.h"
#include "runtime/FormatPlugins/FitsPlugin.h"
#include "runtime/IO/Formats/Source.h"

#include <memory>
#include <string>

namespace pmrt {

/// Numbers, and each header, fill blocks of so many bytes.
inline constexpr int64_t fitsBlock = 2880;

/// Whether a file is one, by its name and its first bytes.
bool isFits(const std::string &path, const std::string &bytes);

/// An image, or a map of HEALPix in a table. Both are NAME.fits.
bool isFits(FileFormat format);

/// An image of FITS, or a column of a table. `part`: a name or number of an
/// extension, or of a column; perhaps with a slash before it.
std::unique_ptr<Source> openFits(const std::string &path,
                                 const std::string &part);

/// Throws std::runtime_error if it has other bytes than its keywords CHECKSUM
/// and DATASUM say. What cannot be read is told by openFits.
void verifyFits(const std::string &path, const std::string &part);

/// Fills in CHECKSUM and DATASUM of a file that is complete.
void sumFits(const std::string &path);

/// What a file has before its numbers.
std::string fitsHeader(const FitsHeader &header);

/// nside of a map with so many pixels, 12 nside^2; 0 if it is none.
int64_t healpixSide(int64_t pixels);

/// Throws Exit::Usage if files cannot be written here.
void needFits();

} // namespace pmrt

#endif // PMRT_IO_FORMATS_FITS_H
