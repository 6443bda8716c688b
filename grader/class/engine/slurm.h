/* slurm.h: the engine for many machines: tasks as job arrays of Slurm; see engine.h for what an
 * engine is.
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
  const char *const
      *words; /* options of sbatch: "gres=gpu:1", or as one writes them: "--gres=gpu:1", "-n2" */
  int count;
  int at_once; /* of one array's tasks; 0: no limit. As a word: "array-limit=8" */
  double pace; /* for tests: what should take a second takes this many; 0: 1 */
};

/* Ends the program if a word is none, or one that would keep the kit from finding its jobs. words
 * stay the caller's, and must stay. */
struct slurm_options *slurm_options_make(const char *const *words, int count);
void slurm_options_free(struct slurm_options *options);
/* What is wrong with a word, for people, or NULL. The caller's. */
char *slurm_option_error(const char *word);

/* Cancels what earlier runs left in Slurm, with a note on stderr. Returns how many job arrays that
 * were, -1 if Slurm does not answer. */
int slurm_cancel(const char *state);

#endif
