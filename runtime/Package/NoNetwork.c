//===- NoNetwork.c - Replacement of curl for CFITSIO ----------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's CFITSIO opens URLs with curl, which needs 30 other libraries.
// Programs open local files only, so here curl cannot be started: CFITSIO
// reports that.
//
//===----------------------------------------------------------------------===//

enum { failedToStart = 2 }; // CURLE_FAILED_INIT

int curl_global_init(long flags) {
  (void)flags;
  return failedToStart;
}

void curl_global_cleanup(void) {}

void *curl_easy_init(void) { return 0; }

int curl_easy_setopt(void *handle, int option, ...) {
  (void)handle;
  (void)option;
  return failedToStart;
}

int curl_easy_perform(void *handle) {
  (void)handle;
  return failedToStart;
}

void curl_easy_cleanup(void *handle) { (void)handle; }
