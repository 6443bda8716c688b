/* compare.c: holds the simulator's counters against Nsight Compute's.
 *
 *     build/counters SET TABLE [KNOWN]     SET: recorded, patterns, styles, labs (see launches.h)
 *     build/counters --times SET TABLE     the modelled times instead of the counters
 *     build/counters --tsv SET
 *
 * Launches every kernel of the set on the simulator and compares launch by launch with the rows of
 * the table, a TSV file whose columns README.md explains. KNOWN lists launches that are known to
 * differ (kernel, arg, why). On stdout one line for each launch that differs, and at the end `N of
 * M launches equal`. --times compares the column ns and nothing else: a time is a model's, a
 * counter is a fact. --tsv prints the simulator's own table instead. Exit status: 0 no launch
 * differs but those of KNOWN, 1 others do, or one of KNOWN is equal by now, 2 anything else.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/runtime/listen.h"
#include "tests/counters/launches.h"

/* A column of the tables and the counters that it is held against. */
enum { MAX_PARTS = 2 };
#define REPORTED INFINITY /* no bound: the summary tells how far it is off */
static const struct column {
  const char *name;
  const char *counters[MAX_PARTS]; /* whose sum it is */
  double tolerance;                /* relative */
  double slack;                    /* on top of it, in the column's unit */
} columns[] = {
    {"ld_req", {"global_load_requests"}, 0},
    {"ld_sectors", {"global_load_sectors"}, 0},
    {"ld_lines", {"global_load_lines"}, 0},
    {"l1_ld_miss", {"l2_load_sectors"}, 0.2},
    {"l2_ld_sectors", {"l2_load_sectors"}, REPORTED},
    {"l2_ld_req", {"l2_load_requests"}, REPORTED},
    {"st_req", {"global_store_requests"}, 0},
    {"st_sectors", {"global_store_sectors"}, 0},
    {"st_lines", {"global_store_lines"}, 0},
    {"atom_req", {"global_atomic_requests"}, 0},
    {"atom_sectors", {"global_atomic_sectors"}, 0},
    {"sh_ld_inst", {"shared_load_inst"}, 0},
    {"sh_ld_sass", {"shared_load_wavefronts"}, 0},
    {"sh_ld_wavefronts", {"shared_load_wavefronts"}, REPORTED},
    {"sh_st_inst", {"shared_store_inst"}, 0},
    {"sh_st_sass", {"shared_store_wavefronts"}, 0},
    {"sh_st_wavefronts", {"shared_store_wavefronts"}, REPORTED},
    {"sh_atom_inst", {"shared_atomic_inst"}, 0},
    {"loc_ld_inst", {"local_load_inst"}, 0},
    {"loc_st_inst", {"local_store_inst"}, 0},
    {"branches", {"branches"}, REPORTED},
    {"divergent", {"divergent_branches"}, REPORTED},
    {"inst", {"inst_executed"}, REPORTED},
    /* Nsight Compute empties the caches before a launch, which the model takes to be warm, and adds
     * the start and end of the launch: 1 to 3.5 us here, whatever the kernel takes. */
    {"ns", {"time_ns"}, 0.15, 3000},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], TIME = COLUMNS - 1, MAX_FIELDS = 64 };

/* How far the simulator is off in one column, over all launches. */
enum { WITHIN_PERCENT = 1 };
struct spread {
  double low, high; /* simulated over measured, less 1 */
  int launches;     /* that have anything to compare */
  int within;       /* of them no further off than WITHIN_PERCENT */
};

enum { MAX_KNOWN = 128 };
static struct {
  FILE *table;
  struct {
    char kernel[64], arg[64];
  } known_rows[MAX_KNOWN];
  int known_count;
  char line[4096], *field[MAX_FIELDS];
  int field_count, row;
  int place[COLUMNS], kernel, arg, block, grid; /* which field; -1: none */
  bool tsv, times;
  char next_arg[64];
  int launches, equal, known, surprises;
  struct spread spread[COLUMNS];
} run;

static _Noreturn void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fputs("counters: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

/* Splits the table's next line into fields; false at its end. */
static bool read_row(void) {
  if (!fgets(run.line, sizeof run.line, run.table)) return false;
  run.line[strcspn(run.line, "\r\n")] = 0;
  run.field_count = 0;
  for (char *rest = run.line, *field; (field = strsep(&rest, "\t"));)
    if (run.field_count < MAX_FIELDS) run.field[run.field_count++] = field;
  run.row++;
  return true;
}

static int find_field(const char *name) {
  for (int i = 0; i < run.field_count; i++)
    if (strcmp(run.field[i], name) == 0) return i;
  return -1;
}

static const char *field_text(int field) {
  return field >= 0 && field < run.field_count ? run.field[field] : "";
}

static void open_table(const char *path) {
  run.table = fopen(path, "r");
  if (!run.table) die("%s: %s", path, strerror(errno));
  if (!read_row()) die("%s: empty", path);
  for (int c = 0; c < COLUMNS; c++) run.place[c] = find_field(columns[c].name);
  run.kernel = find_field("kernel");
  run.arg = find_field("arg");
  run.block = find_field("block");
  run.grid = find_field("grid");
  if (run.kernel < 0 || run.block < 0 || run.grid < 0)
    die("%s: no columns kernel, block and grid", path);
}

static void read_known(const char *path) {
  FILE *file = fopen(path, "r");
  char line[512];
  if (!file) die("%s: %s", path, strerror(errno));
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#' || line[0] == '\n') continue;
    if (run.known_count == MAX_KNOWN) die("%s: too many rows", path);
    if (sscanf(line, "%63[^\t]\t%63[^\t]\t", run.known_rows[run.known_count].kernel,
               run.known_rows[run.known_count].arg) != 2)
      die("%s: a row is kernel, arg and reason, separated by tabs", path);
    run.known_count++;
  }
  fclose(file);
}

static bool is_known(const char *kernel, const char *arg) {
  for (int i = 0; i < run.known_count; i++)
    if (strcmp(run.known_rows[i].kernel, kernel) == 0 && strcmp(run.known_rows[i].arg, arg) == 0)
      return true;
  return false;
}

void next_launch(const char *arg) { snprintf(run.next_arg, sizeof run.next_arg, "%s", arg); }

/* "ns::mm_tiled<8>(int)" -> "mm_tiled" */
static void base_name(const char *kernel, char *name, size_t size) {
  snprintf(name, size, "%s", kernel);
  name[strcspn(name, "<(")] = 0;
  char *colon = strrchr(name, ':');
  if (colon) memmove(name, colon + 1, strlen(colon));
}

static void extent_text(const json_t *extent, char *text, size_t size) {
  int value[3];
  for (size_t i = 0; i < 3; i++) value[i] = (int)json_integer_value(json_array_get(extent, i));
  snprintf(text, size, "(%d, %d, %d)", value[0], value[1], value[2]);
}

static long long simulated(const json_t *launch, const struct column *column) {
  const json_t *counters = json_object_get(launch, "counters");
  long long sum = 0;
  for (int i = 0; i < MAX_PARTS && column->counters[i]; i++) {
    const json_t *value = json_object_get(counters, column->counters[i]);
    if (!value) value = json_object_get(launch, column->counters[i]); /* time_ns */
    if (!value) die("the simulator has no counter named %s", column->counters[i]);
    sum += json_integer_value(value);
  }
  return sum;
}

/* Compares one column of one launch; adds to `text` how it differs, if it does. True: equal. */
static bool compare_column(int c, const json_t *launch, char *text, size_t size) {
  const char *field = field_text(run.place[c]);
  if (run.times != (c == TIME)) return true;
  if (run.place[c] < 0 || !*field || strcmp(field, "-") == 0) return true;
  long long measured = atoll(field), ours = simulated(launch, &columns[c]);
  if (measured) {
    struct spread *spread = &run.spread[c];
    double off = (double)ours / (double)measured - 1;
    if (!spread->launches || off < spread->low) spread->low = off;
    if (!spread->launches || off > spread->high) spread->high = off;
    spread->launches++;
    spread->within += fabs(off) <= WITHIN_PERCENT / 100.0;
  }
  if (isinf(columns[c].tolerance) ||
      (double)llabs(ours - measured) <= columns[c].tolerance * (double)measured + columns[c].slack)
    return true;
  size_t used = strlen(text);
  snprintf(text + used, size - used, "  %s %lld, measured %lld", columns[c].name, ours, measured);
  return false;
}

static void print_row(const char *kernel, const char *block, const char *grid,
                      const json_t *launch) {
  if (!run.launches) {
    printf("kernel\targ\tblock\tgrid");
    for (int c = 0; c < COLUMNS; c++) printf("\t%s", columns[c].name);
    putchar('\n');
  }
  printf("%s\t%s\t%s\t%s", kernel, run.next_arg, block, grid);
  for (int c = 0; c < COLUMNS; c++) printf("\t%lld", simulated(launch, &columns[c]));
  putchar('\n');
}

static void launched(const json_t *launch) {
  char kernel[128], block[64], grid[64], text[1024] = "";
  base_name(json_string_value(json_object_get(launch, "kernel")), kernel, sizeof kernel);
  extent_text(json_object_get(launch, "block"), block, sizeof block);
  extent_text(json_object_get(launch, "grid"), grid, sizeof grid);
  if (run.tsv) {
    print_row(kernel, block, grid, launch);
    run.launches++;
    return;
  }
  if (!read_row()) die("the table ends at launch %d, %s", run.launches + 1, kernel);
  if (strcmp(field_text(run.kernel), kernel) != 0 ||
      (run.arg >= 0 && strcmp(field_text(run.arg), run.next_arg) != 0))
    die("row %d is %s %s, but the launch is %s %s", run.row, field_text(run.kernel),
        field_text(run.arg), kernel, run.next_arg);
  bool equal = true;
  if (strcmp(field_text(run.block), block) != 0 || strcmp(field_text(run.grid), grid) != 0) {
    snprintf(text, sizeof text, "  grid %s, measured with block %s, grid %s", grid,
             field_text(run.block), field_text(run.grid));
    equal = false; /* the launch depends on the device */
  }
  bool comparable = equal;
  for (int c = 0; c < COLUMNS && comparable; c++)
    equal = compare_column(c, launch, text, sizeof text) && equal;
  bool known = is_known(kernel, run.next_arg);
  const char *what = !equal ? (known ? "known" : "differs") : "equal, though known to differ";
  if (!equal || known) printf("%s: %s %s block %s:%s\n", what, kernel, run.next_arg, block, text);
  run.known += !equal && known;
  run.surprises += equal == known;
  run.launches++;
  run.equal += equal;
}

static void heard(void *context, const char *what, json_t *object) {
  (void)context;
  if (strcmp(what, "launch") == 0) launched(object);
}

static void print_spreads(void) {
  for (int c = 0; c < COLUMNS; c++) {
    const struct spread *spread = &run.spread[c];
    char allowed[32] = "reported only";
    if (!spread->launches || columns[c].tolerance == 0 || spread->within == spread->launches)
      continue;
    if (c == TIME)
      snprintf(allowed, sizeof allowed, "%.0f%% and %.0f us allowed", columns[c].tolerance * 100,
               columns[c].slack / 1000);
    else if (!isinf(columns[c].tolerance))
      snprintf(allowed, sizeof allowed, "%.0f%% allowed", columns[c].tolerance * 100);
    printf("%-16s %+.1f%% to %+.1f%% of what was measured; %d of %d launches within %d%% (%s)\n",
           columns[c].name, spread->low * 100, spread->high * 100, spread->within, spread->launches,
           WITHIN_PERCENT, allowed);
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*launch)(void);
  } sets[] = {{"recorded", launch_recorded},
              {"patterns", launch_patterns},
              {"styles", launch_styles},
              {"labs", launch_labs}};
  if (argc > 1 && strcmp(argv[1], "--tsv") == 0) run.tsv = true;
  if (argc > 1 && strcmp(argv[1], "--times") == 0) run.times = true;
  argv += run.tsv || run.times;
  argc -= run.tsv || run.times;
  if (run.tsv ? argc != 2 : argc < 3 || argc > (run.times ? 3 : 4))
    die("use: build/counters SET TABLE [KNOWN], or --times SET TABLE, or --tsv SET");
  void (*launch)(void) = NULL;
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
    if (strcmp(sets[i].name, argv[1]) == 0) launch = sets[i].launch;
  if (!launch) die("%s: no such set of launches", argv[1]);
  if (!run.tsv) open_table(argv[2]);
  if (run.times && run.place[TIME] < 0) die("%s: no column %s", argv[2], columns[TIME].name);
  if (argc > 3) read_known(argv[3]);
  sim_listen(heard, NULL);
  launch();
  if (run.tsv) return 0;
  if (read_row()) die("the table has more rows than the %d launches", run.launches);
  fclose(run.table);
  print_spreads();
  printf(run.times ? "%d of %d times within bounds" : "%d of %d launches equal", run.equal,
         run.launches);
  if (run.known) printf(", %d differ as known", run.known);
  putchar('\n');
  return run.launches && !run.surprises ? 0 : 1;
}
