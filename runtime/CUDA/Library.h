//===- Library.h - NVIDIA's libraries, loaded at run time -------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are not linked with the driver, cuFFT, cuBLAS or NCCL, so that they
// start on machines without them. Each library is a struct of pointers to its
// functions, made from a list X(member, "symbol", type):
//
//   struct CuFft {
//     PMRT_FUNCTIONS(PMRT_CUFFT)
//   };
//   static const CuFft loaded = load<CuFft>({...});
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_LIBRARY_H
#define PMRT_CUDA_LIBRARY_H

#include <type_traits>
#include <vector>

#define PMRT_FUNCTION_MEMBER(NAME, SYMBOL, ...)                                \
  std::decay_t<__VA_ARGS__> NAME = nullptr;
#define PMRT_FUNCTION_VISIT(NAME, SYMBOL, ...) visit(NAME, SYMBOL);
#define PMRT_FUNCTIONS(LIST)                                                   \
  LIST(PMRT_FUNCTION_MEMBER)                                                   \
  template <typename Visit> void forEachFunction(const Visit &visit) {         \
    LIST(PMRT_FUNCTION_VISIT)                                                  \
  }

namespace pmrt::cuda {

struct LibraryFiles {
  /// File names, the preferred one first. Each is searched for where the loader
  /// looks, then in the usual folders of the toolkit.
  std::vector<const char *> names;
  /// The error if no file can be opened; `{}` stands for the reasons.
  const char *missing;
  /// The error if it lacks a function; `{}` stands for the function.
  const char *tooOld;
};

/// Opens the first library that exists. Throws Exit::Usage if there is none.
void *openLibrary(const LibraryFiles &files);
/// The address of a function. Throws Exit::Usage if it does not exist.
void *findFunction(void *library, const char *symbol,
                   const LibraryFiles &files);

/// Loads a library, which stays loaded, and finds all functions of `Table`.
template <typename Table> Table load(const LibraryFiles &files) {
  void *library = openLibrary(files);
  Table table;
  table.forEachFunction([&](auto &member, const char *symbol) {
    member = reinterpret_cast<std::decay_t<decltype(member)>>(
        findFunction(library, symbol, files));
  });
  return table;
}

} // namespace pmrt::cuda

#endif // PMRT_CUDA_LIBRARY_H
