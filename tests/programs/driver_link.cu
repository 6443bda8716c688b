// PTX that is linked and loaded while the program runs: by the driver's linker, as libraries of the
// driver and of the runtime. Ends with 0 if all results and codes are right.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static int failures;
#define CHECK(call) EXPECT(call, 0)
#define EXPECT(call, code)                                                                   \
  do {                                                                                       \
    int returned = (int)(call);                                                              \
    if (returned != (code)) failures++, printf("%d: %s is %d\n", __LINE__, #call, returned); \
  } while (0)

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
// A kernel that stores what a function of another text returns, and that text.
static const char caller[] = "// first\n" HEAD
    ".extern .func (.param .b32 result) number ();\n"
    ".visible .entry store(.param .u64 p) {\n"
    "  .reg .u64 %rd<3>;\n  .reg .u32 %r<2>;\n"
    "  ld.param.u64 %rd1, [p];\n  cvta.to.global.u64 %rd2, %rd1;\n"
    "  { .param .b32 result0;\n    call (result0), number, ();\n"
    "    ld.param.b32 %r1, [result0]; }\n"
    "  st.global.u32 [%rd2], %r1;\n  ret;\n}\n";
static const char called[] = HEAD
    ".visible .global .align 4 .u32 answer = 42;\n"
    ".visible .func (.param .b32 result) number () {\n"
    "  .reg .u32 %r<2>;\n  ld.global.u32 %r1, [answer];\n"
    "  st.param.b32 [result], %r1;\n  ret;\n}\n";
// A whole text, for the libraries.
static const char whole[] = HEAD
    ".visible .global .align 4 .u32 added = 5;\n"
    ".visible .entry add(.param .u64 p) {\n"
    "  .reg .u64 %rd<3>;\n  .reg .u32 %r<4>;\n"
    "  ld.param.u64 %rd1, [p];\n  cvta.to.global.u64 %rd2, %rd1;\n"
    "  ld.global.u32 %r1, [%rd2];\n  ld.global.u32 %r2, [added];\n  add.u32 %r3, %r1, %r2;\n"
    "  st.global.u32 [%rd2], %r3;\n  ret;\n}\n";

__global__ void twice(int *p) { *p *= 2; }

static CUdeviceptr word;
static void expect(int line, int wanted) {
  int got;
  CHECK(cuMemcpyDtoH(&got, word, sizeof got));
  if (got != wanted) failures++, printf("%d: %d, not %d\n", line, got, wanted);
}

static void linked(const char *file) {
  CUlinkState state;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr answer;
  void *image;
  size_t bytes;
  char log[100] = "nothing";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER};
  void *values[] = {log}, *arguments[] = {&word};
  EXPECT(cuLinkCreate(0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuLinkCreate(1, options, values, &state));
  EXPECT(cuLinkComplete(state, &image, &bytes), CUDA_ERROR_INVALID_VALUE); // of nothing
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)caller, sizeof caller, "caller", 0, 0, 0));
  EXPECT(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)"no", 3, "no", 0, 0, 0),
         CUDA_ERROR_INVALID_PTX);
  EXPECT(cuLinkAddData(NULL, CU_JIT_INPUT_PTX, (void *)"no", 3, "no", 0, 0, 0),
         CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/no/such/file", 0, 0, 0),
         CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, file, 0, 0, 0)); // no part of it is needed
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)called, sizeof called, "called", 0, 0, 0));
  CHECK(cuLinkComplete(state, &image, &bytes));
  EXPECT(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)called, sizeof called, "more", 0, 0, 0),
         CUDA_ERROR_INVALID_VALUE);
  if (*log || bytes < sizeof caller + sizeof called) failures++, printf("an image of %zu\n", bytes);
  CHECK(cuModuleLoadData(&module, image));
  CHECK(cuLinkDestroy(state));
  CHECK(cuModuleGetFunction(&kernel, module, "store"));
  CHECK(cuModuleGetGlobal(&answer, &bytes, module, "answer"));
  EXPECT(cuModuleGetFunction(&kernel, module, "none"), CUDA_ERROR_NOT_FOUND);
  EXPECT(cuModuleGetGlobal(&answer, &bytes, module, "none"), CUDA_ERROR_NOT_FOUND);
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  expect(__LINE__, 42);
  CHECK(cuMemsetD32(answer, 43, 1));
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  expect(__LINE__, 43);
  CHECK(cuModuleUnload(module));
  EXPECT(cuModuleUnload(NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void driver_library() {
  CUlibrary library, of;
  CUmodule module, module_of;
  CUkernel kernel;
  CUfunction function;
  CUdeviceptr added;
  size_t bytes;
  int threads;
  const char *name;
  void *arguments[] = {&word};
  EXPECT(cuLibraryLoadData(NULL, whole, 0, 0, 0, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLibraryLoadFromFile(&library, "/no/such", 0, 0, 0, 0, 0, 0), CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(cuLibraryLoadData(&library, whole, 0, 0, 0, 0, 0, 0));
  EXPECT(cuLibraryGetKernel(&kernel, library, "none"), CUDA_ERROR_NOT_FOUND);
  CHECK(cuLibraryGetKernel(&kernel, library, "add"));
  CHECK(cuLibraryGetModule(&module, library));
  CHECK(cuKernelGetFunction(&function, kernel));
  CHECK(cuKernelGetName(&name, kernel));
  CHECK(cuKernelGetLibrary(&of, kernel));
  CHECK(cuFuncGetModule(&module_of, function));
  CHECK(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  EXPECT(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 7),
         CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuLibraryGetGlobal(&added, &bytes, library, "added"));
  if (strcmp(name, "add") || of != library || module != module_of || threads != 1024 || bytes != 4)
    failures++, printf("another kernel\n");
  CHECK(cuMemsetD32(word, 10, 1));
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  CHECK(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  expect(__LINE__, 20);
  CHECK(cuLibraryUnload(library));
  EXPECT(cuLibraryUnload(NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void runtime_library() {
  cudaLibrary_t library;
  cudaKernel_t kernel, own;
  cudaFunction_t function;
  void *added, *arguments[] = {&word};
  size_t bytes;
  const int seven = 7;
  EXPECT(cudaLibraryLoadData(&library, NULL, 0, 0, 0, 0, 0, 0), cudaErrorInvalidValue);
  CHECK(cudaLibraryLoadData(&library, whole, 0, 0, 0, 0, 0, 0));
  EXPECT(cudaLibraryGetKernel(&kernel, library, "none"), cudaErrorSymbolNotFound);
  EXPECT(cudaLibraryGetGlobal(&added, &bytes, library, "none"), cudaErrorSymbolNotFound);
  CHECK(cudaLibraryGetKernel(&kernel, library, "add"));
  CHECK(cudaLibraryGetGlobal(&added, &bytes, library, "added"));
  CHECK(cudaMemcpy(added, &seven, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaLaunchKernel((void *)kernel, dim3(1), dim3(1), arguments, 0, 0));
  expect(__LINE__, 27);
  CHECK(cudaGetKernel(&own, (const void *)twice));
  CHECK(cudaGetFuncBySymbol(&function, (const void *)twice));
  EXPECT(cudaGetKernel(&own, &seven), cudaErrorInvalidDeviceFunction);
  CHECK(cudaLaunchKernel((void *)own, dim3(1), dim3(1), arguments, 0, 0));
  CHECK(cuLaunchKernel((CUfunction)function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  expect(__LINE__, 108);
  CHECK(cudaLibraryUnload(library));
  cudaGetLastError();
}

int main(int, char **argv) {
  CUlibrary library;
  CUcontext context;
  EXPECT(cuLibraryLoadData(&library, whole, 0, 0, 0, 0, 0, 0), CUDA_ERROR_NOT_INITIALIZED);
  CHECK(cuInit(0));
  CHECK(cuLibraryLoadData(&library, whole, 0, 0, 0, 0, 0, 0)); // no context yet
  EXPECT(cuMemAlloc(&word, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cudaSetDevice(0)); // makes the primary context current
  CHECK(cuCtxGetCurrent(&context));
  if (!context) failures++, printf("no context\n");
  CHECK(cuLibraryUnload(library));
  CHECK(cuMemAlloc(&word, 4));
  linked(argv[1]);
  driver_library();
  runtime_library();
  CHECK(cuMemFree(word));
  return failures != 0;
}
