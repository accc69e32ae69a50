//===- Vti.cpp - Image data of VTK ----------------------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NAME.vti is XML, behind which the numbers are appended as they are. The first
// dim is the fastest. Values belong to cells of VTK, so that the files of
// several ranks share no values. Value i of a dim is at i times the spacing:
// there is the center of the cell, and the origin is half a cell below 0.
//
//===----------------------------------------------------------------------===//

#include "runtime/Base/Text/Units.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Format.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <stdexcept>

using namespace pmrt;

static constexpr size_t imageDims = 3;

/// In front of the numbers of an array is how many bytes they have.
static constexpr int64_t sizeBytes = sizeof(uint64_t);

static const char *vtkType(pmrt_element element) {
  switch (element) {
  case PMRT_F32:
  case PMRT_C64:
    return "Float32";
  case PMRT_F64:
  case PMRT_C128:
    return "Float64";
  case PMRT_I8:
    return "UInt8";
  case PMRT_I64:
    return "Int64";
  case PMRT_U64:
    return "UInt64";
  case PMRT_BF16:
  case PMRT_F16:
    refuseReducedPrecision(element);
  }
  return "";
}

/// "0 12 0 10 0 0": the corners of cells. An axis that counts no dim has one
/// corner.
static std::string extentText(const FileAxes &axes,
                              const std::vector<Shard> &sides) {
  std::vector<int64_t> corners;
  for (size_t axis = 0; axis < imageDims; ++axis) {
    corners.push_back(sides[axis].offset);
    corners.push_back(sides[axis].offset +
                      (axes.dims[axis] < 0 ? 0 : sides[axis].extent));
  }
  return fmt::format("{}", fmt::join(corners, " "));
}

namespace {

/// The lattice of a field.
struct Lattice {
  std::array<double, imageDims> origin = {}, spacing = {1, 1, 1};
  std::string unit; ///< of lengths, one for all axes or one each

  Lattice(const Context &context, const Stream &stream) {
    std::vector<std::string> units;
    for (size_t axis = 0; axis < imageDims; ++axis) {
      if (stream.axes.dims[axis] < 0)
        continue;
      const auto index = size_t(stream.dims[size_t(stream.axes.dims[axis])]);
      const Dim &dim = context.program.dims[index];
      std::string &own = units.emplace_back("1");
      if (dim.lengthUnit && context.lengths[index] > 0) {
        // As in other files of images, lengths in SI units are in mm.
        const double meters = metersOf(*dim.lengthUnit);
        const bool metric = meters > 0;
        spacing[axis] = (metric ? 1e3 * meters : 1) * context.lengths[index] /
                        double(dim.extent);
        if (!dim.lengthUnit->empty())
          own = metric ? "mm" : *dim.lengthUnit;
      }
      origin[axis] = -spacing[axis] / 2;
    }
    const bool isSame =
        std::adjacent_find(units.begin(), units.end(), std::not_equal_to<>()) ==
        units.end();
    unit = isSame ? units.front() : fmt::format("{}", fmt::join(units, ", "));
  }

  /// Attributes of XML.
  std::string text() const {
    return fmt::format("Origin=\"{:.15g}\" Spacing=\"{:.15g}\"",
                       fmt::join(origin, " "), fmt::join(spacing, " "));
  }
};

} // namespace

/// The element that describes an array of a component. Complex numbers are two
/// values of a cell. `kind`: "DataArray", or "PDataArray" without numbers.
static std::string arrayText(const NamedArray &array, size_t component,
                             const char *kind, const std::string &where) {
  const Stream &stream = array.stream;
  std::string text =
      fmt::format("        <{} type=\"{}\" Name=\"{}\"", kind,
                  vtkType(stream.element), componentNames(array)[component]);
  if (isComplex(stream.element))
    text += " NumberOfComponents=\"2\" ComponentName0=\"real\" "
            "ComponentName1=\"imag\"";
  text += where;
  const std::string unit = componentUnits(array)[component];
  if (unit.empty())
    return text + "/>\n";
  return text + fmt::format(">\n          <InformationKey name=\"UNITS_LABEL\" "
                            "location=\"vtkDataArray\">{}</InformationKey>\n"
                            "        </{}>\n",
                            unit, kind);
}

static std::string opening(const char *type) {
  return fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" "
                     "version=\"1.0\" byte_order=\"LittleEndian\" "
                     "header_type=\"UInt64\">\n",
                     type);
}

/// Bytes of the numbers of one component.
static int64_t componentBytes(const Stream &stream) {
  int64_t bytes = elementSize(stream.element);
  for (size_t axis = 0; axis < imageDims; ++axis)
    bytes *= stream.sides[axis].extent;
  return bytes;
}

/// All that precedes the numbers.
static std::string vtiHeader(const Context &context, const NamedArray &array) {
  const Stream &stream = array.stream;
  const Lattice lattice(context, stream);
  const std::string extent = extentText(stream.axes, stream.sides);
  std::string text = opening("ImageData");
  text += fmt::format("  <ImageData WholeExtent=\"{}\" {}>\n", extent,
                      lattice.text());
  if (lattice.unit != "1") {
    // A text is the codes of its characters, and a 0.
    std::vector<int> codes(lattice.unit.begin(), lattice.unit.end());
    codes.push_back(0);
    text += fmt::format("    <FieldData>\n      <Array type=\"String\" "
                        "Name=\"length_unit\" NumberOfTuples=\"1\" "
                        "format=\"ascii\">{}</Array>\n    </FieldData>\n",
                        fmt::join(codes, " "));
  }
  text += fmt::format(
      "    <Piece Extent=\"{}\">\n      <CellData Scalars=\"{}\">\n", extent,
      componentNames(array).front());
  for (int64_t i = 0; i < stream.columns; ++i)
    text += arrayText(array, size_t(i), "DataArray",
                      fmt::format(" format=\"appended\" offset=\"{}\"",
                                  i * (sizeBytes + componentBytes(stream))));
  return text + "      </CellData>\n    </Piece>\n  </ImageData>\n"
                "  <AppendedData encoding=\"raw\">\n   _";
}

static constexpr std::string_view closing = "\n  </AppendedData>\n</VTKFile>\n";

namespace {

class VtiFormat : public Format {
public:
  std::string_view name() const override { return "vti"; }
  std::string_view summary() const override { return "VTK image data"; }

  std::string problem(const Descriptor &program,
                      const Output &output) const override {
    if (std::string why = problemOfAxes(program, output); !why.empty())
      return why;
    for (const int32_t dim : output.dims)
      if (program.dims[size_t(dim)].kind != DimKind::Space)
        return fmt::format("'{}' is a dim of modes, and this format stores "
                           "only fields over space",
                           program.dims[size_t(dim)].name);
    return problemOfRank(output.dims.size(), imageDims);
  }
  bool hasPieces() const override { return true; }

  std::optional<FileAxes> axes(const Context &context,
                               std::span<const int32_t> dims,
                               int64_t components) const override {
    FileAxes axes;
    for (const int d : columnOrder(context, dims))
      axes.add(context.program.dims[size_t(dims[size_t(d)])].stored(), d);
    axes.padTo(imageDims);
    if (components > 1)
      axes.add(components);
    return axes;
  }
  int64_t componentGap() const override { return sizeBytes; }

  std::vector<int64_t>
  make(Context &context, OutputFile &file,
       const std::vector<NamedArray> &arrays) const override {
    const NamedArray &array = arrays.front();
    if (const std::string why =
            problemOfRank(array.stream.dims.size(), imageDims);
        !why.empty())
      throw cannotWrite(file, why);
    const std::string header = vtiHeader(context, array);
    const auto bytes = uint64_t(componentBytes(array.stream));
    file.write(header.data(), header.size(), 0);
    auto at = int64_t(header.size());
    for (int64_t i = 0; i < array.stream.columns; ++i) {
      file.write(&bytes, sizeof bytes, at);
      at += sizeBytes + int64_t(bytes);
    }
    file.write(closing.data(), closing.size(), at);
    return {int64_t(header.size()) + sizeBytes};
  }

  void writeIndex(Context &context, const std::string &path,
                  const NamedArray &array,
                  const std::vector<RankFile> &pieces) const override {
    const Stream &stream = array.stream;
    std::string text = opening("PImageData");
    text += fmt::format(
        "  <PImageData WholeExtent=\"{}\" GhostLevel=\"0\" {}>\n"
        "      <PCellData Scalars=\"{}\">\n",
        extentText(stream.axes, stream.sides), Lattice(context, stream).text(),
        componentNames(array).front());
    for (int64_t i = 0; i < stream.columns; ++i)
      text += arrayText(array, size_t(i), "PDataArray", "");
    text += "      </PCellData>\n";
    for (const RankFile &piece : pieces)
      text +=
          fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n",
                      extentText(stream.axes, piece.sides),
                      std::filesystem::path(piece.path).filename().string());
    writeWholeFile(path, text + "  </PImageData>\n</VTKFile>\n", context.token);
  }
};

} // namespace

PMRT_FORMATS(Vti, VtiFormat);
