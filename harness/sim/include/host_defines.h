/* host_defines.h: CUDA's qualifiers as clang attributes. */
#ifndef KIT_HOST_DEFINES_H
#define KIT_HOST_DEFINES_H
#define __HOST_DEFINES_H__ // Thrust takes back qualifiers that it does not know to be ours

#ifdef __CUDA__
#if defined(KIT_DEVICE_LAUNCHES) && defined(__CUDA_ARCH__) // kit_device_runtime.h: as functions
#define __global__ __attribute__((host, device, used, section("kit_kernel")))
#else
#define __global__ __attribute__((global))
#endif
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
/* The host's variable has pages of its own, which the device's variable shares. */
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, aligned(4096), section("kit_managed")))
#endif
#else
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __managed__
#endif

#if !defined(__has_feature)
#define __noinline__ __attribute__((noinline))
#elif !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __grid_constant__
#define __cluster_dims__(...) \
  __attribute__((unavailable("not simulated: clusters; launch without __cluster_dims__")))
#define __maxnreg__(...)
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI

/* Functions of our headers: inlined into the caller, and their instructions belong to its line. */
#define __kit_inline__ static __inline__ __attribute__((always_inline, nodebug, unused))
#define __kit_device__ static __device__ __inline__ __attribute__((always_inline, nodebug, unused))
#define __kit_both__ \
  static __host__ __device__ __inline__ __attribute__((always_inline, nodebug, unused))
#define __kit_member__ __host__ __device__ __attribute__((always_inline, nodebug))

#endif
