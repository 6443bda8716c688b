// calibrate.cuh: what the measurements of calibrate*.cu share: the buffer, the table of rows, and
// two clocks, an SM's own and that of events around launches.
//
// The time of a launch is what a stopwatch reads on launches back to back: two events around N of
// the same launch on the same arrays, divided by N. What the launch before left in L2 is there.
// ns_of() lets the host keep up or not, as a program does; queued_ns_of() has all launches wait
// behind a long one first, so that only the device's own time shows.
#ifndef KIT_CALIBRATE_CUH
#define KIT_CALIBRATE_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

inline int sms;
inline double ghz;
inline char *buffer;                                 // zeros when a file begins to measure
inline const size_t buffer_bytes = (size_t)8 << 30;  // far more than any L2
inline long long *cycles_of_block;
inline FILE *rows;
inline std::map<std::string, double> values;

inline void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "calibrate: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

__attribute__((format(printf, 1, 2))) inline std::string text(const char *format, ...) {
  char line[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

// Keeps a measurement; value() finds it again.
inline void row(const std::string &what, const std::string &parameter, double value,
                const char *unit) {
  fprintf(rows, "%s\t%s\t%.4f\t%s\n", what.c_str(), parameter.c_str(), value, unit);
  fflush(rows);
  values[what + "\t" + parameter] = value;
}
inline double value(const std::string &what, const std::string &parameter) {
  return values.at(what + "\t" + parameter);
}

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// The host's clock, in ns.
inline double now_ns() {
  return (double)std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

[[maybe_unused]] __global__ static void nothing() {}
[[maybe_unused]] __global__ static void spin(long long clocks) {
  long long from = clock64();
  while (clock64() - from < clocks) {
  }
}

// ns of each of `times` launches in a row; queued: behind one that lasts until all are queued.
inline double time_launches(const std::function<void()> &launch, int times, bool queued) {
  static cudaEvent_t from, to;
  if (!from) cudaEventCreate(&from), cudaEventCreate(&to);
  for (int host_ns = 6000;; host_ns *= 2) {  // from one launch to the next, at most
    if (queued) spin<<<1, 32>>>((long long)((times + 4) * host_ns * ghz));
    cudaEventRecord(from);
    for (int i = 0; i < times; i++) launch();
    cudaEventRecord(to);
    bool late = queued && cudaEventQuery(from) == cudaSuccess;
    float ms;
    check(cudaEventSynchronize(to), "a kernel");
    cudaEventElapsedTime(&ms, from, to);
    cudaError_t error = cudaGetLastError();
    if (error != cudaErrorNotReady) check(error, "a launch");
    if (!late || host_ns > 50000) return ms * 1e6 / times;
  }
}

// ns of a launch, of as many in a row as take a millisecond: the median of five.
inline double time_of(const std::function<void()> &launch, bool queued) {
  time_launches(launch, 2, false);
  int times = (int)std::max(1.0, std::min(200.0, 1e6 / time_launches(launch, 1, false)));
  std::vector<double> all;
  for (int i = 0; i < 5; i++) all.push_back(time_launches(launch, times, queued));
  return median(all);
}
inline double ns_of(const std::function<void()> &launch) { return time_of(launch, false); }
inline double queued_ns_of(const std::function<void()> &launch) { return time_of(launch, true); }

// What a launch of one block wrote to cycles_of_block.
inline double cycles(const std::function<void()> &launch) {
  std::vector<double> all;
  for (int i = 0; i < 6; i++) {
    long long c;
    launch();
    check(cudaMemcpy(&c, cycles_of_block, sizeof c, cudaMemcpyDeviceToHost), "a kernel");
    if (i) all.push_back((double)c);  // not the first, which loads the code
  }
  return median(all);
}

#define START_CLOCK                          \
  __shared__ long long started;              \
  __syncthreads();                           \
  if (threadIdx.x == 0) started = clock64(); \
  __syncthreads();
#define STOP_CLOCK(to) \
  __syncthreads();     \
  if (threadIdx.x == 0 && blockIdx.x == 0) *(to) = clock64() - started;

// MiB that launches touch whose traffic is measured.
inline const int mixed_mib[] = {4,  8,  16, 20, 24, 28, 32,  36,  40,  44,  48,
                                52, 56, 60, 64, 80, 96, 128, 192, 256, 512, 2048};

// What each file calibrate_*.cu measures.
void measure_launches();
void measure_reads();
void measure_mixes();
void measure_waves();
void measure_traffic();
void measure_pieces();
void measure_local();
void measure_stores();
void measure_bursts();
void measure_shared();
void measure_atomics();
void measure_pairs();
void measure_warps();
void measure_misses();
void measure_functions();
void measure_ways();
void measure_constants();
void measure_code();
void measure_host();
void measure_link();

// What measure_host and measure_link say of the GPU, as a section of its description.
void describe_timeline();

#endif
