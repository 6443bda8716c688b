/* landlock.h: a process that can reach only those files that it is given. */
#ifndef KIT_LANDLOCK_H
#define KIT_LANDLOCK_H

#include <stdbool.h>

/* The version of Landlock's interface in this kernel, or 0: it has none, or it is switched off. */
int landlock_version(void);

/* From now on, and through exec, the calling process may only read and execute what lies at or
 * below `readable`, and beyond that write, make and remove what lies at or below `writable`: lists
 * of paths that end with NULL; what is not there is left out. A device under writable may be used
 * as such. Where the kernel knows how, it can also reach no TCP port, and no abstract socket and no
 * process outside. names_threads: it may write to its threads' files in
 * /proc, as CUDA's driver does to name its own. Needs PR_SET_NO_NEW_PRIVS. Returns 0, or -1 with
 * errno set. */
int landlock_restrict(const char *const *readable, const char *const *writable, bool names_threads);

#endif
