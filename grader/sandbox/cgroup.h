/* cgroup.h: limits on what all processes of a program have together, where this machine lets us set
 * them: memory, which includes files in memory, and the number of processes. */
#ifndef KIT_CGROUP_H
#define KIT_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

struct cgroup {
  char *folders[2]; /* of the control groups made; NULL: none */
};

/* Best effort: 0 is no limit, and where there can be no group the limits of each process remain. */
void cgroup_make(uint64_t memory_bytes, uint64_t processes, struct cgroup *group);
/* In the child: moves into it. */
void cgroup_enter(const struct cgroup *group);
/* All its processes have ended: removes it. out_of_memory: the kernel had to end one of them. */
void cgroup_remove(struct cgroup *group, bool *out_of_memory);

/* "version 2, below /sys/fs/cgroup/...", or why there can be none. The caller's. */
char *cgroup_describe(void);

#endif
