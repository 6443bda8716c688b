/* box.h: one program in the sandbox (sandbox.h), for process.c: what is set up before it starts,
 * what the child does to become it, and what is asked and cleared away when it has ended. */
#ifndef KIT_BOX_H
#define KIT_BOX_H

#include "grader/sandbox/process.h"

struct box;

/* Before the fork. Ends the grader if that fails. */
struct box *box_open(const struct process *process);
/* In the child, with its descriptors in place: executes the program. Returns only on failure, errno
 * set. */
void box_become(const struct box *box, const struct process *process);
/* The pid's own status as of wait(): what became of the program itself, and its product. Ends
 * whatever it has left, and frees the box. */
void box_close(struct box *box, int status, struct process_end *end);

#endif
