/* runtime_symbol.c: the CUDA runtime API over device.h: __constant__ and __device__ variables,
 * which go by the address of a host variable. */
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

enum direction { TO_SYMBOL, FROM_SYMBOL };

/* The address of bytes at offset in a symbol, for a copy of that kind. */
static cudaError_t symbol_range(const void *symbol, size_t bytes, size_t offset,
                                enum direction direction, enum cudaMemcpyKind kind,
                                void **pointer) {
  static const enum cudaMemcpyKind from_host[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost};
  uint64_t address;
  size_t size;
  int error = registration_symbol(symbol, &address, &size);
  if (error) return (cudaError_t)error;
  if (kind != cudaMemcpyDefault && kind != cudaMemcpyDeviceToDevice && kind != from_host[direction])
    return cudaErrorInvalidMemcpyDirection;
  if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
  *pointer = (void *)(uintptr_t)(address + offset);
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  void *to;
  cudaError_t error = symbol_range(symbol, bytes, offset, TO_SYMBOL, kind, &to);
  return error ? runtime_result(error) : cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
  void *from;
  cudaError_t error = symbol_range(symbol, bytes, offset, FROM_SYMBOL, kind, &from);
  return error ? runtime_result(error) : cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  void *to;
  cudaError_t error = symbol_range(symbol, bytes, offset, TO_SYMBOL, kind, &to);
  return error ? runtime_result(error) : cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  void *from;
  cudaError_t error = symbol_range(symbol, bytes, offset, FROM_SYMBOL, kind, &from);
  return error ? runtime_result(error) : cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies, size_t count,
                                           const void *symbol, const void *from, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind kind) {
  void *to;
  cudaError_t error = symbol_range(symbol, bytes, offset, TO_SYMBOL, kind, &to);
  return error ? runtime_result(error)
               : cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to, from, bytes, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies, size_t count,
                                             void *to, const void *symbol, size_t bytes,
                                             size_t offset, enum cudaMemcpyKind kind) {
  void *from;
  cudaError_t error = symbol_range(symbol, bytes, offset, FROM_SYMBOL, kind, &from);
  return error ? runtime_result(error)
               : cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to, from, bytes, kind);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  if (!pointer) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error = symbol_range(symbol, 0, 0, TO_SYMBOL, cudaMemcpyDefault, pointer);
  uint64_t address = (uint64_t)(uintptr_t)symbol;
  if (!error && mapped_variable(&address)) *pointer = (void *)(uintptr_t)symbol; /* both sides' */
  return runtime_result(error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  uint64_t address;
  if (!bytes) return runtime_result(cudaErrorInvalidValue);
  return runtime_result(registration_symbol(symbol, &address, bytes));
}
