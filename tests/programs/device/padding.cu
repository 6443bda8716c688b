// Structures with bytes between their members that nothing writes, copied as a whole: such bytes do
// not spoil the members, in global and in shared memory.
#include <cstdio>

struct pair {
  int first;  // 4 bytes without a name follow
  long long second;
};

__global__ void store(pair *pairs) {
  pairs[threadIdx.x].first = threadIdx.x;
  pairs[threadIdx.x].second = -(long long)threadIdx.x;
}
__global__ void load(const longlong2 *pairs, pair *out) {
  __shared__ longlong2 copies[32];
  longlong2 words = pairs[threadIdx.x];
  pair *mine = (pair *)&copies[threadIdx.x];
  mine->first = (int)words.x;
  mine->second = words.y;
  longlong2 again = copies[threadIdx.x];
  out[threadIdx.x].first = (int)again.x;
  out[threadIdx.x].second = again.y;
}

int main() {
  pair *pairs, *copies, host[32];
  cudaMalloc(&pairs, sizeof host);
  cudaMalloc(&copies, sizeof host);
  store<<<1, 32>>>(pairs);
  load<<<1, 32>>>((const longlong2 *)pairs, copies);
  int wrong = 0;
  for (int i = 0; i < 32; i++) {
    cudaMemcpy(&host[i].first, &copies[i].first, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&host[i].second, &copies[i].second, sizeof(long long), cudaMemcpyDeviceToHost);
    wrong += host[i].first != i || host[i].second != -i;
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
