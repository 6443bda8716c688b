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

/* The same in PTX: A column by column, B row by row, C by columns, D by rows, of halves; and of
 * bytes. */
__global__ void in_ptx(int *wrong) {
  __shared__ __align__(32) __half a[256], b[256];
  __shared__ __align__(32) float c[256];
  __shared__ __align__(32) signed char small_a[512], small_b[128];
  __shared__ __align__(32) int small_c[256];
  unsigned lane = threadIdx.x, r[8], q[8];
  float f[8];
  int d[8];
  for (int e = lane; e < 256; e += 32) a[e] = (__half)(float)(e % 7), b[e] = (__half)(float)(e % 5);
  for (int e = lane; e < 256; e += 32) c[e] = (float)e, small_c[e] = e;
  for (int e = lane; e < 512; e += 32) small_a[e] = (signed char)(e % 9 - 4);
  for (int e = lane; e < 128; e += 32) small_b[e] = (signed char)(e % 11 - 5);
  __syncwarp();
#define AT(x) "r"((unsigned)__cvta_generic_to_shared(x))
#define REGISTERS "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define EIGHT(how, x) \
  how(x[0]), how(x[1]), how(x[2]), how(x[3]), how(x[4]), how(x[5]), how(x[6]), how(x[7])
#define TO_R(v) "=r"(v)
#define TO_F(v) "=f"(v)
#define OF_R(v) "r"(v)
#define OF_F(v) "f"(v)
  asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.shared.f16 " REGISTERS ", [%8], 16;"
               : EIGHT(TO_R, r)
               : AT(a)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.shared.f16 " REGISTERS ", [%8], 16;"
               : EIGHT(TO_R, q)
               : AT(b)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.shared.f32 " REGISTERS ", [%8], 16;"
               : EIGHT(TO_F, f)
               : AT(c)
               : "memory");
  asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.f32.f32 " REGISTERS
               ", {%8,%9,%10,%11,%12,%13,%14,%15}, "
               "{%16,%17,%18,%19,%20,%21,%22,%23}, " REGISTERS ";"
               : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3]), "+f"(f[4]), "+f"(f[5]), "+f"(f[6]),
                 "+f"(f[7])
               : EIGHT(OF_R, r), EIGHT(OF_R, q));
  __syncwarp();
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%8], " REGISTERS ", 16;"
               :
               : EIGHT(OF_F, f), AT(c)
               : "memory");
  asm volatile("wmma.load.a.sync.aligned.col.m32n8k16.shared.s8 {%0,%1,%2,%3}, [%4], 32;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : AT(small_a)
               : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.shared.s8 {%0}, [%1];"
               : "=r"(q[0])
               : AT(small_b)
               : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m32n8k16.shared.s32 " REGISTERS ", [%8];"
               : EIGHT(TO_R, d)
               : AT(small_c)
               : "memory");
  asm volatile("wmma.mma.sync.aligned.col.col.m32n8k16.s32.s8.s8.s32 " REGISTERS
               ", {%8,%9,%10,%11}, {%12}, " REGISTERS ";"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]),
                 "+r"(d[7])
               : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(q[0]));
  __syncwarp();
  asm volatile("wmma.store.d.sync.aligned.col.m32n8k16.shared.s32 [%8], " REGISTERS ";"
               :
               : EIGHT(OF_R, d), AT(small_c)
               : "memory");
  __syncwarp();
  for (int e = lane; e < 256; e += 32) {
    int i = e / 16, j = e % 16, sum = j * 16 + i, row = e / 8, column = e % 8, small = e;
    for (int k = 0; k < 16; k++) {
      sum += (k * 16 + i) % 7 * ((k * 16 + j) % 5);
      small += ((k * 32 + row) % 9 - 4) * ((column * 16 + k) % 11 - 5);
    }
    if (c[e] != (float)sum || small_c[column * 32 + row] != small) atomicAdd(wrong, 1);
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
  cudaMemset(wrong, 0, sizeof *wrong);
  in_ptx<<<1, 32>>>(wrong);
  cudaMemcpy(host, wrong, sizeof *host, cudaMemcpyDeviceToHost);
  std::printf("PTX: %d wrong\n", host[0]);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(wrong);
}
