/* cuda_array.h: cudaArrays: linear memory of the device, row by row, plane by plane. */
#ifndef KIT_CUDA_ARRAY_H
#define KIT_CUDA_ARRAY_H

#include <stdbool.h>

#include <cuda_runtime_api.h>

/* What an array is; extent: as it was asked for, with zeros for dimensions that it lacks. */
struct array_info {
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent;
  unsigned flags;
  size_t element; /* bytes */
  struct cudaPitchedPtr box;
};

/* False: there is no such array. */
bool array_find(cudaArray_const_t array, struct array_info *info);
/* Bytes of an element; 0: no array can have it. channels: may be NULL. */
size_t array_element_bytes(const struct cudaChannelFormatDesc *desc, int *channels);

#endif
