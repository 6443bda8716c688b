/* kit_texture.h: what kernels read textures with, and read and write surfaces: PTX's instructions.
 * There are no mipmaps, so that all levels and gradients read level 0. */
#ifndef KIT_TEXTURE_H
#define KIT_TEXTURE_H

#include "kit_texture_types.h"

#define KIT_FETCHED static __device__ __inline__ __attribute__((always_inline, nodebug, unused))

/* Four channels, as the instruction returns them, as a T. */
template <class T>
struct kit_fetched;
#define KIT_FETCHES(T, type, member)                                              \
  template <>                                                                     \
  struct kit_fetched<T> {                                                         \
    typedef kit_##type##_texel texel;                                             \
    static __device__ __attribute__((always_inline, nodebug)) T of(const texel &v) { member } \
  };
struct kit_f32_texel {
  float x, y, z, w;
};
struct kit_s32_texel {
  int x, y, z, w;
};
struct kit_u32_texel {
  unsigned int x, y, z, w;
};
#define KIT_FETCHES_OF(T, V, type)                                              \
  KIT_FETCHES(T, type, return (T)v.x;)                                          \
  KIT_FETCHES(V##1, type, V##1 r; r.x = (T)v.x; return r;)                      \
  KIT_FETCHES(V##2, type, V##2 r; r.x = (T)v.x; r.y = (T)v.y; return r;)        \
  KIT_FETCHES(V##4, type, V##4 r; r.x = (T)v.x; r.y = (T)v.y; r.z = (T)v.z; r.w = (T)v.w; return r;)
KIT_FETCHES_OF(signed char, char, s32)
KIT_FETCHES_OF(unsigned char, uchar, u32)
KIT_FETCHES_OF(short, short, s32)
KIT_FETCHES_OF(unsigned short, ushort, u32)
KIT_FETCHES_OF(int, int, s32)
KIT_FETCHES_OF(unsigned int, uint, u32)
KIT_FETCHES_OF(float, float, f32)
KIT_FETCHES(char, s32, return (char)v.x;)
#undef KIT_FETCHES_OF
#undef KIT_FETCHES

/* kit_fetch_NAME(texel, object, coordinates): overloaded by the type of the texel. */
#define KIT_FETCH_AS(name, opcode, type, letter, coordinate_type, at, parameters, ...) \
  KIT_FETCHED void kit_##name(kit_##type##_texel &v, cudaTextureObject_t object,       \
                              KIT_OPEN parameters) {                                   \
    asm(opcode ".v4." #type "." coordinate_type " {%0, %1, %2, %3}, [%4, " at "];"     \
        : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)           \
        : "l"(object), __VA_ARGS__);                                                   \
  }
#define KIT_OPEN(...) __VA_ARGS__ /* KIT_OPEN (a, b): parameters in brackets, without them */
#define KIT_FETCH_ALL(name, opcode, coordinate_type, at, parameters, ...)                        \
  KIT_FETCH_AS(name, opcode, f32, "f", coordinate_type, at, parameters, __VA_ARGS__)             \
  KIT_FETCH_AS(name, opcode, s32, "r", coordinate_type, at, parameters, __VA_ARGS__)             \
  KIT_FETCH_AS(name, opcode, u32, "r", coordinate_type, at, parameters, __VA_ARGS__)
KIT_FETCH_ALL(fetch, "tex.1d", "s32", "{%5}", (int x), "r"(x))
KIT_FETCH_ALL(tex_1d, "tex.1d", "f32", "{%5}", (float x), "f"(x))
KIT_FETCH_ALL(tex_2d, "tex.2d", "f32", "{%5, %6}", (float x, float y), "f"(x), "f"(y))
KIT_FETCH_ALL(tex_3d, "tex.3d", "f32", "{%5, %6, %7, %7}",
              (float x, float y, float z), "f"(x), "f"(y), "f"(z))
KIT_FETCH_ALL(tex_a1d, "tex.a1d", "f32", "{%5, %6}", (int layer, float x), "r"(layer),
              "f"(x))
KIT_FETCH_ALL(tex_a2d, "tex.a2d", "f32", "{%5, %6, %7, %7}",
              (int layer, float x, float y), "r"(layer), "f"(x), "f"(y))
KIT_FETCH_ALL(tex_cube, "tex.cube", "f32", "{%5, %6, %7, %7}",
              (float x, float y, float z), "f"(x), "f"(y), "f"(z))
KIT_FETCH_ALL(tex_acube, "tex.acube", "f32", "{%5, %6, %7, %8}",
              (int layer, float x, float y, float z), "r"(layer), "f"(x),
              "f"(y), "f"(z))
KIT_FETCH_ALL(gather_0, "tld4.r.2d", "f32", "{%5, %6}", (float x, float y), "f"(x), "f"(y))
KIT_FETCH_ALL(gather_1, "tld4.g.2d", "f32", "{%5, %6}", (float x, float y), "f"(x), "f"(y))
KIT_FETCH_ALL(gather_2, "tld4.b.2d", "f32", "{%5, %6}", (float x, float y), "f"(x), "f"(y))
KIT_FETCH_ALL(gather_3, "tld4.a.2d", "f32", "{%5, %6}", (float x, float y), "f"(x), "f"(y))
#undef KIT_FETCH_ALL
#undef KIT_FETCH_AS

/* tex2D<float>(object, x, y), and tex2D(&value, object, x, y) */
#define KIT_TEX(name, fetch, parameters, ...)                                        \
  template <class T>                                                                 \
  KIT_FETCHED T name(cudaTextureObject_t object, KIT_OPEN parameters) {              \
    typename kit_fetched<T>::texel texel;                                            \
    kit_##fetch(texel, object, __VA_ARGS__);                                         \
    return kit_fetched<T>::of(texel);                                                \
  }                                                                                  \
  template <class T>                                                                 \
  KIT_FETCHED void name(T *value, cudaTextureObject_t object, KIT_OPEN parameters) { \
    *value = name<T>(object, __VA_ARGS__);                                           \
  }
/* The same with a level, and with gradients, which do not matter. */
#define KIT_TEX_LOD(name, fetch, parameters, gradient, ...)                                       \
  template <class T>                                                                              \
  KIT_FETCHED T name##Lod(cudaTextureObject_t object, KIT_OPEN parameters, float) {               \
    return name<T>(object, __VA_ARGS__);                                                          \
  }                                                                                               \
  template <class T>                                                                              \
  KIT_FETCHED T name##Grad(cudaTextureObject_t object, KIT_OPEN parameters, gradient, gradient) { \
    return name<T>(object, __VA_ARGS__);                                                          \
  }
#define KIT_TEX_BOTH(name, fetch, parameters, gradient, ...) \
  KIT_TEX(name, fetch, parameters, __VA_ARGS__)              \
  KIT_TEX_LOD(name, fetch, parameters, gradient, __VA_ARGS__)
KIT_TEX(tex1Dfetch, fetch, (int x), x)
KIT_TEX_BOTH(tex1D, tex_1d, (float x), float, x)
KIT_TEX_BOTH(tex2D, tex_2d, (float x, float y), float2, x, y)
KIT_TEX_BOTH(tex3D, tex_3d, (float x, float y, float z), float4, x, y, z)
template <class T>
KIT_FETCHED T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
  typename kit_fetched<T>::texel texel;
  kit_tex_a1d(texel, object, layer, x);
  return kit_fetched<T>::of(texel);
}
template <class T>
KIT_FETCHED void tex1DLayered(T *value, cudaTextureObject_t object, float x, int layer) {
  *value = tex1DLayered<T>(object, x, layer);
}
template <class T>
KIT_FETCHED T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
  typename kit_fetched<T>::texel texel;
  kit_tex_a2d(texel, object, layer, x, y);
  return kit_fetched<T>::of(texel);
}
template <class T>
KIT_FETCHED void tex2DLayered(T *value, cudaTextureObject_t object, float x, float y, int layer) {
  *value = tex2DLayered<T>(object, x, y, layer);
}
KIT_TEX_LOD(tex1DLayered, tex_a1d, (float x, int layer), float, x, layer)
KIT_TEX_LOD(tex2DLayered, tex_a2d, (float x, float y, int layer), float2, x, y,
            layer)
KIT_TEX_BOTH(texCubemap, tex_cube, (float x, float y, float z), float4, x, y, z)
template <class T>
KIT_FETCHED T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) {
  typename kit_fetched<T>::texel texel;
  kit_tex_acube(texel, object, layer, x, y, z);
  return kit_fetched<T>::of(texel);
}
KIT_TEX_LOD(texCubemapLayered, tex_acube,
            (float x, float y, float z, int layer), float4, x, y, z, layer)
#undef KIT_TEX
#undef KIT_TEX_LOD
#undef KIT_TEX_BOTH

template <class T>
KIT_FETCHED T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  typename kit_fetched<T>::texel texel;
  switch (component) {
    case 0: kit_gather_0(texel, object, x, y); break;
    case 1: kit_gather_1(texel, object, x, y); break;
    case 2: kit_gather_2(texel, object, x, y); break;
    default: kit_gather_3(texel, object, x, y);
  }
  return kit_fetched<T>::of(texel);
}
template <class T>
KIT_FETCHED void tex2Dgather(T *value, cudaTextureObject_t object, float x, float y,
                             int component = 0) {
  *value = tex2Dgather<T>(object, x, y, component);
}

/* ---- surfaces: elements of 1, 2, 4, 8 or 16 bytes; x counts bytes ---- */

/* A word as large as the element, which the instruction moves. */
template <int bytes>
struct kit_surface_word;
template <>
struct kit_surface_word<1> {
  typedef unsigned char word;
};
template <>
struct kit_surface_word<2> {
  typedef unsigned short word;
};
template <>
struct kit_surface_word<4> {
  typedef unsigned int word;
};
template <>
struct kit_surface_word<8> {
  typedef unsigned long long word;
};
template <>
struct kit_surface_word<16> {
  typedef uint4 word;
};
template <class T>
union kit_surface_element {
  typename kit_surface_word<sizeof(T)>::word word;
  T value;
  __device__ kit_surface_element() {}
};

struct kit_trap {};
struct kit_clamp {};
struct kit_zero {};

/* One instruction each way, for a word; `at` names the coordinates, which the rest has. */
#define KIT_SURFACE_WORD(shape, at, mode, bits, letter, word, container, parameters, ...)     \
  KIT_FETCHED void kit_read_##shape(word &v, cudaSurfaceObject_t object, KIT_OPEN parameters, \
                                    kit_##mode) {                                             \
    container value;                                                                          \
    asm volatile("suld.b." #shape "." bits "." #mode " {%[v]}, [%[object], {" at "}];"        \
                 : [v] "=" letter(value)                                                      \
                 : [object] "l"(object), __VA_ARGS__                                          \
                 : "memory");                                                                 \
    v = (word)value;                                                                          \
  }                                                                                           \
  KIT_FETCHED void kit_write_##shape(word v, cudaSurfaceObject_t object, KIT_OPEN parameters, \
                                     kit_##mode) {                                            \
    asm volatile("sust.b." #shape "." bits "." #mode " [%[object], {" at "}], {%[v]};"        \
                 :                                                                            \
                 : [v] letter((container)v), [object] "l"(object), __VA_ARGS__                \
                 : "memory");                                                                 \
  }
#define KIT_SURFACE_MODE(shape, at, mode, parameters, ...)                                       \
  KIT_SURFACE_WORD(shape, at, mode, "b8", "h", unsigned char, unsigned short, parameters,        \
                   __VA_ARGS__)                                                                  \
  KIT_SURFACE_WORD(shape, at, mode, "b16", "h", unsigned short, unsigned short, parameters,      \
                   __VA_ARGS__)                                                                  \
  KIT_SURFACE_WORD(shape, at, mode, "b32", "r", unsigned int, unsigned int, parameters,          \
                   __VA_ARGS__)                                                                  \
  KIT_SURFACE_WORD(shape, at, mode, "b64", "l", unsigned long long, unsigned long long,          \
                   parameters, __VA_ARGS__)                                                      \
  KIT_FETCHED void kit_read_##shape(uint4 &v, cudaSurfaceObject_t object, KIT_OPEN parameters,   \
                                    kit_##mode) {                                                \
    unsigned int a, b, c, d;                                                                     \
    asm volatile("suld.b." #shape ".v4.b32." #mode                                               \
                 " {%[a], %[b], %[c], %[d]}, [%[object], {" at "}];"                             \
                 : [a] "=r"(a), [b] "=r"(b), [c] "=r"(c), [d] "=r"(d)                            \
                 : [object] "l"(object), __VA_ARGS__                                             \
                 : "memory");                                                                    \
    v.x = a, v.y = b, v.z = c, v.w = d;                                                          \
  }                                                                                              \
  KIT_FETCHED void kit_write_##shape(const uint4 &v, cudaSurfaceObject_t object,                 \
                                     KIT_OPEN parameters, kit_##mode) {                          \
    asm volatile("sust.b." #shape ".v4.b32." #mode                                               \
                 " [%[object], {" at "}], {%[a], %[b], %[c], %[d]};"                             \
                 :                                                                               \
                 : [a] "r"(v.x), [b] "r"(v.y), [c] "r"(v.z), [d] "r"(v.w), [object] "l"(object), \
                   __VA_ARGS__                                                                   \
                 : "memory");                                                                    \
  }
#define KIT_SURFACE_IN(access, shape, ...)          \
  if (mode == cudaBoundaryModeTrap)                 \
    kit_##access##_##shape(__VA_ARGS__, kit_trap()); \
  else if (mode == cudaBoundaryModeClamp)           \
    kit_##access##_##shape(__VA_ARGS__, kit_clamp()); \
  else                                              \
    kit_##access##_##shape(__VA_ARGS__, kit_zero())
/* names: the parameters, as arguments */
#define KIT_SURFACE(name, shape, at, parameters, names, ...)                          \
  KIT_SURFACE_MODE(shape, at, trap, parameters, __VA_ARGS__)                          \
  KIT_SURFACE_MODE(shape, at, clamp, parameters, __VA_ARGS__)                         \
  KIT_SURFACE_MODE(shape, at, zero, parameters, __VA_ARGS__)                          \
  template <class T>                                                                  \
  KIT_FETCHED T name##read(cudaSurfaceObject_t object, KIT_OPEN parameters,                    \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    kit_surface_element<T> element;                                                   \
    KIT_SURFACE_IN(read, shape, element.word, object, KIT_OPEN names);                         \
    return element.value;                                                             \
  }                                                                                   \
  template <class T>                                                                  \
  KIT_FETCHED void name##read(T *value, cudaSurfaceObject_t object, KIT_OPEN parameters,       \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    *value = name##read<T>(object, KIT_OPEN names, mode);                                      \
  }                                                                                   \
  template <class T>                                                                  \
  KIT_FETCHED void name##write(T value, cudaSurfaceObject_t object, KIT_OPEN parameters,       \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    kit_surface_element<T> element;                                                   \
    element.value = value;                                                            \
    KIT_SURFACE_IN(write, shape, element.word, object, KIT_OPEN names);                        \
  }
KIT_SURFACE(surf1D, 1d, "%[x]", (int x), (x), [x] "r"(x))
KIT_SURFACE(surf2D, 2d, "%[x], %[y]", (int x, int y), (x, y), [x] "r"(x), [y] "r"(y))
KIT_SURFACE(surf3D, 3d, "%[x], %[y], %[z], %[z]", (int x, int y, int z),
            (x, y, z), [x] "r"(x), [y] "r"(y), [z] "r"(z))
KIT_SURFACE(surf1DLayered, a1d, "%[layer], %[x]", (int x, int layer), (x, layer),
            [x] "r"(x), [layer] "r"(layer))
KIT_SURFACE(surf2DLayered, a2d, "%[layer], %[x], %[y], %[y]",
            (int x, int y, int layer), (x, y, layer), [x] "r"(x),
            [y] "r"(y), [layer] "r"(layer))
#undef KIT_SURFACE
#undef KIT_SURFACE_MODE
#undef KIT_SURFACE_WORD
/* A cubemap's faces are layers, and so are those of layered cubemaps. */
#define KIT_SURFACE_CUBE(name, parameters, layer)                                         \
  template <class T>                                                                      \
  KIT_FETCHED T name##read(cudaSurfaceObject_t object, int x, int y, KIT_OPEN parameters, \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    return surf2DLayeredread<T>(object, x, y, layer, mode);                               \
  }                                                                                       \
  template <class T>                                                                      \
  KIT_FETCHED void name##read(T *value, cudaSurfaceObject_t object, int x, int y,         \
                              KIT_OPEN parameters,                                        \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {      \
    *value = surf2DLayeredread<T>(object, x, y, layer, mode);                             \
  }                                                                                       \
  template <class T>                                                                      \
  KIT_FETCHED void name##write(T value, cudaSurfaceObject_t object, int x, int y,         \
                               KIT_OPEN parameters,                                       \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    surf2DLayeredwrite(value, object, x, y, layer, mode);                                 \
  }
KIT_SURFACE_CUBE(surfCubemap, (int face), face)
KIT_SURFACE_CUBE(surfCubemapLayered, (int layer), layer)
#undef KIT_SURFACE_CUBE
#undef KIT_OPEN
#undef KIT_FETCHED

#endif
