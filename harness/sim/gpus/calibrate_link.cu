// calibrate_link.cu: the road between host and device: copies by size from pageable, pinned and
// write-combined memory, both ways at once, memory that kernels read across it, managed memory that
// moves; and copies and fills on the device.
#include "calibrate.cuh"

#include <string.h>

static const size_t host_bytes = (size_t)256 << 20;
static const size_t sizes[] = {1 << 10, 4 << 10, 16 << 10, 64 << 10, 128 << 10, 256 << 10,
                               1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20};
static std::string size_text(size_t bytes) { return text("%zu KiB", bytes >> 10); }

// ns of the device for each of `times` copies in a row, queued behind a kernel.
static double copy_ns(const std::function<void()> &copy, int times) {
  static cudaEvent_t from, to;
  if (!from) cudaEventCreate(&from), cudaEventCreate(&to);
  std::vector<double> all;
  for (int round = 0; round < 6; round++) {
    float ms;
    spin<<<1, 32>>>((long long)(1e6 * ghz));
    cudaEventRecord(from);
    for (int i = 0; i < times; i++) copy();
    cudaEventRecord(to);
    check(cudaEventSynchronize(to), "copies");
    cudaEventElapsedTime(&ms, from, to);
    if (round) all.push_back(ms * 1e6 / times);
  }
  return median(all);
}

// ns of the host until a call returns.
static double call_ns(const std::function<void()> &call) {
  std::vector<double> all;
  for (int round = 0; round < 6; round++) {
    check(cudaDeviceSynchronize(), "work before a call");
    double from = now_ns();
    call();
    if (round) all.push_back(now_ns() - from);
  }
  return median(all);
}

// Ends of what is issued to so many streams, from the moment at which all of them may begin.
static std::vector<double> ends_of(int count, const std::function<void(int, cudaStream_t)> &issue) {
  std::vector<cudaStream_t> streams((size_t)count);
  std::vector<cudaEvent_t> events((size_t)count);
  std::vector<double> ends;
  cudaEvent_t from;
  cudaEventCreate(&from);
  for (auto &s : streams) cudaStreamCreate(&s);
  for (auto &e : events) cudaEventCreate(&e);
  for (int round = 0; round < 2; round++) {
    spin<<<1, 32>>>((long long)(1e6 * ghz));
    cudaEventRecord(from);
    for (size_t i = 0; i < streams.size(); i++) {
      issue((int)i, streams[i]);
      cudaEventRecord(events[i], streams[i]);
    }
    check(cudaDeviceSynchronize(), "work in streams");
  }
  for (auto &e : events) {
    float ms;
    cudaEventElapsedTime(&ms, from, e);
    ends.push_back(ms * 1e6);
    cudaEventDestroy(e);
  }
  for (auto &s : streams) cudaStreamDestroy(s);
  cudaEventDestroy(from);
  return ends;
}

static void copies(char *pinned, char *combined, char *pageable) {
  for (size_t bytes : sizes) {
    int times = bytes < 1 << 20 ? 50 : 5;
    auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost, on = cudaMemcpyDeviceToDevice;
    auto of = [=](const char *what, double ns) { row(what, size_text(bytes), ns, "ns"); };
    of("copy from pinned", copy_ns([=] { cudaMemcpyAsync(buffer, pinned, bytes, in); }, times));
    of("copy to pinned", copy_ns([=] { cudaMemcpyAsync(pinned, buffer, bytes, out); }, times));
    of("copy from write-combined",
       copy_ns([=] { cudaMemcpyAsync(buffer, combined, bytes, in); }, times));
    of("copy on the device",
       copy_ns([=] { cudaMemcpyAsync(buffer, buffer + (1 << 30), bytes, on); }, times));
    of("memset", copy_ns([=] { cudaMemsetAsync(buffer, 0, bytes); }, times));
    of("cudaMemcpy from pageable", call_ns([=] { cudaMemcpy(buffer, pageable, bytes, in); }));
    of("cudaMemcpy to pageable", call_ns([=] { cudaMemcpy(pageable, buffer, bytes, out); }));
    of("cudaMemcpyAsync from pageable",
       call_ns([=] { cudaMemcpyAsync(buffer, pageable, bytes, in, 0); }));
    of("cudaMemcpyAsync to pageable",
       call_ns([=] { cudaMemcpyAsync(pageable, buffer, bytes, out, 0); }));
    of("cudaMemcpy from pinned", call_ns([=] { cudaMemcpy(buffer, pinned, bytes, in); }));
    of("cudaMemcpy to pinned", call_ns([=] { cudaMemcpy(pinned, buffer, bytes, out); }));
  }
  cudaStream_t a, b;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  char *half = pinned + host_bytes / 2;
  size_t bytes = host_bytes / 2;
  row("both ways at once", size_text(bytes),
      copy_ns(
          [=] {
            cudaMemcpyAsync(buffer, pinned, bytes, cudaMemcpyHostToDevice, a);
            cudaMemcpyAsync(half, buffer + (1 << 30), bytes, cudaMemcpyDeviceToHost, b);
          },
          1),
      "ns");
  row("two in at once", size_text(bytes),
      copy_ns(
          [=] {
            cudaMemcpyAsync(buffer, pinned, bytes, cudaMemcpyHostToDevice, a);
            cudaMemcpyAsync(buffer + (1 << 30), half, bytes, cudaMemcpyHostToDevice, b);
          },
          1),
      "ns");
  row("two out at once", size_text(bytes),
      copy_ns(
          [=] {
            cudaMemcpyAsync(pinned, buffer, bytes, cudaMemcpyDeviceToHost, a);
            cudaMemcpyAsync(half, buffer + (1 << 30), bytes, cudaMemcpyDeviceToHost, b);
          },
          1),
      "ns");
  // A large one and, in another stream, a smaller one after it: does that wait?
  for (size_t part : {(size_t)4 << 10, (size_t)64 << 10, (size_t)1 << 20, (size_t)16 << 20})
    for (bool same : {true, false}) {
      std::vector<double> ends = ends_of(2, [=](int i, cudaStream_t stream) {
        if (i == 0)
          cudaMemcpyAsync(buffer, pinned, bytes, cudaMemcpyHostToDevice, stream);
        else if (same)
          cudaMemcpyAsync(buffer + (1 << 30), half, part, cudaMemcpyHostToDevice, stream);
        else
          cudaMemcpyAsync(half, buffer + (1 << 30), part, cudaMemcpyDeviceToHost, stream);
      });
      row(text("behind 128 MiB in, %s", same ? "in" : "out"), size_text(part), ends[1], "ns");
    }
  // The same in several streams: when does each end?
  for (int count : {2, 4, 8})
    for (bool in : {true, false}) {
      size_t part = (size_t)16 << 20;
      std::vector<double> ends = ends_of(count, [=](int i, cudaStream_t stream) {
        char *there = buffer + part * (size_t)i, *here = pinned + part * (size_t)i;
        cudaMemcpyAsync(in ? there : here, in ? here : there, part, cudaMemcpyDefault, stream);
      });
      for (int i = 0; i < count; i++)
        row(text("16 MiB %s in each of %d streams", in ? "in" : "out", count),
            text("end of %d", i + 1), ends[(size_t)i], "ns");
    }
  cudaStreamDestroy(a), cudaStreamDestroy(b);
}

// The host's own accesses.
static void host_accesses(const char *what, char *memory) {
  size_t bytes = 16 << 20;
  volatile long long sum = 0;
  row(std::string("host writes ") + what, size_text(bytes),
      call_ns([=] { memset(memory, 1, bytes); }), "ns");
  row(std::string("host reads ") + what, size_text(bytes), call_ns([&] {
        long long s = 0;
        for (size_t i = 0; i < bytes; i += 8) s += *(volatile long long *)(memory + i);
        sum = s;
      }),
      "ns");
}

__global__ static void reads(const float4 *in, float4 *out, size_t n) {
  float sum = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    sum += in[i].x;
  if (sum == 1.2345f) out[0].x = sum;
}
__global__ static void writes(float4 *out, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    out[i] = make_float4(1, 2, 3, 4);
}
__global__ static void moves(const float4 *in, float4 *out, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    out[i] = in[i];
}

// A kernel that moves mapped memory, and copies beside it: when a short copy ends, and when the
// kernel does beside a long one.
static void mapped_beside_copies(float4 *seen, size_t n, char *pinned) {
  const char *kernels[] = {"reads", "writes", "moves"};
  for (int kernel = 0; kernel < 3; kernel++)
    for (bool in : {true, false})
      for (size_t bytes : {(size_t)4 << 20, (size_t)128 << 20}) {
        std::vector<double> ends = ends_of(2, [=](int i, cudaStream_t stream) {
          auto *own = (float4 *)buffer;
          char *there = buffer + (1 << 30);
          if (i == 1)
            cudaMemcpyAsync(in ? there : pinned, in ? pinned : there, bytes, cudaMemcpyDefault,
                            stream);
          else if (kernel == 0)
            reads<<<sms * 8, 256, 0, stream>>>(seen, own, n);
          else if (kernel == 1)
            writes<<<sms * 8, 256, 0, stream>>>(seen, n);
          else
            moves<<<sms * 8, 256, 0, stream>>>(seen, seen + n, n);
        });
        const char *way = in ? "in" : "out";
        if (bytes < (size_t)128 << 20)
          row(text("copy %s beside a kernel that %s mapped memory", way, kernels[kernel]),
              size_text(bytes), ends[1], "ns");
        else
          row(text("kernel %s mapped memory beside a copy %s", kernels[kernel], way),
              size_text(n * sizeof(float4)), ends[0], "ns");
      }
}

static void mapped(char *pinned) {
  char *memory;
  float4 *seen;
  size_t bytes = 64 << 20;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped), "mapped memory");
  memset(memory, 1, bytes);
  cudaHostGetDevicePointer((void **)&seen, memory, 0);
  for (size_t part : {(size_t)64 << 10, (size_t)1 << 20, bytes / 2}) {
    size_t n = part / sizeof(float4);
    auto *own = (float4 *)buffer;
    auto of = [=](const char *what, double ns) { row(what, size_text(part), ns, "ns"); };
    of("kernel reads mapped memory", copy_ns([=] { reads<<<sms * 8, 256>>>(seen, own, n); }, 3));
    of("kernel writes mapped memory", copy_ns([=] { writes<<<sms * 8, 256>>>(seen, n); }, 3));
    of("kernel moves mapped memory",
       copy_ns([=] { moves<<<sms * 8, 256>>>(seen, seen + n, n); }, 3));
  }
  mapped_beside_copies(seen, bytes / 2 / sizeof(float4), pinned);
  cudaFreeHost(memory);
}

// A managed array that host and device touch by turns.
static void managed() {
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  for (size_t bytes :
       {(size_t)4 << 10, (size_t)64 << 10, (size_t)1 << 20, (size_t)16 << 20, (size_t)256 << 20}) {
    char *memory;
    size_t n = bytes / sizeof(float4);
    check(cudaMallocManaged(&memory, bytes), "managed memory");
    auto of = [=](const char *what, double ns) { row(what, size_text(bytes), ns, "ns"); };
    auto read = [=] { reads<<<sms * 8, 256>>>((float4 *)memory, (float4 *)buffer, n); };
    std::vector<double> first, again, written, back, ahead, behind, prefetch, home, mapped,
        mapped_away, changed;
    for (int round = 0; round < 4; round++) {
      auto timed = [&](std::vector<double> &all, const std::function<void()> &work) {
        cudaDeviceSynchronize();
        double from = now_ns();
        work();
        cudaDeviceSynchronize();
        if (round) all.push_back(now_ns() - from);
      };
      memset(memory, 1, bytes);
      timed(first, read);
      timed(again, read);
      timed(back, [=] { memset(memory, 2, bytes); });
      timed(written, [=] { writes<<<sms * 8, 256>>>((float4 *)memory, n); });
      timed(home, [=] { cudaMemPrefetchAsync(memory, bytes, host, 0, 0); });
      timed(prefetch, [=] { cudaMemPrefetchAsync(memory, bytes, device, 0, 0); });
      timed(ahead, read);
      timed(behind, [=] {
        for (size_t i = 0; i < bytes; i += 4096) *(volatile char *)(memory + i);
      });
      // What a prefetch has moved to the host is not mapped there until the host touches it.
      cudaMemPrefetchAsync(memory, bytes, device, 0, 0);
      cudaMemPrefetchAsync(memory, bytes, host, 0, 0);
      timed(mapped, [=] {
        for (size_t i = 0; i < bytes; i += 4096) *(volatile char *)(memory + i) = 3;
      });
      timed(mapped_away, [=] { cudaMemPrefetchAsync(memory, bytes, device, 0, 0); });
      writes<<<sms * 8, 256>>>((float4 *)memory, n);
      timed(changed, [=] {
        for (size_t i = 0; i < bytes; i += 4096) *(volatile char *)(memory + i) += 1;
      });
    }
    of("kernel reads managed memory of the host", median(first));
    of("kernel reads it again", median(again));
    of("host writes managed memory of the device", median(back));
    of("kernel writes managed memory of the host", median(written));
    of("managed memory is fetched to the host", median(home));
    of("managed memory is fetched to the device", median(prefetch));
    of("kernel reads it then", median(ahead));
    of("host reads managed memory of the device", median(behind));
    of("host changes managed memory of the device", median(changed));
    of("host touches managed memory fetched to it", median(mapped));
    of("managed memory that the host has touched is fetched to the device", median(mapped_away));
    check(cudaFree(memory), "managed memory");
  }
}

void measure_link() {
  char *pinned, *combined, *pageable = (char *)malloc(host_bytes);
  check(cudaMallocHost(&pinned, host_bytes), "pinned memory");
  check(cudaHostAlloc(&combined, host_bytes, cudaHostAllocWriteCombined), "write-combined memory");
  memset(pageable, 1, host_bytes), memset(pinned, 1, host_bytes), memset(combined, 1, host_bytes);
  copies(pinned, combined, pageable);
  host_accesses("pinned memory", pinned);
  host_accesses("write-combined memory", combined);
  host_accesses("pageable memory", pageable);
  mapped(pinned);
  cudaFreeHost(pinned), cudaFreeHost(combined), free(pageable);
  managed();
}
