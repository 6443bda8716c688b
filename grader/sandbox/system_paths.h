/* system_paths.h: the parts of the system that programs in a sandbox need: tools, libraries. */
#ifndef KIT_SYSTEM_PATHS_H
#define KIT_SYSTEM_PATHS_H

#include <stdbool.h>

struct system_paths {
  char *read[48];    /* files and folders that are there, to read and execute */
  char *devices[16]; /* device nodes, to read and write */
};

/* gpu: with the nodes of one GPU (the first of $CUDA_VISIBLE_DEVICES, else nvidia0) and its
 * driver's. tools: with the compilers, where those are outside the system's folders. Both lists end
 * with NULL. */
void system_paths_list(bool tools, bool gpu, struct system_paths *paths);
void system_paths_free(struct system_paths *paths);

#endif
