/* record.c: prints what the simulator gives, as the tables that charts are drawn from. plots/record
 * says which there are; it starts this program, which `make data` builds.
 *
 *     build/record sizes LAB LAB      modelled time of two labs' solutions over the size
 *     build/record ladder             every lab's solution beside the device's ceilings
 *     build/record ladder LAB DIMS    each function of a lab's problem, with other dimensions than
 *                                     its cases': ladder lab7 N=16777216
 *     build/record roofline           the kernels of every lab's solution under the device's roofs
 *     build/record sweep LAB          modelled time of a lab's solution over block shapes
 *     build/record series LAB DIR     counts and modelled time of a lab's solution over dimensions:
 *                                     DIR/series-LAB-NAME.tsv
 *     build/record accesses LAB DIR   where a warp of each shown case goes: DIR/access-LAB-CASE.tsv
 *                                     and, for shared memory, DIR/banks-LAB-CASE.tsv
 *     build/record rungs LAB CASE FILE...
 *                                     a case by files that each go a step further (`// rung: NAME`
 *                                     in the opening comment): bytes loaded for an operation, and
 *                                     shares of the ceilings
 *     build/record timelines LAB DIR  when work was done, of each shown case that times all work:
 *                                     DIR/timeline-LAB-CASE.tsv
 *
 * The first lines of a table are comments: `# what`, `# command: `, `# title: `, `# source: ` (the
 * device, and whether times are modelled or measured), and what else its chart wants. The same kit
 * prints the same bytes. Exit status: 0, or 2 and a message. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/grading/grading.h"
#include "grader/lab/dims.h"
#include "grader/lab/metric.h"
#include "grader/run/build.h"
#include "grader/run/series.h"
#include "grader/run/sweep.h"
#include "grader/run/work.h"
#include "grader/sandbox/process.h"
#include "grader/show/picture.h"
#include "grader/show/roofline.h"
#include "grader/show/show.h"
#include "grader/show/timeline_picture.h"
#include "harness/sim/base/gpu.h"

enum { SEED = 1 };
static const long sizes[] = {100, 500, 700, 1000, 2000};

/* --- runs --- */

/* Builds a file as a lab's; the runner's path, the caller's. */
static char *build_file(const struct kit *kit, const struct lab *lab, const char *file,
                        const char *work) {
  char *path = xprintf("%s/%s", work, lab->id);
  struct text output = {0};
  struct build build = {
      .backend = "sim", .lab = lab, .source = file, .own_folder = true, .runner = path};
  if (build_runner(kit, &build, &output) != BUILD_OK)
    die("%s does not build:\n%s", file, text_get(&output));
  text_free(&output);
  return path;
}

static char *build_solution(const struct kit *kit, const struct lab *lab, const char *work) {
  return build_file(kit, lab, lab->solution, work);
}

static void run(const struct kit *kit, const char *path, const char *work, const struct conf *conf,
                int index, bool accesses, struct case_result *result) {
  struct runner runner = {
      .path = path, .device = kit->device, .directory = work, .accesses = accesses, .times = true};
  run_case(&runner, conf, index, SEED, result);
  if (result->state != CASE_RIGHT)
    die("%s: case %s: %s", conf->title, conf->cases[index].name, result->reason);
}

/* --- tables --- */

static void print_sizes(const struct kit *kit, const char *const *ids, const char *work) {
  enum { SIZES = sizeof sizes / sizeof *sizes };
  uint64_t times[2][SIZES];
  char *device = NULL;
  for (int l = 0; l < 2; l++) {
    struct lab lab;
    lab_open(kit, ids[l], &lab);
    char *path = build_solution(kit, &lab, work);
    struct case_conf cases[SIZES] = {0};
    struct conf conf = lab.conf;
    conf.cases = cases;
    conf.case_count = SIZES;
    for (int i = 0; i < SIZES; i++) {
      cases[i] = (struct case_conf){.name = (char *)"size", .sets = 1};
      for (int d = 0; d < conf.family->problem->dim_count; d++) cases[i].dims[d] = sizes[i];
      struct case_result result;
      run(kit, path, work, &conf, i, false, &result);
      times[l][i] = result.totals.time_ns;
      if (!device) device = xstrdup(result.report.device);
      case_free(&result);
    }
    free(path);
    lab_free(&lab);
  }
  printf("# Time of the solutions of %s and %s, n x n.\n# command: make data\n", ids[0], ids[1]);
  printf("# title: Product of two n x n matrices\n# kind: modelled\n# source: GPU: %s, modelled\n",
         device);
  puts("# size\tglobal_ns\tglobal_deviation_ns\ttiled_ns\ttiled_deviation_ns");
  for (int i = 0; i < SIZES; i++)
    printf("%ld\t%lu\t0\t%lu\t0\n", sizes[i], times[0][i], times[1][i]);
  free(device);
}

/* One row: what a case of a lab's took, and its share of what the device could do in that time. */
static void print_rung(const struct gpu *gpu, const char *name, const struct conf *conf, int index,
                       const struct case_result *result) {
  const struct case_conf *entry = &conf->cases[index];
  double time = (double)result->totals.time_ns,
         bytes = family_bytes(conf_family(conf, entry), entry->dims),
         ops = (double)result->totals.counters.value[COUNTER_fp32_ops];
  printf("%s\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\n", name, time, bytes, ops,
         100 * bytes / time / gpu_bytes_per_ns(gpu), 100 * ops / time / gpu_fp32_per_ns(gpu));
}

static void print_ladder_head(const char *what, const struct gpu *gpu, const char *title,
                              const char *device) {
  printf(
      "# %s, beside what the device could do in that time: move %.0f bytes a ns (DRAM), compute "
      "%.0f fp32 operations a ns. bytes: each array once.\n# command: make data\n# title: %s\n"
      "# source: %s, modelled time\n# name\ttime_ns\tbytes\tfp32_ops\tbytes_percent\t"
      "fp32_percent\n",
      what, gpu_bytes_per_ns(gpu), gpu_fp32_per_ns(gpu), title, device);
}

static void read_gpu(struct gpu *gpu) {
  char error[256];
  if (!gpu_read(gpu, NULL, error, sizeof error)) die("%s", error);
}

static void print_ladder(const struct kit *kit, const char *work) {
  struct gpu gpu;
  read_gpu(&gpu);
  bool headed = false;
  char **ids = lab_ids(kit, NULL);
  for (char **id = ids; *id; id++) {
    struct lab lab;
    lab_open(kit, *id, &lab);
    char *path = build_solution(kit, &lab, work);
    for (int i = 0; i < lab.conf.case_count; i++) {
      if (!lab.conf.cases[i].show) continue;
      struct case_result result;
      run(kit, path, work, &lab.conf, i, false, &result);
      if (!headed)
        print_ladder_head("Each lab's solution in its shown cases", &gpu,
                          "The labs' solutions beside what the device can do",
                          result.report.device);
      headed = true;
      char *name = xprintf("%s %s", *id, lab.conf.cases[i].name);
      print_rung(&gpu, name, &lab.conf, i, &result);
      free(name);
      case_free(&result);
    }
    free(path);
    lab_free(&lab);
  }
  lab_free_ids(ids);
}

static void print_roofline(const struct kit *kit, const char *work) {
  struct roofline roofline;
  roofline_open(&roofline);
  char **ids = lab_ids(kit, NULL), *device = NULL;
  for (char **id = ids; *id; id++) {
    struct lab lab;
    lab_open(kit, *id, &lab);
    char *path = build_solution(kit, &lab, work), *prefix = xprintf("%s ", *id);
    for (int i = 0; i < lab.conf.case_count; i++) {
      if (!lab.conf.cases[i].show) continue;
      struct case_result result;
      run(kit, path, work, &lab.conf, i, false, &result);
      roofline_add_case(&roofline, prefix, lab.conf.cases[i].name, &result.report, 0);
      if (!device) device = xstrdup(result.report.device);
      case_free(&result);
    }
    free(prefix);
    free(path);
    lab_free(&lab);
  }
  lab_free_ids(ids);
  struct text table = {0};
  roofline_chart_table(&roofline, &table);
  printf(
      "# The kernels of each lab's solution in its shown cases under the device's roofs: "
      "operations and bytes (between L2 and DRAM, L1 and L2, SM and L1) are counted.\n"
      "# command: make data\n# title: The labs' kernels under the roofs of the GPU\n"
      "# source: %s, modelled time\n%s",
      device, text_get(&table));
  text_free(&table);
  free(device);
  roofline_free(&roofline);
}

/* `// rung: NAME` of a file's opening comment; what has none is the solution. The caller's. */
static char *rung_name(const char *file, int index) {
  char line[512], name[128];
  snprintf(name, sizeof name, "%d the solution", index);
  FILE *from = fopen(file, "r");
  if (!from) die("%s: %s", file, strerror(errno));
  while (fgets(line, sizeof line, from) && strncmp(line, "//", 2) == 0)
    if (sscanf(line, "// rung: %127[^\n]", name) == 1) break;
  fclose(from);
  return xstrdup(name);
}

static void print_rungs(const struct kit *kit, const char *id, const char *name, char *const *files,
                        const char *work) {
  struct gpu gpu;
  struct lab lab;
  char error[256];
  if (!gpu_read(&gpu, NULL, error, sizeof error)) die("%s", error);
  lab_open(kit, id, &lab);
  int index = conf_case(&lab.conf, name);
  if (index < 0) die("%s has no case %s", id, name);
  const struct case_conf *entry = &lab.conf.cases[index];
  const struct metric *shared = metric_find("shared_bytes_per_operation"),
                      *loaded = metric_find("loaded_bytes_per_operation");
  printf("# Case %s of %s by files that go further each.\n# command: make data\n", name, id);
  printf("# title: %s, case %s: rung by rung\n", id, name);
  for (int i = 0; files[i]; i++) {
    char *path = build_file(kit, &lab, files[i], work), *rung = rung_name(files[i], i);
    struct case_result result;
    run(kit, path, work, &lab.conf, index, false, &result);
    if (i == 0)
      printf(
          "# source: %s, modelled time\n# name\ttime_ns\tbytes\tfp32_ops\tbytes_percent\t"
          "fp32_percent\tshared bytes an operation\tloaded bytes an operation\tbound\n",
          result.report.device);
    double time = (double)result.totals.time_ns,
           bytes = family_bytes(conf_family(&lab.conf, entry), entry->dims),
           ops = result.totals.operations;
    printf("%s\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%.4f\t%.4f\t%s\n", rung, time, bytes, ops,
           100 * bytes / time / gpu_bytes_per_ns(&gpu), 100 * ops / time / gpu_fp32_per_ns(&gpu),
           metric_value(shared, &result.totals), metric_value(loaded, &result.totals),
           case_longest_launch(&result)->bound);
    case_free(&result);
    free(rung);
    free(path);
  }
  lab_free(&lab);
}

/* Is it the first case of its function, and that of the lab's own problem? */
static bool is_first_of_function(const struct conf *conf, int index) {
  const struct case_conf *entry = &conf->cases[index];
  const char *function = conf_function(conf, entry);
  if (conf_family(conf, entry) != conf->family) return false;
  for (int i = 0; i < index; i++)
    if (strcmp(conf_function(conf, &conf->cases[i]), function) == 0) return false;
  return true;
}

static void print_functions(const struct kit *kit, const char *id, const char *dims,
                            const char *work) {
  struct gpu gpu;
  read_gpu(&gpu);
  struct lab lab;
  lab_open(kit, id, &lab);
  char *path = build_solution(kit, &lab, work);
  bool headed = false;
  for (int i = 0; i < lab.conf.case_count; i++) {
    struct case_conf *entry = &lab.conf.cases[i];
    if (!is_first_of_function(&lab.conf, i)) continue;
    int which;
    char *error = dims_set(lab.conf.family->problem, dims, entry->dims, &which);
    if (error) die("%s", error);
    entry->sets = 1;
    struct case_result result;
    run(kit, path, work, &lab.conf, i, false, &result);
    char *what = xprintf("Functions of %s's solution, %s", id, dims),
         *title = xprintf("%s with %s", lab.conf.title, dims);
    if (!headed) print_ladder_head(what, &gpu, title, result.report.device);
    headed = true;
    print_rung(&gpu, conf_function(&lab.conf, entry), &lab.conf, i, &result);
    free(what);
    free(title);
    case_free(&result);
  }
  free(path);
  lab_free(&lab);
}

static void print_sweep(const struct kit *kit, const char *id, const char *work) {
  struct lab lab;
  lab_open(kit, id, &lab);
  if (!lab.conf.sweep.line) die("%s has no [sweep]", id);
  struct source source;
  if (source_read(lab.solution, &source) != 0) die("cannot read %s", lab.solution);
  struct sweep sweep;
  if (sweep_measure(kit, &lab, &source, SEED, work, &sweep) != 0) die("%s: %s", id, sweep.error);
  printf("# The solution of %s with every block shape.\n# command: make data\n", id);
  printf("# title: %s: time over block shapes, case %s\n", lab.conf.title, sweep.case_name);
  printf("# own: %lu %lu\n", sweep.own.launched[0], sweep.own.launched[1]);
  printf("# source: %s, %s time\n", sweep.device, sweep.modelled ? "modelled" : "measured");
  struct text table = {0};
  sweep_chart_table(&sweep, &table);
  fputs(text_get(&table), stdout);
  text_free(&table);
  sweep_free(&sweep);
  source_free(&source);
  lab_free(&lab);
}

static void write_series(const struct series *series, const char *folder) {
  const struct series_conf *conf = series->conf;
  if (series->right_count < series->point_count)
    die("%s: the solution is wrong in [series %s]", series->lab->id, conf->name);
  char *path = xprintf("%s/series-%s-%s.tsv", folder, series->lab->id, conf->name);
  FILE *file = fopen(path, "we");
  if (!file) die("%s: %s", path, strerror(errno));
  struct text table = {0};
  series_chart_table(series, &table);
  char *title = series_title(series);
  fprintf(file,
          "# The solution of %s in case %s with each value of %s.\n# command: make data\n"
          "# title: %s\n# dimension: %s\n# unit: %s\n# source: %s, %s time\n%s",
          series->lab->id, conf->case_name, conf->dimension, title, conf->dimension,
          conf->metric ? metric_find(conf->metric)->unit : "", series->device,
          series->modelled ? "modelled" : "measured", text_get(&table));
  if (fclose(file) != 0) die("%s: %s", path, strerror(errno));
  text_free(&table);
  free(title);
  free(path);
}

static void record_series(const struct kit *kit, const char *id, const char *folder,
                          const char *work) {
  struct lab lab;
  lab_open(kit, id, &lab);
  if (!lab.conf.series_count) die("%s has no [series]", id);
  struct source source;
  if (source_read(lab.solution, &source) != 0) die("cannot read %s", lab.solution);
  struct series_list list;
  if (series_measure(kit, &lab, &source, SEED, work, &list) != 0) die("%s: %s", id, list.error);
  for (int i = 0; i < list.count; i++) write_series(&list.items[i], folder);
  series_free(&list);
  source_free(&source);
  lab_free(&lab);
}

static void write_picture(const struct picture *picture, const char *what, const char *folder,
                          const char *lab, const char *case_name) {
  char *path = xprintf("%s/%s-%s-%s.tsv", folder, what, lab, case_name);
  FILE *file = fopen(path, "we");
  if (!file) die("%s: %s", path, strerror(errno));
  fprintf(file,
          "# The solution of %s: an access of line %d.\n# command: make data\n# title: %s\n"
          "# space: %s\n# note: %s\n# source: %s\n%s",
          lab, picture->line, picture->title, picture->space, picture->sentence, picture->source,
          text_get(&picture->table));
  if (fclose(file) != 0) die("%s: %s", path, strerror(errno));
  free(path);
}

/* A load from shared memory if there is one, else the most wasteful access. */
static void write_pictures(const struct grade *grade, const char *folder, const char *case_name) {
  struct picture_subject of = picture_subject_of(grade);
  int *lines, count = picture_lines(&of, &lines), at = 0;
  struct pictures pictures = {0};
  for (int want_shared = 1; want_shared >= 0 && pictures.count == 0; want_shared--) {
    for (int i = 0; i < count && pictures.count == 0; i++) {
      pictures = pictures_of_line(&of, lines[i]);
      for (at = 0; at < pictures.count; at++) {
        bool shared_load = strcmp(pictures.items[at].space, "shared") == 0 &&
                           strstr(pictures.items[at].name, "-load");
        if (shared_load || !want_shared) break;
      }
      if (at == pictures.count) pictures_free(&pictures);
    }
  }
  if (pictures.count == 0) die("%s: no accesses in case %s", grade->lab->id, case_name);
  write_picture(&pictures.items[at], "access", folder, grade->lab->id, case_name);
  if (at + 1 < pictures.count && strcmp(pictures.items[at + 1].plot, "bank_map") == 0)
    write_picture(&pictures.items[at + 1], "banks", folder, grade->lab->id, case_name);
  pictures_free(&pictures);
  free(lines);
}

static void record_accesses(const struct kit *kit, const char *id, const char *folder,
                            const char *work) {
  struct lab lab;
  lab_open(kit, id, &lab);
  struct source source;
  if (source_read(lab.solution, &source) != 0) die("%s: %s", lab.solution, strerror(errno));
  char *path = build_solution(kit, &lab, work);
  for (int i = 0; i < lab.conf.case_count; i++) {
    if (!lab.conf.cases[i].show) continue;
    struct grade grade = {.lab = &lab, .source = &source, .backend = "sim", .seed = SEED};
    grade.cases = xcalloc((size_t)lab.conf.case_count, sizeof *grade.cases);
    run(kit, path, work, &lab.conf, i, true, &grade.cases[i]);
    grade.device = xstrdup(grade.cases[i].report.device);
    write_pictures(&grade, folder, lab.conf.cases[i].name);
    grade_free(&grade);
  }
  free(path);
  source_free(&source);
  lab_free(&lab);
}

/* A chart_taker; the context: a folder. */
static void write_timeline(const struct chart *chart, const char *name, void *folder) {
  char *path = xprintf("%s/timeline-%s.tsv", (const char *)folder, name);
  FILE *file = fopen(path, "we");
  if (!file) die("%s: %s", path, strerror(errno));
  fprintf(file,
          "# What the solution's streams did when.\n# command: make data\n# title: %s\n"
          "# unit: %s\n# note: %s\n# source: %s\n%s",
          chart->title, chart->more[0], chart->more[1], chart->source, chart->data);
  if (fclose(file) != 0) die("%s: %s", path, strerror(errno));
  free(path);
}

static void record_timelines(const struct kit *kit, const char *id, char *folder,
                             const char *work) {
  struct lab lab;
  lab_open(kit, id, &lab);
  char *path = build_solution(kit, &lab, work);
  for (int i = 0; i < lab.conf.case_count; i++) {
    const struct case_conf *entry = &lab.conf.cases[i];
    if (!entry->show || entry->elapsed != ELAPSED_WORK) continue;
    struct case_result result;
    run(kit, path, work, &lab.conf, i, false, &result);
    char *title = xprintf("%s: %s in case %s", id, conf_function(&lab.conf, entry), entry->name),
         *source = xprintf("%s, modelled time", result.report.device),
         *name = xprintf("%s-%s", id, entry->name);
    timeline_picture(&result.spans, title, source, name, write_timeline, folder);
    free(name);
    free(source);
    free(title);
    case_free(&result);
  }
  free(path);
  lab_free(&lab);
}

int main(int argc, char **argv) {
  setlocale(LC_CTYPE, "");
  struct kit kit;
  kit_find(&kit);
  const char *what = argc > 1 ? argv[1] : "", *work = work_make(&kit);
  if (strcmp(what, "sizes") == 0 && argc == 4)
    print_sizes(&kit, (const char *const *)argv + 2, work);
  else if (strcmp(what, "ladder") == 0 && argc == 2)
    print_ladder(&kit, work);
  else if (strcmp(what, "roofline") == 0 && argc == 2)
    print_roofline(&kit, work);
  else if (strcmp(what, "ladder") == 0 && argc == 4)
    print_functions(&kit, argv[2], argv[3], work);
  else if (strcmp(what, "sweep") == 0 && argc == 3)
    print_sweep(&kit, argv[2], work);
  else if (strcmp(what, "series") == 0 && argc == 4)
    record_series(&kit, argv[2], argv[3], work);
  else if (strcmp(what, "accesses") == 0 && argc == 4)
    record_accesses(&kit, argv[2], argv[3], work);
  else if (strcmp(what, "rungs") == 0 && argc > 4)
    print_rungs(&kit, argv[2], argv[3], argv + 4, work);
  else if (strcmp(what, "timelines") == 0 && argc == 4)
    record_timelines(&kit, argv[2], argv[3], work);
  else
    die("use: record sizes LAB LAB | ladder [LAB DIMS] | roofline | sweep LAB | series LAB DIR | "
        "accesses LAB DIR | rungs LAB CASE FILE... | timelines LAB DIR");
  work_remove();
  kit_free(&kit);
  if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write to stdout: %s", strerror(errno));
  return 0;
}
