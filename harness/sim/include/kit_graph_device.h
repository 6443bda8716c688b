/* kit_graph_device.h: what kernels in graphs may call. */
#ifndef KIT_GRAPH_DEVICE_H
#define KIT_GRAPH_DEVICE_H

#include "kit_atomic.h"
#include "kit_graph_api.h"

/* The handle is the address of the value (harness/sim/runtime/graph_condition.c). Of threads that
 * nothing orders one leaves its value. */
__kit_device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  atomicExch((unsigned int *)handle, value);
}

#endif
