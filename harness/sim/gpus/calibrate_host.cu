// calibrate_host.cu: what calls take of the host's time, and when their work begins and ends on the
// device: launches, copies, events, streams, allocations. The host's clock is CLOCK_MONOTONIC.
#include "calibrate.cuh"

#include <string.h>

static char *pinned, *pageable;
enum { HOST_BYTES = 1 << 20 };

// The device is busy for so long, with nothing else in its queue.
static void occupy(double us) { spin<<<1, 32>>>((long long)(us * 1e3 * ghz)); }

// ns of the host for each of `times` calls: the median of seven rounds. busy: the device works on
// something else meanwhile, so that none of what is issued has begun.
static double host_ns(const std::function<void()> &call, int times = 100, bool busy = true) {
  std::vector<double> all;
  for (int round = 0; round < 8; round++) {
    check(cudaDeviceSynchronize(), "work before a call");
    if (busy) occupy(3000);
    double from = now_ns();
    for (int i = 0; i < times; i++) call();
    double ns = (now_ns() - from) / times;
    if (round) all.push_back(ns);  // not the first
  }
  cudaError_t error = cudaDeviceSynchronize();
  cudaGetLastError();
  check(error, "a call");
  return median(all);
}

static void calls() {
  cudaEvent_t event, untimed, done;
  cudaStream_t stream, other;
  cudaEventCreate(&event), cudaEventCreate(&done);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaStreamCreate(&stream), cudaStreamCreate(&other);
  cudaStream_t four[4];
  for (auto &s : four) cudaStreamCreate(&s);
  auto of = [](const char *what, double ns) { row("host call", what, ns, "ns"); };
  of("launch", host_ns([] { nothing<<<1, 32>>>(); }));
  of("launch in a stream", host_ns([=] { nothing<<<1, 32, 0, stream>>>(); }));
  of("launch in streams by turns", host_ns([=] {
                                     nothing<<<1, 32, 0, stream>>>();
                                     nothing<<<1, 32, 0, other>>>();
                                   }) / 2);
  of("launch, idle", host_ns([] { nothing<<<1, 32>>>(); }, 200, false));
  of("copy in, launch, copy out, idle",
     host_ns(
         [=] {
           cudaMemcpyAsync(buffer, pinned, 4096, cudaMemcpyHostToDevice, stream);
           nothing<<<1, 32, 0, stream>>>();
           cudaMemcpyAsync(pinned, buffer, 4096, cudaMemcpyDeviceToHost, stream);
         },
         50, false));
  of("copy in, launch, copy out, four streams, idle",
     host_ns(
         [&] {
           for (auto s : four) {
             cudaMemcpyAsync(buffer, pinned, 4096, cudaMemcpyHostToDevice, s);
             nothing<<<1, 32, 0, s>>>();
             cudaMemcpyAsync(pinned, buffer, 4096, cudaMemcpyDeviceToHost, s);
           }
         },
         20, false) /
         4);
  of("event record", host_ns([=] { cudaEventRecord(event, stream); }));
  of("event record, no timing", host_ns([=] { cudaEventRecord(untimed, stream); }));
  of("stream wait event", host_ns([=] { cudaStreamWaitEvent(other, event, 0); }));
  cudaEventRecord(done), cudaEventSynchronize(done);
  of("event query, done", host_ns([=] { cudaEventQuery(done); }));
  of("event synchronize, done", host_ns([=] { cudaEventSynchronize(done); }));
  of("event query, not done", host_ns(
                                  [=] {
                                    cudaEventRecord(event, stream);
                                    for (int i = 0; i < 100; i++) cudaEventQuery(event);
                                  },
                                  1) /
                                  100);
  of("stream query, not done", host_ns(
                                   [=] {
                                     nothing<<<1, 32, 0, stream>>>();
                                     for (int i = 0; i < 100; i++) cudaStreamQuery(stream);
                                   },
                                   1) /
                                   100);
  of("stream synchronize, idle", host_ns([=] { cudaStreamSynchronize(stream); }, 100, false));
  of("device synchronize, idle", host_ns([=] { cudaDeviceSynchronize(); }, 100, false));
  of("memset", host_ns([=] { cudaMemsetAsync(buffer, 0, 4096, stream); }));
  of("copy from pinned",
     host_ns([=] { cudaMemcpyAsync(buffer, pinned, 4096, cudaMemcpyHostToDevice, stream); }));
  of("copy to pinned",
     host_ns([=] { cudaMemcpyAsync(pinned, buffer, 4096, cudaMemcpyDeviceToHost, stream); }));
  of("copy on the device", host_ns([=] {
       cudaMemcpyAsync(buffer, buffer + 8192, 4096, cudaMemcpyDeviceToDevice, stream);
     }));
  for (int bytes :
       {4, 1 << 10, 4 << 10, 16 << 10, 32 << 10, 64 << 10, 65 << 10, 128 << 10, 1 << 20})
    of(text("asynchronous copy from pageable, %d bytes, idle", bytes).c_str(),
       host_ns(
           [=] {
             cudaMemcpyAsync(buffer, pageable, (size_t)bytes, cudaMemcpyHostToDevice, stream);
           },
           20, false));
  for (int bytes : {4, 4 << 10, 64 << 10, 65 << 10, 1 << 20})
    of(text("asynchronous copy to pageable, %d bytes, idle", bytes).c_str(),
       host_ns(
           [=] {
             cudaMemcpyAsync(pageable, buffer, (size_t)bytes, cudaMemcpyDeviceToHost, stream);
           },
           20, false));
  for (int bytes : {4, 64 << 10, 65 << 10, 1 << 20})
    of(text("asynchronous copy from pageable, %d bytes, behind 3 ms", bytes).c_str(),
       host_ns(
           [=] {
             cudaMemcpyAsync(buffer, pageable, (size_t)bytes, cudaMemcpyHostToDevice, stream);
           },
           1));
  of("asynchronous copy to pageable, 4 bytes, behind 3 ms",
     host_ns([=] { cudaMemcpyAsync(pageable, buffer, 4, cudaMemcpyDeviceToHost, stream); }, 1));
  of("host function", host_ns(
                          [=] {
                            cudaLaunchHostFunc(
                                stream, [](void *) {}, nullptr);
                          },
                          20));
  of("event create and destroy", host_ns(
                                     [] {
                                       cudaEvent_t e;
                                       cudaEventCreate(&e), cudaEventDestroy(e);
                                     },
                                     100, false));
  of("stream create and destroy", host_ns(
                                      [] {
                                        cudaStream_t s;
                                        cudaStreamCreate(&s), cudaStreamDestroy(s);
                                      },
                                      20, false));
  for (auto s : four) cudaStreamDestroy(s);
  cudaEventDestroy(event), cudaEventDestroy(untimed), cudaEventDestroy(done);
  cudaStreamDestroy(stream), cudaStreamDestroy(other);
}

static void allocations() {
  for (size_t bytes : {(size_t)4096, (size_t)1 << 20, (size_t)16 << 20, (size_t)256 << 20}) {
    std::string size = text("%zu KiB", bytes >> 10);
    void *p;
    auto measure = [&](const char *what, const std::function<void()> &make,
                       const std::function<void()> &drop) {
      std::vector<double> making, dropping;
      for (int i = 0; i < 6; i++) {
        double a = now_ns();
        make();
        double b = now_ns();
        drop();
        double c = now_ns();
        if (i) making.push_back(b - a), dropping.push_back(c - b);
      }
      check(cudaGetLastError(), what);
      row(what, size, median(making), "ns");
      row(std::string(what) + ", freed", size, median(dropping), "ns");
    };
    measure(
        "cudaMalloc", [&] { cudaMalloc(&p, bytes); }, [&] { cudaFree(p); });
    measure(
        "cudaMallocHost", [&] { cudaMallocHost(&p, bytes); }, [&] { cudaFreeHost(p); });
    measure(
        "cudaMallocManaged", [&] { cudaMallocManaged(&p, bytes); }, [&] { cudaFree(p); });
    char *own = (char *)aligned_alloc(4096, bytes);
    memset(own, 1, bytes);
    measure(
        "cudaHostRegister", [&] { cudaHostRegister(own, bytes, 0); },
        [&] { cudaHostUnregister(own); });
    free(own);
    measure(
        "cudaMallocAsync", [&] { cudaMallocAsync(&p, bytes, 0); },
        [&] { cudaFreeAsync(p, 0), cudaStreamSynchronize(0); });
  }
}

// What the host waits for: from the call that issues to the return of the one that waits.
static void round_trips() {
  cudaEvent_t event;
  cudaEventCreate(&event);
  auto of = [](const char *what, double ns) { row("round trip", what, ns, "ns"); };
  of("launch, cudaDeviceSynchronize", host_ns(
                                          [] {
                                            nothing<<<1, 32>>>();
                                            cudaDeviceSynchronize();
                                          },
                                          100, false));
  of("launch, cudaStreamSynchronize", host_ns(
                                          [] {
                                            nothing<<<1, 32>>>();
                                            cudaStreamSynchronize(0);
                                          },
                                          100, false));
  of("launch, event, cudaEventSynchronize", host_ns(
                                                [=] {
                                                  nothing<<<1, 32>>>();
                                                  cudaEventRecord(event);
                                                  cudaEventSynchronize(event);
                                                },
                                                100, false));
  for (int us : {10, 100})
    of(text("launch of %d us, cudaDeviceSynchronize", us).c_str(),
       host_ns(
           [=] {
             spin<<<1, 32>>>((long long)(us * 1e3 * ghz));
             cudaDeviceSynchronize();
           },
           20, false));
  for (int bytes : {4, 4096, 65536}) {
    of(text("cudaMemcpy from pinned, %d bytes", bytes).c_str(),
       host_ns([=] { cudaMemcpy(buffer, pinned, (size_t)bytes, cudaMemcpyHostToDevice); }, 50,
               false));
    of(text("cudaMemcpy to pinned, %d bytes", bytes).c_str(),
       host_ns([=] { cudaMemcpy(pinned, buffer, (size_t)bytes, cudaMemcpyDeviceToHost); }, 50,
               false));
    of(text("cudaMemcpy from pageable, %d bytes", bytes).c_str(),
       host_ns([=] { cudaMemcpy(buffer, pageable, (size_t)bytes, cudaMemcpyHostToDevice); }, 50,
               false));
    of(text("cudaMemcpy to pageable, %d bytes", bytes).c_str(),
       host_ns([=] { cudaMemcpy(pageable, buffer, (size_t)bytes, cudaMemcpyDeviceToHost); }, 50,
               false));
  }
  of("cudaMemcpy on the device, 4096 bytes",
     host_ns([=] { cudaMemcpy(buffer, buffer + 8192, 4096, cudaMemcpyDeviceToDevice); }, 50,
             false));
  of("cudaMemset, 4096 bytes", host_ns([=] { cudaMemset(buffer, 0, 4096); }, 50, false));
  of("cudaMemset, then cudaDeviceSynchronize", host_ns(
                                                   [=] {
                                                     cudaMemset(buffer, 0, 4096);
                                                     cudaDeviceSynchronize();
                                                   },
                                                   50, false));
  cudaEventDestroy(event);
}

// Time on the device from one event to another; what is between them is issued before the first.
static double queued(const std::function<void()> &issue, double us = 2000) {
  static cudaEvent_t from, to;
  if (!from) cudaEventCreate(&from), cudaEventCreate(&to);
  std::vector<double> all;
  for (int round = 0; round < 6; round++) {
    float ms;
    occupy(us);
    cudaEventRecord(from);
    issue();
    cudaEventRecord(to);  // in the default stream: after all of them
    check(cudaEventSynchronize(to), "queued work");
    cudaEventElapsedTime(&ms, from, to);
    if (round) all.push_back(ms * 1e6);
  }
  return median(all);
}

// How work in streams follows on other work: what a chain of it takes beyond its kernels.
static void chains() {
  enum { LINKS = 20, US = 20 };
  cudaStream_t stream, other;
  cudaEvent_t event, back;
  cudaStreamCreate(&stream), cudaStreamCreate(&other);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&back, cudaEventDisableTiming);
  auto kernel = [](cudaStream_t s) { spin<<<1, 32, 0, s>>>((long long)(US * 1e3 * ghz)); };
  double alone = queued([=] { kernel(stream); });
  auto of = [=](const char *what, const std::function<void()> &link) {
    double ns = queued([&] {
      kernel(stream);
      for (int i = 0; i < LINKS; i++) link();
    });
    row("link of a chain", what, (ns - alone) / LINKS, "ns");
  };
  row("queued", "nothing between two events", queued([] {}), "ns");
  row("queued", "kernel of 20 us", alone, "ns");
  of("kernel of 20 us", [=] { kernel(stream); });
  of("empty kernel", [=] { nothing<<<1, 32, 0, stream>>>(); });
  of("event record, kernel", [=] {
    cudaEventRecord(event, stream);
    kernel(stream);
  });
  of("kernel in another stream and back", [=] {
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    kernel(other);
    cudaEventRecord(back, other);
    cudaStreamWaitEvent(stream, back, 0);
  });
  for (size_t bytes : {(size_t)4, (size_t)64, (size_t)256, (size_t)1024, (size_t)4096,
                       (size_t)16384, (size_t)65536, (size_t)1 << 20}) {
    auto in = [=](char *to) { cudaMemcpyAsync(to, pinned, bytes, cudaMemcpyHostToDevice, stream); };
    auto out = [=](char *to) {
      cudaMemcpyAsync(to, buffer, bytes, cudaMemcpyDeviceToHost, stream);
    };
    of(text("kernel, copy of %zu bytes in", bytes).c_str(), [=] { kernel(stream), in(buffer); });
    of(text("kernel, copy of %zu bytes out", bytes).c_str(), [=] { kernel(stream), out(pinned); });
    of(text("copy of %zu bytes in", bytes).c_str(), [=] { in(buffer); });
    of(text("copy of %zu bytes out", bytes).c_str(), [=] { out(pinned); });
    of(text("copy of %zu bytes in, then out", bytes).c_str(), [=] { in(buffer), out(pinned); });
    of(text("copy of %zu bytes in, kernel, copy out", bytes).c_str(),
       [=] { in(buffer), kernel(stream), out(pinned); });
    of(text("copy of %zu bytes in, then one in another stream", bytes).c_str(), [=] {
      in(buffer);
      cudaEventRecord(event, stream);
      cudaStreamWaitEvent(other, event, 0);
      cudaMemcpyAsync(buffer, pinned, bytes, cudaMemcpyHostToDevice, other);
      cudaEventRecord(back, other);
      cudaStreamWaitEvent(stream, back, 0);
    });
  }
  of("kernel, memset of 4 bytes", [=] {
    kernel(stream);
    cudaMemsetAsync(buffer, 0, 4, stream);
  });
  of("memset of 4 bytes", [=] { cudaMemsetAsync(buffer, 0, 4, stream); });
  of("copy of 4 bytes on the device",
     [=] { cudaMemcpyAsync(buffer, buffer + 512, 4, cudaMemcpyDeviceToDevice, stream); });
  of("kernel, host function", [=] {
    kernel(stream);
    cudaLaunchHostFunc(
        stream, [](void *) {}, nullptr);
  });
  of("kernel in the default stream, kernel in a stream", [=] {
    kernel(nullptr);
    kernel(stream);
  });
  cudaStreamDestroy(stream), cudaStreamDestroy(other);
  cudaEventDestroy(event), cudaEventDestroy(back);
}

// Kernels side by side, in as many streams.
static void side_by_side() {
  std::vector<cudaStream_t> streams(256);
  for (auto &s : streams) cudaStreamCreateWithFlags(&s, cudaStreamDefault);
  for (int count : {1, 2, 4, 8, 9, 16, 17, 32, 33, 64, 128, 129, 256})
    row("kernels side by side", text("%d of one block, 200 us", count), queued([=] {
          for (int i = 0; i < count; i++)
            spin<<<1, 32, 0, streams[(size_t)i]>>>((long long)(200e3 * ghz));
        }),
        "ns");
  for (int count : {1, 8, 32, 128})
    row("kernels side by side", text("%d empty ones", count), queued([=] {
          for (int i = 0; i < count; i++) nothing<<<1, 32, 0, streams[(size_t)i]>>>();
        }),
        "ns");
  // Ten each, depth first: is a stream's next kernel in the way of another stream's first?
  for (int count : {2, 8, 16})
    row("kernels side by side", text("10 of 20 us in each of %d streams, depth first", count),
        queued([=] {
          for (int i = 0; i < count; i++)
            for (int k = 0; k < 10; k++)
              spin<<<1, 32, 0, streams[(size_t)i]>>>((long long)(20e3 * ghz));
        }),
        "ns");
  // Kernels that fill halves of the device, and more.
  for (int share : {1, 2, 3, 4, 6, 8}) {
    int blocks = sms * 8 * share / 4;  // of 8 that an SM holds
    row("kernels side by side", text("two of %d/4 of the device, 200 us a block", share),
        queued([=] {
          for (size_t i = 0; i < 2; i++)
            spin<<<blocks, 256, 0, streams[i]>>>((long long)(200e3 * ghz));
        }),
        "ns");
  }
  int least, greatest;
  cudaStream_t urgent;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStreamCreateWithPriority(&urgent, cudaStreamDefault, greatest);
  cudaEvent_t from, first, second;
  cudaEventCreate(&from), cudaEventCreate(&first), cudaEventCreate(&second);
  for (bool priority : {false, true}) {
    cudaStream_t late = priority ? urgent : streams[1];
    float a, b;
    occupy(1000);
    cudaEventRecord(from);
    spin<<<sms * 8 * 10, 256, 0, streams[0]>>>((long long)(50e3 * ghz));  // ten waves
    cudaEventRecord(first, streams[0]);
    spin<<<sms * 8, 256, 0, late>>>((long long)(50e3 * ghz));
    cudaEventRecord(second, late);
    check(cudaDeviceSynchronize(), "priorities");
    cudaEventElapsedTime(&a, from, first), cudaEventElapsedTime(&b, from, second);
    row("one wave behind ten of 50 us", priority ? "high priority" : "same priority", b * 1e6,
        "ns");
    row("one wave behind ten of 50 us", priority ? "the ten, with high priority behind" : "the ten",
        a * 1e6, "ns");
  }
  cudaStreamDestroy(urgent);
  for (auto &s : streams) cudaStreamDestroy(s);
}

void measure_host() {
  check(cudaMallocHost(&pinned, HOST_BYTES), "pinned memory");
  pageable = (char *)malloc(HOST_BYTES);
  memset(pageable, 1, HOST_BYTES), memset(pinned, 1, HOST_BYTES);
  calls();
  round_trips();
  chains();
  side_by_side();
  allocations();
  cudaFreeHost(pinned), free(pageable);
}
