// The 7-point Laplacian as one writes it in C: cc -O3 -march=native -DN=64 stencil.c; a.out ROUNDS
// prints the milliseconds of the fastest sweep, one thread.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { n = N };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sweep(const float *restrict f, float *restrict g) {
  const float s = 1.0f / 12;
  for (long x = 0; x < n; ++x)
    for (long y = 0; y < n; ++y) {
      const float *c = f + (x * n + y) * n;
      const float *xm = f + ((x + n - 1) % n * n + y) * n;
      const float *xp = f + ((x + 1) % n * n + y) * n;
      const float *ym = f + (x * n + (y + n - 1) % n) * n;
      const float *yp = f + (x * n + (y + 1) % n) * n;
      float *o = g + (x * n + y) * n;
      for (long z = 1; z < n - 1; ++z)
        o[z] = s * (xp[z] + xm[z] + yp[z] + ym[z] + c[z + 1] + c[z - 1] -
                    6 * c[z]);
      for (long z = 0; z < n; z += n - 1)
        o[z] = s * (xp[z] + xm[z] + yp[z] + ym[z] + c[(z + 1) % n] +
                    c[(z + n - 1) % n] - 6 * c[z]);
    }
}

int main(int count, char **words) {
  if (count != 2)
    return 2;
  const long rounds = atol(words[1]);
  const size_t cells = (size_t)n * n * n;
  float *f = malloc(cells * sizeof(float)), *g = malloc(cells * sizeof(float));
  for (size_t i = 0; i < cells; ++i)
    f[i] = (float)rand() / (float)RAND_MAX - 0.5f;
  double best = 1e9;
  for (long i = 0; i < rounds; ++i) {
    const double start = now();
    sweep(f, g);
    const double took = now() - start;
    best = took < best ? took : best;
    float *swap = f;
    f = g;
    g = swap;
  }
  printf("%.6f %g\n", best * 1e3, (double)f[n]);
  return 0;
}
