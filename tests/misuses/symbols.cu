// symbols.cu: __device__ and __constant__ variables: what is none, sizes, offsets, directions.
#include "misuse.h"

__device__ int variable[4];
__constant__ int constant[4];
static int of_host[4], plain[16];

static __global__ void add_up(const int *p, int *to) { *to = p[0] + variable[0] + constant[0]; }
static __global__ void write_to(int *p) { *p = 1; }

MISUSE(symbol_of_host) { TRY(cudaMemcpyToSymbol(of_host, plain, 16)); }
MISUSE(symbol_null) { TRY(cudaMemcpyToSymbol((const void *)NULL, plain, 16)); }
MISUSE(symbol_by_name) { TRY(cudaMemcpyToSymbol((const void *)"variable", plain, 16)); }
MISUSE(symbol_by_device_address) {
  void *address;
  NEED(cudaGetSymbolAddress(&address, variable));
  TRY(cudaMemcpyToSymbol((const void *)address, plain, 16));
}
MISUSE(symbol_too_many_bytes) { TRY(cudaMemcpyToSymbol(variable, plain, 17)); }
MISUSE(symbol_offset_beyond_the_end) { TRY(cudaMemcpyToSymbol(variable, plain, 8, 12)); }
MISUSE(symbol_negative_offset) { TRY(cudaMemcpyToSymbol(variable, plain, 8, (size_t)-4)); }
MISUSE(symbol_to_from_null) { TRY(cudaMemcpyToSymbol(variable, NULL, 16)); }
MISUSE(symbol_to_wrong_direction) {
  TRY(cudaMemcpyToSymbol(constant, plain, 16, 0, cudaMemcpyDeviceToHost));
}
MISUSE(symbol_from_wrong_direction) {
  TRY(cudaMemcpyFromSymbol(plain, variable, 16, 0, cudaMemcpyHostToDevice));
}
MISUSE(symbol_from_too_many_bytes) { TRY(cudaMemcpyFromSymbol(plain, constant, 20)); }
MISUSE(symbol_device_memory_as_host) {
  TRY(cudaMemcpyToSymbol(variable, device_memory(4), 16, 0, cudaMemcpyHostToDevice));
}
MISUSE(symbol_address_of_host) {
  void *address;
  TRY(cudaGetSymbolAddress(&address, of_host));
}
MISUSE(symbol_address_nowhere) { TRY(cudaGetSymbolAddress((void **)NULL, variable)); }
MISUSE(symbol_size_of_host) {
  size_t size = 99;
  TRY(cudaGetSymbolSize(&size, of_host));
  NOTE(size);
}
MISUSE(symbol_free) {
  void *address;
  TRY(cudaGetSymbolAddress(&address, variable));
  TRY(cudaFree(address));
}
MISUSE(symbol_as_copy_destination) {
  TRY(cudaMemcpy(&variable, plain, 16, cudaMemcpyHostToDevice));  // the host's shadow of it
}
MISUSE(symbol_fill_host_shadow) { TRY(cudaMemset(&variable, 0, 16)); }
MISUSE(symbol_constant_written_by_kernel) {
  void *address;
  NEED(cudaGetSymbolAddress(&address, constant));
  LAUNCH(write_to<<<1, 1>>>((int *)address));
  TRY(cudaDeviceSynchronize());
}
MISUSE(symbol_copied_over_its_neighbour) {
  void *address;
  NEED(cudaGetSymbolAddress(&address, variable));
  TRY(cudaMemcpy(address, plain, 32, cudaMemcpyHostToDevice));
  LAUNCH(add_up<<<1, 1>>>((int *)address, (int *)address));
  TRY(cudaDeviceSynchronize());
}
