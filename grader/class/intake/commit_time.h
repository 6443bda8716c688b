/* commit_time.h: when a file in a clone was committed. */
#ifndef KIT_CLASS_COMMIT_TIME_H
#define KIT_CLASS_COMMIT_TIME_H

#include <stdbool.h>

/* When the last commit that changed the file was made (seconds since 1970, the committer's clock),
 * if the file is as it was committed. False, *seconds untouched: it is not, or there is no
 * repository around it.
 *
 * The repository may be a hostile one: libgit2 reads it, which runs nothing that its configuration
 * names (git would: fsmonitor, gpg.program, ...). */
bool commit_time(const char *path, long long *seconds);

#endif
