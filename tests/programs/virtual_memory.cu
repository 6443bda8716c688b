// The driver API's virtual memory management: addresses reserved, memory mapped there, moved with
// what it holds, and given back; and, by the first argument, what a kernel may not do with it.
#include <cstdio>
#include <cstdlib>
#include <cuda.h>

static int failures;

#define CHECK(call) EXPECT(call, CUDA_SUCCESS)
#define EXPECT(call, code)                                                                 \
  do {                                                                                     \
    CUresult returned = call;                                                              \
    if (returned != code) failures++, printf("%d: %s is %d\n", __LINE__, #call, returned); \
  } while (0)

__global__ void add(int *array, size_t at, int n) {
  size_t i = at + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < at + n) array[i] += 1;
}
__global__ void read(const int *array, size_t at, int *out) {
  *out = array[at];
}

int main(int, char **argv) {
  const int mistake = argv[1] ? atoi(argv[1]) : 0;
  CUmemAllocationProp properties = {}, got = {};
  CUmemAccessDesc access = {};
  CUmemGenericAllocationHandle first, second, again;
  CUdeviceptr a, b, start;
  size_t unit, bytes, free_before, free_now;
  int value = 0, *out;
  EXPECT(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0),
         CUDA_ERROR_NOT_INITIALIZED);
  cudaMalloc(&out, sizeof *out);  // does what cuInit does
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  if (!value) failures++, puts("no attribute");
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemGetInfo(&free_before, &bytes));
  CHECK(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  const size_t words = unit / sizeof(int);
  EXPECT(cuMemAddressReserve(&a, unit + 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&a, 4 * unit, 0, 0, 0));
  CHECK(cuMemAddressReserve(&b, 4 * unit, 0, a + 4 * unit, 0));
  EXPECT(cuMemCreate(&first, 100, &properties, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemCreate(&first, unit, &properties, 0));
  CHECK(cuMemCreate(&second, unit, &properties, 0));
  CHECK(cuMemGetInfo(&free_now, &bytes));
  if (free_before - free_now != 2 * unit) failures++, printf("%zu bytes\n", free_before - free_now);
  CHECK(cuMemGetAllocationPropertiesFromHandle(&got, second));
  if (got.allocFlags.compressionType != CU_MEM_ALLOCATION_COMP_GENERIC) failures++, puts("flags");
  CHECK(cuMemMap(a, unit, 0, first, 0));
  EXPECT(cuMemMap(a, unit, 0, second, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(a + unit, unit, 0, second, 0));
  EXPECT(cuMemsetD32(a, 1, words), CUDA_ERROR_INVALID_VALUE);  // no access yet
  unsigned long long flags = 9;
  CHECK(cuMemGetAccess(&flags, &access.location, a + 5));
  if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE) failures++, puts("access");
  EXPECT(cuMemGetAccess(&flags, &access.location, b), CUDA_ERROR_INVALID_VALUE);  // not mapped
  EXPECT(cuMemGetAccess(NULL, &access.location, a), CUDA_ERROR_INVALID_VALUE);
  if (mistake == 1) read<<<1, 1>>>((int *)a, 7, out), exit(cudaDeviceSynchronize());
  CHECK(cuMemSetAccess(a, 2 * unit, &access, 1));
  CHECK(cuMemsetD32(a, 40, 2 * words));
  add<<<1, 64>>>((int *)a, words - 32, 64);  // in both
  CHECK(cuMemGetAddressRange(&start, &bytes, a + unit + 5));
  if (start != a) failures++, puts("another start");
  EXPECT(cuMemUnmap(a + unit / 2, unit), CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemAddressFree(a, 4 * unit), CUDA_ERROR_INVALID_VALUE);  // mapped
  CHECK(cuMemUnmap(a, unit));
  if (mistake == 2) read<<<1, 1>>>((int *)a, 7, out), exit(cudaDeviceSynchronize());
  if (mistake == 3) read<<<1, 1>>>((int *)a, 2 * words + 3, out), exit(cudaDeviceSynchronize());
  CHECK(cuMemMap(b + 2 * unit, unit, 0, first, 0));  // with what it holds
  CHECK(cuMemSetAccess(b + 2 * unit, unit, &access, 1));
  CHECK(cuMemcpyDtoH(&value, b + 3 * unit - 4, 4));
  if (value != 41) failures++, printf("%d, not 41\n", value);
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  CHECK(cuMemSetAccess(b + 2 * unit, unit, &access, 1));
  CHECK(cuMemGetAccess(&flags, &access.location, b + 2 * unit));
  if (flags != CU_MEM_ACCESS_FLAGS_PROT_READ) failures++, puts("other access");
  read<<<1, 1>>>((int *)b, 2 * words, out);
  if (mistake == 4) add<<<1, 1>>>((int *)b, 2 * words, 1), exit(cudaDeviceSynchronize());
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  if (value != 40) failures++, printf("%d, not 40\n", value);
  CHECK(cuMemRetainAllocationHandle(&again, (void *)(a + unit)));
  if (again != second) failures++, puts("another handle");
  CHECK(cuMemRelease(again));
  CHECK(cuMemRelease(first));
  CHECK(cuMemRelease(second));
  EXPECT(cuMemRelease(second), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(a + unit, unit));
  CHECK(cuMemUnmap(b + 2 * unit, unit));
  CHECK(cuMemUnmap(b + 2 * unit, unit));  // again: an H100 has nothing against it
  CHECK(cuMemAddressFree(a, 4 * unit));
  CHECK(cuMemAddressFree(b, 4 * unit));
  CHECK(cuMemGetInfo(&free_now, &bytes));
  if (free_before != free_now) failures++, puts("not all is free again");
  if (mistake == 5) read<<<1, 1>>>((int *)a, 7, out), exit(cudaDeviceSynchronize());
  return failures != 0;
}
