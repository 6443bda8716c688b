/* bounds.h: what a launch's time is bound by, for a student: what the name means and what helps. */
#ifndef KIT_BOUNDS_H
#define KIT_BOUNDS_H

struct bound {
  const char *name;    /* as in a report of a launch: "shared memory" */
  const char *id;      /* of its place on the page */
  const char *meaning; /* sentences */
  const char *advice;
};

/* NULL: no bound has that name. */
const struct bound *bound_find(const char *name);

#endif
