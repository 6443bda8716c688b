/* backend.c: backend.h for a real GPU, on NVIDIA's CUDA runtime. Launches and hazards are not seen
 * here: the simulator finds those. */
#include "backend.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

#include "nvml.h"

const char *backend_name(void) { return "gpu"; }

const char *backend_device(void) {
  static struct cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "a GPU that does not answer";
  return properties.name;
}

const char *backend_failed_function(void) { return NULL; }

void backend_name_array(const void *device_pointer, const char *name, size_t rows, size_t columns,
                        size_t element_size, enum backend_role role) {
  (void)device_pointer, (void)name, (void)rows, (void)columns, (void)element_size, (void)role;
}

void backend_listen(backend_listener *listener, void *context) { (void)listener, (void)context; }

void backend_record_accesses(bool on) { (void)on; }

bool backend_is_real(void) { return true; }

void backend_reset_l2(void) { (void)cudaCtxResetPersistingL2Cache(); }

json_t *backend_condition(void) {
  char bus_id[32];
  if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0) != cudaSuccess) return json_null();
  return nvml_condition(bus_id);
}
