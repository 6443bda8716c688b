/* solution.cu: calls solution() of the exercises of a-hamdi/GPU, which have no main(). -DKIND is
 * their parameters; arguments: sizes, as many as KIND has. */
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
using In = const float *;
extern "C" {
#if KIND == 1
void solution(In, In, float *, size_t);
#elif KIND == 2
void solution(In, float *, size_t, size_t);
#elif KIND == 3
void solution(In, In, float *, size_t, size_t);
#elif KIND == 4
void solution(In, int, float *, size_t *, size_t);
#elif KIND == 5
void solution(In, In, float *, size_t *, size_t);
#elif KIND == 6
void solution(In, int, int, int, float *, size_t, size_t, size_t);
#elif KIND == 7
void solution(In, In, float *, size_t, size_t, size_t, size_t, size_t);
#elif KIND == 8
void solution(In, float *, size_t);
#elif KIND == 9
void solution(In, float, float *, size_t, size_t);
#elif KIND == 10
void solution(In, float *, size_t, size_t, float);
#elif KIND == 11
void solution(In, In, In, float *, size_t, size_t, size_t);
#elif KIND == 12
void solution(In, In, In, float, float *, size_t, size_t, size_t);
#elif KIND == 13
void solution(In, int, int, int, int, float *, size_t, size_t);
#endif
}
static float *array(size_t n) {
  std::vector<float> host(n);
  for (float &x : host) x = 0.5f + 0.5f * (float)rand() / (float)RAND_MAX;
  float *at;
  cudaMalloc((void **)&at, n * sizeof(float));
  cudaMemcpy(at, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  return at;
}
int main(int argc, char **argv) {
  size_t s[6] = {0};
  for (int i = 1; i < argc && i <= 5; i++) s[i - 1] = strtoul(argv[i], nullptr, 10);
#if KIND == 1 // n, values in each array
  solution(array(s[1]), array(s[1]), array(s[1]), s[0]);
#elif KIND == 2
  solution(array(s[0] * s[1]), array(s[0] * s[1]), s[0], s[1]);
#elif KIND == 3
  size_t n = s[0] * (s[2] ? 1 : s[1]); // a third argument: the second array has s[1] values
  solution(array(n), array(s[2] ? s[1] : n), array(n), s[0], s[1]);
#elif KIND == 4 || KIND == 5
  size_t n = s[0] * s[1] * s[2], *shape;
  cudaMalloc((void **)&shape, 3 * sizeof *shape);
  cudaMemcpy(shape, s, 3 * sizeof *shape, cudaMemcpyHostToDevice);
#if KIND == 4
  solution(array(n), (int)s[3], array(n), shape, 3);
#else
  solution(array(n), array(n), array(n), shape, 3);
#endif
#elif KIND == 6
  size_t n = s[0] * s[0] * s[0];
  solution(array(n), 3, 1, 1, array(n), s[0], s[0], s[0]);
#elif KIND == 7 // b i j l k: a[b,i,j,l] times b[l,k]
  solution(array(s[0] * s[1] * s[2] * s[3]), array(s[3] * s[4]), array(s[0] * s[1] * s[2] * s[4]),
           s[0], s[1], s[2], s[3], s[4]);
#elif KIND == 8
  solution(array(s[0]), array(s[0]), s[0]);
#elif KIND == 9
  solution(array(s[0] * s[1]), 0.1f, array(s[0] * s[1]), s[0], s[1]);
#elif KIND == 10
  solution(array(s[0] * s[1]), array(s[0] * s[1]), s[0], s[1], 0.1f);
#elif KIND == 11
  solution(array(s[0] * s[1]), array(s[1] * s[2]), array(s[2]), array(s[0] * s[2]), s[0], s[1],
           s[2]);
#elif KIND == 12
  solution(array(s[0] * s[1]), array(s[1] * s[2]), array(s[2]), 0.5f, array(s[0] * s[2]), s[0],
           s[1], s[2]);
#elif KIND == 13
  solution(array(s[0] * s[1]), 3, 1, 1, 1, array(s[0] * s[1]), s[0], s[1]);
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
