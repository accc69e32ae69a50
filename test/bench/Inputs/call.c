/* Calls a program of one parameter and one number often, through the C ABI.
   Arguments: the program and how many calls. Prints seconds a call. */
#include "pmrt/embed.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int fail(const char *what, const pmrt_error *error) {
  fprintf(stderr, "%s: %s\n", what, error ? error->message : "failed");
  return 1;
}

int main(int argc, char **argv) {
  (void)argc;
  const int calls = atoi(argv[2]);
  pmrt_error *error = NULL;
  pmrt_library *library = pmrt_open(argv[1], &error);
  if (!library)
    return fail("open", error);
  const char *const options[] = {"threads=1"};
  pmrt_session *session = pmrt_session_create(library, 1, options, &error);
  if (!session)
    return fail("session", error);
  double result = 0;
  pmrt_tensor output = {&result, PMRT_F64, PMRT_HOST, 0, 0, {0}, {0}, NULL};
  if (pmrt_bind_output(session, 0, &output))
    return fail("output", pmrt_session_error(session));
  double begin = 0;
  for (int i = -100; i < calls; ++i) {
    if (i == 0)
      begin = now();
    if (pmrt_set_f64(session, 0, i) || pmrt_run(session))
      return fail("run", pmrt_session_error(session));
    if (result != 2.0 * i)
      return fail("result", NULL);
  }
  printf("%.9g\n", (now() - begin) / calls);
  pmrt_session_free(session);
  pmrt_close(library);
  return 0;
}
