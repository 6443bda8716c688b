// time.cu: main() on a GPU: measures every launch of suite.h; see measure, which builds and runs
// it.
//
//     time FILE.tsv [FAMILY] checks and times each launch, writes the table
//     time --once FAMILY     launches each of a family thrice; Nsight Compute reads the third
//
// Exit status: 0; 1 if a result was wrong, though the table has its time; 2 if a launch failed.
//
// The rule: the time of a launch is what a stopwatch reads on launches back to back, two events
// around N of them on the same arrays, divided by N. What the launch before left in L2 is there for
// the next.
//
// Columns: what the launch is; what the compiler and the device make of it; and
//     ns              the time that counts: the median of 11 such batches, and min_ns and max_ns of
//                     them. A kernel that waits until all are queued goes ahead of each, so that a
//                     slow host does not show
//     stopwatch_ns    the same without that kernel, as a program would do it
//     single_ns       one launch between two events: what they cost is in it
//     cold_ns         so, too, but after something else has gone through L2
//     batch           N: as many as take 2 ms, at least 4, at most 400
//     mhz             of the SM, right after a batch
#include "suite.h"

#include <cuda_profiler_api.h>

#include <algorithm>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 11, BATCH_NS = 2000000, MIN_BATCH = 4, MAX_BATCH = 400, HOST_NS = 6000 };
static const size_t flush_bytes = (size_t)256 << 20;  // more than any L2

static FILE *table;         // NULL: --once
static const char *family;  // the only one; NULL: all
static char *flushed;
static unsigned long long *clocks;  // cycles and ns of watch()

static void check(cudaError_t error) {
  if (error != cudaSuccess) suite_fail("%s", cudaGetErrorString(error));
}

extern "C" bool program_wants(const struct launch *launch) {
  return !family || strcmp(launch->family, family) == 0;
}
extern "C" bool program_checks(void) { return table; }

__global__ static void wait(long long cycles) {
  long long from = clock64();
  while (clock64() - from < cycles) {
  }
}
__global__ static void watch(unsigned long long *clocks) {
  unsigned long long ns, now;
  long long from = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - ns < 200000);
  clocks[0] = (unsigned long long)(clock64() - from), clocks[1] = now - ns;
}

enum start { STOPWATCH, QUEUED, COLD };

// ns of a launch among `count` back to back.
static double time_of(const struct launch *launch, int count, enum start start) {
  static cudaEvent_t from, to;
  if (!from) check(cudaEventCreate(&from)), check(cudaEventCreate(&to));
  for (int host_ns = HOST_NS;; host_ns *= 2) {
    if (start == QUEUED) wait<<<1, 1>>>(2LL * (count + 4) * host_ns);  // at 2 GHz at most
    if (start == COLD) check(cudaMemsetAsync(flushed, 0, flush_bytes, 0));
    check(cudaEventRecord(from));
    for (int i = 0; i < count; i++)
      check(cudaLaunchKernel(launch->function, launch->grid, launch->block, launch->arguments,
                             launch->dynamic_shared, 0));
    check(cudaEventRecord(to));
    bool late = start == QUEUED && cudaEventQuery(from) == cudaSuccess;
    check(cudaEventSynchronize(to));
    float ms;
    check(cudaEventElapsedTime(&ms, from, to));
    if (!late || host_ns > 10 * HOST_NS) return ms * 1e6 / count;
  }
}

struct times {
  double median, min, max;
};

static times times_of(const struct launch *launch, int count, enum start start) {
  double ns[ROUNDS];
  time_of(launch, count, start);
  for (double &n : ns) n = time_of(launch, count, start);
  std::sort(ns, ns + ROUNDS);
  return {ns[ROUNDS / 2], ns[0], ns[ROUNDS - 1]};
}

static double mhz_after(const struct launch *launch, int count) {
  unsigned long long read[2];
  time_of(launch, count, STOPWATCH);
  watch<<<1, 1>>>(clocks);
  check(cudaMemcpy(read, clocks, sizeof read, cudaMemcpyDeviceToHost));
  return 1e3 * (double)read[0] / (double)read[1];
}

// The third of three: L2 holds what the second has left there.
static void launch_for_profiler(const struct launch *launch) {
  for (int i = 0; i < 3; i++) {
    if (i == 2) check(cudaProfilerStart());
    time_of(launch, 1, STOPWATCH);
  }
  check(cudaProfilerStop());
}

extern "C" void program_measures(const struct launch *launch) {
  if (!table) return launch_for_profiler(launch);
  times single = times_of(launch, 1, STOPWATCH), cold = times_of(launch, 1, COLD);
  int batch = std::max((int)MIN_BATCH, std::min((int)MAX_BATCH, (int)(BATCH_NS / single.median)));
  times stopwatch = times_of(launch, batch, STOPWATCH), queued = times_of(launch, batch, QUEUED);
  double mhz = mhz_after(launch, batch);

  cudaFuncAttributes attributes;
  int blocks;
  dim3 grid = launch->grid, block = launch->block;
  check(cudaFuncGetAttributes(&attributes, launch->function));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, launch->function, block.x * block.y * block.z, launch->dynamic_shared));
  fprintf(table, "%s\t%s\t%s\t(%u, %u, %u)\t(%u, %u, %u)\t%d\t%zu\t%zu\t%d", launch->family,
          launch->kernel, launch->arg, block.x, block.y, block.z, grid.x, grid.y, grid.z,
          attributes.numRegs, attributes.sharedSizeBytes + launch->dynamic_shared,
          attributes.localSizeBytes, blocks);
  fprintf(table, "\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%d\t%.0f\n", queued.median, queued.min,
          queued.max, stopwatch.median, single.median, cold.median, batch, mhz);
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
  bool once = argc == 3 && strcmp(argv[1], "--once") == 0;
  if (argc != 2 && argc != 3)
    return fputs("use: time FILE.tsv [FAMILY], or time --once FAMILY\n", stderr), 2;
  family = argv[2];
  if (!once) {
    table = fopen(argv[1], "w");
    if (!table) return perror(argv[1]), 2;
    fputs(
        "family\tkernel\targ\tblock\tgrid\tregisters\tshared_bytes\tlocal_bytes\tblocks_per_sm\t"
        "ns\tmin_ns\tmax_ns\tstopwatch_ns\tsingle_ns\tcold_ns\tbatch\tmhz\n",
        table);
    check(cudaMalloc(&flushed, flush_bytes));
    check(cudaMalloc(&clocks, 2 * sizeof *clocks));
    warm_up();
  }
  int wrong = suite_run();
  if (table && fclose(table) != 0) return perror(argv[1]), 2;
  return wrong ? 1 : 0;
}
