/* judge.c: what became of a case: how its process ended, whether its outputs are right, and what
 * that means for other cases. */
#include "grader/run/run.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grader/run/execute.h"

bool case_fail(struct case_result *result, const char *kind, enum case_stop stop,
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

/* With a hazard's message for the reason: "line 17: oob: MESSAGE"; no title if it is NULL. */
static bool judge_by_hazard(struct case_result *result, const char *kind, enum case_stop stop,
                            const struct hazard_record *hazard, const char *title,
                            const char *after) {
  autofree char *line = hazard->line ? xprintf("line %d: ", hazard->line) : xstrdup("");
  case_fail(result, kind, stop, "%s%s%s%s%s", line, title ? title : "", title ? ": " : "",
            hazard->message, after);
  result->quoted = hazard;
  return true;
}

/* The worst hazard that is no warning and may explain what went wrong, or NULL. */
static const struct hazard_record *worst_hazard(const struct report *report) {
  const struct hazard_record *worst = NULL;
  for (int i = 0; i < report->hazard_count; i++) {
    const struct hazard_record *hazard = &report->hazards[i];
    if (hazard->warning || !hazard_kind_affects_results(hazard->kind)) continue;
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
  case_fail(
      result, "protocol", STOP_LARGER,
      "%s; but the model solution runs well in this case: a submission must not call exit(), use "
      "up "
      "the memory, or close, write or replace descriptors that it has not opened",
      words);
}

/* Was the process ended, or did it do what it must not? True: there is nothing to judge beyond. */
static bool judge_end(const struct conf *conf, const struct ends *ends,
                      struct case_result *result) {
  const struct report *report = &result->report;
  const struct process_end *end = &ends->runner;
  const char *text = text_get(&result->output), *line = kit_line(&result->output);
  const struct hazard_record *budget = reported(report, "budget");
  freed_by(text_free) struct text words = {0};
  if (end->start_error) {
    text_add_printable(&words, text, strcspn(text, "\n"), true);
    return case_fail(result, NULL, STOP_ALL, "the runner cannot be started: %s%s%s",
                     strerror(end->start_error), words.length ? ": " : "", text_get(&words));
  }
  if (ends->device_fault && !report->done) {
    result->claimed = true; /* a submission may have brought it about */
    return case_fail(result, NULL, STOP_LARGER, "%s", ends->device_fault);
  }
  if (budget && !report->done) return judge_by_hazard(result, "budget", STOP_ALL, budget, NULL, "");
  if (report->broken)
    return case_fail(result, "protocol", STOP_LARGER, "the device broke off: %s", report->broken);
  if (ends->cut_off && !report->done)
    return case_fail(
        result, "protocol", STOP_LARGER,
        "the program closed what connects it to the device; a submission must not close "
        "descriptors that are not its own");
  if (end->exit_code == 2 && line) {
    text_add_printable(&words, line + 4, strcspn(line + 4, "\n"), true);
    result->claimed = true;
    return case_fail(result, NULL, STOP_LARGER, "the runner reports:%s", text_get(&words));
  }
  if (ends->device_spent)
    return case_fail(result, "budget", STOP_ALL,
                     "its kernels keep the simulator busy far longer than the lab's budget should "
                     "allow");
  if (ends->host_spent)
    return case_fail(
        result, "budget", STOP_ALL,
        "its host code has used up the %ld s of processor time that it has for all cases "
        "together. Does a loop on the host never end? If it is only slow, let kernels do "
        "the work",
        conf->cpu_limit);
  if (end->timed_out)
    return case_fail(
        result, "timeout", STOP_ALL,
        "it slept for %ld s: neither its host code nor a kernel had anything to do. Look "
        "for what it waits for: a sleep, input, a lock, a thread that has ended",
        conf->sleep_limit);
  return false;
}

/* The last line that the program printed, as a clause that follows; "" if it printed none. The
 * caller's. */
static char *last_words(const struct text *output) {
  enum { QUOTED = 160 };
  const char *text = text_get(output), *end = text + output->length;
  while (end > text && (end[-1] == '\n' || end[-1] == ' ')) end--;
  const char *line = end;
  while (line > text && line[-1] != '\n') line--;
  size_t length = (size_t)(end - line);
  freed_by(text_free) struct text clean = {0};
  text_add_printable(&clean, line, length > QUOTED ? QUOTED : length, true);
  return clean.length ? xprintf("; the last line that it printed: \"%s\"", clean.data)
                      : xstrdup("");
}

/* A function that does all that there is to do checks its calls, and may end the program by exit()
 * or abort(): this says no more about other cases than a wrong result. */
static bool may_have_ended_itself(const struct problem *problem, const struct process_end *end) {
  return problem->on_host && (!end->signal || end->signal == SIGABRT);
}

/* Did the process end by itself before its calls were over? Then that is the judgement. */
static bool judge_death(const struct conf *conf, const struct case_conf *entry,
                        const struct ends *ends, struct case_result *result) {
  const struct report *report = &result->report;
  const struct process_end *end = &ends->runner;
  const char *text = text_get(&result->output);
  const struct hazard_record *crash = reported(report, "crash"), *exit = reason_to_exit(report);
  bool itself = may_have_ended_itself(conf_family(conf, entry)->problem, end);
  enum case_stop stop = itself ? STOP_NOTHING : STOP_LARGER;
  autofree char *last = last_words(&result->output);
  if (end->signal == SIGXFSZ)
    return case_fail(result, "crash", STOP_LARGER, "%s", signal_in_words(SIGXFSZ));
  if (end->signal && strstr(text, "std::bad_alloc"))
    return case_fail(result, "memory", STOP_LARGER,
                     "it asked for more memory than there is (limit: %ld MiB)", conf->memory_limit);
  if (end->signal && crash) return judge_by_hazard(result, "crash", stop, crash, NULL, "");
  if (end->signal)
    return case_fail(result, "crash", stop, "%s (signal %d)%s", signal_in_words(end->signal),
                     end->signal, end->signal == SIGABRT ? last : "");
  if (report->damaged[0])
    return case_fail(result, "protocol", STOP_LARGER, "the program's report is damaged: %s",
                     report->damaged);
  if (report->done) return false;
  if (!report->forged && exit)
    return judge_by_hazard(result, itself ? "exit" : "protocol", stop, exit,
                           hazard_kind_title(exit->kind), " The program then exited.");
  if (!report->forged && itself)
    return case_fail(result, "exit", stop,
                     "the program ended itself with status %d before %s returned%s", end->exit_code,
                     conf_function(conf, entry), last);
  return case_fail(
      result, "protocol", STOP_LARGER,
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

static uint64_t stored_bytes(const struct launch_record *launch) {
  return launch->launches ? launch->counters.value[COUNTER_global_store_bytes] / launch->launches
                          : 0;
}

/* The time of the call's shortest launch, of those that store at least half as much as any other:
 * not one that does next to nothing. Whoever warms up times some of the launches, whoever takes a
 * mean divides by their number. */
static double shortest_launch(const struct report *report, int set) {
  double shortest = (double)report->sets[set].totals.time_ns;
  uint64_t most = 0;
  for (int i = 0; i < report->launch_count; i++)
    if (report->launches[i].set == set && stored_bytes(&report->launches[i]) > most)
      most = stored_bytes(&report->launches[i]);
  for (int i = 0; i < report->launch_count; i++) {
    const struct launch_record *launch = &report->launches[i];
    if (launch->set == set && launch->launches && stored_bytes(launch) >= most / 2)
      shortest = fmin(shortest, (double)launch->time_ns / (double)launch->launches);
  }
  return shortest;
}

/* What is wrong with the time that a call reports for all its work; NULL: nothing. The caller's. */
static char *work_time_fault(const char *name, double ns, double events_ns,
                             const struct overlap *overlap) {
  static const double below = 0.97, above = 1.05, host_ns = 15000, record_ns = 1500;
  double work = overlap->total * 1e3, longest = work * above + host_ns;
  bool between_events = ns <= events_ns * above + record_ns;
  if (ns >= work * below && ns <= longest && between_events) return NULL;
  const char *why;
  if (ns < 0)
    why = "the events are the wrong way round";
  else if (ns * 1e3 >= work * below && ns * 1e3 <= longest)
    why = "it is in seconds";
  else if (ns / 1e3 >= work * below && ns / 1e3 <= longest)
    why = "it is in microseconds";
  else if (!between_events)
    why = "no two events that were recorded lie so far apart";
  else if (ns < work)
    why =
        "some of the work does not lie between the two events. An event happens when all work "
        "before it in its stream has ended: record the first before any copy or kernel, the "
        "second behind the last, in a stream that waits for all of them";
  else
    why =
        "more than the work lies between the two events. Allocate before the first and free "
        "behind the second";
  return xprintf(
      "%s is %.4g, but from the first copy or kernel to the end of the last it took "
      "%.4g ms: %s",
      name, ns / 1e6, work / 1e6, why);
}

/* What is wrong with the time that a call reports, which must be that of its kernels, of one of
 * them at least, and lie between events; NULL: nothing. On a GPU only the time of the whole call is
 * known. The caller's. */
static char *elapsed_fault(const struct problem *problem, const struct report *report, int set,
                           const struct overlap *overlap) {
  const struct set_record *record = &report->sets[set];
  static const double below = 0.98, above = 1.05;
  /* What lies between two events beside a kernel: their own records, and the call that launches it,
   * if nothing else keeps the device busy meanwhile. */
  static const double record_ns = 1500, launch_ns = 7000;
  const float *elapsed = record->outputs[problem->elapsed - 1];
  const char *name = problem->arrays[problem->input_count + problem->elapsed - 1].name;
  double call = (double)record->time_ns, kernels = (double)record->totals.time_ns;
  double ns = elapsed ? (double)*elapsed * 1e6 : (double)NAN;
  if (isnan(ns)) return xprintf("%s was never written", name);
  if (!record->has_totals && ns > 0 && ns <= call * above) return NULL;
  if (!record->has_totals)
    return xprintf("%s is %.4g, but the call took %.4g ms in all", name, ns / 1e6, call / 1e6);
  if (overlap) return work_time_fault(name, ns, (double)record->events_ns, overlap);
  double shortest = shortest_launch(report, set) * below,
         longest = kernels * above + record_ns + launch_ns * (double)record->totals.launches;
  bool between_events = ns <= (double)record->events_ns * above + record_ns;
  if (ns >= shortest && ns <= longest && between_events) return NULL;
  const char *why;
  if (ns < 0)
    why = "the events are the wrong way round: cudaEventElapsedTime(&ms, start, stop)";
  else if (ns * 1e3 >= shortest && ns * 1e3 <= longest)
    why = "it is in seconds";
  else if (ns / 1e3 >= shortest && ns / 1e3 <= longest)
    why = "it is in microseconds";
  else if (ns < shortest && ns <= record_ns)
    why = "nothing lies between the two events";
  else if (!between_events)
    why =
        "no two events that were recorded lie so far apart. Record one right before the launch and "
        "one right behind it";
  else if (ns < shortest)
    why = "the kernel does not lie between the two events";
  else
    why = "copies, or other work, lie between the two events, too";
  return xprintf("%s is %.4g, but the kernel took %.4g ms: %s", name, ns / 1e6, kernels / 1e6, why);
}

/* The outputs of each set, and the errors of each call. */
static void judge_sets(const struct conf *conf, const struct case_conf *entry, void *const *inputs,
                       uint64_t seed, struct case_result *result) {
  const struct family *family = conf_family(conf, entry);
  const struct problem *problem = family->problem;
  for (int set = 0; set < result->report.set_count; set++) {
    const struct set_record *record = &result->report.sets[set];
    freed_by(text_free) struct text where = {0};
    if (set > 0) text_add(&where, " (call %d of %d)", set + 1, result->report.set_count);
    struct finding finding = {0};
    if (record->error) {
      const struct hazard_record *hazard = worst_hazard(&result->report);
      bool memory = strcmp(record->error, "cudaErrorMemoryAllocation") == 0;
      /* A copy that failed explains what kernels find afterwards, not the other way round. */
      bool api = (memory || strcmp(record->error, "cudaErrorInvalidValue") == 0) &&
                 is_memory_function(record->error_from);
      if (hazard && !api) {
        autofree char *line = hazard->line ? xprintf(", line %d", hazard->line) : xstrdup("");
        case_fail(result, "wrong", STOP_NOTHING, "%s%s%s: %s", record->error, text_get(&where),
                  line, hazard->message);
        result->quoted = hazard;
      } else {
        case_fail(result, memory ? "memory" : "wrong", STOP_NOTHING, "%s %s%s%s%s",
                  record->returned ? "the function returned" : "the call left", record->error,
                  text_get(&where), record->message ? ": " : "",
                  record->message ? record->message : "");
      }
    } else if (!family->check(entry->dims, (const void *const *)inputs + set * problem->input_count,
                              (const void *const *)record->outputs, seed + (uint64_t)set,
                              &finding)) {
      bool same = set > 0 && result->report.sets[set - 1].outputs[0] &&
                  memcmp(record->outputs[0], result->report.sets[set - 1].outputs[0],
                         problem_bytes(problem, problem->input_count, entry->dims)) == 0;
      autofree char *gap =
          finding.unwritten ? coverage_describe(problem, entry->dims, &result->report, set) : NULL;
      bool own = !gap && finding.explains == EXPLAINS_NOTHING && lacks_shared(&result->report, set);
      if (own) finding.explains = EXPLAINS_RESULTS;
      case_fail(
          result, "wrong", STOP_NOTHING, "%s%s%s%s", gap ? gap : finding.text, text_get(&where),
          own ? "; the kernel waits at barriers, but its arrays are each thread's own: is "
                "__shared__ missing?"
              : "",
          same ? "; it is the result of the previous call, but the inputs are different" : "");
      result->explains = gap ? EXPLAINS_RESULTS : finding.explains;
    }
    const struct overlap *work = entry->elapsed == ELAPSED_WORK ? &result->totals.overlap : NULL;
    bool asked = entry->elapsed && (set == 0 || !work); /* only the first call has a timeline */
    autofree char *late =
        asked && !result->reason ? elapsed_fault(problem, &result->report, set, work) : NULL;
    if (late) case_fail(result, "wrong", STOP_NOTHING, "%s%s", late, text_get(&where));
    if (result->reason) return;
  }
  result->state = CASE_RIGHT;
}

/* A function that works on the host's memory has the harness's copies around it, which are none of
 * its work; and it takes as long as its work does. */
static void add_timeline(const struct family *family, const long *dims,
                         struct case_result *result) {
  const struct problem *problem = family->problem;
  const json_t *trace = result->report.set_count ? result->report.sets[0].timeline : NULL;
  if (!trace || !json_object_get(trace, "traceEvents")) return;
  struct spans *spans = &result->spans;
  spans_read(trace, spans);
  if (problem->on_host) spans_leave_out_harness(spans, problem->input_count, problem->output_count);
  result->totals.timeline = true;
  result->totals.overlap = overlap_of(spans);
  result->totals.overlap.result = family_output_bytes(family, dims);
  if (problem->on_host) result->totals.time_ns = (uint64_t)(result->totals.overlap.total * 1e3);
}

/* Of the first call; of one that did not come back, of the launches that were reported. */
static void add_totals(const struct family *family, const long *dims, struct case_result *result) {
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
  add_timeline(family, dims, result);
}

void case_judge(const struct conf *conf, int case_index, void *const *inputs, uint64_t seed,
                const struct ends *ends, struct case_result *result) {
  const struct case_conf *entry = &conf->cases[case_index];
  const struct family *family = conf_family(conf, entry);
  add_totals(family, entry->dims, result);
  result->totals.textbook_load_bytes = family_textbook_loads(family, entry->dims);
  result->totals.operations = family_operations(family, entry->dims);
  result->totals.textbook_store_bytes = family_output_bytes(family, entry->dims);
  bool judged = judge_end(conf, ends, result) ||
                (entry->fail && case_judge_failure(conf, entry, ends, result)) ||
                judge_death(conf, entry, ends, result);
  if (!judged) judge_sets(conf, entry, inputs, seed, result);
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
}

/* --- what it means for other cases --- */

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
      case_fail(result, "host", STOP_NOTHING, "%s (in case %s)", other->reason,
                conf->cases[j].name);
      result->line = other->line;
    }
  }
}

static const char *what_happened(const struct case_result *result) {
  if (!result->kind) return "failed";
  if (result->report.damaged[0]) return "damaged its report";
  if (strcmp(result->kind, "crash") == 0) return "crashed";
  if (strcmp(result->kind, "memory") == 0) return "ran out of memory";
  if (strcmp(result->kind, "protocol") == 0 || strcmp(result->kind, "exit") == 0) return "exited";
  return strcmp(result->kind, "budget") == 0 ? "used up its budget" : "hung";
}

/* The case for which this one is left out: after a hang all are, after a crash those of the same
 * function that are no smaller. -1: none. */
static int stopped_by(const struct conf *conf, int case_index, const struct case_result *results) {
  const struct case_conf *own = &conf->cases[case_index];
  int larger = -1;
  for (int i = 0; i < conf->case_count; i++) {
    if (results[i].stop == STOP_ALL) return i;
    if (results[i].stop == STOP_LARGER && same_function(&conf->cases[i], own) &&
        case_work(conf, case_index) >= case_work(conf, i) &&
        (larger < 0 || case_work(conf, i) < case_work(conf, larger)))
      larger = i;
  }
  return larger;
}

int cases_left(const struct conf *conf, int *cases, int count, int judged,
               struct case_result *results) {
  int left = 0;
  for (int i = judged; i < count; i++) {
    int by = stopped_by(conf, cases[i], results);
    if (by < 0)
      cases[left++] = cases[i];
    else
      results[cases[i]] = (struct case_result){
          .state = CASE_NOT_RUN,
          .reason = xprintf("not run, because the program %s in case %s",
                            what_happened(&results[by]), conf->cases[by].name)};
  }
  return left;
}
