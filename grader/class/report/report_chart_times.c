/* report_chart_times.c: the charts of what each student's kernels take: speed, share of the
 * ceiling, traffic, shapes of blocks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/report/report_charts.h"
#include "grader/class/report/report_words.h"

enum {
  MAX_COLUMNS = 12, /* of the grid of shapes */
  MAX_ROWS = 10,
  MIN_FOR_BOX = 4,   /* students */
  MIN_NUMBER = 3,    /* that stands beside its dot, */
  MAX_NUMBERS = 30,  /* if there are no more of them */
  AXIS_PIXELS = 700, /* for an axis's words */
  CASE_PIXELS = 112, /* for a case's name */
  CASE_LINES = 3,
};
static const double dot_step = 1.04; /* nearer than that is one dot */

/* --- speed, ceiling --- */

/* A figure of a student's run; NaN: not known. */
typedef double figure(const struct case_point *point);

static double over_baseline(const struct case_point *point) {
  return point->baseline_ns / point->time_ns;
}
static double over_reference(const struct case_point *point) {
  return point->reference_ns / point->time_ns;
}
static double of_ceiling(const struct case_point *point) { return point->percent; }

struct range {
  double min, max; /* above 0 */
};

static void widen(struct range *range, double value) {
  if (!(value > 0) || !isfinite(value)) return;
  if (!(range->min > 0) || value < range->min) range->min = value;
  if (value > range->max) range->max = value;
}

/* ", case n512" if that is the only one. */
static char *words_case(const struct summary *summary) {
  return summary->case_count == 1 ? xprintf(", case %s", summary->cases[0].name) : xstrdup("");
}

/* The rows of one case; returns how many students there are. */
static int add_box(struct text *data, const struct summary *whole, int place, figure *get,
                   struct range *range) {
  const struct case_summary *summary = &whole->cases[place];
  autofree double *values = xcalloc((size_t)summary->count, sizeof *values);
  int count = 0;
  text_add(data, "case\t%d\t", place);
  /* "-": the title has it. */
  report_chart_cell(data, whole->case_count > 1 ? summary->name : "-", CASE_PIXELS, CASE_LINES);
  text_add(data, "\n");
  for (int i = 0; i < summary->count; i++) {
    double value = get(&summary->points[i]);
    if (!(value > 0) || !isfinite(value)) continue;
    values[count++] = value;
    widen(range, value);
    text_add(data, "student\t%d\t%.6g\n", place, value);
  }
  struct spread spread = spread_of(values, count);
  if (count >= MIN_FOR_BOX)
    text_add(data, "box\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", place, spread.low, spread.quartile,
             spread.median, spread.upper, spread.high);
  return count;
}

static void add_mark(struct text *data, int place, double value, const char *words,
                     struct range *range) {
  if (!(value > 0)) return;
  widen(range, value);
  text_add(data, "mark\t%d\t%.6g\t%s\n", place, value, words);
}

/* Adds the rows that were made before it was known that there is a chart. */
static void add_rows(struct report_chart *chart, const struct text *rows) {
  text_append(&chart->data, text_get(rows), rows->length);
}

static const char box_columns[] =
    "# case\tplace\tname\n"
    "# student\tplace\tvalue\n"
    "# box\tplace\tlow\tlower quartile\tmedian\tupper quartile\thigh\n"
    "# mark\tplace\tvalue\twords\n"
    "# range\tmin\tmax\n";

/* A chart of boxes, whose title is given away, with these rows. */
static struct report_chart *add_boxes(struct report_charts *charts, const struct summary *summary,
                                      const char *id, char *title, const struct text *rows,
                                      const struct range *range) {
  struct report_chart *chart =
      report_chart_add(charts, summary, id, "class/boxes", box_columns, title, true);
  add_rows(chart, rows);
  text_add(&chart->data, "range\t%.6g\t%.6g\n", range->min, range->max);
  chart->more[2] =
      xstrdup("A dot is a student whose results are right; the box spans the middle half of them.");
  return chart;
}

static void add_speed(struct report_charts *charts, const struct summary *summary) {
  bool baseline = false;
  for (int c = 0; c < summary->case_count; c++) baseline |= summary->cases[c].baseline_ns > 0;
  freed_by(text_free) struct text data = {0};
  struct range range = {0, 0};
  int students = 0;
  for (int c = 0; c < summary->case_count; c++) {
    const struct case_summary *shown = &summary->cases[c];
    students += add_box(&data, summary, c, baseline ? over_baseline : over_reference, &range);
    if (!(shown->reference_ns > 0)) continue;
    double reference = baseline ? shown->baseline_ns / shown->reference_ns : 1;
    if (baseline) add_mark(&data, c, 1, "baseline", &range);
    add_mark(&data, c, reference, "reference", &range);
  }
  if (students == 0 || !(range.min > 0)) return;
  autofree char *over = baseline
                            ? xprintf("the baseline, %s",
                                      summary->baseline ? summary->baseline : "another solution")
                            : xstrdup("the reference solution"),
                *which = words_case(summary);
  struct report_chart *chart =
      add_boxes(charts, summary, "speed",
                xprintf("%s: speedup over %s%s", summary->lab, over, which), &data, &range);
  chart->more[0] = xprintf("times as fast as %s (%s, logarithmic)",
                           baseline ? "the baseline" : "the reference", summary->time_kind);
  chart->more[1] = xstrdup("log");
  chart->alt =
      xprintf("Box plot of every student's speedup over %s, %s.", over, summary->time_kind);
}

static void add_ceiling(struct report_charts *charts, const struct summary *summary) {
  freed_by(text_free) struct text data = {0};
  struct range range = {0, 0};
  int students = 0;
  const char *ceiling = NULL;
  for (int c = 0; c < summary->case_count; c++) {
    const struct case_summary *shown = &summary->cases[c];
    students += add_box(&data, summary, c, of_ceiling, &range);
    add_mark(&data, c, shown->reference_percent, "reference", &range);
    if (!ceiling) ceiling = shown->ceiling;
  }
  if (students == 0) return;
  if (!ceiling) ceiling = "the ceiling";
  autofree char *which = words_case(summary),
                *axis = xprintf("percent of %s (%s)", ceiling, summary->time_kind);
  struct report_chart *chart = add_boxes(
      charts, summary, "ceiling",
      xprintf("%s: share of what the device can do%s", summary->lab, which), &data, &range);
  double step = range.max > 50 ? 10 : range.max > 10 ? 5 : range.max > 2 ? 1 : 0.2;
  chart->more[0] = report_lines(axis, REPORT_LETTERS, AXIS_PIXELS, 1);
  chart->more[1] = xprintf("%g", step * ceil(range.max * 1.05 / step));
  chart->alt =
      xprintf("Box plot of every student's percent of %s, %s.", ceiling, summary->time_kind);
}

/* --- traffic --- */

/* Students who do nearly the same: where the first of them is. */
struct dot {
  double bytes, time_ns;
  int students;
};

/* Larger ones first: where room is short, their numbers get it. */
static int by_size(const void *left, const void *right) {
  const struct dot *a = left, *b = right;
  if (a->students != b->students) return b->students - a->students;
  if (a->bytes < b->bytes || a->bytes > b->bytes) return a->bytes < b->bytes ? -1 : 1;
  return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

static bool near(double a, double b) { return a < b * dot_step && b < a * dot_step; }

/* The rows of a case's dots. Returns how many students there are. */
static int add_dots(struct text *data, const struct case_summary *shown, struct range *bytes,
                    struct range *times) {
  autofree struct dot *dots = xcalloc((size_t)shown->count, sizeof *dots);
  int count = 0, students = 0, numbered = 0;
  for (int i = 0; i < shown->count; i++) {
    const struct case_point *point = &shown->points[i];
    if (!(point->bytes > 0)) continue;
    students++;
    int d = 0;
    while (d < count &&
           !(near(dots[d].bytes, point->bytes) && near(dots[d].time_ns, point->time_ns)))
      d++;
    if (d == count) dots[count++] = (struct dot){point->bytes, point->time_ns, 0};
    numbered += ++dots[d].students == MIN_NUMBER;
  }
  qsort(dots, (size_t)count, sizeof *dots, by_size);
  for (int i = 0; i < count; i++) {
    widen(bytes, dots[i].bytes);
    widen(times, dots[i].time_ns);
    bool shows_number = dots[i].students >= MIN_NUMBER && numbered <= MAX_NUMBERS;
    autofree char *number = shows_number ? xprintf("%d", dots[i].students) : xstrdup("-");
    text_add(data, "student\t%.6g\t%.6g\t%d\t%s\n", dots[i].bytes / 1e6, dots[i].time_ns / 1e3,
             dots[i].students, number);
  }
  return students;
}

static void add_traffic(struct report_charts *charts, const struct summary *summary, int index) {
  const struct case_summary *shown = &summary->cases[index];
  freed_by(text_free) struct text data = {0};
  struct range bytes = {0, 0}, times = {0, 0};
  int students = add_dots(&data, shown, &bytes, &times);
  const struct {
    double bytes, time_ns;
    const char *words;
  } marks[] = {{shown->reference_bytes, shown->reference_ns, "reference"},
               {shown->baseline_bytes, shown->baseline_ns, "baseline"}};
  for (int i = 0; i < 2; i++) {
    if (!(marks[i].bytes > 0 && marks[i].time_ns > 0)) continue;
    widen(&bytes, marks[i].bytes);
    widen(&times, marks[i].time_ns);
    text_add(&data, "mark\t%.6g\t%.6g\t%s\n", marks[i].bytes / 1e6, marks[i].time_ns / 1e3,
             marks[i].words);
  }
  if (students == 0) return;
  text_add(&data, "range\t%.6g\t%.6g\t%.6g\t%.6g\n", bytes.min / 1e6, bytes.max / 1e6,
           times.min / 1e3, times.max / 1e3);
  autofree char *id = index == 0 ? xstrdup("traffic") : xprintf("traffic-%d", index + 1);
  struct report_chart *chart = report_chart_add(
      charts, summary, id, "class/traffic",
      "# student\tMB\tus\tstudents\tnumber that is shown\n"
      "# mark\tMB\tus\twords\n"
      "# range\tmin MB\tmax MB\tmin us\tmax us\n",
      xprintf("%s: time over global traffic, case %s", summary->lab, shown->name), true);
  add_rows(chart, &data);
  chart->more[0] = xstrdup(summary->time_kind);
  chart->more[1] = xstrdup(
      "A dot is a student with right results, a larger one several within 4%. Logarithmic axes.");
  chart->alt = xprintf("Scatter plot of time over global memory traffic, %s, one dot per student.",
                       summary->time_kind);
}

/* --- shapes of blocks --- */

static int by_students(const void *left, const void *right) {
  const struct shape_summary *a = left, *b = right;
  if (a->students != b->students) return b->students - a->students;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return (a->z > b->z) - (a->z < b->z);
}

/* Extents of blocks along an axis of the grid, in order. */
struct extents {
  long values[MAX_COLUMNS > MAX_ROWS ? MAX_COLUMNS : MAX_ROWS];
  int count, max;
};

/* The value's place; -1: it has none. */
static int extents_find(const struct extents *extents, long value) {
  for (int i = 0; i < extents->count; i++)
    if (extents->values[i] == value) return i;
  return -1;
}

static bool extents_have_room(const struct extents *extents, long value) {
  return extents->count < extents->max || extents_find(extents, value) >= 0;
}

static void extents_put(struct extents *extents, long value) {
  if (extents_find(extents, value) >= 0) return;
  long *values = extents->values;
  int at = extents->count++;
  for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
  values[at] = value;
}

/* The rows of the shapes that the grid has; returns how many students chose others. */
static int add_shapes(struct text *data, const struct shape_summary *shapes, int count,
                      const struct extents *xs, const struct extents *ys) {
  int left_out = 0;
  for (int i = 0; i < count; i++) {
    const struct shape_summary *shape = &shapes[i];
    int column = extents_find(xs, shape->x), row = extents_find(ys, shape->y);
    if (shape->z != 1 || column < 0 || row < 0) {
      left_out += shape->students;
      continue;
    }
    autofree char *time = words_time(shape->time_ns);
    text_add(data, "shape\t%ld\t%ld\t%d\t%s\t%d\t%d\n", shape->x, shape->y, shape->students, time,
             column, row);
  }
  return left_out;
}

static char *words_blocks(const struct summary *summary, int left_out) {
  freed_by(text_free) struct text words = {0};
  text_add(&words, "Number and size: students. Below: median time (%s) of right results, if any.",
           summary->time_kind ? summary->time_kind : "where known");
  if (left_out > 0) {
    autofree char *students = words_students(left_out);
    text_add(&words, " Not shown: %s with rarer or three-dimensional blocks.", students);
  }
  return report_chart_note(text_get(&words));
}

static void add_blocks(struct report_charts *charts, const struct summary *summary) {
  if (summary->shape_count == 0 || (summary->shape_count == 1 && !summary->sweep)) return;
  int count = summary->shape_count;
  autofree struct shape_summary *shapes = xcalloc((size_t)count, sizeof *shapes);
  memcpy(shapes, summary->shapes, (size_t)count * sizeof *shapes);
  qsort(shapes, (size_t)count, sizeof *shapes, by_students);
  struct extents xs = {.max = MAX_COLUMNS}, ys = {.max = MAX_ROWS};
  for (int i = 0; i < count; i++) { /* the frequent ones have the room */
    const struct shape_summary *shape = &shapes[i];
    if (shape->z != 1 || !extents_have_room(&xs, shape->x) || !extents_have_room(&ys, shape->y))
      continue;
    extents_put(&xs, shape->x);
    extents_put(&ys, shape->y);
  }
  if (xs.count > 0) { /* none: all have a depth */
    struct report_chart *chart =
        report_chart_add(charts, summary, "blocks", "class/blocks",
                         "# shape\tx\ty\tstudents\tmedian time\tcolumn\trow\n",
                         xprintf("%s: shapes of blocks that the class chose, case %s", summary->lab,
                                 summary->shape_case),
                         true);
    int left_out = add_shapes(&chart->data, shapes, count, &xs, &ys);
    chart->more[0] = xprintf("%d", xs.count);
    chart->more[1] = xprintf("%d", ys.count);
    chart->more[2] = words_blocks(summary, left_out);
    autofree char *first = words_shape(&shapes[0]);
    chart->alt = xprintf("Grid of block shapes; the most frequent is %s, chosen by %d.", first,
                         shapes[0].students);
  }
}

void report_charts_of_times(struct report_charts *charts, const struct summary *summary) {
  add_speed(charts, summary);
  add_ceiling(charts, summary);
  for (int i = 0; i < summary->case_count; i++) add_traffic(charts, summary, i);
  add_blocks(charts, summary);
}
