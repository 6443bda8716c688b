/* cudaTypedefs.h: types of pointers to the driver's functions, which programs look up by name:
 * PFN_cuInit_v2000 of cuInit as CUDA 2.0 has it, PFN_cuInit as the last version here has it. */
#ifndef KIT_CUDA_TYPEDEFS_H
#define KIT_CUDA_TYPEDEFS_H

#include "cuda.h"
#include "kit_driver_names.h"

#define X(name, version, suffix) \
  typedef __typeof__(name) *PFN_##name##_v##version; \
  typedef PFN_##name##_v##version PFN_##name;
#define V(name, version, suffix) typedef __typeof__(name##suffix) *PFN_##name##_v##version;
#define O(name, version, suffix)
KIT_DRIVER_FUNCTIONS(X, V, O)
#undef X
#undef V
#undef O
typedef CUresult (*PFN_cuGetProcAddress_v11030)(const char *, void **, int, unsigned long long);
typedef CUresult (*PFN_cuMemAdvise_v8000)(CUdeviceptr, size_t, CUmem_advise, CUdevice);
typedef CUresult (*PFN_cuMemPrefetchAsync_v8000)(CUdeviceptr, size_t, CUdevice, CUstream);
typedef CUresult (*PFN_cuGraphAddDependencies_v10000)(CUgraph, const CUgraphNode *,
                                                      const CUgraphNode *, size_t);
typedef CUresult (*PFN_cuGraphAddNode_v12020)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                              CUgraphNodeParams *);
typedef PFN_cuGraphAddNode_v12030 PFN_cuGraphAddNode;
typedef PFN_cuGraphAddDependencies_v12030 PFN_cuGraphAddDependencies;
typedef PFN_cuCtxCreate_v12050 PFN_cuCtxCreate;
typedef PFN_cuGetProcAddress_v12000 PFN_cuGetProcAddress;
typedef PFN_cuMemAdvise_v12020 PFN_cuMemAdvise;
typedef PFN_cuMemPrefetchAsync_v12020 PFN_cuMemPrefetchAsync;

#endif
