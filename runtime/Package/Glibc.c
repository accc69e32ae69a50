//===- Glibc.c - What glibc 2.34 does not have ----------------------------===//
//
// Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages are linked where glibc is newer than where they run (manylinux_2_34).
// The linker's --wrap redirects calls of newer functions to these.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#if defined(__x86_64__)
__asm__(".symver hypot_before_2_35, hypot@GLIBC_2.2.5");
#else
__asm__(".symver hypot_before_2_35, hypot@GLIBC_2.17");
#endif
double hypot_before_2_35(double x, double y);
double __wrap_hypot(double x, double y) { return hypot_before_2_35(x, y); }

// For expat's hash tables and names of temporary files (glibc 2.36).
void __wrap_arc4random_buf(void *data, size_t size) {
  char *at = data;
  while (size > 0) {
    ssize_t got = getrandom(at, size, 0);
    if (got < 0 && errno != EINTR)
      abort();
    if (got > 0) {
      at += got;
      size -= (size_t)got;
    }
  }
}

uint32_t __wrap_arc4random(void) {
  uint32_t number;
  __wrap_arc4random_buf(&number, sizeof number);
  return number;
}

// For the unwinder of libgcc (glibc 2.35): the tables of the object that has an
// address.
struct search {
  uintptr_t address;
  struct dl_find_object *found;
};

static int look(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  int isHere = 0;
  const ElfW(Phdr) *tables = NULL;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_GNU_EH_FRAME)
      tables = header;
    if (header->p_type == PT_LOAD && search->address >= begin &&
        search->address - begin < header->p_memsz) {
      isHere = 1;
      search->found->dlfo_map_start = (void *)begin;
      search->found->dlfo_map_end = (void *)(begin + header->p_memsz);
    }
  }
  if (!isHere || !tables)
    return 0;
  search->found->dlfo_eh_frame = (void *)(info->dlpi_addr + tables->p_vaddr);
  return 1;
}

int __wrap__dl_find_object(void *address, struct dl_find_object *found) {
  struct search search = {(uintptr_t)address, found};
  found->dlfo_flags = 0;
  found->dlfo_link_map = NULL;
  return dl_iterate_phdr(look, &search) ? 0 : -1;
}
