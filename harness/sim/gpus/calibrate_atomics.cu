// calibrate_atomics.cu: additions in global memory, by type: how lanes at one address, words of one
// sector and sectors of one request get in each other's way. ns of a request of a warp, of all SMs.
//
// "atomic row": lane i at word i / together of one row for all warps, or of a row of its own; of
// the first so many lanes. "atomic random": each lane at any of so many words. "atomics at two
// lines": ns of a request to each. "atomic sweep": every block adds once to each of so many words
// in a row, from the first on; or each from a word of its own on. "atomic word": all lanes of a
// warp add to one word, of so many so far apart, all blocks at the next one. "load after atomic":
// cycles of a load from so far behind the word to which its lane has just added.
#include "calibrate.cuh"

enum { TURNS = 64, THREADS = 256 };

template <class T>
__global__ void add_in_row(T *row, int together, int apart, int lanes) {
  int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  T *at = row + lane / together + (size_t)warp * apart;
  if (lane >= lanes) return;
  for (int i = 0; i < TURNS; i++) atomicAdd(at, (T)(i + 1));
}

template <class T>
__global__ void add_anywhere(T *array, unsigned words) {
  unsigned h = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1;
  for (int i = 0; i < TURNS; i++) {
    h = h * 1664525u + 1013904223u;
    unsigned any = (h >> 16 ^ h * 2654435769u >> 7) & 0xffff;
    atomicAdd(array + (any * (unsigned long long)words >> 16), (T)(i + 1));
  }
}

template <class T>
static void measure_type(const char *type) {
  int blocks = sms * 2;
  double requests = (double)blocks * THREADS / 32 * TURNS;
  T *to = (T *)buffer;
  auto measure = [&](const char *what, const std::string &how, auto launch) {
    double ns = queued_ns_of([=] { launch(); }) - value("launch", "gap");
    row(what, text("%s, %s", type, how.c_str()), ns / requests, "ns");
  };
  for (int apart : {0, 64})
    for (int together : {1, 2, 4, 8, 16, 32})
      measure("atomic row", text("%d together%s", together, apart ? ", own" : ""),
              [=] { add_in_row<<<blocks, THREADS>>>(to, together, apart, 32); });
  for (int lanes : {1, 2, 4, 8, 16})
    measure("atomic row", text("%d lanes", lanes),
            [=] { add_in_row<<<blocks, THREADS>>>(to, 1, 0, lanes); });
  for (unsigned words : {1u, 2u, 5u, 9u, 16u, 40u, 64u, 256u, 1024u, 4096u, 65536u})
    measure("atomic random", text("%u words", words),
            [=] { add_anywhere<<<blocks, THREADS>>>(to, words); });
}

// Each lane at any of 8 words of one array, and of another one so many bytes on.
template <class T>
__global__ void add_to_two(float *array, int apart) {
  unsigned h = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1;
  for (int i = 0; i < TURNS; i++) {
    h = h * 1664525u + 1013904223u;
    unsigned word = (h >> 16 ^ h >> 5) % 8;
    atomicAdd(array + word, (float)i);
    if (apart) atomicAdd((T *)((char *)array + apart) + word, (T)i);
  }
}

template <class T>
static void measure_two(const char *type) {
  int blocks = sms * 2;
  double turns = (double)blocks * THREADS / 32 * TURNS;
  for (int apart : {0, 128, 256, 512, 1024}) {
    double ns = queued_ns_of([=] { add_to_two<T><<<blocks, THREADS>>>((float *)buffer, apart); });
    row("atomics at two lines",
        apart ? text("f32 and %s, %d bytes apart", type, apart) : text("f32 alone, %s", type),
        (ns - value("launch", "gap")) / turns, "ns");
  }
}

__global__ void add_to_all(unsigned *array, int words, int apart) {
  int from = (int)(blockIdx.x * (long long)apart % words);
  for (int i = threadIdx.x; i < words; i += blockDim.x) {
    int at = from + i;
    atomicAdd(array + (at < words ? at : at - words), 1u);
  }
}

static void measure_sweeps() {
  int blocks = sms * 30;
  for (int words = 256; words <= 1 << 16; words *= 2)
    for (int apart : {0, 1280}) {
      double ns =
          queued_ns_of([=] { add_to_all<<<blocks, THREADS>>>((unsigned *)buffer, words, apart); });
      row("atomic sweep",
          text("%d words, %s", words, apart ? "from anywhere on" : "from the first on"),
          (ns - value("launch", "gap")) / ((double)blocks * words / 32), "ns");
    }
}

template <class T>
__global__ void add_to_words(T *array, int words, int apart) {
  T *at = array + (size_t)(blockIdx.x % words) * apart;
  for (int i = 0; i < TURNS; i++) atomicAdd(at, (T)(i + 1));
}

template <class T>
static void measure_words(const char *type) {
  int blocks = sms * 8;
  for (int words : {1, 4, 16, 64, 256, 1024})
    for (int apart : {1, 8, 32, 128, 256}) {
      if (words == 1 && apart > 1) continue;
      double ns =
          queued_ns_of([=] { add_to_words<<<blocks, THREADS>>>((T *)buffer, words, apart); });
      row("atomic word", text("%s, %d words, %d apart", type, words, apart),
          (ns - value("launch", "gap")) / ((double)blocks * THREADS / 32 * TURNS), "ns");
    }
}

__global__ void load_after(unsigned *array, int behind, int steps, unsigned *out,
                           long long *clocks) {
  unsigned *at = array;
  START_CLOCK
#pragma unroll 1
  for (int i = 0; i < steps; i++) {
    unsigned v;
    asm volatile("red.global.add.u32 [%0], 0;" ::"l"(at) : "memory");
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at + behind) : "memory");
    at += v;  // 0, but who knows
  }
  STOP_CLOCK(clocks)
  *out = (unsigned)(at - array);
}

static void measure_loads_after() {
  enum { STEPS = 1024 };
  for (int behind : {0, 1, 8, 31, 32, 64}) {
    cudaMemset(buffer, 0, 4096);
    auto *array = (unsigned *)buffer;
    row("load after atomic", text("%d words behind", behind),
        cycles([=] { load_after<<<1, 1>>>(array, behind, STEPS, array + 1024, cycles_of_block); }) /
            STEPS,
        "cycle");
  }
}

void measure_atomics() {
  measure_words<unsigned>("u32");
  measure_words<float>("f32");
  measure_loads_after();
  measure_type<unsigned>("u32");
  measure_type<unsigned long long>("u64");
  measure_type<float>("f32");
  measure_type<double>("f64");
  measure_two<float>("f32");
  measure_two<unsigned>("u32");
  measure_sweeps();
}
