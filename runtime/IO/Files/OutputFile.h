//===- OutputFile.h - Files that appear whole or not at all -----*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_IO_FILES_OUTPUTFILE_H
#define PMRT_IO_FILES_OUTPUTFILE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace pmrt {

/// A file under a temporary name beside its final one. `commit` renames it; the
/// destructor removes it if that did not happen. Errors are std::runtime_error
/// with the path and the reason.
class OutputFile {
public:
  /// Makes the temporary file, empty. `token`: the run's, by which it is found
  /// if the run is killed; empty: none.
  explicit OutputFile(std::string path, const std::string &token = "");
  /// Opens the temporary file that another rank has made.
  struct Made {
    std::string temporary;
  };
  OutputFile(std::string path, const Made &by);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  const std::string &path() const { return finalPath; }
  const std::string &temporary() const { return temporaryPath; }
  /// A path to the open file, whatever its name leads to by now. For this
  /// process, while this object lives.
  std::string openPath() const;

  /// Writes at a byte offset; complete or throws.
  void write(const void *data, size_t bytes, int64_t offset);
  /// The same from the disk's side: `data` and `offset` are multiples of
  /// OutputStream's blocks. What file systems refuse goes the usual way.
  void writeBlock(const void *data, size_t bytes, int64_t offset);
  /// Flushes to the disk. The file stays open, and locked, until it has its
  /// name.
  void sync();
  /// Gives the synced file its name.
  void publish();
  /// Another rank has published it.
  void release() { committed = true; }
  /// sync and publish.
  void commit();

private:
  [[noreturn]] void fail(const char *action, int error) const;
  /// Whether writes pass by the page cache; false if that cannot be had.
  bool setDirect(bool on);

  std::string finalPath;
  std::string temporaryPath;
  int file = -1;
  bool committed = false;
};

/// Writes a file from its begin to its end, in blocks that pass by the page
/// cache: for what is not read again soon, making and filling its pages costs
/// more than the disk does.
class OutputStream {
public:
  explicit OutputStream(OutputFile &file);
  OutputStream(const OutputStream &) = delete;
  OutputStream &operator=(const OutputStream &) = delete;

  void write(const void *data, int64_t bytes);
  /// What is left. The file is complete then, but not synced.
  void finish();

  static constexpr int64_t block = int64_t(4) << 20;

private:
  struct Free {
    void operator()(char *memory) const;
  };
  OutputFile &file;
  std::unique_ptr<char[], Free> buffer;
  int64_t used = 0; ///< bytes of the buffer
  int64_t at = 0;   ///< where these go
};

/// Why a file cannot appear at a path, as far as can be known before it is
/// written: something else than a file is there, or its name is too long.
std::string problemOfTarget(const std::string &path);

/// Whether something else than a file or a folder is at a path.
bool isDevice(const std::string &path);

/// The whole of a small file that the user names, which may be a device or a
/// pipe. A link stays.
void writeNamedFile(const std::string &path, const std::string &text,
                    const std::string &token = "");

/// The whole of a small file in one step.
void writeWholeFile(const std::string &path, const std::string &text,
                    const std::string &token = "");

/// Makes the output folder if need be, and makes sure that files can be made in
/// it; with `create` false, only looks whether that would work. Throws
/// Exit::Usage.
void prepareFolder(const std::string &folder, bool create,
                   const char *what = "output folder");

/// Bytes free for this user where `folder` is or will be; -1 if not known.
int64_t freeSpace(const std::string &folder);

} // namespace pmrt

#endif // PMRT_IO_FILES_OUTPUTFILE_H
