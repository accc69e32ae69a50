//===- Failures.cpp - Errors of a run, thrown and printed -----------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Program/Failures.h"

#include "runtime/Base/Text/Format.h"
#include "runtime/Base/Text/Printable.h"
#include "runtime/Comm/Transport.h"

using namespace pmrt;

void pmrt::printOrFail(const std::string &text) {
  if (const std::string problem = printTo(stdout, printable(text));
      !problem.empty())
    throw Error(Exit::Failure, "", "[PM9007] " + problem).everywhere();
}

void pmrt::printError(const std::string &command, const Error &error,
                      const std::string &rank) {
  const std::string &where =
      error.location().empty() ? command : error.location();
  printMessage(fmt::format("{}: error: {}{}\n", where, rank, error.what()));
  for (const Error::Note &note : error.notes())
    printMessage(fmt::format("{}: note: {}\n", note.location, note.message));
}

Error pmrt::currentError(const pmrt_context &context) {
  try {
    throw;
  } catch (const Error &e) {
    return e;
  } catch (const std::bad_alloc &) {
    return context.failure(context.current, "[PM9009] out of memory");
  } catch (const std::exception &e) {
    return context.failure(context.current, e.what());
  } catch (...) {
    return context.failure(context.current,
                           "internal error: unknown exception");
  }
}

void pmrt::onAll(pmrt_context &context, const std::function<void()> &work) {
  std::string problem;
  try {
    work();
  } catch (const Stopped &) {
    throw;
  } catch (const RankLost &) {
    throw;
  } catch (const Interrupted &) {
    throw;
  } catch (const std::bad_alloc &) {
    problem = "[PM9009] out of memory";
  } catch (const std::exception &e) {
    problem = e.what();
  }
  context.agree(-1, problem, Exit::Usage);
}

std::string pmrt::whatFails(const std::function<void()> &work) {
  try {
    work();
    return "";
  } catch (const std::exception &e) {
    return e.what();
  }
}
