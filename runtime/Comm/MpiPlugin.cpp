//===- MpiPlugin.cpp - What the runtime needs of MPI ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file that includes mpi.h: a library of its own (libpmrt_mpi.so),
// loaded when a program runs under mpirun. The program itself runs where MPI is
// absent, and another MPI needs this file compiled again and nothing else.
//
//===----------------------------------------------------------------------===//

#include "runtime/Comm/ByteTransport.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <list>
#include <mpi.h>
#include <stdexcept>
#include <unistd.h>

using namespace pmrt;

static void check(int error, const char *action) {
  if (error == MPI_SUCCESS)
    return;
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(error, text, &length);
  throw std::runtime_error(std::string("MPI cannot ") + action + ": " + text);
}

namespace {

/// A note that is being sent.
struct Note {
  std::string text;
  MPI_Request request = MPI_REQUEST_NULL;
};

class MpiByteTransport : public ByteTransport {
public:
  explicit MpiByteTransport(int order) {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided),
          "start");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Comm_split(MPI_COMM_WORLD, 0, order, &messages), "start");
    open();
  }

  /// Communicators are not freed, because that is a collective and the sessions
  /// of different ranks end at different times.
  explicit MpiByteTransport(MPI_Comm all) {
    check(MPI_Comm_dup(all, &messages), "start");
    open();
  }

private:
  void open() {
    check(MPI_Comm_dup(messages, &notes), "start");
    MPI_Comm_set_errhandler(messages, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(notes, MPI_ERRORS_RETURN);
    MPI_Comm_rank(messages, &self.rank);
    MPI_Comm_size(messages, &self.size);
    MPI_Comm here = MPI_COMM_NULL;
    check(MPI_Comm_split_type(messages, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                              &here),
          "start");
    MPI_Comm_rank(here, &self.localRank);
    MPI_Comm_size(here, &self.localSize);
    check(MPI_Comm_free(&here), "start");
  }

public:
  const char *name() const override { return "mpi"; }
  RankPosition position() const override { return self; }

  /// Open MPI and MPICH have this function; other MPIs do not tell.
  GpuMemory gpuMemory() const override {
    auto query = reinterpret_cast<int (*)()>(
        dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
    return query && query() == 1 ? GpuMemory::Yes : GpuMemory::NotTold;
  }

  void send(const void *data, int bytes, int peer, int tag,
            int &request) override {
    MPI_Request value = MPI_REQUEST_NULL;
    check(MPI_Isend(data, bytes, MPI_BYTE, peer, tag, messages, &value),
          "send");
    request = int(MPI_Request_c2f(value));
  }

  void receive(void *data, int bytes, int peer, int tag,
               int &request) override {
    MPI_Request value = MPI_REQUEST_NULL;
    check(MPI_Irecv(data, bytes, MPI_BYTE, peer, tag, messages, &value),
          "receive");
    request = int(MPI_Request_c2f(value));
  }

  bool test(int &request) override {
    MPI_Request value = MPI_Request_f2c(request);
    int done = 0;
    check(MPI_Test(&value, &done, MPI_STATUS_IGNORE), "exchange messages");
    request = int(MPI_Request_c2f(value));
    return done != 0;
  }

  void cancel(int &request, bool sending) noexcept override {
    MPI_Request value = MPI_Request_f2c(request);
    if (!sending && MPI_Cancel(&value) == MPI_SUCCESS)
      MPI_Wait(&value, MPI_STATUS_IGNORE);
  }

  void notify(int peer, const std::string &text) noexcept override {
    Note &note = outgoing.emplace_back();
    note.text = text;
    MPI_Isend(note.text.data(), int(text.size()), MPI_BYTE, peer, 0, notes,
              &note.request);
  }

  bool note(std::string &text, int &from) noexcept override {
    int there = 0, length = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, 0, notes, &there, &status) != MPI_SUCCESS ||
        !there)
      return false;
    from = status.MPI_SOURCE;
    MPI_Get_count(&status, MPI_BYTE, &length);
    text.resize(size_t(length));
    return MPI_Recv(text.data(), length, MPI_BYTE, from, 0, notes,
                    MPI_STATUS_IGNORE) == MPI_SUCCESS;
  }

  /// Where ranks share processors, the one that this rank waits for may need
  /// its own: to look without a pause takes it away.
  void rest(double idle) override {
    if (idle > 5e-5 && self.localSize > sysconf(_SC_NPROCESSORS_ONLN))
      usleep(50);
    else
      ByteTransport::rest(idle);
  }

  void finish() override {
    for (Note &note : outgoing)
      check(MPI_Wait(&note.request, MPI_STATUS_IGNORE), "end");
    MPI_Comm_free(&messages);
    MPI_Comm_free(&notes);
    check(MPI_Finalize(), "end");
  }

  void abort(int code) noexcept override { MPI_Abort(MPI_COMM_WORLD, code); }

private:
  MPI_Comm messages = MPI_COMM_NULL, notes = MPI_COMM_NULL;
  RankPosition self;
  std::list<Note> outgoing;
};

} // namespace

int pmrt_mpi_plugin_version() { return PMRT_MPI_PLUGIN_VERSION; }

ByteTransport *pmrt_mpi_plugin_start(int order) {
  return new MpiByteTransport(order); // a process has one MPI, to its end
}

ByteTransport *pmrt_mpi_plugin_attach(const void *comm) {
  int started = 0, ended = 0, level = MPI_THREAD_SINGLE;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (!started || ended)
    throw std::runtime_error("MPI is not running in this process");
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_SERIALIZED)
    throw std::runtime_error(
        "MPI must be started with MPI_THREAD_SERIALIZED or more");
  return new MpiByteTransport(*static_cast<const MPI_Comm *>(comm));
}
