// link.cu: how many bytes a ns go over the link between host and device, over the size.
//
//     nvcc -O2 -o link link.cu && ./link 15          on a GPU: the median of 15 runs each
//     harness/kcc -O2 -o link link.cu && ./link 1    the modelled ones are the same each time
//
// Prints a table: memory, direction, bytes, ns. From the call to its end, as two events have it.
//     pageable, pinned, write-combined   in, out: cudaMemcpy
//     pinned                             both: two asynchronous copies of so many bytes each
//     mapped                             in, out: a kernel reads or writes it
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <vector>

#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "link.cu:%d: %s\n", line, cudaGetErrorString(error));
  exit(1);
}

// As many threads as the device holds: a thread goes on by their number.
__global__ void read_all(const float4 *from, float4 *sums, size_t n) {
  size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  size_t all = gridDim.x * (size_t)blockDim.x;
  float4 sum = {0, 0, 0, 0};
  for (size_t i = thread; i < n; i += all) {
    float4 v = from[i];
    sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
  }
  sums[thread] = sum;
}
__global__ void write_all(float4 *to, size_t n) {
  size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  size_t all = gridDim.x * (size_t)blockDim.x;
  for (size_t i = thread; i < n; i += all) to[i] = {1, 2, 3, 4};
}

static const size_t least = 1 << 10, most = 64 << 20;
static int runs;
static cudaEvent_t start, stop;
static cudaStream_t first, second;

// A row of the table.
static void measure(const char *memory, const char *direction, size_t bytes,
                    const std::function<void()> &work) {
  std::vector<double> ns;
  work();
  for (int i = 0; i < runs; i++) {
    float ms;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(start));
    work();
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    ns.push_back(1e6 * ms);
  }
  std::sort(ns.begin(), ns.end());
  printf("%s\t%s\t%zu\t%.0f\n", memory, direction, bytes, ns[ns.size() / 2]);
}

int main(int argc, char **argv) {
  runs = argc > 1 ? std::max(1, atoi(argv[1])) : 15;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaStreamCreate(&first)); // events in the default stream wait for both
  CHECK(cudaStreamCreate(&second));
  char *host[3], *back, *device, *other, *mapped;
  const char *names[] = {"pageable", "pinned", "write-combined"};
  host[0] = (char *)aligned_alloc(4096, most);
  CHECK(cudaMallocHost(&host[1], most));
  CHECK(cudaHostAlloc(&host[2], most, cudaHostAllocWriteCombined));
  CHECK(cudaMallocHost(&back, most));
  for (char *memory : host) memset(memory, 1, most);
  memset(back, 1, most);
  CHECK(cudaHostGetDevicePointer(&mapped, host[1], 0));
  CHECK(cudaMalloc(&device, most));
  CHECK(cudaMalloc(&other, most));
  CHECK(cudaMemset(device, 0, most));
  CHECK(cudaMemset(other, 0, most));
  int multiprocessors;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int block = 256, grid = 8 * multiprocessors;
  puts("# memory\tdirection\tbytes\tns");
  for (size_t bytes = least; bytes <= most; bytes *= 4) {
    for (int m = 0; m < 3; m++) {
      measure(names[m], "in", bytes,
              [&] { CHECK(cudaMemcpy(device, host[m], bytes, cudaMemcpyHostToDevice)); });
      measure(names[m], "out", bytes,
              [&] { CHECK(cudaMemcpy(host[m], other, bytes, cudaMemcpyDeviceToHost)); });
    }
    measure("pinned", "both", bytes, [&] {
      CHECK(cudaMemcpyAsync(device, host[1], bytes, cudaMemcpyHostToDevice, first));
      CHECK(cudaMemcpyAsync(back, other, bytes, cudaMemcpyDeviceToHost, second));
    });
    measure("mapped", "in", bytes,
            [&] { read_all<<<grid, block>>>((float4 *)mapped, (float4 *)device, bytes / 16); });
    measure("mapped", "out", bytes,
            [&] { write_all<<<grid, block>>>((float4 *)mapped, bytes / 16); });
  }
  CHECK(cudaDeviceSynchronize());
}
