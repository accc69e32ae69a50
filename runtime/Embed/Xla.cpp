//===- Xla.cpp - A handler for XLA's foreign functions --------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One handler serves all programs: its attribute 'call' names the program and
// the meaning of the buffers. Programs stay open between calls.
//
//===----------------------------------------------------------------------===//

#include "pmrt/embed.h"
#include "runtime/Embed/XlaAbi.h"
#include "runtime/Embed/XlaCall.h"

#include <algorithm>
#include <cfenv>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

using namespace pmrt;

namespace {

/// The calls that are open, by their attribute.
class OpenCalls {
public:
  /// XLA's threads may outlive static objects, so this one is not destroyed.
  static OpenCalls &get() {
    static auto &calls = *new OpenCalls;
    return calls;
  }

  std::shared_ptr<XlaCall> find(std::string_view text) {
    const std::lock_guard guard(lock);
    if (const auto found = calls.find(text); found != calls.end())
      return found->second;
    auto call = std::make_shared<XlaCall>(std::string(text));
    return calls.emplace(text, std::move(call)).first->second;
  }

  void close(std::string_view text) {
    std::shared_ptr<XlaCall> last; // destroyed after the lock is free
    const std::lock_guard guard(lock);
    if (const auto found = calls.find(text); found != calls.end()) {
      last = std::move(found->second);
      calls.erase(found);
    }
  }

  void interrupt() {
    const std::lock_guard guard(lock);
    for (const auto &[text, call] : calls)
      call->interrupt();
  }

private:
  std::mutex lock;
  std::map<std::string, std::shared_ptr<XlaCall>, std::less<>> calls;
};

/// XLA flushes subnormal numbers to zero on its threads. Programs do not, so
/// that their results are those of other callers.
class DefaultArithmetic {
public:
  DefaultArithmetic() {
    std::fegetenv(&former);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&former); }
  DefaultArithmetic(const DefaultArithmetic &) = delete;
  DefaultArithmetic &operator=(const DefaultArithmetic &) = delete;

private:
  std::fenv_t former;
};

} // namespace

static std::string_view attribute(const xla::Attributes &attributes,
                                  std::string_view name) {
  for (int64_t i = 0; i < attributes.count; ++i) {
    const xla::Text &found = *attributes.names[i];
    if (std::string_view(found.data, found.length) != name)
      continue;
    if (attributes.kinds[i] != xla::textKind)
      throw usageError("[PM9108] the attribute '{}' is not a string", name);
    const auto &value = *static_cast<const xla::Text *>(attributes.values[i]);
    return {value.data, value.length};
  }
  throw usageError("[PM9108] the attribute '{}' is missing", name);
}

static xla::Error *errorOf(const xla::Api &api, const Error &error) {
  const std::string text =
      error.location().empty()
          ? std::string(error.what())
          : fmt::format("{}: {}", error.location(), error.what());
  xla::NewError made = {};
  made.size = sizeof made;
  made.message = text.c_str();
  made.code = error.exit() == Exit::Usage         ? xla::InvalidArgument
              : error.exit() == Exit::Interrupted ? xla::Cancelled
                                                  : xla::Internal;
  return api.createError(&made);
}

/// Reports to XLA which version of its interface the handler is made for.
static void answer(const xla::CallFrame &frame, xla::Metadata &metadata) {
  const bool isOlder = frame.api &&
                       frame.api->version.major == xla::majorVersion &&
                       frame.api->version.minor < xla::minorVersion;
  metadata.version.major = xla::majorVersion;
  metadata.version.minor =
      isOlder ? frame.api->version.minor : xla::minorVersion;
  metadata.traits = 0;
}

/// Finds the memory of the buffers of a call. Returns XLA's error, or null.
static xla::Error *findMemory(const xla::CallFrame &frame, XlaMemory &memory) {
  xla::StreamRequest request = {};
  request.size = sizeof request;
  request.context = frame.context;
  xla::Error *error = frame.api->getStream(&request);
  memory = {PMRT_DEVICE, request.stream};
  return error;
}

static void *handle(void *call_frame, bool isOnGpu) {
  auto &frame = *static_cast<xla::CallFrame *>(call_frame);
  if (frame.extensions && frame.extensions->type == xla::metadataExtension) {
    auto &request = *reinterpret_cast<xla::MetadataRequest *>(frame.extensions);
    answer(frame, *request.metadata);
    return nullptr;
  }
  if (frame.stage != xla::Execute)
    return nullptr;
  const DefaultArithmetic arithmetic;
  XlaMemory memory;
  if (isOnGpu)
    if (xla::Error *error = findMemory(frame, memory))
      return error;
  try {
    OpenCalls::get()
        .find(attribute(frame.attributes, "call"))
        ->run(frame.arguments, frame.results, memory);
    return nullptr;
  } catch (...) {
    return errorOf(*frame.api, currentError());
  }
}

void *pmrt_xla_handler(void *call_frame) {
  return handle(call_frame, /*isOnGpu=*/false);
}

void *pmrt_xla_handler_gpu(void *call_frame) {
  return handle(call_frame, /*isOnGpu=*/true);
}

void pmrt_xla_close(const char *call) { OpenCalls::get().close(call); }

void pmrt_xla_interrupt() { OpenCalls::get().interrupt(); }
