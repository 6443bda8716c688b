/* box.h: one program in the sandbox (sandbox.h), for process.c: what is set up before it starts,
 * what the child does to become it, and what is asked and cleared away when it has ended. */
#ifndef KIT_BOX_H
#define KIT_BOX_H

#include <stdbool.h>

#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"

struct box;

/* Before the fork. Ends the grader if that fails. */
struct box *box_open(const struct process *process);
/* In the child, with its descriptors in place: executes the program. Returns only on failure, errno
 * set. */
void box_become(const struct box *box, const struct process *process);
/* The pid's own status as of wait(): what became of the program itself, and its product. Ends
 * whatever it has left, and frees the box. */
void box_close(struct box *box, int status, struct process_end *end);

/* --- sandbox_state.c: what sandbox_open has found, for box.c. */

struct sandbox_state {
  enum sandbox_level level;
  char *bwrap, *launch; /* programs; NULL if the level needs none */
  bool landlock;        /* the kernel has it */
};
extern struct sandbox_state sandbox_state;

/* --- system_paths.c: the parts of the system that programs in a sandbox need: tools, libraries. */

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
