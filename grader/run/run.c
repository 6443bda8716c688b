/* run.c: runs cases and judges what came back.
 *
 * The job goes down and the report comes up in memory files (exchange.h). The inputs that outputs
 * are checked against are our own copy: what anybody does to the job file does not matter. */
#include "grader/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/run/execute.h"
#include "grader/run/provenance.h"
#include "grader/sandbox/process.h"
#include "harness/base/exchange.h"

enum { OUTPUT_KEPT = 64 << 10, GROUP_BYTES = 1 << 20 };
static const uint64_t spare_file_bytes = 64 << 20; /* for launches and hazards beside the arrays */

double case_work(const struct conf *conf, int case_index) {
  double work = 1;
  for (int i = 0; i < conf->family->problem->dim_count; i++)
    work *= (double)conf->cases[case_index].dims[i];
  return work;
}

/* The inputs of all sets: inputs[set][array]. */
struct inputs {
  int sets, arrays;
  void **data;
};

static void make_inputs(const struct conf *conf, const struct case_conf *entry, uint64_t seed,
                        struct inputs *inputs) {
  const struct problem *problem = conf->family->problem;
  *inputs = (struct inputs){(int)entry->sets, problem->input_count, NULL};
  inputs->data = xcalloc((size_t)(inputs->sets * inputs->arrays), sizeof *inputs->data);
  uint64_t state = hash_bytes(HASH_START ^ seed, entry->name, strlen(entry->name));
  for (int set = 0; set < inputs->sets; set++) {
    void **arrays = inputs->data + set * inputs->arrays;
    for (int i = 0; i < inputs->arrays; i++)
      arrays[i] = xcalloc(problem_bytes(problem, i, entry->dims), 1);
    conf->family->make_inputs(entry->dims, random_next(&state), arrays);
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

static json_t *job_options(const struct runner *runner, const struct case_conf *entry,
                           const struct mode *mode) {
  json_t *options =
      json_pack("{s:b, s:s*}", "accesses", runner->accesses && entry->show, "rerun", mode->rerun);
  if (mode->transfers)
    json_object_set_new(options, "transfers", json_integer((json_int_t)mode->transfers));
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
  const struct problem *problem = conf->family->problem;
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
      job_options(runner, entry, mode));
  autofree char *text = json_dumps(job, JSON_COMPACT);
  int failed = frame_write(fd, FRAME_JOB, token, text, strlen(text));
  for (int i = 0; i < inputs->sets * inputs->arrays && !failed && !mode->empty; i++)
    failed = frame_write(fd, FRAME_ARRAY, token, inputs->data[i],
                         problem_bytes(problem, i % inputs->arrays, entry->dims));
  if (failed) die("cannot write a job: %s", strerror(errno));
}

/* --- judging --- */

/* Returns true. kind NULL: it is a fault of ours. */
__attribute__((format(printf, 4, 5))) static bool judge(struct case_result *result,
                                                        const char *kind, enum case_stop stop,
                                                        const char *format, ...) {
  va_list args;
  va_start(args, format);
  result->reason = xvprintf(format, args);
  va_end(args);
  result->state = kind ? CASE_WRONG : CASE_ERROR;
  result->kind = kind;
  result->stop = stop;
  return true;
}

/* With a hazard's message for the reason: "line 17: oob: MESSAGE", without a title if it is NULL.
 */
static bool judge_by_hazard(struct case_result *result, const char *kind, enum case_stop stop,
                            const struct hazard_record *hazard, const char *title,
                            const char *after) {
  autofree char *line = hazard->line ? xprintf("line %d: ", hazard->line) : xstrdup("");
  judge(result, kind, stop, "%s%s%s%s%s", line, title ? title : "", title ? ": " : "",
        hazard->message, after);
  result->quoted = hazard;
  return true;
}

/* The worst hazard that is no warning, or NULL. */
static const struct hazard_record *worst_hazard(const struct report *report) {
  const struct hazard_record *worst = NULL;
  for (int i = 0; i < report->hazard_count; i++) {
    const struct hazard_record *hazard = &report->hazards[i];
    if (hazard->warning) continue;
    if (!worst || hazard_kind_rank(hazard->kind) < hazard_kind_rank(worst->kind)) worst = hazard;
  }
  return worst;
}

/* The report's first hazard of a kind, or NULL. */
static const struct hazard_record *reported(const struct report *report, const char *kind) {
  for (int i = 0; i < report->hazard_count; i++)
    if (strcmp(report->hazards[i].kind, kind) == 0) return &report->hazards[i];
  return NULL;
}

/* What may have made a program end itself that checks for errors: a call that failed, or the worst
 * hazard; or NULL. */
static const struct hazard_record *reason_to_exit(const struct report *report) {
  const struct hazard_record *call = reported(report, "call");
  return call ? call : worst_hazard(report);
}

/* The line "kit: ..." by which a runner reports that the fault is ours, or NULL. */
static const char *kit_line(const struct text *output) {
  const char *text = text_get(output);
  if (strncmp(text, "kit:", 4) == 0) return text;
  const char *found = strstr(text, "\nkit:");
  return found ? found + 1 : NULL;
}

void case_blame_program(struct case_result *result) {
  autofree char *words = result->reason;
  result->reason = NULL;
  judge(result, "protocol", STOP_LARGER,
        "%s; but the model solution runs well in this case: a submission must not call exit(), use "
        "up "
        "the memory, or close, write or replace descriptors that it has not opened",
        words);
}

/* How the process ended: true if there is nothing to judge beyond that. */
static bool judge_end(const struct conf *conf, const struct ends *ends,
                      struct case_result *result) {
  const struct report *report = &result->report;
  const struct process_end *end = &ends->runner;
  const char *text = text_get(&result->output), *line = kit_line(&result->output);
  const struct hazard_record *budget = reported(report, "budget"),
                             *crash = reported(report, "crash"), *exit = reason_to_exit(report);
  freed_by(text_free) struct text words = {0};
  if (end->start_error) {
    text_add_printable(&words, text, strcspn(text, "\n"), true);
    return judge(result, NULL, STOP_ALL, "the runner cannot be started: %s%s%s",
                 strerror(end->start_error), words.length ? ": " : "", text_get(&words));
  }
  if (ends->device_fault && !report->done) {
    result->claimed = true; /* a submission may have brought it about */
    return judge(result, NULL, STOP_LARGER, "%s", ends->device_fault);
  }
  if (budget && !report->done) return judge_by_hazard(result, "budget", STOP_ALL, budget, NULL, "");
  if (report->broken)
    return judge(result, "protocol", STOP_LARGER, "the device broke off: %s", report->broken);
  if (ends->cut_off && !report->done)
    return judge(result, "protocol", STOP_LARGER,
                 "the program closed what connects it to the device; a submission must not close "
                 "descriptors that are not its own");
  if (end->exit_code == 2 && line) {
    text_add_printable(&words, line + 4, strcspn(line + 4, "\n"), true);
    result->claimed = true;
    return judge(result, NULL, STOP_LARGER, "the runner reports:%s", text_get(&words));
  }
  if (ends->device_spent)
    return judge(result, "budget", STOP_ALL,
                 "its kernels keep the simulator busy far longer than the lab's budget should "
                 "allow");
  if (ends->host_spent)
    return judge(result, "budget", STOP_ALL,
                 "its host code has used up the %ld s of processor time that it has for all cases "
                 "together. Does a loop on the host never end? If it is only slow, let kernels do "
                 "the work",
                 conf->cpu_limit);
  if (end->timed_out)
    return judge(result, "timeout", STOP_ALL,
                 "it slept for %ld s: neither its host code nor a kernel had anything to do. Look "
                 "for what it waits for: a sleep, input, a lock, a thread that has ended",
                 conf->sleep_limit);
  if (end->signal == SIGXFSZ)
    return judge(result, "crash", STOP_LARGER, "%s", signal_in_words(SIGXFSZ));
  if (end->signal && strstr(text, "std::bad_alloc"))
    return judge(result, "memory", STOP_LARGER,
                 "it asked for more memory than there is (limit: %ld MiB)", conf->memory_limit);
  if (end->signal && crash) return judge_by_hazard(result, "crash", STOP_LARGER, crash, NULL, "");
  if (end->signal)
    return judge(result, "crash", STOP_LARGER, "%s (signal %d)", signal_in_words(end->signal),
                 end->signal);
  if (report->damaged[0])
    return judge(result, "protocol", STOP_LARGER, "the program's report is damaged: %s",
                 report->damaged);
  if (report->done) return false;
  if (!report->forged && exit)
    return judge_by_hazard(result, "protocol", STOP_LARGER, exit, hazard_kind_title(exit->kind),
                           " The program then exited.");
  return judge(result, "protocol", STOP_LARGER,
               "the program exited (status %d) before the call returned%s; a submission must not "
               "call exit() or close descriptors that are not its own",
               end->exit_code,
               report->forged ? ", and what it wrote into the report is not a valid report" : "");
}

/* Did a kernel wait at barriers, and have arrays, but none in shared memory? */
static bool lacks_shared(const struct report *report, int set) {
  for (int i = 0; i < report->launch_count; i++) {
    const uint64_t *value = report->launches[i].counters.value;
    if (report->launches[i].set == set && value[COUNTER_barriers] &&
        value[COUNTER_local_load_inst] &&
        value[COUNTER_shared_load_inst] + value[COUNTER_shared_store_inst] == 0)
      return true;
  }
  return false;
}

/* cudaMalloc, cudaMemcpy, cudaMemset, ..., cudaFree */
static bool is_memory_function(const char *name) {
  return name && (strncmp(name, "cudaM", 5) == 0 || strncmp(name, "cudaFree", 8) == 0);
}

/* The outputs of each set, and the errors of each call. */
static void judge_sets(const struct conf *conf, const struct case_conf *entry,
                       const struct inputs *inputs, uint64_t seed, struct case_result *result) {
  const struct problem *problem = conf->family->problem;
  for (int set = 0; set < inputs->sets; set++) {
    const struct set_record *record = &result->report.sets[set];
    freed_by(text_free) struct text where = {0};
    if (set > 0) text_add(&where, " (call %d of %d)", set + 1, inputs->sets);
    struct finding finding = {0};
    if (record->error) {
      const struct hazard_record *hazard = worst_hazard(&result->report);
      bool memory = strcmp(record->error, "cudaErrorMemoryAllocation") == 0;
      /* A copy that failed explains what kernels find afterwards, not the other way round. */
      bool api = (memory || strcmp(record->error, "cudaErrorInvalidValue") == 0) &&
                 is_memory_function(record->error_from);
      if (hazard && !api) {
        autofree char *line = hazard->line ? xprintf(", line %d", hazard->line) : xstrdup("");
        judge(result, "wrong", STOP_NOTHING, "%s%s%s: %s", record->error, text_get(&where), line,
              hazard->message);
        result->quoted = hazard;
      } else {
        judge(result, memory ? "memory" : "wrong", STOP_NOTHING, "the call left %s%s%s%s",
              record->error, text_get(&where), record->message ? ": " : "",
              record->message ? record->message : "");
      }
    } else if (!conf->family->check(
                   entry->dims, (const void *const *)inputs->data + set * inputs->arrays,
                   (const void *const *)record->outputs, seed + (uint64_t)set, &finding)) {
      bool same = set > 0 && result->report.sets[set - 1].outputs[0] &&
                  memcmp(record->outputs[0], result->report.sets[set - 1].outputs[0],
                         problem_bytes(problem, problem->input_count, entry->dims)) == 0;
      autofree char *gap =
          finding.unwritten ? coverage_describe(problem, entry->dims, &result->report, set) : NULL;
      bool own = !gap && finding.explains == EXPLAINS_NOTHING && lacks_shared(&result->report, set);
      if (own) finding.explains = EXPLAINS_RESULTS;
      judge(result, "wrong", STOP_NOTHING, "%s%s%s%s", gap ? gap : finding.text, text_get(&where),
            own ? "; the kernel waits at barriers, but its arrays are each thread's own: is "
                  "__shared__ missing?"
                : "",
            same ? "; it is the result of the previous call, but the inputs are different" : "");
      result->explains = gap ? EXPLAINS_RESULTS : finding.explains;
    }
    if (result->reason) return;
  }
  result->state = CASE_RIGHT;
}

/* Of the first call; of one that did not come back, of the launches that were reported. */
static void add_totals(struct case_result *result) {
  bool summed = result->report.sets[0].has_totals;
  if (summed) result->totals = result->report.sets[0].totals;
  for (int i = 0; i < result->report.launch_count && !summed; i++) {
    const struct launch_record *launch = &result->report.launches[i];
    if (launch->set != 0) continue;
    result->totals.launches += launch->launches;
    result->totals.time_ns += launch->time_ns;
    for (int c = 0; c < COUNTERS; c++)
      result->totals.counters.value[c] += launch->counters.value[c];
  }
  /* A call that copies or fills, too, takes longer than its kernels. */
  uint64_t call = result->report.sets[0].time_ns;
  if (result->totals.launches && call > result->totals.time_ns) result->totals.time_ns = call;
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

/* Reads what comes next in the report, which is this case's, and judges it. last: how the process
 * ended is this case's doing, even if its report is complete. */
static void take_result(const struct runner *runner, const struct conf *conf, uint64_t seed,
                        uint64_t token, int report, const struct ends *ends, bool last,
                        const struct attempt *attempt) {
  static const struct ends went_on = {0};
  const struct case_conf *entry = &conf->cases[attempt->case_index];
  struct case_result *result = attempt->result;
  report_read(report, token, conf->family->problem, entry->dims, (int)entry->sets, &result->report);
  for (int i = 0; i < result->report.hazard_count; i++) {
    struct hazard_record *hazard = &result->report.hazards[i];
    if (hazard->line == 0)
      hazard->line = locate_line(runner->path, hazard->addresses, hazard->address_count);
  }
  add_totals(result);
  result->totals.textbook_load_bytes = conf->family->textbook_loads(entry->dims);
  result->totals.textbook_store_bytes = family_output_bytes(conf->family, entry->dims);
  if (!last && result->report.done) ends = &went_on;
  if (!judge_end(conf, ends, result)) judge_sets(conf, entry, &attempt->inputs, seed, result);

  for (int i = 0; i < result->report.hazard_count && result->state != CASE_ERROR; i++) {
    const struct hazard_record *hazard = &result->report.hazards[i];
    bool over = strcmp(hazard->kind, "timeout") == 0 || strcmp(hazard->kind, "budget") == 0;
    if (over && result->stop == STOP_NOTHING) result->stop = STOP_ALL;
    /* The simulator's limit: this case earns nothing here, and others what they earn. */
    if (strcmp(hazard->kind, "unsupported") == 0 && result->state == CASE_WRONG) {
      free(result->reason);
      judge_by_hazard(result, "unsupported", STOP_NOTHING, hazard, NULL, "");
      result->line = hazard->line;
    }
  }
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
    file_bytes += (uint64_t)(family_output_bytes(conf->family, entry->dims) * (double)entry->sets);
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
  return provenance_fault(conf->family, conf->cases[attempt->case_index].dims,
                          &attempt->result->report.transfers, second, line);
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
      result->undecided = provenance_undecided(
          conf->family, conf->cases[attempts[i].case_index].dims, &result->report.transfers);
      if (fault && !dry) {
        autofree char *place = line ? xprintf("line %d: ", line) : xstrdup("");
        judge(result, "host", STOP_NOTHING,
              "%s%s. Only what kernels compute from inputs on the device counts", place, fault);
        result->line = line;
      }
      transfers_free(&logs[i]);
    }
    dry = false;
  } while (doubt);
}

static bool same_function(const struct case_conf *a, const struct case_conf *b) {
  return a->entry == b->entry || (a->entry && b->entry && strcmp(a->entry, b->entry) == 0);
}

void cases_decide(const struct conf *conf, struct case_result *results) {
  for (int i = 0; i < conf->case_count; i++) {
    struct case_result *result = &results[i];
    for (int j = 0; j < conf->case_count && result->state == CASE_RIGHT && result->undecided; j++) {
      const struct case_result *other = &results[j];
      if (!other->kind || strcmp(other->kind, "host") != 0 ||
          !same_function(&conf->cases[i], &conf->cases[j]))
        continue;
      judge(result, "host", STOP_NOTHING, "%s (in case %s)", other->reason, conf->cases[j].name);
      result->line = other->line;
    }
  }
}

/* Runs cases one after another in one process, and judges those that it came to, in order. Returns
 * how many that are. */
static int run_process(const struct runner *runner, const struct conf *conf, uint64_t seed,
                       struct attempt *attempts, int count) {
  struct processed processed;
  const struct mode mode = {.seed = seed,
                            .transfers = runner->provenance ? random_number() >> 2 | 1 : 0};
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
    if (judged == 0) read_all(processed.output, OUTPUT_KEPT, &result->output);
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
    bytes += family_bytes(conf->family, entry->dims) * (double)entry->sets;
    if (i > 0 && (bytes > GROUP_BYTES || entry->hidden != conf->cases[cases[0]].hidden)) return i;
  }
  return count;
}

/* --- cases left out --- */

static const char *what_happened(const struct case_result *result) {
  if (!result->kind) return "failed";
  if (result->report.damaged[0]) return "damaged its report";
  if (strcmp(result->kind, "crash") == 0) return "crashed";
  if (strcmp(result->kind, "memory") == 0) return "ran out of memory";
  if (strcmp(result->kind, "protocol") == 0) return "exited";
  return strcmp(result->kind, "budget") == 0 ? "used up its budget" : "hung";
}

static void note_stop(struct stops *stops, const struct conf *conf, int case_index,
                      const struct case_result *results) {
  enum case_stop stop = results[case_index].stop;
  if (stop == STOP_ALL && stops->all < 0) stops->all = case_index;
  if (stop == STOP_LARGER &&
      (stops->larger < 0 || case_work(conf, case_index) < case_work(conf, stops->larger)))
    stops->larger = case_index;
}

static bool left_out(const struct stops *stops, const struct conf *conf, int case_index,
                     struct case_result *results) {
  int by = stops->all;
  if (by < 0 && stops->larger >= 0 && case_work(conf, case_index) >= case_work(conf, stops->larger))
    by = stops->larger;
  if (by < 0) return false;
  results[case_index] =
      (struct case_result){.state = CASE_NOT_RUN,
                           .reason = xprintf("not run, because the program %s in case %s",
                                             what_happened(&results[by]), conf->cases[by].name)};
  return true;
}

int stops_advance(struct stops *stops, const struct conf *conf, int *cases, int count, int judged,
                  struct case_result *results) {
  int left = 0;
  for (int i = 0; i < judged; i++) note_stop(stops, conf, cases[i], results);
  for (int i = judged; i < count; i++)
    if (!left_out(stops, conf, cases[i], results)) cases[left++] = cases[i];
  return left;
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
