//===- Library.h - NVIDIA's libraries, loaded at run time -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are not linked with the driver, cuFFT, cuBLAS or NCCL, so that they
// start on machines without them. Each library is a struct of its functions,
// made from a list X(member, "symbol", type):
//
//   struct CuFft {
//     PMRT_FUNCTIONS(PMRT_CUFFT)
//   };
//   static const CuFft loaded = load<CuFft>({...});
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_LIBRARY_H
#define PMRT_CUDA_LIBRARY_H

#include "runtime/CUDA/Libraries/LibraryCall.h"

#include <string>
#include <type_traits>
#include <vector>

#define PMRT_FUNCTION_MEMBER(NAME, SYMBOL, ...)                                \
  LibraryFunction<std::decay_t<__VA_ARGS__>> NAME{SYMBOL};
#define PMRT_FUNCTION_VISIT(NAME, SYMBOL, ...) visit(NAME, SYMBOL);
#define PMRT_FUNCTIONS(LIST)                                                   \
  LIST(PMRT_FUNCTION_MEMBER)                                                   \
  template <typename Visit> void forEachFunction(const Visit &visit) {         \
    LIST(PMRT_FUNCTION_VISIT)                                                  \
  }

namespace pmrt::cuda {

struct LibraryFiles {
  struct Name {
    const char *file;
    int cuda = 0; ///< the major version of CUDA that it belongs to; 0: all
  };
  /// The newest one first. Those for the driver's version or an older one are
  /// preferred. Each is searched for where the loader looks, then in the usual
  /// folders of the toolkit and of Python's packages.
  std::vector<Name> names;
  /// The error if no file can be opened; `{}` stands for the reasons.
  const char *missing;
  /// The error if it lacks a function; `{}` stands for the function.
  const char *tooOld;
};

/// The paths of a library to try, in this order, with a driver for CUDA
/// `version` (13; 0: any).
std::vector<std::string> libraryPaths(const LibraryFiles &files, int version);
/// Opens the first library that exists. Throws Exit::Usage if there is none.
void *openLibrary(const LibraryFiles &files, int version);
/// The address of a function. Throws Exit::Usage if it does not exist.
void *findFunction(void *library, const char *symbol,
                   const LibraryFiles &files);

/// Loads a library, which stays loaded, and finds all functions of `Table`.
template <typename Table>
Table load(const LibraryFiles &files, int version = 0) {
  void *library = openLibrary(files, version);
  Table table;
  table.forEachFunction([&](auto &member, const char *symbol) {
    member.set(findFunction(library, symbol, files));
  });
  return table;
}

} // namespace pmrt::cuda

#endif // PMRT_CUDA_LIBRARY_H
