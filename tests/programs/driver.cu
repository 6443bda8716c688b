// CUDA's driver API: a module is loaded from the file that the first argument names (kcc -ptx or
// -fatbin of driver_kernel.cu), and its kernel launched both ways, beside the runtime API. Ends
// with 0 if all results and codes are right.
#include <cstdio>
#include <cstring>
#include <cuda.h>

static int failures;

#define CHECK(call) EXPECT(call, CUDA_SUCCESS)
#define EXPECT(call, code)                                                                 \
  do {                                                                                     \
    CUresult returned = call;                                                              \
    if (returned != code) failures++, printf("%d: %s is %d\n", __LINE__, #call, returned); \
  } while (0)

enum { N = 100 };

static void expect(int line, CUdeviceptr from, int wanted) {
  int got[N];
  CHECK(cuMemcpyDtoH(got, from, sizeof got));
  if (got[N - 1] != wanted) failures++, printf("%d: %d, not %d\n", line, got[N - 1], wanted);
}

int main(int, char **argv) {
  CUdevice device;
  CUcontext context, current;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr array, factor;
  CUstream stream;
  size_t bytes;
  int value, count;
  char name[100];
  const char *text;
  EXPECT(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
  CHECK(cuInit(0));
  CHECK(cuDeviceGetCount(&count));
  EXPECT(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  if (value != 32) failures++, printf("warps of %d\n", value);
  EXPECT(cuMemAlloc(&array, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuCtxGetCurrent(&current));
  if (current != context) failures++, printf("another context\n");
  EXPECT(cuModuleLoad(&module, "no such file"), CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT(cuModuleLoadData(&module, "no PTX"), CUDA_ERROR_INVALID_IMAGE);
  CHECK(cuModuleLoad(&module, argv[1]));
  EXPECT(cuModuleGetFunction(&kernel, module, "none"), CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleGetFunction(&kernel, module, "scale"));
  CHECK(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
  if (bytes != sizeof value) failures++, printf("%zu bytes\n", bytes);
  value = 3;
  CHECK(cuMemcpyHtoD(factor, &value, sizeof value));
  EXPECT(cuMemAlloc(&array, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAlloc(&array, N * sizeof(int)));
  CHECK(cuMemsetD32(array, 1000, N));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuCtxSynchronize());
  count = N;
  void *parameters[] = {&array, &count};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr));
  CHECK(cuStreamSynchronize(stream));
  expect(__LINE__, array, 3000);
  struct {
    CUdeviceptr array;
    int count;
  } packed = {array, N};
  bytes = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  expect(__LINE__, array, 9000);
  EXPECT(cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, stream, parameters, extra),
         CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(kernel, 1, 1, 1, 4096, 1, 1, 0, stream, parameters, nullptr),
         CUDA_ERROR_INVALID_VALUE);
  CHECK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel));
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, kernel, 128, 0));
  if (value < 1) failures++, printf("%d blocks\n", value);
  int *more; /* the runtime API is on the same context */
  if (cudaMalloc(&more, N * sizeof *more)) failures++, printf("cudaMalloc\n");
  if (cudaMemcpy(more, (void *)array, N * sizeof *more, cudaMemcpyDeviceToDevice))
    failures++, printf("cudaMemcpy\n");
  expect(__LINE__, (CUdeviceptr)more, 9000);
  CHECK(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &text));
  if (strcmp(text, "CUDA_ERROR_NOT_FOUND") != 0) failures++, printf("%s\n", text);
  EXPECT(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
  cudaFree(more);
  CHECK(cuMemFree(array));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
  EXPECT(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  return failures != 0;
}
