/* run.c: runs cases, several in a process, and reads back what they report.
 *
 * The job goes down and the report comes up in memory files (exchange.h). The inputs that outputs
 * are checked against are our own copy: what anybody does to the job file does not matter. */
#include "grader/run/run.h"
#include "grader/run/locate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/run/case_process.h"
#include "grader/run/execute.h"
#include "grader/run/provenance.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"

/* Starting a process takes as long as a case of some size. The results of small ones are there
 * before those of large ones. */
enum { OUTPUT_KEPT = 64 << 10, SMALL_BYTES = 1 << 20, GROUP_BYTES = 32 << 20 };

double case_work(const struct conf *conf, int case_index) {
  const struct case_conf *entry = &conf->cases[case_index];
  const struct family *family = conf_family(conf, entry);
  return family_bytes(family, entry->dims) + family_operations(family, entry->dims);
}

static void keep_copy(const char *directory, const char *name, const char *what, int fd) {
  autofree char *path = xprintf("%s/%s.%s", directory, name, what);
  freed_by(text_free) struct text bytes = {0};
  read_all(fd, SIZE_MAX, &bytes);
  if (!file_try_write(path, text_get(&bytes), bytes.length))
    note("grade: %s: %s", path, strerror(errno));
}

/* "/home/x/lab1.cu:12" and "lab1.cu:12 (discriminator 3)" to 12. */
static int line_in_cu_file(const char *place) {
  const char *colon = strstr(place, ".cu:"), *end = strchr(place, '\n');
  if (!colon || (end && colon > end)) return 0;
  long line = strtol(colon + 4, NULL, 10);
  return line > 0 && line < 10000000 ? (int)line : 0;
}

/* The line of the first of these addresses that lies in a .cu file; 0 if there is none. */
static int locate_line(const char *program, const uint64_t *addresses, int count) {
  autofree char *places = locate_addresses(program, addresses, count);
  int line = 0;
  for (const char *at = places; *at && !line; at += strcspn(at, "\n"), at += *at == '\n')
    line = line_in_cu_file(at);
  return line;
}

/* --- a process --- */

struct run {
  const struct runner *runner;
  const struct conf *conf;
  uint64_t seed;
  struct job_mode mode;
  struct attempt *attempts;
  int count;
  struct case_process process;
  int reported; /* so many cases it came to */

  struct attempt *second; /* for provenance; NULL: not opened */
  struct case_process again;
  bool second_is_dry;

  int profiled; /* their entry in the runner's profile */
};

/* Did its calls come back, without an error? Then the process went on to the next case. */
static bool went_on_after(const struct report *report) {
  for (int set = 0; set < report->set_count; set++)
    if (report->sets[set].error) return false;
  return report->done && !report->damaged[0];
}

/* --- was it the kernels? --- */

/* The cases run again, with other inputs, for their logs of transfers. */
static void open_second(struct run *run) {
  run->second = xcalloc((size_t)run->count, sizeof *run->second);
  for (int i = 0; i < run->count; i++) run->second[i].case_index = run->attempts[i].case_index;
  const struct job_mode mode = {.transfers = run->mode.transfers, .rerun = "dry"};
  case_process_open(run->runner, run->conf, run->second, run->count, &mode, &run->again);
}

/* Has the cases run that the first process came to: without kernels if the host reads nothing that
 * they wrote, which costs next to nothing. */
static void start_second(struct run *run, bool full) {
  bool dry = !full, empty = true;
  for (int i = 0; i < run->reported; i++) {
    const struct transfers *first = &run->attempts[i].result.report.transfers;
    dry = dry && !provenance_needs_kernels(first);
    empty = empty && !provenance_needs_inputs(first);
  }
  const struct job_mode mode = {.seed = run->seed,
                                .transfers = run->mode.transfers,
                                .rerun = dry ? "dry" : "full",
                                .empty = dry && empty};
  run->second_is_dry = dry;
  if (!run->second) open_second(run);
  for (int i = 0; i < run->reported && !mode.empty; i++)
    inputs_make(run->conf, &run->conf->cases[run->second[i].case_index], ~run->seed,
                &run->second[i].inputs);
  case_process_start(run->runner, run->conf, run->second, run->reported, &mode, &run->again);
}

static void drop_second(struct run *run) {
  if (!run->second) return;
  for (int i = 0; i < run->count; i++) inputs_free(&run->second[i].inputs);
  case_process_close(&run->again);
  free(run->second);
  run->second = NULL;
}

/* logs: of the first cases; those of cases that it did not come to stay empty. */
static void finish_second(struct run *run, struct transfers *logs) {
  struct case_process *process = &run->again;
  case_process_finish(process);
  for (int i = 0; i < run->reported; i++)
    if (!report_read_transfers(process->report, process->token, &logs[i])) break;
  drop_second(run);
}

static char *fault_of(const struct conf *conf, const struct attempt *attempt,
                      const struct transfers *second, int *line) {
  const struct case_conf *entry = &conf->cases[attempt->case_index];
  return provenance_fault(conf_family(conf, entry), entry->dims, &attempt->result.report.transfers,
                          second, line);
}

/* A right case in which it was not kernels that computed is wrong. What a second run without
 * kernels cannot explain must also be inexplicable in one with kernels. Returns whether such a one
 * is needed. */
static bool take_logs(struct run *run, struct transfers *logs) {
  const struct conf *conf = run->conf;
  bool doubt = false;
  for (int i = 0; i < run->reported; i++) {
    struct case_result *result = &run->attempts[i].result;
    const struct case_conf *entry = &conf->cases[run->attempts[i].case_index];
    int line;
    autofree char *fault =
        result->state == CASE_RIGHT ? fault_of(conf, &run->attempts[i], &logs[i], &line) : NULL;
    doubt |= fault && run->second_is_dry;
    result->undecided =
        provenance_undecided(conf_family(conf, entry), entry->dims, &result->report.transfers);
    if (fault && !run->second_is_dry) {
      autofree char *place = line ? xprintf("line %d: ", line) : xstrdup("");
      case_fail(result, "host", STOP_NOTHING,
                "%s%s. Only what kernels compute from inputs on the device counts", place, fault);
      result->line = line;
    }
    transfers_free(&logs[i]);
  }
  return doubt;
}

/* The second run is under way. */
static void check_provenance(struct run *run) {
  autofree struct transfers *logs = xcalloc((size_t)run->reported, sizeof *logs);
  finish_second(run, logs);
  if (!take_logs(run, logs)) return;
  memset(logs, 0, (size_t)run->reported * sizeof *logs);
  start_second(run, true);
  finish_second(run, logs);
  take_logs(run, logs);
}

/* --- a run from beginning to end --- */

struct run *run_prepare(const struct runner *runner, const struct conf *conf, const int *cases,
                        int count, uint64_t seed) {
  struct seconds begin = seconds_now();
  struct run *run = xcalloc(1, sizeof *run);
  /* Who computed what matters where results do. */
  bool matters = false;
  for (int i = 0; i < count; i++)
    matters |= conf_case_is_checked(conf, &conf->cases[cases[i]]) && !conf->cases[cases[i]].fail;
  *run = (struct run){
      .runner = runner,
      .conf = conf,
      .seed = seed,
      .mode = {.seed = seed,
               .transfers = runner->provenance && matters ? random_number() >> 2 | 1 : 0},
      .attempts = xcalloc((size_t)count, sizeof *run->attempts),
      .count = count};
  for (int i = 0; i < count; i++) {
    run->attempts[i].case_index = cases[i];
    inputs_make(conf, &conf->cases[cases[i]], seed, &run->attempts[i].inputs);
  }
  const char *first = conf->cases[cases[0]].name, *last = conf->cases[cases[count - 1]].name;
  autofree char *name = count > 1 ? xprintf("%s to %s", first, last) : xstrdup(first);
  run->profiled = profile_add_cases(runner->profile, name);
  profile_add(runner->profile, run->profiled, PHASE_INPUTS, seconds_since(begin));
  return run;
}

void run_open(struct run *run) {
  case_process_open(run->runner, run->conf, run->attempts, run->count, &run->mode, &run->process);
}

void run_open_second(struct run *run) {
  if (run->mode.transfers) open_second(run);
}

void run_start(struct run *run) {
  struct seconds begin = seconds_now();
  case_process_start(run->runner, run->conf, run->attempts, run->count, &run->mode, &run->process);
  profile_add(run->runner->profile, run->profiled, PHASE_INPUTS, seconds_since(begin));
}

void run_wait(struct run *run) {
  struct case_process *process = &run->process;
  const struct runner *runner = run->runner;
  case_process_finish(process);
  if (runner->keep) {
    const char *name = run->conf->cases[run->attempts[0].case_index].name;
    keep_copy(runner->keep, name, "job", process->job);
    keep_copy(runner->keep, name, "report", process->report);
    keep_copy(runner->keep, name, "output", process->output);
  }
  struct seconds begin = seconds_now();
  if (runner->spending) runner->spending->cpu_seconds += process->ends.runner.cpu_seconds;
  bool more = true;
  for (; more && run->reported < run->count; run->reported++) {
    struct attempt *attempt = &run->attempts[run->reported];
    const struct case_conf *entry = &run->conf->cases[attempt->case_index];
    struct report *report = &attempt->result.report;
    report_read(process->report, process->token, conf_family(run->conf, entry)->problem,
                entry->dims, (int)entry->sets, report);
    more = went_on_after(report);
    if (runner->spending && report->used.calls) runner->spending->used = report->used;
    profile_add(runner->profile, run->profiled, PHASE_KERNELS, report->kernels);
    profile_add(runner->profile, run->profiled, PHASE_MODEL, report->model);
  }
  profile_add(runner->profile, run->profiled, PHASE_DEVICE, process->ends.of_device);
  profile_add(runner->profile, run->profiled, PHASE_RUNNER, process->ends.of_runner);
  profile_add(runner->profile, run->profiled, PHASE_CHECK, seconds_since(begin));
}

/* Judges a case whose report has been read. How the process ended is the doing of the last one,
 * even if its report is complete. */
static void judge(const struct run *run, int i) {
  static const struct ends went_on = {0};
  struct attempt *attempt = &run->attempts[i];
  struct case_result *result = &attempt->result;
  for (int h = 0; h < result->report.hazard_count; h++) {
    struct hazard_record *hazard = &result->report.hazards[h];
    if (hazard->line == 0)
      hazard->line = locate_line(run->runner->path, hazard->addresses, hazard->address_count);
  }
  bool last = i == run->count - 1;
  case_judge(run->conf, attempt->case_index, attempt->inputs.data, run->seed,
             !last && result->report.done ? &went_on : &run->process.ends, result);
  /* The outputs were checked; nobody needs them again. */
  for (int set = 0; set < result->report.set_count; set++) {
    for (int a = 0; a < PROBLEM_MAX_ARRAYS; a++) {
      free(result->report.sets[set].outputs[a]);
      result->report.sets[set].outputs[a] = NULL;
    }
  }
}

/* The process' output belongs to the case that it came to last. */
static void hand_on_output(const struct run *run, int i) {
  struct case_result *result = &run->attempts[i].result;
  if (i == 0) {
    read_all(run->process.output, OUTPUT_KEPT, &result->output);
    return;
  }
  struct text *before = &run->attempts[i - 1].result.output;
  result->output = *before;
  *before = (struct text){0};
  result->output_since = run->conf->cases[run->attempts[0].case_index].name;
}

int run_judge(struct run *run, struct case_result *results) {
  struct profile *profile = run->runner->profile;
  const int judged = run->reported;
  bool any_right = false, early = run->second && went_on_after(&run->attempts[0].result.report);
  struct seconds begin = seconds_now();
  if (early) start_second(run, false);
  profile_add(profile, run->profiled, PHASE_RERUN, seconds_since(begin));
  begin = seconds_now();
  for (int i = 0; i < judged; i++) {
    hand_on_output(run, i);
    judge(run, i);
    any_right |= run->attempts[i].result.state == CASE_RIGHT;
  }
  profile_add(profile, run->profiled, PHASE_CHECK, seconds_since(begin));
  begin = seconds_now();
  if (run->mode.transfers && any_right) {
    if (!early) start_second(run, false);
    check_provenance(run);
  }
  profile_add(profile, run->profiled, PHASE_RERUN, seconds_since(begin));
  for (int i = 0; i < judged; i++) {
    struct attempt *attempt = &run->attempts[i];
    transfers_free(&attempt->result.report.transfers);
    results[attempt->case_index] = attempt->result;
    attempt->result = (struct case_result){0};
  }
  run_drop(run);
  return judged;
}

bool run_is_of(const struct run *run, const int *cases, int count) {
  bool same = run->count == count;
  for (int i = 0; i < count && same; i++) same = run->attempts[i].case_index == cases[i];
  return same;
}

void run_drop(struct run *run) {
  if (!run) return;
  for (int i = 0; i < run->count; i++) {
    inputs_free(&run->attempts[i].inputs);
    case_free(&run->attempts[i].result);
  }
  case_process_close(&run->process);
  drop_second(run);
  free_all(run->attempts, run);
}

/* --- without anything beside it --- */

static int run_alone(const struct runner *runner, const struct conf *conf, const int *cases,
                     int count, uint64_t seed, struct case_result *results) {
  struct run *run = run_prepare(runner, conf, cases, count, seed);
  int turn = runner->on_gpu ? turn_take(TURN_FILE, TURN_SHARED) : -1;
  run_start(run);
  run_wait(run);
  turn_end(turn);
  return run_judge(run, results);
}

void run_case(const struct runner *runner, const struct conf *conf, int case_index, uint64_t seed,
              struct case_result *result) {
  autofree struct case_result *results = xcalloc((size_t)conf->case_count, sizeof *results);
  run_alone(runner, conf, &case_index, 1, seed, results);
  *result = results[case_index];
}

void run_again(const struct runner *runner, const struct conf *conf, const int *cases, int judged,
               uint64_t seed, struct case_result *results) {
  for (int i = 1; i < judged; i++) { /* the first found a fresh process */
    const struct case_result *result = &results[cases[i]];
    if (result->state == CASE_RIGHT) continue;
    if (result->kind && strcmp(result->kind, "budget") == 0) continue; /* there is none left */
    case_free(&results[cases[i]]);
    run_case(runner, conf, cases[i], seed, &results[cases[i]]);
  }
}

int run_some(const struct runner *runner, const struct conf *conf, const int *cases, int count,
             uint64_t seed, struct case_result *results) {
  int judged = run_alone(runner, conf, cases, count, seed, results);
  run_again(runner, conf, cases, judged, seed, results);
  return judged;
}

int run_group(const struct conf *conf, const int *cases, int count) {
  const struct case_conf *first = &conf->cases[cases[0]];
  double all = 0;
  bool small = true;
  for (int i = 0; i < count; i++) {
    const struct case_conf *entry = &conf->cases[cases[i]];
    double bytes = family_bytes(conf_family(conf, entry), entry->dims) * (double)entry->sets;
    bool alike = entry->hidden == first->hidden && !entry->fail && !first->fail;
    all += bytes;
    if (i == 0)
      small = bytes <= SMALL_BYTES;
    else if (!alike || all > GROUP_BYTES || (small && bytes > SMALL_BYTES))
      return i;
  }
  return count;
}

static double one_of(const struct launch_record *launch) {
  return (double)launch->time_ns / (double)launch->launches;
}

const struct launch_record *case_longest_launch(const struct case_result *result) {
  const struct launch_record *longest = NULL;
  for (int i = 0; i < result->report.launch_count; i++) {
    const struct launch_record *launch = &result->report.launches[i];
    if (launch->set == 0 && (!longest || one_of(launch) > one_of(longest))) longest = launch;
  }
  return longest;
}

void case_free(struct case_result *result) {
  free(result->reason);
  spans_free(&result->spans);
  spans_free(&result->measured);
  json_decref(result->measured_trace);
  free(result->not_recorded);
  report_free(&result->report);
  text_free(&result->output);
  memset(result, 0, sizeof *result);
}
