// shapes.cuh: programs of programs.cu, which includes it behind its helpers: work that depends on
// work of other streams, pieces that differ, and roads that are used at once.

// A stream for each engine, and events from one to the next, piece by piece.
static void stream_per_engine() {
  const size_t bytes = 2 << 20;
  const int pieces = 12;
  auto streams = make_streams(3);
  std::vector<cudaEvent_t> there(pieces), done(pieces);
  for (auto *events : {&there, &done})
    for (auto &event : *events) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  char *in = host_memory(PINNED, bytes * pieces), *out = host_memory(PINNED, bytes * pieces);
  char *device;
  CHECK(cudaMalloc((void **)&device, bytes * pieces));
  measure([&] {
    for (int i = 0; i < pieces; i++) {
      char *at = device + bytes * (size_t)i;
      copy(at, in + bytes * (size_t)i, bytes, cudaMemcpyHostToDevice, streams[0]);
      CHECK(cudaEventRecord(there[(size_t)i], streams[0]));
      CHECK(cudaStreamWaitEvent(streams[1], there[(size_t)i]));
      spin_for(30, fraction(.5), streams[1]);
      CHECK(cudaEventRecord(done[(size_t)i], streams[1]));
      CHECK(cudaStreamWaitEvent(streams[2], done[(size_t)i]));
      copy(out + bytes * (size_t)i, at, bytes, cudaMemcpyDeviceToHost, streams[2]);
    }
  });
}

// One copy, six kernels of different lengths that wait for it, one copy back that waits for all.
static void fan_out() {
  const size_t bytes = 8 << 20;
  auto streams = make_streams(6);
  cudaEvent_t there, done[6];
  CHECK(cudaEventCreateWithFlags(&there, cudaEventDisableTiming));
  for (auto &event : done) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  char *host = host_memory(PINNED, bytes), *device;
  CHECK(cudaMalloc((void **)&device, bytes));
  measure([&] {
    for (int round = 0; round < 2; round++) {
      copy(device, host, bytes, cudaMemcpyHostToDevice, streams[0]);
      CHECK(cudaEventRecord(there, streams[0]));
      for (size_t i = 0; i < 6; i++) {
        if (i) CHECK(cudaStreamWaitEvent(streams[i], there));
        spin_for(40 * (double)(6 - i), fraction(.125), streams[i]);
        CHECK(cudaEventRecord(done[i], streams[i]));
        if (i) CHECK(cudaStreamWaitEvent(streams[0], done[i]));
      }
      copy(host, device, bytes, cudaMemcpyDeviceToHost, streams[0]);
    }
  });
}

// Many kernels of a quarter of the device in four streams, and short ones of high priority.
static void urgent_among_many() {
  int last, first;
  CHECK(cudaDeviceGetStreamPriorityRange(&last, &first));
  std::vector<cudaStream_t> streams(5);
  for (size_t i = 0; i < 5; i++)
    CHECK(cudaStreamCreateWithPriority(&streams[i], cudaStreamDefault, i == 4 ? first : last));
  measure([&] {
    for (int round = 0; round < 6; round++) {
      for (size_t i = 0; i < 4; i++) spin_for(80, fraction(.5), streams[i]);
      spin_for(15, fraction(.25), streams[4]);
    }
  });
}

// Pieces of 1 to 8 MiB, each with a kernel as long as its size.
static void uneven_pieces() {
  const size_t mib = 1 << 20;
  auto streams = make_streams(8);
  char *in = host_memory(PINNED, 8 * mib), *out = host_memory(PINNED, 64 * mib), *device;
  CHECK(cudaMalloc((void **)&device, 64 * mib));
  measure([&] {
    for (size_t i = 0; i < 8; i++) {
      size_t size = (i * 5 % 8 + 1) * mib;
      copy(device + 8 * mib * i, in, size, cudaMemcpyHostToDevice, streams[i]);
      spin_for(20 * (double)(size / mib), fraction(.5), streams[i]);
      copy(out + 8 * mib * i, device + 8 * mib * i, size, cudaMemcpyDeviceToHost, streams[i]);
    }
  });
}

// Only copies to the host, three from each of 16 streams.
static void out_only() {
  const size_t bytes = 1 << 20;
  auto streams = make_streams(16);
  char *out = host_memory(PINNED, bytes * 48), *device;
  CHECK(cudaMalloc((void **)&device, bytes * 48));
  CHECK(cudaMemset(device, 0, bytes * 48));
  measure([&] {
    for (size_t i = 0; i < 48; i++)
      copy(out + bytes * i, device + bytes * i, bytes, cudaMemcpyDeviceToHost, streams[i % 16]);
  });
}

// Two streams that wait for each other by turns.
static void ping_pong() {
  auto streams = make_streams(2);
  cudaEvent_t events[2];
  for (auto &event : events) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  measure([&] {
    for (size_t i = 0; i < 40; i++) {
      spin_for(15, 1, streams[i % 2]);
      CHECK(cudaEventRecord(events[i % 2], streams[i % 2]));
      CHECK(cudaStreamWaitEvent(streams[(i + 1) % 2], events[i % 2]));
    }
  });
}

// Kernels of one wave and a half in three streams: the tail of one leaves room for the next.
static void waves_and_tails() {
  auto streams = make_streams(3);
  measure([&] {
    for (size_t i = 0; i < 9; i++) spin_for(60, fraction(1.5), streams[i % 3]);
  });
}

// Streams, and a kernel in the default stream behind each four pieces.
static void default_between() {
  const size_t bytes = 1 << 20;
  auto streams = make_streams(4);
  char *in = host_memory(PINNED, bytes * 16), *device;
  CHECK(cudaMalloc((void **)&device, bytes * 16));
  measure([&] {
    for (size_t i = 0; i < 16; i++) {
      copy(device + bytes * i, in + bytes * i, bytes, cudaMemcpyHostToDevice, streams[i % 4]);
      spin_for(25, fraction(.25), streams[i % 4]);
      if (i % 4 == 3) spin_for(20, fraction(1), nullptr);
    }
  });
}

// The host waits for each piece's event before it issues the piece after the next.
static void host_paces() {
  const size_t bytes = 2 << 20;
  auto streams = make_streams(3, cudaStreamNonBlocking);
  cudaEvent_t done[3];
  for (auto &event : done) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  char *in = host_memory(PINNED, bytes * 3), *out = host_memory(PINNED, bytes * 3), *device;
  CHECK(cudaMalloc((void **)&device, bytes * 3));
  measure([&] {
    for (size_t i = 0; i < 12; i++) {
      size_t at = i % 3;
      if (i >= 3) CHECK(cudaEventSynchronize(done[at]));
      copy(device + bytes * at, in + bytes * at, bytes, cudaMemcpyHostToDevice, streams[at]);
      spin_for(50, fraction(1), streams[at]);
      copy(out + bytes * at, device + bytes * at, bytes, cudaMemcpyDeviceToHost, streams[at]);
      CHECK(cudaEventRecord(done[at], streams[at]));
    }
    for (auto event : done) CHECK(cudaStreamWaitEvent(nullptr, event));
  });
}

// A kernel that reads and writes mapped memory while copies go the other way and the same way.
static void mapped_beside_copies() {
  const int n = 4 << 20;
  const size_t bytes = (size_t)n * 4;
  auto streams = make_streams(2);
  auto *x = (float *)host_memory(PINNED, bytes), *host = (float *)host_memory(PINNED, bytes);
  float *mapped, *device;
  CHECK(cudaHostGetDevicePointer((void **)&mapped, x, 0));
  CHECK(cudaMalloc((void **)&device, bytes));
  measure([&] {
    for (int i = 0; i < 3; i++) {
      increment<<<n / 256, 256, 0, streams[0]>>>(mapped, n);
      after(streams[0]);
      copy(device, host, bytes, cudaMemcpyHostToDevice, streams[1]);
      copy(host, device, bytes, cudaMemcpyDeviceToHost, streams[1]);
    }
  });
}
