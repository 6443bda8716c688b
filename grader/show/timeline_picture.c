/* timeline_picture.c: see timeline_picture.h. */
#include "grader/show/timeline_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grader/base/text.h"

/* Of many streams rows are low, and only some have a name; the rows above them are as high as
 * usual, that is, as several of theirs. */
enum { MAX_STREAMS = 128, MANY_STREAMS = 40, LOW_ROWS = 3, NAMED_ROWS = 8, MAX_WAITS = 64 };
enum { ROW_HOST, ROW_COPIES_IN, ROW_KERNELS, ROW_COPIES_OUT, ROW_STREAMS };

/* Streams with work, in order. */
struct rows {
  int streams[MAX_STREAMS];
  int count, left_out;
  int high; /* a row above those of streams, as their multiple */
};

/* Where a row of the device's or the host's is: its middle, in rows of streams. */
static double above(const struct rows *rows, int row) {
  return row * rows->high + (rows->high - 1) / 2.0;
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int row_of_stream(const struct rows *rows, int stream) {
  for (int i = 0; i < rows->count; i++)
    if (rows->streams[i] == stream) return ROW_STREAMS * rows->high + i;
  return -1;
}

static void list_streams(const struct spans *spans, struct rows *rows) {
  autofree int *all = xcalloc(spans->count + 1, sizeof *all);
  size_t count = 0;
  for (size_t i = 0; i < spans->count; i++)
    if (spans->items[i].process == SPAN_OF_STREAM) all[count++] = spans->items[i].track;
  array_sort(all, count, by_number);
  *rows = (struct rows){.count = 0};
  for (size_t i = 0; i < count; i++) {
    if (i && all[i] == all[i - 1]) continue;
    if (rows->count < MAX_STREAMS)
      rows->streams[rows->count++] = all[i];
    else
      rows->left_out++;
  }
  rows->high = rows->count > MANY_STREAMS ? LOW_ROWS : 1;
}

static void add_rows(const struct rows *rows, struct text *table) {
  static const char *const engines[] = {"host", "copies in", "kernels", "copies out"};
  for (int i = 0; i < ROW_STREAMS; i++) text_add(table, "%g\t%s\n", above(rows, i), engines[i]);
  for (int i = 0; i < rows->count; i++) {
    bool named = rows->high == 1 || i % NAMED_ROWS == NAMED_ROWS - 1;
    autofree char *name = !named             ? xstrdup("")
                          : rows->streams[i] ? xprintf("stream %d", rows->streams[i])
                                             : xstrdup("default stream");
    text_add(table, "%d\t%s\n", ROW_STREAMS * rows->high + i, name);
  }
}

/* Is another kernel, or copy on the device, under way beside it? Their names would be one on the
 * other in the row of all kernels. */
static bool is_on_sms(const struct work_span *span) {
  return span->category == SPAN_KERNEL || span->category == SPAN_ON_DEVICE;
}
static bool has_company(const struct spans *spans, const struct work_span *span) {
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *other = &spans->items[i];
    if (is_on_sms(other) && other != span && other->begin < span->end && other->end > span->begin)
      return true;
  }
  return false;
}

static void add_span(const struct spans *spans, const struct work_span *span, double row,
                     double unit, bool waits, struct text *table) {
  double begin = fmax(0, span->begin - spans->begin) / unit,
         end = fmin(spans->end, span->end) / unit - spans->begin / unit,
         ready = waits && span->ready > 0 ? fmax(0, span->ready - spans->begin) / unit : begin;
  bool named = waits || !is_on_sms(span) || !has_company(spans, span);
  text_add(table, "%g\t%d\t%.6g\t%.6g\t%.6g\t%s\n", row, (int)span->category, begin, end,
           fmin(ready, begin), named ? span->name : "-");
}

static void add_spans(const struct spans *spans, const struct rows *rows, double unit,
                      struct text *table) {
  static const int engine[SPAN_CATEGORIES] = {[SPAN_KERNEL] = ROW_KERNELS,
                                              [SPAN_COPY_IN] = ROW_COPIES_IN,
                                              [SPAN_COPY_OUT] = ROW_COPIES_OUT,
                                              [SPAN_ON_DEVICE] = ROW_KERNELS,
                                              [SPAN_FUNCTION] = ROW_HOST,
                                              [SPAN_CALL] = ROW_HOST,
                                              [SPAN_WAIT] = ROW_HOST};
  for (size_t i = 0; i < spans->count; i++) {
    const struct work_span *span = &spans->items[i];
    if (span->end <= spans->begin || span->begin >= spans->end) continue;
    add_span(spans, span, above(rows, engine[span->category]), unit, false, table);
    int row = span->process == SPAN_OF_STREAM ? row_of_stream(rows, span->track) : -1;
    if (row >= 0) add_span(spans, span, row, unit, true, table);
  }
}

static void add_waits(const struct spans *spans, const struct rows *rows, double unit,
                      struct text *table) {
  bool any = false;
  for (size_t i = 0; i < spans->wait_count && i < MAX_WAITS; i++) {
    const struct span_wait *wait = &spans->waits[i];
    int from = row_of_stream(rows, wait->from), to = row_of_stream(rows, wait->to);
    if (from < 0 || to < 0 || from == to) continue;
    text_add(table, "%d\t%.6g\t%d\t%.6g\n", from, (wait->recorded - spans->begin) / unit, to,
             (wait->seen - spans->begin) / unit);
    any = true;
  }
  if (!any) text_add(table, "NaN\tNaN\tNaN\tNaN\n");
}

void timeline_picture(const struct spans *spans, const char *title, const char *source,
                      const char *name, chart_taker *take, void *context) {
  if (!(spans->end > spans->begin)) return;
  bool is_long = spans->end - spans->begin >= 1e4;
  double unit = is_long ? 1e3 : 1;
  struct rows rows;
  list_streams(spans, &rows);
  freed_by(text_free) struct text table = {0};
  add_rows(&rows, &table);
  text_add(&table, "\n\n");
  add_spans(spans, &rows, unit, &table);
  text_add(&table, "\n\n");
  add_waits(spans, &rows, unit, &table);
  autofree char *sentence = timeline_sentence(spans);
  autofree char *words =
      rows.left_out ? xprintf("%s %d further streams are not shown.", sentence, rows.left_out)
                    : xstrdup(sentence);
  struct chart chart = {.name = "timeline",
                        .data = text_get(&table),
                        .title = title,
                        .source = source,
                        .more = {is_long ? "time (ms)" : "time (us)", words}};
  take(&chart, name, context);
}

char *timeline_sentence(const struct spans *spans) {
  const struct overlap o = overlap_of(spans);
  double at_work =
      o.busy[SPAN_KERNEL] + o.busy[SPAN_COPY_IN] + o.busy[SPAN_COPY_OUT] + o.busy[SPAN_ON_DEVICE];
  autofree char *copies = o.copies > 0
                              ? xprintf("%.0f%% of the copying is hidden behind other work. ",
                                        100 * o.hidden / o.copies)
                              : xstrdup("");
  return xprintf("%sOn average %.2f kinds of work are under way.", copies,
                 o.any > 0 ? at_work / o.any : 0);
}
