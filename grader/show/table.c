/* table.c: counters per source line beside the student's own code. */
#include "grader/show/card.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/score/score.h"
#include "grader/show/figures.h"

enum { SHORT_TABLE = 5, SHORTER_TABLE = 3, EXPLAINED_LAUNCHES = 8 };

/* "2.5", or "-" where there is nothing to divide by. */
static const char *ratio(double value, char *buffer, size_t size) {
  snprintf(buffer, size, isnan(value) ? "-" : "%.1f", value);
  return buffer;
}

static double value_of(const struct counters *c, enum counter counter) {
  return (double)c->value[counter];
}

/* Roughly the cycles that the line costs, to choose the lines that are shown. */
static double weight(const struct counters *c) {
  return value_of(c, COUNTER_inst_executed) / 4 + value_of(c, COUNTER_global_load_sectors) +
         value_of(c, COUNTER_global_store_sectors) + value_of(c, COUNTER_shared_load_wavefronts) +
         value_of(c, COUNTER_shared_store_wavefronts);
}

static void print_line(const struct screen *screen, const struct source *source,
                       const struct line_counters *line, bool explain) {
  const struct counters *c = &line->counters;
  struct figures f = figures_of(c);
  char b[6][32];
  bool load_scattered = figures_scattered(f.load_sectors),
       store_scattered = figures_scattered(f.store_sectors),
       conflicting = figures_conflicting(f.extra);
  int used = 46;
  screen_print(screen, PLAIN, "%6d %6s", line->line,
               figures_count(c->value[COUNTER_inst_executed], b[0], sizeof b[0]));
  if (explain) {
    screen_print(screen, PLAIN, " %5s", ratio(f.lanes, b[1], sizeof b[1]));
    used += 6;
  }
  screen_print(screen, load_scattered ? RED : PLAIN, " %6s%s",
               ratio(f.load_sectors, b[2], sizeof b[2]), load_scattered ? "!" : " ");
  screen_print(screen, store_scattered ? RED : PLAIN, " %6s%s",
               ratio(f.store_sectors, b[3], sizeof b[3]), store_scattered ? "!" : " ");
  screen_print(screen, conflicting ? RED : PLAIN, " %7s %5s%s",
               ratio(f.wavefronts, b[4], sizeof b[4]), ratio(f.extra, b[5], sizeof b[5]),
               conflicting ? "!" : " ");

  freed_by(text_free) struct text code = {0};
  const char *text = source_line(source, line->line);
  text_add_printable(&code, text, strlen(text), screen->utf8);
  size_t cut = screen_cut(text_get(&code), screen->width - used);
  screen_line(screen, DIM, "  %.*s", (int)cut, text_get(&code));
}

static int by_weight(const void *a, const void *b) {
  const struct line_counters *x = *(const struct line_counters *const *)a,
                             *y = *(const struct line_counters *const *)b;
  double u = weight(&x->counters), v = weight(&y->counters);
  return u != v ? (u < v) - (u > v) : x->line - y->line;
}

static int by_line(const void *a, const void *b) {
  return (*(const struct line_counters *const *)a)->line -
         (*(const struct line_counters *const *)b)->line;
}

/* Wrong results or hazards take the room on the screen. */
static bool faults_come_first(const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  for (int i = 0; i < conf->item_count; i++) {
    bool fault = conf->items[i].class == ITEM_CORRECTNESS || conf->items[i].class == ITEM_HAZARD;
    if (fault && grade->items[i].points < conf->items[i].points) return true;
  }
  return false;
}

static int shown_cases(const struct grade *grade) {
  int count = 0;
  for (int i = 0; i < grade->lab->conf.case_count; i++) count += grade->lab->conf.cases[i].show;
  return count;
}

/* alike: so many records of the case's call are like this one, itself included. */
static void print_launch(const struct screen *screen, const struct grade *grade,
                         const char *case_name, const struct launch_record *launch, int alike,
                         bool explain) {
  freed_by(text_free) struct text title = {0};
  text_add(&title, "case %s: %s, grid %lu x %lu", case_name, launch->kernel, launch->grid[0],
           launch->grid[1]);
  if (launch->grid[2] != 1) text_add(&title, " x %lu", launch->grid[2]);
  text_add(&title, ", block %lu x %lu", launch->block[0], launch->block[1]);
  if (launch->block[2] != 1) text_add(&title, " x %lu", launch->block[2]);
  if (launch->shared_bytes >= 1024)
    text_add(&title, ", %.1f KiB shared", (double)launch->shared_bytes / 1024);
  else if (launch->shared_bytes)
    text_add(&title, ", %lu bytes shared", launch->shared_bytes);
  if (launch->launches > 1) text_add(&title, ", %lu launches", launch->launches);
  if (alike > 1) text_add(&title, ", %d launches alike, each", alike);
  if (launch->time_kind)
    text_add(&title, "%s %.3g us %s", alike > 1 ? "" : ",", (double)launch->time_ns / 1000,
             launch->time_kind);
  if (launch->bound[0]) text_add(&title, " (bound by %s)", launch->bound);
  screen_wrap(screen, BOLD, 2, "", text_get(&title));
  screen_line(screen, DIM, "  line   inst%s sect/ld sect/st   waves extra   source",
              explain ? " lanes" : "");

  autofree const struct line_counters **lines = xcalloc((size_t)launch->line_count, sizeof *lines);
  int count = 0;
  for (int i = 0; i < launch->line_count; i++)
    if (explain || launch->lines[i].line > 0) lines[count++] = &launch->lines[i];
  int max = faults_come_first(grade) || shown_cases(grade) > 1 ? SHORTER_TABLE : SHORT_TABLE;
  int shown = explain || count <= max ? count : max;
  if (count > 0) qsort(lines, (size_t)count, sizeof *lines, by_weight);
  if (shown > 0) qsort(lines, (size_t)shown, sizeof *lines, by_line);
  for (int i = 0; i < shown; i++) print_line(screen, grade->source, lines[i], explain);
  if (!explain) return;
  screen_wrap(
      screen, DIM, 2, "  ",
      "inst: warp instructions. lanes: active on average. sect/ld, sect/st: sectors of 32 bytes "
      "for each 32-bit load or store of a warp; 4 is coalesced. waves: passes over shared memory "
      "per access; extra: of these, because of bank conflicts.");
  const struct bound *bound = bound_find(launch->bound);
  if (bound) {
    autofree char *words =
        xprintf("bound by %s: %s %s", bound->name, bound->meaning, bound->advice);
    screen_wrap(screen, DIM, 2, "  ", words);
  }
  screen_newline(screen);
  for (int i = 0; i < COUNTERS; i++) {
    if (launch->counters.value[i] == 0) continue;
    screen_line(screen, PLAIN, "  %-24s %14lu", counter_names[i], launch->counters.value[i]);
  }
}

/* Would the two be printed alike? */
static bool is_alike(const struct launch_record *a, const struct launch_record *b) {
  if (a->launches != b->launches || strcmp(a->kernel, b->kernel) != 0 ||
      memcmp(a->grid, b->grid, sizeof a->grid) != 0 ||
      memcmp(a->block, b->block, sizeof a->block) != 0 || a->shared_bytes != b->shared_bytes ||
      a->time_ns != b->time_ns || strcmp(a->bound, b->bound) != 0 ||
      memcmp(&a->counters, &b->counters, sizeof a->counters) != 0 || a->line_count != b->line_count)
    return false;
  for (int i = 0; i < a->line_count; i++)
    if (a->lines[i].line != b->lines[i].line ||
        memcmp(&a->lines[i].counters, &b->lines[i].counters, sizeof a->counters) != 0)
      return false;
  return true;
}

/* The launches of a case: with explain those of its first call, those alike once; else the longest.
 */
static void print_case(const struct screen *screen, const struct grade *grade, int index,
                       bool explain) {
  const struct case_result *run = &grade->cases[index];
  const struct report *report = &run->report;
  const char *name = grade->lab->conf.cases[index].name;
  if (!explain) {
    print_launch(screen, grade, name, case_longest_launch(run), 1, false);
    return;
  }
  const struct launch_record *kinds[EXPLAINED_LAUNCHES];
  int alike[EXPLAINED_LAUNCHES], count = 0, left = 0;
  for (int i = 0; i < report->launch_count; i++) {
    const struct launch_record *launch = &report->launches[i];
    int kind = 0;
    if (launch->set != 0) continue;
    while (kind < count && !is_alike(kinds[kind], launch)) kind++;
    if (kind == EXPLAINED_LAUNCHES) {
      left++;
      continue;
    }
    if (kind == count) {
      kinds[count] = launch;
      alike[count++] = 0;
    }
    alike[kind]++;
  }
  for (int i = 0; i < count; i++) {
    screen_newline(screen);
    print_launch(screen, grade, name, kinds[i], alike[i], true);
  }
  if (left > 0) screen_line(screen, DIM, "  and %d other launches of this call", left);
}

void table_print(const struct screen *screen, const struct grade *grade, bool explain) {
  const struct conf *conf = &grade->lab->conf;
  int printed = 0, first = -1;
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_result *run = &grade->cases[i];
    if (!case_longest_launch(run)) continue;
    if (first < 0 && !hidden_keeps_quiet(grade, i)) first = i;
    if (!conf->cases[i].show || !(explain || run->state == CASE_RIGHT)) continue;
    print_case(screen, grade, i, explain);
    printed++;
  }
  if (!printed && explain && first >= 0) print_case(screen, grade, first, true);
}

/* --- cases side by side --- */

/* The rows, of those that any column has a value for. */
static const struct {
  const char *label, *metric;
  double factor;
} rows[] = {
    {"wavefronts per shared load", "shared_load_wavefronts_per_inst", 1},
    {"wavefronts per shared store", "shared_store_wavefronts_per_inst", 1},
    {"sectors per global load", "global_load_sectors_per_request", 1},
    {"sectors per global store", "global_store_sectors_per_request", 1},
    {"time of the call, us", "time_ns", 1e-3},
};
enum { ROWS = sizeof rows / sizeof *rows, LABEL = 30, COLUMN = 19 };

struct column {
  const char *name;
  const struct case_conf *entry;
  const struct case_result *run;
};

/* The shown cases, named by the functions they call if these differ. */
static int find_columns(const struct grade *grade, struct column *columns) {
  const struct conf *conf = &grade->lab->conf;
  int count = 0;
  bool by_entry = true;
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_conf *entry = &conf->cases[i];
    if (!entry->show) continue;
    const char *name = conf_function(conf, entry);
    for (int j = 0; j < count; j++) by_entry = by_entry && strcmp(columns[j].name, name) != 0;
    columns[count++] = (struct column){name, entry, &grade->cases[i]};
  }
  int at = 0;
  for (int i = 0; i < conf->case_count && !by_entry; i++)
    if (conf->cases[i].show) columns[at++].name = conf->cases[i].name;
  return count;
}

static double value_at(const struct column *column, int row) {
  if (column->run->state != CASE_RIGHT) return NAN;
  return rows[row].factor * metric_value(metric_find(rows[row].metric), &column->run->totals);
}

static void print_row(const struct screen *screen, const struct column *columns, int count,
                      int row) {
  bool any = false;
  for (int i = 0; i < count; i++) any = any || !isnan(value_at(&columns[i], row));
  if (!any) return;
  screen_print(screen, PLAIN, "  %-*s", LABEL - 2, rows[row].label);
  for (int i = 0; i < count; i++) {
    double value = value_at(&columns[i], row);
    if (isnan(value))
      screen_print(screen, DIM, "%*s", COLUMN, "-");
    else
      screen_print(screen, PLAIN, "%*.1f", COLUMN, value);
  }
  screen_newline(screen);
}

/* How many times as fast the last column is as the first, which did the same work. */
static void print_speedup(const struct screen *screen, const struct conf *conf,
                          const struct column *columns, int count) {
  const struct case_conf *a = columns[0].entry, *b = columns[count - 1].entry;
  if (a == b || conf_family(conf, a) != conf_family(conf, b) ||
      memcmp(a->dims, b->dims, sizeof a->dims) != 0)
    return;
  double first = value_at(&columns[0], ROWS - 1), last = value_at(&columns[count - 1], ROWS - 1);
  if (isnan(first) || isnan(last) || last <= 0) return;
  autofree char *line =
      xprintf("%s is %.2f times as fast as %s (%s).", columns[count - 1].name, first / last,
              columns[0].name, case_longest_launch(columns[0].run)->time_kind);
  screen_wrap(screen, BOLD, 2, "  ", line);
}

/* Times of different sizes do not compare: then functions have their cases below them. */
static void print_cases(const struct screen *screen, const struct column *columns, int count) {
  bool differ = false;
  for (int i = 1; i < count; i++)
    differ |=
        memcmp(columns[i].entry->dims, columns[0].entry->dims, sizeof columns[0].entry->dims) != 0;
  if (!differ || strcmp(columns[0].name, columns[0].entry->name) == 0) return;
  screen_print(screen, PLAIN, "  %-*s", LABEL - 2, "case");
  for (int i = 0; i < count; i++)
    screen_print(screen, PLAIN, "%*s", COLUMN, columns[i].entry->name);
  screen_newline(screen);
}

static void print_columns(const struct screen *screen, const struct conf *conf,
                          const struct column *columns, int count) {
  screen_print(screen, PLAIN, "%*s", LABEL, "");
  for (int i = 0; i < count; i++) screen_print(screen, BOLD, "%*s", COLUMN, columns[i].name);
  screen_newline(screen);
  print_cases(screen, columns, count);
  for (int row = 0; row < ROWS; row++) print_row(screen, columns, count, row);
  screen_print(screen, PLAIN, "  %-*s", LABEL - 2, "longest kernel bound by");
  for (int i = 0; i < count; i++) {
    const struct launch_record *longest = case_longest_launch(columns[i].run);
    enum case_state state = columns[i].run->state;
    bool right = state == CASE_RIGHT && longest;
    const char *words = right ? longest->bound : state == CASE_NOT_RUN ? "not run" : "not right";
    screen_print(screen, right ? PLAIN : DIM, "%*s", COLUMN, words);
  }
  screen_newline(screen);
  print_speedup(screen, conf, columns, count);
}

void compare_print(const struct screen *screen, const struct grade *grade) {
  enum { SIDE_BY_SIDE = 3 }; /* on a terminal 90 wide */
  struct column columns[MAX_SHOWN];
  int count = find_columns(grade, columns), launched = 0;
  for (int i = 0; i < count; i++) launched += columns[i].run->report.launch_count > 0;
  if (count < 2 || launched == 0) return;
  for (int i = 0; i < count; i += SIDE_BY_SIDE) {
    if (i > 0) screen_newline(screen);
    print_columns(screen, &grade->lab->conf, columns + i,
                  count - i < SIDE_BY_SIDE ? count - i : SIDE_BY_SIDE);
  }
  screen_rule(screen);
}

/* --- measured times --- */

static void print_timed(const struct screen *screen, const struct timing *timing, int index) {
  const struct timed *timed = &timing->timed[index];
  autofree char *interval = xprintf("%.2f to %.2f", timed->ns.low / 1000, timed->ns.high / 1000);
  screen_print(screen, PLAIN, "  %-11s %9.2f %8.2f   %-18s", timed->name, timed->ns.median / 1000,
               timed->deviation_ns / 1000, interval);
  if (isnan(timed->cold_ns.median))
    screen_print(screen, PLAIN, "%9s", "-");
  else
    screen_print(screen, PLAIN, "%9.2f", timed->cold_ns.median / 1000);
  if (index > 0)
    screen_print(screen, PLAIN, "   %.3f (%.3f to %.3f)", timed->ratio.median, timed->ratio.low,
                 timed->ratio.high);
  screen_newline(screen);
}

void measured_print(const struct screen *screen, const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  if (grade->not_measured) screen_wrap(screen, PLAIN, 2, "", grade->not_measured);
  if (grade->reference_note) screen_wrap(screen, PLAIN, 2, "", grade->reference_note);
  for (int i = 0; i < conf->case_count && grade->timings; i++) {
    const struct timing *timing = &grade->timings[i];
    if (!timing->measured) continue;
    autofree char *cost =
        timing->event_cost_ns >= 100
            ? xprintf(", less %.1f us that two events cost", timing->event_cost_ns / 1000)
            : xstrdup("");
    autofree char *title = xprintf("case %s, measured on %s: %d rounds of %d call%s%s%s%s",
                                   conf->cases[i].name, grade->device ? grade->device : "the GPU",
                                   timing->rounds, timing->batch, timing->batch == 1 ? "" : "s",
                                   cost, timing->condition[0] ? "; " : "", timing->condition);
    screen_wrap(screen, BOLD, 2, "", title);
    screen_line(
        screen, DIM,
        "  us a call      median  std dev   median, 95%%        cold L2   submission / this");
    for (int t = 0; t < timing->count; t++) print_timed(screen, timing, t);
  }
}

void shares_print(const struct screen *screen, const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  for (int i = 0; i < conf->case_count && grade->shares; i++) {
    enum ceiling_kind kind = conf_family(conf, &conf->cases[i])->ceiling;
    const struct share *share = &grade->shares[i];
    if (!(share->per_ns > 0)) continue;
    freed_by(text_free) struct text line = {0};
    bool measured = grade->timings && grade->timings[i].measured;
    text_add(&line, "Ceiling: case %s reaches %.4g %s%s", conf->cases[i].name,
             ceiling_in_unit(kind, share->per_ns), ceiling_unit(kind), measured ? "" : " modelled");
    if (share->unknown)
      text_add(&line, "; its ceiling is not known: %s", share->unknown);
    else
      text_add(&line, ", %.3g%% of %s%s (%.4g)", 100 * share->per_ns / share->ceiling.per_ns,
               share->ceiling.name, share->ceiling.device ? " at this size" : "",
               ceiling_in_unit(kind, share->ceiling.per_ns));
    screen_wrap(screen, PLAIN, 2, "", text_get(&line));
  }
}
