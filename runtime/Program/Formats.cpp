//===- Formats.cpp - Which output goes to which kind of file --------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Formats.h"

#include "runtime/Base/Format.h"
#include "runtime/IO/Formats/Fits.h"
#include "runtime/IO/Formats/Nifti.h"

#include <algorithm>
#include <sstream>

using namespace pmrt;

/// As --format has it: two formats have one suffix.
static const char *nameOf(FileFormat format) {
  return format == FileFormat::Healpix ? "healpix" : suffixOf(format);
}

static FileFormat formatNamed(const std::string &name) {
  for (const FileFormat format :
       {FileFormat::Hdf5, FileFormat::Npy, FileFormat::Nifti,
        FileFormat::NiftiPacked, FileFormat::Cfl, FileFormat::Fits,
        FileFormat::Healpix})
    if (name == nameOf(format))
      return format;
  throw usageError("--format: '{}' is not one of h5, npy, nii, nii.gz, cfl, "
                   "fits, healpix",
                   name);
}

/// Why an output cannot go to such a file; "" if it can.
static std::string problemOf(const Descriptor &program, const Output &output,
                             FileFormat format) {
  if (format == FileFormat::Hdf5 || format == FileFormat::Npy)
    return "";
  if (output.kind == OutputKind::Scalars)
    return "it is numbers, and such a file holds fields";
  if (output.flatten)
    return "its dims are joined by 'flatten'";
  for (const int32_t dim : output.dims)
    if (program.dims[size_t(dim)].kind == DimKind::Half)
      return fmt::format("'{}' is half of the modes, and such files have all",
                         program.dims[size_t(dim)].name);
  if (isFits(format) && isComplex(output.element))
    return "it is complex, and such files hold real numbers";
  if (format == FileFormat::Healpix &&
      (output.dims.size() != 1 ||
       healpixSide(program.dims[size_t(output.dims[0])].extent) == 0))
    return "it is not over the 12 nside^2 pixels of one dim";
  // NIfTI counts components along its fifth dim.
  const size_t most = output.columns.empty() ? 7 : 4;
  if (isNifti(format) && output.dims.size() > most)
    return fmt::format("it has {} dims, of which such files have {}",
                       output.dims.size(), most);
  return "";
}

void pmrt::parseFormats(const Descriptor &program, const std::string &text,
                        Settings &settings) {
  std::istringstream words(text);
  std::string word;
  std::vector<std::string> names;
  for (const Output &output : program.outputs)
    names.push_back(output.name);
  bool general = false;
  while (std::getline(words, word, ',')) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) {
      if (general)
        throw usageError("--format: '{}' is a second format for all outputs; "
                         "NAME={} is one for a single output",
                         word, word);
      settings.format = formatNamed(word);
      general = true;
      continue;
    }
    const std::string name = word.substr(0, equals);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const int near = closest(name, names);
      throw usageError(
          "--format: the program has no output '{}'{}", name,
          near < 0 ? ""
                   : fmt::format("; did you mean '{}'?", names[size_t(near)]));
    }
    settings.formats[name] = formatNamed(word.substr(equals + 1));
  }
  for (const Output &output : program.outputs) {
    const FileFormat format = settings.formatOf(output.name);
    if (const std::string why = problemOf(program, output, format);
        !why.empty())
      throw usageError("--format: output '{}' cannot be a .{} file: {}; "
                       "{}=h5 would be one that it can",
                       output.name, suffixOf(format), why, output.name);
  }
}

std::string pmrt::formatsText(const Settings &settings) {
  std::string text = nameOf(settings.format);
  for (const auto &[name, format] : settings.formats)
    text += fmt::format(",{}={}", name, nameOf(format));
  return text;
}
