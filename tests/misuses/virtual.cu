// virtual.cu: virtual memory management: ranges of addresses, memory, mappings, access.
#include "driver.h"

// Four units of addresses, memory of two, and who may use it.
static size_t unit;
static CUdeviceptr range;
static CUmemGenericAllocationHandle memory;
static CUmemAllocationProp properties;
static CUmemAccessDesc may;
static void start() {
  NEED(cudaFree(0));
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  may.location = properties.location;
  may.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  NEED(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  NEED(cuMemAddressReserve(&range, 4 * unit, 0, 0, 0));
  NEED(cuMemCreate(&memory, 2 * unit, &properties, 0));
}
static void start_mapped() {
  start();
  NEED(cuMemMap(range, 2 * unit, 0, memory, 0));
}

MISUSE(virtual_sizes) {
  CUdeviceptr other;
  CUmemGenericAllocationHandle more;
  start();
  TRY(cuMemAddressReserve(&other, 1000, 0, 0, 0));
  TRY(cuMemAddressReserve(&other, 0, 0, 0, 0));
  TRY(cuMemCreate(&more, 1000, &properties, 0));
  TRY(cuMemCreate(&more, 0, &properties, 0));
}
MISUSE(virtual_memory_of_no_type) {
  CUmemGenericAllocationHandle more;
  start();
  properties.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  TRY(cuMemCreate(&more, unit, &properties, 0));
}
MISUSE(virtual_map_where_nothing_is_reserved) {
  start();
  TRY(cuMemMap(0x200000, 2 * unit, 0, memory, 0));
}
MISUSE(virtual_map_beyond_the_range) {
  start();
  TRY(cuMemMap(range + 3 * unit, 2 * unit, 0, memory, 0));
}
MISUSE(virtual_map_twice_at_a_place) {
  start_mapped();
  TRY(cuMemMap(range, 2 * unit, 0, memory, 0));
}
MISUSE(virtual_map_no_memory) {
  start();
  NEED(cuMemRelease(memory));
  TRY(cuMemMap(range, 2 * unit, 0, memory, 0));
}
MISUSE(virtual_fill_without_access) {
  start_mapped();
  TRY(cuMemsetD8(range, 1, 16));
  TRY(cuMemSetAccess(range, 2 * unit, &may, 1));
  TRY(cuMemsetD8(range, 1, 16));
  TRY(cuMemsetD8(range + 2 * unit, 1, 16));
}
MISUSE(virtual_access_to_unmapped) {
  start_mapped();
  TRY(cuMemSetAccess(range, 4 * unit, &may, 1));
}
MISUSE(virtual_unmap_in_part) {
  start_mapped();
  TRY(cuMemUnmap(range, unit));
}
MISUSE(virtual_unmap_nothing) {
  start_mapped();
  TRY(cuMemUnmap(range + 2 * unit, unit));
  TRY(cuMemUnmap(range, 2 * unit));
  TRY(cuMemUnmap(range, 2 * unit));
}
MISUSE(virtual_free_what_is_mapped) {
  start_mapped();
  TRY(cuMemAddressFree(range, 4 * unit));
}
MISUSE(virtual_free_in_part_and_twice) {
  start();
  TRY(cuMemAddressFree(range, unit));
  TRY(cuMemAddressFree(range, 4 * unit));
  TRY(cuMemAddressFree(range, 4 * unit));
}
MISUSE(virtual_release_twice) {
  start();
  TRY(cuMemRelease(memory));
  TRY(cuMemRelease(memory));
}
MISUSE(virtual_range_of_nothing) {
  CUdeviceptr base;
  size_t bytes;
  start();
  TRY(cuMemGetAddressRange(&base, &bytes, 0x1234));
}
