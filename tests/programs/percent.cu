/* percent.cu: special registers in asm() with one percent sign, as nvcc takes them, and two. */
#include <cstdio>

__device__ unsigned one() {
  unsigned lane;
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  return lane;
}
__device__ unsigned two() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
__device__ unsigned several() {
  unsigned sum, more;
  asm("mov.u32 %0, %lanemask_lt; mov.u32 %1, %ntid.x;" : "=r"(sum), "=r"(more));
  return sum + more;
}
__device__ unsigned long long nanoseconds() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
}

__global__ void show() {
  if (threadIdx.x == 5) printf("%u %u %u %d\n", one(), two(), several(), nanoseconds() > 0);
}

// PTX in a string is no asm().
static_assert(sizeof "mov.u32 %r1, %tid.x;" == 21, "a string has been changed");

int main() {
  show<<<1, 32>>>();
  return cudaDeviceSynchronize();
}
