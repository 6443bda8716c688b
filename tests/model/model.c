/* model.c: holds the simulator's modelled time against times measured on a GPU; see README.md.
 *
 *     build/model [OPTION...] [TABLE]
 *     --most-threads N   leaves out launches of more threads
 *     --family NAME      only this family
 *     --tsv FILE         also writes what plots/draw draws with plots/model.gp
 *     --header FILE      also writes the figures that pages quote (grader/show/model_accuracy.h)
 *
 * Runs every launch of suite.h on the simulator and compares its modelled time with column ns of
 * the TABLE (default: none, only the results are checked). On stdout one line a launch, the errors
 * of the families and of the launches with each bound, how sure a modelled time is, and at the end
 * `MAPE W%, median X%, p90 Y%, worst Z% over N launches`: relative errors.
 * With KIT_SIM_SAMPLE=1 only some blocks of each launch are executed, so results are not checked.
 * Exit status: 0; 1 if a launch has a wrong result or a hazard; 2 anything else.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/backend.h"
#include "harness/sim/runtime/listen.h"
#include "tests/model/suite.h"

enum { MAX_ROWS = 1024, MAX_FIELDS = 64 };

/* A row of the table. */
struct row {
  char *name[3]; /* family, kernel, arg */
  double ns;
  bool met; /* by a launch */
};

/* A launch, modelled and measured. */
struct result {
  char family[32], kernel[64], arg[64], bound[32];
  double measured_ns, modelled_ns;
};

static struct {
  struct row rows[MAX_ROWS];
  int row_count;
  struct result results[MAX_ROWS];
  int result_count;
  const char *family;
  double most_threads;
  const char *tsv_path, *header_path;
  FILE *tsv, *header;
  char source[256]; /* of the table: its first comment */
  /* Of the launch last heard of: */
  double time_ns;
  char bound[32];
  int launches, unmeasured, hazards;
  bool table;
} run = {.most_threads = INFINITY};

static _Noreturn void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fputs("model: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

/* ---- the table ---- */

static int split(char *line, char *field[MAX_FIELDS]) {
  int count = 0;
  line[strcspn(line, "\r\n")] = 0;
  for (char *rest = line, *next; (next = strsep(&rest, "\t")) && count < MAX_FIELDS;)
    field[count++] = next;
  return count;
}

static int find_field(char **field, int count, const char *name, const char *path) {
  for (int i = 0; i < count; i++)
    if (strcmp(field[i], name) == 0) return i;
  die("%s: there is no column %s", path, name);
}

static void read_table(const char *path) {
  FILE *file = fopen(path, "r");
  char line[4096], *field[MAX_FIELDS];
  int place[4] = {-1};
  if (!file)
    die("%s: %s; on a machine with such a GPU, tests/model/measure writes it", path,
        strerror(errno));
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#') {
      line[strcspn(line, "\r\n")] = 0;
      if (!run.source[0]) snprintf(run.source, sizeof run.source, "%s", line + strspn(line, "# "));
      continue;
    }
    int count = split(line, field);
    if (place[0] < 0) {
      static const char *const names[] = {"family", "kernel", "arg", "ns"};
      for (int i = 0; i < 4; i++) place[i] = find_field(field, count, names[i], path);
      continue;
    }
    if (run.row_count == MAX_ROWS) die("%s: more than %d rows", path, MAX_ROWS);
    struct row *row = &run.rows[run.row_count++];
    for (int i = 0; i < 4; i++)
      if (place[i] >= count) die("%s: row %d is too short", path, run.row_count);
    for (int i = 0; i < 3; i++) row->name[i] = strdup(field[place[i]]);
    row->ns = atof(field[place[3]]);
    if (!(row->ns > 0)) die("%s: row %d has no time", path, run.row_count);
  }
  fclose(file);
  run.table = true;
}

static struct row *find_row(const struct launch *launch) {
  for (int i = 0; i < run.row_count; i++) {
    struct row *row = &run.rows[i];
    if (strcmp(row->name[0], launch->family) == 0 && strcmp(row->name[1], launch->kernel) == 0 &&
        strcmp(row->name[2], launch->arg) == 0)
      return row;
  }
  return NULL;
}

/* ---- the launches ---- */

static double volume(dim3 extent) { return (double)extent.x * extent.y * extent.z; }

bool program_wants(const struct launch *launch) {
  struct row *row = find_row(launch);
  if (row) row->met = true;
  return (!run.family || strcmp(run.family, launch->family) == 0) &&
         volume(launch->grid) * volume(launch->block) <= run.most_threads;
}

bool program_checks(void) { return !getenv("KIT_SIM_SAMPLE"); }

static void heard(void *context, const char *what, json_t *object) {
  (void)context;
  if (strcmp(what, "launch") == 0) {
    run.time_ns = json_number_value(json_object_get(object, "time_ns"));
    snprintf(run.bound, sizeof run.bound, "%s",
             json_string_value(json_object_get(object, "bound")));
  } else {
    fprintf(stderr, "model: %s, line %d: %s\n",
            json_string_value(json_object_get(object, "kernel")),
            (int)json_integer_value(json_object_get(object, "line")),
            json_string_value(json_object_get(object, "message")));
    run.hazards++;
  }
}

void program_measures(const struct launch *launch) {
  const struct row *row = find_row(launch);
  run.launches++;
  if (!row) {
    run.unmeasured += run.table;
    printf("%-26s %-38s %12s %12.2f %14s\n", launch->kernel, launch->arg, "-", run.time_ns / 1e3,
           run.bound);
    return;
  }
  struct result *result = &run.results[run.result_count++];
  snprintf(result->family, sizeof result->family, "%s", launch->family);
  snprintf(result->kernel, sizeof result->kernel, "%s", launch->kernel);
  snprintf(result->arg, sizeof result->arg, "%s", launch->arg);
  snprintf(result->bound, sizeof result->bound, "%s", run.bound);
  result->measured_ns = row->ns;
  result->modelled_ns = run.time_ns;
  printf("%-26s %-38s %12.2f %12.2f %6.2f  %s\n", launch->kernel, launch->arg, row->ns / 1e3,
         run.time_ns / 1e3, run.time_ns / row->ns, run.bound);
  fflush(stdout);
}

/* ---- the sums ---- */

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double error_of(const struct result *r) {
  return 100 * fabs(r->modelled_ns / r->measured_ns - 1);
}

/* The least of these that so many percent are not above, by nearest rank; sorts them. */
static double percentile(double *values, int count, int percent) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return values[(percent * count + 99) / 100 - 1];
}

/* How far launches are off, in percent: on average (MAPE), what half of them and what nine of ten
 * are not above, and all of them together (the geometric mean of the ratios). */
struct spread {
  double mape, median, p90, worst, bias;
  int launches;
};

/* Of the family, with the bound (NULL: all), of those that take so long at least. */
static struct spread spread_of(const char *family, const char *bound, double least_ns) {
  double errors[MAX_ROWS], sum = 0, ratio = 0;
  int count = 0;
  for (int i = 0; i < run.result_count; i++) {
    const struct result *r = &run.results[i];
    if ((family && strcmp(r->family, family) != 0) || (bound && strcmp(r->bound, bound) != 0) ||
        r->measured_ns < least_ns)
      continue;
    sum += errors[count++] = error_of(r);
    ratio += log(r->modelled_ns / r->measured_ns);
  }
  if (!count) return (struct spread){0};
  double median = percentile(errors, count, 50);
  return (struct spread){sum / count,
                         median,
                         percentile(errors, count, 90),
                         errors[count - 1],
                         100 * (exp(ratio / count) - 1),
                         count};
}

static void print_spread(const char *name, struct spread s) {
  printf("%-18s %7.1f%% %7.1f%% %7.1f%% %7.1f%% %+7.1f%%  %8d\n", name, s.mape, s.median, s.p90,
         s.worst, s.bias, s.launches);
}

static bool first_with(int i, size_t field) {
  for (int k = 0; k < i; k++)
    if (strcmp((char *)&run.results[k] + field, (char *)&run.results[i] + field) == 0) return false;
  return true;
}

static void print_classes(void) {
  puts("\nfamily               MAPE   median      p90    worst     bias  launches");
  for (int i = 0; i < run.result_count; i++)
    if (first_with(i, offsetof(struct result, family)))
      print_spread(run.results[i].family, spread_of(run.results[i].family, NULL, 0));
  puts("\nbound");
  for (int i = 0; i < run.result_count; i++)
    if (first_with(i, offsetof(struct result, bound)))
      print_spread(run.results[i].bound, spread_of(NULL, run.results[i].bound, 0));
}

/* The uncertainty of a modelled time: what 85% of the errors of launches with its bound are not
 * above, of all launches if those are few. It is held against families that had no part in it. */
enum { SURE = 85, FEW = 8 };
static double uncertainty_without(const char *family, const char *bound) {
  double errors[MAX_ROWS];
  int count = 0;
  for (int any = 0; any < 2 && count < FEW; any++) {
    count = 0;
    for (int i = 0; i < run.result_count; i++)
      if (strcmp(run.results[i].family, family) != 0 &&
          (any || strcmp(run.results[i].bound, bound) == 0))
        errors[count++] = error_of(&run.results[i]);
  }
  return count ? percentile(errors, count, SURE) : INFINITY;
}

static void print_uncertainty(void) {
  double widths[MAX_ROWS];
  int inside = 0;
  for (int i = 0; i < run.result_count; i++) {
    const struct result *r = &run.results[i];
    widths[i] = uncertainty_without(r->family, r->bound);
    inside += error_of(r) <= widths[i];
  }
  double half = percentile(widths, run.result_count, 50);
  if (!isfinite(half)) return; /* one family */
  printf("\nuncertainty, from the other families' errors: +-%.1f%% (median), %.0f%% lie inside\n",
         half, 100.0 * inside / run.result_count);
}

static const char *summary_of(struct spread s) {
  static char text[128];
  snprintf(text, sizeof text,
           "MAPE %.1f%%, median %.1f%%, p90 %.1f%%, worst %.1f%% over %d launches", s.mape,
           s.median, s.p90, s.worst, s.launches);
  return text;
}

static const char *summary(void) { return summary_of(spread_of(NULL, NULL, 0)); }

static void write_tsv(void) {
  fprintf(run.tsv,
          "# title: Modelled against measured time\n# note: Off by %s.\n# source: %s Modelled: %s\n"
          "family\tkernel\targ\tmeasured_ns\tmodelled_ns\tbound\n",
          summary(), run.source, backend_device());
  for (int i = 0; i < run.result_count; i++) {
    const struct result *r = &run.results[i];
    fprintf(run.tsv, "%s\t%s\t%s\t%.0f\t%.0f\t%s\n", r->family, r->kernel, r->arg, r->measured_ns,
            r->modelled_ns, r->bound);
  }
  if (fclose(run.tsv) != 0) die("%s: %s", run.tsv_path, strerror(errno));
}

/* Rounded up from what is printed: what a page says holds. */
static void write_header(void) {
  struct spread s = spread_of(NULL, NULL, 0);
  run.header = fopen(run.header_path, "w"); /* only now: whoever builds meanwhile has the old one */
  if (!run.header) die("%s: %s", run.header_path, strerror(errno));
  fprintf(run.header,
          "/* model_accuracy.h: how many launches `make model` compared with times measured on an "
          "H200, and\n * within how many percent half of them and nine of ten lie. `make model` "
          "writes this file. */\n#ifndef KIT_MODEL_ACCURACY_H\n#define KIT_MODEL_ACCURACY_H\n\n"
          "#define MODEL_LAUNCHES \"%d\"\n#define MODEL_MEDIAN \"%.0f\"\n#define MODEL_P90 "
          "\"%.0f\"\n\n#endif\n",
          s.launches, ceil(round(10 * s.median) / 10), ceil(round(10 * s.p90) / 10));
  if (fclose(run.header) != 0) die("%s: %s", run.header_path, strerror(errno));
}

int main(int argc, char **argv) {
  const char *use =
      "use: build/model [--most-threads N] [--family NAME] [--tsv FILE] "
      "[--header FILE] [TABLE]";
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-') {
      if (run.table) die("%s", use);
      read_table(argv[i]);
      continue;
    }
    const char *option = argv[i], *text = i + 1 < argc ? argv[++i] : NULL;
    if (!text)
      die("%s", use);
    else if (strcmp(option, "--most-threads") == 0)
      run.most_threads = atof(text);
    else if (strcmp(option, "--family") == 0)
      run.family = text;
    else if (strcmp(option, "--tsv") == 0)
      run.tsv = fopen(run.tsv_path = text, "w");
    else if (strcmp(option, "--header") == 0)
      run.header_path = text;
    else
      die("%s", use);
    if (run.tsv_path && !run.tsv) die("%s: %s", text, strerror(errno));
  }
  sim_listen(heard, NULL);
  printf("%-26s %-38s %12s %12s %6s  %s\n", "kernel", "arg", "measured us", "modelled us", "ratio",
         "bound");
  void *clocks; /* time.cu has them, and where an array lies depends on those before it */
  if (cudaMalloc(&clocks, 16) != cudaSuccess) die("no memory");
  int wrong = suite_run();
  for (int i = 0; i < run.row_count; i++)
    if (!run.rows[i].met && !run.family)
      die("the table has %s %s, which is no launch: measure anew", run.rows[i].name[1],
          run.rows[i].name[2]);
  if (run.unmeasured) fprintf(stderr, "model: %d launches are not in the table\n", run.unmeasured);
  if (run.result_count) {
    if (run.tsv) write_tsv();
    if (run.header_path) write_header();
    print_classes();
    print_uncertainty();
    struct spread longer = spread_of(NULL, NULL, 20e3);
    if (longer.launches) printf("\nof 20 us and more: %s\n", summary_of(longer));
    printf("\n%s\n", summary());
  } else {
    printf("%d launches, %d hazards\n", run.launches, run.hazards);
  }
  return wrong || run.hazards ? 1 : 0;
}
