/* host_arrays.c: see host_arrays.h.
 *
 * An array ends where a page begins that nobody may touch, and inputs cannot be written to: host
 * code that goes beyond its arrays crashes there, with its line, instead of damaging ours. */
#include "harness/runner/host_arrays.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/backend.h"
#include "harness/base/job.h"

struct host_array {
  char *pages, *data;
  size_t used, page, bytes;   /* used: of whole pages; one more is the guard */
  char beyond[96], input[96]; /* what host code did that touches the guard, or writes to an input */
};

static struct host_array array_new(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (bytes + page - 1) / page * page;
  struct host_array array = {.used = used, .page = page, .bytes = bytes};
  array.pages = mmap(NULL, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (array.pages == MAP_FAILED) kit_die("out of memory for arrays on the host");
  mprotect(array.pages + used, page, PROT_NONE);
  array.data = array.pages + used - bytes;
  return array;
}

/* On a GPU the addresses are used for nothing else from now on: what the call has left registered
 * stays so, and no later call, whose arrays are others, may fail for that. */
static void array_free(const struct host_array *array) {
  size_t all = array->used + array->page;
  int flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (!backend_is_real() || mmap(array->pages, all, PROT_NONE, flags, -1, 0) == MAP_FAILED)
    munmap(array->pages, all);
}

int host_call(const struct call *call) {
  const struct problem *problem = call->entry->problem;
  int count = problem_array_count(problem);
  struct host_array arrays[PROBLEM_MAX_ARRAYS];
  void *pointers[PROBLEM_MAX_ARRAYS] = {NULL};
  for (int i = 0; i < count; i++) {
    struct host_array *array = &arrays[i];
    *array = array_new(problem_bytes(problem, i, call->dims));
    pointers[i] = array->data;
    snprintf(array->beyond, sizeof array->beyond,
             "host code went past the end of %s, which has %zu bytes", problem->arrays[i].name,
             array->bytes);
    backend_explain_crash(array->pages + array->used, array->page, array->beyond);
    if (i < problem->input_count) {
      cudaMemcpy(array->data, call->arrays[i], array->bytes, cudaMemcpyDeviceToHost);
      mprotect(array->pages, array->used, PROT_READ);
      snprintf(array->input, sizeof array->input, "host code wrote to %s, which is an input",
               problem->arrays[i].name);
      backend_explain_crash(array->pages, array->used, array->input);
    } else {
      memset(array->data, 0xff, array->bytes); /* as outputs that nobody has written are */
    }
  }
  int returned = problem->call(call->entry->function, pointers, call->dims);
  backend_explain_crash(NULL, 0, NULL);
  for (int i = 0; i < count; i++) {
    if (i >= problem->input_count)
      cudaMemcpy(call->arrays[i], arrays[i].data, arrays[i].bytes, cudaMemcpyHostToDevice);
    array_free(&arrays[i]);
  }
  return returned;
}
