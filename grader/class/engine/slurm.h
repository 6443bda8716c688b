/* slurm.h: the engine (engine.h) for many machines: tasks as job arrays of Slurm.
 *
 * Needs sbatch, squeue, scontrol and scancel, and nodes that see the kit and the state folder under
 * the same paths. It keeps in the state folder's spool/
 *
 *     slurm.json           what was submitted: a restarted collector finds running jobs again
 *     lists/RUN            the attempts of one job array, a line each; RUN is the array's name
 *     logs/RUN-INDEX.log   what a task printed; removed when its result is there */
#ifndef KIT_SLURM_H
#define KIT_SLURM_H

struct slurm_options {
  /* Options of sbatch: "gres=gpu:1", or as one writes them: "--gres=gpu:1", "-n2". And
   * "array-limit=8": so many of one array's tasks at once. */
  const char *const *words;
  int count;
  double pace; /* for tests: what should take a second takes this many; 0: 1 */
};

/* What is wrong with a word, for people, or NULL: it is no option, or would keep the kit from
 * finding its jobs. The caller's. */
char *slurm_option_error(const char *word);
/* The number of an array-limit, or -1 if it has none; 0: the word is for sbatch. */
int slurm_array_limit(const char *word);

/* Cancels what earlier runs left in Slurm, with a note on stderr. Returns how many job arrays that
 * were, -1 if Slurm does not answer. */
int slurm_cancel(const char *state);

#endif
