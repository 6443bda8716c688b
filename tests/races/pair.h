/* pair.h: what the programs of pairs/ have in common: named arrays, and a look at the results. */
#ifndef KIT_PAIR_H
#define KIT_PAIR_H

#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

extern "C" void sim_name_array(const void *device_pointer, const char *name, size_t rows,
                               size_t columns, size_t element_size, bool output);

/* An array of n zeros on the device, reported by that name. Ends the program if memory runs out. */
template <class T>
T *make(const char *name, size_t n) {
  T *data = nullptr;
  if (cudaMalloc(&data, n * sizeof(T))) exit(3);
  sim_name_array(data, name, 1, n, sizeof(T), true);
  if (cudaMemset(data, 0, n * sizeof(T)) || cudaDeviceSynchronize()) exit(3);
  return data;
}

/* A managed array of n elements that nothing has written, which reports call by that name. */
template <class T>
T *make_managed(const char *name, size_t n) {
  T *data = nullptr;
  if (cudaMallocManaged(&data, n * sizeof(T))) exit(3);
  sim_name_array(data, name, 1, n, sizeof(T), true);
  return data;
}

/* The program's status: 0 if all work succeeds and data[i] is expected(i) for all i below n. */
template <class T, class Function>
int differs(const T *data, size_t n, Function expected) {
  T *host = new T[n];
  cudaError_t error = cudaMemcpy(host, data, n * sizeof(T), cudaMemcpyDeviceToHost);
  if (error) fprintf(stderr, "%s\n", cudaGetErrorString(error));
  int status = error != cudaSuccess;
  for (size_t i = 0; i < n && !status; i++) {
    if (host[i] == (T)expected((int)i)) continue;
    fprintf(stderr, "element %zu is %g, not %g\n", i, (double)host[i], (double)expected((int)i));
    status = 1;
  }
  delete[] host;
  return status;
}

#endif
