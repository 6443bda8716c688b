// Prefetch and advice as CUDA 12 and CUDA 13 spell them.
#include <cstdio>

int main() {
  int *p;
  cudaMallocManaged(&p, 4096);
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  cudaMemLocation nowhere = {cudaMemLocationTypeDevice, 7};
  printf("%d", cudaMemPrefetchAsync(p, 4096, 0));
  printf(" %d", cudaMemPrefetchAsync(p, 4096, device, 0, cudaStreamLegacy));
  printf(" %d", cudaMemPrefetchAsync(p, 4096, host, 0));
  printf(" %d", cudaMemPrefetchAsync(p, 4096, nowhere, 0));
  printf(" %d", cudaMemAdvise(p, 4096, cudaMemAdviseSetPreferredLocation, host));
  int where = 0;
  cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributePreferredLocation, p, 4096);
  printf(" %d\n", where);
}
