/* registers.h: how many registers the kernels of a file take on the GPU, as NVIDIA's assembler
 * gives them: harness/compile --registers, in the sandbox. The simulator, which has no such
 * assembler, estimates them. */
#ifndef KIT_REGISTERS_H
#define KIT_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/run/build.h"

struct kernel_registers {
  char *kernel;                                    /* as launches name it: without parameters */
  uint64_t registers, shared_bytes, spilled_bytes; /* shared: static */
};

struct register_list {
  char *compiler; /* "nvcc 13.0, sm_90"; NULL: there is none here, or it does not take the file */
  struct kernel_registers *items;
  int count;
};

/* Compiles the file for the GPU that the simulator goes by (KIT_SIM_GPU); nothing is listed where
 * there is no ptxas. folder: where it may make files of its own, the private one of a grading. */
void registers_list(const struct kit *kit, const struct lab *lab, const char *source,
                    bool own_folder, const char *folder, struct register_list *list);
/* Reads what harness/compile has written. False, and an empty list: that is something else. */
bool registers_read(const char *text, struct register_list *list);
void registers_free(struct register_list *list);
/* NULL: it is not listed, there is no list (NULL), or several kernels have this name. */
const struct kernel_registers *registers_of(const struct register_list *list, const char *kernel);

#endif
