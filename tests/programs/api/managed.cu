// managed.cu: codes of calls about managed memory.
#include "codes.h"

#if CUDART_VERSION >= 13000 // the calls of CUDA 12
static cudaMemLocation place(int device) {
  return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
}
#define PREFETCH(p, bytes, device, stream) cudaMemPrefetchAsync(p, bytes, place(device), 0, stream)
#define ADVISE(p, bytes, advice, device) cudaMemAdvise(p, bytes, advice, place(device))
#else
#define PREFETCH cudaMemPrefetchAsync
#define ADVISE cudaMemAdvise
#endif

__managed__ int answer = 42, table[1000];
__global__ void raise() { answer++, table[7] = answer; }

int main() {
  int *managed, *device, *p = (int *)8, value[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  CODE(cudaMallocManaged((void **)NULL, 64));
  CODE(cudaMallocManaged(&p, 0));
  VALUE(p == (int *)8);
  CODE(cudaMallocManaged(&p, 64, 0));
  CODE(cudaMallocManaged(&p, 64, 3));
  CODE(cudaMallocManaged(&p, (size_t)1 << 55));
  CODE(cudaMallocManaged(&managed, 1 << 20));
  CODE(cudaMalloc(&device, 64));
  CODE(PREFETCH(managed, 1 << 20, 0, 0));
  CODE(PREFETCH(managed, 1 << 20, cudaCpuDeviceId, 0));
  CODE(PREFETCH(managed, 0, 0, 0));
  CODE(PREFETCH(managed, 1 << 22, 0, 0));
  CODE(PREFETCH(managed, 1 << 20, 1, 0));
  CODE(PREFETCH(device, 64, 0, 0));
  CODE(PREFETCH(NULL, 64, 0, 0));
  CODE(ADVISE(managed, 1 << 20, cudaMemAdviseSetReadMostly, 0));
  CODE(ADVISE(managed, 1 << 20, cudaMemAdviseSetPreferredLocation, 0));
  CODE(ADVISE(managed, 1 << 20, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
  CODE(ADVISE(managed, 1 << 20, (cudaMemoryAdvise)9, 0));
  CODE(ADVISE(managed, 1 << 20, cudaMemAdviseSetAccessedBy, 1));
  CODE(ADVISE(device, 64, cudaMemAdviseSetReadMostly, 0));
  CODE(ADVISE(managed, 0, cudaMemAdviseSetReadMostly, 0));
  CODE(cudaMemRangeGetAttribute(value, 4, cudaMemRangeAttributeReadMostly, managed, 1 << 20));
  VALUE(value[0]);
  CODE(cudaMemRangeGetAttribute(value, 4, cudaMemRangeAttributePreferredLocation, managed, 4096));
  VALUE(value[0]);
  CODE(cudaMemRangeGetAttribute(value, 12, cudaMemRangeAttributeAccessedBy, managed, 4096));
  VALUE(value[0]);
  VALUE(value[1]);
  VALUE(value[2]);
  CODE(PREFETCH(managed, 1 << 20, 0, 0));
  CODE(cudaMemRangeGetAttribute(value, 4, cudaMemRangeAttributeLastPrefetchLocation, managed,
                                4096));
  VALUE(value[0]);
  CODE(cudaMemRangeGetAttribute(value, 3, cudaMemRangeAttributeReadMostly, managed, 4096));
  CODE(cudaMemRangeGetAttribute(NULL, 4, cudaMemRangeAttributeReadMostly, managed, 4096));
  CODE(cudaMemRangeGetAttribute(value, 4, (cudaMemRangeAttribute)99, managed, 4096));
  CODE(cudaMemRangeGetAttribute(value, 4, cudaMemRangeAttributeReadMostly, device, 64));
  CODE(ADVISE(managed, 1 << 20, cudaMemAdviseUnsetReadMostly, 0));
  CODE(ADVISE(managed, 1 << 20, cudaMemAdviseUnsetPreferredLocation, 0));
  CODE(ADVISE(managed, 1 << 20, cudaMemAdviseUnsetAccessedBy, cudaCpuDeviceId));
  CODE(cudaMemRangeGetAttribute(value, 4, cudaMemRangeAttributePreferredLocation, managed, 4096));
  VALUE(value[0]);
  CODE(cudaMemRangeGetAttribute(value, 8, cudaMemRangeAttributeAccessedBy, managed, 4096));
  VALUE(value[0]);
  cudaStream_t stream;
  CODE(cudaStreamCreate(&stream));
  CODE(cudaStreamAttachMemAsync(stream, managed));
  CODE(cudaStreamAttachMemAsync(stream, managed, 0, 9));
  CODE(cudaStreamAttachMemAsync(stream, device));
  CODE(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachGlobal));
  VALUE(answer);
  raise<<<1, 1>>>();
  CODE(cudaDeviceSynchronize());
  VALUE(answer);
  VALUE(table[7]);
  answer = 7;
  raise<<<1, 1>>>();
  CODE(cudaDeviceSynchronize());
  VALUE(answer);
  VALUE(table[7]);
  size_t size;
  void *where;
  CODE(cudaGetSymbolSize(&size, table));
  VALUE(size);
  CODE(cudaGetSymbolAddress(&where, table));
  VALUE(where == table);
  int eight = 8;
  CODE(cudaMemcpyToSymbol(answer, &eight, 4));
  VALUE(answer);
  CODE(cudaFree(managed));
  CODE(cudaFree(managed));
}
