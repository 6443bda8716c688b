/* slurm_submit.c: sbatch's arguments and answers.
 *
 * Slurm's programs give the reason for a failure only in words. They are those of slurm_strerror()
 * and of job_reason_string() (22.05: src/common/slurm_errno.c, slurm_protocol_defs.c), which are
 * not translated. What is not among them counts as refused, rather than waited for in vain. */
#include "grader/class/engine/slurm_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* sbatch repeats a contact by itself for some time. */
static const double SBATCH_SECONDS = 90, SCONTROL_SECONDS = 30, SCANCEL_SECONDS = 30;

/* It would go on for two minutes, in which no result would be collected. */
static const char SLEEPING[] = "sleeping and retrying";

static bool has_any(const struct slurm_output *output, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strstr(text_get(&output->err), words[i])) return true;
  return false;
}

#define HAS_ANY(output, words) has_any(output, words, sizeof(words) / sizeof *(words))

/* "123\n" or "123;cluster\n", and nothing else. */
static bool parse_job(const struct text *out, long *job) {
  const char *text = text_get(out);
  char *end;
  if (*text < '1' || *text > '9') return false;
  errno = 0;
  long id = strtol(text, &end, 10);
  if (errno) return false;
  if (*end == ';') end += strcspn(end, "\n");
  if (strcmp(end, "\n") != 0 && *end) return false;
  *job = id;
  return true;
}

enum submit slurm_submit_answer(const struct slurm_output *output, long *job) {
  static const char *const full[] = {
      "SubmitJob", /* AssocMaxSubmitJobLimit, QOSMaxSubmitJobPerUserLimit and the like */
      "temporarily unable to accept job", "Resource temporarily unavailable"};
  static const char *const policy[] = {"violates accounting/QOS policy"};
  static const char *const limits[] = {"Limit"}; /* a limit that waiting does not change */
  static const char *const away[] = {"Unable to contact slurm controller",
                                     "standby mode",
                                     "Connection refused",
                                     "connect failure",
                                     "Munge",
                                     "authentication credential",
                                     "authentication error"};
  static const char *const unsure[] = {"timed out", "Zero Bytes", "Transport endpoint",
                                       "Connection reset", "Unexpected message"};
  if (output->status == 0) return parse_job(&output->out, job) ? SUBMIT_DONE : SUBMIT_UNSURE;
  if (HAS_ANY(output, full)) return SUBMIT_FULL;
  if (HAS_ANY(output, policy)) return HAS_ANY(output, limits) ? SUBMIT_REFUSED : SUBMIT_FULL;
  if (HAS_ANY(output, unsure)) return SUBMIT_UNSURE;
  if (HAS_ANY(output, away)) return SUBMIT_AWAY;
  return output->cut ? SUBMIT_UNSURE : SUBMIT_REFUSED;
}

/* %a in a file's name is the task's index; a % of the folder's own is doubled. */
static char *output_option(const struct submission *submission) {
  struct text option = {0};
  text_add(&option, "--output=");
  for (const char *c = submission->state; *c; c++) text_add(&option, *c == '%' ? "%%%%" : "%c", *c);
  text_add(&option, "/spool/logs/%s-%%a.log", submission->run);
  return option.data;
}

enum submit slurm_submit(const struct submission *submission, long *job, char **reason) {
  const struct slurm_options *options = submission->options;
  char limit[24] = "";
  int count = 0, room = options->count + 16;
  autofree char **argv = xcalloc((size_t)room, sizeof *argv);
  argv[count++] = xstrdup("sbatch");
  argv[count++] = xstrdup("--parsable");
  for (int i = 0; i < options->count; i++) {
    const char *word = options->words[i];
    int at_once = slurm_array_limit(word);
    if (at_once)
      snprintf(limit, sizeof limit, "%%%d", at_once);
    else
      argv[count++] = xprintf("%s%s", *word == '-' ? "" : "--", word);
  }
  argv[count++] = xprintf("--array=1-%d%s", submission->tasks, limit);
  argv[count++] = xprintf("--job-name=%s", submission->run);
  argv[count++] = output_option(submission);
  argv[count++] = xstrdup("--requeue");
  argv[count++] = xstrdup("--open-mode=truncate");
  argv[count++] = xprintf("%s/grader/class/engine/slurm_task", submission->kit);
  argv[count++] = xstrdup(submission->kit);
  argv[count++] = xstrdup(submission->state);
  argv[count++] = xstrdup(submission->run);

  struct slurm_output output;
  slurm_command((const char *const *)argv, SBATCH_SECONDS, SLEEPING, &output);
  enum submit answer = slurm_submit_answer(&output, job);
  *reason = answer == SUBMIT_DONE ? NULL : slurm_output_reason(&output);
  slurm_output_free(&output);
  for (int i = 0; i < count; i++) free(argv[i]);
  return answer;
}

/* By name: a job's number may be given to another one once a controller has lost its state. */
bool slurm_scancel(const char *run, const char *state) {
  autofree char *name = xprintf("--name=%s", run),
                *only = state ? xprintf("--state=%s", state) : NULL;
  const char *const argv[] = {"scancel", name, only, NULL};
  struct slurm_output output;
  slurm_command(argv, SCANCEL_SECONDS, NULL, &output);
  bool done = output.status == 0;
  slurm_output_free(&output);
  return done;
}

/* "NAME      = 123 ..." on a line of its own. */
static bool find_number(const char *config, const char *name, long *number) {
  for (const char *line = config; (line = strstr(line, name)) != NULL; line += strlen(name)) {
    if ((line == config || line[-1] == '\n') && sscanf(line + strlen(name), " = %ld", number) == 1)
      return true;
  }
  return false;
}

enum submit slurm_limits_read(struct slurm_limits *limits, char **reason) {
  const char *const argv[] = {"scontrol", "show", "config", NULL};
  struct slurm_output output;
  slurm_command(argv, SCONTROL_SECONDS, NULL, &output);
  const char *config = text_get(&output.out);
  long size = 0;
  enum submit answer = SUBMIT_REFUSED;
  *limits = (struct slurm_limits){0};
  *reason = NULL;
  if (output.status != 0) {
    answer = SUBMIT_AWAY;
    *reason = slurm_output_reason(&output);
  } else if (!find_number(config, "MaxArraySize", &size) ||
             !find_number(config, "MinJobAge", &limits->remembered)) {
    *reason = xstrdup("scontrol show config does not list MaxArraySize and MinJobAge");
  } else if (size < 2) {
    *reason = xprintf("job arrays are switched off here: MaxArraySize = %ld", size);
  } else {
    limits->max_array = size - 1;
    answer = SUBMIT_DONE;
  }
  slurm_output_free(&output);
  return answer;
}
