/* run.c: runs cases, several in a process, and reads back what they report.
 *
 * The job goes down and the report comes up in memory files (exchange.h). The inputs that outputs
 * are checked against are our own copy: what anybody does to the job file does not matter. */
#include "grader/run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/run/execute.h"
#include "grader/run/provenance.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"
#include "harness/base/exchange.h"

enum { OUTPUT_KEPT = 64 << 10, GROUP_BYTES = 1 << 20 };
static const uint64_t spare_file_bytes = 64 << 20; /* for launches and hazards beside the arrays */

double case_work(const struct conf *conf, int case_index) {
  const struct case_conf *entry = &conf->cases[case_index];
  const struct family *family = conf_family(conf, entry);
  return family_bytes(family, entry->dims) + family->operations(entry->dims);
}

/* The inputs of all sets: inputs[set][array]. */
struct inputs {
  int sets, arrays;
  void **data;
};

static void make_inputs(const struct conf *conf, const struct case_conf *entry, uint64_t seed,
                        struct inputs *inputs) {
  const struct family *family = conf_family(conf, entry);
  const struct problem *problem = family->problem;
  *inputs = (struct inputs){(int)entry->sets, problem->input_count, NULL};
  inputs->data = xcalloc((size_t)(inputs->sets * inputs->arrays), sizeof *inputs->data);
  uint64_t state = hash_bytes(HASH_START ^ seed, entry->name, strlen(entry->name));
  for (int set = 0; set < inputs->sets; set++) {
    void **arrays = inputs->data + set * inputs->arrays;
    for (int i = 0; i < inputs->arrays; i++)
      arrays[i] = xcalloc(problem_bytes(problem, i, entry->dims), 1);
    family->make_inputs(entry->dims, random_next(&state), arrays);
  }
}

static void free_inputs(struct inputs *inputs) {
  for (int i = 0; i < inputs->sets * inputs->arrays; i++) free(inputs->data[i]);
  free(inputs->data);
}

static json_t *describe_arrays(const struct problem *problem, const long *dims) {
  json_t *arrays = json_array();
  for (int i = 0; i < problem_array_count(problem); i++) {
    const struct problem_array *array = &problem->arrays[i];
    json_array_append_new(arrays, json_pack("{s:s*, s:b, s:I, s:I, s:i}", "name", array->name,
                                            "output", i >= problem->input_count, "rows",
                                            (json_int_t)problem_rows(problem, i, dims), "columns",
                                            (json_int_t)problem_columns(problem, i, dims),
                                            "element_size", (int)array->element_size));
  }
  return arrays;
}

/* What a process is to do with its jobs. */
struct mode {
  uint64_t seed;      /* of the grading */
  uint64_t transfers; /* key of the log of transfers; 0: none is wanted */
  const char *rerun;  /* "dry" or "full": only for that log; or NULL */
  bool empty;         /* without inputs */
};

static json_t *job_options(const struct runner *runner, const struct conf *conf,
                           const struct case_conf *entry, const struct mode *mode) {
  json_t *options =
      json_pack("{s:b, s:s*}", "accesses", runner->accesses && entry->show, "rerun", mode->rerun);
  if (mode->transfers)
    json_object_set_new(options, "transfers", json_integer((json_int_t)mode->transfers));
  if (entry->fail) {
    json_object_set_new(options, "fail", json_string(case_fail_names[entry->fail]));
    json_object_set_new(options, "fail_at", json_integer((json_int_t)entry->fail_at));
  }
  if (!mode->rerun && !entry->fail && conf_lists_kind(conf, "leak"))
    json_object_set_new(options, "leaks", json_true());
  if (mode->empty) json_object_set_new(options, "empty", json_true());
  return options;
}

static json_t *budget_to_json(const struct budget *budget) {
  return json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)budget->instructions, "bytes",
                   (json_int_t)budget->bytes, "calls", (json_int_t)budget->calls);
}

static void write_job(int fd, uint64_t token, const struct runner *runner, const struct conf *conf,
                      const struct case_conf *entry, const struct mode *mode,
                      const struct inputs *inputs) {
  const struct problem *problem = conf_family(conf, entry)->problem;
  json_t *dims = json_object();
  for (int i = 0; i < problem->dim_count; i++)
    json_object_set_new(dims, problem->dims[i], json_integer(entry->dims[i]));
  const char *function = runner->entry ? runner->entry : entry->entry;
  const struct budget limit = conf_budget(conf), none = {0},
                      *used = runner->spending && !mode->rerun ? &runner->spending->used : &none;
  uint64_t chooses = (mode->seed * UINT64_C(0x9e3779b97f4a7c15)) >> 2 | 1;
  json_auto_t *job = json_pack(
      "{s:s, s:s, s:s*, s:I, s:o, s:o, s:I, s:I, s:{s:o, s:o}, s:o}", "problem", problem->name,
      "case", entry->name, "entry", runner->other_lab ? NULL : function, "sets",
      (json_int_t)entry->sets, "dims", dims, "arrays", describe_arrays(problem, entry->dims),
      "memory_bytes", (json_int_t)conf->memory_limit << 20, "seed", (json_int_t)chooses, "budget",
      "limit", budget_to_json(&limit), "used", budget_to_json(used), "options",
      job_options(runner, conf, entry, mode));
  autofree char *text = json_dumps(job, JSON_COMPACT);
  int failed = frame_write(fd, FRAME_JOB, token, text, strlen(text));
  for (int i = 0; i < inputs->sets * inputs->arrays && !failed && !mode->empty; i++)
    failed = frame_write(fd, FRAME_ARRAY, token, inputs->data[i],
                         problem_bytes(problem, i % inputs->arrays, entry->dims));
  if (failed) die("cannot write a job: %s", strerror(errno));
}

/* --- the run --- */

static void keep_copy(const char *directory, const char *name, const char *what, int fd) {
  autofree char *path = xprintf("%s/%s.%s", directory, name, what);
  freed_by(text_free) struct text bytes = {0};
  read_all(fd, SIZE_MAX, &bytes);
  if (!file_try_write(path, text_get(&bytes), bytes.length))
    note("grade: %s: %s", path, strerror(errno));
}

/* A case under way: what its process gets, and what comes back. */
struct attempt {
  int case_index;
  struct inputs inputs;
  struct case_result *result;
};

/* "/home/x/lab1.cu:12" and "lab1.cu:12 (discriminator 3)" to 12. */
static int line_in_cu_file(const char *place) {
  const char *colon = strstr(place, ".cu:"), *end = strchr(place, '\n');
  if (!colon || (end && colon > end)) return 0;
  long line = strtol(colon + 4, NULL, 10);
  return line > 0 && line < 10000000 ? (int)line : 0;
}

/* The line of the first of these addresses that lies in a .cu file, by the program's debug
 * information (addr2line, which comes with the compiler); 0 if there is none, or no addr2line. */
static int locate_line(const char *program, const uint64_t *addresses, int count) {
  enum { MAX = 16 };
  static const char *const paths[] = {"/usr/bin/addr2line", "/usr/local/bin/addr2line"};
  /* In the sandbox: the program, which it takes apart, is the submission's. */
  struct sandbox_path inside = {program, "/grading/runner"};
  struct sandbox sandbox = {.confinement = CONFINE_RUNNER, .paths = &inside, .path_count = 1};
  const char *argv[3 + MAX + 1] = {NULL, "-e", sandbox_inside(&inside)};
  char *words[MAX] = {NULL};
  for (size_t i = 0; i < sizeof paths / sizeof *paths && !argv[0]; i++)
    if (access(paths[i], X_OK) == 0) argv[0] = paths[i];
  if (!argv[0] || count < 1) return 0;
  if (count > MAX) count = MAX;
  for (int i = 0; i < count; i++)
    argv[3 + i] = words[i] = xprintf("0x%llx", (unsigned long long)addresses[i]);

  struct process_end end;
  char *output = process_output((struct process){.argv = argv,
                                                 .sandbox = &sandbox,
                                                 .wall_seconds = 10,
                                                 .memory_bytes = (uint64_t)1 << 30,
                                                 .file_bytes = 1 << 20},
                                &end);
  int line = 0;
  for (const char *at = output; *at && !line; at += strcspn(at, "\n"), at += *at == '\n')
    line = line_in_cu_file(at);
  free(output);
  for (int i = 0; i < count; i++) free(words[i]);
  return line;
}

/* Reads what comes next in the report, which is this case's, and judges it. last: how the process
 * ended is this case's doing, even if its report is complete. */
static void take_result(const struct runner *runner, const struct conf *conf, uint64_t seed,
                        uint64_t token, int report, const struct ends *ends, bool last,
                        const struct attempt *attempt) {
  static const struct ends went_on = {0};
  const struct case_conf *entry = &conf->cases[attempt->case_index];
  struct case_result *result = attempt->result;
  report_read(report, token, conf_family(conf, entry)->problem, entry->dims, (int)entry->sets,
              &result->report);
  for (int i = 0; i < result->report.hazard_count; i++) {
    struct hazard_record *hazard = &result->report.hazards[i];
    if (hazard->line == 0)
      hazard->line = locate_line(runner->path, hazard->addresses, hazard->address_count);
  }
  if (!last && result->report.done) ends = &went_on;
  case_judge(conf, attempt->case_index, attempt->inputs.data, seed, ends, result);
  /* The outputs were checked; nobody needs them again. */
  for (int set = 0; set < result->report.set_count; set++) {
    for (int i = 0; i < PROBLEM_MAX_ARRAYS; i++) {
      free(result->report.sets[set].outputs[i]);
      result->report.sets[set].outputs[i] = NULL;
    }
  }
}

/* Did its calls come back, without an error? Then the process went on to the next case. */
static bool went_on_after(const struct report *report) {
  for (int set = 0; set < report->set_count; set++)
    if (report->sets[set].error) return false;
  return report->done && !report->damaged[0];
}

/* Processor time of the device that no budget comes near: it takes 5 to 60 ns for an instruction,
 * under 1 ns for a byte and 100 us for a call. */
static uint64_t backstop_seconds(const struct conf *conf) {
  struct budget budget = conf_budget(conf);
  return 60 + (uint64_t)((double)budget.instructions * 300e-9 + (double)budget.bytes * 5e-9 +
                         (double)budget.calls * 500e-6);
}

/* Room for what the device may log of transfers (remote/transfer_log.c) with its origins. */
static const uint64_t log_file_bytes = (uint64_t)1 << 30;

static uint64_t random_number(void) {
  uint64_t number;
  random_bytes(&number, sizeof number);
  return number;
}

/* A process that has run: what it was given and what it left. */
struct processed {
  uint64_t token;
  int job, report, output;
  struct ends ends;
};

/* Runs the cases of attempts one after another in one process. */
static void run_jobs(const struct runner *runner, const struct conf *conf,
                     const struct attempt *attempts, int count, const struct mode *mode,
                     struct processed *processed) {
  uint64_t file_bytes = spare_file_bytes + ((uint64_t)conf->output_limit << 20);
  *processed = (struct processed){.token = random_number(),
                                  .job = memory_file("job"),
                                  .report = memory_file("report"),
                                  .output = memory_file("output")};
  for (int i = 0; i < count; i++) {
    const struct case_conf *entry = &conf->cases[attempts[i].case_index];
    write_job(processed->job, processed->token, runner, conf, entry, mode, &attempts[i].inputs);
    file_bytes += (uint64_t)(family_output_bytes(conf_family(conf, entry), entry->dims) *
                             (double)entry->sets);
  }
  lseek(processed->job, 0, SEEK_SET);
  double cpu_left = (double)conf->cpu_limit;
  if (runner->spending && !mode->rerun) cpu_left -= runner->spending->cpu_seconds;
  bool unlimited = getenv("KIT_NO_AS_LIMIT") != NULL;
  struct execution execution = {
      .job = processed->job,
      .report = processed->report,
      .output = processed->output,
      .sleep_seconds = (double)conf->sleep_limit,
      .memory_bytes = unlimited || runner->on_gpu ? 0 : (uint64_t)conf->memory_limit << 20,
      .report_bytes = file_bytes,
      .log_bytes = mode->transfers ? log_file_bytes : 0,
      .cpu_seconds = cpu_left > 1 ? (uint64_t)cpu_left : 1,
      .device_cpu_seconds = backstop_seconds(conf),
      .threads = (uint64_t)conf->thread_limit,
      .confined = !unlimited,
  };
  int turn = runner->on_gpu ? turn_take(TURN_FILE, TURN_SHARED) : -1;
  execute(runner, &execution, &processed->ends);
  turn_end(turn);
  lseek(processed->report, 0, SEEK_SET);
}

static void free_processed(struct processed *processed) {
  free(processed->ends.device_fault);
  close(processed->job);
  close(processed->report);
  close(processed->output);
}

/* --- was it the kernels? --- */

/* Runs the cases again, with other inputs, for their logs of transfers; those of cases that it did
 * not come to stay empty. */
static void rerun(const struct runner *runner, const struct conf *conf, uint64_t seed,
                  const struct attempt *attempts, int count, const struct mode *mode,
                  struct transfers *logs) {
  autofree struct attempt *again = xcalloc((size_t)count, sizeof *again);
  struct processed processed;
  for (int i = 0; i < count; i++) {
    again[i].case_index = attempts[i].case_index;
    if (!mode->empty) make_inputs(conf, &conf->cases[again[i].case_index], ~seed, &again[i].inputs);
  }
  run_jobs(runner, conf, again, count, mode, &processed);
  for (int i = 0; i < count; i++)
    if (!report_read_transfers(processed.report, processed.token, &logs[i])) break;
  for (int i = 0; i < count; i++) free_inputs(&again[i].inputs);
  free_processed(&processed);
}

static char *fault_of(const struct conf *conf, const struct attempt *attempt,
                      const struct transfers *second, int *line) {
  const struct case_conf *entry = &conf->cases[attempt->case_index];
  return provenance_fault(conf_family(conf, entry), entry->dims, &attempt->result->report.transfers,
                          second, line);
}

/* A right case in which it was not kernels that computed is wrong. Without kernels, the second run
 * costs next to nothing; what it cannot explain must also be inexplicable in one with kernels. */
static void check_provenance(const struct runner *runner, const struct conf *conf, uint64_t seed,
                             struct attempt *attempts, int count, uint64_t key) {
  bool dry = true, empty = true, doubt = false;
  for (int i = 0; i < count; i++) {
    const struct transfers *first = &attempts[i].result->report.transfers;
    dry = dry && !provenance_needs_kernels(first);
    empty = empty && !provenance_needs_inputs(first);
  }
  do {
    autofree struct transfers *logs = xcalloc((size_t)count, sizeof *logs);
    const struct mode mode = {
        .seed = seed, .transfers = key, .rerun = dry ? "dry" : "full", .empty = dry && empty};
    rerun(runner, conf, seed, attempts, count, &mode, logs);
    doubt = false;
    for (int i = 0; i < count; i++) {
      struct case_result *result = attempts[i].result;
      int line;
      autofree char *fault =
          result->state == CASE_RIGHT ? fault_of(conf, &attempts[i], &logs[i], &line) : NULL;
      doubt = doubt || (fault && dry);
      const struct case_conf *entry = &conf->cases[attempts[i].case_index];
      result->undecided =
          provenance_undecided(conf_family(conf, entry), entry->dims, &result->report.transfers);
      if (fault && !dry) {
        autofree char *place = line ? xprintf("line %d: ", line) : xstrdup("");
        case_fail(result, "host", STOP_NOTHING,
                  "%s%s. Only what kernels compute from inputs on the device counts", place, fault);
        result->line = line;
      }
      transfers_free(&logs[i]);
    }
    dry = false;
  } while (doubt);
}

/* Runs cases one after another in one process, and judges those that it came to, in order. Returns
 * how many that are. */
static int run_process(const struct runner *runner, const struct conf *conf, uint64_t seed,
                       struct attempt *attempts, int count) {
  struct processed processed;
  bool fails = conf->cases[attempts[0].case_index].fail; /* then its results do not matter */
  const struct mode mode = {
      .seed = seed, .transfers = runner->provenance && !fails ? random_number() >> 2 | 1 : 0};
  for (int i = 0; i < count; i++) {
    memset(attempts[i].result, 0, sizeof *attempts[i].result);
    make_inputs(conf, &conf->cases[attempts[i].case_index], seed, &attempts[i].inputs);
  }
  run_jobs(runner, conf, attempts, count, &mode, &processed);
  if (runner->keep) {
    const char *name = conf->cases[attempts[0].case_index].name;
    keep_copy(runner->keep, name, "job", processed.job);
    keep_copy(runner->keep, name, "report", processed.report);
    keep_copy(runner->keep, name, "output", processed.output);
  }
  int judged = 0;
  if (runner->spending) runner->spending->cpu_seconds += processed.ends.runner.cpu_seconds;
  bool any_right = false;
  for (bool more = true; more && judged < count; judged++) {
    struct case_result *result = attempts[judged].result;
    if (judged == 0) {
      read_all(processed.output, OUTPUT_KEPT, &result->output);
    } else { /* the one that it came to last has it */
      struct text *before = &attempts[judged - 1].result->output;
      result->output = *before;
      *before = (struct text){0};
      result->output_since = conf->cases[attempts[0].case_index].name;
    }
    take_result(runner, conf, seed, processed.token, processed.report, &processed.ends,
                judged == count - 1, &attempts[judged]);
    any_right |= result->state == CASE_RIGHT;
    more = went_on_after(&result->report);
    if (runner->spending && result->report.used.calls) runner->spending->used = result->report.used;
  }
  for (int i = 0; i < count; i++) free_inputs(&attempts[i].inputs);
  free_processed(&processed);
  if (mode.transfers && any_right)
    check_provenance(runner, conf, seed, attempts, judged, mode.transfers);
  for (int i = 0; i < judged; i++) transfers_free(&attempts[i].result->report.transfers);
  return judged;
}

void run_case(const struct runner *runner, const struct conf *conf, int case_index, uint64_t seed,
              struct case_result *result) {
  run_process(runner, conf, seed, &(struct attempt){.case_index = case_index, .result = result}, 1);
}

int run_some(const struct runner *runner, const struct conf *conf, const int *cases, int count,
             uint64_t seed, struct case_result *results) {
  autofree struct attempt *attempts = xcalloc((size_t)count, sizeof *attempts);
  for (int i = 0; i < count; i++)
    attempts[i] = (struct attempt){.case_index = cases[i], .result = &results[cases[i]]};
  int judged = run_process(runner, conf, seed, attempts, count);
  for (int i = 1; i < judged; i++) { /* the first found a fresh process */
    const struct case_result *result = &results[cases[i]];
    if (result->state == CASE_RIGHT) continue;
    if (result->kind && strcmp(result->kind, "budget") == 0) continue; /* there is none left */
    case_free(&results[cases[i]]);
    run_case(runner, conf, cases[i], seed, &results[cases[i]]);
  }
  return judged;
}

int run_group(const struct conf *conf, const int *cases, int count) {
  double bytes = 0;
  for (int i = 0; i < count; i++) {
    const struct case_conf *entry = &conf->cases[cases[i]];
    bytes += family_bytes(conf_family(conf, entry), entry->dims) * (double)entry->sets;
    bool alike = entry->hidden == conf->cases[cases[0]].hidden && !entry->fail &&
                 !conf->cases[cases[0]].fail;
    if (i > 0 && (bytes > GROUP_BYTES || !alike)) return i;
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
  report_free(&result->report);
  text_free(&result->output);
  memset(result, 0, sizeof *result);
}
