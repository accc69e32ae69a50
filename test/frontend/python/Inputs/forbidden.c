// Loaded before a process starts (LD_PRELOAD): reports what a library of the
// process must not do. Calls that libpmrt.so, a compiled program or a library
// of C++ makes to end the process, to install a signal handler, or to write to
// a standard stream go to the file that FORBIDDEN names.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Not in the processes that this one starts.
__attribute__((constructor)) static void leaveOthersAlone(void) {
  unsetenv("LD_PRELOAD");
}

static int isWatched(void *address) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname)
    return 0;
  const char *name = strrchr(info.dli_fname, '/');
  name = name ? name + 1 : info.dli_fname;
  return !strncmp(name, "libpmrt", 7) || !strncmp(name, "libfmt", 6) ||
         !strncmp(name, "libstdc++", 9) ||
         strstr(info.dli_fname, "/pmc/python/");
}

static void report(const char *what) {
  const char *path = getenv("FORBIDDEN");
  int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  if (file < 0)
    return;
  dprintf(file, "%s\n", what);
  close(file);
}

#define HERE __builtin_return_address(0)
#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

#define ENDS(name)                                                             \
  void name(int code) {                                                        \
    if (isWatched(HERE))                                                       \
      report(#name);                                                           \
    NEXT(void (*)(int), #name)(code);                                          \
    __builtin_unreachable();                                                   \
  }
ENDS(exit)
ENDS(_exit)
ENDS(_Exit)
ENDS(quick_exit)

void abort(void) {
  if (isWatched(HERE))
    report("abort");
  NEXT(void (*)(void), "abort")();
  __builtin_unreachable();
}

int raise(int number) {
  if (isWatched(HERE))
    report("raise");
  return NEXT(int (*)(int), "raise")(number);
}

int sigaction(int number, const struct sigaction *action,
              struct sigaction *old) {
  if (action && isWatched(HERE))
    report("sigaction");
  return NEXT(int (*)(int, const struct sigaction *, struct sigaction *),
              "sigaction")(number, action, old);
}

typedef void (*Handler)(int);
Handler signal(int number, Handler handler) {
  if (isWatched(HERE))
    report("signal");
  return NEXT(Handler (*)(int, Handler), "signal")(number, handler);
}

ssize_t write(int file, const void *data, size_t bytes) {
  if ((file == 1 || file == 2) && isWatched(HERE))
    report("write");
  return NEXT(ssize_t (*)(int, const void *, size_t), "write")(file, data,
                                                               bytes);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
  if ((file == stdout || file == stderr) && isWatched(HERE))
    report("fwrite");
  return NEXT(size_t (*)(const void *, size_t, size_t, FILE *),
              "fwrite")(data, size, count, file);
}

int fputs(const char *text, FILE *file) {
  if ((file == stdout || file == stderr) && isWatched(HERE))
    report("fputs");
  return NEXT(int (*)(const char *, FILE *), "fputs")(text, file);
}
