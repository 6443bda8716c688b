/* profile.h: where a grading's time goes: wall seconds and processor seconds, by phase.
 *
 * Phases overlap, so their wall seconds may add up to more than the grading took. */
#ifndef KIT_PROFILE_H
#define KIT_PROFILE_H

/* X(name, key in JSON, title, depth: a part of the phase of less depth above it) */
#define KIT_PHASES(X)                                               \
  X(START, "start", "starting ./grade", 0)                          \
  X(SANDBOX, "sandbox", "trying out the sandbox", 0)                \
  X(BUILD, "build", "building the file", 0)                         \
  X(INPUTS, "inputs", "making inputs", 0)                           \
  X(DEVICE, "device", "device process", 0)                          \
  X(KERNELS, "kernels", "executing kernels", 1)                     \
  X(MODEL, "model", "modelling their time", 1)                      \
  X(RUNNER, "runner", "runner process", 0)                          \
  X(CHECK, "check", "reading reports, checking outputs", 0)         \
  X(RERUN, "rerun", "second run: who computed the results", 0)      \
  X(REFERENCES, "references", "model solutions, or their cache", 0) \
  X(SCORE, "score", "scoring", 0)

enum phase {
#define X(name, ...) PHASE_##name,
  KIT_PHASES(X)
#undef X
      PHASES
};

extern const char *const phase_keys[PHASES];

struct seconds {
  double wall, cpu;
};

/* What cases that ran in one process took. */
struct profile_cases {
  char *name; /* "n512", "1x1x1 to 100" */
  struct seconds phase[PHASES];
};

struct profile {
  struct seconds phase[PHASES]; /* of all */
  struct profile_cases *cases;
  int case_count;
};

/* Of this process and of the children that it has waited for. seconds_at_start: when it was
 * started, whatever program it was then; a phase is seconds_since(what seconds_now returned). */
struct seconds seconds_at_start(void);
struct seconds seconds_now(void);
struct seconds seconds_since(struct seconds begin);

/* The rest do nothing for a profile that is NULL. Returns the number of the cases' entry; -1: there
 * is none. */
int profile_add_cases(struct profile *profile, const char *name);
/* cases: their entry; -1: of none. */
void profile_add(struct profile *profile, int cases, enum phase phase, struct seconds cost);
void profile_free(struct profile *profile);

#endif
