/* sizing.c: measures a file over sizes of its problem, and beside it the solutions of its lab and
 * of its lab's baseline, and this machine's CPU.
 *
 * Every size is a case of a copy of the lab's conf. On the simulator each line is run by itself; on
 * a GPU the file is run and checked, and then all three are timed in one process, in turn. */
#include "grader/grading/grading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/base/screen.h"
#include "grader/grading/reference.h"
#include "grader/run/cpu.h"

struct sizing {
  const struct kit *kit;
  const char *work;
  struct sizes *sizes;
  struct lab lab;                   /* as the file's, but for its cases: one for each size */
  const struct family *family;      /* of the function's problem */
  char *runner, *inside, *baseline; /* the runner, where it runs; the baseline's function */
  bool solutions;                   /* they are here */
  int own, of_baseline, model;      /* indices of lines; -1: there is none */
  bool hazards;                     /* the file has some at any size */
  long failed_at;                   /* the size at which it failed so that it is run no more; 0 */
  char *condition;                  /* the GPU's that was noted last; or NULL */
};

/* --- cases --- */

static void open_sizing(const struct kit *kit, const char *work, struct sizes *sizes,
                        struct sizing *sizing) {
  const struct conf *conf = &sizes->lab->conf;
  const struct case_conf *like = &conf->cases[sizes->case_index];
  *sizing = (struct sizing){.kit = kit,
                            .work = work,
                            .sizes = sizes,
                            .lab = *sizes->lab,
                            .family = conf_family(conf, like),
                            .runner = xprintf("%s/%srunner", work, sizes->on_gpu ? "gpu-" : ""),
                            .inside = xprintf("%s/run", work),
                            .solutions = lab_has_solution(sizes->lab),
                            .own = -1,
                            .of_baseline = -1,
                            .model = -1};
  struct case_conf *cases = xcalloc((size_t)sizes->count, sizeof *cases);
  for (int i = 0; i < sizes->count; i++) {
    cases[i] = (struct case_conf){.name = xprintf("%s-size-%ld", like->name, sizes->values[i]),
                                  .sets = 1,
                                  .entry = like->entry};
    sizes_dims(conf, sizes->case_index, sizes->values[i], cases[i].dims);
  }
  sizing->lab.conf.cases = cases;
  sizing->lab.conf.case_count = sizes->count;
  sizing->lab.conf.instruction_budget = sizing->lab.conf.copy_budget = 0; /* from these cases */
  if (mkdir(sizing->inside, 0700) != 0) die("%s: %s", sizing->inside, strerror(errno));
}

static void close_sizing(struct sizing *sizing) {
  for (int i = 0; i < sizing->sizes->count; i++) free(sizing->lab.conf.cases[i].name);
  free_all(sizing->lab.conf.cases, sizing->runner, sizing->inside, sizing->baseline,
           sizing->condition);
}

/* Lines are made first, as adding one moves the others. */
static void add_lines(struct sizing *sizing) {
  struct sizes *sizes = sizing->sizes;
  const struct lab *lab = sizes->lab;
  const char *baseline = lab->conf.baseline;
  sizing->own = sizes->line_count;
  sizes_add_line(
      sizes, LINE_OWN, xstrdup("own"),
      sizes->solution ? xprintf("%s's solution", lab->id) : xstrdup(sizes->source->name));
  if (!sizing->solutions) {
    sizes_add_note(sizes, xstrdup("this copy of the kit has no solutions, so there are no lines of "
                                  "theirs"));
  } else {
    if (baseline) {
      struct lab other;
      lab_open(sizing->kit, baseline, &other);
      const struct case_conf first = {0}; /* its first function */
      if (conf_family(&other.conf, &first) == sizing->family) {
        sizing->baseline = xstrdup(conf_function(&other.conf, &first));
        sizing->of_baseline = sizes->line_count;
        sizes_add_line(sizes, LINE_BASELINE, xstrdup(baseline), xprintf("%s's solution", baseline));
      }
      lab_free(&other);
    }
    if (!sizes->solution) {
      sizing->model = sizes->line_count;
      sizes_add_line(sizes, LINE_MODEL, xstrdup(lab->id), xprintf("%s's solution", lab->id));
    }
  }
  for (int l = 0; l < sizes->line_count; l++) sizes->lines[l].measured = sizes->on_gpu;
}

static struct size_point *point_of(const struct sizing *sizing, int line, int i) {
  return &sizing->sizes->lines[line].points[i];
}

static void set_time(struct size_point *point, double ns, double deviation_ns, int runs) {
  *point = (struct size_point){
      .state = POINT_RIGHT, .ns = ns, .deviation_ns = deviation_ns, .runs = runs};
}

static void set_without(struct size_point *point, enum point_state state, char *reason) {
  free(point->reason);
  *point = (struct size_point){.state = state, .deviation_ns = NAN, .reason = reason};
}

/* --- the file --- */

static bool build(struct sizing *sizing) {
  struct sizes *sizes = sizing->sizes;
  freed_by(text_free) struct text output = {0};
  bool beside = sizes->on_gpu && sizing->solutions;
  progress_show("building", sizes->source->name, 0, 0);
  enum build_end end = build_runner(
      sizing->kit,
      &(struct build){.backend = sizes->on_gpu ? "gpu" : "sim",
                      .lab = sizes->lab,
                      .source = sizes->source->path,
                      .own_folder = sizes->source->own_folder,
                      .runner = sizing->runner,
                      .reference = beside ? sizes->lab->id : NULL,
                      .baseline = beside && sizing->baseline ? sizes->lab->conf.baseline : NULL},
      &output);
  if (end == BUILD_OK) return true;
  int line;
  autofree char *words = build_first_error(text_get(&output), &line);
  sizes->error = line ? xprintf("it does not compile: line %d: %s", line, words)
                      : xprintf("it does not compile: %s", words);
  sizes->refused = end == BUILD_REFUSED && !sizes->solution;
  return false;
}

static bool has_hazard(const struct case_result *run) {
  for (int h = 0; h < run->report.hazard_count; h++)
    if (!run->report.hazards[h].warning) return true;
  return false;
}

/* Runs the file at a size and checks its result. True: it is right. */
static bool run_own(struct sizing *sizing, int i) {
  struct sizes *sizes = sizing->sizes;
  struct size_point *point = point_of(sizing, sizing->own, i);
  struct runner runner = {.path = sizing->runner,
                          .device = sizes->on_gpu ? NULL : sizing->kit->device,
                          .directory = sizing->inside,
                          .times = true,
                          .on_gpu = sizes->on_gpu};
  struct case_result run;
  run_case(&runner, &sizing->lab.conf, i, sizes->seed, &run);
  if (run.claimed && !sizes->solution &&
      reference_is_right(sizing->kit, &sizing->lab, i, sizing->work))
    case_blame_program(&run);
  if (!sizes->device && run.report.device) sizes->device = xstrdup(run.report.device);
  bool right = run.state == CASE_RIGHT;
  if (run.state == CASE_ERROR || measuring_is_machines(&run))
    sizes->error = xprintf("n = %ld: %s", sizes->values[i], run.reason);
  else if (right)
    set_time(point, (double)run.totals.time_ns, NAN, 1);
  else
    set_without(point, POINT_WRONG, xstrdup(run.reason));
  sizing->hazards = sizing->hazards || (right && has_hazard(&run));
  if (run.stop != STOP_NOTHING) sizing->failed_at = sizes->values[i];
  case_free(&run);
  return right;
}

/* Notes what the GPU was like, where that is not as at the size before. */
static void note_condition(struct sizing *sizing, int i, const char *condition) {
  struct sizes *sizes = sizing->sizes;
  if (!condition || !*condition) return;
  if (sizing->condition && strcmp(sizing->condition, condition) == 0) return;
  sizes_add_note(sizes, xprintf("from n = %ld on: %s", sizes->values[i], condition));
  free(sizing->condition);
  sizing->condition = xstrdup(condition);
}

/* Times all three on the GPU. */
static void time_all(struct sizing *sizing, int i) {
  struct sizes *sizes = sizing->sizes;
  struct runner runner = {.path = sizing->runner, .directory = sizing->inside, .on_gpu = true};
  struct timing timing;
  const struct stopwatch stopwatch = {
      .alone = !sizing->solutions, .baseline = sizing->baseline, .rounds = sizes->times};
  stopwatch_run(&runner, &sizing->lab.conf, i, &stopwatch, &timing);
  double tolerance = family_tolerance(sizing->family, sizing->lab.conf.cases[i].dims);
  struct size_point *own = point_of(sizing, sizing->own, i);
  if (timing.error && !timing.blame_program) {
    sizes->error = xprintf("timing n = %ld: %s", sizes->values[i], timing.error);
  } else if (timing.error) {
    set_without(own, POINT_WRONG, xprintf("while it was timed: %s", timing.error));
  } else if (sizing->solutions && timing.timed[0].worst > tolerance) {
    set_without(own, POINT_WRONG,
                xprintf("a timed call gave a wrong result, off by %.3g", timing.timed[0].worst));
  } else {
    const struct {
      int line;
      const char *name;
    } timed[] = {{sizing->own, "submission"},
                 {sizing->of_baseline, "baseline"},
                 {sizing->model, "reference"}};
    for (size_t k = 0; k < sizeof timed / sizeof *timed; k++) {
      const struct timed *times = timing_of(&timing, timed[k].name);
      if (timed[k].line >= 0 && times)
        set_time(point_of(sizing, timed[k].line, i), times->mean_ns, times->deviation_ns,
                 timing.rounds);
    }
  }
  note_condition(sizing, i, timing.condition);
  timing_free(&timing);
}

static void measure_own(struct sizing *sizing) {
  struct sizes *sizes = sizing->sizes;
  for (int i = 0; i < sizes->count && !sizes->error; i++) {
    autofree char *name = xprintf("n = %ld", sizes->values[i]);
    if (sizing->failed_at) {
      set_without(point_of(sizing, sizing->own, i), POINT_LEFT_OUT,
                  xprintf("not run after what happened at n = %ld", sizing->failed_at));
      continue;
    }
    progress_show(sizes->source->name, name, i + 1, sizes->count);
    bool right = run_own(sizing, i);
    if (right && sizes->on_gpu && !sizes->error) time_all(sizing, i);
  }
  if (sizing->hazards)
    sizes_add_note(sizes, xprintf("it has races or stray accesses, with which times mean little: "
                                  "./grade %s names them",
                                  sizes->lab->id));
}

/* --- solutions, on the simulator --- */

static void model_solution(struct sizing *sizing, int line, const char *lab) {
  struct sizes *sizes = sizing->sizes;
  for (int i = 0; i < sizes->count && line >= 0 && !sizes->error; i++) {
    autofree char *name = xprintf("%s at n = %ld", lab, sizes->values[i]);
    struct totals totals;
    progress_show("the solution of", name, i + 1, sizes->count);
    if (reference_totals(sizing->kit, &sizing->lab, i, lab, sizing->work, &totals, &sizes->error) ==
        0)
      set_time(point_of(sizing, line, i), (double)totals.time_ns, NAN, 1);
  }
}

/* --- the CPU --- */

/* The line of that code, made at its first time. */
static int cpu_line(struct sizes *sizes, const struct cpu_time *code) {
  for (int l = 0; l < sizes->line_count; l++)
    if (sizes->lines[l].role == LINE_CPU && strcmp(sizes->lines[l].id, code->id) == 0) return l;
  sizes_add_line(sizes, LINE_CPU, xstrdup(code->id), xprintf("CPU: %s", code->name))->measured =
      true;
  return sizes->line_count - 1;
}

static void take_cpu_times(struct sizing *sizing, int i, const struct cpu_times *times) {
  struct sizes *sizes = sizing->sizes;
  for (int c = 0; c < times->count; c++) {
    const struct cpu_time *code = &times->codes[c];
    int line = cpu_line(sizes, code);
    struct size_point *point = point_of(sizing, line, i);
    if (code->left_out)
      set_without(point, POINT_LEFT_OUT, xstrdup(code->left_out));
    else
      set_time(point, code->ns, code->deviation_ns, code->runs);
  }
}

/* A CPU that cannot be timed is a note, and no line. */
static void time_cpu(struct sizing *sizing) {
  struct sizes *sizes = sizing->sizes;
  const struct problem *problem = sizing->family->problem;
  struct cpu cpu;
  progress_show("building what times the CPU", "", 0, 0);
  char *why = cpu_open(sizing->kit, problem, &cpu);
  for (int i = 0; i < sizes->count && !why; i++) {
    autofree char *name = xprintf("n = %ld", sizes->values[i]);
    struct cpu_times times = {0};
    progress_show("timing the CPU,", name, i + 1, sizes->count);
    why = cpu_measure(sizing->kit, &cpu, problem, sizing->lab.conf.cases[i].dims, &times);
    if (!why) take_cpu_times(sizing, i, &times);
    cpu_times_free(&times);
  }
  if (!why) sizes->cpu = xstrdup(cpu.machine);
  if (why) sizes_add_note(sizes, xprintf("the CPU was not timed: %s", why));
  free(why);
  cpu_close(&cpu);
}

/* A line without any time goes, and its reason becomes a note; of others each gap is one. */
static void note_left_out(struct sizes *sizes) {
  int kept = 0;
  for (int l = 0; l < sizes->line_count; l++) {
    struct size_line *line = &sizes->lines[l];
    int times = 0;
    for (int i = 0; i < sizes->count; i++) times += line->points[i].state == POINT_RIGHT;
    for (int i = 0; i < sizes->count && line->role == LINE_CPU; i++) {
      const char *reason = line->points[i].reason;
      if (!reason || (times == 0 && i > 0)) continue;
      if (times == 0)
        sizes_add_note(sizes, xprintf("%s: %s", line->name, reason));
      else
        sizes_add_note(sizes, xprintf("%s, n = %ld: %s", line->name, sizes->values[i], reason));
    }
    if (times > 0 || line->role != LINE_CPU) {
      sizes->lines[kept++] = *line;
      continue;
    }
    for (int i = 0; i < sizes->count; i++) free(line->points[i].reason);
    free_all(line->id, line->name, line->points);
  }
  sizes->line_count = kept;
}

int sizes_measure(const struct kit *kit, const char *work, struct sizes *sizes) {
  struct sizing sizing;
  open_sizing(kit, work, sizes, &sizing);
  add_lines(&sizing);
  if (build(&sizing)) measure_own(&sizing);
  if (!sizes->on_gpu) {
    model_solution(&sizing, sizing.of_baseline, sizes->lab->conf.baseline);
    model_solution(&sizing, sizing.model, sizes->lab->id);
  }
  if (!sizes->error) time_cpu(&sizing);
  note_left_out(sizes);
  sizes->over = sizes_best_cpu(sizes);
  if (sizes->over < 0) sizes->over = sizing.of_baseline;
  progress_show(NULL, NULL, 0, 0);
  close_sizing(&sizing);
  return sizes->error ? -1 : 0;
}
