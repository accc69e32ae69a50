//===- MpiPlugin.cpp - What the runtime needs of MPI ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file that includes mpi.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/MpiPlugin.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <mpi.h>
#include <string>

// A process has one MPI.
static MPI_Comm messages = MPI_COMM_NULL, notes = MPI_COMM_NULL;

namespace {
/// A note that is being sent.
struct Note {
  std::string text;
  MPI_Request request = MPI_REQUEST_NULL;
};
} // namespace

static std::list<Note> &outgoing() {
  static std::list<Note> all;
  return all;
}

static int start(int place, int *rank, int *size, int *local) {
  int provided = 0;
  if (int error =
          MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided))
    return error;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (int error = MPI_Comm_split(MPI_COMM_WORLD, 0, place, &messages))
    return error;
  if (int error = MPI_Comm_dup(messages, &notes))
    return error;
  MPI_Comm_set_errhandler(messages, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(notes, MPI_ERRORS_RETURN);
  MPI_Comm_rank(messages, rank);
  MPI_Comm_size(messages, size);
  MPI_Comm here = MPI_COMM_NULL;
  if (int error = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
                                      MPI_INFO_NULL, &here))
    return error;
  MPI_Comm_size(here, local);
  return MPI_Comm_free(&here);
}

static int send(const void *data, int bytes, int peer, int tag, int *request) {
  MPI_Request value = MPI_REQUEST_NULL;
  const int error =
      MPI_Isend(data, bytes, MPI_BYTE, peer, tag, messages, &value);
  *request = int(MPI_Request_c2f(value));
  return error;
}

static int receive(void *data, int bytes, int peer, int tag, int *request) {
  MPI_Request value = MPI_REQUEST_NULL;
  const int error =
      MPI_Irecv(data, bytes, MPI_BYTE, peer, tag, messages, &value);
  *request = int(MPI_Request_c2f(value));
  return error;
}

static int test(int *request, int *done) {
  MPI_Request value = MPI_Request_f2c(*request);
  const int error = MPI_Test(&value, done, MPI_STATUS_IGNORE);
  *request = int(MPI_Request_c2f(value));
  return error;
}

static int cancel(int *request) {
  MPI_Request value = MPI_Request_f2c(*request);
  if (int error = MPI_Cancel(&value))
    return error;
  const int error = MPI_Wait(&value, MPI_STATUS_IGNORE);
  *request = int(MPI_Request_c2f(value));
  return error;
}

static int notify(int peer, const void *data, int bytes) {
  Note &note = outgoing().emplace_back();
  note.text.assign(static_cast<const char *>(data), size_t(bytes));
  return MPI_Isend(note.text.data(), bytes, MPI_BYTE, peer, 0, notes,
                   &note.request);
}

static int note(void *data, int capacity, int *length, int *from) {
  *length = 0;
  int there = 0;
  MPI_Status status;
  if (int error = MPI_Iprobe(MPI_ANY_SOURCE, 0, notes, &there, &status))
    return error;
  if (!there)
    return 0;
  *from = status.MPI_SOURCE;
  MPI_Get_count(&status, MPI_BYTE, length);
  return MPI_Recv(data, std::min(capacity, *length), MPI_BYTE, *from, 0, notes,
                  MPI_STATUS_IGNORE);
}

static int finish() {
  for (Note &note : outgoing())
    if (int error = MPI_Wait(&note.request, MPI_STATUS_IGNORE))
      return error;
  MPI_Comm_free(&messages);
  MPI_Comm_free(&notes);
  return MPI_Finalize();
}

static void stop(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

static void describe(int code, char *text, int capacity) {
  char full[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, full, &length);
  std::strncpy(text, full, size_t(capacity - 1));
  text[capacity - 1] = '\0';
}

const pmrt_mpi_plugin *pmrt_mpi_plugin_table() {
  static const pmrt_mpi_plugin table = {PMRT_MPI_PLUGIN_VERSION,
                                        start,
                                        send,
                                        receive,
                                        test,
                                        cancel,
                                        notify,
                                        note,
                                        finish,
                                        stop,
                                        describe};
  return &table;
}
