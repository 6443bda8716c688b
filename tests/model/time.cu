// time.cu: main() on a GPU: measures every launch of suite.h; see measure, which builds and runs it.
//
//     time FILE.tsv     checks and times each launch, writes the table
//     time --once       launches each once, unchecked: for Nsight Compute to read
//
// Exit status: 0; 1 if a result was wrong, though the table has its time; 2 if a launch failed.
//
// Columns: what the launch is; what the compiler and the device make of it; ns, the time that counts; and what it was made from:
//     single_ns   median of 20 launches, each between two events
//     batch_ns    median of 20 batches of `batch` launches back to back (about 200 us), a launch: no event's cost in it, but a
//                 launch that is shorter than the time from one launch to the next shows that time
// each with the smallest and the largest. ns is batch_ns where single_ns is under 50 us, else single_ns.
#include "suite.h"

#include <algorithm>
#include <stdlib.h>
#include <string.h>

enum { WARM_UPS = 5, ROUNDS = 20, BATCH_NS = 200000, SHORT_NS = 50000, MOST_IN_BATCH = 200 };

static FILE *table;  // NULL: --once

static void check(cudaError_t error) {
  if (error != cudaSuccess) suite_fail("%s", cudaGetErrorString(error));
}

extern "C" bool program_wants(const struct launch *launch) { return true; }
extern "C" bool program_checks(void) { return table; }

// ns of a launch among `count` back to back.
static double time_of(const struct launch *launch, int count) {
  static cudaEvent_t from, to;
  if (!from) check(cudaEventCreate(&from)), check(cudaEventCreate(&to));
  check(cudaEventRecord(from));
  for (int i = 0; i < count; i++)
    check(cudaLaunchKernel(launch->function, launch->grid, launch->block, launch->arguments,
                           launch->dynamic_shared, 0));
  check(cudaEventRecord(to));
  check(cudaEventSynchronize(to));
  float ms;
  check(cudaEventElapsedTime(&ms, from, to));
  return ms * 1e6 / count;
}

struct times {
  double median, least, most;
};

static times times_of(const struct launch *launch, int count) {
  double ns[ROUNDS];
  for (int i = 0; i < WARM_UPS; i++) time_of(launch, count);
  for (double &n : ns) n = time_of(launch, count);
  std::sort(ns, ns + ROUNDS);
  return {(ns[ROUNDS / 2 - 1] + ns[ROUNDS / 2]) / 2, ns[0], ns[ROUNDS - 1]};
}

extern "C" void program_measures(const struct launch *launch) {
  if (!table) return;
  times single = times_of(launch, 1), together = single;
  int batch = 1;
  if (single.median < SHORT_NS) {
    batch = std::min((int)MOST_IN_BATCH, (int)(BATCH_NS / time_of(launch, 20)) + 1);
    together = times_of(launch, batch);
  }
  check(cudaDeviceSynchronize());

  cudaFuncAttributes attributes;
  int blocks;
  dim3 grid = launch->grid, block = launch->block;
  check(cudaFuncGetAttributes(&attributes, launch->function));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, launch->function, block.x * block.y * block.z, launch->dynamic_shared));
  fprintf(table,
          "%s\t%s\t%s\t(%u, %u, %u)\t(%u, %u, "
          "%u)\t%d\t%zu\t%zu\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%d\n",
          launch->family, launch->kernel, launch->arg, block.x, block.y, block.z, grid.x, grid.y,
          grid.z, attributes.numRegs, attributes.sharedSizeBytes + launch->dynamic_shared,
          attributes.localSizeBytes, blocks, together.median, single.median, single.least,
          single.most, together.median, together.least, together.most, batch);
  fflush(table);
}

__global__ static void spin(int *out, int rounds) {
  int x = threadIdx.x;
  for (int i = 0; i < rounds; i++) x = x * 1664525 + 1013904223;
  *out = x;
}

// Half a second of work: clocks are up.
static void warm_up() {
  int *out;
  check(cudaMalloc(&out, sizeof *out));
  for (int i = 0; i < 500; i++) spin<<<132 * 8, 256>>>(out, 50000);
  check(cudaDeviceSynchronize());
  check(cudaFree(out));
}

int main(int argc, char **argv) {
  if (argc != 2) return fputs("use: time FILE.tsv, or time --once\n", stderr), 2;
  if (strcmp(argv[1], "--once") != 0) {
    table = fopen(argv[1], "w");
    if (!table) return perror(argv[1]), 2;
    fputs(
        "family\tkernel\targ\tblock\tgrid\tregisters\tshared_bytes\tlocal_bytes\tblocks_per_"
        "sm\tns\tsingle_ns\tsingle_min_ns\t"
        "single_max_ns\tbatch_ns\tbatch_min_ns\tbatch_max_ns\tbatch\n",
        table);
    warm_up();
  }
  int wrong = suite_run();
  if (table && fclose(table) != 0) return perror(argv[1]), 2;
  return wrong ? 1 : 0;
}
