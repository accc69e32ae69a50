//===- XlaAbi.h - Binary interface of XLA's foreign functions ---*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structs of xla/ffi/api/c_api.h that a handler reads, in the layout of the
// versions 0.1 to 0.3. XLA keeps this layout stable and appends members only.
// The runtime declares them itself, so that its build does not need jaxlib.
// test/frontend/python/xla-abi.test compares them with the header of jaxlib.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_EMBED_XLAABI_H
#define PMRT_EMBED_XLAABI_H

#include <cstddef>
#include <cstdint>

namespace pmrt::xla {

/// The latest version whose layout is known to be the one below.
constexpr int majorVersion = 0, minorVersion = 3;

/// The first member of every struct is its size in bytes at the caller.
struct Extension {
  size_t size;
  int32_t type;
  Extension *next;
};
constexpr int32_t metadataExtension = 1;

struct Version {
  size_t size;
  Extension *extensions;
  int32_t major, minor;
};

struct Error; ///< of XLA

struct NewError {
  size_t size;
  Extension *extensions;
  const char *message;
  int32_t code;
};
enum ErrorCode : int32_t { Cancelled = 1, InvalidArgument = 3, Internal = 13 };

struct StreamRequest {
  size_t size;
  Extension *extensions;
  void *context; ///< the context of the call frame
  void *stream;  ///< the result, a CUstream
};

/// The functions of XLA; more of them follow.
struct Api {
  size_t size;
  Extension *extensions;
  Version version;
  const void *internal;
  Error *(*createError)(NewError *);
  void *notUsed[3]; ///< functions for errors and for other handlers
  Error *(*getStream)(StreamRequest *);
};

enum DataType : int32_t {
  Pred = 1,
  S8 = 2,
  S16 = 3,
  S32 = 4,
  S64 = 5,
  U8 = 6,
  U16 = 7,
  U32 = 8,
  U64 = 9,
  F32 = 11,
  F64 = 12,
  C64 = 15,
  C128 = 18,
};

struct Buffer {
  size_t size;
  Extension *extensions;
  DataType type;
  void *data;
  int64_t rank;
  int64_t *dims;
};
constexpr int32_t bufferKind = 1;

/// Arguments or results: `values[i]` is a Buffer if `kinds[i]` is bufferKind.
struct Buffers {
  size_t size;
  Extension *extensions;
  int64_t count;
  int32_t *kinds;
  void **values;
};

struct Text {
  const char *data;
  size_t length;
};
constexpr int32_t textKind = 4;

/// Attributes: `values[i]` is a Text if `kinds[i]` is textKind.
struct Attributes {
  size_t size;
  Extension *extensions;
  int64_t count;
  int32_t *kinds;
  Text **names;
  void **values;
};

enum Stage : int32_t { Execute = 3 };

/// What a handler gets; more members follow.
struct CallFrame {
  size_t size;
  Extension *extensions;
  const Api *api;
  void *context;
  Stage stage;
  Buffers arguments;
  Buffers results;
  Attributes attributes;
};

/// The answer of a handler to a frame with this extension. The type of its
/// state follows; its initial value, none, is right here.
struct Metadata {
  size_t size;
  Version version;
  uint32_t traits;
};
struct MetadataRequest {
  Extension base;
  Metadata *metadata;
};

} // namespace pmrt::xla

#endif // PMRT_EMBED_XLAABI_H
