//===- Format.h - A file format ---------------------------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A format recognizes, reads and writes its files. Each one is a class in a
// file of its own, which CMakeLists.txt lists in PMRT_FORMATS. Nothing else in
// the runtime depends on which formats there are: runtime/README.md says how to
// add one.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FORMATS_FORMAT_H
#define PMRT_IO_FORMATS_FORMAT_H

#include "runtime/Core/Context.h"
#include "runtime/IO/Files/OutputFile.h"
#include "runtime/IO/Formats/Source.h"
#include "runtime/IO/Formats/Stream.h"

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace pmrt {

/// The beginning of a file, by which formats recognize theirs.
struct FileStart {
  /// Enough for the formats that have their mark furthest from the beginning.
  static constexpr int64_t most = 352;

  std::string path;
  std::string bytes; ///< at most `most`
  std::string part;  ///< what the user names in the file; empty: nothing
};

/// A file with the cells of one rank.
struct RankFile {
  std::string path;
  std::vector<Shard> sides; ///< along the axes of the whole, the fastest first
};

/// A file format. It is responsible for what its files contain. How ranks share
/// the work of writing one is the same for all formats (IO/Outputs).
class Format {
public:
  virtual ~Format() = default;

  /// As `--format` and messages name it.
  virtual std::string_view name() const = 0;
  /// How the names of its files end, without the first dot.
  virtual std::string_view suffix() const { return name(); }
  /// A few words for --help.
  virtual std::string_view summary() const = 0;
  /// The name of an output's file. If each rank writes a piece, it is the file
  /// that lists the pieces.
  virtual std::string fileOf(const std::string &stem, bool inPieces) const {
    return fmt::format("{}.{}{}", stem, inPieces ? "p" : "", suffix());
  }
  /// The name of the piece of a rank, a number or `*`.
  std::string pieceOf(const std::string &stem, const std::string &rank) const {
    return fmt::format("{}.{}.{}", stem, rank, suffix());
  }

  //===--- Reading --------------------------------------------------------===//

  /// Whether inputs can have it.
  virtual bool isRead() const { return false; }
  /// Whether a file is one. Formats are asked in the order of PMRT_FORMATS.
  virtual bool probe(const FileStart &) const { return false; }
  /// Opens an array. Throws std::runtime_error that begins with the file's
  /// name. `part`: names one of several arrays; empty where !hasParts().
  virtual std::unique_ptr<Source> open(const std::string &path,
                                       const std::string &part) const;
  /// Whether a file holds several arrays, which `FILE:PART` chooses from.
  virtual bool hasParts() const { return false; }
  /// The file that users name as `path`, without its suffix; "" if there is no
  /// such custom.
  virtual std::string complete(const std::string &) const { return ""; }
  /// Files that belong to `path`, such as a header in a file of its own.
  virtual std::vector<std::string> besides(const std::string &) const {
    return {};
  }
  /// The files, of an input or of a file `besides` it, that have checksums.
  /// `verify` compares them.
  virtual std::vector<std::string> checkedFiles(const std::string &) const {
    return {};
  }
  /// Throws std::runtime_error if a file does not have the checksum that the
  /// input records.
  virtual void verify(const std::string &, const std::string & /*part*/) const {
  }

  //===--- What it can hold -----------------------------------------------===//

  /// Whether outputs can have it.
  virtual bool isWritten() const { return true; }
  /// Throws Exit::Usage if a library is missing.
  virtual void require() const {}
  /// Why it cannot hold an output, as far as the program knows; "" if it can.
  virtual std::string problem(const Descriptor &, const Output &) const {
    return "";
  }
  /// Whether a file holds the members of a record.
  virtual bool holdsRecords() const { return false; }
  /// Whether each member of a record is written to a file of its own. The name
  /// of a file is that of the output, a slash and the name that addArrays gives
  /// to the member.
  virtual bool splitsRecords() const { return false; }
  /// The files of an output without pieces.
  virtual std::vector<std::string> outputFiles(const Descriptor &,
                                               const Output &,
                                               const std::string &stem) const {
    return {fileOf(stem, false)};
  }
  /// Whether the components of a vector in a record are columns of one array.
  virtual bool joinsComponents() const { return false; }
  /// Adds arrays that the file has besides the members of a record, or replaces
  /// members by other arrays.
  virtual void addArrays(std::vector<NamedArray> &) const {}
  /// Whether it stores where the cells of an image are.
  virtual bool keepsGeometry() const { return false; }
  /// Whether each of several ranks writes a file of the cells that it owns.
  virtual bool hasPieces() const { return false; }
  bool inPieces(const Context &context) const {
    return hasPieces() && !context.alone();
  }

  //===--- Writing --------------------------------------------------------===//

  /// The axes of a field's files; nothing: rows, in the order of the dims, with
  /// the components of each cell together.
  virtual std::optional<FileAxes> axes(const Context &,
                                       std::span<const int32_t> /*dims*/,
                                       int64_t /*components*/) const {
    return std::nullopt;
  }
  /// The type that it stores elements as; `convert` makes such ones.
  virtual pmrt_element stored(pmrt_element element) const { return element; }
  /// False if a number is too large.
  virtual bool convert(pmrt_element, const char * /*from*/, int64_t /*count*/,
                       char * /*to*/) const {
    return true;
  }
  /// Bytes that an element of the type `stored` takes in a file.
  virtual int64_t bytesOf(pmrt_element element) const;
  /// A lower bound of the bytes of numbers in a file, 0 if they are packed.
  virtual int64_t leastBytes(pmrt_element element, int64_t count) const {
    return bytesOf(stored(element)) * count;
  }
  /// Whether elements in a file differ from those in memory; `encode` makes
  /// them. `first`: the first element's place in the array.
  virtual bool encodes() const { return false; }
  virtual void encode(const Stream &, int64_t /*first*/, int64_t /*count*/,
                      const char * /*from*/, char * /*to*/) const {}
  /// Bytes between two components of a field with `axes`.
  virtual int64_t componentGap() const { return 0; }

  /// Writes everything but the numbers. Returns where the numbers of each array
  /// begin, or -1 for arrays without numbers in the file. On one rank. `arrays`
  /// has one element unless holdsRecords().
  virtual std::vector<int64_t>
  make(Context &context, OutputFile &file,
       const std::vector<NamedArray> &arrays) const;
  /// Completes a file that has all its numbers, and gives it its name. On the
  /// rank that made it.
  virtual void finish(Context &context, OutputFile &file,
                      const NamedArray &array) const;
  /// Writes the file that names the pieces of all ranks. On the first rank.
  virtual void writeIndex(Context &, const std::string & /*path*/,
                          const NamedArray &,
                          const std::vector<RankFile> &) const {}
  /// Does what writing a file adds to the memory of the process.
  virtual void warmUp() const {}
};

/// One object of each class.
template <typename... Classes> std::vector<const Format *> formatsOf() {
  static const std::tuple<Classes...> all;
  return {&std::get<Classes>(all)...};
}

/// Adds classes to the list of formats. `FILE`: the source file, as CMake has
/// it.
#define PMRT_FORMATS(FILE, ...)                                                \
  std::vector<const pmrt::Format *> pmrt_formats_##FILE();                     \
  std::vector<const pmrt::Format *> pmrt_formats_##FILE() {                    \
    return pmrt::formatsOf<__VA_ARGS__>();                                     \
  }                                                                            \
  static_assert(true)

/// The error for a file that cannot be written.
std::runtime_error cannotWrite(const OutputFile &file, std::string_view why);
/// The reason why a format of at most `most` dims cannot hold an array of
/// `rank` dims; "" if it can.
std::string problemOfRank(size_t rank, size_t most);
/// The number of dims of a table of columns, without the dim of its components.
size_t rankOfTable(const Stream &stream);

/// The name of each component: that of its column, of the array if there is one
/// component, or that with a number.
std::vector<std::string> componentNames(const NamedArray &array);
/// One unit for all, or one each, separated by commas; "" for pure numbers.
std::vector<std::string> splitUnits(const std::string &units, size_t count);
/// The unit of each component.
std::vector<std::string> componentUnits(const NamedArray &array);

/// All formats, in the order in which they are asked whether a file is theirs.
const std::vector<const Format *> &allFormats();

/// The format of that name that outputs can have; null: there is none.
const Format *findFormat(std::string_view name);
/// The names of those, the default first: "h5|npy|nii".
std::string formatNames(std::string_view between);
/// The same with what each one is: "h5 is HDF5, npy is NumPy".
std::string formatSummaries();

/// Those that inputs can have, for messages: "FITS image, HDF5 or NumPy".
std::string readableFormats();

/// The format of an output.
const Format &formatOf(const Settings &settings, const std::string &output);

/// The format of a file that can be read; null: it is none that is known.
/// Throws std::runtime_error if it cannot be opened.
const Format *formatOfFile(const SourceName &name);

} // namespace pmrt

#endif // PMRT_IO_FORMATS_FORMAT_H
