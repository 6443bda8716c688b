/* driver_link.c: CUDA's driver API: the linker. What it makes are the texts one after the other:
 * the device links them when they are loaded (registration_load). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/runtime/driver.h"
#include "harness/sim/runtime/fat_binary.h"

struct CUlinkState_st {
  char *text;
  size_t length;
  bool complete;
};

CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values,
                      CUlinkState *state) {
  NEED_CONTEXT;
  if (!state) return CUDA_ERROR_INVALID_VALUE;
  driver_empty_logs(count, options, values);
  *state = calloc(1, sizeof **state);
  return *state ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult add_text(CUlinkState state, const char *ptx, size_t length) {
  char *longer = realloc(state->text, state->length + length + 2);
  if (!longer) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(longer + state->length, ptx, length);
  state->text = longer;
  state->length += length;
  longer[state->length++] = '\n';
  longer[state->length] = 0;
  return CUDA_SUCCESS;
}

/* data: with a NUL behind it, or its last byte is one. */
static CUresult add(CUlinkState state, CUjitInputType type, const char *data, size_t bytes) {
  char *unpacked = NULL;
  if (type > CU_JIT_INPUT_NVVM) return CUDA_ERROR_INVALID_VALUE;
  if (type > CU_JIT_INPUT_FATBINARY)
    return driver_result(
        runtime_unsupported("cuLink with objects, libraries and NVVM", runtime_line()));
  if (fat_binary_ptx(data, bytes, &unpacked)) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  const char *ptx = unpacked ? unpacked : data;
  size_t length = unpacked ? strlen(unpacked) : strnlen(data, bytes);
  CUresult error = strstr(ptx, ".version")    ? add_text(state, ptx, length)
                   : type == CU_JIT_INPUT_PTX ? CUDA_ERROR_INVALID_PTX
                                              : CUDA_ERROR_INVALID_IMAGE;
  free(unpacked);
  return error;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes,
                       const char *name, unsigned int count, CUjit_option *options, void **values) {
  NEED_CONTEXT;
  (void)name;
  if (!state) return CUDA_ERROR_INVALID_HANDLE;
  if (!data || !bytes || state->complete) return CUDA_ERROR_INVALID_VALUE;
  driver_empty_logs(count, options, values);
  char *copy = malloc(bytes + 1);
  if (!copy) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(copy, data, bytes);
  copy[bytes] = 0;
  CUresult error = add(state, type, copy, bytes);
  free(copy);
  return error;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned int count,
                       CUjit_option *options, void **values) {
  size_t bytes;
  NEED_CONTEXT;
  if (!state) return CUDA_ERROR_INVALID_HANDLE;
  if (!file || state->complete) return CUDA_ERROR_INVALID_VALUE;
  char *data = driver_read_file(file, &bytes);
  if (!data) return CUDA_ERROR_FILE_NOT_FOUND;
  driver_empty_logs(count, options, values);
  CUresult error = add(state, type, data, bytes);
  free(data);
  return error;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes) {
  NEED_CONTEXT;
  if (!state) return CUDA_ERROR_INVALID_HANDLE;
  if (!image || !state->text) return CUDA_ERROR_INVALID_VALUE;
  state->complete = true;
  *image = state->text;
  if (bytes) *bytes = state->length + 1;
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) {
  NEED_CONTEXT;
  if (!state) return CUDA_ERROR_INVALID_HANDLE;
  free(state->text);
  free(state);
  return CUDA_SUCCESS;
}
