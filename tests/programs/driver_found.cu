// The driver's functions, found while the program runs: in libcuda.so.1, by cuGetProcAddress, and by
// the runtime. None is linked by its name. Ends with 0 if all results and codes are right.
#include <cstdio>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

static int failures;
#define EXPECT(what)                                                   \
  do {                                                                 \
    if (!(what)) failures++, printf("%d: not %s\n", __LINE__, #what); \
  } while (0)

static const char *const image =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry seven(.param .u64 p) {\n"
    "  .reg .u64 %rd<3>;\n  .reg .u32 %r<2>;\n"
    "  ld.param.u64 %rd1, [p];\n  cvta.to.global.u64 %rd2, %rd1;\n"
    "  mov.u32 %r1, 7;\n  st.global.u32 [%rd2], %r1;\n  ret;\n}\n";

template <class F> static F in(void *library, const char *name) { return (F)dlsym(library, name); }

// A kernel launched by functions of the library only.
static void launch(void *library) {
  auto init = in<PFN_cuInit>(library, "cuInit");
  auto retain = in<PFN_cuDevicePrimaryCtxRetain>(library, "cuDevicePrimaryCtxRetain");
  auto set = in<PFN_cuCtxSetCurrent>(library, "cuCtxSetCurrent");
  auto load = in<PFN_cuModuleLoadData>(library, "cuModuleLoadData");
  auto get = in<PFN_cuModuleGetFunction>(library, "cuModuleGetFunction");
  auto allocate = in<PFN_cuMemAlloc_v3020>(library, "cuMemAlloc_v2");
  auto run = in<PFN_cuLaunchKernel>(library, "cuLaunchKernel_ptsz");
  auto fetch = in<PFN_cuMemcpyDtoH>(library, "cuMemcpyDtoH_v2");
  CUcontext context;
  CUmodule module;
  CUfunction seven;
  CUdeviceptr address;
  int result = 0;
  void *parameters[] = {&address};
  EXPECT(!init(0) && !retain(&context, 0) && !set(context));
  EXPECT(!load(&module, image) && !get(&seven, module, "seven") && !allocate(&address, 4));
  EXPECT(!run(seven, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  EXPECT(!fetch(&result, address, sizeof result) && result == 7);
}

static void by_address(void *library) {
  auto find = in<PFN_cuGetProcAddress_v12000>(library, "cuGetProcAddress_v2");
  CUdriverProcAddressQueryResult status;
  void *old, *now, *none = &old;
  EXPECT(!find("cuCtxCreate", &old, 11030, 0, &status) && status == CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT(!find("cuCtxCreate", &now, 13000, 0, NULL) && now != old);
  EXPECT(old == dlsym(library, "cuCtxCreate_v2") && now == dlsym(library, "cuCtxCreate_v4"));
  EXPECT(find("cuMemCreate", &none, 9000, 0, &status) == CUDA_ERROR_NOT_FOUND && !none);
  EXPECT(status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT(find("cuNothing", &none, 12000, 0, &status) == CUDA_ERROR_NOT_FOUND && !none);
  EXPECT(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT(find("cuInit", &none, 99000, 0, NULL) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(find("cuInit", &none, 12000, 8, NULL) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(find(NULL, &none, 12000, 0, NULL) == CUDA_ERROR_INVALID_VALUE);
  CUcontext context;
  EXPECT(((PFN_cuCtxCreate_v12050)now)(&context, NULL, 0, 0) == CUDA_SUCCESS);
}

static void by_runtime() {
  cudaDriverEntryPointQueryResult status;
  void *found = NULL;
  int version = 0;
  EXPECT(!cudaGetDriverEntryPoint("cuDriverGetVersion", &found, cudaEnableDefault, &status));
  EXPECT(status == cudaDriverEntryPointSuccess && found);
  EXPECT(!((PFN_cuDriverGetVersion)found)(&version) && version >= CUDART_VERSION);
  EXPECT(!cudaGetDriverEntryPointByVersion("cuMemFree", &found, 13000, cudaEnableDefault));
  EXPECT(found != NULL);
  EXPECT(!cudaGetDriverEntryPointByVersion("cuNo", &found, 12000, cudaEnableDefault, &status));
  EXPECT(!found && status == cudaDriverEntryPointSymbolNotFound);
  EXPECT(cudaGetDriverEntryPoint("cuInit", &found, 9) == cudaErrorInvalidValue);
  EXPECT(cudaGetDriverEntryPointByVersion("cuInit", &found, 99000, 0) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

int main(int argc, char **) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *other = dlopen("libm.so.6", RTLD_NOW);
  EXPECT(library && library == dlopen("/usr/lib/x86_64-linux-gnu/libcuda.so", RTLD_LAZY));
  EXPECT(!dlsym(library, "cuNothing") && dlerror() && other && dlsym(other, "cos"));
  EXPECT(!dlsym(other, "cuInit") && !dlopen("libcuda_other.so", RTLD_NOW));
  launch(library);
  by_address(library);
  by_runtime();
  EXPECT(!dlclose(library) && !dlclose(other));
  // What is not simulated is there, and says so.
  if (argc > 1)
    printf("%d\n", in<CUresult (*)(void *, int)>(library, "cuTensorMapEncodeTiled")(NULL, 0));
  return failures;
}
