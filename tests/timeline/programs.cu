// programs.cu: programs with streams, whose timeline is compared with an H100's.
//
//     nvcc -O2 -o programs programs.cu && ./programs NAME      on a GPU
//     harness/kcc -O2 -o programs programs.cu && ./programs NAME
//     ./programs                                               lists the names
//
// Each runs its work once to warm up, then once more between two events, and prints how many ns
// those lie apart. With `ends` behind the name there is an event behind each piece of work, too,
// and it prints, in the order of issue, how many ns after the first event each of them has ended.
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "programs.cu:%d: %s\n", line, cudaGetErrorString(error));
  exit(1);
}

__global__ void empty() {}

// Blocks that last so long, whatever else runs. One warp looks at the clock for all of its block.
__global__ void spin(long long clocks) {
  long long from = clock64();
  while (threadIdx.x < 32 && clock64() - from < clocks) {
  }
  __syncthreads();
}
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void increment(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}

static double ghz;
static int sms;

// The events behind each piece of work.
static bool wants_ends;
static std::vector<cudaEvent_t> ends;
static size_t end_count;
static void after(cudaStream_t stream) {
  if (!wants_ends) return;
  if (end_count == ends.size()) {
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    ends.push_back(event);
  }
  CHECK(cudaEventRecord(ends[end_count++], stream));
}

static void spin_for(double us, int blocks, cudaStream_t stream) {
  spin<<<blocks, 256, 0, stream>>>((long long)(us * 1e3 * ghz));
  after(stream);
}
static void copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
  after(stream);
}
static void copy_and_wait(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  CHECK(cudaMemcpy(to, from, bytes, kind));
  after(nullptr);
}
static void fill(void *to, int value, size_t bytes, cudaStream_t stream) {
  CHECK(cudaMemsetAsync(to, value, bytes, stream));
  after(stream);
}
static int fraction(double part) { return (int)(sms * 8 * part); }  // of the blocks that fit

enum memory { PAGEABLE, PINNED, COMBINED };
static char *host_memory(memory kind, size_t bytes) {
  char *made = nullptr;
  if (kind == PAGEABLE)
    made = (char *)malloc(bytes);
  else
    CHECK(cudaHostAlloc((void **)&made, bytes,
                        kind == COMBINED ? cudaHostAllocWriteCombined : cudaHostAllocDefault));
  memset(made, 1, bytes);
  return made;
}
static void free_host(memory kind, char *memory) {
  if (kind == PAGEABLE)
    free(memory);
  else
    CHECK(cudaFreeHost(memory));
}

static std::vector<cudaStream_t> make_streams(int count, unsigned flags = cudaStreamDefault) {
  std::vector<cudaStream_t> streams((size_t)count);
  for (auto &stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, flags));
  return streams;
}

// Runs it twice, and measures the second time.
template <class Work>
static void measure(const Work &work) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  work();
  CHECK(cudaDeviceSynchronize());
  end_count = 0;
  CHECK(cudaEventRecord(start));
  work();
  CHECK(cudaEventRecord(stop));  // in the default stream: after all others
  CHECK(cudaEventSynchronize(stop));
  float ms;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaDeviceSynchronize());
  if (!wants_ends) printf("%.0f\n", ms * 1e6);
  for (size_t i = 0; i < end_count; i++) {
    CHECK(cudaEventElapsedTime(&ms, start, ends[i]));
    printf("%.0f\n", ms * 1e6);
  }
}

// ---- pieces: copied in, computed, copied out ----

struct pieces {
  const char *name;
  memory kind;
  int streams;  // 0: the default stream
  bool breadth;
  int count, kib;    // pieces, and what each copies each way
  double us, part;   // of its kernel: of a block, and of the device
  bool synchronous;  // cudaMemcpy
};
static const struct pieces all_pieces[] = {
    {"pageable", PAGEABLE, 0, false, 1, 32 << 10, 500, 1, true},
    {"pageable_async", PAGEABLE, 1, false, 4, 8 << 10, 200, 1, false},
    {"pageable_streams", PAGEABLE, 4, false, 4, 8 << 10, 200, 1, false},
    {"pageable_breadth", PAGEABLE, 4, true, 4, 8 << 10, 200, 1, false},
    {"pageable_small", PAGEABLE, 4, false, 16, 16, 20, .25, false},
    {"pinned", PINNED, 0, false, 1, 32 << 10, 500, 1, true},
    {"pinned_1", PINNED, 1, false, 4, 8 << 10, 150, 1, false},
    {"depth_2", PINNED, 2, false, 4, 8 << 10, 150, 1, false},
    {"depth_4", PINNED, 4, false, 4, 8 << 10, 150, 1, false},
    {"depth_4_of_16", PINNED, 4, false, 16, 2 << 10, 40, 1, false},
    {"depth_8", PINNED, 8, false, 8, 4 << 10, 75, 1, false},
    {"depth_16", PINNED, 16, false, 16, 2 << 10, 40, 1, false},
    {"depth_32", PINNED, 32, false, 32, 1 << 10, 20, .5, false},
    {"depth_64", PINNED, 64, false, 64, 512, 10, .5, false},
    {"depth_128", PINNED, 128, false, 128, 256, 10, .25, false},
    {"breadth_2", PINNED, 2, true, 2, 16 << 10, 300, 1, false},
    {"breadth_4", PINNED, 4, true, 4, 8 << 10, 150, 1, false},
    {"breadth_8", PINNED, 8, true, 8, 4 << 10, 75, 1, false},
    {"breadth_32", PINNED, 32, true, 32, 1 << 10, 20, .5, false},
    {"breadth_128", PINNED, 128, true, 128, 256, 10, .25, false},
    {"long_kernels", PINNED, 4, false, 8, 1 << 10, 400, .5, false},
    {"long_kernels_full", PINNED, 4, false, 8, 1 << 10, 200, 2, false},
    {"long_copies", PINNED, 4, false, 8, 16 << 10, 50, .25, false},
    {"combined", COMBINED, 4, false, 8, 4 << 10, 60, 1, false},
    {"tiny", PINNED, 4, false, 64, 4, 5, .01, false},
};

static void run_pieces(const pieces &p) {
  size_t bytes = (size_t)p.kib << 10, all = bytes * (size_t)p.count;
  char *in = host_memory(p.kind, all),
       *out = host_memory(p.kind == COMBINED ? PINNED : p.kind, all), *device;
  CHECK(cudaMalloc((void **)&device, all));
  std::vector<cudaStream_t> streams = make_streams(p.streams);
  auto step = [&](int piece, int what) {
    cudaStream_t stream = p.streams ? streams[(size_t)(piece % p.streams)] : (cudaStream_t) nullptr;
    char *there = device + bytes * (size_t)piece;
    size_t offset = bytes * (size_t)piece;
    if (what == 1) {
      spin_for(p.us, fraction(p.part) ? fraction(p.part) : 1, stream);
    } else if (p.synchronous) {
      if (what == 0)
        copy_and_wait(there, in + offset, bytes, cudaMemcpyHostToDevice);
      else
        copy_and_wait(out + offset, there, bytes, cudaMemcpyDeviceToHost);
    } else if (what == 0) {
      copy(there, in + offset, bytes, cudaMemcpyHostToDevice, stream);
    } else {
      copy(out + offset, there, bytes, cudaMemcpyDeviceToHost, stream);
    }
  };
  measure([&] {
    for (int a = 0; a < (p.breadth ? 3 : p.count); a++)
      for (int b = 0; b < (p.breadth ? p.count : 3); b++)
        step(p.breadth ? b : a, p.breadth ? a : b);
  });
  for (auto stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device));
  free_host(p.kind, in), free_host(p.kind == COMBINED ? PINNED : p.kind, out);
}

// ---- others ----

// Two kernels, each half of the device.
static void halves(bool same_stream, bool with_default) {
  auto streams = make_streams(2);
  measure([&] {
    for (int i = 0; i < 4; i++) {
      spin_for(200, fraction(.5), with_default ? nullptr : streams[0]);
      spin_for(200, fraction(.5), streams[same_stream ? 0 : 1]);
    }
  });
}
static void halves_default() { halves(false, true); }
static void halves_streams() { halves(false, false); }
static void halves_one_stream() { halves(true, false); }

static void halves_non_blocking() {
  auto streams = make_streams(2, cudaStreamNonBlocking);
  cudaEvent_t done;
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  measure([&] {
    for (int i = 0; i < 4; i++) {
      spin_for(200, fraction(.5), nullptr);
      spin_for(200, fraction(.5), streams[0]);
    }
    CHECK(cudaEventRecord(done, streams[0]));
    CHECK(cudaStreamWaitEvent(nullptr, done));
  });
}

static void priorities() {
  int last, first;
  cudaStream_t low, high;
  CHECK(cudaDeviceGetStreamPriorityRange(&last, &first));
  CHECK(cudaStreamCreateWithPriority(&low, cudaStreamDefault, last));
  CHECK(cudaStreamCreateWithPriority(&high, cudaStreamDefault, first));
  measure([&] {
    spin_for(100, fraction(8), low);
    for (int i = 0; i < 3; i++) spin_for(100, fraction(.5), high);
    spin_for(100, fraction(1), low);
  });
}

// A diamond of streams that wait for each other's events, three times.
static void diamond() {
  auto streams = make_streams(4);
  cudaEvent_t fork, joined[4];
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  for (auto &event : joined) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  measure([&] {
    for (int round = 0; round < 3; round++) {
      spin_for(100, fraction(1), streams[0]);
      CHECK(cudaEventRecord(fork, streams[0]));
      for (size_t i = 1; i < 4; i++) {
        CHECK(cudaStreamWaitEvent(streams[i], fork));
        spin_for(50 * (double)i, fraction(.25), streams[i]);
        CHECK(cudaEventRecord(joined[i], streams[i]));
        CHECK(cudaStreamWaitEvent(streams[0], joined[i]));
      }
    }
    spin_for(100, fraction(1), streams[0]);
  });
}

// Two buffers by turns; the host waits for each result.
static void double_buffer() {
  const size_t bytes = 4 << 20;
  auto streams = make_streams(2);
  char *in = host_memory(PINNED, bytes * 8), *device;
  CHECK(cudaMalloc((void **)&device, bytes * 2));
  measure([&] {
    for (size_t i = 0; i < 8; i++) {
      if (i >= 2) CHECK(cudaStreamSynchronize(streams[i % 2]));
      char *there = device + bytes * (i % 2);
      copy(there, in + bytes * i, bytes, cudaMemcpyHostToDevice, streams[i % 2]);
      spin_for(100, fraction(1), streams[i % 2]);
      copy(in + bytes * i, there, bytes, cudaMemcpyDeviceToHost, streams[i % 2]);
    }
  });
}

// The host waits after each of many short kernels; or does not.
static void waits_each() {
  measure([] {
    for (int i = 0; i < 50; i++) {
      spin_for(10, 1, nullptr);
      CHECK(cudaDeviceSynchronize());
    }
  });
}
static void waits_once() {
  measure([] {
    for (int i = 0; i < 200; i++) spin_for(10, 1, nullptr);
  });
}
static void short_kernels() {
  measure([] {
    for (int i = 0; i < 200; i++) {
      empty<<<1, 32>>>();
      after(nullptr);
    }
  });
}
static void round_trips() {
  float *device, value = 1;
  CHECK(cudaMalloc((void **)&device, 4));
  measure([&] {
    for (int i = 0; i < 30; i++) {
      copy_and_wait(device, &value, 4, cudaMemcpyHostToDevice);
      increment<<<1, 32>>>(device, 1);
      after(nullptr);
      copy_and_wait(&value, device, 4, cudaMemcpyDeviceToHost);
    }
  });
}

static void nothing_to_do(void *) {}
static void host_functions() {
  auto streams = make_streams(2);
  measure([&] {
    for (int i = 0; i < 4; i++)
      for (auto stream : streams) {
        spin_for(100, fraction(.5), stream);
        CHECK(cudaLaunchHostFunc(stream, nothing_to_do, nullptr));
      }
  });
}

static void fills_and_copies() {
  const size_t bytes = 64 << 20;
  char *a, *b;
  auto streams = make_streams(2);
  CHECK(cudaMalloc((void **)&a, bytes * 2));
  CHECK(cudaMalloc((void **)&b, bytes * 2));
  measure([&] {
    for (size_t i = 0; i < 2; i++) {
      fill(a + bytes * i, 1, bytes, streams[i]);
      copy(b + bytes * i, a + bytes * i, bytes, cudaMemcpyDeviceToDevice, streams[i]);
      fill(a + bytes * i, 0, bytes, streams[i]);
    }
  });
}

static void both_ways() {
  const size_t bytes = 64 << 20;
  auto streams = make_streams(2);
  char *in = host_memory(PINNED, bytes), *out = host_memory(PINNED, bytes), *a, *b;
  CHECK(cudaMalloc((void **)&a, bytes));
  CHECK(cudaMalloc((void **)&b, bytes));
  CHECK(cudaMemset(b, 0, bytes));
  measure([&] {
    copy(a, in, bytes, cudaMemcpyHostToDevice, streams[0]);
    copy(out, b, bytes, cudaMemcpyDeviceToHost, streams[1]);
    spin_for(300, fraction(.5), streams[0]);
    spin_for(300, fraction(.5), streams[1]);
  });
}

// The vector addition of the course's notes, in pieces.
static void vector_add(int streams_count, memory kind) {
  const int n = 8 << 20, piece = n / (streams_count ? streams_count : 1);
  auto streams = make_streams(streams_count);
  auto *a = (float *)host_memory(kind, n * sizeof(float)),
       *b = (float *)host_memory(kind, n * sizeof(float)),
       *c = (float *)host_memory(kind, n * sizeof(float));
  float *x, *y, *z;
  CHECK(cudaMalloc((void **)&x, n * sizeof *x));
  CHECK(cudaMalloc((void **)&y, n * sizeof *y));
  CHECK(cudaMalloc((void **)&z, n * sizeof *z));
  auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  size_t bytes = (size_t)piece * sizeof(float);
  measure([&] {
    for (int i = 0; i < n / piece; i++) {
      int at = i * piece;
      if (streams_count) {
        auto s = streams[(size_t)i];
        copy(x + at, a + at, bytes, in, s);
        copy(y + at, b + at, bytes, in, s);
        add<<<(piece + 255) / 256, 256, 0, s>>>(x + at, y + at, z + at, piece);
        after(s);
        copy(c + at, z + at, bytes, out, s);
      } else {
        copy_and_wait(x, a, bytes, in);
        copy_and_wait(y, b, bytes, in);
        add<<<(piece + 255) / 256, 256>>>(x, y, z, piece);
        after(nullptr);
        copy_and_wait(c, z, bytes, out);
      }
    }
  });
}
static void vector_pageable() { vector_add(0, PAGEABLE); }
static void vector_pinned() { vector_add(0, PINNED); }
static void vector_2() { vector_add(2, PINNED); }
static void vector_8() { vector_add(8, PINNED); }
static void vector_64() { vector_add(64, PINNED); }

static void mapped(int mib) {
  int n = mib << 18;
  float *a, *b;
  CHECK(cudaHostAlloc((void **)&a, (size_t)n * 4, cudaHostAllocMapped));
  CHECK(cudaHostAlloc((void **)&b, (size_t)n * 4, cudaHostAllocMapped));
  memset(a, 0, (size_t)n * 4);
  memset(b, 0, (size_t)n * 4);
  float *x, *y;
  CHECK(cudaHostGetDevicePointer((void **)&x, a, 0));
  CHECK(cudaHostGetDevicePointer((void **)&y, b, 0));
  measure([&] {
    increment<<<n / 256, 256>>>(x, n);
    after(nullptr);
    add<<<n / 256, 256>>>(x, x, y, n);
    after(nullptr);
  });
}
static void mapped_small() { mapped(1); }
static void mapped_large() { mapped(16); }

enum use { ON_DEVICE, BY_TURNS, FETCHED };
static void managed(int mib, use how) {
  int n = mib << 18;
  float *a;
  CHECK(cudaMallocManaged((void **)&a, (size_t)n * 4));
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  cudaMemLocation host = {cudaMemLocationTypeHost, 0};
  memset(a, 0, (size_t)n * 4);
  measure([&] {
    for (int i = 0; i < 3; i++) {
      if (how == FETCHED) CHECK(cudaMemPrefetchAsync(a, (size_t)n * 4, device, 0, 0));
      increment<<<n / 256, 256>>>(a, n);
      after(nullptr);
      if (how == FETCHED) CHECK(cudaMemPrefetchAsync(a, (size_t)n * 4, host, 0, 0));
      CHECK(cudaDeviceSynchronize());
      if (how != ON_DEVICE)
        for (int k = 0; k < n; k += 1024) a[k] += 1;
    }
  });
}
static void managed_on_device() { managed(16, ON_DEVICE); }
static void managed_by_turns() { managed(16, BY_TURNS); }
static void managed_fetched() { managed(16, FETCHED); }

static void allocations() {
  char *made;
  measure([&] {
    for (int i = 0; i < 5; i++) {
      CHECK(cudaMalloc((void **)&made, 1 << 20));
      fill(made, 0, 1 << 20, nullptr);
      spin_for(20, 1, nullptr);
      CHECK(cudaFree(made));
    }
  });
}

#include "shapes.cuh"

static const struct {
  const char *name;
  void (*run)();
} others[] = {
    {"halves_default", halves_default},
    {"halves_streams", halves_streams},
    {"halves_one_stream", halves_one_stream},
    {"halves_non_blocking", halves_non_blocking},
    {"priorities", priorities},
    {"diamond", diamond},
    {"double_buffer", double_buffer},
    {"waits_each", waits_each},
    {"waits_once", waits_once},
    {"short_kernels", short_kernels},
    {"round_trips", round_trips},
    {"host_functions", host_functions},
    {"fills_and_copies", fills_and_copies},
    {"both_ways", both_ways},
    {"vector_pageable", vector_pageable},
    {"vector_pinned", vector_pinned},
    {"vector_2", vector_2},
    {"vector_8", vector_8},
    {"vector_64", vector_64},
    {"mapped_small", mapped_small},
    {"mapped_large", mapped_large},
    {"managed_on_device", managed_on_device},
    {"managed_by_turns", managed_by_turns},
    {"managed_fetched", managed_fetched},
    {"allocations", allocations},
    {"stream_per_engine", stream_per_engine},
    {"fan_out", fan_out},
    {"urgent_among_many", urgent_among_many},
    {"uneven_pieces", uneven_pieces},
    {"out_only", out_only},
    {"ping_pong", ping_pong},
    {"waves_and_tails", waves_and_tails},
    {"default_between", default_between},
    {"host_paces", host_paces},
    {"mapped_beside_copies", mapped_beside_copies},
};

int main(int count, char **arguments) {
  cudaDeviceProp properties;
  int khz;
  if (count < 2) {
    for (const auto &p : all_pieces) printf("%s\n", p.name);
    for (const auto &o : others) printf("%s\n", o.name);
    return 0;
  }
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  sms = properties.multiProcessorCount;
  ghz = khz * 1e-6;
  wants_ends = count > 2 && strcmp(arguments[2], "ends") == 0;
  for (const auto &p : all_pieces)
    if (strcmp(p.name, arguments[1]) == 0) return run_pieces(p), 0;
  for (const auto &o : others)
    if (strcmp(o.name, arguments[1]) == 0) return o.run(), 0;
  fprintf(stderr, "programs.cu: there is no program %s\n", arguments[1]);
  return 2;
}
