/* job_user.h: when the grader is root, each program in a sandbox gets a user of its own: limits on
 * the number of processes go by user, and no user may signal, trace or read another's. */
#ifndef KIT_JOB_USER_H
#define KIT_JOB_USER_H

#include <stdbool.h>
#include <sys/types.h>

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

#endif
