// calibrate_traffic.cu: what moves between SMs, L2 and DRAM: reads and writes in every mix, by how
// much a launch touches and the same launch touched before; what L2 gives a launch that reads the
// same again.
#include "calibrate.cuh"

// Each thread reads an element of each of READS arrays and writes one of each of WRITES others.
template <int READS, int WRITES>
__global__ void mix(float4 *base, size_t count) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[READS + 1] = {};
#pragma unroll
  for (int r = 0; r < READS; r++) v[r] = base[r * count + i];
#pragma unroll
  for (int r = 1; r < READS; r++) v[0].x += v[r].x, v[0].y += v[r].y;
#pragma unroll
  for (int w = 0; w < WRITES; w++) base[(READS + w) * count + i] = v[0];
  if (!WRITES && v[0].x == 1.2345f) base[i] = v[0];
}
__global__ static void update(float4 *base) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = base[i];
  v.x += v.y;
  base[i] = v;
}

template <int READS, int WRITES>
static void measure_mix() {
  for (int mib : mixed_mib) {
    size_t count = ((size_t)mib << 20) / sizeof(float4) / (READS + WRITES) / 256 * 256;
    double ns = queued_ns_of(
        [=] { mix<READS, WRITES><<<(unsigned)(count / 256), 256>>>((float4 *)buffer, count); });
    row("traffic", text("%d reads, %d writes, %d MiB", READS, WRITES, mib),
        (double)(count * sizeof(float4) * (READS + WRITES)) / ns, "byte/ns");
  }
}

__device__ static float4 load_l2(const char *p) { return __ldcg((const float4 *)p); }

// All warps together go through `bytes` again and again, 512 bytes a request.
__global__ static void read_shares(const char *in, float *out, unsigned bytes, int turns) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
  unsigned at = (unsigned)((size_t)warp * 512 % bytes),
           step = (unsigned)((size_t)warps * 512 % bytes);
  float sum = 0;
  for (int i = 0; i < turns; i += 4) {
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      v[k] = load_l2(in + at + threadIdx.x % 32 * 16);
      at += step;
      if (at >= bytes) at -= bytes;
    }
#pragma unroll
    for (int k = 0; k < 4; k++) sum += v[k].x + v[k].w;
  }
  if (sum == 1.2345f) *out = sum;
}
// Every block goes through all of it, from `apart` bytes further on than the one before.
__global__ static void read_all(const char *in, float *out, unsigned bytes, unsigned apart) {
  unsigned at = (unsigned)((size_t)blockIdx.x * apart % bytes);
  float sum = 0;
  for (unsigned done = 0; done < bytes; done += 4 * 16 * blockDim.x) {
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      v[k] = load_l2(in + at + threadIdx.x * 16);
      at += 16 * blockDim.x;
      if (at >= bytes) at -= bytes;
    }
#pragma unroll
    for (int k = 0; k < 4; k++) sum += v[k].x + v[k].w;
  }
  if (sum == 1.2345f) *out = sum;
}

static void measure_rereads() {
  auto *out = (float *)buffer;
  for (unsigned mib : {1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 56, 64, 96, 128, 256}) {
    unsigned bytes = mib << 20, blocks = (unsigned)sms * 2, turns = 256;
    row("L2 read", text("%u MiB, each a share", mib),
        (double)blocks * 32 * turns * 512 /
            queued_ns_of([=] { read_shares<<<blocks, 1024>>>(buffer, out, bytes, (int)turns); }),
        "byte/ns");
    if (mib > 64) continue;
    for (bool in_step : {true, false})
      row("L2 read",
          text("%u MiB, each all of it%s", mib, in_step ? ", in step" : ", from anywhere"),
          (double)blocks * bytes / queued_ns_of([=] {
            read_all<<<blocks, 1024>>>(buffer, out, bytes, in_step ? 0 : 65536 * 17);
          }),
          "byte/ns");
  }
}

void measure_traffic() {
  measure_mix<1, 0>();
  measure_mix<3, 1>();
  measure_mix<2, 1>();
  measure_mix<1, 1>();
  measure_mix<1, 2>();
  measure_mix<0, 1>();
  for (int mib : mixed_mib) {
    auto count = (unsigned)(((size_t)mib << 20) / sizeof(float4));
    row("traffic", text("updated in place, %d MiB", mib),
        (double)count * sizeof(float4) * 2 /
            queued_ns_of([=] { update<<<count / 256, 256>>>((float4 *)buffer); }),
        "byte/ns");
  }
  measure_rereads();
}
