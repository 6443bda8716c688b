/* box.h: one program in the sandbox (sandbox.h), for process.c: what is set up before it starts,
 * what the child does to become it, and what is asked and cleared away when it has ended. */
#ifndef KIT_BOX_H
#define KIT_BOX_H

#include <stdbool.h>
#include <sys/types.h>

#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"

struct box;

/* Before the fork. Ends the grader if that fails. */
struct box *box_open(const struct process *process);
/* In the child, its descriptors in place: executes the program. Returns on failure, errno set. */
void box_become(const struct box *box, const struct process *process);
/* The pid's own status as of wait(): what became of the program itself, and its product. Ends
 * whatever it has left, and frees the box. */
void box_close(struct box *box, int status, struct process_end *end);

/* --- sandbox.c: what sandbox_open has found. */

struct sandbox_state {
  enum sandbox_level level;
  char *bwrap, *launch; /* programs; NULL if the level needs none */
  bool landlock;        /* the kernel has it */
  bool works;           /* a program was started at that level */
  bool unsafe;          /* SANDBOX_NONE will do */
  bool open;            /* sandbox_open has found it */
};
extern struct sandbox_state sandbox_state;

/* --- system_paths.c: the parts of the system that programs in a sandbox need: tools, libraries. */

struct system_paths {
  char *read[48];    /* files and folders that are there, to read and execute */
  char *devices[16]; /* device nodes, to read and write */
};

/* gpu: with the nodes of one GPU (the first of $CUDA_VISIBLE_DEVICES, else nvidia0) and its
 * driver's. tools: with compilers outside the system's folders. Both lists end with NULL. */
void system_paths_list(bool tools, bool gpu, struct system_paths *paths);
void system_paths_free(struct system_paths *paths);

/* --- job_user.c: when the grader is root, each program in a sandbox gets a user of its own: limits
 * on the number of processes go by user, and no user may signal, trace or read another's. */

struct job_user {
  uid_t uid; /* 0: the grader is not root, and everything runs as who we are */
  int lock;
};

/* A user that nobody is, whom no other grader has while we live and do not give it back. Ends the
 * grader if there is none. */
void job_user_take(struct job_user *user);
/* Ends whatever runs as that user, unless a namespace has done so. */
void job_user_end(const struct job_user *user, bool in_namespace);
void job_user_give_back(struct job_user *user);

/* --- cgroup.c: limits on what all processes of a program have together, where this machine lets us
 * set them: memory, which includes files in memory, and the number of processes. */

struct cgroup {
  char *folders[2]; /* of the control groups made; NULL: none */
};

/* Best effort: 0 is no limit, and where there can be no group the limits of each process remain. */
void cgroup_make(uint64_t memory_bytes, uint64_t processes, struct cgroup *group);
/* In the child: moves into it. */
void cgroup_enter(const struct cgroup *group);
/* All its processes have ended: removes it. out_of_memory: the kernel had to end one of them. */
void cgroup_remove(struct cgroup *group, bool *out_of_memory);

/* "made in /sys/fs/cgroup/...", or that there can be none. The caller's. */
char *cgroup_describe(void);

#endif
