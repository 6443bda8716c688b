// Host and kernel update managed words at the same time, by atomics, while the kernel polls a flag
// by volatile loads and stores to others; a second thread of the host does so while the first one
// is in the launch. No update is lost.
#include <cstdio>
#include <thread>

struct words {
  int count, stop, lock, guarded, reset;
  unsigned long long wide;
  int rounds[128];
};

__global__ void poll(words *w) {
  int rounds = 0;
  do {
    atomicAdd_system(&w->count, 1);
    atomicAdd_system(&w->wide, 1ull << 32);
    rounds++;
  } while (!*(volatile int *)&w->stop);
  w->rounds[blockIdx.x * blockDim.x + threadIdx.x] = rounds;
}

__global__ void lock(words *w, int times) {
  for (int i = 0; i < times; i++) {
    while (atomicCAS_system(&w->lock, 0, 1)) {
    }
    __threadfence_system();
    *(volatile int *)&w->guarded += 1;
    __threadfence_system();
    atomicExch_system(&w->lock, 0);
  }
}

// Stores 0, and updates what it has stored: the host takes what is there, and leaves 0.
__global__ void ping(words *w, int times) {
  for (int i = 0; i < times; i++) {
    *(volatile int *)&w->reset = 0;
    while (atomicCAS_system(&w->reset, 1, 2) != 1) {
    }
  }
}

__global__ void add(words *w, int times) {
  for (int i = 0; i < times; i++) atomicAdd_system(&w->count, 1);
}

int main() {
  const int adds = 2000000, times = 300;
  words *w;
  cudaMallocManaged(&w, sizeof *w);
  *w = words();
  poll<<<4, 32>>>(w);
  for (int i = 0; i < adds; i++) {
    __sync_fetch_and_add(&w->count, 1000);
    __sync_fetch_and_add(&w->wide, 1);
  }
  __atomic_store_n(&w->stop, 1, __ATOMIC_SEQ_CST);
  cudaDeviceSynchronize();
  int rounds = 0;
  for (int i = 0; i < 128; i++) rounds += w->rounds[i];
  printf("%d %d ", w->count == rounds + 1000 * adds,
         w->wide == ((unsigned long long)rounds << 32) + adds);

  lock<<<1, 1>>>(w, times);
  for (int i = 0; i < times; i++) {
    while (__sync_val_compare_and_swap(&w->lock, 0, 2)) {
    }
    *(volatile int *)&w->guarded += 1;
    __sync_lock_test_and_set(&w->lock, 0);
  }
  cudaDeviceSynchronize();
  printf("%d ", w->guarded);

  w->reset = 0;
  ping<<<1, 1>>>(w, times);
  for (int i = 0; i < times; i++) {
    while (!__sync_bool_compare_and_swap(&w->reset, 0, 1)) {
    }
  }
  printf("%s %d ", cudaGetErrorName(cudaDeviceSynchronize()), w->reset);

  w->count = 0;
  bool stop = false;
  int others = 0;
  std::thread other([&] {
    for (; !__atomic_load_n(&stop, __ATOMIC_SEQ_CST); others++)
      __sync_fetch_and_add(&w->count, 1000);
  });
  add<<<64, 256>>>(w, 10);
  cudaDeviceSynchronize();
  __atomic_store_n(&stop, true, __ATOMIC_SEQ_CST);
  other.join();
  printf("%d\n", w->count - 64 * 256 * 10 == 1000 * others);
}
