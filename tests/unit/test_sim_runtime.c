/* test_sim_runtime.c: the runtime API where no kernel is needed: attributes and properties, errors,
 * memory that is mapped. What its calls return is in tests/programs/api. */
#include "harness/sim/base/error.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/runtime.h"
#include "tests/unit/sim_device.h"
#include <cuda_runtime_api.h>

/* ---- the device ---- */

/* As cudaDeviceGetAttribute returned them on an H100 80GB HBM3 (CUDA 13.0). */
static const int h100[][2] = {
    {1, 1024},        {2, 1024},     {3, 1024},    {4, 64},       {5, 2147483647},  {6, 65535},
    {7, 65535},       {8, 49152},    {9, 65536},   {10, 32},      {11, 2147483647}, {12, 65536},
    {13, 1980000},    {14, 512},     {15, 1},      {16, 132},     {17, 0},          {18, 0},
    {19, 1},          {20, 0},       {21, 131072}, {22, 131072},  {23, 65536},      {24, 16384},
    {25, 16384},      {26, 16384},   {27, 32768},  {28, 32768},   {29, 2048},       {30, 512},
    {31, 1},          {32, 1},       {35, 0},      {36, 2619000}, {37, 5120},       {38, 52428800},
    {39, 2048},       {40, 3},       {41, 1},      {42, 32768},   {43, 2048},       {45, 32768},
    {46, 32768},      {47, 8192},    {48, 8192},   {49, 32768},   {51, 32},         {52, 32768},
    {53, 32768},      {54, 2046},    {55, 32768},  {56, 131072},  {57, 65536},      {58, 16384},
    {59, 16384},      {60, 16384},   {61, 32768},  {62, 2048},    {63, 32768},      {64, 32768},
    {65, 2048},       {66, 32768},   {67, 32768},  {68, 2046},    {69, 268435456},  {70, 131072},
    {71, 65000},      {72, 2097120}, {73, 32768},  {74, 32768},   {75, 9},          {76, 0},
    {77, 32768},      {78, 1},       {79, 1},      {80, 1},       {81, 233472},     {82, 65536},
    {83, 1},          {84, 0},       {85, 0},      {86, 0},       {87, 2},          {88, 0},
    {89, 1},          {90, 1},       {91, 1},      {95, 1},       {96, 1},          {97, 232448},
    {98, 0},          {99, 1},       {100, 0},     {101, 0},      {106, 32},        {108, 32768000},
    {109, 134217728}, {111, 1024},   {115, 1},     {130, 0},      {131, -1},        {133, 0},
    {134, 0},         {135, 0},
};

static void attributes(void **state) {
  (void)state;
  for (int i = 0; i < LENGTH(h100); i++) {
    int value = -7;
    assert_int_equal(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)h100[i][0], 0), 0);
    if (value != h100[i][1])
      fail_msg("attribute %d: %d, an H100 has %d", h100[i][0], value, h100[i][1]);
  }
  static const enum cudaDeviceAttr lacking[] = {
      cudaDevAttrClusterLaunch, cudaDevAttrSparseCudaArraySupported, cudaDevAttrIpcEventSupport};
  for (int i = 0, value; i < LENGTH(lacking); i++) {
    assert_int_equal(cudaDeviceGetAttribute(&value, lacking[i], 0), 0);
    assert_int_equal(value, 0);
  }
}

static void properties(void **state) {
  (void)state;
  struct cudaDeviceProp p;
  size_t free_bytes, total;
  memset(&p, 0xff, sizeof p);
  assert_int_equal(cudaGetDeviceProperties(&p, 0), 0);
  assert_int_equal(cudaMemGetInfo(&free_bytes, &total), 0);
  assert_string_equal(p.name, "NVIDIA H100 80GB HBM3");
  assert_int_equal(p.totalGlobalMem, total);
  assert_int_equal(p.maxTexture2D[1], 65536);
  assert_int_equal(p.maxSurfaceCubemapLayered[1], 2046);
  assert_int_equal(p.unifiedFunctionPointers, 1);
  for (int i = 0; i < LENGTH(p.reserved); i++) assert_int_equal(p.reserved[i], 0);
}

/* ---- errors ---- */

static void errors(void **state) {
  (void)state;
  static const struct {
    int code;
    const char *name;
  } some[] = {{0, "cudaSuccess"},
              {36, "cudaErrorCallRequiresNewerDriver"},
              {217, "cudaErrorPeerAccessUnsupported"},
              {705, "cudaErrorPeerAccessNotEnabled"},
              {915, "cudaErrorInvalidResourceConfiguration"},
              {999, "cudaErrorUnknown"}};
  for (int i = 0; i < LENGTH(some); i++)
    assert_string_equal(cudaGetErrorName((cudaError_t)some[i].code), some[i].name);
  int known = 0;
  for (int code = 0; code < 1000; code++) {
    if (strncmp(error_name(code), "cuda", 4) != 0) continue;
    known++;
    assert_true(strlen(error_text(code)) >= 8);
    for (int other = 0; other < code; other++)
      assert_string_not_equal(error_name(code), error_name(other));
  }
  assert_int_equal(known, 133);
}

/* ---- mapped memory ---- */

/* Registered memory keeps its address, its contents and its neighbours, mapped or no more, and
 * after a reset of the device. */
static void registered(void **state) {
  (void)state;
  enum { BYTES = 3 * 4096, FIRST = 1000, LENGTH_ = 6000 };
  unsigned char *block = aligned_alloc(4096, BYTES);
  void *device;
  assert_non_null(block);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < BYTES; i++) block[i] = (unsigned char)(i * 7 + round);
    assert_int_equal(cudaHostRegister(block + FIRST, LENGTH_, cudaHostRegisterMapped), 0);
    assert_int_equal(cudaHostGetDevicePointer(&device, block + FIRST + 5, 0), 0);
    assert_true(address_is_managed((uint64_t)(uintptr_t)device));
    for (int i = 0; i < BYTES; i++) assert_int_equal(block[i], (unsigned char)(i * 7 + round));
    assert_int_equal(cudaMemset(device, 9, 100), 0); /* on the device */
    assert_int_equal(block[FIRST + 4], (unsigned char)((FIRST + 4) * 7 + round));
    assert_int_equal(block[FIRST + 5], 9);
    assert_int_equal(block[FIRST + 104], 9);
    assert_int_equal(block[FIRST + 105], (unsigned char)((FIRST + 105) * 7 + round));
    block[FIRST + 5] = 77; /* on the host */
    unsigned char seen;
    assert_int_equal(cudaMemcpy(&seen, device, 1, cudaMemcpyDeviceToHost), 0);
    assert_int_equal(seen, 77);
    if (round == 1) {
      assert_int_equal(cudaDeviceReset(), 0);
      assert_int_equal(cudaMemset(device, 9, 1), cudaErrorInvalidValue);
      assert_int_equal(block[FIRST + 5], 77);
      assert_int_equal(cudaHostGetDevicePointer(&device, block + FIRST + 5, 0), 0); /* again */
    }
    assert_int_equal(cudaHostUnregister(block + FIRST), 0);
    assert_int_equal(cudaHostGetDevicePointer(&device, block + FIRST, 0), cudaErrorInvalidValue);
    assert_int_equal(block[FIRST + 5], 77);
    assert_int_equal(block[BYTES - 1], (unsigned char)((BYTES - 1) * 7 + round));
  }
  free(block);
}

/* In a job the device is replaced by a fresh one: memory is mapped for it again, with its contents.
 */
static void renewed(void **state) {
  (void)state;
  char *pinned, seen;
  void *device, *again;
  uint64_t first, end;
  assert_int_equal(cudaMallocHost((void **)&pinned, 100), 0);
  pinned[7] = 7;
  assert_int_equal(cudaHostGetDevicePointer(&device, pinned, 0), 0);
  runtime_renewed();
  assert_false(managed_bounds((uint64_t)(uintptr_t)device, &first, &end));
  assert_int_equal(pinned[7], 7);
  assert_int_equal(cudaHostGetDevicePointer(&again, pinned, 0), 0);
  assert_ptr_not_equal(again, device);
  assert_int_equal(cudaMemcpy(&seen, (char *)again + 7, 1, cudaMemcpyDeviceToHost), 0);
  assert_int_equal(seen, 7);
  assert_int_equal(cudaFreeHost(pinned), 0);
}

/* Arguments that hold such addresses become the device's; nothing else changes. */
static void arguments(void **state) {
  (void)state;
  char *pinned;
  uint64_t argument[4], kept[4];
  assert_int_equal(cudaMallocHost((void **)&pinned, 100), 0);
  uint64_t host = (uint64_t)(uintptr_t)pinned;
  argument[0] = host + 99, argument[1] = host + 100, argument[2] = 3, argument[3] = host;
  memcpy(kept, argument, sizeof kept);
  mapped_translate_argument(argument, sizeof argument - 1); /* not the last one */
  assert_true(address_is_managed(argument[0]));
  assert_memory_equal(argument + 1, kept + 1, sizeof kept - sizeof *kept);
  void *device;
  assert_int_equal(cudaHostGetDevicePointer(&device, pinned, 0), 0);
  assert_int_equal(argument[0], (uint64_t)(uintptr_t)device + 99);
  assert_int_equal(cudaFreeHost(pinned), 0);
  uint64_t first, end;
  assert_false(managed_bounds((uint64_t)(uintptr_t)device, &first, &end));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attributes), cmocka_unit_test(properties), cmocka_unit_test(errors),
      cmocka_unit_test(registered), cmocka_unit_test(renewed),    cmocka_unit_test(arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
