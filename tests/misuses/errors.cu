// errors.cu: what cudaGetLastError and cudaPeekAtLastError return, when, to whom.
#include <cstring>
#include <thread>

#include "misuse.h"

static __global__ void store(int *p) {
  if (p) *p = 1;
}
static __global__ void slow(int *p, int steps) { *p = take_a_while(steps); }
static __global__ void fault(int *p, int steps) { *(int *)16 = take_a_while(steps) + *p; }

MISUSE(error_is_read_once) {
  int *p;
  TRY(cudaMalloc(&p, (size_t)1 << 50));
  TRY(cudaPeekAtLastError());
  TRY(cudaPeekAtLastError());
  TRY(cudaGetLastError());
  TRY(cudaGetLastError());
}
MISUSE(error_survives_success) {
  TRY(cudaSetDevice(-1));
  TRY(cudaSetDevice(0));
  TRY(cudaDeviceSynchronize());
  TRY(cudaPeekAtLastError());
}
MISUSE(error_of_two_the_newer_stays) {
  int *p;
  TRY(cudaSetDevice(-1));
  TRY(cudaMalloc(&p, (size_t)1 << 50));
  TRY(cudaGetLastError());
}
MISUSE(error_of_another_thread) {
  std::thread([] { TRY(cudaSetDevice(-1)); }).join();
  TRY(cudaGetLastError());
}
MISUSE(error_of_occupancy) {
  int blocks;
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, -1, 0));
  TRY(cudaGetLastError());
}
MISUSE(error_of_not_ready) {
  int *p = device_memory(1);
  slow<<<1, 1>>>(p, 1);
  NEED(cudaDeviceSynchronize());
  LAUNCH(slow<<<1, 1>>>(p, A_WHILE));
  TRY(cudaStreamQuery(0));
  TRY(cudaPeekAtLastError());
  TRY(cudaGetLastError());
  TRY(cudaDeviceSynchronize());
  TRY(cudaStreamQuery(0));
}
MISUSE(error_of_launch_taken_for_the_kernels) {  // the launch's own code is not the kernel's
  int *p = device_memory(1);
  NEED(cudaMemset(p, 0, 4));
  LAUNCH(fault<<<1, 1>>>(p, A_WHILE));
  TRY(cudaGetLastError());
  TRY(cudaDeviceSynchronize());
  TRY(cudaGetLastError());
  TRY(cudaGetLastError());
}
MISUSE(error_before_a_launch_taken_for_its_own) {
  TRY(cudaSetDevice(-1));
  LAUNCH(store<<<1, 1>>>(NULL));
  TRY(cudaGetLastError());
  TRY(cudaDeviceSynchronize());
}
MISUSE(error_name_of_no_error) {
  NOTE(strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code") == 0);
  NOTE(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
  NOTE(strcmp(cudaGetErrorString((cudaError_t)-1), "unrecognized error code") == 0);
}
