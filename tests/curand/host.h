// host.h: calls of cuRAND's host API, printed with their status and a digest of what they wrote;
// normal values with two digits. With -DON_HOST generators for memory of the host.
#include <cuda_runtime.h>
#include <curand.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef ON_HOST
const bool on_host = true;
#else
const bool on_host = false;
#endif

template <class T>
struct array {  // where the generator writes, and a copy that can be read
  size_t n;
  T *made, *read;
  explicit array(size_t count) : n(count), read((T *)calloc(count + 1, sizeof(T))) {
    if (on_host)
      made = read;
    else
      cudaMalloc((void **)&made, (n + 1) * sizeof(T)), cudaMemset(made, 0, (n + 1) * sizeof(T));
  }
  void fetch() {
    if (!on_host) cudaMemcpy(read, made, n * sizeof(T), cudaMemcpyDeviceToHost);
  }
  unsigned long long digest(int status) {  // FNV-1a, by words
    unsigned long long value = 0xcbf29ce484222325;
    if (status) return value;  // nothing has been written
    fetch();
    for (size_t i = 0; i < n * sizeof(T) / 4; i++) {
      unsigned word;
      memcpy(&word, (char *)read + 4 * i, 4);
      value = (value ^ word) * 0x100000001b3;
    }
    return value;
  }
  void print(const char *what, int status) {
    fetch();
    printf("%s %zu: %d", what, n, status);
    if (status) n = 0;
    for (size_t i = 0; i < 4 && i < n; i++) printf(" %.2f", (double)read[i]);
    for (size_t i = n - 2; n > 9000 && i < n; i++) printf(" %.2f", (double)read[i]);
    putchar('\n');
  }
  ~array() {
    if (!on_host) cudaFree(made);
    free(read);
  }
};

static inline void integers(curandGenerator_t g, size_t n) {
  array<unsigned> a(n);
  int status = curandGenerate(g, a.made, n);
  printf("integers %zu: %d %016llx\n", n, status, a.digest(status));
}
static inline void long_longs(curandGenerator_t g, size_t n) {
  array<unsigned long long> a(n);
  int status = curandGenerateLongLong(g, a.made, n);
  printf("long longs %zu: %d %016llx\n", n, status, a.digest(status));
}
static inline void uniform(curandGenerator_t g, size_t n) {
  array<float> a(n);
  int status = curandGenerateUniform(g, a.made, n);
  printf("uniform %zu: %d %016llx\n", n, status, a.digest(status));
}
static inline void doubles(curandGenerator_t g, size_t n) {
  array<double> a(n);
  int status = curandGenerateUniformDouble(g, a.made, n);
  printf("uniform double %zu: %d %016llx\n", n, status, a.digest(status));
}
static inline void normal(curandGenerator_t g, size_t n) {
  array<float> a(n);
  a.print("normal", curandGenerateNormal(g, a.made, n, 1, 2));
}
static inline void normal_doubles(curandGenerator_t g, size_t n) {
  array<double> a(n);
  a.print("normal double", curandGenerateNormalDouble(g, a.made, n, 1, 2));
}
static inline void log_normal(curandGenerator_t g, size_t n) {
  array<float> a(n);
  a.print("log normal", curandGenerateLogNormal(g, a.made, n, 1, 0.5f));
}
static inline void log_normal_doubles(curandGenerator_t g, size_t n) {
  array<double> a(n);
  a.print("log normal double", curandGenerateLogNormalDouble(g, a.made, n, 1, 0.5));
}
static inline int create(curandGenerator_t *g, curandRngType_t type) {
  return on_host ? curandCreateGeneratorHost(g, type) : curandCreateGenerator(g, type);
}
