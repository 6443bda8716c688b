/* model.c: holds the simulator's modelled time against times measured on a GPU; see README.md.
 *
 *     build/model [OPTION...] [TABLE]
 *     --most-threads N   leaves out launches of more threads
 *     --family NAME      only this family
 *     --tsv FILE         also writes what plots/draw draws with plots/model.gp
 *     --header FILE      also writes the figures that pages quote (grader/show/model_accuracy.h)
 *
 * Runs every launch of suite.h on the simulator and compares its modelled time with column ns of
 * the TABLE (default: none, only the results are checked). On stdout one line a launch, the medians
 * of the families, and at the end `median X%, p90 Y%, worst Z% over N launches`: relative errors.
 * With KIT_SIM_SAMPLE=1 only some blocks of each launch are executed, so results are not checked.
 * Exit status: 0; 1 if a launch has a wrong result or a hazard; 2 anything else.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
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

/* How far the launches of a family (NULL: all) are off, in percent: what half of them and what nine
 * of ten are not above, by nearest rank. */
struct spread {
  double median, p90, worst;
  int launches;
};

static struct spread spread_of(const char *family) {
  double errors[MAX_ROWS];
  int count = 0;
  for (int i = 0; i < run.result_count; i++)
    if (!family || strcmp(run.results[i].family, family) == 0)
      errors[count++] = 100 * fabs(run.results[i].modelled_ns / run.results[i].measured_ns - 1);
  qsort(errors, (size_t)count, sizeof *errors, compare_doubles);
  return (struct spread){errors[(count + 1) / 2 - 1], errors[(9 * count + 9) / 10 - 1],
                         errors[count - 1], count};
}

static void print_families(void) {
  puts("\nfamily            median      p90    worst  launches");
  for (int i = 0; i < run.result_count; i++) {
    const char *family = run.results[i].family; /* a family's launches are side by side */
    if (i > 0 && strcmp(family, run.results[i - 1].family) == 0) continue;
    struct spread s = spread_of(family);
    printf("%-15s %7.1f%% %7.1f%% %7.1f%%  %8d\n", family, s.median, s.p90, s.worst, s.launches);
  }
  putchar('\n');
}

static const char *summary(void) {
  static char text[128];
  struct spread s = spread_of(NULL);
  snprintf(text, sizeof text, "median %.1f%%, p90 %.1f%%, worst %.1f%% over %d launches", s.median,
           s.p90, s.worst, s.launches);
  return text;
}

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
  struct spread s = spread_of(NULL);
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
      run.header = fopen(run.header_path = text, "w");
    else
      die("%s", use);
    if ((run.tsv_path && !run.tsv) || (run.header_path && !run.header))
      die("%s: %s", text, strerror(errno));
  }
  sim_listen(heard, NULL);
  printf("%-26s %-38s %12s %12s %6s  %s\n", "kernel", "arg", "measured us", "modelled us", "ratio",
         "bound");
  int wrong = suite_run();
  for (int i = 0; i < run.row_count; i++)
    if (!run.rows[i].met && !run.family)
      die("the table has %s %s, which is no launch: measure anew", run.rows[i].name[1],
          run.rows[i].name[2]);
  if (run.unmeasured) fprintf(stderr, "model: %d launches are not in the table\n", run.unmeasured);
  if (run.result_count) {
    if (run.tsv) write_tsv();
    if (run.header) write_header();
    print_families();
    puts(summary());
  } else {
    printf("%d launches, %d hazards\n", run.launches, run.hazards);
  }
  return wrong || run.hazards ? 1 : 0;
}
