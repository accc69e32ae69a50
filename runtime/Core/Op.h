//===- Op.h - What every runtime call begins with ---------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_CORE_OP_H
#define PMRT_CORE_OP_H

#include "runtime/Base/Interrupts.h"
#include "runtime/Core/Context.h"

namespace pmrt {

/// The scope of a runtime call: notes the location for errors, stops after
/// Ctrl-C, records the call, and times it for the profiler. The recorder does
/// not time brief calls.
class Op {
public:
  Op(Context &context, pmrt_loc loc, const char *name, int64_t bytes = 0,
     bool isBrief = false)
      : ctx(context), loc(loc), name(name), bytes(bytes), isBrief(isBrief) {
    ctx.current = loc;
    Transport::Watch &watch = *ctx.transport->watch;
    watch.activity = name;
    watch.location = loc;
    number = ctx.recorder.enter(name, loc, bytes, isBrief);
    checkInterrupt();
    ctx.transport->poll();
    ctx.device->poll();
    if (ctx.profile.enabled())
      start = ctx.profile.enter(outer);
  }
  Op(const Op &) = delete;
  Op &operator=(const Op &) = delete;
  ~Op() {
    ctx.recorder.leave(number, bytes, isBrief);
    if (ctx.profile.enabled())
      ctx.profile.record(name, loc, start, bytes, outer);
  }

  void addBytes(int64_t more) { bytes += more; }

private:
  Context &ctx;
  pmrt_loc loc;
  const char *name;
  int64_t bytes;
  bool isBrief;
  uint64_t number = 0; ///< the recorder's
  Clock::time_point start;
  int64_t outer = 0;
};

} // namespace pmrt

#endif // PMRT_CORE_OP_H
