/* nvml.h: what the driver knows of a GPU's state, through NVIDIA's management library. */
#ifndef KIT_NVML_H
#define KIT_NVML_H

#include <jansson.h>

/* backend_condition() of the device with this PCI bus id; JSON's null where the library
 * is missing. */
json_t *nvml_condition(const char *bus_id);

#endif
