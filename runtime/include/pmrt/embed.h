//===- embed.h - Programs as functions of a process -------------*- C++ -*-===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process opens a program, binds parameters and arrays, and runs it as often
// as it likes. runtime/Embed/README.md has an example.
//
// Sessions share no state. Each is used by one thread at a time, except
// pmrt_session_interrupt. No function here ends the process, installs a signal
// handler, or writes to a standard stream. No function throws.
//
//===----------------------------------------------------------------------===//

#ifndef PMRT_EMBED_H
#define PMRT_EMBED_H

#include "pmrt/pmrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Raised when a declaration of this header changes.
#define PMRT_EMBED_VERSION 4
int32_t pmrt_embed_version(void);

/// A program that has been opened.
typedef struct pmrt_library pmrt_library;
/// One use of a program: its values, its memory, its last result.
typedef struct pmrt_session pmrt_session;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

typedef struct pmrt_note {
  const char *location; ///< "nbody.pm:14:9"
  const char *message;
} pmrt_note;

typedef struct pmrt_error {
  int32_t code;         ///< 1: wrong use or input; 2: failure; 130: interrupted
  int32_t rank;         ///< that has found it; -1: all ranks have
  const char *location; ///< in the spec, "nbody.pm:14:9"; or ""
  const char *message;
  int64_t step;  ///< of the innermost loop, from 0; -1: in no loop
  int64_t steps; ///< of that loop; 0: not known
  int32_t note_count;
  const pmrt_note *notes;
} pmrt_error;

/// Frees an error that pmrt_open or pmrt_session_create has made. Null is fine.
void pmrt_error_free(pmrt_error *error);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Opens what `pmc --emit=shared` has made. Null and `*error` if that fails.
pmrt_library *pmrt_open(const char *path, pmrt_error **error);
/// The same of a program that is part of the process.
pmrt_library *pmrt_open_program(const pmrt_program *program,
                                pmrt_error **error);
/// Closes a program that has no session any more. Null is fine.
void pmrt_close(pmrt_library *library);

/// JSON: the parameters with ranges and units, the inputs and outputs with
/// shapes and elements. runtime/Embed/README.md describes the keys. Lives as
/// long as the program. Indices of the functions below count its lists.
const char *pmrt_signature(const pmrt_library *library);

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

/// `options`: texts NAME=VALUE with the values of the flags of programs:
/// threads, mesh (mesh=row=2,col=2; ranks are threads), plan, memory-limit,
/// time-limit, plots. `plots` is the format of the files that the callback
/// `figure` gets: none (the default), png, svg or pdf. In programs for GPUs,
/// `device=1` selects the GPU of the first rank.
/// `comm=ADDRESS` is the decimal address of an MPI_Comm: its
/// processes are the ranks, and make sessions and run them together. Arrays are
/// the parts of this rank then. Null and `*error` if one is wrong.
pmrt_session *pmrt_session_create(pmrt_library *library, int32_t count,
                                  const char *const *options,
                                  pmrt_error **error);
void pmrt_session_free(pmrt_session *session);

// The functions below return 0, or the error's code. The session keeps the
// error until its next call.

/// The error of the last call; null if it had none.
const pmrt_error *pmrt_session_error(const pmrt_session *session);

/// A parameter's value for the next runs, in its unit and range.
int32_t pmrt_set_f64(pmrt_session *session, int32_t param, double value);
/// The same of an int, a u64 (its bits) or a bool (0 or 1).
int32_t pmrt_set_i64(pmrt_session *session, int32_t param, int64_t value);
/// Back to the default.
int32_t pmrt_unset(pmrt_session *session, int32_t param);

/// An array of the caller, or of the session.
typedef struct pmrt_tensor {
  void *data;
  int32_t element; ///< pmrt_element
  int32_t space;   ///< PMRT_HOST; PMRT_DEVICE: of a GPU, for a program for GPUs
  int32_t rank;
  int32_t reserved; ///< 0
  int64_t shape[PMRT_MAX_RANK + 1];
  int64_t strides[PMRT_MAX_RANK + 1]; ///< in bytes
  /// CUstream of a GPU: the run follows what is queued on it. Null: the
  /// default stream.
  void *stream;
} pmrt_tensor;

/// What the program reads in the next runs. The memory must last until then; it
/// is not written. Elements may be f32 for f64 and f64 for f32, complex ones
/// alike, if it is on the host. A table is an array (n, 2) of f64. A table over
/// several axes has an input for each axis, `P/k`, an array of its points, and
/// one for the values, `P/P`, an array over the axes. Null: not given.
int32_t pmrt_bind_input(pmrt_session *session, int32_t input,
                        const pmrt_tensor *tensor);
/// Sets where the next runs write an output. The tensor has the element and
/// shape of the output. On a GPU it must be dense. Null: memory of the session.
/// Outputs in loops cannot be bound. A run may use the memory before the output
/// is complete. After a failed run, its content is undefined.
int32_t pmrt_bind_output(pmrt_session *session, int32_t output,
                         const pmrt_tensor *tensor);

/// Which part of the whole array this process holds: all of it, or with `comm`
/// the part of its rank. Arrays of PMRT_MAX_RANK + 1 numbers. An
/// input may also be bound whole. Of outputs whose dimensions were joined, the
/// first offset is 0 and the rows are those of this rank.
int32_t pmrt_input_part(pmrt_session *session, int32_t input, int64_t *offsets,
                        int64_t *shape);
int32_t pmrt_output_part(pmrt_session *session, int32_t output,
                         int64_t *offsets, int64_t *shape);

/// Runs the program and waits for its end.
int32_t pmrt_run(pmrt_session *session);

/// Has the session's run end, with code 130, within a call of the runtime. From
/// any thread, also from a signal handler. Without a run, nothing happens.
void pmrt_session_interrupt(pmrt_session *session);

/// Bytes of the memory plan of the last run, on all ranks of this process.
/// Memory of the caller that the run has used in place is not included. -1:
/// unknown.
int64_t pmrt_planned_bytes(pmrt_session *session);

/// How often the last run has written an output: 0 or 1, or more in loops.
int32_t pmrt_output_count(const pmrt_session *session, int32_t output);
/// Number `number` of them. Its memory is the session's unless the output was
/// bound, and lasts until the next run.
int32_t pmrt_get_output(pmrt_session *session, int32_t output, int32_t number,
                        pmrt_tensor *tensor);
/// JSON: `iterations` ("_003", or ""), and the attributes that an output file
/// has (unit, dimensions, box). Lasts until the session's next call.
const char *pmrt_output_attributes(pmrt_session *session, int32_t output,
                                   int32_t number);

typedef struct pmrt_progress {
  const char *location; ///< of the outermost loop
  int64_t step, steps;  ///< of the outermost loop; steps 0: not known
  double fraction;      ///< of it that is done; 0: not known
  int32_t loops;        ///< how many are nested
} pmrt_progress;

/// What a run calls, one function at a time, from any of its threads. Members
/// may be null.
typedef struct pmrt_callbacks {
  void *user;
  /// What the program prints, whole lines.
  void (*print)(void *user, const char *text);
  /// Notes and warnings about the run, whole lines.
  void (*message)(void *user, const char *text);
  /// At most ten times a second, and when the outermost loop ends.
  void (*progress)(void *user, const pmrt_progress *progress);
  /// Ten times a second, on the thread that has called pmrt_run: whether to
  /// interrupt the run.
  int32_t (*ask)(void *user);
  /// Gets the picture of a plot, as the contents of a file of `size` bytes.
  /// `name`: the name of the file that the command-line program would write,
  /// without its ending.
  void (*figure)(void *user, const char *name, const void *file, int64_t size);
} pmrt_callbacks;
/// Null: none.
void pmrt_set_callbacks(pmrt_session *session, const pmrt_callbacks *callbacks);

//===----------------------------------------------------------------------===//
// XLA
//===----------------------------------------------------------------------===//

/// A handler (XLA_FFI_Handler) for the foreign function interface of XLA, with
/// buffers on the host. Takes an XLA_FFI_CallFrame and returns an
/// XLA_FFI_Error, or null. Its attribute `call` is JSON, described in
/// runtime/Embed/README.md. Threads may call it at the same time.
void *pmrt_xla_handler(void *call_frame);
/// The same with buffers on a GPU, for the platform CUDA. The program must be
/// for GPUs. The run follows the work on XLA's stream, and the handler returns
/// when it is complete.
void *pmrt_xla_handler_gpu(void *call_frame);
/// Closes the program and the sessions that calls with this attribute have
/// opened. A later call opens them again.
void pmrt_xla_close(const char *call);
/// Ends all runs of the handler with the code CANCELLED. It may be called from
/// any thread, but not from a signal handler. Without a run, it has no effect.
void pmrt_xla_interrupt(void);

#ifdef __cplusplus
}
#endif

#endif // PMRT_EMBED_H
