// misuse.h: a misuse of the CUDA API is a function here, and each of its calls is tried with TRY.
// main.cu runs each in a process of its own and prints what came of it, as one row.
#ifndef MISUSE_H
#define MISUSE_H

#include <cstddef>
#include <cuda_runtime.h>

// MISUSE(name) { ... } adds one to the list.
struct misuse {
  misuse(const char *name, void (*run)());
  const char *name;
  void (*run)();
  misuse *next;
};
#define MISUSE(name)                             \
  static void name();                            \
  static misuse name##_in_the_list(#name, name); \
  static void name()

// TRY(call): its text and code go into the row. The code is also the expression's value.
#define TRY(...) (misuse_call(#__VA_ARGS__), misuse_code(__VA_ARGS__))
// LAUNCH(kernel<<<grid, block>>>(...)): the same; the code is what cudaPeekAtLastError returns.
#define LAUNCH(...) (misuse_call(#__VA_ARGS__), __VA_ARGS__, misuse_code(cudaPeekAtLastError()))
// A number that belongs in the row.
#define NOTE(value) misuse_note((long long)(value))
// A call that must succeed, or there is no row.
#define NEED(...) (misuse_need(#__VA_ARGS__, __VA_ARGS__))

void misuse_call(const char *text);
cudaError_t misuse_code(cudaError_t code);
void misuse_code(int code, const char *name);
void misuse_note(long long value);
void misuse_need(const char *text, cudaError_t code);

// Memory of the device, and stream and event; they must be there.
template <class T = int>
static inline T *device_memory(size_t count) {
  T *pointer = NULL;
  NEED(cudaMalloc(&pointer, count * sizeof(T)));
  return pointer;
}
static inline cudaStream_t new_stream(unsigned int flags = cudaStreamDefault) {
  cudaStream_t stream = NULL;
  NEED(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
}
static inline cudaEvent_t new_event(unsigned int flags = cudaEventDefault) {
  cudaEvent_t event = NULL;
  NEED(cudaEventCreateWithFlags(&event, flags));
  return event;
}

// Runs for some 10 ms on a GPU. To be launched once before its duration matters: its code may be
// loaded by the first launch.
static __device__ inline int take_a_while(int steps) {
  unsigned int x = 12345u + threadIdx.x;
  for (int i = 0; i < steps; i++) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return (int)x;
}
enum { A_WHILE = 1 << 20 };

#endif
