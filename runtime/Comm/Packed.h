//===- Packed.h - Messages of devices as dense memory -----------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For transports that move runs of a device's memory. A box is packed to other
// memory if it is not one run, or is combined with the values of the receiver.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_COMM_PACKED_H
#define PMRT_COMM_PACKED_H

#include "runtime/Base/Memory/Arena.h"
#include "runtime/Comm/Transport.h"

namespace pmrt {

/// Memory for packed boxes, kept for later messages, because freeing memory
/// waits for the device.
class PackPool {
public:
  /// Memory of at least `bytes`. If all memory that is not in use is too small,
  /// the largest piece of it is freed.
  Pages take(Device &device, int64_t bytes);
  void giveBack(Pages pages) { spare.push_back(std::move(pages)); }
  void clear() { spare.clear(); }

private:
  std::vector<Pages> spare;
};

/// Bytes of the memory for packed boxes of messages to and from other ranks.
int64_t packedBytes(const Messages &messages, int self);

class Packed {
public:
  /// Queues the packing of what is sent. The messages of a rank to itself must
  /// be gone.
  Packed(Messages all, PackPool &pool);

  /// The same messages, each one run.
  const std::vector<Message> &sends() const { return dense.sends; }
  const std::vector<Message> &receives() const { return dense.receives; }
  const Messages &runs() const { return dense; }

  /// When all have come: queues the unpacking, in the order of the receives.
  void unpack();

private:
  Messages messages, dense;
  PackPool &pool;
  Pages memory;
};

} // namespace pmrt

#endif // PMRT_COMM_PACKED_H
