// Seconds of a round (r2c, c2r) of FFTW-MPI with transposed output, f32, the least of several, as the slowest rank has it.
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  fftwf_mpi_init();
  ptrdiff_t n = atol(argv[1]), rows, first, rowsT, firstT;
  int rounds = atoi(argv[2]), rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ptrdiff_t size = fftwf_mpi_local_size_3d_transposed(n, n, n / 2 + 1, MPI_COMM_WORLD, &rows, &first, &rowsT, &firstT);
  float *in = fftwf_alloc_real(2 * size);
  fftwf_complex *out = fftwf_alloc_complex(size);
  fftwf_plan there = fftwf_mpi_plan_dft_r2c_3d(n, n, n, in, out, MPI_COMM_WORLD, FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT);
  fftwf_plan back = fftwf_mpi_plan_dft_c2r_3d(n, n, n, out, in, MPI_COMM_WORLD, FFTW_MEASURE | FFTW_MPI_TRANSPOSED_IN);
  for (ptrdiff_t i = 0; i < 2 * size; ++i)
    in[i] = (float)(i % 17);
  double least = 1e30;
  for (int r = 0; r < rounds; ++r) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    fftwf_execute(there);
    fftwf_execute(back);
    double took = MPI_Wtime() - begin, slowest;
    MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    least = slowest < least ? slowest : least;
    for (ptrdiff_t i = 0; i < 2 * size; ++i)
      in[i] /= (float)n * n * n;
  }
  if (rank == 0)
    printf("%g\n", least);
  MPI_Finalize();
  return 0;
}
