/* slurm_ledger.h: the job arrays that were submitted for a state folder, on disk.
 *
 * An array is written down before sbatch is asked, under a name that no other has, and its job's
 * number afterwards: whenever the collector ends, the next one knows what is in the queue. */
#ifndef KIT_SLURM_LEDGER_H
#define KIT_SLURM_LEDGER_H

#include <stdbool.h>

struct slurm_array {
  char run[32];    /* its name: "kit-" and 16 random hex digits */
  long job;        /* 0: not known */
  char **attempts; /* of indices 1..count */
  int count;
  double asked; /* when sbatch was, by this program's clock; not on disk */
};

struct slurm_ledger {
  char *spool; /* the folder */
  struct slurm_array *arrays;
  int count;
};

/* Reads STATE/spool/slurm.json, if there; makes the folders. Ends the program if it cannot. */
void slurm_ledger_open(struct slurm_ledger *ledger, const char *state);
/* A new array: writes its list file, and the ledger. Returns its place in it. */
int slurm_ledger_add(struct slurm_ledger *ledger, const char *const *attempts, int count);
/* Writes arrays as they are now; a crash leaves the old file or the new one. */
void slurm_ledger_save(const struct slurm_ledger *ledger);
/* Removes the arrays (by place) for which drop is true, with their lists, and saves. */
void slurm_ledger_drop(struct slurm_ledger *ledger, const bool *drop);
/* Memory only. */
void slurm_ledger_close(struct slurm_ledger *ledger);

/* Where the task's output goes. The caller's. */
char *slurm_ledger_log(const struct slurm_ledger *ledger, const struct slurm_array *array,
                       int index);

#endif
