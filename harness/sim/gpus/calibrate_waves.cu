// calibrate_waves.cu: how blocks follow each other: which SM each gets, whole and broken waves,
// blocks that do not take equally long.
#include "calibrate.cuh"

// Block b stays for clocks[b] cycles; place: on which SM.
__global__ static void stay(const unsigned *clocks, unsigned *place) {
  extern __shared__ char own[];
  long long from = clock64();
  unsigned wanted = clocks[blockIdx.x];
  if (wanted == ~0u) own[threadIdx.x] = 0;
  while (clock64() - from < wanted) {
  }
  if (place && threadIdx.x == 0) asm("mov.u32 %0, %%smid;" : "=r"(place[blockIdx.x]));
}

// Bytes of shared memory with which an SM holds `resident` blocks, no more.
static int shared_for(int resident) {
  int all = 0, reserved = 0, most = 0;
  cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  int bytes = std::min(most, (all / resident - reserved) / 128 * 128);
  cudaFuncSetAttribute(stay, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  return bytes;
}

static void place_blocks(unsigned *table) {
  unsigned *clocks = table, *place = table + sms * 2;
  std::vector<unsigned> host(sms * 2, (unsigned)(50e3 * ghz));
  cudaMemcpy(clocks, host.data(), host.size() * sizeof host[0], cudaMemcpyHostToDevice);
  stay<<<sms * 2, 32, shared_for(2)>>>(clocks, place);
  cudaMemcpy(host.data(), place, host.size() * sizeof host[0], cudaMemcpyDeviceToHost);
  for (int b = 0; b < sms * 2; b++)
    row("placement, 2 blocks an SM", text("block %d", b), host[b], "SM");
}

// ns of a launch of `blocks` blocks that stay as long as us(block) says.
static double ns_of_blocks(unsigned *clocks, int blocks, int resident,
                           const std::function<double(int)> &us) {
  std::vector<unsigned> host(blocks);
  for (int b = 0; b < blocks; b++) host[b] = (unsigned)(us(b) * 1e3 * ghz);
  cudaMemcpy(clocks, host.data(), blocks * sizeof host[0], cudaMemcpyHostToDevice);
  int shared = shared_for(resident);
  return queued_ns_of([=] { stay<<<blocks, 32, shared>>>(clocks, NULL); });
}

static double hashed(int block) { return 5 + (block * 2654435761u >> 16) % 1000 / 100.0; }

void measure_waves() {
  auto *table = (unsigned *)buffer;
  place_blocks(table);
  for (int resident : {1, 4}) {
    int wave = sms * resident, many = wave * 8;
    for (int blocks : {wave / 2, wave - 1, wave, wave + 1, wave * 3 / 2, wave * 2, wave * 2 + 1,
                       wave * 3, wave * 4, wave * 8, wave * 8 + 1})
      row("blocks of 10 us", text("%d, %d an SM", blocks, resident),
          ns_of_blocks(table, blocks, resident, [](int) { return 10.0; }), "ns");
    auto uneven = [=](const char *how, const std::function<double(int)> &us) {
      row("uneven blocks", text("%s, %d, %d an SM", how, many, resident),
          ns_of_blocks(table, many, resident, us), "ns");
    };
    uneven("5 to 15 us, hashed", hashed);
    uneven("2 to 18 us, rising", [=](int b) { return 2 + 16.0 * b / many; });
    uneven("18 to 2 us, falling", [=](int b) { return 18 - 16.0 * b / many; });
    uneven("10 us, the first 100", [](int b) { return b ? 10.0 : 100.0; });
    uneven("10 us, the last 100", [=](int b) { return b < many - 1 ? 10.0 : 100.0; });
    uneven("5 and 15 us in turn", [](int b) { return b % 2 ? 15.0 : 5.0; });
  }
  for (int threads : {32, 128, 256, 512, 1024})
    for (int resident : {1, 2}) {
      int shared = shared_for(resident), few = sms * resident * 16, most = few * 8;
      auto ns = [=](int blocks) {
        return queued_ns_of(
            [=] { stay<<<blocks, threads, shared>>>((unsigned *)buffer + (64 << 20), NULL); });
      };
      row("block turn", text("%d threads, %d an SM", threads, resident),
          (ns(most) - ns(few)) / (16 * 7) * ghz, "cycle");
    }
}
