//===- Driver.h - The CUDA driver, loaded at run time -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of libcuda.so.1 that the runtime uses, as the driver's stable
// ABI has them: neither the build nor the program needs the CUDA toolkit.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CUDA_DRIVER_H
#define PMRT_CUDA_DRIVER_H

#include "runtime/CUDA/Libraries/Library.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pmrt::cuda {

using Address = unsigned long long;
using DeviceNumber = int;
struct ContextTag;
struct StreamTag;
struct EventTag;
struct ModuleTag;
struct FunctionTag;
using DeviceContext = ContextTag *;
using Stream = StreamTag *;
using Event = EventTag *;
using Module = ModuleTag *;
using Function = FunctionTag *;
struct PoolTag;
using MemoryPool = PoolTag *;

/// CUmemLocation, of a GPU.
struct MemoryLocation {
  int type = 1; ///< CU_MEM_LOCATION_TYPE_DEVICE
  DeviceNumber device = 0;
};

/// CUmemPoolProps.
struct PoolProperties {
  int type = 1;    ///< CU_MEM_ALLOCATION_TYPE_PINNED
  int handles = 0; ///< CU_MEM_HANDLE_TYPE_NONE
  MemoryLocation location;
  void *attributes = nullptr;
  size_t most = 0; ///< 0: the driver's limit
  unsigned char reserved[56] = {};
};

/// CUmemAccessDesc.
struct PoolAccess {
  MemoryLocation location;
  int flags = 3; ///< CU_MEM_ACCESS_FLAGS_PROT_READWRITE
};

/// Numbers of cuda.h.
namespace constant {
constexpr int success = 0;
constexpr int invalidValue = 1;
constexpr int outOfMemory = 2;
constexpr int noDevice = 100;
constexpr int peerUnsupported = 217;
constexpr int notReady = 600;
constexpr int peerEnabled = 704;
constexpr int streamNonBlocking = 1;
constexpr unsigned eventWithoutTime = 2;
constexpr unsigned hostMapped = 2;
constexpr int attributeProcessors = 16;
constexpr int attributeMajor = 75;
constexpr int attributeMinor = 76;
constexpr int attributeSharedOptIn = 97;
constexpr int attributePools = 115;
constexpr int poolReleaseThreshold = 4;
constexpr int functionDynamicShared = 8;
constexpr int jitErrorLog = 5;
constexpr int jitErrorLogBytes = 6;
} // namespace constant

// The member, the exported symbol, the type.
#define PMRT_CUDA_DRIVER(X)                                                    \
  X(init, "cuInit", int (*)(unsigned))                                         \
  X(driverVersion, "cuDriverGetVersion", int (*)(int *))                       \
  X(errorName, "cuGetErrorName", int (*)(int, const char **))                  \
  X(errorText, "cuGetErrorString", int (*)(int, const char **))                \
  X(deviceCount, "cuDeviceGetCount", int (*)(int *))                           \
  X(deviceGet, "cuDeviceGet", int (*)(DeviceNumber *, int))                    \
  X(deviceName, "cuDeviceGetName", int (*)(char *, int, DeviceNumber))         \
  X(deviceId, "cuDeviceGetUuid_v2", int (*)(char *, DeviceNumber))             \
  X(deviceAttribute, "cuDeviceGetAttribute",                                   \
    int (*)(int *, int, DeviceNumber))                                         \
  X(deviceMemory, "cuDeviceTotalMem_v2", int (*)(size_t *, DeviceNumber))      \
  X(retain, "cuDevicePrimaryCtxRetain",                                        \
    int (*)(DeviceContext *, DeviceNumber))                                    \
  X(releaseContext, "cuDevicePrimaryCtxRelease_v2", int (*)(DeviceNumber))     \
  X(setContext, "cuCtxSetCurrent", int (*)(DeviceContext))                     \
  X(currentContext, "cuCtxGetCurrent", int (*)(DeviceContext *))               \
  X(peerAccess, "cuCtxEnablePeerAccess", int (*)(DeviceContext, unsigned))     \
  X(memoryInfo, "cuMemGetInfo_v2", int (*)(size_t *, size_t *))                \
  X(allocate, "cuMemAlloc_v2", int (*)(Address *, size_t))                     \
  X(release, "cuMemFree_v2", int (*)(Address))                                 \
  X(poolCreate, "cuMemPoolCreate",                                             \
    int (*)(MemoryPool *, const PoolProperties *))                             \
  X(poolDestroy, "cuMemPoolDestroy", int (*)(MemoryPool))                      \
  X(poolSet, "cuMemPoolSetAttribute", int (*)(MemoryPool, int, void *))        \
  X(poolAccess, "cuMemPoolSetAccess",                                          \
    int (*)(MemoryPool, const PoolAccess *, size_t))                           \
  X(allocateQueued, "cuMemAllocFromPoolAsync",                                 \
    int (*)(Address *, size_t, MemoryPool, Stream))                            \
  X(releaseQueued, "cuMemFreeAsync", int (*)(Address, Stream))                 \
  X(canAccessPeer, "cuDeviceCanAccessPeer",                                    \
    int (*)(int *, DeviceNumber, DeviceNumber))                                \
  X(allocateHost, "cuMemHostAlloc", int (*)(void **, size_t, unsigned))        \
  X(releaseHost, "cuMemFreeHost", int (*)(void *))                             \
  X(hostAddress, "cuMemHostGetDevicePointer_v2",                               \
    int (*)(Address *, void *, unsigned))                                      \
  X(set8, "cuMemsetD8Async", int (*)(Address, unsigned char, size_t, Stream))  \
  X(toDevice, "cuMemcpyHtoDAsync_v2",                                          \
    int (*)(Address, const void *, size_t, Stream))                            \
  X(toHost, "cuMemcpyDtoHAsync_v2", int (*)(void *, Address, size_t, Stream))  \
  X(within, "cuMemcpyDtoDAsync_v2", int (*)(Address, Address, size_t, Stream)) \
  X(streamCreate, "cuStreamCreate", int (*)(Stream *, unsigned))               \
  X(streamAfter, "cuStreamWaitEvent", int (*)(Stream, Event, unsigned))        \
  X(eventQuery, "cuEventQuery", int (*)(Event))                                \
  X(streamWait, "cuStreamSynchronize", int (*)(Stream))                        \
  X(streamDestroy, "cuStreamDestroy_v2", int (*)(Stream))                      \
  X(eventCreate, "cuEventCreate", int (*)(Event *, unsigned))                  \
  X(eventRecord, "cuEventRecord", int (*)(Event, Stream))                      \
  X(eventWait, "cuEventSynchronize", int (*)(Event))                           \
  X(eventElapsed, "cuEventElapsedTime", int (*)(float *, Event, Event))        \
  X(eventDestroy, "cuEventDestroy_v2", int (*)(Event))                         \
  X(moduleLoad, "cuModuleLoadDataEx",                                          \
    int (*)(Module *, const void *, unsigned, int *, void **))                 \
  X(moduleFunction, "cuModuleGetFunction",                                     \
    int (*)(Function *, Module, const char *))                                 \
  X(moduleUnload, "cuModuleUnload", int (*)(Module))                           \
  X(functionSet, "cuFuncSetAttribute", int (*)(Function, int, int))            \
  X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                  \
    int (*)(int *, Function, int, size_t))                                     \
  X(launch, "cuLaunchKernel",                                                  \
    int (*)(Function, unsigned, unsigned, unsigned, unsigned, unsigned,        \
            unsigned, unsigned, Stream, void **, void **))

struct Driver {
  PMRT_FUNCTIONS(PMRT_CUDA_DRIVER)

  /// "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
  std::string text(int error) const;
};

/// Loads and initializes the driver, once. Throws Exit::Usage with what is
/// missing and how to get it.
const Driver &driver();

/// The major version of CUDA that the driver supports, 13; 0 if it does not
/// tell.
int driverVersion();

} // namespace pmrt::cuda

#endif // PMRT_CUDA_DRIVER_H
