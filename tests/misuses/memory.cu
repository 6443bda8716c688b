// memory.cu: allocating, freeing and registering memory; what lies where.
#include <cstdlib>

#include "misuse.h"

MISUSE(malloc_null_pointer) { TRY(cudaMalloc((void **)NULL, 4)); }
MISUSE(malloc_zero_bytes) {
  int *p = (int *)8;
  TRY(cudaMalloc(&p, 0));
  NOTE(p == NULL);
  TRY(cudaFree(p));
}
MISUSE(malloc_petabyte) {
  int here, *p = &here;
  TRY(cudaMalloc(&p, (size_t)1 << 50));
  NOTE(p == &here);  // not written to
}
MISUSE(malloc_negative_size) {
  int *p, count = -100;
  TRY(cudaMalloc(&p, count * sizeof(int)));
}
MISUSE(malloc_more_than_there_is) {
  size_t free_bytes, total;
  int *p;
  NEED(cudaMemGetInfo(&free_bytes, &total));
  TRY(cudaMalloc(&p, total + 1));
  TRY(cudaMalloc(&p, 1024));  // a small one can be had
}
MISUSE(memory_info_nowhere) { TRY(cudaMemGetInfo(NULL, NULL)); }

MISUSE(free_null) { TRY(cudaFree(NULL)); }
MISUSE(free_twice) {
  int *p = device_memory(256);
  TRY(cudaFree(p));
  TRY(cudaFree(p));
}
MISUSE(free_inside) { TRY(cudaFree(device_memory(256) + 1)); }
MISUSE(free_variable_of_host) {
  int plain;
  TRY(cudaFree(&plain));
}
MISUSE(free_malloced_by_host) {
  void *p = malloc(1 << 20);
  TRY(cudaFree(p));
}
MISUSE(free_wild_pointer) { TRY(cudaFree((void *)8)); }
MISUSE(free_pinned_memory) {
  int *pinned;
  NEED(cudaMallocHost(&pinned, 4096));
  TRY(cudaFree(pinned));
  TRY(cudaFreeHost(pinned));
}
MISUSE(free_host_null) { TRY(cudaFreeHost(NULL)); }
MISUSE(free_host_twice) {
  int *pinned;
  NEED(cudaMallocHost(&pinned, 4096));
  TRY(cudaFreeHost(pinned));
  TRY(cudaFreeHost(pinned));
}
MISUSE(free_host_inside) {
  int *pinned;
  NEED(cudaMallocHost(&pinned, 4096));
  TRY(cudaFreeHost(pinned + 1));
}
MISUSE(free_host_of_device_memory) { TRY(cudaFreeHost(device_memory(256))); }
MISUSE(free_host_of_malloc) { TRY(cudaFreeHost(malloc(4096))); }

MISUSE(malloc_host_null_pointer) { TRY(cudaMallocHost((void **)NULL, 4)); }
MISUSE(malloc_host_zero_bytes) {
  int *p = (int *)8;
  TRY(cudaMallocHost(&p, 0));
  NOTE(p == NULL);
}
MISUSE(host_alloc_unknown_flags) {
  int *p;
  TRY(cudaHostAlloc(&p, 4096, 0x100));
}
MISUSE(host_flags_of_malloc) {
  unsigned int flags;
  TRY(cudaHostGetFlags(&flags, malloc(64)));
}
MISUSE(device_pointer_of_malloc) {
  int *p;
  TRY(cudaHostGetDevicePointer(&p, malloc(64), 0));
}
MISUSE(device_pointer_of_device_memory) {
  int *p, *device = device_memory(16);
  TRY(cudaHostGetDevicePointer(&p, device, 0));
}
MISUSE(register_null) { TRY(cudaHostRegister(NULL, 4096, 0)); }
MISUSE(register_zero_bytes) { TRY(cudaHostRegister(aligned_alloc(4096, 4096), 0, 0)); }
MISUSE(register_twice) {
  void *p = aligned_alloc(4096, 8192);
  TRY(cudaHostRegister(p, 8192, 0));
  TRY(cudaHostRegister(p, 8192, 0));
  TRY(cudaHostUnregister(p));
}
MISUSE(register_overlap) {
  char *p = (char *)aligned_alloc(4096, 5 * 4096);
  TRY(cudaHostRegister(p, 2 * 4096, 0));
  TRY(cudaHostRegister(p + 4096, 2 * 4096, 0));
}
MISUSE(register_unknown_flags) { TRY(cudaHostRegister(aligned_alloc(4096, 4096), 4096, 0x1000)); }
MISUSE(register_device_memory) { TRY(cudaHostRegister(device_memory(1024), 4096, 0)); }
MISUSE(unregister_unregistered) { TRY(cudaHostUnregister(aligned_alloc(4096, 4096))); }
MISUSE(unregister_inside) {
  char *p = (char *)aligned_alloc(4096, 8192);
  TRY(cudaHostRegister(p, 8192, 0));
  TRY(cudaHostUnregister(p + 4096));
  TRY(cudaHostUnregister(p));
}
MISUSE(unregister_pinned) {
  int *pinned;
  NEED(cudaMallocHost(&pinned, 4096));
  TRY(cudaHostUnregister(pinned));
}

MISUSE(malloc_pitch_no_pitch) {
  int *p;
  TRY(cudaMallocPitch(&p, NULL, 4, 4));
}
MISUSE(malloc_pitch_zero_width) {
  int *p = (int *)8;
  size_t pitch = 99;
  TRY(cudaMallocPitch(&p, &pitch, 0, 4));
  NOTE(p == NULL);
}
MISUSE(malloc_pitch_overflow) {
  int *p;
  size_t pitch;
  TRY(cudaMallocPitch(&p, &pitch, (size_t)1 << 62, 8));
}
MISUSE(malloc_3d_nowhere) { TRY(cudaMalloc3D(NULL, make_cudaExtent(4, 4, 4))); }

MISUSE(pointer_attributes_nowhere) { TRY(cudaPointerGetAttributes(NULL, device_memory(4))); }
MISUSE(pointer_attributes_of_host) {
  cudaPointerAttributes of;
  int plain;
  TRY(cudaPointerGetAttributes(&of, &plain));
  NOTE(of.type);
}
MISUSE(pointer_attributes_after_free) {
  cudaPointerAttributes of;
  int *p = device_memory(64 << 20);
  TRY(cudaFree(p));
  TRY(cudaPointerGetAttributes(&of, p));
  NOTE(of.type);
}
