//===- FakeCuda.h - A CUDA driver without a GPU -----------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libcuda.so.1 whose device is the CPU, for tests: found before the real one
// through LD_LIBRARY_PATH. It is stricter than a GPU where that finds mistakes:
//
// * Streams are lazy: nothing happens before somebody waits for it, so a wait
//   that is missing shows.
// * Device memory is not accessible but to kernels and copies: a host that
//   reads or writes it dies.
// * New memory is full of NaNs. Like cuMemFree, freeing memory waits for the
// work
//   on all streams.
// * Calls require that the calling thread has a context that is not released. A
//   kernel that accesses memory of another device without peer access dies.
// * With FAKECUDA_PROGRESS=SEED streams also work before a call waits for them.
// * Memory is limited (FAKECUDA_MEMORY bytes), so is what runs at the same time
//   (FAKECUDA_PROCESSORS); and shared memory is full of NaNs when a block
//   begins.
// * The threads of a block run one after the other from barrier to barrier; a
//   barrier that not all threads of the block reach fails the launch.
//   FAKECUDA_ORDER says in which order blocks and threads run: `reverse`, or
//   `shuffle:SEED`, another order between any two barriers.
// * With FAKECUDA_RACES=1 a launch fails if two threads touch the same memory,
//   no barrier between them, and one of them writes (Races.h), however they
//   were scheduled; or if one touches memory that is not allocated.
//
// There are FAKECUDA_DEVICES of them (1), of which CUDA_VISIBLE_DEVICES
// chooses, and the driver's version is FAKECUDA_VERSION. FAKECUDA_OPEN=1 lets
// the host touch device memory, as an MPI does that knows of GPUs; with
// FAKECUDA_PEERS=0 no device can be told to read another's, and with
// FAKECUDA_POOLS=0 there are no memory pools. FAKECUDA_HOURS=N: all events but
// the first happen N hours later. FAKECUDA_BLOCKED=FUNCTION: calls of this
// function take FAKECUDA_PATIENCE seconds (20). FAKECUDA_PEAK=FILE: at the end
// of the program, FILE has a line for each device: its number, and the most
// bytes that were allocated there at one time.
//
// A kernel NAME of an image is the function `NAME.host`, void (void **args),
// of the library FAKECUDA_KERNELS, if that has it, or of the program (linked
// with -rdynamic), and `NAME.sizes`, int32_t: the number of arguments and their
// sizes. Images that are PTX must have the entry, too. Kernels call what is
// below.
//
//===----------------------------------------------------------------------===//

#ifndef PMC_TEST_GPU_FAKE_FAKECUDA_H
#define PMC_TEST_GPU_FAKE_FAKECUDA_H

#include <cstddef>
#include <functional>

extern "C" {
/// Where a thread is: indices and extents of blocks and grids, along x.
int fakecuda_tid();
int fakecuda_ntid();
int fakecuda_ctaid();
int fakecuda_nctaid();
/// Waits for the other threads of the block.
void fakecuda_barrier();
/// The block's dynamic shared memory.
void *fakecuda_shared();
/// The thread is about to read (0), write (1) or atomically change (2) memory.
void fakecuda_access(const void *at, int bytes, int kind);
}

namespace fakecuda {

/// Work at the end of a stream; it may use device memory. Returns an error for
/// whoever waits, or 0. It is not begun before `ready` (if any) says so. One
/// piece of work runs at a time.
void enqueue(void *stream, std::function<int()> work,
             std::function<bool()> ready = {});

/// Counts a call; with FAKECUDA_CALLS=FILE, that has the counts when
/// the program ends.
void called(const char *function);

/// Whether all of it is allocated device memory, or memory of the host that
/// devices see.
bool isDeviceMemory(const void *at, size_t size);
bool isPinned(const void *at, size_t size);

/// Runs what is queued on all streams and can be run.
void runQueued();

} // namespace fakecuda

#endif // PMC_TEST_GPU_FAKE_FAKECUDA_H
