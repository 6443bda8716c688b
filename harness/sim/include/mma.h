/* mma.h: matrices that a warp holds, and their product (CUDA C++ Programming Guide, "Warp Matrix
 * Functions"). As nvcc makes them for an H100: a fragment is made of the fragments of mma.sync
 * (PTX ISA, "Matrix Fragments for mma.m16n8k16"), tile after tile; halves and bytes come from
 * shared memory by ldmatrix.
 */
#ifndef KIT_MMA_H
#define KIT_MMA_H

#pragma GCC system_header

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus
namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct KIT_LACKS("wmma of 4-bit and 1-bit numbers; use signed char") u4 {};
struct KIT_LACKS("wmma of 4-bit and 1-bit numbers; use signed char") s4 {};
struct KIT_LACKS("wmma of 4-bit and 1-bit numbers; use signed char") b1 {};
}  // namespace precision
}  // namespace experimental

/* Of an element type: how it is stored, its name in PTX, elements in a register. */
template <class T>
struct kit_element;
#define KIT_ELEMENT(T, stored, in_register) \
  template <>                               \
  struct kit_element<T> {                   \
    typedef stored type;                    \
    enum { per_register = in_register };    \
  };
KIT_ELEMENT(__half, __half, 2)
KIT_ELEMENT(__nv_bfloat16, __nv_bfloat16, 2)
KIT_ELEMENT(precision::tf32, float, 1)
KIT_ELEMENT(signed char, signed char, 4)
KIT_ELEMENT(char, char, 4)
KIT_ELEMENT(unsigned char, unsigned char, 4)
KIT_ELEMENT(float, float, 1)
KIT_ELEMENT(int, int, 1)
KIT_ELEMENT(double, double, 1)
#undef KIT_ELEMENT

template <class X, class Y>
struct kit_same {
  enum { value = false };
};
template <class X>
struct kit_same<X, X> {
  enum { value = true };
};

/* A fragment's tiles. The second operand of mma.sync has 8 columns: a product of 8 rows and 32
 * columns is made as the transposed one. */
template <class Use, int m, int n, int k, class T>
struct kit_tiles {
  enum {
    flipped = m == 8 && n == 32,
    is_a = kit_same<Use, matrix_a>::value,
    is_c = kit_same<Use, accumulator>::value,
    /* the operand of mma.sync: the first, of 16 rows (8 of doubles), or the second, of 8 columns */
    first = !is_c && (is_a ? !flipped : flipped),
    tile_m = m == 8 && n == 8 ? 8 : 16,
    rows = is_c ? (flipped ? n : m) : (is_a ? m : n), /* or columns, but for k */
    columns = flipped ? m : n,                        /* of C */
    per_register = kit_element<T>::per_register,
    tile_registers = (first ? tile_m : 8) * k / 32 / per_register,
    tiles = is_c ? rows / tile_m * (columns / 8) : rows / (first ? tile_m : 8),
    tile_elements = is_c ? tile_m / 4 : tile_registers * per_register,
    used = tiles * tile_elements,
    /* halves have places for two copies of what they had on a V100 */
    elements = kit_same<T, __half>::value && !is_c ? 16 : used
  };
};

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
 public:
  typedef typename kit_element<T>::type element_type, storage_element_type;
  enum { num_elements = kit_tiles<Use, m, n, k, T>::elements };
  storage_element_type x[num_elements];
};

/* ---- where element i of a lane lies ---- */

struct kit_place {
  int row, column;
};

template <class Use, int m, int n, int k, class T>
__kit_device__ kit_place kit_place_of(int i) {
  typedef kit_tiles<Use, m, n, k, T> Tiles;
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  int group = lane >> 2, member = lane & 3, tile = i / Tiles::tile_elements,
      e = i % Tiles::tile_elements, across, along;
  if (Tiles::is_c) { /* tiles go along columns first */
    int wide = Tiles::columns / 8;
    across = tile / wide * Tiles::tile_m + group + 8 * (e >> 1);
    along = tile % wide * 8 + member * 2 + (e & 1);
  } else {
    int halves = Tiles::first ? Tiles::tile_m / 8 : 1, r = e / Tiles::per_register;
    across = tile * (Tiles::first ? Tiles::tile_m : 8) + group + 8 * (r % halves);
    along = (member + 4 * (r / halves)) * Tiles::per_register + e % Tiles::per_register;
  }
  bool swapped = Tiles::is_c ? Tiles::flipped : !Tiles::is_a;
  kit_place at = {swapped ? along : across, swapped ? across : along};
  return at;
}

/* ---- loads and stores ---- */

template <class Word, class T>
__kit_device__ void kit_load_word(T *to, const T *from) {
  Word word = *(const Word *)from;
  __builtin_memcpy(to, &word, sizeof word);
}
template <class Word, class T>
__kit_device__ void kit_store_word(T *to, const T *from) {
  Word word;
  __builtin_memcpy(&word, from, sizeof word);
  *(Word *)to = word;
}

/* Loads count tiles of 8 x 8 halves, or 8 rows of 16 bytes, from shared memory into registers.
 * row: the address of lane 8i + j is that of row j of tile i. */
template <int count, bool transposed>
__kit_device__ void kit_load_tiles(unsigned *to, const void *row) {
  unsigned at;
  asm("{ .reg .u64 %%a; cvta.to.shared.u64 %%a, %1; cvt.u32.u64 %0, %%a; }" : "=r"(at) : "l"(row));
#define KIT_LDMATRIX(trans)                                                                   \
  if (count == 4)                                                                             \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0,%1,%2,%3}, [%4];"     \
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])                         \
                 : "r"(at)                                                                    \
                 : "memory");                                                                 \
  else if (count == 2)                                                                        \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 {%0,%1}, [%2];"           \
                 : "=r"(to[0]), "=r"(to[1])                                                   \
                 : "r"(at)                                                                    \
                 : "memory");                                                                 \
  else                                                                                        \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 {%0}, [%1];"              \
                 : "=r"(to[0])                                                                \
                 : "r"(at)                                                                    \
                 : "memory");
  if (transposed) {
    KIT_LDMATRIX(".trans")
  } else {
    KIT_LDMATRIX("")
  }
#undef KIT_LDMATRIX
}


template <class Use, int m, int n, int k, class T, class Layout, class S>
__kit_device__ void kit_load_operand(fragment<Use, m, n, k, T, Layout> &f, const S *p,
                                               unsigned ldm) {
  typedef kit_tiles<Use, m, n, k, T> Tiles;
  enum {
    per = Tiles::per_register,
    row_major = kit_same<Layout, nvcuda::wmma::row_major>::value,
    /* the elements of a register are neighbours in memory */
    neighbours = Tiles::is_a ? row_major : !row_major,
    by_tiles = per == 2 || (per == 4 && neighbours), /* ldmatrix can load it */
    registers = Tiles::used / per,
    halves = Tiles::first ? Tiles::tile_m / 8 : 1
  };
  if (by_tiles && __isShared(p)) {
    unsigned lane, word[registers];
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    enum { batch = registers < 4 ? registers : 4 };
#pragma unroll
    for (int r = 0; r < registers; r += batch) {
      int reg = r + (int)(lane / 8) % batch, tile = reg / Tiles::tile_registers,
          in_tile = reg % Tiles::tile_registers;
      int across = tile * (Tiles::first ? Tiles::tile_m : 8) + 8 * (in_tile % halves),
          along = in_tile / halves * 4 * per, inner = lane % 8;
      if (neighbours)
        kit_load_tiles<batch, false>(word + r, p + (across + inner) * ldm + along);
      else
        kit_load_tiles<batch, true>(word + r, p + (along + inner) * ldm + across);
    }
    __builtin_memcpy(f.x, word, sizeof word);
  } else if (per == 1 || (!neighbours && per == 4)) {
#pragma unroll
    for (int i = 0; i < Tiles::used; i++) {
      kit_place at = kit_place_of<Use, m, n, k, T>(i);
      f.x[i] = p[row_major ? at.row * ldm + at.column : at.column * ldm + at.row];
    }
  } else if (neighbours) {
#pragma unroll
    for (int i = 0; i < Tiles::used; i += per) {
      kit_place at = kit_place_of<Use, m, n, k, T>(i);
      kit_load_word<unsigned>(
          &f.x[i], p + (row_major ? at.row * ldm + at.column : at.column * ldm + at.row));
    }
  } else { /* halves: the transposed tile, then turned */
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
#pragma unroll
    for (int reg = 0; reg < registers; reg++) {
      int tile = reg / Tiles::tile_registers, in_tile = reg % Tiles::tile_registers;
      int across = tile * (Tiles::first ? Tiles::tile_m : 8) + 8 * (in_tile % halves),
          along = in_tile / halves * 8;
      unsigned word = *(const unsigned *)(p + (along + lane / 4) * ldm + across + lane % 4 * 2);
      asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(word));
      __builtin_memcpy(&f.x[reg * 2], &word, sizeof word);
    }
  }
#pragma unroll
  for (int i = Tiles::used; i < Tiles::elements; i++) f.x[i] = f.x[i % Tiles::used];
}

/* load, or store: of neighbours in memory two at a time */
#define KIT_EACH_OF_C(move2, move1)                                                        \
  typedef kit_tiles<accumulator, m, n, k, T> Tiles;                                        \
  enum { row_pairs = !Tiles::flipped };                                                    \
  if (row_pairs == (layout == mem_row_major)) {                                            \
    _Pragma("unroll") for (int i = 0; i < Tiles::used; i += 2) {                           \
      kit_place at = kit_place_of<accumulator, m, n, k, T>(i);                             \
      auto *q = p + (layout == mem_row_major ? at.row * ldm + at.column                    \
                                             : at.column * ldm + at.row);                  \
      move2;                                                                               \
    }                                                                                      \
  } else {                                                                                 \
    _Pragma("unroll") for (int i = 0; i < Tiles::used; i++) {                              \
      kit_place at = kit_place_of<accumulator, m, n, k, T>(i);                             \
      auto *q = p + (layout == mem_row_major ? at.row * ldm + at.column                    \
                                             : at.column * ldm + at.row);                  \
      move1;                                                                               \
    }                                                                                      \
  }
template <class T, int bytes = sizeof(T)>
struct kit_pair;
template <class T>
struct kit_pair<T, 2> {
  typedef unsigned word;
};
template <class T>
struct kit_pair<T, 4> {
  typedef uint2 word;
};
template <class T>
struct kit_pair<T, 8> {
  typedef double2 word;
};

template <int m, int n, int k, class T, class Layout>
__kit_device__ void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout> &f,
                                               const typename kit_element<T>::type *p,
                                               unsigned ldm) {
  kit_load_operand(f, p, ldm);
}
template <int m, int n, int k, class T, class Layout>
__kit_device__ void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout> &f,
                                               const typename kit_element<T>::type *p,
                                               unsigned ldm) {
  kit_load_operand(f, p, ldm);
}
template <int m, int n, int k, class T>
__kit_device__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p,
                                               unsigned ldm, layout_t layout) {
  KIT_EACH_OF_C(kit_load_word<typename kit_pair<T>::word>(&f.x[i], q), f.x[i] = *q)
}
template <int m, int n, int k, class T>
__kit_device__ void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f,
                                                unsigned ldm, layout_t layout) {
  KIT_EACH_OF_C(kit_store_word<typename kit_pair<T>::word>(q, &f.x[i]), *q = f.x[i])
}
#undef KIT_EACH_OF_C

template <class Use, int m, int n, int k, class T, class Layout>
__kit_device__ void fill_fragment(
    fragment<Use, m, n, k, T, Layout> &f,
    const typename fragment<Use, m, n, k, T, Layout>::storage_element_type &value) {
#pragma unroll
  for (int i = 0; i < f.num_elements; i++) f.x[i] = value;
}

/* ---- products ---- */

#define KIT_MMA_442(shape, types)                                                              \
  asm volatile("mma.sync.aligned." shape ".row.col." types                                     \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                    \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]),  \
                 "r"(c[1]), "r"(c[2]), "r"(c[3]))
#define KIT_MMA_421(types, satfinite)                                                          \
  asm volatile("mma.sync.aligned.m16n8k16.row.col" satfinite "." types                         \
               " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"                                \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))

/* One tile: registers of mma.sync. */
__kit_device__ void kit_mma(__half, float, unsigned *d, const unsigned *a,
                                      const unsigned *b, const unsigned *c, bool) {
  KIT_MMA_442("m16n8k16", "f32.f16.f16.f32");
}
__kit_device__ void kit_mma(__half, __half, unsigned *d, const unsigned *a,
                                      const unsigned *b, const unsigned *c, bool) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
      : "=r"(d[0]), "=r"(d[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]));
}
__kit_device__ void kit_mma(__nv_bfloat16, float, unsigned *d, const unsigned *a,
                                      const unsigned *b, const unsigned *c, bool) {
  KIT_MMA_442("m16n8k16", "f32.bf16.bf16.f32");
}
__kit_device__ void kit_mma(float, float, unsigned *d, const unsigned *a,
                                      const unsigned *b, const unsigned *c, bool) {
  /* in two steps, as nvcc does: the sum between them is rounded */
  const unsigned *sum = c;
  for (int k = 0; k < 2; k++, sum = d)
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
                 "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(a[2 * k]), "r"(a[2 * k + 1]), "r"(b[k]), "r"(sum[0]), "r"(sum[1]),
                   "r"(sum[2]), "r"(sum[3]));
}
__kit_device__ void kit_mma(signed char, int, unsigned *d, const unsigned *a,
                                      const unsigned *b, const unsigned *c, bool satfinite) {
  if (satfinite)
    KIT_MMA_421("s32.s8.s8.s32", ".satfinite");
  else
    KIT_MMA_421("s32.s8.s8.s32", "");
}
__kit_device__ void kit_mma(char, int, unsigned *d, const unsigned *a, const unsigned *b,
                                      const unsigned *c, bool satfinite) {
  kit_mma((signed char)0, 0, d, a, b, c, satfinite);
}
__kit_device__ void kit_mma(unsigned char, int, unsigned *d, const unsigned *a,
                                      const unsigned *b, const unsigned *c, bool satfinite) {
  if (satfinite)
    KIT_MMA_421("s32.u8.u8.s32", ".satfinite");
  else
    KIT_MMA_421("s32.u8.u8.s32", "");
}
__kit_device__ void kit_mma(double, double, unsigned *d, const unsigned *a,
                                      const unsigned *b, const unsigned *c, bool) {
  double da, db, dc[2], dd[2];
  __builtin_memcpy(&da, a, sizeof da);
  __builtin_memcpy(&db, b, sizeof db);
  __builtin_memcpy(dc, c, sizeof dc);
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
               : "=d"(dd[0]), "=d"(dd[1])
               : "d"(da), "d"(db), "d"(dc[0]), "d"(dc[1]));
  __builtin_memcpy(d, dd, sizeof dd);
}
#undef KIT_MMA_442
#undef KIT_MMA_421

template <class X, class Y>
struct kit_wider {
  typedef float type;
};
template <class X>
struct kit_wider<X, X> {
  typedef X type;
};

template <int m, int n, int k, class In, class LayoutA, class LayoutB, class Out, class Sum>
__kit_device__ void mma_sync(fragment<accumulator, m, n, k, Out> &d,
                                       const fragment<matrix_a, m, n, k, In, LayoutA> &a,
                                       const fragment<matrix_b, m, n, k, In, LayoutB> &b,
                                       const fragment<accumulator, m, n, k, Sum> &c,
                                       bool satfinite = false) {
  typedef kit_tiles<matrix_a, m, n, k, In> A;
  typedef kit_tiles<matrix_b, m, n, k, In> B;
  typedef kit_tiles<accumulator, m, n, k, Out> C;
  enum {
    firsts = A::flipped ? B::tiles : A::tiles,
    seconds = A::flipped ? A::tiles : B::tiles,
    first_bytes = (A::flipped ? B::used : A::used) * sizeof(a.x[0]) / firsts,
    second_bytes = (A::flipped ? A::used : B::used) * sizeof(a.x[0]) / seconds
  };
  /* of half and single precision, the sum is made in single, and D rounded from it */
  typedef typename kit_wider<Out, Sum>::type Wider;
  fragment<accumulator, m, n, k, Wider> sums;
#pragma unroll
  for (int i = 0; i < C::used; i++) sums.x[i] = (Wider)c.x[i];
  const char *first = (const char *)(A::flipped ? (const void *)b.x : (const void *)a.x),
             *second = (const char *)(A::flipped ? (const void *)a.x : (const void *)b.x);
#pragma unroll
  for (int i = 0; i < firsts; i++)
#pragma unroll
    for (int j = 0; j < seconds; j++) {
      unsigned ra[4], rb[2], rc[4], rd[4];
      Wider *tile = sums.x + (i * seconds + j) * C::tile_elements;
      __builtin_memcpy(ra, first + i * first_bytes, first_bytes);
      __builtin_memcpy(rb, second + j * second_bytes, second_bytes);
      __builtin_memcpy(rc, tile, C::tile_elements * sizeof(Wider));
      kit_mma(typename kit_element<In>::type(), Wider(), rd, ra, rb, rc, satfinite);
      __builtin_memcpy(tile, rd, C::tile_elements * sizeof(Wider));
    }
#pragma unroll
  for (int i = 0; i < C::used; i++) d.x[i] = (Out)sums.x[i];
}

/* A float rounded to tf32: to nearest, ties away from zero. */
__kit_device__ float __float_to_tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

}  // namespace wmma
}  // namespace nvcuda
#endif

#endif
