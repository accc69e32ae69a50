//===- Embed.cpp - The C ABI of embedded programs -------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pmrt/embed.h"

#include "runtime/Embed/Session.h"

#include <nlohmann/json.hpp>

using namespace pmrt;

struct pmrt_library : Library {
  using Library::Library;
};

struct pmrt_session : Session {
  using Session::Session;
};

namespace {

/// A pmrt_error that the caller owns.
struct OwnedError : pmrt_error {
  explicit OwnedError(const Error &error) : pmrt_error(), record(error) {
    static_cast<pmrt_error &>(*this) = record.get();
  }

  ErrorRecord record;
};

} // namespace

static void tell(pmrt_error **error) {
  if (error)
    *error = new OwnedError(currentError());
}

/// Does `work` and keeps what it throws.
template <typename Work>
static int32_t guarded(pmrt_session *session, const Work &work) {
  session->error.reset();
  try {
    work();
    return 0;
  } catch (...) {
    session->error =
        std::make_unique<ErrorRecord>(currentError(), session->failedRank);
    return session->error->get().code;
  }
}

static size_t checkIndex(int32_t index, size_t count, const char *what) {
  if (index < 0 || size_t(index) >= count)
    throw usageError("[PM9108] the program has no {} {}, only {}", what, index,
                     count);
  return size_t(index);
}

static const SessionArrays::Written &writtenAt(const pmrt_session &session,
                                               int32_t output, int32_t number) {
  const size_t index =
      checkIndex(output, session.library.outputs.size(), "output");
  if (number < 0 || size_t(number) >= session.arrays.count(index))
    throw usageError(
        "[PM9108] output '{}' was written {} times, index {} is out of range",
        session.library.outputs[index].name, session.arrays.count(index),
        number);
  return session.arrays.written(index, size_t(number));
}

int32_t pmrt_embed_version() { return PMRT_EMBED_VERSION; }

void pmrt_error_free(pmrt_error *error) {
  delete static_cast<OwnedError *>(error);
}

pmrt_library *pmrt_open(const char *path, pmrt_error **error) {
  try {
    return new pmrt_library(path);
  } catch (...) {
    tell(error);
    return nullptr;
  }
}

pmrt_library *pmrt_open_program(const pmrt_program *program,
                                pmrt_error **error) {
  try {
    return new pmrt_library(*program);
  } catch (...) {
    tell(error);
    return nullptr;
  }
}

void pmrt_close(pmrt_library *library) { delete library; }

const char *pmrt_signature(const pmrt_library *library) {
  return library->signature.c_str();
}

pmrt_session *pmrt_session_create(pmrt_library *library, int32_t count,
                                  const char *const *options,
                                  pmrt_error **error) {
  try {
    return new pmrt_session(*library, {options, options + count});
  } catch (...) {
    tell(error);
    return nullptr;
  }
}

void pmrt_session_free(pmrt_session *session) { delete session; }

const pmrt_error *pmrt_session_error(const pmrt_session *session) {
  return session->error ? &session->error->get() : nullptr;
}

int32_t pmrt_set_f64(pmrt_session *session, int32_t param, double value) {
  return guarded(session, [&] { session->setReal(param, value); });
}

int32_t pmrt_set_i64(pmrt_session *session, int32_t param, int64_t value) {
  return guarded(session, [&] { session->setBits(param, value); });
}

int32_t pmrt_unset(pmrt_session *session, int32_t param) {
  return guarded(session, [&] { session->unset(param); });
}

int32_t pmrt_bind_input(pmrt_session *session, int32_t input,
                        const pmrt_tensor *tensor) {
  return guarded(session, [&] {
    session->arrays.bindInput(
        checkIndex(input, session->library.descriptor.inputs.size(), "input"),
        tensor);
  });
}

int32_t pmrt_bind_output(pmrt_session *session, int32_t output,
                         const pmrt_tensor *tensor) {
  return guarded(session, [&] {
    session->arrays.bindOutput(
        checkIndex(output, session->library.outputs.size(), "output"), tensor);
  });
}

static void tellPart(const Box &box, int64_t *offsets, int64_t *shape) {
  for (size_t d = 0; d < box.sides.size(); ++d) {
    offsets[d] = box.sides[d].offset;
    shape[d] = box.sides[d].extent;
  }
}

int32_t pmrt_input_part(pmrt_session *session, int32_t input, int64_t *offsets,
                        int64_t *shape) {
  return guarded(session, [&] {
    const auto &inputs = session->library.descriptor.inputs;
    const size_t index = checkIndex(input, inputs.size(), "input");
    if (inputs[index].kind == InputKind::Table)
      throw usageError("[PM9108] input '{}' is a table, which has no parts",
                       inputs[index].name);
    tellPart(session->arrays.inputBox(index), offsets, shape);
  });
}

int32_t pmrt_output_part(pmrt_session *session, int32_t output,
                         int64_t *offsets, int64_t *shape) {
  return guarded(session, [&] {
    const auto &outputs = session->library.outputs;
    const size_t index = checkIndex(output, outputs.size(), "output");
    if (!outputs[index].shape)
      throw usageError(
          "[PM9108] the shape of output '{}' is not known before a run",
          outputs[index].name);
    tellPart(session->arrays.outputBox(index), offsets, shape);
  });
}

int32_t pmrt_run(pmrt_session *session) {
  return guarded(session, [&] { session->run(); });
}

void pmrt_session_interrupt(pmrt_session *session) { session->interrupt(); }

int64_t pmrt_planned_bytes(pmrt_session *session) {
  try {
    return session->plannedBytes();
  } catch (...) {
    return -1;
  }
}

int32_t pmrt_output_count(const pmrt_session *session, int32_t output) {
  if (output < 0 || size_t(output) >= session->library.outputs.size())
    return 0;
  return int32_t(session->arrays.count(size_t(output)));
}

int32_t pmrt_get_output(pmrt_session *session, int32_t output, int32_t number,
                        pmrt_tensor *tensor) {
  return guarded(session,
                 [&] { *tensor = writtenAt(*session, output, number).tensor; });
}

const char *pmrt_output_attributes(pmrt_session *session, int32_t output,
                                   int32_t number) {
  const int32_t code = guarded(session, [&] {
    const SessionArrays::Written &written = writtenAt(*session, output, number);
    nlohmann::ordered_json all = {{"iterations", written.iterations}};
    for (const Attribute &attribute : session->attributesOf(size_t(output)))
      std::visit([&](const auto &value) { all[attribute.name] = value; },
                 attribute.value);
    session->attributes = all.dump();
  });
  return code == 0 ? session->attributes.c_str() : nullptr;
}

void pmrt_set_callbacks(pmrt_session *session,
                        const pmrt_callbacks *callbacks) {
  session->setCallbacks(callbacks ? *callbacks : pmrt_callbacks{});
}
