/* matrices.cu: 8 x 8 matrices between shared memory and the registers of a warp (ldmatrix,
 * stmatrix, movmatrix), element by element, and wmma from shared memory, row and column by row and
 * column. Prints how many of each are wrong. */
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

/* wrong[0..5]: x1, x2, x4, each plain and transposed; [6], [7]: stored; [8]: moved */
__global__ void move(int *wrong) {
  __shared__ __align__(16) unsigned short in[4][8][8], out[4][8][8];
  int lane = threadIdx.x, r = lane / 4, c = lane % 4 * 2;
  for (int i = lane; i < 256; i += 32) in[i / 64][i / 8 % 8][i % 8] = (unsigned short)(1000 + i);
  __syncwarp();
  unsigned row = (unsigned)__cvta_generic_to_shared(&in[lane / 8][lane % 8][0]);
  unsigned to = (unsigned)__cvta_generic_to_shared(&out[lane / 8][lane % 8][0]);
  unsigned d[4], t[4];
  auto plain = [&](int m, unsigned v) {
    return v == ((1000u + m * 64 + r * 8 + c) | (1001u + m * 64 + r * 8 + c) << 16);
  };
  auto turned = [&](int m, unsigned v) {
    return v == ((1000u + m * 64 + c * 8 + r) | (1008u + m * 64 + c * 8 + r) << 16);
  };
#define CHECK(k, ok) atomicAdd(&wrong[k], !(ok))
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(d[0])
               : "r"(row)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(t[0])
               : "r"(row)
               : "memory");
  CHECK(0, plain(0, d[0]));
  CHECK(1, turned(0, t[0]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(row)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(t[0]), "=r"(t[1])
               : "r"(row)
               : "memory");
  for (int m = 0; m < 2; m++) CHECK(2, plain(m, d[m])), CHECK(3, turned(m, t[m]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(row)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(t[0]), "=r"(t[1]), "=r"(t[2]), "=r"(t[3])
               : "r"(row)
               : "memory");
  for (int m = 0; m < 4; m++) CHECK(4, plain(m, d[m])), CHECK(5, turned(m, t[m]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};"
               :
               : "r"(to), "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3])
               : "memory");
  __syncwarp();
  for (int i = lane; i < 256; i += 32) CHECK(6, out[i / 64][i / 8 % 8][i % 8] == 1000 + i);
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};"
               :
               : "r"(to), "r"(d[0]), "r"(d[1])
               : "memory");
  __syncwarp();
  for (int i = lane; i < 128; i += 32) CHECK(7, out[i / 64][i % 8][i / 8 % 8] == 1000 + i);
  unsigned moved;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(d[3]));
  CHECK(8, turned(3, moved));
}

/* C = A B + C in shared memory, of whole numbers. */
template <class In, class Out, int m, int n, int k, class LayoutA, class LayoutB>
__global__ void multiply(int *wrong, bool row_a, bool row_b, wmma::layout_t layout) {
  __shared__ __align__(32) In a[m * k], b[k * n];
  __shared__ __align__(32) Out c[m * n];
  int lane = threadIdx.x;
  auto value_a = [](int i, int j) { return (i * 3 + j) % 5 - (sizeof(In) > 1 ? 2 : 0); };
  auto value_b = [](int i, int j) { return (i + 2 * j) % 7; };
  for (int e = lane; e < m * k; e += 32)
    a[row_a ? e : e % k * m + e / k] = (In)(float)value_a(e / k, e % k);
  for (int e = lane; e < k * n; e += 32)
    b[row_b ? e : e % n * k + e / n] = (In)(float)value_b(e / n, e % n);
  bool row_c = layout == wmma::mem_row_major;
  for (int e = lane; e < m * n; e += 32) c[row_c ? e : e % n * m + e / n] = (Out)(float)(e % 11);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, m, n, k, In, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, In, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Out> fc;
  wmma::load_matrix_sync(fa, a, row_a ? k : m);
  wmma::load_matrix_sync(fb, b, row_b ? n : k);
  wmma::load_matrix_sync(fc, c, row_c ? n : m, layout);
  wmma::mma_sync(fc, fa, fb, fc);
  __syncwarp();
  wmma::store_matrix_sync(c, fc, row_c ? n : m, layout);
  __syncwarp();
  for (int e = lane; e < m * n; e += 32) {
    int want = e % 11;
    for (int i = 0; i < k; i++) want += value_a(e / n, i) * value_b(i, e % n);
    if ((float)c[row_c ? e : e % n * m + e / n] != (float)want) atomicAdd(wrong, 1);
  }
}

template <class In, class Out, int m, int n, int k>
static void try_all(const char *name, int *wrong) {
  int count;
  cudaMemset(wrong, 0, sizeof *wrong);
  multiply<In, Out, m, n, k, wmma::row_major, wmma::row_major>
      <<<1, 32>>>(wrong, true, true, wmma::mem_row_major);
  multiply<In, Out, m, n, k, wmma::row_major, wmma::col_major>
      <<<1, 32>>>(wrong, true, false, wmma::mem_col_major);
  multiply<In, Out, m, n, k, wmma::col_major, wmma::row_major>
      <<<1, 32>>>(wrong, false, true, wmma::mem_col_major);
  multiply<In, Out, m, n, k, wmma::col_major, wmma::col_major>
      <<<1, 32>>>(wrong, false, false, wmma::mem_row_major);
  cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost);
  std::printf("%s m%dn%dk%d: %d wrong\n", name, m, n, k, count);
}

int main() {
  int *wrong, host[9];
  cudaMalloc(&wrong, sizeof host);
  cudaMemset(wrong, 0, sizeof host);
  move<<<1, 32>>>(wrong);
  cudaMemcpy(host, wrong, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("moves:");
  for (int w : host) std::printf(" %d", w);
  std::printf(" wrong\n");
  try_all<__half, float, 16, 16, 16>("half", wrong);
  try_all<__half, __half, 32, 8, 16>("half", wrong);
  try_all<__half, float, 8, 32, 16>("half", wrong);
  try_all<__nv_bfloat16, float, 16, 16, 16>("bfloat16", wrong);
  try_all<__nv_bfloat16, float, 8, 32, 16>("bfloat16", wrong);
  try_all<signed char, int, 16, 16, 16>("int8", wrong);
  try_all<unsigned char, int, 32, 8, 16>("uint8", wrong);
  try_all<signed char, int, 8, 32, 16>("int8", wrong);
  try_all<double, double, 8, 8, 4>("double", wrong);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(wrong);
}
