/* bench.c: how fast the simulator is, with every counter and check on.
 *
 *     make bench       build/bench [ROUNDS]       KIT_SIM_THREADS and KIT_SIM_ISA pick threads and instruction set
 *
 * One line a kernel: the best wall time of ROUNDS launches (default 3), and that time over the warp
 * instructions and over the lane instructions that it executed.
 */
#include "bench.h"

#include <cuda_runtime_api.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backend.h"

static const struct benchmark {
  const char *name;
  void (*launch)(const struct matrices *m);
  int n;
} benchmarks[] = {
    {"product, 32 x 32 tiles", bench_tiled32, 1024},
    {"product, 16 x 16 tiles", bench_tiled16, 1024},
    {"product, global memory", bench_naive, 1024},
    {"transpose, 32 x 8 blocks", bench_transpose, 4096},
    {"transpose, padded tile", bench_tile_transpose, 4096},
};

struct instructions {
  double warp, lane;
};

static void on_event(void *context, const char *what, json_t *object) {
  struct instructions *done = context;
  json_t *counters = json_object_get(object, "counters");
  if (what[0] != 'l') { /* a hazard: these kernels have none */
    json_dumpf(object, stderr, 0);
    exit(2);
  }
  done->warp = json_number_value(json_object_get(counters, "inst_executed"));
  done->lane = json_number_value(json_object_get(counters, "thread_inst_executed"));
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 3;
  if (rounds < 1) {
    fputs("usage: build/bench [ROUNDS]\n", stderr);
    return 2;
  }
  struct instructions done = {0, 0};
  backend_listen(on_event, &done);
  printf("%-26s %6s %9s %14s %14s\n", backend_device(), "n", "seconds", "ns/warp inst",
         "ns/lane inst");
  for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++) {
    const struct benchmark *benchmark = &benchmarks[i];
    struct matrices matrices;
    bench_allocate(benchmark->n, &matrices);
    double best = 0;
    for (int round = 0; round < rounds; round++) {
      double start = now();
      benchmark->launch(&matrices);
      cudaError_t error = cudaDeviceSynchronize();
      double seconds = now() - start;
      if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", benchmark->name, cudaGetErrorString(error));
        return 2;
      }
      if (round == 0 || seconds < best) best = seconds;
    }
    printf("%-26s %6d %9.3f %14.2f %14.3f\n", benchmark->name, benchmark->n, best,
           best * 1e9 / done.warp, best * 1e9 / done.lane);
    bench_free(&matrices);
  }
  return 0;
}
