// The device's memory is allocated and freed in the order of the default stream.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_DEVICE_NEW
#define OWN_DEVICE_DELETE
#include "rest.h"

static Device device_new(int n) {
  Device device;
  CHECK(cudaMallocAsync(&device.a, n * sizeof(float), 0));
  CHECK(cudaMallocAsync(&device.b, n * sizeof(float), 0));
  CHECK(cudaMallocAsync(&device.out, n * sizeof(float), 0));
  CHECK(cudaEventCreate(&device.start));
  CHECK(cudaEventCreate(&device.stop));
  return device;
}

static void device_delete(const Device &device) {
  CHECK(cudaFreeAsync(device.a, 0));
  CHECK(cudaFreeAsync(device.b, 0));
  CHECK(cudaFreeAsync(device.out, 0));
  CHECK(cudaEventDestroy(device.start));
  CHECK(cudaEventDestroy(device.stop));
}
